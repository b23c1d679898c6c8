"""What each process has been over time, folded from the trace: idle, wanting, inside, gone."""

from __future__ import annotations

from bisect import bisect_right
from math import inf
from typing import NamedTuple

from algorithms.engine.observer import Observer, Situation
from algorithms.engine.series import Series


class Spell(NamedTuple):
    """A stretch of a process's life."""

    state: str  # idle, wanting or inside
    down: str  # paused, crashed, absent or, mostly, nothing
    start: float
    end: float  # infinite while it lasts


class Spells(Series):
    """The state of each node by step, as the points where it changes."""

    def __init__(self, nodes: int) -> None:
        self.steps: list[list[int]] = [[0] for _ in range(nodes)]
        self.times: list[list[float]] = [[0.0] for _ in range(nodes)]
        self.states: list[list[tuple[str, str]]] = [[("idle", "")] for _ in range(nodes)]

    def set(self, node: int, step: int, time: float, state: tuple[str, str]) -> None:
        """From this step on the node's state is `state`; within one step the last word counts."""
        if self.steps[node][-1] == step:
            self.states[node][-1] = state
        elif self.states[node][-1] != state:
            self.steps[node].append(step)
            self.times[node].append(time)
            self.states[node].append(state)

    def between(self, node: int, start: float, end: float, step: int) -> list[Spell]:
        """The spells of a node that touch that stretch of time, `step` steps having been executed."""
        times, states = self.times[node], self.states[node]
        known = bisect_right(self.steps[node], step)
        first = max(0, bisect_right(times, start, 0, known) - 1)
        last = bisect_right(times, end, 0, known)
        ends = [*times[first + 1 : min(last + 1, known)], inf]
        return [
            Spell(*state, begin, until)
            for state, begin, until in zip(states[first:last], times[first:last], ends, strict=False)
            if until > begin
        ]

    def truncate(self, step: int) -> None:
        for node, steps in enumerate(self.steps):
            kept = bisect_right(steps, step)
            del steps[kept:], self.times[node][kept:], self.states[node][kept:]

    def forget(self) -> None:
        for node in range(len(self.steps)):
            del self.steps[node][:-1], self.times[node][:-1], self.states[node][:-1]


class Lives(Observer):
    """Notes every change of a process's state.

    fold = Fold(scenario, algorithm)
    lives = Lives(fold.situation)
    fold.observe([lives])
    fold.advance(trace)         # again and again, as the trace grows
    lives.spells.between(3, 0.0, 20.0, step)
    """

    def __init__(self, situation: Situation) -> None:
        self.spells = Spells(situation.nodes)
        self._situation = situation
        for node in situation.down:
            self._note(0, 0.0, node)

    def _note(self, step: int, time: float, node: int) -> None:
        here = self._situation
        state = "inside" if node in here.inside else "wanting" if node in here.wants else "idle"
        self.spells.set(node, step, time, (state, here.down.get(node, "")))

    def on_asked(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self._note(step, time, node)

    def on_resumed(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)

    def on_left(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)

    def on_gone(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        self._note(step, time, node)

    def on_paused(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)

    def on_unpaused(self, step: int, time: float, node: int) -> None:
        self._note(step, time, node)
