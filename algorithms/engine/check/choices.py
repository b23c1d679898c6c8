"""The choices of a person as the scheduler of a run.

A choice becomes an intervention: the run replays from its scenario and its interventions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, overload

from algorithms.engine.applications import IDLE, activity
from algorithms.engine.events import DELIVER, KIND, LEAVE, LOST, MESSAGE, NODE, RESOURCE, SENDER, SEQ, TIMER, Record
from algorithms.engine.membership import ABSENT, CRASHED, PAUSED
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriter import pick
from algorithms.engine.rewrite.rule_text import sentence
from algorithms.engine.simulation import Simulation

REGULAR = ("deliver", "fire", "exit", "request")  # kinds of events that a run causes by itself

RESET = "reset"

_RECOVERY = {CRASHED: "recover", PAUSED: "resume", ABSENT: "join"}
_MESSAGE_FAULTS = ("drop", "duplicate")


class Choice(NamedTuple):
    """One thing that can happen next, as an intervention.

    `do` is its kind, as in `faults.FAULTS`, and `fields` are the fields of its event. `entry` is the message concerned,
    if any, and `words` describe what the other fields leave open.
    """

    do: str
    fields: tuple[tuple[str, Any], ...]
    entry: Record | None = None
    words: str = ""


class Choices(Sequence[Choice]):
    """The things that can happen next.

    Each is made on access, since there may be thousands. A part consists of the subjects of its choices and a function
    that makes the choice of a subject.
    """

    def __init__(self, *parts: tuple[Sequence[Any], Callable[[Any], Choice]]) -> None:
        self._parts = parts
        self._count = sum(len(subjects) for subjects, _ in parts)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Choice: ...
    @overload
    def __getitem__(self, place: slice) -> list[Choice]: ...
    def __getitem__(self, place: int | slice) -> Choice | list[Choice]:
        places = range(self._count)[place]
        return self._at(places) if isinstance(places, int) else [self._at(place) for place in places]

    def _at(self, place: int) -> Choice:
        for subjects, make in self._parts:
            if place < len(subjects):
                return make(subjects[place])
            place -= len(subjects)
        raise IndexError(place)


def regular(run: Simulation, node: int | None = None, kinds: Collection[str] = REGULAR) -> Choices:
    """The events that a run causes by itself.

    Messages arrive, timers expire, stays in the critical section end, and nodes ask. In a rewriting system a rule
    applies. A `node` restricts the choices to those that concern it, `kinds` to those kinds of events.
    """
    if system_of(run.algorithm):
        return Choices((list(_applications(run)), lambda choice: choice))
    parts: dict[str, tuple[Callable[..., Sequence[Any]], Callable[[Any], Choice]]] = {
        "deliver": (deliverable, delivery),
        "fire": (
            lambda run, node: sorted(due for due in run.timers.due if node in (None, due[0])),
            lambda due: Choice("fire", (("node", due[0]), ("timer", due[1]))),
        ),
        "exit": (_stays, lambda stay: Choice("exit", _where(run, *stay))),
        "request": (_idle, lambda idle: Choice("request", _where(run, *idle))),
    }
    return Choices(*((subjects(run, node), make) for kind, (subjects, make) in parts.items() if kind in kinds))


def at_node(run: Simulation, node: int) -> list[Choice]:
    """The regular events at a node itself, as a person who is that node may choose them.

    A message that will be lost is not among them, and a timer only while no message is in transit.
    """
    if not run.is_up(node):
        return []
    waits = next(run.queue.in_transit(), None) is not None
    choices = [choice for choice in regular(run, node) if not (waits and choice.do == "fire")]
    return [c for c in choices if c.entry is None or (c.entry[KIND], c.entry[NODE]) == (DELIVER, node)]


def automatic(run: Simulation, nodes: Collection[int]) -> Choice | None:
    """What would happen next at these nodes by itself, and to messages that nobody else can receive; None if nothing.

    Events come in the order in which they are due, timers only while no message is in transit. When nothing else is
    left, one of the nodes requests the critical section, if none of them has.
    """
    heads = {entry[SEQ] for entry in deliverable(run)}
    for entry in run.queue.entries():
        kind, node = entry[KIND], entry[NODE]
        is_own = node in nodes or kind == LOST or run.is_gone(node)
        if kind in (DELIVER, LOST) and is_own and entry[SEQ] in heads:
            return delivery(entry)
        if kind == LEAVE and node in nodes:
            return Choice("exit", _where(run, node, entry[RESOURCE]))
        if kind == TIMER and node in nodes and not heads and run.timers.due.get(entry[NODE : NODE + 2]) is entry:
            return Choice("fire", (("node", node), ("timer", entry[4])))
    up = [node for node in sorted(nodes) if run.is_up(node)]
    if not up or run.algorithm.is_election() or any(activity(run.processes[node]) != IDLE for node in up):
        return None
    return Choice("request", _where(run, up[run.steps % len(up)], 0))


def adverse(run: Simulation, node: int | None = None) -> Choices:
    """The faults that an adversary may cause.

    It crashes nodes and brings them back, and loses and duplicates messages and tokens. A `node` restricts the choices
    to faults of that node and of its messages.
    """
    if system_of(run.algorithm):
        return Choices()
    on_links = [entry for entry in _in_transit(run, node) if entry[SENDER] != entry[NODE]]
    token = run.algorithm.token
    in_hands = node is None and token is not None and all(type(entry[MESSAGE]) is not token for entry in on_links)
    nodes = range(len(run.processes)) if node is None else (node,)
    return Choices(
        (("lose-token", "duplicate-token") if in_hands else (), lambda do: Choice(do, ())),
        (range(len(_MESSAGE_FAULTS) * len(on_links)), lambda place: _message_fault(on_links, place)),
        (nodes, lambda node: Choice(_RECOVERY.get(run.down.get(node, ""), "crash"), (("node", node),))),
    )


def resets(run: Simulation, node: int | None = None) -> Choices:
    """The restarts without memory of nodes that are up: a crash and a recovery, which are one move to the checker."""
    nodes = [process.id for process in run.processes if run.is_up(process.id) and node in (None, process.id)]
    return Choices((nodes, lambda node: Choice(RESET, (("node", node),))))


def deliverable(run: Simulation, node: int | None = None) -> list[Record]:
    """The messages that may arrive next, in order of sending: the first of each FIFO channel."""
    in_transit = _in_transit(run, node)
    if not run.scenario.network.fifo:
        return in_transit
    heads: dict[tuple[int, int], Record] = {}
    for entry in in_transit:
        heads.setdefault((entry[SENDER], entry[NODE]), entry)
    return list(heads.values())


def delivery(entry: Record) -> Choice:
    """The choice that the message arrives."""
    return Choice("deliver", _naming(entry), entry)


def _in_transit(run: Simulation, node: int | None) -> list[Record]:
    """The messages in transit, or those from and to `node`, in the order of sending."""
    in_transit = [entry for entry in run.queue.in_transit() if node is None or node in (entry[SENDER], entry[NODE])]
    in_transit.sort(key=itemgetter(SEQ))
    return in_transit


def _applications(run: Simulation) -> Iterator[Choice]:
    """The applications of rules."""
    steps = run.processes[CARRIER].choices()
    for place, step in enumerate(steps):
        event, application = pick(place, len(steps)), step.application
        fields = (("node", event.node), ("timer", event.timer), ("draws", event.draws))
        yield Choice(event.do, fields, words=sentence(application.rule, application.bindings))


def _stays(run: Simulation, node: int | None) -> list[tuple[int, int]]:
    """The nodes inside, each with its resource."""
    stays = {(entry[NODE], entry[RESOURCE]) for entry in run.queue if entry[KIND] == LEAVE}
    return sorted(stay for stay in stays if node in (None, stay[0]))


def _idle(run: Simulation, node: int | None) -> list[tuple[int, int]]:
    """The nodes that may ask, each with the resource."""
    up = [process for process in run.processes if run.is_up(process.id) and node in (None, process.id)]
    return [(process.id, k) for process in up for k in range(run.applications.resources) if not process.busy(k)]


def _message_fault(messages: Sequence[Record], place: int) -> Choice:
    """The fault at a place in the list of all faults of all messages."""
    which, fault = divmod(place, len(_MESSAGE_FAULTS))
    return Choice(_MESSAGE_FAULTS[fault], _naming(messages[which]), messages[which])


def _where(run: Simulation, node: int, resource: int) -> tuple[tuple[str, Any], ...]:
    """The fields of an event at a node, with the resource if there are several."""
    return (("node", node), ("resource", resource)) if run.applications.resources > 1 else (("node", node),)


def _naming(entry: Record) -> tuple[tuple[str, Any], ...]:
    """The fields of an event that identify a message, for the engine and for readers."""
    link = (("node", entry[SENDER]), ("to", entry[NODE])) if entry[SENDER] != entry[NODE] else ()
    return (*link, ("message", entry[SEQ]), ("type", type(entry[MESSAGE]).__name__))
