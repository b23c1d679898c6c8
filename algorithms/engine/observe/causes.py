"""Happened-before: the causal past and the causal future of one event of a trace.

L. Lamport: Time, clocks, and the ordering of events in a distributed system, CACM 21(7), 1978.
"""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, NODE, SEQ, Record
from algorithms.engine.trace import Trace


class Cone(NamedTuple):
    """The steps causally before, or after, one step, itself included, and the messages between them."""

    steps: frozenset[int] = frozenset()
    messages: frozenset[int] = frozenset()  # serial numbers


NOTHING = Cone()


class Causes(NamedTuple):
    """The causal past and future of an event: what may have influenced it, and what it may have influenced."""

    past: Cone = NOTHING
    future: Cone = NOTHING

    @property
    def is_empty(self) -> bool:
        """Whether there is no event."""
        return not self.past.steps

    def has(self, message: Record) -> bool:
        """Whether the message is in the past or the future of the event."""
        return message[SEQ] in self.past.messages or message[SEQ] in self.future.messages


NO_CAUSES = Causes()


def causal_past(trace: Trace, step: int, first: int) -> Cone:
    """The causal past of step `step`, back to step `first`."""
    steps, received, nodes = {step}, set(), set()
    for k in range(step, first - 1, -1):
        event, *effects = trace.step(k)
        if k != step and event[NODE] not in nodes and not any(effect[SEQ] in received for effect in effects):
            continue
        steps.add(k)
        if event[NODE] >= 0:
            nodes.add(event[NODE])
        if event[KIND] == DELIVER:
            received.add(event[SEQ])
    return Cone(frozenset(steps), frozenset(received))


def causal_future(trace: Trace, step: int, last: int) -> Cone:
    """The causal future of step `step`, up to but not including step `last`."""
    steps, sent, received, nodes = {step}, set(), set(), set()
    for k in range(step, last):
        event, *effects = trace.step(k)
        is_receipt = event[KIND] == DELIVER and event[SEQ] in sent
        if k != step and event[NODE] not in nodes and not is_receipt:
            continue
        steps.add(k)
        if event[NODE] >= 0:
            nodes.add(event[NODE])
        if is_receipt:
            received.add(event[SEQ])
        sent |= {effect[SEQ] for effect in effects if effect[KIND] == DELIVER}
    return Cone(frozenset(steps), frozenset(received))
