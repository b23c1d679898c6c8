"""Journal, figure 3: simultaneous downloads for 70 % to 120 % of the nominal number of subscribers."""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev

from lessons.experiments.wandering import CONSTANTS, JOURNAL, journal_run, shares, time_at, time_from
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, row, up_to

SIZES = (210, 240, 270, 300, 330, 360)
CASES = {f"N = {nodes}": Case(journal_run, {"nodes": nodes}) for nodes in SIZES}
SENTENCE = '"the probability of concurrent access does not exceed 10 %"'
BANDS = {"idle": up_to(16), "two": (3.5, 10.0), "more": up_to(1)}  # for N = 300
WORDS = {"idle": "idle", "two": "two downloads", "more": "more than two", "two or more": "two or more"}
FIGURES = {"idle": (time_at, 0), "two": (time_at, 2), "more": (time_from, 3), "two or more": (time_from, 2)}


def percent(results: Results, nodes: int, what: str) -> list[float]:
    """The share of time of each run, in percent."""
    runs = results[f"N = {nodes}"]
    time, inside = FIGURES[what]
    return [100 * share for share in shares(time(runs, inside), runs)]


def rows(results: Results) -> list[LabRow]:
    table = [
        row(f"N = {nodes}: {WORDS[what]}, %", percent(results, nodes, what), band=BANDS[what] if nodes == 300 else None)
        for nodes in SIZES
        for what in BANDS
    ]
    for nodes in SIZES:
        together = percent(results, nodes, "two or more")
        verdict = {"holds": False, "note": SENTENCE} if exceeds(10, together) else {}
        table.append(row(f"N = {nodes}: two or more, %", together, "up to 10", **verdict))
    return table


def exceeds(limit: float, samples: list[float]) -> bool:
    """Whether the mean is above the limit by more than two standard errors."""
    chance = 2 * stdev(samples) / sqrt(len(samples)) if len(samples) > 1 else 0.0
    return mean(samples) > limit + chance


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Concurrent downloads vs. number of subscribers")
    looks = {"idle": plots.PINK, "two": plots.ORANGE, "more": plots.INK, "two or more": plots.BLUE}
    for what, colour in looks.items():
        samples = [percent(results, nodes, what) for nodes in SIZES]
        plots.measured(axes, SIZES, samples, WORDS[what], colour)
    axes.axhline(10, color=plots.INK, ls="--", lw=1.2, label="published: concurrent access at most 10 %")
    axes.set(xlabel="subscribers", ylabel="% of the time", ylim=(0, 22))
    axes.legend(ncols=2)
    return figure


LAB = Lab(
    name="journal-figure-3",
    title="Concurrent downloads",
    topic=Topic.JOURNAL,
    question="How do idle time and concurrent downloads change when there are fewer or more subscribers than planned?",
    picture="""\
The percentage of time with no download, two, more than two, and two or more, for 210 to 360 subscribers (70 % to
120 % of the nominal 300). The dashed line is the published limit.""",
    source="A. Ciuffoletti, The Wandering Token (journal version), section 3, figure 3",
    cases=CASES,
    seeds=30,
    quick_seeds=4,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[JOURNAL],
    paragraph="""\
The values change smoothly with the number of subscribers, as the paper says. Its claim that concurrent access does
not exceed 10 % up to N = 360 holds up to N = 330; at N = 360 it is about 12.7 %. Fewer subscribers leave the
resource idle for longer, for two reasons: each may use it only once per Δmin, and after a loss it takes longer until
one of the fewer timeouts expires.""",
)
