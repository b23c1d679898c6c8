"""Actions of the scheduler: the clock decides what happens next, or a person does."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.choices import Choice, adverse, deliverable, regular
from algorithms.engine.events import SEQ
from visual.interface import clock, playing
from visual.interface.doing import action
from visual.interface.session import YOU_CHOOSE, Session
from visual.interface.state import Interface

NUMBERED = 10  # choices that have a key: 1 to 9, and 0 for the tenth


def choices(session: Session) -> list[Choice]:
    """All that can happen next: first what a run does by itself, in the order of the numbers."""
    return [*regular(session.run), *adverse(session.run)]


@action
def schedule(interface: Interface, session: Session, by_hand: bool) -> Interface:
    """Let the clock decide what happens next, or let the person do it, which pauses.

    Of two runs it is the one that the panels are about; the other one keeps up with whatever happens in it.
    """
    session.leave_to(person=by_hand)
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
    """Let that one of the choices happen now, a message's flight after what happened last."""
    possible = choices(session)
    if not interface.by_hand or place >= len(possible):
        return interface.say("There is no choice with that number.")
    chosen = possible[place]
    session.act(chosen.do, max(session.now + session.flight, clock.now(session)), **dict(chosen.fields))
    clock.follow(session)
    interface = playing.settle(replace(interface, playing=False), session)
    return interface.say(session.failure) if session.failure else interface


@action
def pick_number(interface: Interface, session: Session, digit: int) -> Interface:
    """The choice that is marked with that digit; 0 is the tenth."""
    place = (digit - 1) % NUMBERED
    if place >= len(regular(session.run)):
        return interface.say("There is no choice with that number.")
    return pick(interface, session, place)


def numbers(session: Session) -> dict[int, int]:
    """Serial number of a message that may arrive next -> the digit that picks it, for those that have one."""
    first = deliverable(session.run)[:NUMBERED]
    return {entry[SEQ]: (place + 1) % NUMBERED for place, entry in enumerate(first)}


def pick_message(interface: Interface, session: Session, serial: int) -> Interface:
    """Let that message arrive now, if it may be the next."""
    places = {entry[SEQ]: place for place, entry in enumerate(deliverable(session.run))}  # deliveries come first
    if serial not in places:
        return interface.say("Another message on the same channel comes first: channels are FIFO here.")
    return pick(interface, session, places[serial])
