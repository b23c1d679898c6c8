"""What one node knows: its own variables and timers, and what has happened at it. Nothing else goes into its view.

Two runs in which the same has happened at the node give the same knowledge, whatever happened elsewhere: no time of the
run, no number of a step, no message before it has arrived, and of what it has sent not what became of it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from algorithms.authoring.queries import query_past
from algorithms.engine.applications import activity
from algorithms.engine.events import (
    DELIVER,
    FAULT,
    HELD,
    KIND,
    LAUNCH,
    LOST,
    MESSAGE,
    NODE,
    SENDER,
    SEQ,
    Record,
)
from algorithms.engine.line_trace import Execution, execution_in
from algorithms.engine.process import Message, Process
from visual.analysis.event_index import EventFilter
from visual.analysis.ledger import Ledger
from visual.analysis.run_cache import Moment
from visual.narration.inspection import Fact, glosses_of, variable_texts
from visual.narration.node_facts import NodeFacts, all_facts
from visual.narration.steps import PriorState, narrate
from visual.words import node_name

NO_VIEW = "The nodes of a rewriting system share one term: none has a view of its own."
MOST_EVENTS = 200  # of its events, the latest
_FELT = ("request", "crash", "recover", "join", "leave")  # what is done to a node and does not escape it


class KnownMessage(NamedTuple):
    """A message as its sender or its receiver knows it."""

    message: Message
    sender: int
    receiver: int


class LocalKnowledge(NamedTuple):
    """All that may be drawn."""

    node: int
    facts: NodeFacts  # of the node itself, as on the graph
    variables: tuple[Fact, ...]  # changed: by the last thing that happened at the node
    timers: tuple[str, ...]  # those that run
    peers: tuple[int, ...]
    messages: tuple[KnownMessage, ...]  # received and sent in the last thing that happened at it
    events: tuple[str, ...]  # what has happened at it, in words, the latest last
    sentence: str  # the last of them with the algorithm's own comment


def local_knowledge(ledger: Ledger, node: int) -> LocalKnowledge:
    """What the node knows at the present step: the same for as long as nothing happens at it."""
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
    seen = all_facts(ledger.cache)[node]
    before, ran = _again(ledger, node, last)
    state = seen.state if run.is_gone(node) else activity(process)
    return LocalKnowledge(
        node,
        seen._replace(state=state, held=0, token="held" if seen.token else "", token_name="", lit=""),
        tuple(_variables(run.processes[node], before)),
        tuple(sorted(name for owner, name in run.timers.due if owner == node)),
        peers,
        tuple(_letters(ledger.timeline.trace.step(last), node)) if last is not None else (),
        tuple(_words(ledger, node, step) for step in own),
        _last_words(ledger, node, last, ran),
    )


def _again(ledger: Ledger, node: int, last: int | None) -> tuple[dict[str, str], Execution]:
    """The node's variables before the last thing that happened at it, and what ran in it.

    It lies far back, so that both are asked for at once; the timeline stays where it is.
    """
    timeline, process = ledger.timeline, ledger.timeline.simulation.processes[node]

    def look() -> tuple[dict[str, str], Execution]:
        return variable_texts(process), execution_in(timeline, timeline.repeat)

    if last is None:
        return variable_texts(process), Execution()
    nothing: tuple[dict[str, str], Execution] = ({}, Execution())
    return query_past(timeline, lambda: timeline.look_back(last, look), nothing)


def own_steps(ledger: Ledger, node: int, most: int) -> list[int]:
    """The latest steps, counted from 0 and in order, that have happened at the node as it sees it."""
    steps, present = ledger.matching_steps(EventFilter(node=node)), ledger.timeline.step
    found: list[int] = []
    place = bisect_right(steps, present - 1)
    while place and len(found) < most:
        place -= 1
        if _is_felt(ledger, node, steps[place]):
            found.append(steps[place])
    if present and len(found) < most:
        found.append(0)  # the launch
    return found[::-1]


def _is_felt(ledger: Ledger, node: int, step: int) -> bool:
    """Whether the step is something that the node takes part in."""
    records = ledger.timeline.trace.step(step)
    event = records[0]
    if event[NODE] != node or event[KIND] in (LOST, HELD):
        return False
    if event[KIND] == FAULT:
        return event[4].do in _FELT
    if event[KIND] == DELIVER and any(effect[KIND] == LOST and effect[SEQ] == event[SEQ] for effect in records[1:]):
        return False
    return _was_up(ledger, node, step)


def _was_up(ledger: Ledger, node: int, step: int) -> bool:
    """Whether the node was there when the step happened."""
    spells = ledger.spells
    place = bisect_right(spells.steps[node], step) - 1
    return not spells.states[node][place].is_gone


def _variables(process: Process, before: dict[str, str]) -> list[Fact]:
    """Each variable, its value, and whether it was another before."""
    glosses = glosses_of(type(process))  # type: ignore[arg-type]
    return [
        Fact(name, value, glosses.get(name, ""), before.get(name) != value)
        for name, value in variable_texts(process).items()
    ]


def _own(records: list[Record], node: int) -> list[Record]:
    """The event, and of its effects those that are the node's own deeds; what it has sent once counts once."""
    event, *effects = records
    kept: list[Record] = []
    sent: set[tuple[int, int]] = set()
    for effect in effects:
        if effect[KIND] == DELIVER:
            letter = (id(effect[MESSAGE]), effect[NODE])
            if effect[SENDER] == node and letter not in sent:
                sent.add(letter)
                kept.append(effect)
        elif effect[KIND] != LOST and effect[NODE] == node:
            kept.append(effect)
    return [event, *kept]


def _letters(records: list[Record], node: int) -> list[KnownMessage]:
    event, *deeds = _own(records, node)
    messages = [KnownMessage(r[MESSAGE], r[SENDER], r[NODE]) for r in deeds if r[KIND] == DELIVER]
    if event[KIND] == DELIVER:
        messages.insert(0, KnownMessage(event[MESSAGE], event[SENDER], event[NODE]))
    return [letter for letter in messages if letter.sender != letter.receiver]


def _words(ledger: Ledger, node: int, step: int) -> str:
    """What happened at the node in that step."""
    return narrate(_own(ledger.timeline.trace.step(step), node), Execution(), PriorState(), ledger.timeline.simulation)


def _last_words(ledger: Ledger, node: int, last: int | None, ran: Execution) -> str:
    if last is None:
        return f"Nothing has happened at {node_name(node)} yet."
    records = ledger.timeline.trace.step(last)
    alone = records[0][KIND] not in (LAUNCH, FAULT)  # in those others may act too
    return narrate(_own(records, node), ran if alone else Execution(), PriorState(), ledger.timeline.simulation)
