"""What happened before an event and after it, in Lamport's sense: through the same process, or by a message.

(L. Lamport: Time, clocks, and the ordering of events in a distributed system, CACM 21(7), 1978.)
"""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, NODE, SEQ
from algorithms.engine.trace import Trace
from visual.analysis.flights import MessageFlight


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

    def has(self, flight: MessageFlight) -> bool:
        """Whether the message led to the event, or came of it."""
        return flight.record[SEQ] in self.past.messages or flight.record[SEQ] in self.future.messages


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
