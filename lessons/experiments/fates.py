"""Three-message token passing, exhaustively: every combination of the messages' fates.

An adversary decides, as each message is sent, when it will arrive, or that it never will. It skips irrelevant choices:
a message that is never sent stands for all its fates, and its case counts that many times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, NamedTuple

from algorithms.components.three_messages import Acknowledgement, Commitment, Offer, WithoutIdentifier
from algorithms.engine.checkpoint import Checkpoint, restore, save
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, Part
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.mutual_exclusion.three_message_passing import Careful
from lessons.laboratory.lab import Figures

FIRST, KINDS = 0, (Offer, Acknowledgement, Commitment)
LOST = inf  # a fate; the others are times in transit


class Token(Message):
    """The token to pass."""


class Passing(Careful, MutexProcess):
    """P0 offers its token to each of `targets` in turn, and keeps it if all attempts fail."""

    targets: Any = Parameter((1,), "whom P0 tries, one after the other")

    def setup(self) -> None:
        self.tries = 0  # how often I have tried
        self.token = False  # whether I hold the token, having received it or kept it

    def launch(self) -> None:
        if self.id == FIRST:
            self.create_token()
            self.pass_on(Token())

    def next_hop(self) -> int:
        self.tries += 1
        return self.targets[self.tries - 1] if self.tries <= len(self.targets) else self.id

    def on_token(self, token: Token, sender: int) -> None:
        self.token = True

    def holding(self) -> bool:
        return self.token or bool(super().holding())


class PassingWithoutIdentifier(Passing):
    passing = Part(WithoutIdentifier)


PROCESSES: dict[bool, type[Passing]] = {True: Passing, False: PassingWithoutIdentifier}
ANSWER_TIME = 1.0  # the unit of the times here


class Ending(NamedTuple):
    """The outcome of one case."""

    outcome: str  # kept, passed or lost
    holders: int  # the most that there ever were at a time
    in_time: bool  # a commitment arrived, and not too long after the acknowledgement of its attempt was sent
    fates: tuple[float, ...]  # of the messages that were sent, in order of attempt and kind, up to the first undecided


class Adversary:
    """Decides fates in the order of sending: the given choices, and after these always the first fate."""

    def __init__(self, choices: Sequence[int], fates: Sequence[float]) -> None:
        self.choices = list(choices)  # which of the fates, for one message after the other
        self.asked = 0
        self._fates = fates

    def fate(self) -> float:
        """The time in transit of the next message; LOST if it will be lost."""
        self.asked += 1
        if self.asked > len(self.choices):
            self.choices.append(0)
        return self._fates[self.choices[self.asked - 1]]


def all_cases(
    seed: int, targets: Sequence[int], fates: Sequence[float], identifier: bool = True, first: int | None = None
) -> Figures:
    """Count the cases by outcome; `seed` has no effect. With `first`, only those with that fate of the first offer."""
    counts: Counter[str] = Counter()
    holders, unexpected = 0, 0
    for ending, cases in _endings(targets, fates, identifier, [] if first is None else [first]):
        holders = max(holders, ending.holders)
        counts[ending.outcome] += cases
        if ending.outcome == "lost" and ending.in_time:
            counts["lost in time"] += cases
        if len(targets) == 1 and LOST not in ending.fates:
            unexpected += cases * (_dies_of_delay(ending.fates) != (ending.outcome == "lost"))
    return {"cases": dict(counts), "holders": holders, "unexpected": unexpected}


def _endings(
    targets: Sequence[int], fates: Sequence[float], identifier: bool, begin: list[int]
) -> Iterator[tuple[Ending, int]]:
    """All endings after the given first choices, each with the number of cases that it stands for."""
    messages = len(KINDS) * len(targets)
    run = _fresh(targets, identifier)
    start = save(run)
    choices: list[int] | None = begin
    while choices is not None:
        adversary = Adversary(choices, fates)
        yield play(run, adversary), len(fates) ** (messages - adversary.asked)
        _back_to(start, run)
        choices = _next(adversary.choices, len(begin), len(fates))


def _next(choices: list[int], fixed: int, possible: int) -> list[int] | None:
    """The next choices, counting upwards and keeping the first `fixed`; None after the last."""
    last = len(choices) - 1
    while last >= fixed and choices[last] == possible - 1:
        last -= 1
    return [*choices[:last], choices[last] + 1] if last >= fixed else None


def play(run: Simulation, adversary: Adversary) -> Ending:
    """Execute the run, with fates decided by the adversary."""
    attempts = Attempts()
    holders = 0
    while run.step():
        event, *effects = run.trace.step(run.steps - 1)
        if event[KIND] == DELIVER:
            attempts.arrived(event)
        for sent in effects:
            if sent[KIND] == DELIVER and sent[NODE] != sent[SENDER]:
                _meet(run, sent[SEQ], attempts.sent(sent, event, adversary))
        holders = max(holders, sum(process.holding() for process in run.processes))
    return Ending(_outcome(run), holders, attempts.in_time, tuple(fate for _, fate in sorted(attempts.fates.items())))


class Attempts:
    """The attempt that each message belongs to, and whether the commitment arrived in time."""

    def __init__(self) -> None:
        self.fates: dict[int, float] = {}  # by place: 3 × attempt + kind
        self.in_time = False
        self._attempt_of: dict[int, int] = {}  # by serial number of the message
        self._acknowledged: dict[int, float] = {}  # attempt -> when its acknowledgement was sent
        self._attempts = 0

    def sent(self, message: Record, event: Record, adversary: Adversary) -> float:
        """Record a message that is sent in response to the event; return its fate."""
        kind = KINDS.index(type(message[MESSAGE]))
        if kind == 0:
            self._attempts += 1
        attempt = self._attempt_of[event[SEQ]] if kind == 1 else self._attempts - 1  # a commitment is for the latest
        if kind == 1:
            self._acknowledged[attempt] = message[SENT]
        self._attempt_of[message[SEQ]] = attempt
        fate = self.fates[len(KINDS) * attempt + kind] = adversary.fate()
        return fate

    def arrived(self, message: Record) -> None:
        """Record the arrival of the message."""
        if type(message[MESSAGE]) is Commitment and message[SEQ] in self._attempt_of:
            since = self._acknowledged.get(self._attempt_of[message[SEQ]], message[TIME])
            self.in_time = message[TIME] - since <= ANSWER_TIME


def _fresh(targets: Sequence[int], identifier: bool) -> Simulation:
    """A run at its start; messages take no time unless the adversary delays them."""
    algorithm = Algorithm("passing", "Passing", "", "", PROCESSES[identifier])
    network = Network(delay=Fixed(0.0), fifo=False)
    parameters = {"targets": targets, "answer_time": ANSWER_TIME}
    return Simulation(Scenario("passing", nodes=1 + max(targets), network=network, parameters=parameters), algorithm)


def _back_to(start: Checkpoint, run: Simulation) -> None:
    """Restore the run to its start."""
    restore(run, start)
    run.trace.truncate(0)
    run.interventions = []


def _meet(run: Simulation, message: int, fate: float) -> None:
    """Drop or delay the message that was just sent."""
    if fate == LOST:
        run.interventions = [Event(run.now, "drop", message=message, step=run.steps)]
    else:
        run.interventions = [Event(run.now, "delay", message=message, delay=fate, step=run.steps)]
    run.step()


def _outcome(run: Simulation) -> str:
    holders = [process.id for process in run.processes if process.holding()]
    if not holders:
        return "lost"
    return "kept" if holders[0] == FIRST else "passed"


def _dies_of_delay(fates: Sequence[float]) -> bool:
    """Whether one attempt without losses loses the token: only the receiver gives up."""
    if len(fates) < 3:
        return False
    offer, acknowledgement, commitment = fates
    return offer + acknowledgement <= ANSWER_TIME < acknowledgement + commitment
