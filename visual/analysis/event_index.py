"""Indexes of a trace: the steps by kind and node, for the list of events, and the ticks of the timeline.

Both grow with the trace. The answer to the latest filter is extended instead of recomputed, since a run may have a
hundred thousand steps and the list is drawn in every frame.
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
_NOTABLE = 1 << len(KINDS)  # an entry, an election or an intervention

_EVENTS = {DELIVER: _MESSAGE, LOST: _FAULT, TIMER: _TIMER, REQUEST: _REQUEST, LEAVE: _ENTRY, FAULT: _FAULT | _NOTABLE}
_EFFECTS = {ENTER: _ENTRY | _NOTABLE, RESUMED: _ENTRY, ELECTED: _ENTRY | _NOTABLE, LOST: _FAULT}
_IS_NOTABLE = bytes(bool(kinds & _NOTABLE) for kinds in range(256))


def _listed_under(step: list[Record]) -> tuple[int, ...]:
    """The nodes in whose list a step appears: the one where it happens, and both ends of a lost message."""
    node, event = node_of(step), step[0]
    if event[KIND] == LOST and event[SENDER] != node:
        return (node, event[SENDER])
    return (node,) if node >= 0 else ()


class EventFilter(NamedTuple):
    """Lets through the steps of these kinds and, if a node is given, only those listed under it."""

    kinds: frozenset[str] = frozenset(KINDS)
    node: int | None = None


class EventIndex:
    """The steps of one trace, counted from 0, by kind and node."""

    def __init__(self) -> None:
        self._kinds = bytearray()  # of each step, as bits; 0 for the launch, which is always listed
        self._of_node: defaultdict[int, array[int]] = defaultdict(lambda: array("I"))  # node -> its steps
        self._cuts = 0  # number of cuts of the trace that have been followed
        self._filter = EventFilter()
        self._matches = array("I")  # the steps that pass the filter, among those searched
        self._searched = 0  # number of steps searched; where the filter names a node, of that node's

    def follow(self, trace: Trace) -> None:
        """Forget the steps that were cut off, then read the new ones."""
        for cut in trace.cuts[self._cuts :]:
            self._truncate(cut)
        self._cuts = len(trace.cuts)
        for step in range(len(self._kinds), len(trace)):
            self._read(step, trace.step(step))
        trace.read = max(trace.read, len(self._kinds))

    def steps(self, wanted: EventFilter) -> Sequence[int]:
        """The steps that pass the filter, in order."""
        if wanted == EventFilter():
            return range(len(self._kinds))
        if wanted != self._filter:
            self._filter, self._matches, self._searched = wanted, array("I"), 0
        mask = sum(1 << place for place, kind in enumerate(KINDS) if kind in wanted.kinds)
        passes = bytes(not kinds or bool(kinds & mask) for kinds in range(256))
        if wanted.node is None:
            new: Sequence[int] = range(self._searched, len(self._kinds))
            kinds: Iterable[int] = self._kinds[self._searched :]
        else:
            new = self._of_node[wanted.node][self._searched :]
            kinds = map(self._kinds.__getitem__, new)
        self._matches.extend(compress(new, bytes(kinds).translate(passes)))
        self._searched += len(new)
        return self._matches

    def notable(self, present: int, direction: int) -> int | None:
        """The next notable step once `present` steps have been executed; with direction -1 the one before the last."""
        flags = self._kinds.translate(_IS_NOTABLE)
        step = flags.find(1, present) if direction > 0 else flags.rfind(1, 0, max(present - 1, 0))
        return step if step >= 0 else None

    def _read(self, step: int, records: list[Record]) -> None:
        event = records[0]
        kind = event[4][KIND] if event[KIND] == HELD else event[KIND]
        bits = _REQUEST | _NOTABLE if kind == FAULT and event[4].do == "request" else _EVENTS.get(kind, 0)
        for effect in records[1:]:
            bits |= _EFFECTS.get(effect[KIND], 0)
        self._kinds.append(bits)
        for node in _listed_under(records):
            self._of_node[node].append(step)

    def _truncate(self, step: int) -> None:
        del self._kinds[step:]
        for steps in self._of_node.values():
            del steps[bisect_left(steps, step) :]
        del self._matches[bisect_left(self._matches, step) :]
        node = self._filter.node
        self._searched = min(self._searched, len(self._kinds if node is None else self._of_node[node]))


GRAINS = 600  # equal parts of the timeline, of which each shows at most one tick of a kind

_TICK_KINDS = {REQUEST: "request", ENTER: "entry", ELECTED: "entry", LOST: "fault"}


class Ticks:
    """The grains of a timeline with a request, an entry or a fault, for a trace that grows or is cut."""

    def __init__(self) -> None:
        self._begin(1.0)
        self._cuts = 0  # number of cuts of the trace that have been followed

    def _begin(self, horizon: float) -> None:
        self.grains: dict[str, set[int]] = {"request": set(), "entry": set(), "fault": set()}
        self._horizon = horizon
        self._steps = 0  # number of steps read

    def follow(self, trace: Trace, horizon: float) -> dict[str, set[int]]:
        """Read the new part of the trace; return kind of tick -> grains, on a timeline of length `horizon`."""
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
        """Change the length of the timeline; each time it doubles, two grains become one."""
        while 0 < self._horizon < horizon:
            self._horizon *= 2
            self.grains = {name: {grain // 2 for grain in grains} for name, grains in self.grains.items()}
        if self._horizon != horizon:
            self._begin(horizon)

    def _forget(self, trace: Trace, step: int) -> None:
        """Forget the ticks from `step` on, and mark its grain and the one before to be read again."""
        last = int(trace.event(step - 1)[TIME] * GRAINS / self._horizon) if step else 0
        self.grains = {name: {grain for grain in grains if grain < last} for name, grains in self.grains.items()}
        self._steps = min(step, trace.steps_until((last - 1) * self._horizon / GRAINS))


def _tick_kind(record: Record) -> str:
    """The kind of tick for a record; "" for none."""
    if record[KIND] != FAULT:
        return _TICK_KINDS.get(record[KIND], "")
    return "fault" if harms(record) else "request" if record[4].do == "request" else ""
