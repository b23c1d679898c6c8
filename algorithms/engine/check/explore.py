"""The checker: every interleaving of a small system, breadth first, and the shortest way to what should not be.

    exploration = Exploration(scenario, algorithm, Bounds(requests=2))
    while exploration.advance(1000):
        ...                             # show exploration.states
    report = exploration.report()

Breadth first means that the way on which a state was first reached is a shortest one.

A state costs 130 to 220 bytes: itself and its number in a table, from where it was reached, what is owed in it, and
where it leads. The steps of single processes, worked out once for all, come on top: measured with them, a state of a
token ring costs 210 bytes and one of Ricart & Agrawala's algorithm, whose processes have many more states, 430.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from sys import getsizeof
from typing import NamedTuple

from algorithms.engine.check.encoding import State
from algorithms.engine.check.moves import Bounds, Move, Successors
from algorithms.engine.check.properties import IN_THE_END, SOMETIMES, Judge, Property, keeps_order
from algorithms.engine.check.transitions import Interleavings
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario

HOLDS, BROKEN = "holds", "broken"
MOST_STATES = 1_000_000


class Trail(NamedTuple):
    """A way from a state to another: the moves, and the states before, between and after them.

    If the last `loop` moves can be repeated for ever, that is what is shown; otherwise `loop` is 0.
    """

    moves: tuple[Move, ...]
    states: tuple[State, ...]
    loop: int = 0


@dataclass(frozen=True)
class Finding:
    """What is known of one property; `trail` is a shortest way to where it fails, if it fails at any one place."""

    property: Property
    status: str
    trail: Trail | None = None


@dataclass(frozen=True)
class Report:
    """What is known of a system. If it is not `complete`, what holds does so as far as it was looked at."""

    states: int
    depth: int  # how many moves the farthest state is away
    dead_ends: int  # states in which nothing can happen any more, faults aside
    complete: bool
    bytes_per_state: int  # without what is worked out once for all
    findings: tuple[Finding, ...]

    def shortest(self) -> Finding | None:
        """The finding with the shortest trail, if there is any with one."""
        found = [(len(finding.trail.moves), i) for i, finding in enumerate(self.findings) if finding.trail]
        return self.findings[min(found)[1]] if found else None


class Exploration:
    """Looks at all states of a system within `bounds`, but no more than `most_states`, a slice at a time.

    All nodes of the scenario take part; of its load, its events and its network only whether channels are FIFO counts.

    `states` have been `reached`, the farthest `depth` moves away; `waiting` of them were not looked beyond yet.
    """

    def __init__(
        self, scenario: Scenario, algorithm: Algorithm, bounds: Bounds, most_states: int = MOST_STATES
    ) -> None:
        algorithm = algorithm.of(scenario.variant)
        if system_of(algorithm):
            bounds = replace(bounds, requests=0)  # there it is a rule that somebody has something to send
        self.scenario = scenario
        self.algorithm = algorithm
        self.bounds = bounds
        self.depth = 0
        self._most_states = most_states
        self.system = Interleavings(scenario, algorithm, bounds, histories=keeps_order(algorithm))
        self.judge = Judge(self.system, algorithm)
        self.reached: list[State] = []  # in the order in which they were reached
        self._numbers: dict[State, int] = {}
        self._parents = array("I")  # from where each was first reached
        self._owed = array("Q")  # and what is owed in it, as in `Judgement`
        self._expanded = 0  # how many have been looked beyond
        self._leads_to = array("I")  # where the states lead of themselves, one row after the other …
        self._row_ends = array("Q", [0])  # … and where the row of each ends
        self._open: list[int] = []  # states beyond which more could happen than the bounds let happen
        self._dead_ends = 0
        self._first: dict[str, int] = {}  # property -> the first state in which it fails; of sometimes, is shown
        self._deadlock: int | None = None  # the first state where nothing goes on and somebody is owed something
        self._trap: int | None = None  # the first state from which something that is owed can never be paid
        self._complete = False
        self._finished = False
        self._work = self._all_of_it()

    # ---- looking -------------------------------------------------------------------------------------------

    def advance(self, budget: int) -> bool:
        """Look at so many states; False when there is nothing more to do."""
        for _ in islice(self._work, budget):
            pass
        return not self._finished

    @property
    def states(self) -> int:
        return len(self.reached)

    @property
    def waiting(self) -> int:
        return len(self.reached) - self._expanded

    def has_broken(self, name: str) -> bool:
        """Whether a place is known by now where the property of that name fails."""
        debt = self._deadlock is not None or self._trap is not None
        return debt if name == self.judge.in_the_end.name else name in self._first

    def report(self) -> Report:
        """What is known by now."""
        return Report(
            self.states,
            self.depth,
            self._dead_ends,
            self._complete,
            self._bytes() // max(1, self.states),
            tuple(self._finding(known) for known in self.judge.properties),
        )

    # ---- the search ----------------------------------------------------------------------------------------

    def _all_of_it(self) -> Iterator[None]:
        """All the work, with a pause after each state."""
        yield from self._search()
        yield from self._look_for_traps()
        self._complete = not self.waiting
        self._finished = True

    def _search(self) -> Iterator[None]:
        for state in islice(self.system.initial(), self._most_states):
            self._reach(state, self.states)
        farther = self.states  # the first state that is a move farther away
        while self.waiting and self.states < self._most_states:
            if self._expanded == farther:
                self.depth += 1
                farther = self.states
            try:
                self._expand(self._expanded)
            except OverflowError:  # more values of a component than a state has digits for
                return
            yield

    def _expand(self, number: int) -> None:
        """Reach all states to which this one leads."""
        found = self.system.successors(self.reached[number])
        for _, state in found.steps:
            self._leads_to.append(self._reach(state, number))
        for _, state in found.demands:
            self._reach(state, number)
        for _, state in found.faults:
            self._reach(state, number)
        self._row_ends.append(len(self._leads_to))
        if found.cut_short:
            self._open.append(number)
        elif not found.steps:
            self._end_at(number, found)
        self._expanded += 1

    def _reach(self, state: State, parent: int) -> int:
        """The number of the state; if it is new it is judged."""
        number = self._numbers.get(state)
        if number is None:
            number = len(self.reached)
            self.reached.append(state)
            self._parents.append(parent)
            self._numbers[state] = number
            judgement = self.judge.judge(state)
            self._owed.append(judgement.owed)
            for name in judgement.remarkable:
                self._first.setdefault(name, number)
        return number

    def _end_at(self, number: int, found: Successors) -> None:
        """In this state nothing goes on of itself."""
        self._dead_ends += not found.demands
        if self._deadlock is None and self._owed[number]:
            self._deadlock = number

    # ---- what can never be paid ----------------------------------------------------------------------------

    def _look_for_traps(self) -> Iterator[None]:
        """Find out from where what is owed can be paid: sweep backwards until nothing new comes to light."""
        everything = (1 << self.system.nodes) - 1
        payable = array("Q", [everything & ~owed for owed in self._owed])
        for number in (*self._open, *range(self._expanded, self.states)):
            payable[number] = everything  # who knows what happens there
        changed = True
        while changed:
            changed = False
            for number in reversed(range(self._expanded)):
                ahead = payable[number]
                for after in self._row(number):
                    ahead |= payable[after]
                if ahead != payable[number]:
                    payable[number] = ahead
                    changed = True
                yield
        traps = (number for number, owed in enumerate(self._owed) if owed & ~payable[number])
        self._trap = next(traps, None)

    def _row(self, number: int) -> array[int]:
        """Where the state leads of itself."""
        return self._leads_to[self._row_ends[number] : self._row_ends[number + 1]]

    # ---- telling -------------------------------------------------------------------------------------------

    def _finding(self, known: Property) -> Finding:
        first = self._first.get(known.name)
        if known.when == SOMETIMES:
            return Finding(known, BROKEN if first is None else HOLDS)
        if known.when == IN_THE_END:
            return self._finding_of_debts(known)
        return Finding(known, HOLDS) if first is None else Finding(known, BROKEN, self._trail(first))

    def _finding_of_debts(self, known: Property) -> Finding:
        if self._deadlock is not None:
            return Finding(known, BROKEN, self._trail(self._deadlock))
        if self._trap is not None:
            return Finding(known, BROKEN, self._round_trip(self._trail(self._trap)))
        return Finding(known, HOLDS)

    def _trail(self, number: int) -> Trail:
        """The way on which the state was first reached."""
        moves: list[Move] = []
        states = [self.reached[number]]
        while (parent := self._parents[number]) != number:
            moves.append(self._move(parent, number))
            states.append(self.reached[parent])
            number = parent
        return Trail(tuple(reversed(moves)), tuple(reversed(states)))

    def _round_trip(self, trail: Trail) -> Trail:
        """The trail to a trap, and on until a state comes again. What has not happened for longest goes first, so
        that nobody is left out who could take a step."""
        moves, states = list(trail.moves), list(trail.states)
        been_at: dict[State, int] = {}
        while states[-1] not in been_at:
            been_at[states[-1]] = len(moves)
            steps = self.system.successors(states[-1]).steps
            move, state = min(steps, key=lambda step: _last(moves, step[0]))
            moves.append(move)
            states.append(state)
        return Trail(tuple(moves), tuple(states), len(moves) - been_at[states[-1]])

    def _move(self, number: int, after: int) -> Move:
        """The move that leads from one state to another."""
        found, state = self.system.successors(self.reached[number]), self.reached[after]
        return next(move for move, reached in (*found.steps, *found.demands, *found.faults) if reached == state)

    def _bytes(self) -> int:
        """What the states cost in memory; an object takes a multiple of 16 bytes."""
        tables = (self.reached, self._numbers, self._parents, self._owed, self._leads_to, self._row_ends)
        each = 16 + getsizeof(self.reached[-1]) // 16 * 16 + getsizeof(self.states) if self.reached else 0
        return sum(getsizeof(table) for table in tables) + each * self.states


def _last(moves: list[Move], move: Move) -> int:
    """How many moves ago it was that this one was made last, as a negative number; never is longest ago."""
    return next((-ago for ago, made in enumerate(reversed(moves)) if made == move), -len(moves) - 1)
