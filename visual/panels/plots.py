"""The page of plots: what has been measured along the run, as far as it has come, drawn live.

Which plots there are depends on the algorithm. Those that find no room at once are a press of a button away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from algorithms.engine.demand import offered_load
from visual import fonts, keys
from visual.interface.inputs import Do
from visual.interface.offering import share_of
from visual.interface.session import Session
from visual.panels.panel import Panel, View
from visual.plots import concurrency, durations, over_time, traffic
from visual.shapes import Rect, Shape, Text
from visual.widgets import Button, Look, Slider, Widget

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
    top = _load_row(view)
    look, region = view.look, view.region
    taken = look.target + look.px(GAP) if top.shapes else 0.0
    region = Rect(region.x, region.y + taken, region.w, region.h - taken)
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
        return Panel((*top.shapes, *shapes), top.widgets)
    foot = Rect(region.x, region.y + region.h - look.target, region.w, look.target)
    words, widgets = _turning(look, foot, first, room, len(found))
    return Panel((*top.shapes, *shapes, words), (*top.widgets, *widgets))


def _load_row(view: View) -> Panel:
    """The load that is offered, and a slider that changes it from now on; nothing for elections."""
    look, region, run = view.look, view.region, view.session.run
    if not concurrency.fits(view.session) or region.h < 2 * look.px(LEAST):
        return Panel()
    load = offered_load(run)
    words = "k_load = –" if load is None else f"k_load = {load:.2f}"
    wide = fonts.width("k_load = 0.00", look.px(20), weight="bold") + look.px(14)
    middle = region.y + look.target / 2
    text = Text(region.x, middle, words, look.px(20), look.theme.ink, "bold", baseline="middle")
    right, gap = region.x + region.w, look.px(8)
    less = Rect(region.x + wide, region.y, look.target, look.target)
    more = Rect(right - look.target, region.y, look.target, look.target)
    track = Rect(less.x + less.w + 3 * gap, region.y, more.x - less.x - less.w - 6 * gap, look.target)
    return Panel(
        (text,),
        (
            Button("plots.less", less, Do("less_load"), "−", hint=f"less load  {keys.hint('less_load')}"),
            Slider("plots.load", track, share_of(load), "slide_load", "the load from now on"),
            Button("plots.more", more, Do("more_load"), "+", hint=f"more load  {keys.hint('more_load')}"),
        ),
    )


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
