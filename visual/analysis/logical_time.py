"""Logical time: the length of the longest chain of happened-before that ends with an event (Lamport, CACM 21(7), 1978).

depths = LogicalTimes(nodes)
depths.follow(trace)            # again and again, as the trace grows or is cut
depths.of_step(41), depths.steps(3, 17)

An event of a process is one later than the one before it at the same process, and later than the sending of the
message that it receives. What is no event of a process, such as the loss of a message, has none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import NamedTuple

from algorithms.engine.events import DELIVER, HELD, KIND, LOST, NODE, SEQ, Record
from algorithms.engine.trace import Trace

NONE = -1
"""The depth of what is no event of a process."""


class LogicalTimes:
    """The logical times of all steps of a trace."""

    def __init__(self, nodes: int) -> None:
        self._times: list[int] = []  # by step
        self._at: list[list[int]] = []  # depth -> its steps
        self._steps: list[list[int]] = [[] for _ in range(nodes)]  # node -> the steps of its events
        self.sent_in: dict[int, int] = {}  # serial number of a message -> the step that sent it
        self._received_in: dict[int, int] = {}  # and the one that received it
        self._cuts = 0  # how many cuts of the trace have been heeded

    def follow(self, trace: Trace) -> None:
        """Read what is new; what has been cut off is forgotten first."""
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
        depth = self._depth_of(event)
        self._times.append(depth)
        if depth == NONE:
            return
        while len(self._at) <= depth:
            self._at.append([])
        self._at[depth].append(k)
        if event[KIND] == DELIVER:
            self._received_in[event[SEQ]] = k
        if event[NODE] >= 0:
            self._steps[event[NODE]].append(k)

    def _depth_of(self, event: Record) -> int:
        if event[NODE] < 0:
            return NONE if self._times else 0  # the launch is the first event of all processes
        if event[KIND] in (LOST, HELD):
            return NONE
        before = self._steps[event[NODE]]
        depth = self._times[before[-1]] if before else 0
        if event[KIND] == DELIVER and event[SEQ] in self.sent_in:
            depth = max(depth, self._times[self.sent_in[event[SEQ]]])
        return depth + 1

    def _cut(self, common: int) -> None:
        """Forget all steps but the first ones that the trace still has in common with what was read."""
        del self._times[common:]
        for steps in self._steps:
            del steps[bisect_left(steps, common) :]
        last = [self._times[steps[-1]] if steps else 0 for steps in self._steps]  # of each node
        del self._at[max(last, default=0) + 1 :]
        for steps in self._at[min(last, default=0) :]:
            del steps[bisect_left(steps, common) :]
        self.sent_in, self._received_in = (_cut_off(found, common) for found in (self.sent_in, self._received_in))

    # ---- asking --------------------------------------------------------------------------------------------

    def of_step(self, k: int) -> int:
        """The logical time of step k; that of the last event before it if it is no event of a process."""
        while k > 0 and self._times[k] == NONE:
            k -= 1
        return self._times[k] if k >= 0 else 0

    def of_node(self, node: int, step: int) -> int:
        """The logical time of the last event of a node once `step` steps have been executed."""
        steps = self._steps[node]
        place = bisect_left(steps, step)
        return self._times[steps[place - 1]] if place else 0

    def received_in(self, serial: int) -> int | None:
        """The step in which that message was received; None if it was not."""
        return self._received_in.get(serial)

    def steps(self, start: float, end: float) -> list[int]:
        """The steps from one logical time to another, in order."""
        first, last = max(0, round(start + 0.499)), min(len(self._at) - 1, int(end))
        return sorted(k for depth in range(first, last + 1) for k in self._at[depth])

    def count(self, start: float, end: float) -> int:
        """How many steps there are from one logical time to another."""
        first, last = max(0, round(start + 0.499)), min(len(self._at) - 1, int(end))
        return sum(len(self._at[depth]) for depth in range(first, last + 1))

    def latest(self, step: int) -> int:
        """The greatest logical time among the first `step` steps."""
        reached = [self._times[steps[place - 1]] for steps in self._steps if (place := bisect_right(steps, step - 1))]
        return max(reached, default=0)


def _cut_off(found: dict[int, int], step: int) -> dict[int, int]:
    """What is found before that step, in a dictionary filled step by step: the shorter part of it is gone through."""
    kept = bisect_left(list(found.values()), step)
    if 2 * kept < len(found):
        return dict(islice(found.items(), kept))
    for _ in range(kept, len(found)):
        found.popitem()
    return found


class Cone(NamedTuple):
    """The steps of a stretch that are causally before, or after, one of them, itself included, and the messages."""

    steps: frozenset[int] = frozenset()
    messages: frozenset[int] = frozenset()  # serial numbers


NOTHING = Cone()


class Causes(NamedTuple):
    """What can have influenced an event, and what it can have influenced."""

    past: Cone = NOTHING
    future: Cone = NOTHING

    @property
    def is_empty(self) -> bool:
        """Whether no event is meant."""
        return not self.past.steps

    def has(self, message: Record) -> bool:
        """Whether the message led to the event, or came of it."""
        return message[SEQ] in self.past.messages or message[SEQ] in self.future.messages


NO_CAUSES = Causes()


def past(trace: Trace, step: int, first: int) -> Cone:
    """The causal past of step `step`, as far back as step `first`."""
    steps, arrived, nodes = {step}, set(), set()
    for k in range(step, first - 1, -1):
        event, *effects = trace.step(k)
        if k != step and event[NODE] not in nodes and not any(effect[SEQ] in arrived for effect in effects):
            continue
        steps.add(k)
        if event[NODE] >= 0:
            nodes.add(event[NODE])
        if event[KIND] == DELIVER:
            arrived.add(event[SEQ])
    return Cone(frozenset(steps), frozenset(arrived))


def future(trace: Trace, step: int, last: int) -> Cone:
    """The causal future of step `step`, as far as before step `last`."""
    steps, sent, arrived, nodes = {step}, set(), set(), set()
    for k in range(step, last):
        event, *effects = trace.step(k)
        comes = event[KIND] == DELIVER and event[SEQ] in sent
        if k != step and event[NODE] not in nodes and not comes:
            continue
        steps.add(k)
        if event[NODE] >= 0:
            nodes.add(event[NODE])
        if comes:
            arrived.add(event[SEQ])
        sent |= {effect[SEQ] for effect in effects if effect[KIND] == DELIVER}
    return Cone(frozenset(steps), frozenset(arrived))
