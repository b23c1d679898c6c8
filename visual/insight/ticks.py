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

    def _begin(self, horizon: float) -> None:
        self.grains: dict[str, set[int]] = {"request": set(), "entry": set(), "fault": set()}
        self._horizon = horizon
        self._seen = 0  # records
        self._last: object = None  # the last of them

    def follow(self, trace: Trace, horizon: float) -> dict[str, set[int]]:
        """The ticks of all that has happened."""
        records = trace.records
        if (
            self._horizon != horizon
            or self._seen > len(records)
            or (self._seen and records[self._seen - 1] is not self._last)
        ):
            self._begin(horizon)
        grain = GRAINS / horizon
        for record in records[self._seen :]:
            if record[KIND] != DELIVER and (name := _kind_of(record)):
                self.grains[name].add(int(record[TIME] * grain))
        self._seen = len(records)
        self._last = records[-1] if records else None
        return self.grains


def _kind_of(record: Record) -> str:
    """Which tick a record gets; "" if none."""
    if record[KIND] != FAULT:
        return _KINDS.get(record[KIND], "")
    return "fault" if harms(record) else "request" if record[4].do == "request" else ""
