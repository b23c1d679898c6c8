"""The page with the life of what is selected: the values of a node's variable along the run, or a message's way."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.rewrite import system_of
from algorithms.engine.trace import Trace
from visual.analysis.studies import ValueChange, VariableHistory
from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.narration.inspection import Fact, inspect_message, inspect_node
from visual.window import intents
from visual.window.panel import Panel, Switch, View, heading, highlight, list_window, paragraph, switches
from visual.window.run_view import RunView
from visual.window.widgets import Look, Widget
from visual.words import naming, node_name

_NOTHING = "Select a node or a message: click it, or press ↓ for a node and Shift+↓ for a message."
_ONE_TERM = "A rewriting system has one term, which is not any node’s: its cards show what of it belongs to whom."
_FEW = 8  # up to so many variables all have their values beside their names
_SHARE = 0.45  # of the width is for one of them at most
_FARTHEST = 20_000  # steps in which a message's arrival is looked for


class HistoryLine(NamedTuple):
    """A line of the list: what was, and the step that a click goes to; or what stands over the lines that follow."""

    words: str
    step: int | None = None
    time: float = 0.0
    is_head: bool = False


def history(view: View) -> Panel:
    """The selected node's variables as switches and the values of one of them; or the selected message."""
    node, serial, run = view.interface.node, view.interface.message, view.run
    if node is not None and system_of(run.simulation.algorithm):
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
    wanted = view.interface.pages.variable
    variable = wanted if wanted in names else next((name for name in names if facts[name].changed), names[0])
    room = _SHARE * region.w if len(names) <= _FEW else 0.0
    shapes, widgets, top = switches(view, "history", [_switch(look, facts[name], variable, room) for name in names])
    gloss = facts[variable].gloss
    note = f"{node_name(node)}: {variable}{f', {gloss}' if gloss else ''}"
    shapes.append(_title(look, note, Rect(region.x, top, region.w, look.dense)))
    known = run.ledger.variable_history(node)
    lines = _values(known, variable)
    present = bisect_right([line.step or 0 for line in lines], run.timeline.step) - 1
    box = view.below(top + 2 * look.dense)
    if not lines:
        return Panel((*shapes, *paragraph(look, _yet(known, run), box)), tuple(widgets))
    shapes += _heads(look, "value since then", Rect(region.x, top + look.dense, region.w, look.dense))
    more, rows, start = _list(view, lines, max(present, 0), box)
    return Panel((*shapes, *more), (*widgets, *rows), start)


def _switch(look: Look, fact: Fact, variable: str, room: float) -> Switch:
    """Name and, where there is room for it, value; a dot says that the present step has changed the variable."""
    name = f"• {fact.name}" if fact.changed else fact.name
    words = fonts.shorten(f"{name} = {fact.value}", room, look.size("small"), weight="bold") if room else name
    return Switch(
        f"variable.{fact.name}", words, intents.look_at_variable(fact.name), fact.gloss, fact.name == variable
    )


def _values(known: VariableHistory, variable: str) -> list[HistoryLine]:
    return [_line_of(change) for change in known.changes.get(variable, ())]


def _line_of(change: ValueChange) -> HistoryLine:
    return HistoryLine(change.value, change.step, change.time)


def _yet(known: VariableHistory, run: RunView) -> str:
    far = run.timeline.frontier
    return "Nothing has happened yet." if known.reached >= far else f"read up to step {known.reached:,} of {far:,} …"


# ---- a message ---------------------------------------------------------------------------------------------


def _of_message(view: View, entry: Record) -> Panel:
    """Its fields and its way."""
    look, region, trace = view.look, view.region, view.run.timeline.trace
    facts = inspect_message(entry, naming(view.run.simulation))
    who = f"{facts.title}, {node_name(entry[SENDER])} → {node_name(entry[NODE])}"
    lines = [HistoryLine(f"{fact.name} = {fact.value}") for fact in facts.facts]
    way = _way_of(trace, entry, view.run.timeline.step)
    lines += [HistoryLine("what happens to it", is_head=True), *way] if way else []
    present = bisect_right([line.step or 0 for line in lines], view.run.timeline.step) - 1
    title = _title(look, who, Rect(region.x, region.y, region.w, look.dense))
    box = view.below(region.y + look.dense)
    shapes, rows, _ = _list(view, lines, present, box)
    return Panel((title, *shapes), tuple(rows))


def _way_of(trace: Trace, entry: Record, present: int) -> list[HistoryLine]:
    """What has happened to the message and what will, as far as that has been executed."""
    way = []
    sent, arrived = _sending(trace, entry), _arrival(trace, entry, present)
    if sent is not None:
        way.append(HistoryLine("it is sent", sent + 1, trace.event(sent)[TIME]))
    if arrived is not None:
        end = "it is lost" if trace.event(arrived)[KIND] == LOST else "it arrives"
        way.append(HistoryLine(end, arrived + 1, trace.event(arrived)[TIME]))
    return way


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
    """The step in which the message will have arrived, if that has been executed already."""
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
    """The lines that are seen, and what can be clicked; the present one is where the keyboard begins."""
    look, start = view.look, ""
    seen = list_window(view, "history", box, len(lines), present)
    shapes: list[Shape] = []
    widgets: list[Widget] = [seen.scroller]
    for place, rect in seen.places():
        line = lines[place]
        if line.step is not None:
            does = intents.go_to_line((seen.name, seen.offset, line.step))
            target = seen.target(str(line.step), rect, look, does)
            widgets.append(target)
            if place == present:
                shapes.append(highlight(look, target.box))
                start = target.id
        shapes += _drawn(look, line, rect)
    return shapes, widgets, start


class _Columns(NamedTuple):
    """Where the columns are: steps and times end there, values begin there."""

    step: float
    time: float
    value: float


def _columns(look: Look, left: float) -> _Columns:
    digit = fonts.width("0", look.size("small"), "mono")
    return _Columns(left + 7.5 * digit, left + 15.5 * digit, left + 17.5 * digit)


def _heads(look: Look, words: str, rect: Rect) -> list[Shape]:
    """What the columns are; the last one's name is `words`."""
    columns, middle = _columns(look, rect.x), rect.y + rect.h / 2
    size, ink = look.size("small"), look.theme.muted
    return [
        Text(columns.step, middle, "step", size, ink, anchor="end", baseline="middle"),
        Text(columns.time, middle, "time", size, ink, anchor="end", baseline="middle"),
        Text(columns.value, middle, words, size, ink, baseline="middle"),
    ]


def _drawn(look: Look, line: HistoryLine, rect: Rect) -> list[Shape]:
    """Step, time and value."""
    if line.is_head:
        return _heads(look, line.words, rect)
    theme, size, middle = look.theme, look.size("small"), rect.y + rect.h / 2
    columns = _columns(look, rect.x)
    left = columns.value if line.step is not None else rect.x
    words = fonts.shorten(line.words, rect.x + rect.w - look.px(16) - left, size, "mono", "bold")
    text = Text(left, middle, words, size, theme.ink, "bold", "mono", baseline="middle")
    if line.step is None:
        return [text]
    return [
        Text(columns.step, middle, f"{line.step:,}", size, theme.muted, "normal", "mono", "end", "middle"),
        Text(columns.time, middle, f"{line.time:.1f}", size, theme.ink, "normal", "mono", "end", "middle"),
        text,
    ]
