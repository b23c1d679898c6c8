"""The wait-for graph at the present step: who waits for whom, what is in transit, and who can never proceed.

It is an AND/OR graph: a process waits for all of the nodes that it names, or for any one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from algorithms.authoring.queries import hold_on, is_heeded, is_holding, is_request_of, keeper_of, wait_of
from algorithms.engine.applications import is_wanting
from algorithms.engine.dispatch import handler_name, messages_of
from algorithms.engine.events import DELIVER, FAULT, KIND, LOST, MESSAGE, NODE, SENDER, SENT, TIME, TIMER, Record
from algorithms.engine.faults import FAULTS
from algorithms.engine.part import parts_of
from algorithms.engine.process import Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.waits import Wait


def is_waiting(run: Simulation, node: int) -> bool:
    """Whether a process waits for the critical section, or for the end of an election."""
    process: Any = run.processes[node]
    if not run.is_up(node):
        return False
    return bool(wait_of(run, process).nodes if run.algorithm.is_election() else is_wanting(process))


def wait_at(run: Simulation, node: int) -> Wait:
    """What a node waits for; nothing if it is not waiting."""
    return wait_of(run, run.processes[node]) if is_waiting(run, node) else Wait()


def awaited_by(run: Simulation, node: int) -> list[int]:
    """The processes whose next step it waits for; empty if it is not waiting, or for none in particular."""
    return sorted(wait_at(run, node).nodes)


def wait_targets(run: Simulation, node: int) -> list[int]:
    """The processes it waits for or, where any one will do, those that keep it waiting or hold a token."""
    if not is_waiting(run, node):
        return []
    wait = wait_at(run, node)
    if wait.nodes and not wait.is_any:
        return sorted(wait.nodes - {node})  # it may be one of those whose vote it needs
    holders = {holder for holder in token_holders(run) if holder != node}
    return sorted(holders or (set(holds_on(run, node)) - {node}) or (wait.nodes if run.algorithm.token is None else ()))


def _blockers(run: Simulation, node: int, others: Iterable[int]) -> dict[int, int]:
    """For each of the others the process that has what the node waits for from it: itself, unless it says who."""
    if run.process_class.kept_by is Process.kept_by:
        return {other: other for other in others}
    processes = run.processes
    keepers = {other: keeper_of(run, processes[other], processes[node]) for other in others}
    return {other: other if keeper is None else keeper for other, keeper in keepers.items()}


def holds_on(run: Simulation, node: int) -> dict[int, str]:
    """The nodes that say why they keep a waiting node waiting, and what each of them says."""
    if run.process_class.keeps_waiting is Process.keeps_waiting:
        return {}
    waiting = run.processes[node]
    holds = {process.id: hold_on(run, process, waiting) for process in run.processes if not run.is_gone(process.id)}
    return {holder: words for holder, words in holds.items() if words}


# ---- messages in transit -----------------------------------------------------------------------------------


def arriving_messages(run: Simulation) -> list[Record]:
    """The messages in transit to another process, in order of arrival; nobody knows yet which will be lost.

    A token that was lost while its sender held it is not in transit: it vanishes as it is sent.
    """
    sent = (e for e in run.queue.between_processes() if not (e[KIND] == LOST and e[TIME] == e[SENT]))
    return sorted(sent, key=lambda entry: entry[:2])


def arriving_tokens(run: Simulation) -> list[Record]:
    """The tokens in transit."""
    token = run.algorithm.token
    return [entry for entry in arriving_messages(run) if isinstance(entry[MESSAGE], token)] if token else []


def tokens_at_paused_nodes(run: Simulation) -> list[int]:
    """The paused nodes that a token has reached, which handle it when they resume."""
    token = run.algorithm.token
    return [
        entry[NODE]
        for entry in run.waiting_entries()
        if token and entry[KIND] == DELIVER and isinstance(entry[MESSAGE], token)
    ]


def relevant_messages(run: Simulation, node: int) -> list[Record]:
    """The messages in transit that matter to a waiting node: answers to it, its own requests, wherever they are."""
    process, wait = run.processes[node], wait_at(run, node)
    asks = _own_messages(run, "ask")
    answers = wait.messages or tuple(_own_messages(run, *run.algorithm.looks.values()) - asks)

    forwards = run.process_class.carries_my_request is not Process.carries_my_request

    def matters(entry: Record) -> bool:
        message = entry[MESSAGE]
        if entry[NODE] == node and entry[SENDER] in wait.nodes and isinstance(message, answers):
            return is_heeded(run, process, entry[MESSAGE])
        if entry[NODE] == node and run.algorithm.looks.get(type(message)) == "token":
            return True
        if forwards:
            return is_request_of(run, process, message)
        return entry[SENDER] == node and entry[NODE] in wait.nodes and type(message) in asks

    return [entry for entry in arriving_messages(run) if matters(entry)]


def _own_messages(run: Simulation, *looks: str) -> set[type]:
    """The message classes with these looks that are not those of a part, such as a failure detector."""
    parts = [part.process for part in parts_of(run.process_class).values()]
    own = {message for look in set(looks) for message in messages_of(run.algorithm, look)}
    return {message for message in own if not any(hasattr(part, handler_name(message)) for part in parts)}


def election_messages(run: Simulation) -> list[Record]:
    """The messages of an election in transit that make a difference to their receivers."""
    own = tuple(_own_messages(run, *run.algorithm.looks.values()))
    entries = (entry for entry in arriving_messages(run) if isinstance(entry[MESSAGE], own))
    return [entry for entry in entries if is_heeded(run, run.processes[entry[NODE]], entry[MESSAGE])]


def unblocking_messages(run: Simulation, node: int) -> list[Record]:
    """The messages in transit that may unblock a waiting process: answers to it, or the token."""
    if not is_waiting(run, node):
        return []
    return [entry for entry in relevant_messages(run, node) if entry[NODE] == node] or arriving_tokens(run)


# ---- who can never proceed ---------------------------------------------------------------------------------


def is_gone_for_good(run: Simulation, node: int) -> bool:
    """Whether a node has crashed or left, and no event that is scheduled repairs anything."""
    return run.is_gone(node) and not _is_repair_due(run)


def _is_repair_due(run: Simulation) -> bool:
    """Whether the scenario, or a person later on, does something that is no fault."""
    scheduled = (entry[4] for entry in run.queue if entry[KIND] == FAULT)
    later = (event for event in run.interventions if event.steps_before >= run.steps)
    return any(not FAULTS[event.do].harms for event in (*scheduled, *later))


def is_over(run: Simulation) -> bool:
    """Whether nothing can happen any more: no message, timer, exit or request is due, and nobody is paused."""
    paused = any(run.is_paused(node) for node in run.down)
    timers = run.timers.due  # the queue may still have entries of cancelled timers
    return run.steps > 0 and not (paused or timers or _is_repair_due(run) or any(e[KIND] != TIMER for e in run.queue))


def timers_of(run: Simulation, node: int) -> list[tuple[str, float]]:
    """The timers that may end the wait of a node: the name of each, and when it expires."""
    timers = wait_of(run, run.processes[node]).timers
    return [
        (name, entry[TIME])
        for (owner, name), entry in sorted(run.timers.due.items())
        if owner == node and (timers is None or name in timers)
    ]


def is_stuck_behind(run: Simulation, node: int, other: int) -> bool:
    """Whether a node waits forever because `other`, whose message it needs, is gone for good."""
    if not run.is_gone(other) or _is_help_possible(run):
        return False
    wait = wait_at(run, node)
    needs = other in wait.nodes and (not wait.is_any or len(wait.nodes) == 1)
    comes = any(entry[SENDER] == other and entry[NODE] == node for entry in arriving_messages(run))
    return needs and is_gone_for_good(run, other) and not comes


def _is_help_possible(run: Simulation) -> bool:
    """Whether a timer, a message of a part (an election, say) or a reported loss may change what the nodes wait for."""
    if run.timers.due:
        return True
    if run.process_class.unreached is not Process.unreached and any(
        run.is_gone(e[NODE]) for e in run.queue.in_transit()
    ):
        return True
    own = tuple(_own_messages(run, *run.algorithm.looks.values())) if parts_of(run.process_class) else ()
    return bool(own) and any(not isinstance(entry[MESSAGE], own) for entry in run.queue.in_transit())


def deadlocked(run: Simulation) -> set[int]:
    """The nodes that can never proceed, as a greatest fixpoint over the waiting ones.

    If nothing can happen any more, these are all of them. Otherwise, those without a timer and without a message in
    transit, if each waits for all of some processes, of which one is gone for good or is deadlocked itself and says
    that it keeps the node waiting.
    """
    nodes = {node for node in range(len(run.processes)) if is_waiting(run, node)}
    if is_over(run):
        return nodes
    if _is_repair_due(run):
        return set()
    busy = {owner for owner, _ in run.timers.due}
    busy |= {end for entry in run.queue.in_transit() for end in (entry[SENDER], entry[NODE])}
    waits = {node: wait_at(run, node) for node in nodes - busy}
    stuck = {node for node, wait in waits.items() if not wait.is_any}
    dead = {node for node in stuck if any(is_stuck_behind(run, node, other) for other in waits[node].nodes)}
    blockers = {node: _blockers(run, node, waits[node].nodes) for node in stuck}
    for says_so in (False, True):  # whether the other says that it keeps the node waiting, which is slow to ask
        while free := {node for node in stuck - dead if not _is_held(run, node, blockers[node], stuck, says_so)}:
            stuck -= free
    return stuck


def _is_held(run: Simulation, node: int, blockers: Mapping[int, int], stuck: set[int], says_so: bool) -> bool:
    """Whether one of those that it waits for may keep the node waiting, as it or its blocker is stuck, or says so."""
    processes = run.processes
    held = (other for other, blocker in blockers.items() if blocker in stuck)
    return any(not says_so or hold_on(run, processes[other], processes[node]) for other in held)


def is_deadlocked(run: Simulation, node: int) -> bool:
    """Whether a node can never proceed; quick where none of the others that it needs can be."""
    needs = wait_at(run, node).nodes
    may_be = is_over(run) or any(run.is_gone(other) or is_waiting(run, other) for other in needs)
    return may_be and node in deadlocked(run)


def wait_cycle(run: Simulation, node: int) -> list[int]:
    """The nodes of a cycle of deadlocked nodes through `node`, in order; empty if there is none."""
    if not is_deadlocked(run, node):
        return []
    dead = deadlocked(run)
    path: dict[int, int] = {node: -1}
    todo = [node]
    while todo:
        here = todo.pop(0)  # breadth first: the shortest cycle
        for other in sorted({*_blockers(run, here, awaited_by(run, here)).values()}):
            if other == node:
                return _back_along(path, here)
            if other in dead and other not in path:
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
    edges = [(node, other) for other in awaited_by(run, node) if is_stuck_behind(run, node, other)]
    if run.algorithm.token and is_token_gone(run):
        edges += [(node, holder) for holder in wait_targets(run, node) if run.is_gone(holder)]
    cycle = wait_cycle(run, node)
    return list(dict.fromkeys([*edges, *zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)]))


# ---- tokens ------------------------------------------------------------------------------------------------


def token_holders(run: Simulation) -> Iterable[int]:
    """The processes that hold a token, or believe they do; one that a process sends to itself has never left it."""
    token = run.algorithm.token
    if not token:
        return []
    own = {e[NODE] for e in run.queue.in_transit() if e[SENDER] == e[NODE] and isinstance(e[MESSAGE], token)}
    return [node for node, process in enumerate(run.processes) if node in own or is_holding(run, process)]


def usable_tokens(run: Simulation) -> Iterator[int]:
    """The live processes that really hold a token."""
    return (holder for holder in token_holders(run) if not run.is_gone(holder) and run.post.marks.get(holder) != "lose")


def is_token_gone(run: Simulation) -> bool:
    """Whether there is no token, and neither a timer nor a message in transit nor a repair brings another."""
    coming = run.timers.due or run.inboxes or any(run.queue.in_transit()) or _is_repair_due(run)
    return not coming and next(usable_tokens(run), None) is None
