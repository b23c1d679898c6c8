"""Journal, figure 2: uncoordinated subscribers against the wandering token, at full load."""

from __future__ import annotations

from lessons.experiments.wandering import (
    CONSTANTS,
    JOURNAL,
    JOURNAL_BIN,
    RANDOM,
    journal_run,
    long_run,
    shares,
    time_at,
    time_from,
)
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, around, row, up_to

NODES, TIME = 300, 1e5
LAW = "the Poisson distribution with mean 1 gives 36.8 and 18.4"
BENCHMARK, TOKEN = "benchmark", "wandering token"
CASES = {
    BENCHMARK: Case(
        long_run, {"algorithm": RANDOM, "nodes": NODES, "until": TIME, "variant": "journal", "width": JOURNAL_BIN}
    ),
    TOKEN: Case(journal_run, {"nodes": NODES}),
}


def percent(results: Results, case: str, inside: int, or_more: bool = False) -> list[float]:
    """The share of time in each run with that many inside (or more), in percent."""
    runs = results[case]
    return [100 * share for share in shares((time_from if or_more else time_at)(runs, inside), runs)]


def rows(results: Results) -> list[LabRow]:
    tokens = [max(int(k) for k in run["tokens"]) for run in results[TOKEN]]
    return [
        row("benchmark: idle, %", percent(results, BENCHMARK, 0), 40, band=around(36.7, 0.8), note=LAW),
        row("benchmark: two downloads, %", percent(results, BENCHMARK, 2), band=around(18.4, 0.6), note=LAW),
        row("benchmark: more than two, %", percent(results, BENCHMARK, 3, True), 8, band=around(8.0, 0.4)),
        row("wandering token: idle, %", percent(results, TOKEN, 0), "below 10", band=up_to(16)),
        row("wandering token: two downloads, %", percent(results, TOKEN, 2), 5, band=(3.5, 10.0)),
        row("wandering token: more than two, %", percent(results, TOKEN, 3, True), 0.3, band=up_to(1)),
        LabRow("wandering token: most tokens in any run", 2, max(tokens), band=up_to(5)),
        row("share of runs idle less than 10 %", [float(idle < 10) for idle in percent(results, TOKEN, 0)], "all"),
    ]


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Simultaneous downloads of 300 subscribers")
    for case, colour in ((BENCHMARK, plots.ORANGE), (TOKEN, plots.BLUE)):
        shares = [percent(results, case, k, or_more=k == 3) for k in range(4)]
        plots.measured(axes, range(4), shares, f"{case}, measured", colour)
    plots.published(axes, [0, 3], [40, 8], "benchmark, published", marker="s")
    plots.published(axes, [0, 2, 3], [10, 5, 0.3], "wandering token, published (idle: below 10)")
    axes.set(xlabel="simultaneous downloads", ylabel="% of the time")
    axes.set_xticks(range(4), ["0", "1", "2", "3 or more"])
    axes.legend()
    return figure


LAB = Lab(
    name="journal-figure-2",
    title="Token vs. no coordination",
    topic=Topic.JOURNAL,
    question="How much does the wandering token reduce simultaneous downloads at full load?",
    picture="""\
The percentage of time with none, one, two, or three and more downloads running. Connected marks are measured, with
one standard deviation of a run; hollow marks are published.""",
    source="A. Ciuffoletti, The Wandering Token (journal version), section 3, figure 2 and table 1",
    cases=CASES,
    seeds=30,
    quick_seeds=6,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[JOURNAL],
    paragraph="""\
The benchmark can be reproduced: 300 subscribers with a period of 1200 ± 600 s offer a load of exactly 1, and the
number of simultaneous downloads follows a Poisson distribution with mean 1. So the resource is idle 36.7 % of the
time, not quite 40 %. Under the wandering token (timeout Δmin plus an exponential with mean γ, one loss every 10,000
s) it is idle 8.7 % of the time, and less than 10 % in two runs out of three. Two simultaneous downloads take a
little more than the published 5 %, more than two take 0.25 %. Idle time is not "only due to network unreliability":
for a quarter of it, tokens rest at nodes that do not use them.""",
)
