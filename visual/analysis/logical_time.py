"""The logical times of a trace.

L. Lamport: Time, clocks, and the ordering of events in a distributed system, CACM 21(7), 1978.

times = LogicalTimes(nodes)
times.follow(trace)            # again and again, as the trace grows or is cut
times.of_step(41), times.steps(3, 17)

The logical time of an event is the length of the longest chain of happened-before that ends with it: one more than that
of the event before it at the same process and, for a receipt, than that of the sending. Steps that are no event of a
process, such as the loss of a message, have none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice

from algorithms.engine.events import DELIVER, HELD, KIND, LOST, NODE, SEQ, Record
from algorithms.engine.trace import Trace

NONE = -1
"""The logical time of a step that is no event of a process."""


class LogicalTimes:
    """The logical times of all steps of a trace."""

    def __init__(self, nodes: int) -> None:
        self._times: list[int] = []  # by step
        self._at: list[list[int]] = []  # logical time -> its steps
        self._steps: list[list[int]] = [[] for _ in range(nodes)]  # node -> the steps of its events
        self.sent_in: dict[int, int] = {}  # serial number of a message -> the step that sent it
        self._received_in: dict[int, int] = {}  # and the one that received it
        self._cuts = 0  # number of cuts of the trace that have been followed

    def follow(self, trace: Trace) -> None:
        """Forget the steps that were cut off, then read the new ones."""
        if len(trace.cuts) > self._cuts:
            self._cut(min(trace.cuts[self._cuts :]))
        self._cuts = len(trace.cuts)
        records, starts, sent_in = trace.records, trace.starts, self.sent_in
        first = len(self._times)
        for k in range(first, len(trace)):
            place = k - trace.forgotten
            begin = starts[place]
            end = starts[place + 1] if place + 1 < len(starts) else len(records)
            self._read(k, records[begin])
            for at in range(begin + 1, end):
                effect = records[at]
                if effect[KIND] <= LOST and effect[SEQ] not in sent_in:  # a message; it may be re-timed later
                    sent_in[effect[SEQ]] = k
        trace.read = max(trace.read, len(self._times))

    def _read(self, k: int, event: Record) -> None:
        time = self._time_of(event)
        self._times.append(time)
        if time == NONE:
            return
        while len(self._at) <= time:
            self._at.append([])
        self._at[time].append(k)
        if event[KIND] == DELIVER:
            self._received_in[event[SEQ]] = k
        if event[NODE] >= 0:
            self._steps[event[NODE]].append(k)

    def _time_of(self, event: Record) -> int:
        if event[NODE] < 0:
            return NONE if self._times else 0  # the launch is the first event of all processes
        if event[KIND] in (LOST, HELD):
            return NONE
        before = self._steps[event[NODE]]
        time = self._times[before[-1]] if before else 0
        if event[KIND] == DELIVER and event[SEQ] in self.sent_in:
            time = max(time, self._times[self.sent_in[event[SEQ]]])
        return time + 1

    def _cut(self, common: int) -> None:
        """Forget the steps from `common` on."""
        del self._times[common:]
        for steps in self._steps:
            del steps[bisect_left(steps, common) :]
        last = [self._times[steps[-1]] if steps else 0 for steps in self._steps]  # of each node
        del self._at[max(last, default=0) + 1 :]
        for steps in self._at[min(last, default=0) :]:
            del steps[bisect_left(steps, common) :]
        self.sent_in, self._received_in = (_truncated(steps, common) for steps in (self.sent_in, self._received_in))

    # ---- queries -------------------------------------------------------------------------------------------

    def of_step(self, k: int) -> int:
        """The logical time of step `k` or, if it is no event of a process, of the last event before it."""
        while k > 0 and self._times[k] == NONE:
            k -= 1
        return self._times[k] if k >= 0 else 0

    def of_node(self, node: int, step: int) -> int:
        """The logical time of the last event of a node once `step` steps have been executed."""
        steps = self._steps[node]
        place = bisect_left(steps, step)
        return self._times[steps[place - 1]] if place else 0

    def received_in(self, serial: int) -> int | None:
        """The step that received the message with that serial number; None if there is none."""
        return self._received_in.get(serial)

    def steps(self, start: float, end: float) -> list[int]:
        """The steps from one logical time to another, in order."""
        first, last = max(0, round(start + 0.499)), min(len(self._at) - 1, int(end))
        return sorted(k for time in range(first, last + 1) for k in self._at[time])

    def count(self, start: float, end: float) -> int:
        """The number of steps from one logical time to another."""
        first, last = max(0, round(start + 0.499)), min(len(self._at) - 1, int(end))
        return sum(len(self._at[time]) for time in range(first, last + 1))

    def latest(self, step: int) -> int:
        """The greatest logical time among the first `step` steps."""
        reached = [self._times[steps[place - 1]] for steps in self._steps if (place := bisect_right(steps, step - 1))]
        return max(reached, default=0)


def _truncated(steps: dict[int, int], step: int) -> dict[int, int]:
    """The entries whose value is below `step`, of a dictionary with ascending values; the shorter part is copied."""
    count = bisect_left(list(steps.values()), step)
    if 2 * count < len(steps):
        return dict(islice(steps.items(), count))
    for _ in range(count, len(steps)):
        steps.popitem()
    return steps
