"""Interventions in a run, as a table.

Scenario files, the window and the command line use it. Interventions are faults, manual requests, changes of the load,
and the choices of a manual scheduler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from algorithms.engine.applications import resources_inside
from algorithms.engine.dispatch import reset
from algorithms.engine.events import (
    DELIVER,
    FAULT,
    KIND,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    RESOURCE,
    RESUMED,
    SENDER,
    SEQ,
    Record,
)
from algorithms.engine.membership import ABSENT, CRASHED, PAUSED
from algorithms.engine.network import Link
from algorithms.engine.scenario import Event

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation


@dataclass(frozen=True)
class Kind:
    """One kind of intervention: the fields of an Event that it needs, its name in words, and its effect.

    `harms` is true of a fault, not of a repair, a change of the load, or a choice of the scheduler.
    """

    needs: tuple[str, ...]
    words: str
    apply: Callable[[Simulation, Event], None]
    harms: bool = False


def harms(event: Record) -> bool:
    """Whether an event is a loss or a fault."""
    return bool(event[KIND] == LOST or (event[KIND] == FAULT and FAULTS[event[4].do].harms))


def apply(run: Simulation, event: Event) -> None:
    """Apply an event to a run; repeating it (crashing a crashed node, say) changes nothing."""
    FAULTS[event.do].apply(run, event)


# ---- nodes -------------------------------------------------------------------------------------------------


def crash(run: Simulation, event: Event) -> None:
    """Fail-stop: the node takes no more steps, loses its timers, and messages to it are lost."""
    node = _node(event)
    if not run.is_gone(node):
        _go_down(run, node, CRASHED)


def recover(run: Simulation, event: Event) -> None:
    """Recover a crashed node, with its memory or in its initial state."""
    node = _node(event)
    if not run.is_crashed(node):
        return
    del run.down[node]
    run.members.add(node)
    process = run.processes[node]
    if not event.memory:
        run.applications.forget(node)
        run.post.unmark(node)
        reset(process)
    else:
        for resource in resources_inside(process):
            run.trace.records.append((run.now, 0, RESUMED, node, resource))
            run.applications.enter(node, None, resource)
    process.recovered()
    run.settle(process)
    run.applications.revive(node)


def pause(run: Simulation, event: Event) -> None:
    """Pause a node; its messages and timers wait. From outside this looks like a crash."""
    run.down.setdefault(_node(event), PAUSED)


def resume(run: Simulation, event: Event) -> None:
    """Resume a paused node; it handles now what has waited."""
    node = _node(event)
    if run.is_paused(node):
        del run.down[node]
        run.readmit(run.inboxes.pop(node, []))


# ---- membership --------------------------------------------------------------------------------------------


def join(run: Simulation, event: Event) -> None:
    """Add an absent node to the members; without `node`, the first absent one."""
    node = event.node if event.node is not None else next(iter(run.absent_nodes()), None)
    if node is None or not run.is_absent(node):
        return
    del run.down[node]
    run.members.add(node)
    run.introduce(node)
    process = run.processes[node]
    reset(process)
    process.recovered()
    run.settle(process)
    run.applications.revive(node)


def leave(run: Simulation, event: Event) -> None:
    """Remove a node from the members; if it is up, it hands over its state first."""
    node = _node(event)
    process = run.processes[node]
    if run.is_absent(node):
        return
    run.members.remove(node)
    run.applications.stop(node)
    if run.is_up(node):
        for resource in resources_inside(process):
            run.trace.records.append((run.now, 0, LEAVE, node, resource))
            process.leave(resource)
        process.leaving()
    run.applications.forget(node)
    run.post.unmark(node)
    _go_down(run, node, ABSENT)
    run.introduce(node)


# ---- messages ----------------------------------------------------------------------------------------------


def drop(run: Simulation, event: Event) -> None:
    """Lose a message in transit."""
    message = find_message(run, event)
    if message is not None:
        run.post.drop(message)


def delay(run: Simulation, event: Event) -> None:
    """Delay a message by `delay`; on FIFO channels later messages do not overtake it."""
    message = find_message(run, event)
    if message is not None and event.delay is not None:
        run.post.delay(message, event.delay)


def duplicate(run: Simulation, event: Event) -> None:
    """Add a copy of a message, which arrives right after it."""
    message = find_message(run, event)
    if message is not None:
        run.post.copy(message)


def lose_token(run: Simulation, event: Event) -> None:
    """Lose the token: in transit, waiting at a paused node, or unnoticed at its holder."""
    if token := _token_in(run, sorted(run.queue.in_transit())):
        run.post.drop(token)
    elif token := _token_in(run, run.waiting_entries()):
        run.remove_waiting(token)
        run.post.lose(token)
    else:
        _mark_holder(run, "lose")


def duplicate_token(run: Simulation, event: Event) -> None:
    """Duplicate the token: in transit, waiting at a paused node, or when its holder sends it."""
    if token := _token_in(run, [*sorted(run.queue.in_transit()), *run.waiting_entries()]):
        run.post.copy(token)
    else:
        _mark_holder(run, "duplicate")


def holders(run: Simulation) -> list[int]:
    """The nodes that hold a token. A fault of the token meets the first that is not in `run.post.marks`, or nobody."""
    return [process.id for process in run.processes if process.holding() and not run.is_gone(process.id)]


# ---- links -------------------------------------------------------------------------------------------------


def cut(run: Simulation, event: Event) -> None:
    """Cut the link between `node` and `to`, or one direction of it; messages on it are lost."""
    run.post.cut(_link(event))


def heal(run: Simulation, event: Event) -> None:
    """Heal the link between `node` and `to`, or one direction of it; without `node`, all links."""
    run.post.heal(run.post.channels.cut if event.node is None else _link(event))


def partition(run: Simulation, event: Event) -> None:
    """Cut all links between different groups; nodes in no group form one of their own."""
    group = {node: g for g, nodes in enumerate(event.groups) for node in nodes}
    nodes = range(len(run.processes))
    run.post.cut((a, b) for a in nodes for b in nodes if group.get(a) != group.get(b))


# ---- the application ---------------------------------------------------------------------------------------


def request(run: Simulation, event: Event) -> None:
    """Let the application at `node` request now."""
    node = _node(event)
    if run.is_up(node):
        run.applications.demand(node, event.resource or 0)


def leave_now(run: Simulation, event: Event) -> None:
    """End the node's stay in the critical section; its exit is the next event."""
    if entry := _taken(run, _exit_of(run, event)):
        run.queue.push((run.now, *entry[1:]))


def load(run: Simulation, event: Event) -> None:
    """Change the load."""
    if event.load is not None:
        run.applications.open(event.load)


def tune(run: Simulation, event: Event) -> None:
    """Change a parameter of the algorithm for all processes."""
    if event.parameter is not None:
        run.tune({**run.tuned, event.parameter: event.value})


# ---- the choices of a scheduler ----------------------------------------------------------------------------


CHOICES = ("deliver", "fire", "exit")


def chosen_entry(run: Simulation, event: Event) -> Record | None:
    """The entry that a choice (deliver, fire, exit) names, due now and no longer later; otherwise None."""
    match event.do:
        case "deliver":
            entry = _taken(run, find_message(run, event))
        case "exit":
            entry = _taken(run, _exit_of(run, event))
        case "fire":
            entry = run.timers.cancel(_node(event), event.timer or "")
        case _:
            return None
    return None if entry is None else (run.now, *entry[1:])


def _taken(run: Simulation, entry: Record | None) -> Record | None:
    """The entry, removed from the queue."""
    if entry is not None:
        run.queue.take(entry)
    return entry


def _nothing_to_choose(run: Simulation, event: Event) -> None:
    """Do nothing: the message or timer of the choice no longer exists, or the event consists of a node's acts."""


# ---- within ------------------------------------------------------------------------------------------------


def find_message(run: Simulation, event: Event) -> Record | None:
    """The message in transit that the event names, or the oldest that matches."""
    if event.message is not None:
        return run.post.find(event.message)
    matches = (
        entry
        for entry in sorted(run.queue.in_transit())
        if event.node in (None, entry[SENDER])
        and event.to in (None, entry[NODE])
        and event.type in (None, type(entry[MESSAGE]).__name__)
    )
    return min(matches, key=itemgetter(SEQ), default=None)


def _exit_of(run: Simulation, event: Event) -> Record | None:
    """The scheduled exit that the event names, or the oldest that matches."""
    if vars(run.processes[_node(event)]).get("inside") == set():
        return None  # none of several resources is its own: no need to search a long queue
    ends = (e for e in run.queue if e[KIND] == LEAVE and e[NODE] == event.node)
    matches = (e for e in ends if event.resource in (None, e[RESOURCE]))
    return min(matches, key=itemgetter(SEQ), default=None)


def _go_down(run: Simulation, node: int, state: str) -> None:
    """Take a node down: its timers stop, and messages waiting for it are lost."""
    for entry in run.inboxes.pop(node, []):
        if entry[KIND] == DELIVER:
            run.post.lose(entry)
    run.down[node] = state
    run.members.remove(node)
    run.timers.cancel_all(node)
    run.applications.stop(node)


def _token_in(run: Simulation, entries: Iterable[Record]) -> Record | None:
    """The first token among these entries, other than one that will be lost."""
    token = run.algorithm.token
    return next((e for e in entries if e[KIND] == DELIVER and type(e[MESSAGE]) is token), None)


def _mark_holder(run: Simulation, fate: str) -> None:
    """Mark the first unmarked holder, so that its token meets this fate."""
    holder = next((node for node in holders(run) if node not in run.post.marks), None)
    if holder is not None:
        run.post.mark(holder, fate)


def _node(event: Event) -> int:
    if event.node is None:
        raise ValueError(f"{event.do} needs a node")
    return event.node


def _link(event: Event) -> list[Link]:
    if event.node is None or event.to is None:
        raise ValueError(f"{event.do} needs two nodes")
    return [(event.node, event.to), *([(event.to, event.node)] if event.both else [])]


FAULTS: dict[str, Kind] = {
    "crash": Kind(("node",), "crash", crash, harms=True),
    "recover": Kind(("node",), "recover", recover),
    "pause": Kind(("node",), "pause", pause, harms=True),
    "resume": Kind(("node",), "resume", resume),
    "join": Kind((), "join", join),
    "leave": Kind(("node",), "leave for good", leave),
    "drop": Kind(("message",), "drop the message", drop, harms=True),
    "delay": Kind(("message", "delay"), "delay the message", delay, harms=True),
    "duplicate": Kind(("message",), "duplicate the message", duplicate, harms=True),
    "lose-token": Kind((), "lose the token", lose_token, harms=True),
    "duplicate-token": Kind((), "duplicate the token", duplicate_token, harms=True),
    "cut": Kind(("node", "to"), "cut the link", cut, harms=True),
    "heal": Kind((), "heal the links", heal),
    "partition": Kind(("groups",), "partition the network", partition, harms=True),
    "load": Kind(("load",), "change the load", load),
    "tune": Kind(("parameter", "value"), "set a parameter", tune),
    "request": Kind(("node",), "request now", request),
    "deliver": Kind(("message",), "deliver the message now", _nothing_to_choose),
    "fire": Kind(("node", "timer"), "let the timer run out now", _nothing_to_choose),
    "exit": Kind(("node",), "leave the critical section now", leave_now),
    "act": Kind(("node", "acts"), "act by hand", _nothing_to_choose),  # algorithms/engine/played.py does it
}
