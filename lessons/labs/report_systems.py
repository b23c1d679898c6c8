"""What tables 3 and 4 of the report share: the three systems, their bands and their plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean
from typing import Any

from lessons.experiments.wandering import CONSTANTS, REPORT, long_run
from lessons.laboratory import plots
from lessons.laboratory.lab import Band, Case, Lab, around_mean

TIME, SHORTER = 1e6, 560_400.0
NOMINAL, OVERLOAD, GUESS = "N = 150", "N = 300", "N = 300, K2 = 0.5, 560,400 units"
CASES = {
    NOMINAL: Case(long_run, {"algorithm": REPORT, "nodes": 150, "until": TIME}),
    OVERLOAD: Case(long_run, {"algorithm": REPORT, "nodes": 300, "until": TIME}),
    GUESS: Case(long_run, {"algorithm": REPORT, "nodes": 300, "until": SHORTER, "parameters": {"k2": 0.5}}),
}
SEEDS = 30


def lab(**own: Any) -> Lab:
    """A lab about the three systems; `own` are its name, texts, rows and plot."""
    return Lab(cases=CASES, seeds=SEEDS, quick_seeds=2, parameters=CONSTANTS[REPORT], **own)


def near(printed: float, share: float, sd: float, runs: int) -> Band:
    """The band `printed` ± `share` of it, for the mean of `SEEDS` runs with standard deviation `sd`."""
    return around_mean(printed, share * printed, sd, runs, SEEDS)


def distributions(
    title: str,
    measured: Callable[[str, int], Sequence[float]],
    places: Iterable[int],
    columns: Mapping[int, Mapping[int, int]],
    **axes: object,
) -> plots.Figure:
    """Plot the three cases beside the two published columns, on a logarithmic scale without zeros.

    `measured(case, place)` has each run's figure at a place of the horizontal axis; `columns` maps nodes -> place ->
    published figure.
    """
    figure, [axis] = plots.panels(1, title)
    for case, colour in zip(CASES, (plots.BLUE, plots.ORANGE, plots.GREEN), strict=True):
        means = {place: mean(measured(case, place)) for place in places}
        positive = {place: value for place, value in means.items() if value}
        plots.line(axis, list(positive), list(positive.values()), f"{case}, measured", colour)
    for (nodes, column), marker in zip(columns.items(), "os", strict=True):
        printed = {place: value for place, value in column.items() if value}
        plots.published(axis, list(printed), list(printed.values()), f"N = {nodes}, published", marker=marker)
    axis.set(yscale="log", **axes)
    axis.legend(fontsize=9)
    return figure
