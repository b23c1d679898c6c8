"""The pages of events: all of a run, with the present one highlighted; the history of a variable or a message."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.trace import Trace
from visual.analysis.event_index import KINDS, EventFilter
from visual.analysis.studies import VariableHistory
from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.narration.inspection import Fact, inspect_message, inspect_node
from visual.narration.steps import brief_sentence
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.panel import (
    Panel,
    Switch,
    View,
    heading,
    highlight,
    kind_switches,
    list_window,
    node_switch,
    paragraph,
    switches,
)
from visual.window.playback import playing
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.window.widgets import Look, Widget
from visual.words import naming, node_name

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


_NOTHING = "Select a node or a message: click it, or press ↓ for a node and Shift+↓ for a message."
_ONE_TERM = "A rewriting system has one term, which is not any node’s: its cards show what of it belongs to whom."
_FEW = 8  # variables whose switches have room for their values
_SHARE = 0.45  # of the width: the most for one of those switches
_FARTHEST = 20_000  # steps that are searched for the arrival of a message


class HistoryLine(NamedTuple):
    """A line of the list, with the step that a click goes to; or a heading."""

    words: str
    step: int | None = None
    time: float = 0.0
    is_heading: bool = False


def history(view: View) -> Panel:
    """The values of a variable of the selected node, or the selected message."""
    node, serial, run = view.interface.node, view.interface.message, view.run
    if node is not None and run.system:
        return Panel(tuple(paragraph(view.look, _ONE_TERM, view.region)))
    if node is not None:
        return _of_node(view, node)
    message = run.message(serial) if serial is not None else None
    if message is not None:
        return _of_message(view, message)
    return Panel(tuple(paragraph(view.look, _NOTHING, view.region)))


# ---- a node ------------------------------------------------------------------------------------------------


def _of_node(view: View, node: int) -> Panel:
    look, region, run = view.look, view.region, view.run
    facts = {fact.name: fact for fact in inspect_node(run.ledger, node).facts}
    names = [name for name in vars(run.simulation.processes[node]) if name in facts]
    if not names:
        return Panel(tuple(paragraph(look, f"{node_name(node)} has no variables.", region)))
    preferred = view.interface.pages.variable
    variable = preferred if preferred in names else next((name for name in names if facts[name].changed), names[0])
    room = _SHARE * region.w if len(names) <= _FEW else 0.0
    shapes, widgets, top = switches(view, "history", [_switch(look, facts[name], variable, room) for name in names])
    gloss = facts[variable].gloss
    note = f"{node_name(node)}: {variable}{f', {gloss}' if gloss else ''}"
    shapes.append(_title(look, note, Rect(region.x, top, region.w, look.dense)))
    values = run.ledger.variable_history(node)
    lines = [HistoryLine(change.value, change.step, change.time) for change in values.changes.get(variable, ())]
    present = bisect_right([line.step or 0 for line in lines], run.timeline.step) - 1
    box = view.below(top + 2 * look.dense)
    if not lines:
        return Panel((*shapes, *paragraph(look, _reading_words(values, run), box)), tuple(widgets))
    line = Rect(region.x, top + look.dense, region.w, look.dense)
    shapes += _history_columns(look, region.x).heads(look, line, "value since then")
    more, rows, start = _list(view, lines, max(present, 0), box)
    return Panel((*shapes, *more), (*widgets, *rows), start)


def _switch(look: Look, fact: Fact, variable: str, room: float) -> Switch:
    """The name of a variable, marked if it has just changed, with its value."""
    name = f"• {fact.name}" if fact.changed else fact.name
    words = fonts.shorten(f"{name} = {fact.value}", room, look.size("small"), weight="bold") if room else name
    return Switch(
        f"variable.{fact.name}", words, intents.look_at_variable(fact.name), fact.gloss, fact.name == variable
    )


def _reading_words(values: VariableHistory, run: RunView) -> str:
    """Why there are no values yet."""
    far = run.timeline.frontier
    return "Nothing has happened yet." if values.reached >= far else f"read up to step {values.reached:,} of {far:,} …"


# ---- a message ---------------------------------------------------------------------------------------------


def _of_message(view: View, entry: Record) -> Panel:
    """The fields of a message, and when it is sent and arrives."""
    look, region, trace = view.look, view.region, view.run.timeline.trace
    facts = inspect_message(entry, naming(view.run.simulation))
    who = f"{facts.title}, {node_name(entry[SENDER])} → {node_name(entry[NODE])}"
    lines = [HistoryLine(f"{fact.name} = {fact.value}") for fact in facts.facts]
    passage = _passage(trace, entry, view.run.timeline.step)
    lines += [HistoryLine("what happens to it", is_heading=True), *passage] if passage else []
    present = bisect_right([line.step or 0 for line in lines], view.run.timeline.step) - 1
    title = _title(look, who, Rect(region.x, region.y, region.w, look.dense))
    box = view.below(region.y + look.dense)
    shapes, rows, _ = _list(view, lines, present, box)
    return Panel((title, *shapes), tuple(rows))


def _passage(trace: Trace, entry: Record, present: int) -> list[HistoryLine]:
    """When the message is sent, and when it arrives or is lost."""
    passage = []
    sent, arrived = _sending(trace, entry), _arrival(trace, entry, present)
    if sent is not None:
        passage.append(HistoryLine("it is sent", sent + 1, trace.event(sent)[TIME]))
    if arrived is not None:
        end = "it is lost" if trace.event(arrived)[KIND] == LOST else "it arrives"
        passage.append(HistoryLine(end, arrived + 1, trace.event(arrived)[TIME]))
    return passage


def _sending(trace: Trace, entry: Record) -> int | None:
    """The step in which the message was sent."""
    last = trace.steps_until(entry[SENT])
    for step in range(last - 1, -1, -1):
        if trace.event(step)[TIME] < entry[SENT]:
            return None
        if any(record[SEQ] == entry[SEQ] and record[KIND] == DELIVER for record in trace.step(step)[1:]):
            return step
    return None


def _arrival(trace: Trace, entry: Record, present: int) -> int | None:
    """The executed step in which the message arrives or is lost."""
    for step in range(present, min(len(trace), present + _FARTHEST)):
        event = trace.event(step)
        if event[SEQ] == entry[SEQ] and event[KIND] in (DELIVER, LOST) and event[MESSAGE] == entry[MESSAGE]:
            return step
    return None


# ---- both --------------------------------------------------------------------------------------------------


def _title(look: Look, words: str, box: Rect) -> Text:
    return heading(look, box.x, box.y + box.h / 2, fonts.shorten(words, box.w, look.px(18), weight="bold"))


def _list(
    view: View, lines: list[HistoryLine], present: int | None, box: Rect
) -> tuple[list[Shape], list[Widget], str]:
    """The visible lines, their targets, and where the keyboard starts."""
    look, start = view.look, ""
    window = list_window(view, "history", box, len(lines), present)
    shapes: list[Shape] = []
    widgets: list[Widget] = [window.scroller]
    for place, rect in window.places():
        line = lines[place]
        if line.step is not None:
            does = intents.go_to_line((window.name, window.offset, line.step))
            target = window.target(str(line.step), rect, look, does)
            widgets.append(target)
            if place == present:
                shapes.append(highlight(look, target.box))
                start = target.id
        shapes += _history_line(look, line, rect)
    return shapes, widgets, start


def _history_columns(look: Look, left: float) -> EventColumns:
    digit = fonts.width("0", look.size("small"), "mono")
    return EventColumns(left + 7.5 * digit, left + 15.5 * digit, left + 17.5 * digit)


def _history_line(look: Look, line: HistoryLine, rect: Rect) -> list[Shape]:
    """A heading over columns, a value with its step and time, or words alone."""
    columns = _history_columns(look, rect.x)
    if line.is_heading:
        return columns.heads(look, rect, line.words)
    left = columns.words if line.step is not None else rect.x
    size = look.size("small")
    words = fonts.shorten(line.words, rect.x + rect.w - look.px(16) - left, size, "mono", "bold")
    text = Text(left, rect.y + rect.h / 2, words, size, look.theme.ink, "bold", "mono", baseline="middle")
    return [text] if line.step is None else [*columns.numbers(look, rect, line.step, line.time), text]
