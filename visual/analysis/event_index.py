"""Which steps of a run are of which kind and of which node: the index behind the list of events.

It grows with the trace; what is listed at the moment is kept and added to, so that a run of a hundred thousand steps is
not gone through again for every frame.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from algorithms.engine.events import (
    DELIVER,
    ELECTED,
    ENTER,
    FAULT,
    HELD,
    KIND,
    LEAVE,
    LOST,
    REQUEST,
    RESUMED,
    SENDER,
    TIME,
    TIMER,
    Record,
    node_of,
)
from algorithms.engine.faults import harms
from algorithms.engine.trace import Trace

KINDS = ("requests", "entries", "messages", "timers", "faults")
_REQUEST, _ENTRY, _MESSAGE, _TIMER, _FAULT = (1 << place for place in range(len(KINDS)))
_NOTABLE = 1 << len(KINDS)  # somebody enters or is elected, or something is done to the run

_EVENTS = {DELIVER: _MESSAGE, LOST: _FAULT, TIMER: _TIMER, REQUEST: _REQUEST, LEAVE: _ENTRY, FAULT: _FAULT | _NOTABLE}
_EFFECTS = {ENTER: _ENTRY | _NOTABLE, RESUMED: _ENTRY, ELECTED: _ENTRY | _NOTABLE, LOST: _FAULT}
_IS_NOTABLE = bytes(bool(kinds & _NOTABLE) for kinds in range(256))


def nodes_of(step: list[Record]) -> tuple[int, ...]:
    """The node at which a step happens, if it is one's; of a message that is lost, both its ends."""
    node, event = node_of(step), step[0]
    if event[KIND] == LOST and event[SENDER] != node:
        return (node, event[SENDER])
    return (node,) if node >= 0 else ()


class EventFilter(NamedTuple):
    """What is to be listed: the steps of these kinds, and only those of a node, if one is given."""

    kinds: frozenset[str] = frozenset(KINDS)
    node: int | None = None


class EventIndex:
    """The index of one trace. Step k is the one counted from 0."""

    def __init__(self) -> None:
        self._kinds = bytearray()  # of each step, as bits; 0 for the launch, which is always listed
        self._of_node: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))  # its steps
        self._cuts = 0  # how many cuts of the trace have been heeded
        self._question = EventFilter()
        self._found = array("I")  # the answer, as far as it has been looked for
        self._looked = 0  # how many steps that is; of a node's own, if one is asked about

    def follow(self, trace: Trace) -> None:
        """Read what is new in the trace, after forgetting what was cut off."""
        for cut in trace.cuts[self._cuts :]:
            self._truncate(cut)
        self._cuts = len(trace.cuts)
        for step in range(len(self._kinds), len(trace)):
            self._read(step, trace.step(step))
        trace.read = max(trace.read, len(self._kinds))

    def steps(self, question: EventFilter) -> Sequence[int]:
        """The steps that were asked for, in order."""
        if question == EventFilter():
            return range(len(self._kinds))
        if question != self._question:
            self._question, self._found, self._looked = question, array("I"), 0
        wanted = sum(1 << place for place, kind in enumerate(KINDS) if kind in question.kinds)
        let_through = bytes(not kinds or bool(kinds & wanted) for kinds in range(256))
        if question.node is None:
            new: Sequence[int] = range(self._looked, len(self._kinds))
            kinds: Iterable[int] = self._kinds[self._looked :]
        else:
            new = self._of_node[question.node][self._looked :]
            kinds = map(self._kinds.__getitem__, new)
        self._found.extend(compress(new, bytes(kinds).translate(let_through)))
        self._looked += len(new)
        return self._found

    def notable(self, present: int, direction: int) -> int | None:
        """The nearest notable step after the state after `present` steps, or (-1) before the step that led to it."""
        flags = self._kinds.translate(_IS_NOTABLE)
        found = flags.find(1, present) if direction > 0 else flags.rfind(1, 0, max(present - 1, 0))
        return found if found >= 0 else None

    def _read(self, step: int, records: list[Record]) -> None:
        event = records[0]
        kind = event[4][KIND] if event[KIND] == HELD else event[KIND]
        bits = _REQUEST | _NOTABLE if kind == FAULT and event[4].do == "request" else _EVENTS.get(kind, 0)
        for effect in records[1:]:
            bits |= _EFFECTS.get(effect[KIND], 0)
        self._kinds.append(bits)
        for node in nodes_of(records):
            self._of_node[node].append(step)

    def _truncate(self, step: int) -> None:
        del self._kinds[step:]
        for steps in self._of_node.values():
            del steps[bisect_left(steps, step) :]
        del self._found[bisect_left(self._found, step) :]
        node = self._question.node
        self._looked = min(self._looked, len(self._kinds if node is None else self._of_node[node]))


GRAINS = 600  # the timeline's length is divided into so many

_TICK_KINDS = {REQUEST: "request", ENTER: "entry", ELECTED: "entry", LOST: "fault"}


class Ticks:
    """Kind of tick -> the grains that hold one. Kept up with a trace that grows, or is cut and grows anew."""

    def __init__(self) -> None:
        self._begin(1.0)
        self._cuts = 0  # how many cuts of the trace have been heeded

    def _begin(self, horizon: float) -> None:
        self.grains: dict[str, set[int]] = {"request": set(), "entry": set(), "fault": set()}
        self._horizon = horizon
        self._steps = 0  # how many have been read

    def follow(self, trace: Trace, horizon: float) -> dict[str, set[int]]:
        """The ticks of all that has happened."""
        self._rescale(horizon)
        cut = min(trace.cuts[self._cuts :], default=self._steps)
        self._cuts = len(trace.cuts)
        if cut < self._steps:
            self._forget(trace, cut)
        rate = GRAINS / horizon
        first = trace.starts[self._steps] if self._steps < len(trace) else len(trace.records)
        for record in trace.records[first:]:
            if record[KIND] != DELIVER and (name := _tick_kind(record)):
                self.grains[name].add(int(record[TIME] * rate))
        self._steps = len(trace)
        trace.read = max(trace.read, self._steps)
        return self.grains

    def _rescale(self, horizon: float) -> None:
        """Another length of the timeline: where it is doubled, two grains become one."""
        while 0 < self._horizon < horizon:
            self._horizon *= 2
            self.grains = {name: {grain // 2 for grain in found} for name, found in self.grains.items()}
        if self._horizon != horizon:
            self._begin(horizon)

    def _forget(self, trace: Trace, step: int) -> None:
        """Forget what came after that step; the grain in which it was is read again, with the one before."""
        last = int(trace.event(step - 1)[TIME] * GRAINS / self._horizon) if step else 0
        self.grains = {name: {grain for grain in found if grain < last} for name, found in self.grains.items()}
        self._steps = min(step, trace.steps_until((last - 1) * self._horizon / GRAINS))


def _tick_kind(record: Record) -> str:
    """Which tick a record gets; "" if none."""
    if record[KIND] != FAULT:
        return _TICK_KINDS.get(record[KIND], "")
    return "fault" if harms(record) else "request" if record[4].do == "request" else ""
