"""The page that lists the events of a run and highlights the present one."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from algorithms.engine.events import TIME
from visual.analysis.event_index import KINDS, EventFilter
from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.narration.steps import brief_sentence
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.panel import Panel, Switch, View, highlight, kind_switches, list_window, node_switch, switches
from visual.window.playback import playing
from visual.window.state import Interface
from visual.window.widgets import Look, Widget

_STEP, _TIME = "step", "time"  # heads of columns


def events(view: View) -> Panel:
    """The filter, the number of events, and the list."""
    run, look, region = view.run, view.look, view.region
    steps = run.ledger.matching_steps(event_filter_of(view))
    shapes, widgets, top = switches(view, "events", _switches(view))
    columns, count = _columns(view, region.x), f"{len(steps):,} of {run.timeline.frontier:,} events"
    shapes += columns.heads(look, Rect(region.x, top, region.w, look.dense), count)
    top += look.dense
    box = view.below(top)
    present = bisect_left(steps, run.timeline.step - 1)
    lines = list_window(view, "events", box, len(steps), min(present, len(steps) - 1) if steps else None)
    rows: list[Widget] = [lines.scroller]
    start = ""
    for place, line in lines.places():
        words = brief_sentence(run.timeline.trace.step(steps[place]), run.simulation)
        does = intents.go_to_line((lines.name, lines.offset, steps[place] + 1))
        target = lines.target(str(steps[place]), line, look, does, words)  # the hint is the whole sentence
        if steps[place] == run.timeline.step - 1:
            shapes.append(highlight(look, target.box))
            start = target.id
        shapes += _line(view, columns, steps[place], line, words)
        rows.append(target)
    return Panel(tuple(shapes), (*widgets, *rows), start)


def event_filter_of(view: View) -> EventFilter:
    """The filter that the switches and the selection describe."""
    event_filter = view.interface.pages.events
    node = view.interface.node if event_filter.of_node else None
    return EventFilter(frozenset(KINDS) - event_filter.hidden, node)


def _switches(view: View) -> list[Switch]:
    return [*kind_switches(view.interface, {kind: kind for kind in KINDS}), node_switch(view.interface)]


class EventColumns(NamedTuple):
    """The x of the columns: right ends of step and time, left of words."""

    step: float
    time: float
    words: float

    def heads(self, look: Look, line: Rect, words: str) -> list[Shape]:
        """The names of the columns; `words` is that of the last."""
        middle, size, ink = line.y + line.h / 2, look.size("small"), look.theme.muted
        return [
            Text(self.step, middle, _STEP, size, ink, anchor="end", baseline="middle"),
            Text(self.time, middle, _TIME, size, ink, anchor="end", baseline="middle"),
            Text(self.words, middle, words, size, ink, baseline="middle"),
        ]

    def numbers(self, look: Look, line: Rect, step: int, time: float) -> list[Shape]:
        """The step and the time of a line."""
        middle, size, theme = line.y + line.h / 2, look.size("small"), look.theme
        return [
            Text(self.step, middle, f"{step:,}", size, theme.muted, "normal", "mono", "end", "middle"),
            Text(self.time, middle, f"{time:.1f}", size, theme.ink, "normal", "mono", "end", "middle"),
        ]


def _columns(view: View, left: float) -> EventColumns:
    run, look = view.run, view.look
    size = look.size("small")
    numbers = max(fonts.width(f"{run.timeline.frontier:,}", size, "mono"), fonts.width(_STEP, size))
    times = max(fonts.width(f"{run.reached:.1f}", size, "mono"), fonts.width(_TIME, size))
    step = left + numbers + look.px(6)
    time = step + times + look.px(12)
    return EventColumns(step, time, time + look.px(12))


def _line(view: View, columns: EventColumns, step: int, line: Rect, words: str) -> list[Shape]:
    """The step, the time and the sentence of an event."""
    look, size = view.look, view.look.size("small")
    short = words.replace("the critical section", "the CS")
    text = fonts.shorten(short, line.x + line.w - look.px(16) - columns.words, size)
    return [
        *columns.numbers(look, line, step + 1, view.run.timeline.trace.event(step)[TIME]),
        Text(columns.words, line.y + line.h / 2, text, size, look.theme.ink, baseline="middle"),
    ]


@handles(intents.go_to_line)
def go_to_line(interface: Interface, desk: Desk, where: tuple[str, float, int]) -> Interface:
    """Pause right after the step of a line without scrolling its list."""
    panel, offset, step = where
    return playing.seek_step(interface, desk, step).browsed(panel, offset, step)


@handles(intents.filter_kind)
def filter_kind(interface: Interface, desk: Desk, kind: str) -> Interface:
    """Show or hide the events of a kind."""
    event_filter = interface.pages.events
    return replace(
        interface, pages=interface.pages._replace(events=event_filter._replace(hidden=event_filter.hidden ^ {kind}))
    )


@handles(intents.filter_node)
def filter_node(interface: Interface, desk: Desk, value: None) -> Interface:
    """Switch between the events of the selected node and those of all nodes."""
    event_filter = interface.pages.events
    listed = replace(
        interface, pages=interface.pages._replace(events=event_filter._replace(of_node=not event_filter.of_node))
    )
    has_node = interface.node is not None or event_filter.of_node
    return listed if has_node else listed.say("Select a node: click it.")


@handles(intents.go_to_moment)
def go_to_moment(interface: Interface, desk: Desk, where: tuple[str, float, float]) -> Interface:
    """Pause at the time of a line without scrolling its list."""
    panel, offset, time = where
    interface = playing.seek(interface, desk, time)
    return interface.browsed(panel, offset, desk.front.timeline.step)


# ---- history -----------------------------------------------------------------------------------------------


@handles(intents.look_at_variable)
def look_at_variable(interface: Interface, desk: Desk, name: str) -> Interface:
    """Show the history of a variable of the selected node."""
    return replace(interface, pages=interface.pages._replace(variable=name)).scrolled("history", 0.0)
