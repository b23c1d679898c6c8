"""The page with the run's events: one line each, the present one marked, a click goes there."""

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
from visual.window.panel import Panel, Switch, View, highlight, list_window, of_kinds, of_node, switches
from visual.window.playback import actions, playing
from visual.window.state import Interface
from visual.window.widgets import Widget

STEP, TIME_WORD = "step", "time"  # heads of columns


def events(view: View) -> Panel:
    """Switches for the kinds, how many events there are, and those that are let through."""
    run, look, region = view.run, view.look, view.region
    steps = run.ledger.matching_steps(question_of(view))
    shapes, widgets, top = switches(view, "events", _switches(view))
    shapes += _heads(view, Rect(region.x, top, region.w, look.dense), len(steps))
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
        shapes += _line(view, steps[place], line, words)
        rows.append(target)
    return Panel(tuple(shapes), (*widgets, *rows), start)


def question_of(view: View) -> EventFilter:
    """What the switches and the selection ask for."""
    event_filter = view.interface.pages.events
    node = view.interface.node if event_filter.of_node else None
    return EventFilter(frozenset(KINDS) - event_filter.hidden, node)


def _switches(view: View) -> list[Switch]:
    return [*of_kinds(view.interface, {kind: kind for kind in KINDS}), of_node(view.interface)]


class EventColumns(NamedTuple):
    """Where the columns are: steps and times end there, the words begin there."""

    step: float
    time: float
    words: float


def _columns(view: View, left: float) -> EventColumns:
    run, look = view.run, view.look
    size = look.size("small")
    numbers = max(fonts.width(f"{run.timeline.frontier:,}", size, "mono"), fonts.width(STEP, size))
    times = max(fonts.width(f"{run.reached:.1f}", size, "mono"), fonts.width(TIME_WORD, size))
    step = left + numbers + look.px(6)
    time = step + times + look.px(12)
    return EventColumns(step, time, time + look.px(12))


def _heads(view: View, line: Rect, count: int) -> list[Shape]:
    """What the columns are, and how many events are listed."""
    columns, middle = _columns(view, line.x), line.y + line.h / 2
    size, ink = view.look.size("small"), view.look.theme.muted
    few = f"{count:,} of {view.run.timeline.frontier:,} events"
    return [
        Text(columns.step, middle, STEP, size, ink, anchor="end", baseline="middle"),
        Text(columns.time, middle, TIME_WORD, size, ink, anchor="end", baseline="middle"),
        Text(columns.words, middle, few, size, ink, baseline="middle"),
    ]


def _line(view: View, step: int, line: Rect, words: str) -> list[Shape]:
    """Step, time, and what happened."""
    look, columns = view.look, _columns(view, line.x)
    theme, size = look.theme, look.size("small")
    time = view.run.timeline.trace.event(step)[TIME]
    middle = line.y + line.h / 2
    short = words.replace("the critical section", "the CS")
    shown = fonts.shorten(short, line.x + line.w - look.px(16) - columns.words, size)
    return [
        Text(columns.step, middle, f"{step + 1:,}", size, theme.muted, "normal", "mono", "end", "middle"),
        Text(columns.time, middle, f"{time:.1f}", size, theme.ink, "normal", "mono", "end", "middle"),
        Text(columns.words, middle, shown, size, theme.ink, baseline="middle"),
    ]


@handles(intents.go_to_line)
def go_to_line(interface: Interface, desk: Desk, where: tuple[str, float, int]) -> Interface:
    """Pause right after the step of a line, its list staying as far scrolled as it is."""
    panel, offset, step = where
    return actions.seek_step(interface, desk, step).browsed(panel, offset, step)


@handles(intents.filter_kind)
def filter_kind(interface: Interface, desk: Desk, kind: str) -> Interface:
    """List the events of that kind, or do not."""
    event_filter = interface.pages.events
    return replace(
        interface, pages=interface.pages._replace(events=event_filter._replace(hidden=event_filter.hidden ^ {kind}))
    )


@handles(intents.filter_node)
def filter_node(interface: Interface, desk: Desk, value: None) -> Interface:
    """List only what is the selected node's, or everything."""
    event_filter = interface.pages.events
    listed = replace(
        interface, pages=interface.pages._replace(events=event_filter._replace(of_node=not event_filter.of_node))
    )
    has_node = interface.node is not None or event_filter.of_node
    return listed if has_node else listed.say("Select a node: click it.")


@handles(intents.go_to_moment)
def go_to_moment(interface: Interface, desk: Desk, where: tuple[str, float, float]) -> Interface:
    """Pause at that time, the list of its line staying as far scrolled as it is."""
    panel, offset, time = where
    interface = playing.seek(interface, desk, time)
    return interface.browsed(panel, offset, desk.front.timeline.step)


# ---- history -----------------------------------------------------------------------------------------------


@handles(intents.look_at_variable)
def look_at_variable(interface: Interface, desk: Desk, name: str) -> Interface:
    """Show what that variable of the selected node has been."""
    return replace(interface, pages=interface.pages._replace(variable=name)).scrolled("history", 0.0)
