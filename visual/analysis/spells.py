"""Spells: the states of each process over time, folded from the trace, idle, waiting, inside, down."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from math import ceil, inf
from typing import NamedTuple, TypeAlias

from algorithms.engine.applications import IDLE, INSIDE, WANTING
from algorithms.engine.events import MESSAGE, SENT, Record
from algorithms.engine.membership import GONE
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Log, Series
from algorithms.engine.process import Algorithm
from visual.analysis.logical_time import LogicalTimes

_MOST_COMPARED = 6  # spells in one part of a coarse view of which the busiest is taken


Claims: TypeAlias = tuple[tuple[int, str], ...]
"""Where there are several resources: those that a process has or waits for, as (resource, state)."""


class NodeState(NamedTuple):
    """The state of a process."""

    state: str  # idle, wanting or inside
    down: str  # paused, crashed or absent; "" while it is up
    claims: Claims = ()

    @property
    def is_gone(self) -> bool:
        """Whether the process has crashed or takes no part."""
        return self.down in GONE


class Spell(NamedTuple):
    """A time during which the state of a process does not change."""

    state: str
    down: str
    claims: Claims
    start: float
    end: float  # infinite while it lasts

    @property
    def is_gone(self) -> bool:
        """Whether the process has crashed or takes no part."""
        return self.down in GONE


def _part(offset: float, width: float) -> int:
    """The number, from 1, of the part of that width which contains the offset."""
    return max(1, ceil(offset / width))


def _busiest(states: list[NodeState]) -> NodeState:
    """The first state inside the critical section or, failing that, the first waiting one."""
    busiest = states[0]
    for candidate in states:
        if candidate.state == "inside":
            return candidate
        if candidate.state == "wanting" and busiest.state == "idle":
            busiest = candidate
    return busiest


class TermMark(NamedTuple):
    """The beginning of a term, or the moment at which it has its leader."""

    step: int
    time: float
    term: int
    is_led: bool


class Spells(Series):
    """The state of each node by step, as the points where it changes; and the terms of elections."""

    def __init__(self, nodes: int) -> None:
        self.terms: Log[TermMark] = Log()
        self.steps: list[list[int]] = [[0] for _ in range(nodes)]
        self.times: list[list[float]] = [[0.0] for _ in range(nodes)]
        self.states: list[list[NodeState]] = [[NodeState(IDLE, "")] for _ in range(nodes)]

    def set(self, node: int, step: int, time: float, state: NodeState) -> None:
        """Let the node's state be `state` from this step on; within one step the last call counts."""
        if self.steps[node][-1] == step:
            self.states[node][-1] = state
        elif self.states[node][-1] != state:
            self.steps[node].append(step)
            self.times[node].append(time)
            self.states[node].append(state)

    def between(
        self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None = None
    ) -> list[Spell]:
        """The spells of a node that overlap the time from `start` to `end`, as of step `step`.

        With `logical` all times are logical times.
        """
        place = self._places(node, logical)
        first, last, count = self._stretch(node, start, end, step, logical)
        begins = [place(k) for k in range(first, last)]
        ends = [*begins[1:], place(last) if last < count else inf]
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
        """As `between`, where the spells are too many to draw: one state for each of `parts` equal parts of the time.

        It is the busiest state that begins in the part or, where none does, the one before. Spells that end by `since`
        may be left out.
        """
        place = self._places(node, logical)
        first, end_of_all, count = self._stretch(node, start, end, step, logical)
        states, width = self.states[node], (end - start) / parts
        if since > start:
            latest = place(max(first, bisect_right(range(count), since, key=place) - 1))
            part = start + width * (_part(latest - start, width) - 1)
            first = bisect_right(range(count), part, key=place) if part > start else first
        spells: list[Spell] = []
        while first < end_of_all:
            until = start + width * _part(place(first) - start, width)
            last = max(first + 1, bisect_right(range(count), until, first, end_of_all, key=place))
            state = _busiest(states[first : min(last, first + _MOST_COMPARED)])
            begin = max(place(first), start)
            if not spells or spells[-1][:3] != state:
                spells.append(Spell(*state, begin, until))
            first = last
        ends = [*(spell.start for spell in spells[1:]), inf if end_of_all == count else end]
        return [spell._replace(end=until) for spell, until in zip(spells, ends, strict=True)]

    def count(self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None = None) -> int:
        """The number of spells of the node that overlap the time from `start` to `end`."""
        first, last, _ = self._stretch(node, start, end, step, logical)
        return last - first

    def _stretch(
        self, node: int, start: float, end: float, step: int, logical: LogicalTimes | None
    ) -> tuple[int, int, int]:
        """The first spell in that time, the one after the last, and the number of spells as of `step`."""
        count = bisect_right(self.steps[node], step)
        if logical is None:
            times = self.times[node]
            return max(0, bisect_right(times, start, 0, count) - 1), bisect_right(times, end, 0, count), count
        place = self._places(node, logical)
        first = bisect_right(range(count), start, key=place) - 1
        return max(0, first), bisect_right(range(count), end, key=place), count

    def _places(self, node: int, logical: LogicalTimes | None) -> Callable[[int], float]:
        """The function from k to the time at which the node's k-th spell begins."""
        if logical is None:
            return self.times[node].__getitem__
        steps = self.steps[node]
        return lambda k: float(logical.of_step(steps[k] - 1))

    def truncate(self, step: int) -> None:
        self.terms.truncate(step)
        for node, steps in enumerate(self.steps):
            count = bisect_right(steps, step)
            del steps[count:], self.times[node][count:], self.states[node][count:]

    def forget(self) -> None:
        for node in range(len(self.steps)):
            del self.steps[node][:-1], self.times[node][:-1], self.states[node][:-1]


class SpellObserver(Observer):
    """Records every change of a process's state.

    fold = Fold(scenario, algorithm)
    observer = SpellObserver(fold.situation)
    fold.observe([observer, *term_observers(observer.spells, algorithm)])
    fold.advance(trace)         # again and again, as the trace grows
    observer.spells.between(3, 0.0, 20.0, step)
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


def term_observers(spells: Spells, algorithm: Algorithm) -> list[Observer]:
    """The observer that records the terms of elections; none for an algorithm without terms."""
    return [_TermObserver(spells, algorithm.terms)] if algorithm.terms else []


class _TermObserver(Observer):
    """Records when the terms begin and when they have their leaders; `field` of a message is its term."""

    def __init__(self, spells: Spells, field: str) -> None:
        self._spells = spells
        self._field = field

    def on_sent(self, step: int, record: Record) -> None:
        term = getattr(record[MESSAGE], self._field, 0)
        if term > self._latest_term():
            self._spells.terms.add(step, TermMark(step, record[SENT], term, False))

    def on_elected(self, step: int, time: float, node: int, leader: int, term: int) -> None:
        marks = self._spells.terms.values
        if term and term == self._latest_term() and leader == node and not marks[-1].is_led:
            self._spells.terms.add(step, TermMark(step, time, term, True))

    def _latest_term(self) -> int:
        marks = self._spells.terms.values
        return marks[-1].term if marks else 0
