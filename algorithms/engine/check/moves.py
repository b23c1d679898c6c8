"""The moves of a small system, their bounds and their effects, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import NamedTuple

from algorithms.engine.check.election_history import ElectionEvent
from algorithms.engine.check.encoding import State
from algorithms.engine.check.process_steps import Envelope

CRASHED_NUMBER = 0  # the number of `CrashedState`
SPONTANEOUS = ("launch", "request", "fire", "reset")  # moves that no message has caused


class Cut(NamedTuple):
    """A link that an adversary may cut, in one direction or in both; messages on it are lost from then on."""

    sender: int
    receiver: int
    both: bool = False

    @property
    def fault(self) -> str:
        """Its name among the faults so far."""
        return f"cut {self.sender}{'-' if self.both else '>'}{self.receiver}"

    def directions(self) -> tuple[tuple[int, int], ...]:
        """The directed links concerned."""
        there, back = (self.sender, self.receiver), (self.receiver, self.sender)
        return (there, back) if self.both else (there,)


@dataclass(frozen=True)
class Bounds:
    """Limits on the application and an adversary in a whole schedule."""

    requests: int | tuple[int, ...] | None = 1  # of each process: the same for all, or one for each; None: any number
    crashes: int = 0
    losses: int = 0  # of messages of all kinds that are not in `losses_of`
    duplicates: int = 0
    resets: int = 0  # crashes with an immediate restart without memory
    timeouts: int | None = None  # timers that expire; None: any number
    synchronous: bool = False  # no timeout is shorter than a message takes; otherwise timers may expire at any moment
    losses_of: tuple[tuple[str, int], ...] = ()  # (name of a message class, how many of its messages)
    duplicates_of: tuple[tuple[str, int], ...] = ()
    cuts: tuple[Cut, ...] = ()  # each may happen at any moment, and lasts

    def requests_of(self, node: int) -> float:
        """The number of requests that the application of a process may make; infinity for any number."""
        if self.requests is None:
            return inf
        return self.requests if isinstance(self.requests, int) else self.requests[node]

    def allowed(self) -> dict[str, int | None]:
        """How often each kind of bounded move may be made in total."""
        return {
            "crash": self.crashes,
            "drop": self.losses,
            "duplicate": self.duplicates,
            "reset": self.resets,
            "fire": self.timeouts,
            **{fault_of("drop", kind): count for kind, count in self.losses_of},
            **{fault_of("duplicate", kind): count for kind, count in self.duplicates_of},
            **dict.fromkeys((cut.fault for cut in self.cuts), 1),
        }


def fault_of(do: str, kind: str) -> str:
    """The fault of messages of one kind, where that is counted apart."""
    return f"{do} {kind}"


class Move(NamedTuple):
    """One thing that can happen, named as in `faults.FAULTS`.

    "reset" is a crash with an immediate recovery without memory, and "cut-way" a cut in one direction.
    """

    do: str
    node: int  # where it happens; for a message, the receiver
    sender: int | None = None
    envelope: Envelope | None = None
    timer: str | None = None
    draws: tuple[float, ...] = ()  # the random numbers that lead to this result of the step


class CrashedState(NamedTuple):
    """The state of a crashed process."""


class FailedState(NamedTuple):
    """The state of a process whose last step failed; it is not expanded."""

    error: str


class Channel(NamedTuple):
    """A directed link in use, with the offsets of its and its receiver's digits."""

    sender: int
    receiver: int
    offset: int
    receiver_offset: int


class Effect(NamedTuple):
    """The change to a state by a step of one process, whatever the others' states."""

    difference: int  # added to the state: the process's own digit changes
    sent: tuple[tuple[Channel, int], ...] = ()  # messages put on channels, in order
    events: tuple[ElectionEvent, ...] = ()


def joint_effect(effects: Iterable[Effect]) -> Effect:
    """The effect of steps of several processes at once."""
    differences, sent, events = zip(*effects, strict=True)
    return Effect(sum(differences), tuple(chain(*sent)), tuple(chain(*events)))


LocalMove = tuple[Move, Effect]
Transition = tuple[Move, State]  # a move, and the state to which it leads


class Successors(NamedTuple):
    """The transitions from a state."""

    steps: list[Transition]  # by itself: messages arrive, timers expire, stays in the critical section end
    requests: list[Transition]  # by the application
    faults: list[Transition]  # by an adversary
    is_cut_short: bool  # more could happen: timers that the bounds keep from expiring, or a step that failed


class LocalMoves(NamedTuple):
    """The moves of a process in one of its states, except deliveries."""

    exits: tuple[LocalMove, ...] = ()
    timeouts: tuple[LocalMove, ...] = ()  # of timers that are due
    delay: float = inf  # time until the next timer is due
    requests: tuple[LocalMove, ...] = ()
    resets: tuple[LocalMove, ...] = ()
