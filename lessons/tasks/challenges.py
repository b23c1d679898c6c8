"""Challenges: the fewest moves to a goal, as the checker finds them, or that it cannot be reached."""

from __future__ import annotations

from typing import NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_algorithm
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.properties import EVENTUALLY
from algorithms.engine.scenario import Scenario
from lessons.lesson import ChallengeTask

SPARE_MOVES = 2  # beyond the fewest
SLICE = 20  # states in one go, so that a window goes on meanwhile


class Par(NamedTuple):
    """The fewest moves to a goal; None with `is_decided` if it cannot be reached within the bounds."""

    moves: int | None
    is_decided: bool


class ParSearch:
    """Looks for the fewest moves to a goal, a slice at a time."""

    def __init__(self, scenario: Scenario, task: ChallengeTask) -> None:
        self._goal = str(task.goal.value)
        algorithm = catalog.find(scenario.algorithm)
        with guard_algorithm(algorithm, "cannot be checked"):
            self._exploration = Exploration(scenario, algorithm, task.bounds, task.states)
        self._is_eventual = any(
            p.name == self._goal and p.when == EVENTUALLY for p in self._exploration.judge.properties
        )
        self.par: Par | None = None

    def work(self, states: int = SLICE) -> bool:
        """Expand up to that number of states; False once the par is known."""
        if self.par is not None:
            return False
        goes_on = self._exploration.advance(states)
        if goes_on and (self._is_eventual or not self._exploration.has_broken(self._goal)):
            return True
        report = self._exploration.report()
        trail = next((found.trail for found in report.findings if found.property.name == self._goal), None)
        if trail is not None:
            self.par = Par(len(trail.moves) - trail.cycle, True)
        else:
            self.par = Par(None, report.is_complete)
        return False


def par_of(scenario: Scenario, task: ChallengeTask) -> Par:
    """The par of a challenge, at once."""
    search = ParSearch(scenario, task)
    while search.work():
        pass
    assert search.par is not None
    return search.par


def allowance_of(task: ChallengeTask, nodes: int) -> dict[str, int | None]:
    """Kind of move -> how often it may be made in a challenge; None for any number."""
    bounds = task.bounds
    most: dict[str, int | None] = {
        "request": bounds.requests * nodes,
        "crash": bounds.crashes,
        "drop": bounds.losses,
        "duplicate": bounds.duplicates,
        "fire": bounds.timeouts,
    }
    return {kind: most.get(kind) for kind in task.allow}


def share_of(par: Par, moves: int) -> float:
    """How much a solution in that number of moves is worth."""
    if par.moves is None or moves <= par.moves + 1:
        return 1.0
    return max(0.6, par.moves / moves)
