"""What happened before an event, in Lamport's sense (CACM 21(7), 1978): through the same process, or by a message."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, NODE, SEQ
from algorithms.engine.trace import Trace


class Past(NamedTuple):
    """The steps of a stretch that can have influenced one of them, itself included, and the messages by which."""

    steps: frozenset[int] = frozenset()
    messages: frozenset[int] = frozenset()  # serial numbers


NOTHING = Past()


def past(trace: Trace, step: int, first: int) -> Past:
    """The causal past of step `step`, as far back as step `first`."""
    steps, arrived, nodes = {step}, set(), set()
    for k in range(step, first - 1, -1):
        event, *effects = trace.step(k)
        if k != step and event[NODE] not in nodes and not any(effect[SEQ] in arrived for effect in effects):
            continue
        steps.add(k)
        nodes.add(event[NODE])
        if event[KIND] == DELIVER:
            arrived.add(event[SEQ])
    return Past(frozenset(steps), frozenset(arrived))
