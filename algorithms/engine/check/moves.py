"""What can happen to a small system, as values: the bounds, the moves, and what a move does to a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import NamedTuple

from algorithms.engine.check.election_history import News
from algorithms.engine.check.encoding import State
from algorithms.engine.check.process_steps import Letter

GONE = 0  # the number of `Gone`
OF_ONES_OWN_ACCORD = ("launch", "request", "fire", "reset")  # moves that no message has caused


@dataclass(frozen=True)
class Bounds:
    """How far to go: what the application and an adversary may do in all."""

    requests: int = 1  # of each process
    crashes: int = 0
    losses: int = 0
    duplicates: int = 0
    resets: int = 0  # crashes with a return at once, but without memory
    timeouts: int | None = None  # timers that run out; None: any number
    synchronous: bool = False  # no time-out is too short for a message; otherwise timers may run out at any moment

    def allowed(self) -> dict[str, int | None]:
        """How often each kind of move may be made that is bounded as a whole."""
        return {
            "crash": self.crashes,
            "drop": self.losses,
            "duplicate": self.duplicates,
            "reset": self.resets,
            "fire": self.timeouts,
        }


class Move(NamedTuple):
    """One thing that can happen, in the words of `faults.FAULTS`; "reset" is crash and recover without memory."""

    do: str
    node: int  # at whom; of a message, the receiver
    sender: int | None = None
    letter: Letter | None = None
    timer: str | None = None
    draws: tuple[float, ...] = ()  # the random numbers with which it takes this course


class Gone(NamedTuple):
    """In the place of a process's state: it has crashed."""


class Failed(NamedTuple):
    """In the place of a process's state: its last step failed, and nothing is looked at beyond that."""

    error: str


class Channel(NamedTuple):
    """A directed link on which something was ever sent, and where in a state it and its receiver stand."""

    sender: int
    receiver: int
    place: int
    receiver_place: int


class Change(NamedTuple):
    """What a process's step does to a state: a difference, letters put on channels, in order, and news."""

    difference: int
    sent: tuple[tuple[Channel, int], ...] = ()
    news: tuple[News, ...] = ()


def together(changes: Iterable[Change]) -> Change:
    """What several processes do to a state in one step."""
    differences, sent, news = zip(*changes, strict=True)
    return Change(sum(differences), tuple(chain(*sent)), tuple(chain(*news)))


Possible = tuple[Move, Change]
Moves = list[tuple[Move, State]]


class Successors(NamedTuple):
    """Where it goes from a state."""

    steps: Moves  # what happens of itself: messages arrive, timers run out, stays in the critical section end
    demands: Moves  # what the application may do: ask
    faults: Moves  # what an adversary may do
    cut_short: bool  # more could happen: timers that the bounds do not let run out, or a step that failed


class Own(NamedTuple):
    """What a process may do without a message, in one of its states."""

    exits: tuple[Possible, ...] = ()
    fires: tuple[Possible, ...] = ()  # timers that are due
    pause: float = inf  # how long it is until the next timer is due
    requests: tuple[Possible, ...] = ()
    resets: tuple[Possible, ...] = ()
