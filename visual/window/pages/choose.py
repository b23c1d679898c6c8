"""The page of the scheduler, where a person picks the next event."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from algorithms.engine.check.choices import RESET, Choice, Choices, adverse, deliverable, delivery, regular, resets
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.faults import FAULTS
from visual.analysis.run_cache import Moment
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.narration.choices import choice_words
from visual.window import intents, keys
from visual.window.action_table import handles
from visual.window.arrangement import beside_graph
from visual.window.desk import Desk
from visual.window.panel import (
    Panel,
    Switch,
    View,
    heading,
    kind_switches,
    list_window,
    node_switch,
    paragraph,
    switches,
)
from visual.window.playback import playing
from visual.window.run_view import YOU_CHOOSE, RunView
from visual.window.state import Interface
from visual.window.widgets import Target, Widget
from visual.words import subscripted

KINDS = {"request": "requests", "exit": "entries", "deliver": "messages", "fire": "timers"}
"""Choice -> the kind of its events in the filter; faults are ADVERSE."""
ADVERSE = "faults"
NUMBERED = 10  # choices that have a key: 1 to 9, and 0 for the tenth


@dataclass(frozen=True)
class Agenda:
    """The possible next events: those of the run itself, and faults."""

    usual: Choices
    adverse: Choices

    @property
    def numbered(self) -> int:
        """The number of usual choices that have a digit key."""
        return min(len(self.usual), NUMBERED)

    def choice(self, place: int) -> Choice | None:
        """The choice at a place, adverse ones last; None beyond the last."""
        for choices in (self.usual, self.adverse):
            if place < len(choices):
                return choices[place]
            place -= len(choices)
        return None


def agenda(interface: Interface, run: RunView) -> Agenda:
    """The possible next events that pass the filter by kind and node."""
    event_filter = interface.pages.events
    node = interface.node if event_filter.of_node else None
    is_free = run.allowance is None
    banned = () if is_free else tuple(do for do in (*FAULTS, RESET) if not run.may(do))
    done = () if is_free else tuple(n for n in range(run.scenario.nodes) if not run.may("request", n))
    return run.cache.get(_agenda, Moment(run.simulation), node, event_filter.hidden, banned, done, run.due_timers())


def _agenda(
    moment: Moment,
    node: int | None,
    hidden: frozenset[str],
    banned: tuple[str, ...],
    done: tuple[int, ...],
    due: Collection[tuple[int, str | None]] | None,
) -> Agenda:
    """What can happen next.

    Kinds that a challenge bans are left out, requests of nodes that have made theirs, and timers that are not `due`.
    """
    visible = [choice for choice, kind in KINDS.items() if kind not in hidden and choice not in banned]
    faults = Choices() if ADVERSE in hidden else adverse(moment.run, node)
    if banned:
        possible = faults if RESET in banned else (*faults, *resets(moment.run, node))
        allowed = [fault for fault in possible if fault.do not in banned]
        faults = Choices((allowed, lambda fault: fault))
    usual = regular(moment.run, node, visible)
    if due is not None or done:
        allowed = [choice for choice in usual if _is_allowed(choice, done, due)]
        usual = Choices((allowed, lambda choice: choice))
    return Agenda(usual, faults)


def _is_allowed(choice: Choice, done: tuple[int, ...], due: Collection[tuple[int, str | None]] | None) -> bool:
    """Whether a challenge allows a request by that node, or lets that timer expire."""
    if choice.do == "request":
        return dict(choice.fields)["node"] not in done
    return choice.do != "fire" or due is None or _timer_of(choice) in due


def _timer_of(choice: Choice) -> tuple[int, str | None]:
    """The node and the name of a timer that may expire."""
    fields = dict(choice.fields)
    return fields["node"], fields["timer"]


@handles(intents.schedule)
def schedule(interface: Interface, desk: Desk, by_hand: bool) -> Interface:
    """Let the clock decide what happens next, or pause for a person.

    Of a pair only the run that the panels are about changes its scheduler; the other run follows its clock. Under the
    clock again, the run catches up with the other.
    """
    desk.front.set_manual(by_hand)
    if not by_hand and desk.is_pair:
        return playing.seek(interface, desk, max(interface.playback.time, desk.now))
    return playing.settle(interface.with_playback(playing=interface.playback.playing and not by_hand), desk)


@handles(intents.other_scheduler)
def other_scheduler(interface: Interface, desk: Desk, value: None) -> Interface:
    """Switch between the clock and the person, and open the page for the person."""
    interface = schedule(interface, desk, not desk.is_manual)
    if not desk.is_manual:
        return interface.say("Automatic scheduling: the clock decides what happens next.")
    words = YOU_CHOOSE if not desk.is_pair else f"{YOU_CHOOSE} The other run follows by the clock."
    return beside_graph(interface, "choose").focused("choose.").say(words, 8.0)


@handles(intents.pick)
def pick(interface: Interface, desk: Desk, place: int) -> Interface:
    """Execute the choice at that place."""
    chosen = agenda(interface, desk.front).choice(place)
    if not desk.is_manual or chosen is None:
        return interface.say("There is no choice with that number.")
    return _execute(interface, desk, chosen)


@handles(intents.pick_number)
def pick_number(interface: Interface, desk: Desk, digit: int) -> Interface:
    """Execute the choice with that digit; 0 is the tenth."""
    place = (digit - 1) % NUMBERED
    if place >= agenda(interface, desk.front).numbered:
        return interface.say("There is no choice with that number.")
    return pick(interface, desk, place)


def pick_message(interface: Interface, desk: Desk, serial: int) -> Interface:
    """Deliver a message now, if its channel allows it."""
    entry = next((entry for entry in deliverable(desk.front.simulation) if entry[SEQ] == serial), None)
    if entry is None:
        return interface.say("Another message on the same channel comes first: channels are FIFO here.")
    return _execute(interface, desk, delivery(entry))


def _execute(interface: Interface, desk: Desk, chosen: Choice) -> Interface:
    """Execute a choice, one message delay after the last event."""
    time, fields = max(desk.front.now + desk.front.flight, desk.now), dict(chosen.fields)
    if chosen.do == RESET:
        desk.front.reset(time, fields["node"])
    else:
        desk.front.act(chosen.do, time, **fields)
    desk.follow(desk.front)
    interface = playing.settle(interface.paused(), desk)
    return interface.say(desk.front.failure) if desk.front.failure else interface


def numbers(interface: Interface, run: RunView) -> dict[int, int]:
    """Serial number of a deliverable message -> the digit that picks it."""
    possible = agenda(interface, run)
    first = ((place, possible.usual[place].entry) for place in range(possible.numbered))
    return {entry[SEQ]: (place + 1) % NUMBERED for place, entry in first if entry is not None}


_BY_CLOCK = (
    "Events happen in the order in which they are due. If you choose, nothing happens by itself: "
    "messages, timers and faults wait until you pick one, here, by its number, or by a click on a message. "
    "Each pick can be undone."
)
_BY_CHANCE = (
    "Chance picks a rule in every unit of time. If you choose, nothing happens by itself: the ways in which rules "
    "apply wait until you pick one, here or by its number. Pointed at, one shows what it matches."
)
_BY_HAND = "Pick what happens next: by its number, by a click here or on a message, or with ↓ and Enter."


class ChoiceLine(NamedTuple):
    """A heading of the list, or a choice with its place."""

    heading: str = ""
    choice: Choice | None = None
    place: int = 0
    number: str = ""


def choose(view: View) -> Panel:
    """Switches for the scheduler and the filter, an explanation, and the list of choices."""
    interface, look, region = view.interface, view.look, view.region
    is_challenge = view.desk.lesson is not None  # which says what may be picked
    offered = [] if is_challenge else _switches(interface, view.run)
    shapes, widgets, top = switches(view, "choose", offered)
    room = Rect(region.x, top, region.w, region.y + region.h - top)
    if view.run.is_automatic:
        words = _BY_CHANCE if view.run.system else _BY_CLOCK
        return Panel((*shapes, *paragraph(look, words, room)), tuple(widgets))
    note = [] if is_challenge else paragraph(look, _BY_HAND, room)
    shapes += note
    top += (len(note) + (0.4 if note else 0.0)) * fonts.LINE_HEIGHT * look.size("small")
    possible = agenda(interface, view.run)
    box = view.below(top)
    window = list_window(view, "choose", box, _count(possible))
    rows: list[Widget] = [window.scroller]
    for row, rect in window.places():
        line = _line_at(possible, row, _nothing(interface))
        shapes += _line(view, line, rect)
        if line.choice is not None:
            rows.append(window.target(str(line.place), rect, look, intents.pick(line.place)))
    first = next((row.id for row in rows if isinstance(row, Target)), "")
    return Panel(tuple(shapes), (*widgets, *rows), first)


def _count(possible: Agenda) -> int:
    """The number of lines: up to two headings, and the choices below them."""
    return 1 + len(possible.usual) + (1 + len(possible.adverse) if possible.adverse else 0)


def _nothing(interface: Interface) -> str:
    """The heading of an empty list, which may be filtered."""
    event_filter = interface.pages.events
    is_all = not event_filter.hidden and not (event_filter.of_node and interface.selection)
    return "nothing is in transit, and no process is free to request" if is_all else "no choice passes the filter"


def _line_at(possible: Agenda, row: int, nothing: str) -> ChoiceLine:
    """The line in that row, made when it is visible: there may be thousands."""
    usual = len(possible.usual)
    if row == 0:
        return ChoiceLine("what can happen next" if usual else nothing)
    if row == usual + 1:
        return ChoiceLine("what can go wrong")
    place = row - 1 if row <= usual else row - 2
    number = str((place + 1) % NUMBERED) if place < possible.numbered else ""
    return ChoiceLine("", possible.choice(place), place, number)


def words_of(choice: Choice, run: RunView) -> str:
    """A choice in a few words."""
    if choice.words:
        return subscripted(choice.words)
    fields, entry = dict(choice.fields), choice.entry
    if entry is None:
        return choice_words(run.simulation, choice.do, fields.get("node"), fields.get("timer"))
    return choice_words(run.simulation, choice.do, entry[NODE], None, entry[MESSAGE], entry[SENDER])


def _with_both_ends(words: str, room: float, size: float) -> str:
    """The words, shortened in the middle where they do not fit: choices often differ in their ends only."""
    if fonts.width(words, size) <= room:
        return words
    begin = fonts.shorten(words, 0.4 * room, size)
    end = next((words[at:] for at in range(len(begin), len(words)) if fonts.width(words[at:], size) <= 0.6 * room), "")
    return begin + end


_KINDS = {kind: "exits" if kind == "entries" else kind for kind in (*KINDS.values(), ADVERSE)}


def _switches(interface: Interface, run: RunView) -> list[Switch]:
    key = keys.hint(intents.other_scheduler())
    usual, hint = "the clock", "the earliest event happens next"
    rules = run.system is not None
    if rules:
        usual, hint = "chance", "any rule that applies may be next"
    who = [
        Switch("clock", usual, intents.schedule(False), f"{hint}  {key}", run.is_automatic),
        Switch("hand", "manual", intents.schedule(True), f"you pick the next event  {key}", not run.is_automatic),
    ]
    return who if rules or run.is_automatic else [*who, *kind_switches(interface, _KINDS), node_switch(interface)]


def _line(view: View, line: ChoiceLine, rect: Rect) -> list[Shape]:
    look, theme = view.look, view.look.theme
    size, middle = look.size("small"), rect.y + rect.h / 2
    if line.choice is None:
        return [heading(look, rect.x, middle, fonts.shorten(line.heading, rect.w - look.px(16), look.px(18)))]
    left = rect.x + look.px(44)
    words = _with_both_ends(words_of(line.choice, view.run), rect.x + rect.w - look.px(16) - left, size)
    text = Text(left, middle, words, size, theme.ink, baseline="middle")
    if not line.number:
        return [text]
    side = look.px(24)
    box = Box(rect.x + look.px(8), middle - side / 2, side, side, theme.ink, None, 0, look.px(5))
    number = Text(box.x + side / 2, middle, line.number, size, theme.paper, "bold", "sans", "middle", "middle")
    return [box, number, text]
