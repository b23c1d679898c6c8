"""The checker: every interleaving of a small system, breadth first, and shortest counter-examples.

    exploration = Exploration(scenario, algorithm, Bounds(requests=2))
    while exploration.advance(1000):
        ...                             # show len(exploration.states)
    report = exploration.report()

The search is breadth first, so the trail on which a state was first reached is a shortest one.

A state costs 130 to 220 bytes: itself and its number in a table, its parent, its obligations and its successors. The
steps of single processes, each computed once, come on top: with them a state of a token ring costs 210 bytes, and one
of Ricart & Agrawala's algorithm, whose processes have many more states, 430.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from sys import getsizeof
from typing import NamedTuple

from algorithms.engine.check.convergence import first_astray
from algorithms.engine.check.encoding import State
from algorithms.engine.check.fairness import FairCycles
from algorithms.engine.check.moves import Bounds, Move, Successors
from algorithms.engine.check.properties import ALL, EVENTUALLY, FAIRLY, SOMETIMES, Judge, Property, Scope
from algorithms.engine.check.reduction import EagerArrivals
from algorithms.engine.check.transitions import TransitionSystem
from algorithms.engine.errors import count_words
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario

STATE_LIMIT = 1_000_000

# statuses while some states are unknown, besides HOLDS and BROKEN
NOT_REFUTED = "not refuted"  # no violation of a property has been found
NOT_SEEN = "not seen"  # no state has been found that has the property, as one should


class Trail(NamedTuple):
    """A path from one state to another, with the states before and after each move.

    The last `cycle` moves can be repeated forever; 0 if the counter-example needs no cycle.
    """

    moves: tuple[Move, ...]
    states: tuple[State, ...]
    cycle: int = 0


@dataclass(frozen=True)
class Finding:
    """The status of one property, with a shortest trail to a violation.

    The status is HOLDS only if all states have been explored, or if the property need hold only somewhere and does.
    """

    property: Property
    status: str
    trail: Trail | None = None


@dataclass(frozen=True)
class CheckReport:
    """The results of an exploration."""

    states: int
    depth: int  # all states up to this many moves away have been reached
    final_states: int  # states in which nothing more can happen, faults aside
    deadlocks: int  # final states in which somebody waits
    is_complete: bool
    bytes_per_state: int  # without the steps of single processes
    findings: tuple[Finding, ...]
    walks: int = 0  # random runs that have been tried instead of exploring all
    is_reduced: bool = False  # the states are fewer than there are, but those that suffice

    def sentence(self, finding: Finding) -> str:
        """The status of a finding in words, and what it is based on."""
        depth = f"{count_words(self.depth, 'move')} deep"
        if self.walks:
            depth = f"{count_words(self.walks, 'random run')}, up to {depth}"
        if finding.status == NOT_REFUTED:
            return f"not refuted ({'some runs are cut short' if self.is_complete else depth})"
        if finding.status == NOT_SEEN:
            return f"not seen ({'some runs are cut short' if self.is_complete else depth})"
        if finding.property.when == SOMETIMES:
            return "happens" if finding.status == HOLDS else "never happens"
        if finding.trail is None:
            states = count_words(self.states, "state")
            return f"holds; {states} stand for all" if self.is_reduced else f"holds in all {states}"
        again = f", the last {finding.trail.cycle} of which can be repeated forever" if finding.trail.cycle else ""
        count = len(finding.trail.moves)
        return f"BROKEN after {count_words(count, 'move')}{again}"

    def shortest(self) -> Finding | None:
        """The finding with the shortest trail; None if no finding has a trail."""
        lengths = [(len(finding.trail.moves), i) for i, finding in enumerate(self.findings) if finding.trail]
        return self.findings[min(lengths)[1]] if lengths else None


class Search(ABC):
    """A search for violations in a system within `bounds`, a slice at a time.

    All nodes of the scenario take part. Its load, its events and its delays have no influence; whether its channels
    are FIFO has.
    """

    def __init__(
        self, scenario: Scenario, algorithm: Algorithm, bounds: Bounds, wants_fairness: bool = False, scope: Scope = ALL
    ) -> None:
        algorithm = algorithm.of(scenario.variant)
        if system_of(algorithm):
            bounds = replace(bounds, requests=0)  # a rule of the system gives a node something to send
        self.scenario = scenario
        self.algorithm = algorithm
        self.bounds = bounds
        self.system = TransitionSystem(scenario, algorithm, bounds, scope.tracked(scenario, algorithm))
        self.judge = Judge(self.system, scenario, algorithm, wants_fairness, scope)
        self.is_finished = False
        self._work = self.work()

    def advance(self, budget: int) -> bool:
        """Do up to `budget` units of work, fewer if it has to wait; False when the search has finished."""
        any(islice(self._work, budget))
        return not self.is_finished

    def work(self) -> Iterator[bool | None]:
        """All the work, with a pause after each unit, and one with True while it waits."""
        yield from self._search()
        self.is_finished = True

    @abstractmethod
    def _search(self) -> Iterator[bool | None]:
        """All the work, as in `work`."""

    @property
    @abstractmethod
    def progress(self) -> str:
        """The progress of the search, in words."""

    @abstractmethod
    def report(self) -> CheckReport:
        """The results so far."""


class Exploration(Search):
    """The exploration of all states, breadth first. A unit of work is a state.

    `states` are the states reached, in that order, and `depth` is the number of moves to the farthest. The first are
    those in which the processes have launched, or to which the moves `after` lead from there. If it `wants_fairness`,
    it also looks for fair runs in which a request is never served. If it `reduces`, it explores the fewer states that
    suffice, see `reduction`. It ends early once the properties `sought` are broken.
    """

    def __init__(
        self,
        scenario: Scenario,
        algorithm: Algorithm,
        bounds: Bounds,
        state_limit: int = STATE_LIMIT,
        after: Sequence[Move] = (),
        wants_fairness: bool = False,
        scope: Scope = ALL,
        reduces: bool = False,
        sought: Collection[str] = (),
    ) -> None:
        super().__init__(scenario, algorithm, bounds, wants_fairness, scope)
        self._state_limit = state_limit
        self._after = after
        self._eager = EagerArrivals(self.system, self.judge) if reduces else None
        self._sought = sought
        self._begin()

    def _begin(self) -> None:
        """Forget what has been explored."""
        self.depth = 0
        self.states: list[State] = []
        self._numbers: dict[State, int] = {}
        self._parents = array("I")  # the states from which each was first reached
        self._obligations = array("Q")  # of each state, as in `Judgement`
        self._expanded = 0
        self._next_level = 0  # the first state that is one move farther away than the next to be expanded
        self._successors = array("I")  # the successors of each state without requests and faults, row after row …
        self._row_ends = array("Q", [0])  # … and the end of each row
        # otherwise no cycle has any requests
        self._keeps_requests = self.judge.fair is not None and self.bounds.requests is None
        self._requested = array("I")  # if so, the successors by requests …
        self._request_ends = array("Q", [0])
        self._cut_short: list[int] = []  # states in which the bounds keep something from happening
        self._final_states = self._deadlocks = 0
        self._first: dict[str, int] = {}  # property -> the first state that is notable for it
        self._deadlock: int | None = None  # the first state without steps but with an obligation
        self._doomed: int | None = None  # the first state from which an obligation can no longer be met
        self._unfair: Trail | None = None  # the trail to an obligation that is never met, though nobody stands still
        self._has_one = bytearray()  # whether each state has exactly one privilege, if convergence is judged
        self._astray: int | None = None  # the first state that cannot end up with exactly one
        self._may_converge = False  # whether that depends on what the bounds keep from happening
        self._is_open = False  # whether only events that the bounds rule out could meet an obligation
        self._is_complete = False

    # ---- progress ------------------------------------------------------------------------------------------

    @property
    def progress(self) -> str:
        """The progress of the search, in words."""
        return f"{len(self.states):,} states, {self.frontier_size:,} still to explore"

    @property
    def frontier_size(self) -> int:
        """The number of states that have been reached but not expanded."""
        return len(self.states) - self._expanded

    @property
    def has_deadlock(self) -> bool:
        """Whether there is a state without steps in which somebody waits."""
        return self._deadlock is not None

    def has_broken(self, name: str) -> bool:
        """Whether a violation of the property of that name has been found."""
        is_unmet = self._deadlock is not None or self._doomed is not None
        if self.judge.fair is not None and name == self.judge.fair.name:
            return is_unmet or self._unfair is not None
        return is_unmet if name == self.judge.eventual.name else name in self._first

    def doomed(self) -> Generator[None, None, Trail | None]:
        """Find the shortest trail to a state in which an obligation can no longer be met; None if there is none.

        The exploration must have finished. There is a pause after each state.
        """
        if self._doomed is None and self._deadlock is not None:  # the deadlock, or a state before it
            self._doomed = yield from self._first_doomed((1 << self.system.nodes) - 1)
        return None if self._doomed is None else self._trail(self._doomed)

    def report(self) -> CheckReport:
        """The results so far."""
        return CheckReport(
            len(self.states),
            self.depth,
            self._final_states,
            self._deadlocks,
            self._is_complete,
            self._bytes() // max(1, len(self.states)),
            tuple(self._finding(property_) for property_ in self.judge.properties),
        )

    # ---- the search ----------------------------------------------------------------------------------------

    def _search(self) -> Iterator[bool | None]:
        yield from self._reach_all()
        while self._eager is not None and self._eager.has_erred() and not self._is_over():
            self._begin()
            yield from self._reach_all()
        everyone = (1 << self.system.nodes) - 1
        if self._deadlock is None:  # otherwise that is the counter-example
            self._doomed = yield from self._first_doomed(everyone)
            if self._doomed is None and self._cut_short:
                self._is_open = (yield from self._first_doomed(0)) is not None
        if self.judge.convergence is not None:
            self._astray = yield from self._first_astray(hope=True)
            self._may_converge = self._astray is None and (yield from self._first_astray(hope=False)) is not None
        if self.judge.fair is not None:
            self._unfair = yield from self._first_unfair()
        self._is_complete = not self.frontier_size

    def _reach_all(self) -> Iterator[None]:
        """Reach all states, up to the limit; go on where it was left."""
        if not self.states:
            for state in islice(self.system.after_moves(self._after), self._state_limit):
                self._reach(state, len(self.states))
            self._next_level = len(self.states)
        while self.frontier_size and len(self.states) < self._state_limit and not self._is_over():
            if self._expanded == self._next_level:
                self.depth += 1
                self._next_level = len(self.states)
            try:
                self._expand(self._expanded)
            except OverflowError:  # a component has more values than a digit can number
                return
            yield

    def _is_over(self) -> bool:
        """Whether nothing is left to seek."""
        return bool(self._sought) and all(map(self.has_broken, self._sought))

    def _expand(self, number: int) -> None:
        """Reach all successors of a state."""
        successors = self._needed_successors(number)
        for _, state in successors.steps:
            self._successors.append(self._reach(state, number))
        for _, state in successors.requests:
            self._reach(state, number)
        if self._keeps_requests:
            self._requested.extend(self._numbers[state] for _, state in successors.requests)
            self._request_ends.append(len(self._requested))
        for _, state in successors.faults:
            self._reach(state, number)
        self._row_ends.append(len(self._successors))
        if successors.is_cut_short:
            self._cut_short.append(number)
        elif not successors.steps:
            self._note_end(number, successors)
        self._expanded += 1

    def _needed_successors(self, number: int) -> Successors:
        """The successors of a state that have to be explored."""
        state = self.states[number]
        if self.judge.is_settled(state):
            return Successors([], [], [], is_cut_short=False)
        if self._eager is not None:
            successors = self._eager.successors(state, partial(self._is_ahead, number))
            if successors is not None:
                return successors
        return self.system.successors(state)

    def _is_ahead(self, number: int, state: State) -> bool:
        """Whether a state will be expanded after that of that number."""
        return self._numbers.get(state, len(self.states)) > number

    def _reach(self, state: State, parent: int) -> int:
        """The number of the state; a new one is judged."""
        number = self._numbers.get(state)
        if number is None:
            number = len(self.states)
            self.states.append(state)
            self._parents.append(parent)
            self._numbers[state] = number
            judgement = self.judge.judge(state)
            self._obligations.append(judgement.obligations)
            if self.judge.convergence is not None:
                self._has_one.append(judgement.has_one)
            for name in judgement.notable:
                self._first.setdefault(name, number)
        return number

    def _note_end(self, number: int, successors: Successors) -> None:
        """Note a state without steps: without requests, it is a final state, or even a deadlock."""
        self._final_states += not successors.requests
        if self._obligations[number]:
            self._deadlocks += not successors.requests
            if self._deadlock is None:
                self._deadlock = number

    # ---- obligations that can never be met -----------------------------------------------------------------

    def _first_doomed(self, unknown: int) -> Generator[None, None, int | None]:
        """Find, by backward fixpoint, the first state that can no longer meet its obligations.

        `unknown` are the obligations that what has not been explored can meet, one bit for each node.
        """
        everyone = (1 << self.system.nodes) - 1
        can_meet = array("Q", [everyone & ~obligations for obligations in self._obligations])
        for number in (*self._cut_short, *range(self._expanded, len(self.states))):
            can_meet[number] |= unknown
        changed = True
        while changed:
            changed = False
            for number in reversed(range(self._expanded)):
                ahead = can_meet[number]
                for successor in self._row(number):
                    ahead |= can_meet[successor]
                if ahead != can_meet[number]:
                    can_meet[number] = ahead
                    changed = True
                yield
        doomed = (number for number, obligations in enumerate(self._obligations) if obligations & ~can_meet[number])
        return next(doomed, None)

    def _first_astray(self, hope: bool) -> Generator[None, None, int | None]:
        """The first state that cannot end up with exactly one privilege."""
        return first_astray(self._has_one, self._row, self._expanded, self._cut_short, hope)

    def _first_unfair(self) -> Generator[None, None, Trail | None]:
        """The shortest trail to an obligation that is never met: to a deadlock, or once round a fair cycle."""
        trails = [] if self._deadlock is None else [self._trail(self._deadlock)]
        cycles = FairCycles(self.system, self.states, self._numbers, self._row_ahead, self._obligations)
        lasso = yield from cycles.first()
        if lasso is not None:
            start, cycle = lasso
            stem = self._trail(start)
            moves, states = zip(*cycle, strict=True)
            trails.append(Trail((*stem.moves, *moves), (*stem.states, *states), len(cycle)))
        return min(trails, key=lambda trail: len(trail.moves), default=None)

    def _row_ahead(self, number: int) -> array[int]:
        """The successors of a state without faults, by requests if cycles can have any; none before it is expanded."""
        if number >= self._expanded:
            return array("I")
        row = self._row(number)
        if self._keeps_requests:
            row += self._requested[self._request_ends[number] : self._request_ends[number + 1]]
        return row

    def _row(self, number: int) -> array[int]:
        """The successors of a state without requests and faults."""
        return self._successors[self._row_ends[number] : self._row_ends[number + 1]]

    # ---- results -------------------------------------------------------------------------------------------

    def _finding(self, property_: Property) -> Finding:
        first = self._first.get(property_.name)
        if property_.when == SOMETIMES:
            never = BROKEN if self._is_complete and not self._cut_short else NOT_SEEN
            return Finding(property_, never if first is None else HOLDS)
        if property_ == self.judge.convergence:
            trail = None if self._astray is None else self._with_cycle(self._trail(self._astray))
            is_certain = not self._may_converge
        elif property_.when == EVENTUALLY:
            trail = self._unmet_trail()
            is_certain = not self._is_open and self._doomed is None
        elif property_.when == FAIRLY:
            trail = self._unfair
            is_certain = not any(self._obligations[number] for number in self._cut_short)
        else:
            trail, is_certain = None if first is None else self._trail(first), True
        status = BROKEN if trail else HOLDS if self._is_complete and is_certain else NOT_REFUTED
        return Finding(property_, status, trail)

    def _unmet_trail(self) -> Trail | None:
        """The trail to an obligation that is never met."""
        if self._deadlock is not None:
            return self._trail(self._deadlock)
        trail = None if self._doomed is None else self._with_cycle(self._trail(self._doomed))
        return None if trail is None or self._stands_still(trail) else trail

    def _stands_still(self, trail: Trail) -> bool:
        """Whether a timer that the cycle never restarts would expire in a run, where messages take time.

        If timers wait for messages, a cycle of messages keeps them from expiring; it shows nothing then.
        """
        moves = trail.moves[len(trail.moves) - trail.cycle :]
        if not self.bounds.synchronous or any(move.do == "fire" for move in moves):
            return False
        state = self.system.with_earlier_timers(trail.states[len(trail.moves) - trail.cycle])
        for move in moves:
            state = next(after for step, after in self.system.successors(state).steps if step == move)
        return state != trail.states[-1]

    def _trail(self, number: int) -> Trail:
        """The trail on which the state was first reached."""
        moves: list[Move] = []
        states = [self.states[number]]
        while (parent := self._parents[number]) != number:
            moves.append(self._move(parent, number))
            states.append(self.states[parent])
            number = parent
        return Trail(tuple(reversed(moves)), tuple(reversed(states)))

    def _with_cycle(self, trail: Trail) -> Trail:
        """The trail to a state, continued until a state recurs or nothing more happens.

        The move that was made longest ago goes first, so that no process that could take a step is left out.
        """
        moves, states = list(trail.moves), list(trail.states)
        visits: dict[State, int] = {}
        while states[-1] not in visits:
            visits[states[-1]] = len(moves)
            steps = self.system.successors(states[-1]).steps
            if not steps:
                return Trail(tuple(moves), tuple(states))
            move, state = min(steps, key=lambda step: _last_made(moves, step[0]))
            moves.append(move)
            states.append(state)
        return Trail(tuple(moves), tuple(states), len(moves) - visits[states[-1]])

    def _move(self, number: int, after: int) -> Move:
        """The move that leads from one state to another."""
        successors, target = self.system.successors(self.states[number]), self.states[after]
        transitions = (*successors.steps, *successors.requests, *successors.faults)
        return next(move for move, state in transitions if state == target)

    def _bytes(self) -> int:
        """The memory of the states in bytes; an object takes a multiple of 16."""
        tables = (self.states, self._numbers, self._parents, self._obligations, self._successors, self._row_ends)
        each = 16 + getsizeof(self.states[-1]) // 16 * 16 + getsizeof(len(self.states)) if self.states else 0
        return sum(getsizeof(table) for table in tables) + each * len(self.states)


def _last_made(moves: list[Move], move: Move) -> int:
    """When this move was last made, as a negative number; the lowest if never."""
    return next((-ago for ago, past in enumerate(reversed(moves)) if past == move), -len(moves) - 1)
