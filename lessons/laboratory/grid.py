"""Sweeps over a grid of scenarios: the mean of each count over the seeds, with its confidence interval.

points = {Point({"nodes": 4}): scenario, …}
rows = summarised(points, measured_grid(points, range(1, 21), warm_up=100.0))
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from lessons.experiments.scenario_counts import counts
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Figures, Results

MAIN = ("messages_per_entry", "messages_per_election", "waiting_time", "turnaround", "synchronisation_delay")
"""The counts that a table shows, and of which a plot shows the first that there is."""
MOST_TICKS = 12  # values of an axis that are all marked
_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131),
    *(2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)  # Student's t for 95 %, with 1 to 30 degrees of freedom
_Z = 1.95996  # likewise, with any number


class Point(NamedTuple):
    """One scenario of a grid, by the values that set it apart: (("nodes", 4), ("k", 2))."""

    values: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        """ "nodes=4 k=2"."""
        return " ".join(f"{name}={value}" for name, value in self.values)


class Estimate(NamedTuple):
    """The mean of some runs, and half the width of its 95 % confidence interval; None for a single run."""

    mean: float
    half_width: float | None
    runs: int


class GridRow(NamedTuple):
    """A point with the estimate of each of its counts that a run had a value for."""

    point: Point
    estimates: dict[str, Estimate]


def cases(points: Mapping[Point, Scenario], warm_up: float) -> dict[str, Case]:
    """The grid as cases for `sweep.sweep`, by the points' names."""
    texts = {point: scenario_file.dumps(scenario) for point, scenario in points.items()}
    return {point.name: Case(counts, {"scenario": texts[point], "warm_up": warm_up}) for point in points}


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value or more, with its confidence interval by Student's t."""
    runs = len(values)
    if runs == 1:
        return Estimate(values[0], None, 1)
    t = _T[runs - 2] if runs - 2 < len(_T) else _Z + (_Z**3 + _Z) / (4 * (runs - 1))
    return Estimate(mean(values), t * stdev(values) / sqrt(runs), runs)


def summarised(points: Sequence[Point], results: Results) -> list[GridRow]:
    """The rows of the grid."""
    return [GridRow(point, _estimates(results[point.name])) for point in points]


def _estimates(runs: Sequence[Figures]) -> dict[str, Estimate]:
    by_name = {name: [run[name] for run in runs if run[name] is not None] for name in runs[0]}
    return {name: estimate(values) for name, values in by_name.items() if values}


# ---- as a table, as CSV, as JSON, as a plot ----------------------------------------------------------------


def as_text(rows: Sequence[GridRow]) -> str:
    """A table for a terminal: a line for each point, the mean ± half the confidence interval."""
    names = [name for name in MAIN if any(name in row.estimates for row in rows)] or ["messages"]
    head = ["", *(name.replace("synchronisation", "synchronization").replace("_", " ") for name in names)]
    lines = [head, *([row.point.name, *(_cell(row.estimates.get(name)) for name in names)] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    first, *others = widths
    table = ["  ".join([line[0].ljust(first), *map(str.rjust, line[1:], others)]).rstrip() for line in lines]
    broken = [f"{row.point.name}: a promise is broken" for row in rows if row.estimates["broken"].mean]
    return "\n".join([*table, *broken])


def _cell(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"{found.mean:.3f}" + ("" if found.half_width is None else f" ± {found.half_width:.3f}")


def as_csv(points: Sequence[Point], seeds: Sequence[int], results: Results) -> str:
    """Every run in a line: the point's values, the seed, the counts."""
    text = io.StringIO()
    rows = [
        {**dict(point.values), "seed": seed, **figures}
        for point in points
        for seed, figures in zip(seeds, results[point.name], strict=True)
    ]
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_json(rows: Sequence[GridRow], seeds: Sequence[int], results: Results) -> list[dict[str, Any]]:
    """Every point with its estimates and its runs."""
    return [
        {
            "point": dict(row.point.values),
            "estimates": {
                name: {"mean": found.mean, "half_width_95": found.half_width, "runs": found.runs}
                for name, found in row.estimates.items()
            },
            "runs": [{"seed": seed, **run} for seed, run in zip(seeds, results[row.point.name], strict=True)],
        }
        for row in rows
    ]


def metric_of(rows: Sequence[GridRow], name: str | None, place: Place) -> str:
    """The count to plot; that of messages per entry or election for None. BadInput if no run has such a count."""
    known = {count: None for row in rows for count in row.estimates}
    if name is None:
        return next(count for count in (*MAIN, "messages") if count in known)
    place.check_known("count", name, known)
    return name


def plot(rows: Sequence[GridRow], metric: str, title: str) -> plots.Figure:
    """A count over the first value of the points, a line for each combination of the others."""
    figure, (axes,) = plots.panels(1, title)
    for place, (label, some) in enumerate(_lines(rows, metric).items()):
        colour = plots.COLOURS[place % len(plots.COLOURS)]
        x, y, bars = zip(*some, strict=True)
        marker = plots.MARKERS.get(colour, "o")
        axes.errorbar(x, y, yerr=bars, label=label or None, color=colour, marker=marker, capsize=3)
    axes.set_xlabel(rows[0].point.values[0][0] if rows[0].point.values else "")
    axes.set_ylabel(metric.replace("synchronisation", "synchronization").replace("_", " "))
    axes.set_ylim(bottom=0)
    places = sorted({x for some in _lines(rows, metric).values() for x, *_ in some}, key=str)
    if len(places) <= MOST_TICKS and all(isinstance(place, int | float) for place in places):
        axes.set_xticks(sorted(places))
    if len(axes.get_legend_handles_labels()[1]):
        axes.legend()
    return figure


def _lines(rows: Sequence[GridRow], metric: str) -> dict[str, list[tuple[Any, float, float]]]:
    """The line's label -> its points: the first value, the mean, and half the confidence interval."""
    lines: dict[str, list[tuple[Any, float, float]]] = {}
    for row in rows:
        if (found := row.estimates.get(metric)) is not None:
            values = row.point.values
            x = values[0][1] if values else row.point.name
            lines.setdefault(Point(values[1:]).name, []).append((x, found.mean, found.half_width or 0.0))
    return lines
