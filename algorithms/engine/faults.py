"""What can be done to a run, as a table: the scenario file, the window and the command line all read it.

Faults, requests by hand, changes of the load, and the choices of a scheduler who is not the clock.
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
    """One thing that can be done: the fields of an Event that it needs, in words, and how it is done.

    `harms`: something goes wrong; it is not a repair, a change of what is asked, or a choice of what happens next.
    """

    needs: tuple[str, ...]
    words: str
    apply: Callable[[Simulation, Event], None]
    harms: bool = False


def harms(event: Record) -> bool:
    """Whether an event is something that goes wrong."""
    return bool(event[KIND] == LOST or (event[KIND] == FAULT and FAULTS[event[4].do].harms))


def apply(run: Simulation, event: Event) -> None:
    """Do it. Doing what is already so (crashing a crashed node, losing a token that is gone) changes nothing."""
    FAULTS[event.do].apply(run, event)


# ---- nodes -------------------------------------------------------------------------------------------------


def crash(run: Simulation, event: Event) -> None:
    """Fail-stop: no step any more, timers gone, what arrives is lost."""
    node = _node(event)
    if not run.is_gone(node):
        _go_down(run, node, CRASHED)


def recover(run: Simulation, event: Event) -> None:
    """Come back, knowing what one knew (memory) or as on the first day."""
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
    """Stand still; whatever arrives waits. From outside this looks like a crash."""
    run.down.setdefault(_node(event), PAUSED)


def resume(run: Simulation, event: Event) -> None:
    """Go on, and handle now what has waited."""
    node = _node(event)
    if run.is_paused(node):
        del run.down[node]
        run.readmit(run.held.pop(node, []))


# ---- membership --------------------------------------------------------------------------------------------


def join(run: Simulation, event: Event) -> None:
    """A node that does not take part yet does so from now on; without `node`, the first such node."""
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
    """A node takes part no longer. If it is alive it hands on first what others need; its peers forget it."""
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
    """The message vanishes where it is."""
    message = find_message(run, event)
    if message is not None:
        run.post.drop(message)


def delay(run: Simulation, event: Event) -> None:
    """The message arrives `delay` later; on FIFO channels nothing that was sent after it overtakes it."""
    message = find_message(run, event)
    if message is not None and event.delay is not None:
        run.post.delay(message, event.delay)


def duplicate(run: Simulation, event: Event) -> None:
    """A second copy arrives right after the first."""
    message = find_message(run, event)
    if message is not None:
        run.post.copy(message)


def lose_token(run: Simulation, event: Event) -> None:
    """The token vanishes: in flight, at a paused process's door, or in the hands of its holder, who does not notice."""
    if token := _token_in(run, sorted(run.queue.in_transit())):
        run.post.drop(token)
    elif token := _token_in(run, run.held_up()):
        run.turn_away(token)
        run.post.lose(token)
    else:
        _mark_holder(run, "lose")


def duplicate_token(run: Simulation, event: Event) -> None:
    """There are two tokens now: a copy of the one in flight or at a door, or the holder will send two."""
    if token := _token_in(run, [*sorted(run.queue.in_transit()), *run.held_up()]):
        run.post.copy(token)
    else:
        _mark_holder(run, "duplicate")


# ---- links -------------------------------------------------------------------------------------------------


def cut(run: Simulation, event: Event) -> None:
    """The link between `node` and `to` carries nothing any more; what is on it is lost."""
    run.post.cut(_link(event))


def heal(run: Simulation, event: Event) -> None:
    """The link between `node` and `to` carries messages again; without a link, all do."""
    run.post.heal(run.post.channels.cut if event.node is None else _link(event))


def partition(run: Simulation, event: Event) -> None:
    """Nodes of different groups no longer reach each other; nodes in no group form one of their own."""
    group = {node: g for g, nodes in enumerate(event.groups) for node in nodes}
    nodes = range(len(run.processes))
    run.post.cut((a, b) for a in nodes for b in nodes if group.get(a) != group.get(b))


# ---- the application ---------------------------------------------------------------------------------------


def request(run: Simulation, event: Event) -> None:
    """The application at `node` asks now."""
    node = _node(event)
    if run.is_up(node):
        run.applications.demand(node, event.resource or 0)


def leave_now(run: Simulation, event: Event) -> None:
    """The node's time in the critical section is over: that it leaves comes next."""
    stay = _stay(run, event)
    if stay is not None:
        run.queue.take(stay)
        run.queue.push((run.now, *stay[1:]))


def load(run: Simulation, event: Event) -> None:
    """From now on requests come differently."""
    if event.load is not None:
        run.applications.open(event.load)


def tune(run: Simulation, event: Event) -> None:
    """From now on a parameter of the algorithm has another value, the same for all processes."""
    if event.parameter is not None:
        run.tune({**run.tuned, event.parameter: event.value})


# ---- the choices of a scheduler ----------------------------------------------------------------------------


CHOICES = ("deliver", "fire", "exit")


def chosen_entry(run: Simulation, event: Event) -> Record | None:
    """For a choice (deliver, fire, exit): the entry that happens now, taken out of the queue; else None."""
    if event.do == "deliver":
        wanted = find_message(run, event)
    elif event.do == "fire":
        wanted = run.timers.due.get((_node(event), event.timer or ""))
        if wanted is None:
            return None
        run.timers.cancel(*wanted[NODE : NODE + 2])
        return (run.now, *wanted[1:])
    elif event.do == "exit":
        wanted = _stay(run, event)
    else:
        return None
    if wanted is None:
        return None
    run.queue.take(wanted)
    return (run.now, *wanted[1:])


def _nothing_to_choose(run: Simulation, event: Event) -> None:
    """A choice whose message or timer is not there any more: the step is empty."""


# ---- within ------------------------------------------------------------------------------------------------


def find_message(run: Simulation, event: Event) -> Record | None:
    """The entry in flight that the event means: by serial number, or the oldest that fits."""
    if event.message is not None:
        return run.post.find(event.message)
    fitting = (
        entry
        for entry in sorted(run.queue.in_transit())
        if event.node in (None, entry[SENDER])
        and event.to in (None, entry[NODE])
        and event.type in (None, type(entry[MESSAGE]).__name__)
    )
    return min(fitting, key=itemgetter(SEQ), default=None)


def _stay(run: Simulation, event: Event) -> Record | None:
    """The end, yet to come, of the stay in the critical section that the event means: the first one that fits."""
    if vars(run.processes[_node(event)]).get("inside") == set():
        return None  # none of several resources is its own: no need to search a long queue
    ends = (e for e in run.queue.entries() if e[KIND] == LEAVE and e[NODE] == event.node)
    fitting = (e for e in ends if event.resource in (None, e[RESOURCE]))
    return min(fitting, key=itemgetter(SEQ), default=None)


def _go_down(run: Simulation, node: int, state: str) -> None:
    """No step any more: timers gone, and what waits there or arrives is lost."""
    for entry in run.held.pop(node, []):
        if entry[KIND] == DELIVER:
            run.post.lose(entry)
    run.down[node] = state
    run.members.remove(node)
    run.timers.cancel_all(node)
    run.applications.stop(node)


def _token_in(run: Simulation, entries: Iterable[Record]) -> Record | None:
    """The first token among these entries; one that is doomed does not count."""
    token = run.algorithm.token
    return next((e for e in entries if e[KIND] == DELIVER and type(e[MESSAGE]) is token), None)


def _mark_holder(run: Simulation, fate: str) -> None:
    """The first holder that is there, and whose token has not met its fate yet."""
    holders = (p.id for p in run.processes if p.holding() and not run.is_gone(p.id))
    holder = next((node for node in holders if node not in run.post.marks), None)
    if holder is not None:
        run.post.mark(holder, fate)


def _node(event: Event) -> int:
    if event.node is None:
        raise ValueError(f"{event.do} needs a node")
    return event.node


def _link(event: Event) -> list[Link]:
    if event.node is None or event.to is None:
        raise ValueError(f"{event.do} needs two nodes")
    return [(event.node, event.to), (event.to, event.node)]


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
}
