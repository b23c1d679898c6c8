"""Report, table 3: how many operations run at once under the wandering token."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from statistics import mean
from typing import TYPE_CHECKING

from lessons.experiments.wandering import CONSTANTS, REPORT, long_run, shares, time_at, time_from
from lessons.laboratory.lab import Band, Case, Lab, Results, Row, around, row, up_to

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIME, SHORTER = 1e6, 560_400.0
PUBLISHED = {  # nodes -> time units with exactly 1, 2, 3 … operations running
    300: (378512, 80719, 8485, 616, 30, 0, 4, 0, 2, 2),
    150: (661678, 4275, 19),
}
NOMINAL, OVERLOAD, GUESS = "N = 150", "N = 300", "N = 300, K2 = 0.5, 560,400 units"
CASES = {
    NOMINAL: Case(long_run, {"algorithm": REPORT, "nodes": 150, "until": TIME}),
    OVERLOAD: Case(long_run, {"algorithm": REPORT, "nodes": 300, "until": TIME}),
    GUESS: Case(long_run, {"algorithm": REPORT, "nodes": 300, "until": SHORTER, "parameters": {"k2": 0.5}}),
}
SEEDS = 30
NEARNESS = {1: (0.03, 690), 2: (0.03, 520), 3: (0.03, 170), 4: (0.35, 44)}  # of GUESS: share, and sd of one run
OURS = "band: this program's own regression with the constants of table 2"
NOT_SO = "not with the constants of table 2: see the rows below"


def rows(results: Results) -> list[Row]:
    nominal, overload = results[NOMINAL], results[OVERLOAD]
    one, two, three = PUBLISHED[150]
    guess = results[GUESS]
    return [
        row("N = 150, 1 running", time_at(nominal, 1), one, band=around(one, 1400)),
        row("N = 150, 2 running", time_at(nominal, 2), two, band=around(two, 450)),
        row("N = 150, 3 running", time_at(nominal, 3), three, band=up_to(40)),
        row("N = 150, operations", [run["entries"] for run in nominal], 167_571, band=around(167_571, 360)),
        *(
            row(f"N = 300, {k} running", time_at(overload, k), time, holds=False, note=NOT_SO)
            for k, time in enumerate(PUBLISHED[300][:4], 1)
        ),
        row("N = 300, idle", time_at(overload, 0), TIME - sum(PUBLISHED[300]), band=around(160_700, 1800), note=OURS),
        row(
            "N = 300, share of 2 or more",
            shares(time_from(overload, 2), overload),
            band=around(0.097, 0.003),
            note=OURS,
        ),
        row("N = 300, tokens generated", [run["generations"] for run in overload], band=around(14_750, 150), note=OURS),
        row("N = 300, operations", [run["entries"] for run in overload], band=around(235_600, 700), note=OURS),
        *(
            row(f"{GUESS}: {k} running", time_at(guess, k), time, band=near(time, *NEARNESS[k], len(guess)))
            for k, time in enumerate(PUBLISHED[300][: len(NEARNESS)], 1)
        ),
    ]


def near(printed: float, share: float, sd: float, runs: int) -> Band:
    """As near to what is printed as that share of it, for the mean of `SEEDS` runs that scatter by `sd`.

    The mean of fewer runs may be farther off, by as much as four of its standard deviations are larger.
    """
    more = 4 * sd * max(0.0, 1 / sqrt(runs) - 1 / sqrt(SEEDS))
    return around(printed, share * printed + more)


def plot(results: Results) -> Figure:
    return distributions(
        "Wandering token: operations running at once",
        lambda case, inside: time_at(results[case], inside),
        range(1, 8),
        {nodes: dict(enumerate(column, 1)) for nodes, column in PUBLISHED.items()},
        ylim=(0.5, 2e6),
        xlabel="operations running",
        ylabel="time units",
    )


def distributions(
    title: str,
    measured: Callable[[str, int], Sequence[float]],
    places: Iterable[int],
    columns: Mapping[int, Mapping[int, int]],
    **axes: object,
) -> Figure:
    """The three cases beside the two published columns, on a logarithmic scale: zeros are left out.

    `measured(case, place)` is what each run has at a place of the horizontal axis, `columns` are nodes -> place ->
    what is published.
    """
    from lessons.laboratory import plots

    figure, [axis] = plots.panels(1, title)
    for case, colour in zip(CASES, (plots.BLUE, plots.ORANGE, plots.GREEN), strict=True):
        means = {place: mean(measured(case, place)) for place in places}
        seen = {place: value for place, value in means.items() if value}
        plots.line(axis, list(seen), list(seen.values()), f"{case}, measured", colour)
    for (nodes, column), marker in zip(columns.items(), "os", strict=True):
        printed = {place: value for place, value in column.items() if value}
        plots.published(axis, list(printed), list(printed.values()), f"N = {nodes}, published", marker=marker)
    axis.set(yscale="log", **axes)
    axis.legend(fontsize=9)
    return figure


LAB = Lab(
    name="report-table-3",
    title="The wandering token: operations running at once",
    source="A. Ciuffoletti, The Wandering Token (report), section 6, table 3",
    cases=CASES,
    seeds=SEEDS,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[REPORT],
    paragraph="""\
The column for N = 150 can be reproduced, to within the scatter of a single run. One token alone makes a round in T
with T² − (Δmin + Δop N) T + Δmin N (Δop − Δskip) = 0, which is 900 units: 166,667 operations in a million; the rest
are those of tokens that were generated needlessly and soon removed. The column for N = 300 cannot be reproduced as
printed: it is busy for only 46.8 % of a million units, and a token that is never lost keeps the resource busy for
at least 83 %. Tables 3 and 4 fall short by the same factor, 0.560, so that run covered about 560,000 units; and
with K2 = 0.5 in place of the stated 0.05 its shape comes out, row by row. With the stated constants, the resource
is idle for 16 % of the time and shared for almost 10 %.""",
)
