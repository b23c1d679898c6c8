"""Report, table 5: the time to settle after the token was lost."""

from __future__ import annotations

from lessons.experiments.wandering import CONSTANTS, REPORT, durations, share_from, share_long, transient
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, of_mean, row

WIDTH = 5000
PUBLISHED = {  # nodes -> transients of about 10000, 15000, 20000 … units, of 100
    300: (1, 2, 2, 3, 12, 12, 22, 8, 14, 7, 6, 6, 2, 1, 1),
    150: (39, 4, 13, 10, 10, 13, 7, 2, 2),
}
DURATIONS = {"N = 150": (15_000, 15_000), "N = 300": (52_000, 16_250)}  # mean and standard deviation of a transient
EDGES = "published: the mean computed from the lower and from the upper edges of the classes"
NOT_SO = "cannot be reproduced; the paper does not say what was counted"
CASES = {f"N = {nodes}": Case(transient, {"nodes": nodes}) for nodes in (150, 300)}


def rows(results: Results) -> list[LabRow]:
    nominal, overload = results["N = 150"], results["N = 300"]
    bands = {case: of_mean(*DURATIONS[case], runs=len(results[case])) for case in CASES}
    short = [float(duration <= 10_000) for duration in durations(nominal)]
    return [
        row("N = 150: time to recover", durations(nominal), "19,000 … 24,000", band=bands["N = 150"], note=EDGES),
        row("N = 300: time to recover", durations(overload), "41,000 … 46,000", band=bands["N = 300"], note=EDGES),
        row("N = 150: share of recoveries up to 10,000", short, 0.39, band=of_mean(0.48, 0.5, len(short))),
        LabRow("N = 150: share of time with two or more running", 0.03, share_from(nominal, 2)),
        LabRow("N = 300: share of time with two or more running", 0.09, share_from(overload, 2)),
        LabRow(
            "N = 300: share of time with more than five running",
            0.00015,
            share_from(overload, 6),
            holds=False,
            note=NOT_SO,
        ),
        LabRow("N = 300: share of intervals above 3000", 0.15, share_long(overload), holds=False, note=NOT_SO),
    ]


def plot(results: Results) -> plots.Figure:
    figure, axes = plots.panels(2, "Time from the loss of the token to the last moment without one")
    for axis, (nodes, column) in zip(axes, sorted(PUBLISHED.items()), strict=True):
        lengths = durations(results[f"N = {nodes}"])
        edges = [0, *range(10_000, 100_001, WIDTH)]
        weights = [100 / len(lengths)] * len(lengths)
        axis.hist(lengths, bins=edges, weights=weights, color=plots.SKY, edgecolor=plots.BLUE, label="measured")
        plots.published(axis, [10_000 + WIDTH * k - WIDTH / 2 for k in range(len(column))], column)
        axis.set(title=f"N = {nodes}", xlabel="time units", ylabel="% of the losses")
        axis.set_xticks([0, 25_000, 50_000, 75_000, 100_000])
        axis.legend()
    return figure


LAB = Lab(
    name="report-table-5",
    title="Recovery after a loss",
    topic=Topic.REPORT,
    question="How long does the system take to settle after the token was lost?",
    picture="""\
The distribution of the time to recover in classes of 5,000 time units, for 150 and 300 components. Bars are
measured, hollow marks are published.""",
    source="A. Ciuffoletti, The Wandering Token (report), section 6, table 5",
    cases=CASES,
    seeds=100,
    quick_seeds=20,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[REPORT],
    paragraph="""\
Partly reproducible. Recovery lasts from the loss to the last instant without any token: until one of the tokens
generated in response survives, others are removed by components that remember the lost one, which is older, and
often all of them are (the paper's domino). The times are widely dispersed; their means agree with the published
distributions within what the labels leave open, a little shorter for N = 150, a little longer for N = 300. The share
of time with two or more operations agrees roughly (3 % and 9 % are published). Not reproducible: more than five at
once for 0.015 % of the time, which is ten times rarer here, and "almost 15 %" of intervals above 3000, of which
there are more. The published column for N = 300 adds up to 99 losses, not 100.""",
)
