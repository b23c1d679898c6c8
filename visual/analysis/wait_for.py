"""The wait-for graph at the present step, and its parts in which nobody can ever proceed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from algorithms.authoring.queries import awaited_nodes, is_holding
from algorithms.engine.applications import is_wanting
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, Record
from algorithms.engine.simulation import Simulation


def is_waiting(run: Simulation, node: int) -> bool:
    """Whether a process waits for the critical section, or for the end of an election."""
    process: Any = run.processes[node]
    if not run.is_up(node):
        return False
    return bool(awaited_nodes(run, process) if run.algorithm.is_election() else is_wanting(process))


def awaited_by(run: Simulation, node: int) -> list[int]:
    """The processes whose next step it waits for; empty if it is not waiting, or for none in particular."""
    if not is_waiting(run, node):
        return []
    return sorted(awaited_nodes(run, run.processes[node]))


def wait_targets(run: Simulation, node: int) -> list[int]:
    """The processes it waits for or, where it names none, the other holders of a token."""
    if not is_waiting(run, node):
        return []
    return awaited_by(run, node) or [holder for holder in token_holders(run) if holder != node]


def arriving_messages(run: Simulation) -> list[Record]:
    """The messages in transit that will reach another process, in order of arrival."""
    return sorted(entry for entry in run.queue.between_processes() if entry[KIND] == DELIVER)


def arriving_tokens(run: Simulation) -> list[Record]:
    """The tokens in transit."""
    token = run.algorithm.token
    return [entry for entry in arriving_messages(run) if isinstance(entry[MESSAGE], token)] if token else []


def unblocking_messages(run: Simulation, node: int) -> list[Record]:
    """The messages in transit that may unblock a waiting process: from those it waits for, or the token."""
    awaited, queue = awaited_by(run, node), run.queue
    replies = [entry for entry in queue if entry[NODE] == node and entry[KIND] == DELIVER and entry[SENDER] in awaited]
    return sorted(replies) or (arriving_tokens(run) if is_waiting(run, node) else [])


def wait_cycle(run: Simulation, node: int) -> list[int]:
    """The nodes of a cycle of the wait-for graph through `node`, in order; empty if there is no deadlock.

    A process waits for all the processes it names, so every cycle is a deadlock, unless a message in transit or a timer
    will make one of them act.
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
    nodes = [end]
    while path[nodes[-1]] >= 0:
        nodes.append(path[nodes[-1]])
    return nodes[::-1]


def endless_waits(run: Simulation, node: int) -> list[tuple[int, int]]:
    """The edges that keep `node` waiting forever: to crashed processes, and along a cycle."""
    edges = [(node, other) for other in wait_targets(run, node) if run.is_crashed(other)]
    cycle = wait_cycle(run, node)
    return [*edges, *zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)]


def token_holders(run: Simulation) -> Iterable[int]:
    """The processes that hold a token, or believe they do."""
    return (
        [node for node, process in enumerate(run.processes) if is_holding(run, process)] if run.algorithm.token else []
    )
