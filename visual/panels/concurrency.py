"""How many processes are in the critical section, over the last stretch of time, and for what shares of the time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from visual.panels.panel import Panel, View, heading
from visual.shapes import Box, Colour, Line, Point, Polyline, Rect, Shape, Text
from visual.widgets import Look

Place: TypeAlias = Callable[[float, int], Point]
"""Where a time and a count are on the plot."""

_FLIGHTS = 60.0  # mean delays that the plot is wide
_PRESENT = 0.85  # where the present is, once the run is longer than the plot is wide


def concurrency(view: View) -> Panel:
    """Heading with shares, and the plot."""
    look, region = view.look, view.region
    head = look.px(30)
    plot = Rect(region.x, region.y + head, region.w, region.h - head)
    title = heading(look, region.x, region.y + head / 2, "in the CS")
    return Panel((title, *_shares(view, region.x + region.w, region.y + head / 2), *_plot(view, plot)))


def _shares(view: View, right: float, middle: float) -> list[Shape]:
    """ "0: 38 %  1: 62 %  2+: 0 %", more than one in the colour of faults."""
    look, theme = view.look, view.look.theme
    spent = view.session.ledger.counters(view.interface.time).concurrency
    if not any(spent.values()):
        return []
    whole = sum(spent.values())
    more = sum(time for count, time in spent.items() if count > 1)
    parts = [("0", spent.get(0, 0.0)), ("1", spent.get(1, 0.0)), ("2+", more)]
    shapes: list[Shape] = []
    for place, (name, time) in enumerate(reversed(parts)):
        alarming = place == 0 and time > 0
        ink = theme.fault_text if alarming else theme.ink
        words = f"{name}: {100 * time / whole:.0f} %"
        x = right - place * look.px(88)
        shapes.append(Text(x, middle, words, look.size("small"), ink, anchor="end", baseline="middle"))
    return shapes


def _plot(view: View, plot: Rect) -> list[Shape]:
    session, look, theme = view.session, view.look, view.look.theme
    width = min(max(_FLIGHTS * (session.scenario.network.delay.mean or 1.0), 1.0), session.horizon)
    start = max(0.0, view.interface.time - _PRESENT * width)
    points = session.ledger.concurrency_curve(start)
    highest = max(2, *(count for _, count in points))
    pad = look.px(10)
    scale = (plot.h - 2 * pad) / highest

    def place(time: float, count: int) -> tuple[float, float]:
        share = min(max((time - start) / width, 0.0), 1.0)
        return plot.x + plot.w * share, plot.y + plot.h - pad - count * scale

    outline = theme.rule if theme.paper != theme.chrome else theme.ink
    shapes: list[Shape] = [Box(*plot, theme.paper, outline, 1.0, look.radius / 2)]
    for count in range(1, min(highest, 4) + 1):
        _, y = place(start, count)
        shapes.append(Line(plot.x, y, plot.x + plot.w, y, theme.rule, 1.0))
    end = view.interface.time
    steps = [*points, (end, points[-1][1])]
    shapes += [_breach(look, place, steps[k], steps[k + 1]) for k in range(len(steps) - 1) if steps[k][1] > 1]
    shapes.append(_stairs(look, place, steps, theme.accent))
    now, _ = place(end, 0)
    return [*shapes, Line(now, plot.y, now, plot.y + plot.h, theme.accent, look.px(2))]


def _stairs(look: Look, place: Place, steps: list[tuple[float, int]], colour: Colour) -> Polyline:
    path = [place(*steps[0])]
    for (_, before), (time, after) in pairwise(steps):
        path += [place(time, before), place(time, after)]
    return Polyline(tuple(dict.fromkeys(path)), colour, look.px(3.5))


def _breach(look: Look, place: Place, step: tuple[float, int], following: tuple[float, int]) -> Box:
    """A stretch of time with more than one inside."""
    left, top = place(*step)
    right, _ = place(following[0], step[1])
    foot = place(step[0], 0)[1]
    return Box(left, top, max(right - left, 1.0), foot - top, f"{look.theme.fault}66", None, 0)
