"""Local knowledge: what one node knows, which is its variables, its timers, and the events at the node itself.

Two runs with the same events at the node give the same knowledge, whatever happened elsewhere. It therefore contains no
time, no number of a step, no message before its arrival, and not the fate of a message that the node has sent.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from algorithms.authoring.queries import query_past
from algorithms.engine.applications import activity
from algorithms.engine.events import DELIVER, FAULT, KIND, LAUNCH, LOST, MESSAGE, NODE, SENDER, Record
from algorithms.engine.observe.line_trace import Execution, execution_in
from algorithms.engine.process import Message, Process
from lessons.asking.own_events import is_own
from visual.analysis.event_index import EventFilter
from visual.analysis.ledger import Ledger
from visual.analysis.run_cache import Moment
from visual.narration.inspection import Fact, glosses_of, variable_texts
from visual.narration.node_facts import NodeFacts, all_facts
from visual.narration.steps import PriorState, expires_early, narrate, played_event
from visual.words import node_name

NO_VIEW = "The nodes of a rewriting system share one term: none has a view of its own."
MOST_EVENTS = 200  # at one node: the latest are listed
_WITH_A_NODE = ("leader", "coordinator", "granted", "vote")  # variables with the number of one node
_AS_TOLD = {"awaiting": "awaited", "deferred": "deferred"}  # sets whose nodes can be called so


class KnownMessage(NamedTuple):
    """A message as its sender or receiver knows it."""

    message: Message
    sender: int
    receiver: int


class LocalKnowledge(NamedTuple):
    """Everything that a node's own view may show."""

    node: int
    facts: NodeFacts  # of the node itself, as on the graph
    variables: tuple[Fact, ...]  # `changed` by the latest event at the node
    timers: tuple[str, ...]  # those running
    peers: tuple[int, ...]
    others: tuple[tuple[int, str], ...]  # other nodes, and the names of the node's variables that hold them
    messages: tuple[KnownMessage, ...]  # received and sent in the latest event at the node
    events: tuple[str, ...]  # sentences about the events at the node, the latest last
    sentence: str  # about the latest of them, with the algorithm's own comment


def local_knowledge(ledger: Ledger, node: int) -> LocalKnowledge:
    """The node's knowledge at the present step; it changes only with an event at the node."""
    latest = own_steps(ledger, node, 1)
    run = ledger.timeline.simulation
    moment = Moment(run, latest[0] + 1) if latest else None
    peers = tuple(run.processes[node].peers)
    return ledger.cache.get(_knowledge, ledger, moment, node, peers)  # several panels show it, in every frame


def _knowledge(ledger: Ledger, moment: Moment | None, node: int, peers: tuple[int, ...]) -> LocalKnowledge:
    run = ledger.timeline.simulation
    process = run.processes[node]
    own = own_steps(ledger, node, MOST_EVENTS)
    last = own[-1] if own else None
    facts = all_facts(ledger.cache)[node]
    before, ran = _look_back(ledger, node, last)
    state = facts.state if run.is_gone(node) else activity(process)
    return LocalKnowledge(
        node,
        facts._replace(state=state, held=0, token="held" if facts.token else "", token_name="", lit=""),
        tuple(_variables(run.processes[node], before)),
        tuple(sorted(name for owner, name in run.timers.due if owner == node)),
        peers,
        tuple(_others(process, len(run.processes))),
        tuple(_messages(ledger.timeline.trace.step(last), node)) if last is not None else (),
        tuple(_words(ledger, node, step) for step in own),
        _last_words(ledger, node, last, ran),
    )


def _look_back(ledger: Ledger, node: int, last: int | None) -> tuple[dict[str, str], Execution]:
    """The node's variables before step `last`, and the lines that ran in it; the timeline does not move.

    The step may lie far back, so that one look back serves both.
    """
    timeline, process = ledger.timeline, ledger.timeline.simulation.processes[node]

    def look() -> tuple[dict[str, str], Execution]:
        return variable_texts(process), execution_in(timeline, timeline.repeat)

    if last is None:
        return variable_texts(process), Execution()
    nothing: tuple[dict[str, str], Execution] = ({}, Execution())
    return query_past(timeline, last, look, nothing)


def own_steps(ledger: Ledger, node: int, most: int) -> list[int]:
    """The latest `most` steps, counted from 0 and in order, that the node has noticed."""
    steps, present = ledger.matching_steps(EventFilter(node=node)), ledger.timeline.step
    latest: list[int] = []
    place = bisect_right(steps, present - 1)
    while place and len(latest) < most:
        place -= 1
        if _is_noticed(ledger, node, steps[place]):
            latest.append(steps[place])
    if present and len(latest) < most:
        latest.append(0)  # the launch
    return latest[::-1]


def _is_noticed(ledger: Ledger, node: int, step: int) -> bool:
    """Whether the node takes part in the step, and so notices it."""
    records = ledger.timeline.trace.step(step)
    if records[0][KIND] == FAULT:
        return is_own(records, node)  # also one that takes it down
    return records[0][NODE] == node and is_own(records, node) and _was_up(ledger, node, step)


def _was_up(ledger: Ledger, node: int, step: int) -> bool:
    """Whether the node was up when the step happened."""
    spells = ledger.spells
    place = bisect_right(spells.steps[node], step) - 1
    return not spells.states[node][place].is_gone


def _variables(process: Process, before: dict[str, str]) -> list[Fact]:
    """Each variable with its value, and whether that has changed since `before`."""
    glosses = glosses_of(type(process))  # type: ignore[arg-type]
    return [
        Fact(name, value, glosses.get(name, ""), before.get(name) != value)
        for name, value in variable_texts(process).items()
    ]


def _others(process: Process, nodes: int) -> Iterator[tuple[int, str]]:
    """The other nodes in the node's sets and queues of nodes, and in variables such as its leader."""
    names: dict[int, list[str]] = {}
    for name, value in vars(process).items():
        short = name.rpartition(".")[2].replace("_", " ")
        is_many = isinstance(value, set | frozenset | deque)
        held = value if is_many else (value,) if short in _WITH_A_NODE else ()
        if all(type(other) is int and 0 <= other < nodes for other in held):
            for other in sorted(set(held) - {process.id}):
                names.setdefault(other, []).append(_AS_TOLD.get(short, f"in {short}") if is_many else short)
    return ((other, ", ".join(dict.fromkeys(names[other]))) for other in sorted(names))


def _own(records: list[Record], node: int) -> list[Record]:
    """The event, and those of its effects that the node caused itself; duplicates of a message count once."""
    event, *effects = records
    own: list[Record] = []
    sent: set[tuple[int, int]] = set()
    for effect in effects:
        if effect[KIND] == DELIVER:
            sending = (id(effect[MESSAGE]), effect[NODE])
            if effect[SENDER] == node and sending not in sent:
                sent.add(sending)
                own.append(effect)
        elif effect[KIND] != LOST and effect[NODE] == node:
            own.append(effect)
    return [event, *own]


def _messages(records: list[Record], node: int) -> list[KnownMessage]:
    event, *effects = _own(records, node)
    messages = [KnownMessage(r[MESSAGE], r[SENDER], r[NODE]) for r in effects if r[KIND] == DELIVER]
    if event[KIND] == DELIVER:
        messages.insert(0, KnownMessage(event[MESSAGE], event[SENDER], event[NODE]))
    return [message for message in messages if message.sender != message.receiver]


def _words(ledger: Ledger, node: int, step: int) -> str:
    """The sentence about the node's part in that step."""
    return narrate(_own(ledger.timeline.trace.step(step), node), Execution(), PriorState(), ledger.timeline.simulation)


def _last_words(ledger: Ledger, node: int, last: int | None, ran: Execution) -> str:
    if last is None:
        return f"Nothing has happened at {node_name(node)} yet."
    records = ledger.timeline.trace.step(last)
    is_by_algorithm = played_event(ledger.timeline, last) is None  # or the comments are not about what it did
    alone = is_by_algorithm and records[0][KIND] not in (LAUNCH, FAULT)  # in those, other nodes may act too
    before = PriorState(is_early=expires_early(ledger.timeline, last))
    return narrate(_own(records, node), ran if alone else Execution(), before, ledger.timeline.simulation)
