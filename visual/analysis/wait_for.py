"""Who waits for whom at the present step: the wait-for graph, and where in it nobody can go on any more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from algorithms.authoring.queries import awaited_nodes, is_holding
from algorithms.engine.applications import is_wanting
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, Record
from algorithms.engine.simulation import Simulation


def is_waiting(run: Simulation, node: int) -> bool:
    """Whether a process wants something that it does not have: the critical section, or the end of an election."""
    process: Any = run.processes[node]
    if not run.is_up(node):
        return False
    return bool(awaited_nodes(run, process) if run.algorithm.is_election() else is_wanting(process))


def awaited_by(run: Simulation, node: int) -> list[int]:
    """For whose next step it waits; nobody if it does not wait, or for nobody in particular."""
    if not is_waiting(run, node):
        return []
    return sorted(awaited_nodes(run, run.processes[node]))


def wait_targets(run: Simulation, node: int) -> list[int]:
    """For whom it waits; where that is nobody in particular, whoever has a token."""
    if not is_waiting(run, node):
        return []
    return awaited_by(run, node) or [holder for holder in token_holders(run) if holder != node]


def arriving_messages(run: Simulation) -> list[Record]:
    """The messages that will arrive at another process, in order of arrival."""
    return sorted(entry for entry in run.queue.between_processes() if entry[KIND] == DELIVER)


def arriving_tokens(run: Simulation) -> list[Record]:
    """The tokens on their way."""
    token = run.algorithm.token
    return [entry for entry in arriving_messages(run) if isinstance(entry[MESSAGE], token)] if token else []


def unblocking_messages(run: Simulation, node: int) -> list[Record]:
    """The messages on their way that would let a waiting process go on: from whom it waits for, or the token."""
    awaited, entries = awaited_by(run, node), run.queue
    coming = [entry for entry in entries if entry[NODE] == node and entry[KIND] == DELIVER and entry[SENDER] in awaited]
    return sorted(coming) or (arriving_tokens(run) if is_waiting(run, node) else [])


def wait_cycle(run: Simulation, node: int) -> list[int]:
    """A circle of the wait-for graph through `node`, as the nodes along it; empty if there is none.

    A process waits for all of whom it names, so a circle is a deadlock; but it is none where a message on its way or
    a timer will make one of them act.
    """
    acting = {entry[NODE] for entry in run.queue}
    path: dict[int, int] = {node: -1}
    todo = [node]
    while todo:
        here = todo.pop()
        if here in acting or not run.is_up(here):
            continue
        for other in awaited_by(run, here):
            if other == node:
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


def endless_waits(run: Simulation, node: int) -> list[tuple[int, int]]:
    """The edges of the wait-for graph for which `node` will wait for ever: to the crashed, and around a circle."""
    edges = [(node, other) for other in wait_targets(run, node) if run.is_crashed(other)]
    around = wait_cycle(run, node)
    return [*edges, *zip(around, [*around[1:], *around[:1]], strict=True)]


def token_holders(run: Simulation) -> Iterable[int]:
    """The processes that hold a token, or think so."""
    return (
        [node for node, process in enumerate(run.processes) if is_holding(run, process)] if run.algorithm.token else []
    )
