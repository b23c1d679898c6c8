"""What the timeline shows of a run: when something was asked for, entered or went wrong, in grains of time."""

from __future__ import annotations

from algorithms.engine.events import DELIVER, ELECTED, ENTER, FAULT, KIND, LOST, REQUEST, TIME, Record
from algorithms.engine.faults import harms
from algorithms.engine.trace import Trace

GRAINS = 600  # the timeline's length is divided into so many

_KINDS = {REQUEST: "request", ENTER: "entry", ELECTED: "entry", LOST: "fault"}


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
            if record[KIND] != DELIVER and (name := _kind_of(record)):
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


def _kind_of(record: Record) -> str:
    """Which tick a record gets; "" if none."""
    if record[KIND] != FAULT:
        return _KINDS.get(record[KIND], "")
    return "fault" if harms(record) else "request" if record[4].do == "request" else ""
