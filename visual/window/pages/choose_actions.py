"""Actions of the scheduler: the clock decides what happens next, or a person does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from algorithms.engine.check.choices import Choice, Choices, adverse, deliverable, delivery, regular
from algorithms.engine.events import SEQ
from visual.analysis.moment import Moment
from visual.window.action_table import action
from visual.window.menus.entries import selected
from visual.window.playback import clock, playing
from visual.window.session import YOU_CHOOSE, Session
from visual.window.state import Interface

KINDS = {"request": "requests", "exit": "entries", "deliver": "messages", "fire": "timers"}
"""What may happen -> the kind of events that it is; what can go wrong is ADVERSE."""
ADVERSE = "faults"
NUMBERED = 10  # choices that have a key: 1 to 9, and 0 for the tenth


@dataclass(frozen=True)
class Agenda:
    """What can happen next: what a run does by itself, in the order of the numbers, and what can go wrong."""

    usual: Choices
    adverse: Choices

    @property
    def numbered(self) -> int:
        """How many of the usual choices have a key."""
        return min(len(self.usual), NUMBERED)

    def choice(self, place: int) -> Choice | None:
        """The choice at that place, the adverse ones after the usual; None if there are not so many."""
        for choices in (self.usual, self.adverse):
            if place < len(choices):
                return choices[place]
            place -= len(choices)
        return None


def agenda(interface: Interface, session: Session) -> Agenda:
    """All that can happen next that is to be listed: of every kind, and of every node, or of some."""
    sieve = interface.sieve
    node = selected(interface).get("node") if sieve.of_node else None
    return _agenda(Moment(session.run), node, sieve.hidden)


@lru_cache(maxsize=4)  # the page, the picture and the action ask for the same, of two runs and for many frames
def _agenda(moment: Moment, node: int | None, hidden: frozenset[str]) -> Agenda:
    deeds = [deed for deed, kind in KINDS.items() if kind not in hidden]
    return Agenda(regular(moment.run, node, deeds), Choices() if ADVERSE in hidden else adverse(moment.run, node))


@action
def schedule(interface: Interface, session: Session, by_hand: bool) -> Interface:
    """Let the clock decide what happens next, or let the person do it, which pauses.

    Of two runs it is the one that the panels are about; the other one keeps up with whatever happens in it, and it
    catches up with the other one when the clock decides again.
    """
    session.leave_to(person=by_hand)
    if not by_hand and session.beside is not None:
        return playing.seek(replace(interface, by_hand=False), session, max(interface.time, clock.now(session)))
    return playing.settle(replace(interface, by_hand=by_hand, playing=interface.playing and not by_hand), session)


@action
def other_scheduler(interface: Interface, session: Session, value: None) -> Interface:
    """From the clock to the person, whose page opens, and back."""
    interface = schedule(interface, session, not interface.by_hand)
    if not interface.by_hand:
        return interface.say("The clock decides what happens next.")
    words = YOU_CHOOSE if session.beside is None else f"{YOU_CHOOSE} The other run follows by the clock."
    return replace(interface, page="choose", focus="choose.").say(words, 8.0)


@action
def pick(interface: Interface, session: Session, place: int) -> Interface:
    """Let the choice at that place happen now."""
    chosen = agenda(interface, session).choice(place)
    if not interface.by_hand or chosen is None:
        return interface.say("There is no choice with that number.")
    return _let(interface, session, chosen)


@action
def pick_number(interface: Interface, session: Session, digit: int) -> Interface:
    """The choice that is marked with that digit; 0 is the tenth."""
    place = (digit - 1) % NUMBERED
    if place >= agenda(interface, session).numbered:
        return interface.say("There is no choice with that number.")
    return pick(interface, session, place)


def pick_message(interface: Interface, session: Session, serial: int) -> Interface:
    """Let that message arrive now, if it may be the next."""
    found = next((entry for entry in deliverable(session.run) if entry[SEQ] == serial), None)
    if found is None:
        return interface.say("Another message on the same channel comes first: channels are FIFO here.")
    return _let(interface, session, delivery(found))


def _let(interface: Interface, session: Session, chosen: Choice) -> Interface:
    """Let it happen now, a message's flight after what happened last."""
    session.act(chosen.do, max(session.now + session.flight, clock.now(session)), **dict(chosen.fields))
    clock.follow(session)
    interface = playing.settle(replace(interface, playing=False), session)
    return interface.say(session.failure) if session.failure else interface


def numbers(interface: Interface, session: Session) -> dict[int, int]:
    """Serial number of a message that may arrive next -> the digit that picks it, for those that have one."""
    possible = agenda(interface, session)
    first = ((place, possible.usual[place].entry) for place in range(possible.numbered))
    return {entry[SEQ]: (place + 1) % NUMBERED for place, entry in first if entry is not None}
