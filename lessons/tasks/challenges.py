"""Challenges: the fewest moves to a goal, as the checker finds them, or that it cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_algorithm
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds, Move
from algorithms.engine.check.properties import KNOWLEDGE, LIVENESS
from algorithms.engine.check.run_moves import moves_of
from algorithms.engine.check.transitions import TransitionSystem
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriter import applicable_steps, limits_of
from algorithms.engine.rewrite.rewriting import Application, State
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies
from lessons.asking.moments import Condition
from lessons.reading.curriculum import misconception_of
from lessons.task import Task

EVENTUAL = (LIVENESS.name, KNOWLEDGE.name)  # what can be broken only by never happening
BOUNDS = ("requests", "crashes", "losses", "duplicates", "resets", "timeouts", "synchronous")
"""The keys of a task that are the checker's bounds."""


@dataclass(frozen=True)
class ChallengeTask(Task):
    """Schedule the messages so that a goal is reached, or find that it cannot be."""

    kind = "challenge"
    is_graded = True

    goal: Condition = Condition("light", "ME1")
    moves: int | None = None  # the most; None: two more than the fewest
    allow: tuple[str, ...] = ("request", "deliver", "exit")
    why: str = ""  # it can be done, or cannot: said afterwards
    bounds: Bounds = Bounds()
    states: int = 100_000

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {misconception_of(scenario.algorithm, scenario.variant)}


def is_judged_by_checker(goal: Condition) -> bool:
    """Whether a run alone cannot tell that a goal is reached, as a monitor tells a breach."""
    return goal.kind == "applies" or goal.value in EVENTUAL


class Par(NamedTuple):
    """The fewest moves to a goal, with the first of them.

    None with `is_decided` if no moves within the bounds lead there.
    """

    moves: int | None
    is_decided: bool
    first: Move | Application | None = None


class ParSearch:
    """Looks for the fewest moves to a goal, from the beginning or after some moves, a slice at a time."""

    def __init__(
        self, scenario: Scenario, goal: Condition, bounds: Bounds, states: int, after: Sequence[Move] = ()
    ) -> None:
        self.par: Par | None = None
        self._scenario, self._goal, self._bounds, self._states, self._after = scenario, goal, bounds, states, after
        self._system: Any = system_of(catalog.find(scenario.algorithm).of(scenario.variant))
        self._work = self._applying() if goal.kind == "applies" else self._exploring()

    def work(self) -> bool:
        """Go on a little; False once the par is known."""
        with guard_algorithm(catalog.find(self._scenario.algorithm), "cannot be checked"):
            copies.go_on(self._work)
        return self.par is None

    def _exploring(self) -> Iterator[None]:
        """Explore until a property is broken that should always hold, or to the end if it should hold eventually."""
        goal, algorithm = str(self._goal.value), catalog.find(self._scenario.algorithm)
        exploration = Exploration(self._scenario, algorithm, self._bounds, self._states, self._after)
        while (goal in EVENTUAL or not exploration.has_broken(goal)) and exploration.advance(1):
            yield
        report = exploration.report()
        if goal in EVENTUAL:
            trail = (yield from exploration.doomed()) if report.is_complete else None
        else:
            trail = next((found.trail for found in report.findings if found.property.name == goal), None)
        if trail is None:
            self.par = Par(None, report.is_complete and bool(exploration.states))
        else:
            self.par = Par(len(trail.moves), True, self._named(trail.moves[0]) if trail.moves else None)

    def _named(self, move: Move) -> Move | Application:
        """A move; in a rewriting system, where all are steps of the same timer, the application that it stands for."""
        if self._system is None:
            return move
        possible = list(self._applications(*self._position()))
        return possible[int(move.draws[0] * len(possible))][0]

    def _applying(self) -> Iterator[None]:
        """Apply the rules of a rewriting system, breadth first, until one has been applied often enough."""
        positions = [self._position()]
        found = {positions[0]: Par(0, True)}
        for position in positions:
            moves, _, first = found[position]
            if position[1] >= self._goal.nth:
                self.par = found[position]
                return
            if len(found) >= self._states:
                break
            for application, after in self._applications(*position):
                if after not in found:
                    found[after] = Par((moves or 0) + 1, True, first or application)
                    positions.append(after)
            yield
        self.par = Par(None, len(found) < self._states)

    def _position(self) -> tuple[State, int]:
        """The term after the moves made, and how often the rule of the goal has been applied."""
        position: tuple[State, int] = (self._system.initial(self._scenario.nodes), 0)
        for move in self._after:
            possible = list(self._applications(*position))
            position = possible[int(move.draws[0] * len(possible))][1]
        return position

    def _applications(self, term: State, count: int) -> Iterator[tuple[Application, tuple[State, int]]]:
        """The applications of rules to a term, with the positions to which they lead."""
        for step in applicable_steps(self._system, term, limits_of(self._scenario)):
            is_counted = step.application.rule.number == str(self._goal.value)
            yield step.application, (step.after, count + is_counted)


def par_of(scenario: Scenario, goal: Condition, bounds: Bounds, states: int) -> Par:
    """The fewest moves from the beginning to a goal, at once."""
    search = ParSearch(scenario, goal, bounds, states)
    while search.work():
        pass
    assert search.par is not None
    return search.par


def allowance_of(task: ChallengeTask) -> dict[str, int | None]:
    """Kind of move -> how often it may be made in a challenge, a request by each node; None for any number."""
    most: dict[str, int | None] = {"request": int(task.bounds.requests_of(0)), **task.bounds.allowed()}
    return {kind: most.get(kind) for kind in task.allow}


def may_move(allowance: Mapping[str, int | None], made: Sequence[Move], do: str, node: int | None) -> bool:
    """Whether an allowance leaves a move of that kind, at that node, after the moves made."""
    most = allowance.get(do, 0)
    return most is None or sum(move.do == do and (do != "request" or move.node == node) for move in made) < most


def share_of(par: Par, moves: int) -> float:
    """The share of the points for a solution in that number of moves."""
    if par.moves is None or moves <= par.moves + 1:
        return 1.0
    return max(0.6, par.moves / moves)


def par_of_task(scenario: Scenario, task: ChallengeTask) -> Par:
    """The par of a challenge, at once."""
    return par_of(scenario, task.goal, task.bounds, task.states)


class Hunt:
    """A challenge as a learner meets it: its par, and what is known about the learner's present state."""

    def __init__(self, scenario: Scenario, task: ChallengeTask) -> None:
        self.task = task
        self._scenario = scenario
        self._system = TransitionSystem(scenario, catalog.find(scenario.algorithm), task.bounds)
        self._due = lru_cache(maxsize=8)(self._due_after)
        self._searches: dict[tuple[Move, ...], ParSearch] = {}  # by the moves made
        self._made: tuple[Move, ...] = ()  # by the learner

    def _after(self, moves: tuple[Move, ...]) -> Par | None:
        """The fewest moves to the goal after some moves; None until they are known."""
        search = self._searches.get(moves)
        return search.par if search else None

    @property
    def par(self) -> Par | None:
        """The par, once it is known."""
        return self._after(())

    @property
    def here(self) -> Par | None:
        """The fewest moves to the goal from the learner's present state, once asked for and known."""
        return self._after(self._made)

    @property
    def moves_to_undo(self) -> int | None:
        """The number of moves to undo before the goal can be reached again; None until it is known."""
        made = self._made
        known = ((undone, self._after(made[: len(made) - undone])) for undone in range(len(made) + 1))
        return next((undone for undone, par in known if par is not None and par.moves is not None), None)

    def look_ahead(self, run: Timeline, *, may_hint: bool) -> bool:
        """Find out a little more about the present state of the learner's run; whether there is news."""
        made = tuple(moves_of(run))
        is_news, self._made = made != self._made, made
        wanted: list[tuple[Move, ...]] = [()]
        if is_judged_by_checker(self.task.goal) or may_hint:
            wanted.append(made)
        if may_hint and self.par and self.par.moves is not None and self.moves_to_undo is None:
            wanted += [made[:length] for length in range(len(made) - 1, 0, -1)]
        unknown = next((moves for moves in wanted if self._after(moves) is None), None)
        return is_news or (unknown is not None and self._work(unknown))

    def _work(self, made: tuple[Move, ...]) -> bool:
        """Find out a little more about what can be reached after some moves; whether that is known now."""
        if made not in self._searches:
            task = self.task
            self._searches[made] = ParSearch(self._scenario, task.goal, task.bounds, task.states, made)
        return not self._searches[made].work()

    def due(self, run: Timeline) -> frozenset[tuple[int, str | None]] | None:
        """The timers, each with its node, that may expire next in the learner's run; None if any may."""
        return self._due(tuple(moves_of(run))) if self.task.bounds.synchronous else None

    def _due_after(self, moves: tuple[Move, ...]) -> frozenset[tuple[int, str | None]]:
        states = self._system.after_moves(moves)
        steps = (move for state in states for move, _ in self._system.successors(state).steps)
        return frozenset((move.node, move.timer) for move in steps if move.do == "fire")
