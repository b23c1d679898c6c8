"""The page of the checker: budget, progress, and the status of each property."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.errors import count_words
from algorithms.engine.observe.verdicts import BROKEN, HOLDS, NAMES
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import intents
from visual.window.action_table import handles
from visual.window.arrangement import beside_graph
from visual.window.desk import Desk
from visual.window.pages.background_check import Check, PropertyResult
from visual.window.panel import Panel, Switch, View, flow_lines, heading, switches
from visual.window.playback import playing
from visual.window.state import BUDGETS, Budget, Camera, Interface
from visual.window.widgets import Look, Target, Widget

_BEFORE = (
    "The checker explores every order in which messages, timers and faults can happen in a small system of this "
    "algorithm. Any violation it finds opens as a run."
)
_WORDS = {
    "nodes": "nodes",
    "requests": "requests per node",
    "crashes": "crashes",
    "losses": "lost messages",
    "tokens": "lost tokens",
    "duplicates": "duplicated messages",
    "most_states": "state limit",
    "fair": "check that nobody starves",
}
_COUNTED = (
    ("requests", "request per node", "requests per node"),
    ("crashes", "crash", "crashes"),
    ("losses", "lost message", "lost messages"),
    ("tokens", "lost token", "lost tokens"),
    ("duplicates", "duplicated message", "duplicated messages"),
)
_INDENT = 32  # of lines about a property
_OPEN = "open as a run"


class CheckLine(NamedTuple):
    """A line: a part of the budget, a result, a heading or text."""

    words: str
    part: str = ""
    result: PropertyResult | None = None
    is_heading: bool = False
    is_indented: bool = False


def check_page(view: View) -> Panel:
    """The buttons, and below them one list of the budget, progress and properties."""
    look, current = view.look, view.desk.check
    shapes, buttons, top = switches(view, "check", _buttons(view))
    box = view.below(top)
    has_token = view.run.simulation.algorithm.token is not None
    parts = [CheckLine(words, part) for part, words in _WORDS.items() if part != "tokens" or has_token]
    lines = [*parts, *_report(view, current, box.w - look.px(16))]
    visible, scroller = flow_lines(view, "check", box, [_height(look, line) for line in lines])
    widgets: list[Widget] = [*buttons, scroller]
    for place, rect in visible:
        more, targets = _line(view, lines[place], rect._replace(w=rect.w - look.px(16)))
        shapes += more
        widgets += targets
    start = next(
        (w.id for w in widgets if isinstance(w, Target) and w.does.intent is intents.open_example), "check.start"
    )
    return Panel(tuple(shapes), tuple(widgets), start)


def _buttons(view: View) -> list[Switch]:
    current = view.desk.check
    runs = current is not None and current.is_under_way_for(view.run.scenario)
    hint = "stop, and show the results so far" if runs else "explore every order of events"
    buttons = [Switch("start", "stop" if runs else "check", intents.check(), hint, on=True)]
    if view.run.previous:
        buttons.append(Switch("back", "back to the previous run", intents.leave_example(), "as it was"))
    return buttons


def _report(view: View, current: Check | None, room: float) -> list[CheckLine]:
    """The checked system, the progress of the check, and the result for each property."""
    if current is None:
        return [CheckLine(""), *_wrapped(view.look, _BEFORE, room)]
    system, outcome = current.system, current.outcome
    variant = f" · {system.variant}" if system.variant else ""
    title = f"{catalog.find(system.algorithm).title}{variant}, {count_words(system.nodes, 'node')}"
    about = (_budget_words(current.budget), _stale_words(view, current), _progress_words(current))
    notes = [line for words in filter(None, about) for line in _wrapped(view.look, words, room)]
    results = [line for result in (outcome.results if outcome else ()) for line in _result(view.look, result, room)]
    return [CheckLine(""), CheckLine(title, is_heading=True), *notes, CheckLine(""), *results]


def _wrapped(look: Look, words: str, room: float) -> list[CheckLine]:
    """A text in lines."""
    return [CheckLine(line) for line in fonts.wrap(words, room, look.size("small"))]


def _result(look: Look, result: PropertyResult, room: float) -> list[CheckLine]:
    """A property with its status, and below it what it says and how it fails."""
    end = f"{result.sentence}: {result.detail}".removeprefix("BROKEN ") if result.detail else ""
    about = ". ".join(filter(None, (result.words, f"{end[:1].upper()}{end[1:]}")))
    notes = _wrapped(look, about, room - look.px(_INDENT))
    return [CheckLine(result.name, result=result), *(line._replace(is_indented=True) for line in notes)]


def _height(look: Look, line: CheckLine) -> float:
    if not line.words:
        return 0.6 * look.dense
    is_text = not (line.part or line.result or line.is_heading)
    return fonts.LINE_HEIGHT * look.size("small") if is_text else look.dense


def _line(view: View, line: CheckLine, rect: Rect) -> tuple[list[Shape], list[Target]]:
    look, middle = view.look, rect.y + rect.h / 2
    if line.part:
        return _stepper(view, line, rect)
    if line.result is not None:
        return _property(look, line.result, rect)
    if line.is_heading:
        words = fonts.shorten(line.words, rect.w, look.px(18), weight="bold")
        return [heading(look, rect.x, middle, words)], []
    left = rect.x + (look.px(_INDENT) if line.is_indented else 0)
    return [Text(left, middle, line.words, look.size("small"), look.theme.muted, baseline="middle")], []


def _stepper(view: View, line: CheckLine, rect: Rect) -> tuple[list[Shape], list[Target]]:
    """The name and value of a part of the budget, with two buttons."""
    look, allowed = view.look, BUDGETS[line.part]
    size, middle = look.size("small"), rect.y + rect.h / 2
    value = getattr(view.interface.pages.budget, line.part)
    width = 1.4 * rect.h
    more = Rect(rect.x + rect.w - width, rect.y, width, rect.h)
    fewer = more._replace(x=more.x - width - fonts.width("1,000,000", size, "mono", "bold") - look.px(20))
    between = (fewer.x + fewer.w + more.x) / 2
    words = fonts.shorten(line.words, fewer.x - rect.x - look.gap, size)
    shapes: list[Shape] = [
        Text(rect.x, middle, words, size, look.theme.ink, baseline="middle"),
        Text(between, middle, _value_words(value), size, look.theme.ink, "bold", "mono", "middle", "middle"),
    ]
    targets = []
    for sign, by, box, possible in (("−", -1, fewer, value != allowed[0]), ("+", 1, more, value != allowed[-1])):
        shapes += _small_button(look, box, sign, possible)
        which, does = "fewer" if by < 0 else "more", intents.change_budget((line.part, by))
        hint = f"{line.words} {_value_words(value)}: {which}"
        targets.append(Target(f"check.{line.part}.{which}", box, does, hint, dense=True))
    return shapes, targets


def _value_words(value: int | None) -> str:
    """The value of a part of the budget: "3", "any", "yes"."""
    if value is None:
        return "any"
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:,}"


def _small_button(look: Look, box: Rect, sign: str, possible: bool) -> list[Shape]:
    theme, inset = look.theme, look.px(2)
    ink, outline = (theme.ink, theme.ink) if possible else (theme.muted, None)
    inner = Rect(box.x + inset, box.y + inset, box.w - 2 * inset, box.h - 2 * inset)
    words = Text(box.x + box.w / 2, box.y + box.h / 2, sign, look.px(18), ink, "bold", "sans", "middle", "middle")
    return [Box(*inner, theme.card, outline, look.rule, look.px(6)), words]


# ---- results -----------------------------------------------------------------------------------------------


def _budget_words(budget: Budget) -> str:
    """The budget without the nodes: "2 requests per node, 1 crash"."""
    any_number = ["any number of requests per node"] if budget.requests is None else []
    counts = ((getattr(budget, part), one, many) for part, one, many in _COUNTED)
    return ", ".join([*any_number, *(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)])


def _stale_words(view: View, current: Check) -> str:
    """Why the results do not answer the present question; empty if they do."""
    if not current.is_about(view.run.scenario):
        return "This result belongs to a different system from the one now open."
    is_same = current.budget == view.interface.pages.budget
    return "" if is_same else "This result belongs to different limits from those above."


def _progress_words(current: Check) -> str:
    """The progress or the outcome in a sentence or two."""
    far, outcome = current.progress, current.outcome
    size = f"{count_words(far.states, 'state')}, {count_words(far.depth, 'move')} deep"
    if outcome is None and not far.states:
        return "Starting …"
    if outcome is None:
        return f"{size}; {far.waiting:,} still to explore; {far.pace:,.0f} states per second"
    if outcome.trouble:
        return f"{outcome.trouble[0].upper()}{outcome.trouble[1:]}."
    ends = f"{count_words(outcome.final_states, 'final state')}, {count_words(outcome.deadlocks, 'deadlock')}"
    sure = "All states were explored." if outcome.is_complete else "Not all states were explored."
    time = f"; {far.seconds:.1f} s" if far.seconds >= 0.05 else ""
    return f"{size}; {ends}{time}. {sure}"


def _property(look: Look, result: PropertyResult, box: Rect) -> tuple[list[Shape], list[Target]]:
    """The name and status of a property; a counter-example has a button, and a click anywhere opens it."""
    theme, size, middle = look.theme, look.size("small"), box.y + box.h / 2
    icon, line, ink = {HOLDS: ("tick", theme.ok, theme.ok_text), BROKEN: ("cross", theme.fault, theme.fault_text)}.get(
        result.status, ("dots", theme.muted, theme.muted)
    )
    right, left = box.x + box.w - look.px(8), box.x + look.px(_INDENT)
    shapes: list[Shape] = []
    status = result.sentence
    if result.example is not None:
        status = "broken"
        width = fonts.width(_OPEN, size, weight="bold") + look.px(16)
        button = Rect(right - width, box.y + look.px(2), width, box.h - look.px(4))
        words = Text(button.x + width / 2, middle, _OPEN, size, theme.ink, "bold", "sans", "middle", "middle")
        shapes += [Box(*button, theme.card, theme.ink, look.rule, look.px(6)), words]
        right = button.x - look.px(12)
    name = fonts.shorten(NAMES.get(result.name, result.name), 0.4 * (right - left), size)
    status = fonts.shorten(status, right - left - fonts.width(name, size) - look.px(16), size, weight="bold")
    shapes += [
        *icon_shapes(icon, box.x + look.px(16), middle, look.px(14), line, theme.card),
        Text(left, middle, name, size, theme.ink, baseline="middle"),
        Text(right, middle, status, size, ink, "bold", anchor="end", baseline="middle"),
    ]
    hint = f"open the run in which this fails: {result.words}"
    opens = Target(f"check.{result.name}", box, intents.open_example(result.name), hint, dense=True)
    return shapes, [opens] if result.example is not None else []


@handles(intents.change_budget)
def change_budget(interface: Interface, desk: Desk, change: tuple[str, int]) -> Interface:
    """Step one part of the checker's budget up or down."""
    name, by = change
    allowed = BUDGETS[name]
    place = allowed.index(getattr(interface.pages.budget, name)) + by
    if not 0 <= place < len(allowed):
        return interface
    changed: dict[str, Any] = {name: allowed[place]}
    budget = interface.pages.budget._replace(**changed)
    return replace(interface, pages=interface.pages._replace(budget=budget))


@handles(intents.check)
def check(interface: Interface, desk: Desk, value: None) -> Interface:
    """Start to check the present algorithm, or stop the check that is under way."""
    if desk.check is not None and desk.check.is_under_way_for(desk.front.scenario):
        desk.check.stop()
        return interface
    desk.begin_check(Check(desk.front.scenario, interface.pages.budget))
    return playing.refresh(interface, desk)


@handles(intents.open_example)
def open_example(interface: Interface, desk: Desk, name: str) -> Interface:
    """Replace the present run by a counter-example; `come_back` undoes it.

    It opens right after the step that breaks the property; without such a step, at its end.
    """
    outcome = desk.check.outcome if desk.check else None
    example = next((result.example for result in outcome.results if result.name == name), None) if outcome else None
    if example is None:
        return interface
    desk.front.visit(example)
    for verdict in desk.front.ledger.verdicts:
        if verdict.name == name and verdict.status == BROKEN and verdict.step is not None:
            desk.front.seek(verdict.step)
    return _show_front(interface, desk)


@handles(intents.leave_example)
def leave_example(interface: Interface, desk: Desk, value: None) -> Interface:
    """Return to the run that a counter-example replaced."""
    if not desk.front.leave_example():
        return interface.say("There is no previous run.")
    return _show_front(interface, desk)


def _show_front(interface: Interface, desk: Desk) -> Interface:
    """Show the new front run at its present step, with nothing selected, also where the page has covered it."""
    desk.follow(desk.front)
    interface = beside_graph(interface, interface.display.page)
    interface = replace(interface.paused(), graph=interface.graph._replace(camera=Camera()), selection=None)
    return playing.settle(interface, desk)
