"""The page of plots: what has been measured along the run, as far as it has come, drawn live.

Which plots there are depends on the algorithm. Those that find no room at once are a press of a button away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from algorithms.engine.observe.offered_load import offered_load
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import intents, keys
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.pages.plot_kinds import concurrency, distributions, over_time
from visual.window.panel import Panel, View, paragraph
from visual.window.run_actions import share_of
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.window.widgets import Button, Look, Slider, Widget

MOST = 1.7  # how much higher than they need plots are drawn at most, where there is room
GAP = 14.0  # logical pixels between two of them
_ROOM_FOR_LOAD = 340.0
_LEAST_ROOM = 190.0
_NO_ROOM = "Plots have no room here: make the text smaller (Ctrl+−), or select nothing (Esc)."


class Plot(NamedTuple):
    """A plot, for which runs there is one, and the logical pixels of height that it needs at least."""

    draw: Callable[[View, Rect], list[Shape]]
    fits: Callable[[RunView], bool] = lambda run: True
    least: float = 172.0


PLOTS = (
    Plot(concurrency.draw_zones, concurrency.has_zones, 240.0),
    Plot(concurrency.draw_shares, concurrency.has_critical_section),
    Plot(over_time.draw_tokens, over_time.has_tokens),
    Plot(over_time.draw_variable, over_time.has_paced_variable),
    Plot(distributions.draw_durations, over_time.takes_turns),
    Plot(over_time.draw_histories, over_time.has_histories),
    Plot(distributions.draw_messages_handled, distributions.has_messages),
)


def plots(view: View) -> Panel:
    """The load; below it as many plots as have room, and the buttons that turn to the others."""
    look, top, paper = view.look, _load_row(view), _paper(view)
    taken = look.target + look.px(GAP) if top.shapes else 0.0
    region = Rect(view.region.x, view.region.y + taken, view.region.w, view.region.h - taken)
    if region.h < look.px(_LEAST_ROOM):
        return Panel((paper, *top.shapes, *paragraph(look, _NO_ROOM, region)), top.widgets)
    found = [plot for plot in PLOTS if plot.fits(view.run)]
    if len(_fitting(found, region.h, look)) == len(found):
        return Panel((paper, *top.shapes, *_drawn(view, found, region)), top.widgets)
    area = region._replace(h=region.h - look.target - look.px(GAP))
    first = min(int(view.interface.scrolls.of("plots")), _last_turn(found, area.h, look))
    shown = _fitting(found[first:], area.h, look)
    foot = Rect(region.x, region.y + region.h - look.target, region.w, look.target)
    words, widgets = _turning(look, foot, first, len(shown), len(found))
    return Panel((paper, *top.shapes, *_drawn(view, shown, area), words), (*top.widgets, *widgets))


def _paper(view: View) -> Box:
    """The ground of everything, outlines at the edge included: on such a ground soft edges cost less to draw."""
    x, y, w, h = view.region
    return Box(x - 2, y - 2, w + 4, h + 4, view.look.theme.paper)


def _fitting(found: list[Plot], height: float, look: Look) -> list[Plot]:
    """The first of the plots, as many as have room one below the other, at least one."""
    kept: list[Plot] = []
    for plot in found:
        height -= look.px(plot.least) + (look.px(GAP) if kept else 0.0)
        if height < 0 and kept:
            break
        kept.append(plot)
    return kept


def _last_turn(found: list[Plot], height: float, look: Look) -> int:
    """The first plot to show so that the last one is the last on the page."""
    return len(found) - len(_fitting(found[::-1], height, look))


def _drawn(view: View, shown: list[Plot], area: Rect) -> list[Shape]:
    """The plots one below the other, each as high as the room allows."""
    look, gap = view.look, view.look.px(GAP)
    room = area.h - gap * (len(shown) - 1)
    grown = min(room / look.px(sum(plot.least for plot in shown)), MOST)
    shapes: list[Shape] = []
    top = area.y
    for plot in shown:
        height = look.px(plot.least) * grown
        shapes += plot.draw(view, Rect(area.x, top, area.w, height))
        top += height + gap
    return shapes


def _load_row(view: View) -> Panel:
    """The load that is offered, and a slider that changes it from now on; nothing for elections."""
    look, region, run = view.look, view.region, view.run.simulation
    if not concurrency.has_critical_section(view.run) or region.h < look.px(_ROOM_FOR_LOAD):
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
            Button("plots.less", less, intents.less_load(), "−", hint=f"less load  {keys.hint(intents.less_load())}"),
            Slider("plots.load", track, share_of(load), intents.slide_load, "the load from now on"),
            Button("plots.more", more, intents.more_load(), "+", hint=f"more load  {keys.hint(intents.more_load())}"),
        ),
    )


def _turning(look: Look, row: Rect, first: int, shown: int, count: int) -> tuple[Text, tuple[Widget, ...]]:
    """Which of the plots are shown, and the buttons for the next and the previous."""
    words = f"plot {first + 1} of {count}" if shown == 1 else f"plots {first + 1} to {first + shown} of {count}"
    text = Text(row.x, row.y + row.h / 2, words, look.px(18), look.theme.muted, baseline="middle")
    right = row.x + row.w
    back = Rect(right - 2 * look.target - look.px(8), row.y, look.target, row.h)
    on = Rect(right - look.target, row.y, look.target, row.h)
    return text, (
        Button(
            "plots.back",
            back,
            intents.turn_plots(-1),
            "↑",
            hint=f"the plot before  {keys.hint(intents.turn_plots(-1))}",
        ),
        Button("plots.on", on, intents.turn_plots(1), "↓", hint=f"the next plot  {keys.hint(intents.turn_plots(1))}"),
    )


@handles(intents.turn_plots)
def turn_plots(interface: Interface, desk: Desk, by: int) -> Interface:
    """Show the plots that come after, or before, those on the page."""
    return interface.scrolled("plots", interface.scrolls.of("plots") + by)
