"""The page of plots: what has been measured along the run, as far as it has come, drawn live.

Which plots there are depends on the algorithm. Those that find no room at once are a press of a button away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from visual import keys
from visual.interface.inputs import Do
from visual.interface.session import Session
from visual.panels.panel import Panel, View
from visual.plots import concurrency, durations, over_time, traffic
from visual.shapes import Rect, Shape, Text
from visual.widgets import Button, Look, Widget

LEAST = 172.0  # logical pixels: the least height of a plot
MOST = 280.0  # … and the largest
GAP = 14.0


class Plot(NamedTuple):
    """A plot, and for which runs there is one."""

    draw: Callable[[View, Rect], list[Shape]]
    fits: Callable[[Session], bool] = lambda session: True


PLOTS = (
    Plot(concurrency.draw, concurrency.fits),
    Plot(over_time.draw_tokens, over_time.has_tokens),
    Plot(over_time.draw_course, over_time.has_course),
    Plot(durations.draw),
    Plot(traffic.draw, traffic.fits),
)


def plots(view: View) -> Panel:
    """As many plots as have room, and the buttons that turn to the others."""
    look, region = view.look, view.region
    found = [plot for plot in PLOTS if plot.fits(view.session)]
    room = _fitting(region.h, look)
    more = len(found) > room
    bar = look.target + look.px(GAP) if more else 0.0
    if more:
        room = max(1, _fitting(region.h - bar, look))
    first = min(int(view.interface.scroll_of("plots")), max(0, len(found) - room))
    shown = found[first : first + room]
    gap = look.px(GAP)
    height = min(look.px(MOST), (region.h - bar - gap * (len(shown) - 1)) / max(len(shown), 1))
    shapes: list[Shape] = []
    for place, plot in enumerate(shown):
        shapes += plot.draw(view, Rect(region.x, region.y + place * (height + gap), region.w, height))
    if not more:
        return Panel(tuple(shapes))
    foot = Rect(region.x, region.y + region.h - look.target, region.w, look.target)
    words, widgets = _turning(look, foot, first, room, len(found))
    return Panel((*shapes, words), widgets)


def _fitting(height: float, look: Look) -> int:
    """How many plots have room one below the other."""
    return int((height + look.px(GAP)) / look.px(LEAST + GAP))


def _turning(look: Look, row: Rect, first: int, room: int, count: int) -> tuple[Text, tuple[Widget, ...]]:
    """Which of the plots are shown, and the buttons for the next and the previous."""
    last = min(first + room, count)
    words = f"plot {first + 1} of {count}" if room == 1 else f"plots {first + 1} to {last} of {count}"
    text = Text(row.x, row.y + row.h / 2, words, look.px(18), look.theme.muted, baseline="middle")
    right = row.x + row.w
    back = Rect(right - 2 * look.target - look.px(8), row.y, look.target, row.h)
    on = Rect(right - look.target, row.y, look.target, row.h)
    return text, (
        Button("plots.back", back, Do("turn_plots", -1), "↑", hint=f"the plot before  {keys.hint('turn_plots', -1)}"),
        Button("plots.on", on, Do("turn_plots", 1), "↓", hint=f"the next plot  {keys.hint('turn_plots', 1)}"),
    )
