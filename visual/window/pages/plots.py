"""The page of plots: measurements of the run up to the present, drawn live.

The algorithm determines which plots there are. Buttons turn to those that have no room.
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
from visual.window.pages import plot_kinds
from visual.window.panel import Panel, View, paragraph
from visual.window.run_actions import share_of
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.window.widgets import Button, Look, Slider, Widget
from visual.words import load_meaning, load_name

_MOST_GROWTH = 1.7  # times its least height: the most for a plot
_GAP = 14.0  # logical pixels between two plots
_ROOM_FOR_LOAD = 340.0
_LEAST_ROOM = 190.0
_NO_ROOM = "Plots have no room here: make the text smaller (Ctrl+−), or select nothing (Esc)."


class Plot(NamedTuple):
    """A plot, the runs that it suits, and its least height in logical pixels."""

    draw: Callable[[View, Rect], list[Shape]]
    suits: Callable[[RunView], bool] = lambda run: True
    least: float = 172.0


PLOTS = (
    Plot(plot_kinds.draw_zones, plot_kinds.has_zones, 240.0),
    Plot(plot_kinds.draw_shares, plot_kinds.has_critical_section),
    Plot(plot_kinds.draw_tokens, plot_kinds.has_tokens),
    Plot(plot_kinds.draw_variable, plot_kinds.has_paced_variable),
    Plot(plot_kinds.draw_durations, plot_kinds.takes_turns),
    Plot(plot_kinds.draw_histories, plot_kinds.has_histories),
    Plot(plot_kinds.draw_messages_handled, plot_kinds.has_messages),
)


def plots(view: View) -> Panel:
    """The load, as many plots as have room, and buttons for the others."""
    look, top, paper = view.look, _load_row(view), _paper(view)
    taken = look.target + look.px(_GAP) if top.shapes else 0.0
    region = Rect(view.region.x, view.region.y + taken, view.region.w, view.region.h - taken)
    if region.h < look.px(_LEAST_ROOM):
        return Panel((paper, *top.shapes, *paragraph(look, _NO_ROOM, region)), top.widgets)
    suitable = [plot for plot in PLOTS if plot.suits(view.run)]
    if len(_fitting(suitable, region.h, look)) == len(suitable):
        return Panel((paper, *top.shapes, *_stacked(view, suitable, region)), top.widgets)
    area = region._replace(h=region.h - look.target - look.px(_GAP))
    last = len(suitable) - len(_fitting(suitable[::-1], area.h, look))  # the first plot of the last page
    first = min(int(view.interface.scrolls.of("plots")), last)
    visible = _fitting(suitable[first:], area.h, look)
    foot = Rect(region.x, region.y + region.h - look.target, region.w, look.target)
    words, widgets = _turning(look, foot, first, len(visible), len(suitable))
    return Panel((paper, *top.shapes, *_stacked(view, visible, area), words), (*top.widgets, *widgets))


def _paper(view: View) -> Box:
    """The background: soft edges are cheaper to draw on a plain one."""
    x, y, w, h = view.region
    return Box(x - 2, y - 2, w + 4, h + 4, view.look.theme.paper)


def _fitting(plots: list[Plot], height: float, look: Look) -> list[Plot]:
    """The first plots that fit one below the other, at least one."""
    fitting: list[Plot] = []
    for plot in plots:
        height -= look.px(plot.least) + (look.px(_GAP) if fitting else 0.0)
        if height < 0 and fitting:
            break
        fitting.append(plot)
    return fitting


def _stacked(view: View, plots: list[Plot], area: Rect) -> list[Shape]:
    """The plots one below the other, each as high as the room allows."""
    look, gap = view.look, view.look.px(_GAP)
    room = area.h - gap * (len(plots) - 1)
    growth = min(room / look.px(sum(plot.least for plot in plots)), _MOST_GROWTH)
    shapes: list[Shape] = []
    top = area.y
    for plot in plots:
        height = look.px(plot.least) * growth
        shapes += plot.draw(view, Rect(area.x, top, area.w, height))
        top += height + gap
    return shapes


def _load_row(view: View) -> Panel:
    """The offered load and a slider for it; nothing for elections."""
    look, region, run = view.look, view.region, view.run.simulation
    if not plot_kinds.has_critical_section(view.run) or region.h < look.px(_ROOM_FOR_LOAD):
        return Panel()
    load = offered_load(run)
    name, meaning = load_name(run.algorithm), load_meaning(run.algorithm)
    words = f"{name} = –" if load is None else f"{name} = {load:.2f}"
    wide = fonts.width(f"{name} = 0.00", look.px(20), weight="bold") + look.px(14)
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
            Slider("plots.load", track, share_of(load), intents.slide_load, f"{meaning}, from now on", words=words),
            Button("plots.more", more, intents.more_load(), "+", hint=f"more load  {keys.hint(intents.more_load())}"),
        ),
    )


def _turning(look: Look, row: Rect, first: int, visible: int, count: int) -> tuple[Text, tuple[Widget, ...]]:
    """The visible plots in words, and buttons for the previous and the next."""
    words = f"plot {first + 1} of {count}" if visible == 1 else f"plots {first + 1} to {first + visible} of {count}"
    text = Text(row.x, row.y + row.h / 2, words, look.px(18), look.theme.muted, baseline="middle")
    right = row.x + row.w
    back = Rect(right - 2 * look.target - look.px(8), row.y, look.target, row.h)
    on = Rect(right - look.target, row.y, look.target, row.h)
    before, after = intents.turn_plots(-1), intents.turn_plots(1)
    return text, (
        Button("plots.back", back, before, "↑", hint=f"the plot before  {keys.hint(before)}"),
        Button("plots.on", on, after, "↓", hint=f"the next plot  {keys.hint(after)}"),
    )


@handles(intents.turn_plots)
def turn_plots(interface: Interface, desk: Desk, by: int) -> Interface:
    """Turn to the next plots, or to the previous."""
    return interface.scrolled("plots", interface.scrolls.of("plots") + by)
