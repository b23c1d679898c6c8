"""Why a node is waiting, worked out from the run: whom it waits for, and what keeps each of them."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, Record
from algorithms.engine.faults import CRASHED, PAUSED
from algorithms.engine.simulation import Simulation
from visual.scene.words import message_label, node_name, nodes_listed

_MOST_NAMED = 6  # of those who are waited for


class Reason(NamedTuple):
    """A sentence; `alarming` if waiting will never end because of it."""

    words: str
    alarming: bool = False


def reasons(run: Simulation, node: int) -> list[Reason]:
    """Why `node` is not in the critical section yet; nothing if it is not waiting."""
    process = run.processes[node]
    if run.down.get(node):
        return [Reason(f"{node_name(node)} itself is {run.down[node]}.", run.down[node] == CRASHED)]
    if not getattr(process, "wants", False):
        return []
    awaited = [other for other in sorted(set(process.waiting_for())) if other != node]
    if not awaited:
        return _no_one(run, node)
    flights = [entry for entry in run.queue.entries() if entry[KIND] == DELIVER]
    named = awaited[:_MOST_NAMED]
    found = [Reason(_summary(awaited))]
    found += [reason for other in named for reason in _keeps(run, flights, node, other)]
    circle = cycle(run, node)
    if circle:
        path = " → ".join(map(node_name, [*circle, circle[0]]))
        found.append(Reason(f"A circle of waiting: {path}. None of them can go on.", True))
    return found


def _no_one(run: Simulation, node: int) -> list[Reason]:
    if run.algorithm.token is not None:
        return [Reason(f"{node_name(node)} waits for the token.")]
    return [Reason(f"{node_name(node)} waits for no particular node.")]


def _summary(awaited: list[int]) -> str:
    if len(awaited) > _MOST_NAMED:
        return f"It waits for {len(awaited)} nodes."
    return f"It waits for {nodes_listed(awaited)}."


def _keeps(run: Simulation, flights: list[Record], node: int, other: int) -> list[Reason]:
    """What keeps `other` from letting `node` go on."""
    who = node_name(other)
    down = run.down.get(other)
    if down == PAUSED:
        return [Reason(f"{who} is paused: it answers when it goes on, if ever.")]
    if down:
        return [Reason(f"{who} has {'crashed' if down == CRASHED else 'left'}: it will never answer.", True)]
    coming = [entry for entry in flights if entry[SENDER] == other and entry[NODE] == node]
    if coming:
        return [Reason(f"{_named(coming[0])} from {who} is on its way.")]
    going = [entry for entry in flights if entry[SENDER] == node and entry[NODE] == other]
    if going:
        return [Reason(f"{_named(going[0])} to {who} is still on its way.")]
    if getattr(run.processes[other], "inside", False):
        return [Reason(f"{who} is in the critical section.")]
    if getattr(run.processes[other], "wants", False):
        return [Reason(f"{who} wants to enter too.")]
    return []


def _named(flight: Record) -> str:
    """A message as the beginning of a sentence."""
    label = message_label(flight[MESSAGE])
    return label[0].upper() + label[1:]


def cycle(run: Simulation, node: int) -> list[int]:
    """A circle of the wait-for graph through `node`, as the nodes along it; empty if there is none.

    A node waits for all of whom it names, so a circle is a deadlock, unless a message already on its way breaks it.
    """
    moving = {entry[NODE] for entry in run.queue.entries() if entry[KIND] == DELIVER}
    path: dict[int, int] = {node: -1}
    todo = [node]
    while todo:
        here = todo.pop()
        if here in moving or run.down.get(here):
            continue
        process = run.processes[here]
        for other in sorted(set(process.waiting_for())) if getattr(process, "wants", False) else ():
            if other == node and here != node:
                return _back_along(path, here)
            if other not in path:
                path[other] = here
                todo.append(other)
    return []


def _back_along(path: dict[int, int], end: int) -> list[int]:
    found = [end]
    while path[found[-1]] >= 0:
        found.append(path[found[-1]])
    return found[::-1]
