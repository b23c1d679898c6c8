"""The branches of a run: the interventions on each, and the checkpoints along it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import zip_longest

from algorithms.engine.checkpoint import Checkpoint
from algorithms.engine.scenario import Event


@dataclass
class Branch:
    """One branch of a run: its interventions, and its length executed so far."""

    name: str
    interventions: tuple[Event, ...] = ()
    parent: str | None = None
    fork: int = 0  # number of steps shared with its parent
    length: int = 0  # number of steps executed on it
    end: float = 0.0  # time of the last of them
    checkpoints: list[Checkpoint] = field(default_factory=list)
    visited: Checkpoint | None = None  # one more: at the last pick, or at the end of a long re-execution

    def nearest(self, step: int) -> Checkpoint:
        """The last checkpoint at or before a step."""
        place = bisect_right(self.checkpoints, step, key=lambda checkpoint: checkpoint.steps)
        regular = self.checkpoints[place - 1]
        return self.visited if self.visited and regular.steps < self.visited.steps <= step else regular

    def cut(self, step: int, time: float) -> None:
        """Forget everything after a step, which happened at `time`."""
        self.length, self.end = step, time
        self.cut_checkpoints(step)

    def cut_checkpoints(self, step: int) -> None:
        """Forget the checkpoints after a step, which are no longer valid."""
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.steps <= step]
        if self.visited and self.visited.steps > step:
            self.visited = None


@dataclass
class DeletedBranch:
    """A deleted branch, with what is needed to restore it."""

    branch: Branch
    children: list[tuple[Branch, int]]  # with their fork before the deletion
    was_current: bool
    interventions: int  # number of interventions by hand until then


def first_difference(one: tuple[Event, ...], other: tuple[Event, ...], end: int) -> int:
    """The number of steps before the first intervention that is not on both branches, at most `end`."""
    for pair in zip_longest(one, other):
        if pair[0] != pair[1]:
            steps: list[int] = [event.steps_before for event in pair if event is not None]
            return min(end, *steps)
    return end
