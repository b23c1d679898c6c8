"""What one node has taken part in: its own events, which are all that it can know of a run."""

from __future__ import annotations

from typing import Any, NamedTuple

from algorithms.engine.events import DELIVER, FAULT, HELD, KIND, KINDS, LAUNCH, LOST, MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.timeline import Timeline

NOTICED = ("request", "act", "crash", "recover", "join", "leave")
"""The interventions that a node notices."""


class NodeView(NamedTuple):
    """Everything that a node can tell: its events in order, its variables, and its running timers."""

    events: tuple[tuple[Any, ...], ...]
    variables: dict[str, Any]
    timers: tuple[str, ...]


def view_of(timeline: Timeline, node: int) -> NodeView:
    """What the node can tell at the present step."""
    run = timeline.simulation
    steps = (timeline.trace.step(k) for k in range(timeline.step))
    events = tuple(_event(records, node) for records in steps if is_own(records, node))
    timers = tuple(sorted(name for owner, name in run.timers.due if owner == node))
    return NodeView(events, dict(vars(run.processes[node])), timers)


def is_own(records: list[Record], node: int) -> bool:
    """Whether a node takes part in the step, and so notices it."""
    event = records[0]
    if event[KIND] == LAUNCH:
        return True
    if event[NODE] != node or event[KIND] in (LOST, HELD):
        return False
    if event[KIND] == FAULT:
        return event[4].do in NOTICED
    return not any(effect[KIND] == LOST and effect[SEQ] == event[SEQ] for effect in records[1:])


def _event(records: list[Record], node: int) -> tuple[Any, ...]:
    """A step as the node knows it: what came, and what it did, without times and serial numbers."""
    event, *effects = records
    came = (event[MESSAGE], event[SENDER]) if event[KIND] == DELIVER else (event[4].do,) if event[KIND] == FAULT else ()
    name = (event[4],) if KINDS[event[KIND]] == "timer" else ()
    sent = tuple((e[MESSAGE], e[NODE]) for e in effects if e[KIND] == DELIVER and e[SENDER] == node)
    did = tuple(e[KIND] for e in effects if e[KIND] not in (DELIVER, LOST) and e[NODE] == node)
    return (event[KIND], *came, *name, sent, did)
