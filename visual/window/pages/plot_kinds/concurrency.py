"""Plots of concurrency: shares of time by number inside, and named zones."""

from __future__ import annotations

from itertools import pairwise
from math import exp, factorial, inf

from algorithms.engine.observe.meters import Counters
from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.process import MutexProcess
from algorithms.engine.scenario import Zone
from visual.drawing.shapes import Box, Fill, Line, Pattern, Rect, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, LegendItem, hatch, round_step
from visual.window.panel import View
from visual.window.run_view import RunView

MOST = 5  # inside: that number and all greater ones share a column


def has_critical_section(run: RunView) -> bool:
    """Whether the algorithm has a critical section."""
    return issubclass(run.simulation.process_class, MutexProcess)


def measured_shares(run: RunView, time: float) -> list[float]:
    """The shares of time with 0, 1, 2, … inside, up to `time`."""
    return shares(run.ledger.counters(time).concurrency)


def baseline_shares(run: RunView, time: float) -> list[float]:
    """The same shares under the baseline algorithm; empty without one."""
    baseline = run.ledger.studies.baseline
    return shares(baseline.concurrency(time)) if baseline and baseline.reached else []


def shares(spent: dict[int, float]) -> list[float]:
    """Time by number -> shares of time, the last for MOST or more."""
    whole = sum(spent.values())
    if not whole:
        return []
    below = [spent.get(count, 0.0) / whole for count in range(MOST)]
    return [*below, sum(time for count, time in spent.items() if count >= MOST) / whole]


def poisson(load: float) -> list[float]:
    """The shares of a Poisson distribution: independent arrivals at that load that never wait."""
    below = [exp(-load) * load**count / factorial(count) for count in range(MOST)]
    return [*below, max(0.0, 1 - sum(below))]


def draw_shares(view: View, region: Rect) -> list[Shape]:
    """Bars for measured and baseline shares, circles for the Poisson distribution."""
    run, look, theme = view.run, view.look, view.look.theme
    here = measured_shares(run, view.interface.playback.time)
    soft = run.simulation.algorithm.paced_by is not None
    load = offered_load(run.simulation) if soft else None
    chance = poisson(load) if load is not None else []
    other = baseline_shares(run, view.interface.playback.time) if soft else []
    rows = max(3, *(_used(row) for row in (here, chance, other)))
    x = Axis(0, rows, whole=True)
    y = Axis(0, _top(max((*here, *chance, *other, 0.1))), share=True)
    chart = Chart(look, region, x, y, "share of time with 0, 1, 2 … in the CS", legend=_legend(view, load, bool(other)))
    names = [(place + 0.5, f"{place}+" if place == MOST else str(place)) for place in range(rows)]
    shapes = chart.frame(names)
    if not here:
        return [*shapes, chart.message("no time has passed yet")]
    width = 0.38 if other else 0.6
    fill: Fill = theme.accent
    shapes += chart.bars(here[:rows], fill, width, 0.1 if other else 0.2)
    shapes += chart.bars(other[:rows], hatch(look), width, 0.52)
    if chance:
        shapes += chart.marks([(place + 0.5, share) for place, share in enumerate(chance[:rows])])
        return shapes
    words = [f"{100 * share:.1f} %" if share else "" for share in here[:rows]]
    return [*shapes, *chart.labels(here[:rows], words)]


def _legend(view: View, load: float | None, baseline: bool) -> tuple[LegendItem, ...]:
    if load is None:
        return ()
    theme, studies = view.look.theme, view.run.ledger.studies
    legend = [LegendItem("bar", "measured", theme.accent)]
    if baseline and studies.baseline:
        legend.append(LegendItem("bar", studies.baseline.name.lower(), hatch(view.look)))
    return (*legend, LegendItem("mark", f"Poisson({load:.2f})", theme.paper))


def _used(row: list[float]) -> int:
    """The number of columns up to the last with a visible share."""
    return max((place + 1 for place, share in enumerate(row) if share >= 0.001), default=0)


def _top(highest: float) -> float:
    """The end of the upright axis: a round share above `highest`."""
    step = round_step(highest / 4)
    return min(1.0, step * -int(-highest * 1.08 // step))


# ---- zones -------------------------------------------------------------------------------------------------

STAYS = 25.0  # the width of the plot in mean stays
PRESENT = 0.9  # of the width: the present, once the run is longer than the plot


def has_zones(run: RunView) -> bool:
    """Whether the scenario names zones of concurrency."""
    return bool(run.scenario.zones)


def zone_of(zones: tuple[Zone, ...], count: int) -> int:
    """The index of the zone for that number inside."""
    return next((place for place, zone in enumerate(zones) if count <= (inf if zone.upto is None else zone.upto)), 0)


def shares_by_zone(zones: tuple[Zone, ...], spent: dict[int, float]) -> list[float]:
    """The share of time in each zone, from time by number inside."""
    whole = sum(spent.values()) or 1.0
    shares = [0.0] * len(zones)
    for count, time in spent.items():
        shares[zone_of(zones, count)] += time / whole
    return shares


def draw_zones(view: View, region: Rect) -> list[Shape]:
    """The number inside as a step function, filled by zone."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    zones = run.scenario.zones
    counted = run.ledger.counters(time)
    width = round_step(STAYS * _mean_stay(counted))
    start = max(0.0, time - PRESENT * width)
    steps = [*run.ledger.concurrency_curve(start), (time, 0)]
    top = max(zones[-2].upto or 1 if len(zones) > 1 else 1, *(count for _, count in steps)) + 1
    shares = shares_by_zone(zones, counted.concurrency)
    legend = tuple(
        LegendItem("bar", f"{zone.name} {100 * share:.1f} %", _zone_fill(view, place))
        for place, (zone, share) in enumerate(zip(zones, shares, strict=True))
    )
    axes = Axis(start, start + width, "time"), Axis(0, top, whole=True)
    chart = Chart(look, region, *axes, "number inside at the same time, by zone", legend=legend)
    shapes = chart.frame()
    foot = chart.area.y + chart.area.h
    for (since, count), (until, _) in pairwise(steps):
        x1, x2, y = chart.x(since), chart.x(until), chart.y(count)
        if count:
            outline = theme.ink if zone_of(zones, count) else None
            shapes.append(Box(x1, y, x2 - x1, foot - y, _zone_fill(view, zone_of(zones, count)), outline, look.rule))
    for zone in zones[:-1]:
        y = chart.y(zone.upto or 0)
        shapes.append(Line(chart.area.x, y, chart.area.x + chart.area.w, y, theme.muted, look.px(1.5), (6.0, 4.0)))
    return [*shapes, chart.now(time)]


def _mean_stay(counted: Counters) -> float:
    """The mean length of a stay; 1 before the first."""
    inside = sum(count * time for count, time in counted.concurrency.items())
    return inside / counted.entries if counted.entries and inside else 1.0


def _zone_fill(view: View, place: int) -> Fill:
    """The fill of a zone: plain for the first, then denser."""
    look, theme = view.look, view.look.theme
    if place == 0:
        return theme.accent
    if place == 1:
        return Pattern("hatch", theme.ink, theme.paper, look.px(9))
    return Pattern("crosshatch", theme.fault, theme.paper, look.px(8))
