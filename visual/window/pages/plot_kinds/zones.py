"""How many have been inside of late, and what that means: the zones that the scenario names."""

from __future__ import annotations

from itertools import pairwise
from math import inf

from algorithms.engine.observe.meters import Counters
from algorithms.engine.scenario import Zone
from visual.drawing.shapes import Box, Fill, Line, Pattern, Rect, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, Key, round_step
from visual.window.panel import View
from visual.window.run_view import RunView

STAYS = 25.0  # in the critical section, one after the other, that the strip is wide
PRESENT = 0.9  # where the present is, once the run is longer than that


def fits(run: RunView) -> bool:
    """Whether the scenario says what it means that so many are inside."""
    return bool(run.scenario.zones)


def zone_of(zones: tuple[Zone, ...], count: int) -> int:
    """The place of the zone for so many."""
    return next((place for place, zone in enumerate(zones) if count <= (inf if zone.upto is None else zone.upto)), 0)


def shares(zones: tuple[Zone, ...], spent: dict[int, float]) -> list[float]:
    """The share of time in each zone, from the time by how many were inside."""
    whole = sum(spent.values()) or 1.0
    found = [0.0] * len(zones)
    for count, time in spent.items():
        found[zone_of(zones, count)] += time / whole
    return found


def draw(view: View, region: Rect) -> list[Shape]:
    """The step function, filled as its zones are; the shares stand in the key."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    zones = run.scenario.zones
    counted = run.ledger.counters(time)
    width = round_step(STAYS * _stay(counted))
    start = max(0.0, time - PRESENT * width)
    steps = [*run.ledger.concurrency_curve(start), (time, 0)]
    top = max(zones[-2].upto or 1 if len(zones) > 1 else 1, *(count for _, count in steps)) + 1
    found = shares(zones, counted.concurrency)
    keys = tuple(
        Key("bar", f"{zone.name} {100 * share:.1f} %", _fill(view, place))
        for place, (zone, share) in enumerate(zip(zones, found, strict=True))
    )
    axes = Axis(start, start + width, "time"), Axis(0, top, whole=True)
    chart = Chart(look, region, *axes, "so many at once, by zone", keys=keys)
    shapes = chart.frame()
    foot = chart.area.y + chart.area.h
    for (since, count), (until, _) in pairwise(steps):
        x1, x2, y = chart.x(since), chart.x(until), chart.y(count)
        if count:
            outline = theme.ink if zone_of(zones, count) else None
            shapes.append(Box(x1, y, x2 - x1, foot - y, _fill(view, zone_of(zones, count)), outline, look.rule))
    for zone in zones[:-1]:
        y = chart.y(zone.upto or 0)
        shapes.append(Line(chart.area.x, y, chart.area.x + chart.area.w, y, theme.muted, look.px(1.5), (6.0, 4.0)))
    return [*shapes, chart.now(time)]


def _stay(counted: Counters) -> float:
    """How long a process has been inside at a time, on average."""
    inside = sum(count * time for count, time in counted.concurrency.items())
    return inside / counted.entries if counted.entries and inside else 1.0


def _fill(view: View, place: int) -> Fill:
    """The first zone is plain; the further ones are ever denser."""
    look, theme = view.look, view.look.theme
    if place == 0:
        return theme.accent
    if place == 1:
        return Pattern("hatch", theme.ink, theme.paper, look.px(9))
    return Pattern("crosshatch", theme.fault, theme.paper, look.px(8))
