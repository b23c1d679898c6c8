"""Random runs of a system that is too large to explore, with counter-examples made short.

    walks = RandomWalks(scenario, algorithm, Bounds(requests=2), runs=1_000, seed=1)
    while walks.advance(1_000):
        ...                             # show walks.done
    report = walks.report()

What is found is really wrong; what is not found may still be. The same arguments give the same runs. A trail is made
shorter by leaving out moves as long as it still ends in a violation (delta debugging: Zeller & Hildebrandt 2002), so
no single move of it can be left out, but another violation may be nearer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from random import Random

from algorithms.engine.check.encoding import State
from algorithms.engine.check.explore import NOT_REFUTED, NOT_SEEN, CheckReport, Finding, Search, Trail
from algorithms.engine.check.moves import Bounds, Move, Successors, Transition
from algorithms.engine.check.properties import SOMETIMES
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario

MOST_MOVES = 500  # of a run: some never end
_TRIES = 8  # violations of a property that are made short, the shortest of which is kept


class RandomWalks(Search):
    """Up to `runs` random runs; no more once each of the properties `sought`, by default all, was broken in several.

    A unit of work is a move. `done` is the number of runs so far, and `visited` that of their states, each as often as
    it was reached.
    """

    def __init__(
        self,
        scenario: Scenario,
        algorithm: Algorithm,
        bounds: Bounds,
        runs: int,
        seed: int = 1,
        sought: Collection[str] = (),
    ) -> None:
        super().__init__(scenario, algorithm, bounds)
        self.done = self.visited = self.depth = 0
        self._runs, self.seed = runs, seed
        self._names = {one.name for one in self.judge.properties if one.when != SOMETIMES}
        self._sought = set(sought) or self._names
        self._final_states = self._deadlocks = 0
        self._trails: dict[str, Trail] = {}  # name of a broken property -> its shortest trail so far
        self._tries: Counter[str] = Counter()  # violations of each property that have been made short
        self._seen: set[str] = set()  # names of properties that should hold somewhere, and do
        # Runs begin alike, and trails are shortened by replay.
        self._successors = lru_cache(4_096)(self.system.successors)

    @property
    def progress(self) -> str:
        """The progress of the search, in words."""
        return f"{self.done:,} of {self._runs:,} random runs"

    def report(self) -> CheckReport:
        """The results so far."""
        return CheckReport(
            self.visited,
            self.depth,
            self._final_states,
            self._deadlocks,
            is_complete=False,
            bytes_per_state=0,
            findings=tuple(
                Finding(one, self._status(one.name, one.when == SOMETIMES), self._trails.get(one.name))
                for one in self.judge.properties
            ),
            walks=max(self.done, 1),
        )

    def _status(self, name: str, should_happen: bool) -> str:
        if should_happen:
            return HOLDS if name in self._seen else NOT_SEEN
        return BROKEN if name in self._trails else NOT_REFUTED

    # ---- running -------------------------------------------------------------------------------------------

    def _search(self) -> Iterator[None]:
        """All runs, with a pause after each move."""
        starts = list(self.system.initial())
        for number in range(self._runs):
            if all(self._tries[name] == _TRIES for name in self._sought):
                break
            random = Random(f"{self.seed} {number}")
            try:
                yield from self._walk(random, random.choice(starts))
            except OverflowError:  # a component has more values than a digit can number
                break
            self.done += 1

    def _walk(self, random: Random, start: State) -> Iterator[None]:
        moves: list[Move] = []
        states = [start]
        while True:
            successors = self._successors(states[-1])
            self._judge(moves, states, successors)
            choices = _all_of(successors)
            if not choices or len(moves) == MOST_MOVES:
                break
            move, state = random.choice(choices)
            moves.append(move)
            states.append(state)
            yield
        self.visited += len(states)
        self.depth = max(self.depth, len(moves))

    def _judge(self, moves: list[Move], states: list[State], successors: Successors) -> None:
        """Note what is remarkable about the last state."""
        for name in self.judge.judge(states[-1]).notable:
            if name not in self._names:
                self._seen.add(name)
            else:
                self._note(name, moves, states, self._violates(name))
        if successors.steps or successors.is_cut_short:
            return
        self._final_states += not successors.requests
        if self._is_deadlock(states[-1]):
            self._deadlocks += not successors.requests
            self._note(self.judge.eventual.name, moves, states, self._is_deadlock)

    def _note(self, name: str, moves: list[Move], states: list[State], is_bad: Callable[[State], bool]) -> None:
        """Note a violation, made short, unless enough are known."""
        if self._tries[name] < _TRIES and not any(map(is_bad, states[:-1])):  # the first one of the run
            self._tries[name] += 1
            trails = [self._shortened(moves, states, is_bad), *filter(None, [self._trails.get(name)])]
            self._trails[name] = min(trails, key=lambda trail: len(trail.moves))

    def _violates(self, name: str) -> Callable[[State], bool]:
        return lambda state: name in self.judge.judge(state).notable

    def _is_deadlock(self, state: State) -> bool:
        """Whether nothing happens by itself, and an obligation is outstanding."""
        successors = self._successors(state)
        return not (successors.steps or successors.is_cut_short) and bool(self.judge.judge(state).obligations)

    # ---- making trails shorter -----------------------------------------------------------------------------

    def _shortened(self, moves: Sequence[Move], states: Sequence[State], is_bad: Callable[[State], bool]) -> Trail:
        """A trail to such a state from which no single move can be left out."""
        trail = _without_detours(Trail(tuple(moves), tuple(states)))
        size = len(trail.moves)
        while size:
            place = 0
            while place < len(trail.moves):
                fewer = trail.moves[:place] + trail.moves[place + size :]
                shorter = self._replayed(trail.states[0], fewer, is_bad)
                if shorter is None:
                    place += size
                else:
                    trail = shorter
            size = min(size // 2, len(trail.moves))
        return trail

    def _replayed(self, start: State, moves: Sequence[Move], is_bad: Callable[[State], bool]) -> Trail | None:
        """The trail of these moves, those left out that are impossible now; None if it meets no such state."""
        made: list[Move] = []
        states = [start]
        for move in moves:
            if is_bad(states[-1]):
                break
            choices = _all_of(self._successors(states[-1]))
            likely = [choice for choice in choices if _is_like(choice[0], move)]
            if likely:
                same, state = next((choice for choice in likely if choice[0] == move), likely[0])
                made.append(same)
                states.append(state)
        return _without_detours(Trail(tuple(made), tuple(states))) if is_bad(states[-1]) else None


def _all_of(successors: Successors) -> Sequence[Transition]:
    """All that can happen next."""
    return (*successors.steps, *successors.requests, *successors.faults)


def _is_like(one: Move, other: Move) -> bool:
    """Whether two moves differ in nothing but the contents of a message and the numbers drawn."""
    if one.do != other.do or one.node != other.node:  # as most do
        return False
    kinds = [move.envelope and type(move.envelope.message) for move in (one, other)]
    return one._replace(envelope=None, draws=()) == other._replace(envelope=None, draws=()) and kinds[0] == kinds[1]


def _without_detours(trail: Trail) -> Trail:
    """The trail without what leads from a state back to the same state."""
    last = {state: place for place, state in enumerate(trail.states)}
    moves: list[Move] = []
    states = [trail.states[0]]
    place = last[trail.states[0]]
    while place < len(trail.moves):
        moves.append(trail.moves[place])
        states.append(trail.states[place + 1])
        place = last[states[-1]]
    return Trail(tuple(moves), tuple(states))
