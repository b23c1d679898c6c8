"""Report, figure 1: operations running while the system settles after a loss, without adaptation."""

from __future__ import annotations

from lessons.experiments.wandering import CONSTANTS, REPORT, durations, share_from, transient
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, of_mean, row

MEAN, SD = 27_500, 9_000  # of a transient
CASE = "N = 300, no adaptation"
CASES = {CASE: Case(transient, {"nodes": 300, "variant": "no-adaptation", "curve": True})}


def rows(results: Results) -> list[LabRow]:
    runs = results[CASE]
    most = [max(int(k) for k in run["concurrency"]) for run in runs]
    return [
        row("time to recover", durations(runs), 20_000, band=of_mean(MEAN, SD, len(runs))),
        row("most operations running at once", most),
        LabRow("share of time with two or more running", None, share_from(runs, 2)),
    ]


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Operations running after the loss of the token (N = 300, no adaptation)")
    first = results[CASE][0]
    times, levels = zip(*first["curve"], strict=True)
    axes.step(times, levels, where="post", color=plots.BLUE, lw=0.6, label="measured, the first seed")
    axes.axvline(20_000, color=plots.INK, ls="--", lw=1.2, label="published: settled after about 20,000")
    axes.set(xlabel="time units since the loss", ylabel="operations running", yticks=range(0, max(levels) + 5, 5))
    axes.legend()
    return figure


LAB = Lab(
    name="report-figure-1",
    title="Loss without adaptation",
    topic=Topic.REPORT,
    question="How long does the system take to recover from a lost token if timeouts do not adapt?",
    picture="""\
The number of operations running after the loss, in the run with the first seed. The dashed line is the published
time to recover.""",
    source="A. Ciuffoletti, The Wandering Token (report), section 5.1, figure 1",
    cases=CASES,
    seeds=30,
    quick_seeds=6,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[REPORT],
    paragraph="""\
The published figure shows one run and "approx 20000 time units". One run in four or five takes no longer than that;
the mean is about 27,500, with a standard deviation of 9,000. The picture is the same: bursts of operations at the
rhythm of Δmax, when the timeouts of many components expire together, and all their tokens are removed again, until
one of them survives.""",
)
