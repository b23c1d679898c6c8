"""For what share of the time how many were in the critical section, beside chance and beside nobody asking anybody."""

from __future__ import annotations

from math import exp, factorial

from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.process import MutexProcess
from visual.drawing.shapes import Fill, Rect, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, Key, hatch, round_step
from visual.window.panel import View
from visual.window.run_view import RunView

MOST = 5  # so many or more inside share a column


def fits(run: RunView) -> bool:
    """Whether there is a critical section."""
    return issubclass(run.simulation.process_class, MutexProcess)


def measured(run: RunView, time: float) -> list[float]:
    """The shares of time with 0, 1, 2 … inside, up to `time`."""
    return shares(run.ledger.counters(time).concurrency)


def beside(run: RunView, time: float) -> list[float]:
    """The same under the algorithm that this one is measured against; nothing where it has none."""
    baseline = run.ledger.studies.baseline
    return shares(baseline.concurrency(time)) if baseline and baseline.reached else []


def shares(spent: dict[int, float]) -> list[float]:
    """Time by count -> shares of the whole, the last for MOST or more; nothing if no time has passed."""
    whole = sum(spent.values())
    if not whole:
        return []
    found = [spent.get(count, 0.0) / whole for count in range(MOST)]
    return [*found, sum(time for count, time in spent.items() if count >= MOST) / whole]


def poisson(load: float) -> list[float]:
    """The shares if as many came as that load offers, each at random and whoever is inside."""
    found = [exp(-load) * load**count / factorial(count) for count in range(MOST)]
    return [*found, max(0.0, 1 - sum(found))]


def draw(view: View, region: Rect) -> list[Shape]:
    """Bars for what is measured; hatched ones for the other algorithm; circles for the Poisson distribution."""
    run, look, theme = view.run, view.look, view.look.theme
    here = measured(run, view.interface.playback.time)
    soft = run.simulation.algorithm.paced_by is not None
    load = offered_load(run.simulation) if soft else None
    chance = poisson(load) if load is not None else []
    other = beside(run, view.interface.playback.time) if soft else []
    rows = max(3, *(_used(row) for row in (here, chance, other)))
    x = Axis(0, rows, whole=True)
    y = Axis(0, _top(max((*here, *chance, *other, 0.1))), share=True)
    chart = Chart(look, region, x, y, "share of time with 0, 1, 2 … in the CS", keys=_keys(view, load, bool(other)))
    names = [(place + 0.5, f"{place}+" if place == MOST else str(place)) for place in range(rows)]
    shapes = chart.frame(names)
    if not here:
        return [*shapes, chart.said("no time has passed yet")]
    width = 0.38 if other else 0.6
    fill: Fill = theme.accent
    shapes += chart.bars(here[:rows], fill, width, 0.1 if other else 0.2)
    shapes += chart.bars(other[:rows], hatch(look), width, 0.52)
    if chance:
        shapes += chart.marks([(place + 0.5, share) for place, share in enumerate(chance[:rows])])
        return shapes
    words = [f"{100 * share:.1f} %" if share else "" for share in here[:rows]]
    return [*shapes, *chart.labels(here[:rows], words)]


def _keys(view: View, load: float | None, baseline: bool) -> tuple[Key, ...]:
    if load is None:
        return ()
    theme, studies = view.look.theme, view.run.ledger.studies
    keys = [Key("bar", "measured", theme.accent)]
    if baseline and studies.baseline:
        keys.append(Key("bar", studies.baseline.name.lower(), hatch(view.look)))
    return (*keys, Key("mark", f"Poisson({load:.2f})", theme.paper))


def _used(row: list[float]) -> int:
    """How many columns have anything that could be seen."""
    return max((place + 1 for place, share in enumerate(row) if share >= 0.001), default=0)


def _top(highest: float) -> float:
    """The end of the upright axis: a round share above the highest."""
    step = round_step(highest / 4)
    return min(1.0, step * -int(-highest * 1.08 // step))
