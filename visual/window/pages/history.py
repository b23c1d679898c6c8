"""The page with the history of a node's variable, or of a message."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.trace import Trace
from visual.analysis.studies import VariableHistory
from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.narration.inspection import Fact, inspect_message, inspect_node
from visual.window import intents
from visual.window.pages.events import EventColumns
from visual.window.panel import Panel, Switch, View, heading, highlight, list_window, paragraph, switches
from visual.window.run_view import RunView
from visual.window.widgets import Look, Widget
from visual.words import naming, node_name

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
    shapes += _columns(look, region.x).heads(look, line, "value since then")
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
        shapes += _line(look, line, rect)
    return shapes, widgets, start


def _columns(look: Look, left: float) -> EventColumns:
    digit = fonts.width("0", look.size("small"), "mono")
    return EventColumns(left + 7.5 * digit, left + 15.5 * digit, left + 17.5 * digit)


def _line(look: Look, line: HistoryLine, rect: Rect) -> list[Shape]:
    """A heading over columns, a value with its step and time, or words alone."""
    columns = _columns(look, rect.x)
    if line.is_heading:
        return columns.heads(look, rect, line.words)
    left = columns.words if line.step is not None else rect.x
    size = look.size("small")
    words = fonts.shorten(line.words, rect.x + rect.w - look.px(16) - left, size, "mono", "bold")
    text = Text(left, rect.y + rect.h / 2, words, size, look.theme.ink, "bold", "mono", baseline="middle")
    return [text] if line.step is None else [*columns.numbers(look, rect, line.step, line.time), text]
