"""Sweeps from Python: a scenario for many sizes, parameters and seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

from algorithms.scenario_format.place import Place
from lessons.laboratory import grid, plots
from lessons.laboratory.sweep import Store
from lessons.laboratory.sweep import sweep as execute
from mutoscope.runs import scenario_of


class Swept(NamedTuple):
    """The result of a sweep. `rows` has a row for each run, and `means` one for each point; pandas takes both."""

    rows: list[dict[str, Any]]
    means: list[dict[str, Any]]  # each count with its mean, and NAME_95: half the width of its confidence interval
    estimates: Any  # the same as values, for `plot`

    def plot(self, metric: str | None = None, title: str = "") -> plots.Figure:
        """A count over the first value that was varied, with its confidence intervals.

        It is a figure of matplotlib, which a notebook shows; by default, messages per entry or election.
        """
        figure = grid.plot(self.estimates, grid.metric_of(self.estimates, metric, Place("metric")), title)
        figure._repr_svg_ = lambda: plots.rendered(lambda: figure, "svg").decode()  # type: ignore[attr-defined]
        return figure


def sweep(
    name: str,
    *,
    nodes: int | Iterable[int] | None = None,
    seeds: Iterable[int] = range(1, 11),
    parameters: Mapping[str, Any] | None = None,
    load: str | Mapping[str, Any] | None = None,
    warm_up: float = 0.0,
    jobs: int = -1,
    **keys: Any,
) -> Swept:
    """Run every combination of `nodes` and `parameters` (a list is a choice of values) under each of the seeds.

    `name`, `load` and the other keys are those of `simulate`. Counts begin after `warm_up`; finished runs are kept for
    the next time.
    """
    axes = {"nodes": _choices(nodes)} if nodes is not None else {}
    axes |= {parameter: _choices(value) for parameter, value in (parameters or {}).items()}
    points = {}
    for chosen in product(*axes.values()):
        values = dict(zip(axes, chosen, strict=True))
        given = {**keys, "nodes": values.get("nodes"), "parameters": {k: v for k, v in values.items() if k != "nodes"}}
        points[grid.Point(tuple(values.items()))] = scenario_of(name, load, given)
    seeds = list(seeds)
    results = execute(grid.cases(points, warm_up), seeds, Store(), jobs)
    rows = grid.summarised(list(points), results)
    return Swept(
        [
            {**dict(point.values), "seed": seed, **figures}
            for point in points
            for seed, figures in zip(seeds, results[point.name], strict=True)
        ],
        [_means(row) for row in rows],
        rows,
    )


def _choices(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)


def _means(row: Any) -> dict[str, Any]:
    """A point's values with the mean of each count, and half the width of its interval."""
    means = dict(row.point.values)
    for name, found in row.estimates.items():
        means[name] = found.mean
        means[f"{name}_95"] = found.half_width
    return means
