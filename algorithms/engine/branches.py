"""The courses of a run that a timeline keeps: what was done by hand on each, and the states that were kept along it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from algorithms.engine.checkpoint import Saved
from algorithms.engine.scenario import Event


@dataclass
class Branch:
    """One course of a run: what was done by hand, and how far it has been executed."""

    name: str
    interventions: tuple[Event, ...] = ()
    parent: str | None = None
    fork: int = 0  # the step after which it leaves its parent
    length: int = 0  # how many steps have been executed on it
    end: float = 0.0  # the time of the last of them
    checkpoints: list[Saved] = field(default_factory=list)
    visited: Saved | None = None  # one more, at the step last acted in, or gone back to over a long way

    def nearest(self, step: int) -> Saved:
        """The last checkpoint that is not after that step."""
        place = bisect_right(self.checkpoints, step, key=lambda saved: saved.steps)
        found = self.checkpoints[place - 1]
        return self.visited if self.visited and found.steps < self.visited.steps <= step else found

    def cut(self, step: int, time: float) -> None:
        """Forget what comes after that step, which happened at that time."""
        self.length, self.end = step, time
        self.cut_checkpoints(step)

    def cut_checkpoints(self, step: int) -> None:
        """Forget the states after that step: they are to be reached in another way."""
        self.checkpoints = [saved for saved in self.checkpoints if saved.steps <= step]
        if self.visited and self.visited.steps > step:
            self.visited = None


@dataclass
class Deleted:
    """A branch that was deleted, and how things were before: they can be so again."""

    branch: Branch
    adopted: list[tuple[Branch, int]]  # those that left it, and after which step
    was_shown: bool
    deeds: int  # how many things had been done by hand
