"""The page of the scheduler: who decides what happens next and, if a person does, all that can."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.check.choices import Choice
from algorithms.engine.events import MESSAGE, NODE, SENDER
from algorithms.engine.faults import FAULTS
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import keys
from visual.window.inputs import Do
from visual.window.menus.entries import selected
from visual.window.pages.choose_actions import ADVERSE, KINDS, NUMBERED, Agenda, agenda
from visual.window.panel import Panel, View, heading
from visual.window.rows import Listed, Switch, listed, of_kinds, of_node, said, switches
from visual.window.session import Session
from visual.window.state import Interface
from visual.window.widgets import Look, Target, Widget
from visual.words.names import message_label, naming, node_name, subscripted

_BY_CLOCK = (
    "What is due first happens first. If you choose, nothing happens by itself: messages, timers and faults wait "
    "until you pick one, here, by its number, or by a click on a message. Each pick can be undone."
)
_BY_CHANCE = (
    "Chance picks a rule in every unit of time. If you choose, nothing happens by itself: the ways in which rules "
    "apply wait until you pick one, here or by its number. Pointed at, one shows what it matches."
)
_BY_HAND = "Pick what happens next: by its number, by a click here or on a message, or with ↓ and Enter."


class Line(NamedTuple):
    """A line of the list: a heading, or a choice, which is at that place among all."""

    heading: str = ""
    choice: Choice | None = None
    place: int = 0
    number: str = ""


def choose(view: View) -> Panel:
    """Two switches, a word on what they mean, and the list."""
    interface, look, region = view.interface, view.look, view.region
    shapes, widgets, top = switches(view, "choose", _switches(interface, view.session))
    room = Rect(region.x, top, region.w, region.y + region.h - top)
    if not interface.by_hand:
        words = _BY_CHANCE if system_of(view.session.run.algorithm) else _BY_CLOCK
        return Panel((*shapes, *said(look, words, room)), tuple(widgets))
    note = said(look, _BY_HAND, room)
    shapes += note
    top += (len(note) + 0.4) * fonts.LINE_HEIGHT * look.size("small")
    possible = agenda(interface, view.session)
    box = Rect(region.x, top, region.w, max(region.y + region.h - top, look.dense))
    seen = listed(view, "choose", box, _count(possible))
    rows: list[Widget] = [seen.scroller]
    for row, rect in seen.places():
        line = _line_at(possible, row, _nothing(interface))
        shapes += _line(view, line, rect)
        if line.choice is not None:
            rows.append(_target(seen, line, rect, look))
    first = next((row.id for row in rows if isinstance(row, Target)), "")
    return Panel(tuple(shapes), (*widgets, *rows), first)


def _count(possible: Agenda) -> int:
    """How many lines there are: two headings, and the choices below them."""
    return 1 + len(possible.usual) + (1 + len(possible.adverse) if possible.adverse else 0)


def _nothing(interface: Interface) -> str:
    """The heading where nothing can happen next, or nothing of what is listed."""
    sieve = interface.sieve
    is_all = not sieve.hidden and not (sieve.of_node and selected(interface))
    return "nothing is on its way, and nobody is free to request" if is_all else "nothing of what is listed"


def _line_at(possible: Agenda, row: int, nothing: str) -> Line:
    """The line of that row. Of thousands only those that are seen are made."""
    usual = len(possible.usual)
    if row == 0:
        return Line("what can happen next" if usual else nothing)
    if row == usual + 1:
        return Line("what can go wrong")
    place = row - 1 if row <= usual else row - 2
    number = str((place + 1) % NUMBERED) if place < possible.numbered else ""
    return Line("", possible.choice(place), place, number)


def words_of(choice: Choice, session: Session) -> str:
    """A choice in a few words."""
    if choice.words:
        return subscripted(choice.words)
    fields = dict(choice.fields)
    if choice.entry is not None:
        way = f"{node_name(choice.entry[SENDER])} → {node_name(choice.entry[NODE])}"
        message = f"{message_label(choice.entry[MESSAGE], naming(session.run))}, {way}"
        return message if choice.do == "deliver" else f"{choice.do} {message}"
    if choice.do == "fire":
        return f"{node_name(fields['node'])}’s timer “{fields['timer'].replace('_', ' ')}” runs out"
    if choice.do == "request" and session.run.algorithm.is_election():
        return f"{node_name(fields['node'])} starts an election"
    if "node" in fields:
        return f"{node_name(fields['node'])} {_VERBS.get(choice.do, choice.do)}"
    return FAULTS[choice.do].words


_KINDS = {kind: "exits" if kind == "entries" else kind for kind in (*KINDS.values(), ADVERSE)}

_VERBS = {
    "exit": "leaves the CS",
    "request": "requests the CS",
    "crash": "crashes",
    "recover": "recovers",
    "resume": "goes on",
    "join": "joins",
}


def _switches(interface: Interface, session: Session) -> list[Switch]:
    key = keys.hint("other_scheduler")
    usual, hint = "the clock", "what is due first happens first"
    rules = system_of(session.run.algorithm) is not None
    if rules:
        usual, hint = "chance", "any rule that applies may be next"
    who = [
        Switch("clock", usual, Do("schedule", False), f"{hint}  {key}", not interface.by_hand),
        Switch("hand", "I choose", Do("schedule", True), f"nothing happens by itself  {key}", interface.by_hand),
    ]
    return who if rules or not interface.by_hand else [*who, *of_kinds(interface, _KINDS), of_node(interface)]


def _target(seen: Listed, line: Line, rect: Rect, look: Look) -> Target:
    box = rect._replace(w=rect.w - look.px(12))
    return Target(f"choose.{line.place}", box, Do("pick", line.place), dense=True)


def _line(view: View, line: Line, rect: Rect) -> list[Shape]:
    look, theme = view.look, view.look.theme
    size, middle = look.size("small"), rect.y + rect.h / 2
    if line.choice is None:
        return [heading(look, rect.x, middle, fonts.shorten(line.heading, rect.w - look.px(16), look.px(18)))]
    left = rect.x + look.px(44)
    words = fonts.shorten(words_of(line.choice, view.session), rect.x + rect.w - look.px(16) - left, size)
    text = Text(left, middle, words, size, theme.ink, baseline="middle")
    if not line.number:
        return [text]
    side = look.px(24)
    box = Box(rect.x + look.px(8), middle - side / 2, side, side, theme.ink, None, 0, look.px(5))
    number = Text(box.x + side / 2, middle, line.number, size, theme.paper, "bold", "sans", "middle", "middle")
    return [box, number, text]
