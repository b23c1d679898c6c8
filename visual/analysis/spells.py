"""What each process has been over time, folded from the trace: idle, wanting, inside, gone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from math import ceil, inf
from typing import NamedTuple, TypeAlias

from algorithms.engine.applications import IDLE, INSIDE, WANTING
from algorithms.engine.membership import GONE
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Series
from visual.analysis.logical_time import LogicalTimes

_GLIMPSED = 6  # spells of a glimpsed part that are looked at


Claims: TypeAlias = tuple[tuple[int, str], ...]
"""Of several resources those that a process is in the critical section of, or wants: (resource, state)."""


class NodeState(NamedTuple):
    """What a process is."""

    state: str  # idle, wanting or inside
    down: str  # paused, crashed, absent or, mostly, nothing
    claims: Claims = ()

    @property
    def is_gone(self) -> bool:
        """Whether the process has crashed or takes no part."""
        return self.down in GONE


class Spell(NamedTuple):
    """A stretch of a process's life."""

    state: str
    down: str
    claims: Claims
    start: float
    end: float  # infinite while it lasts

    @property
    def is_gone(self) -> bool:
        """Whether the process has crashed or takes no part."""
        return self.down in GONE


def _part(far: float, width: float) -> int:
    """The number, from 1, of the part of that width in which something so far from the beginning is."""
    return max(1, ceil(far / width))


def _busiest(lives: list[NodeState]) -> NodeState:
    """The first of those that must be seen rather than the others."""
    found = lives[0]
    for life in lives:
        if life.state == INSIDE:
            return life
        if life.state == WANTING and found.state == IDLE:
            found = life
    return found


class Spells(Series):
    """The state of each node by step, as the points where it changes."""

    def __init__(self, nodes: int) -> None:
        self.steps: list[list[int]] = [[0] for _ in range(nodes)]
        self.times: list[list[float]] = [[0.0] for _ in range(nodes)]
        self.states: list[list[NodeState]] = [[NodeState(IDLE, "")] for _ in range(nodes)]

    def set(self, node: int, step: int, time: float, state: NodeState) -> None:
        """From this step on the node's state is `state`; within one step the last word counts."""
        if self.steps[node][-1] == step:
            self.states[node][-1] = state
        elif self.states[node][-1] != state:
            self.steps[node].append(step)
            self.times[node].append(time)
            self.states[node].append(state)

    def between(
        self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None = None
    ) -> list[Spell]:
        """The spells of a node that touch that stretch of time, `step` steps having been executed.

        With `depths` the stretch and the spells are in logical time.
        """
        place = self._places(node, logical)
        first, last, known = self._stretch(node, start, end, step, logical)
        begins = [place(k) for k in range(first, last)]
        ends = [*begins[1:], place(last) if last < known else inf]
        return [
            Spell(*state, begin, until)
            for state, begin, until in zip(self.states[node][first:last], begins, ends, strict=True)
            if until > begin
        ]

    def coarse_between(
        self,
        node: int,
        start: float,
        end: float,
        step: int,
        parts: int,
        logical: LogicalTimes | None = None,
        since: float = -inf,
    ) -> list[Spell]:
        """The same where there are too many to be told apart: what there is in each of so many parts of the stretch.

        That is the busiest state which begins in the part; where none does, the one before lasts. What is over by
        `since` may be left out.
        """
        place = self._places(node, logical)
        first, end_of_all, known = self._stretch(node, start, end, step, logical)
        states, width = self.states[node], (end - start) / parts
        if since > start:
            latest = place(max(first, bisect_right(range(known), since, key=place) - 1))
            part = start + width * (_part(latest - start, width) - 1)
            first = bisect_right(range(known), part, key=place) if part > start else first
        found: list[Spell] = []
        while first < end_of_all:
            until = start + width * _part(place(first) - start, width)
            last = max(first + 1, bisect_right(range(known), until, first, end_of_all, key=place))
            state = _busiest(states[first : min(last, first + _GLIMPSED)])
            begin = max(place(first), start)
            if not found or found[-1][:3] != state:
                found.append(Spell(*state, begin, until))
            first = last
        ends = [*(spell.start for spell in found[1:]), inf if end_of_all == known else end]
        return [spell._replace(end=until) for spell, until in zip(found, ends, strict=True)]

    def count(self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None = None) -> int:
        """How many spells of the node touch that stretch of time."""
        first, last, _ = self._stretch(node, start, end, step, logical)
        return last - first

    def _stretch(
        self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None
    ) -> tuple[int, int, int]:
        """The first spell in that stretch of time, the one after the last, and how many are known at that step."""
        known = bisect_right(self.steps[node], step)
        if logical is None:
            times = self.times[node]
            return max(0, bisect_right(times, start, 0, known) - 1), bisect_right(times, end, 0, known), known
        place = self._places(node, logical)
        first = bisect_right(range(known), start, key=place) - 1
        return max(0, first), bisect_right(range(known), end, key=place), known

    def _places(self, node: int, logical: LogicalTimes | None) -> Callable[[int], float]:
        """Where on the axis the k-th spell of a node begins."""
        if logical is None:
            return self.times[node].__getitem__
        steps = self.steps[node]
        return lambda k: float(logical.of_step(steps[k] - 1))

    def truncate(self, step: int) -> None:
        for node, steps in enumerate(self.steps):
            kept = bisect_right(steps, step)
            del steps[kept:], self.times[node][kept:], self.states[node][kept:]

    def forget(self) -> None:
        for node in range(len(self.steps)):
            del self.steps[node][:-1], self.times[node][:-1], self.states[node][:-1]


class SpellObserver(Observer):
    """Notes every change of a process's state.

    fold = Fold(scenario, algorithm)
    lives = SpellObserver(fold.situation)
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
        state = INSIDE if here.is_inside(node) else WANTING if here.is_waiting(node) else IDLE
        self.spells.set(node, step, time, NodeState(state, here.down.get(node, ""), self._claims(node)))

    def _claims(self, node: int) -> Claims:
        here = self._situation
        if not here.has_several_resources:
            return ()
        states = ((INSIDE, here.inside), (WANTING, here.waiting))
        return tuple(
            sorted((seat[0], state) for state, taken in states for seat in here.seats_of(node) if seat in taken)
        )

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
