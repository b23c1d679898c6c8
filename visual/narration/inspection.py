"""Inspection of one node, message or event: its fields as the lines of a table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from algorithms.authoring.queries import query_past
from algorithms.engine.applications import INSIDE, WANTING
from algorithms.engine.events import DUE, KIND, LOST, MESSAGE, NODE, SENDER, SENT, TIME, affected_nodes
from algorithms.engine.observe.causes import causal_future, causal_past
from algorithms.engine.observe.line_trace import class_lines, comments, source_text
from algorithms.engine.process import Message, Process
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import Bag, node_in
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import of_resource
from visual.analysis.ledger import Ledger
from visual.analysis.overlay_state import Claim, OverlayState, Queue, circle_fractions, on_overlay, overlay_state
from visual.analysis.run_cache import Moment, RunCache
from visual.narration.node_facts import ROLE_WORDS, shown_state
from visual.narration.steps import step_sentence
from visual.words import (
    PLAIN,
    Naming,
    client_text,
    field_words,
    full_text,
    message_label,
    naming,
    node_name,
    subscripted,
    ticket_text,
    ticket_words,
)

_ASSIGNMENT = re.compile(r"^\s*self\.(\w+)(?:\s*=\s*self\.\w+)*\s*[:=]")
_DECLARATION = re.compile(r"^\s+(\w+)\s*:")


_MOST_STEPS = 4_000  # searched before and after an event for its causes and effects


class Fact(NamedTuple):
    """A field: its name, its value, its meaning, and whether the present step has changed it."""

    name: str
    value: str
    gloss: str = ""
    changed: bool = False


class Inspection(NamedTuple):
    """A title, the state in a few words, and the fields."""

    title: str
    state: str
    facts: tuple[Fact, ...]


def inspect_node(ledger: Ledger, node: int) -> Inspection:
    """The variables of a process, with its timers, backlog and held events."""
    timeline, run = ledger.timeline, ledger.timeline.simulation
    if system_of(run.algorithm):
        return _share(run, node)
    process = run.processes[node]
    before = _values_before(timeline, node)
    glosses = glosses_of(run.process_class)  # type: ignore[arg-type]
    facts = [
        Fact(name, value, glosses.get(name, ""), before.get(name, value) != value)
        for name, value in variable_texts(process).items()
    ]
    timers = [(name, entry[TIME]) for (owner, name), entry in sorted(run.timers.due.items()) if owner == node]
    facts += [Fact(f"timer {name}", f"expires at t = {due:.1f}") for name, due in timers]
    if on_overlay(run):
        facts = [*overlay_facts(ledger.cache, node), *facts]
    if backlog := run.applications.backlog(node):
        facts.append(Fact("backlog", str(backlog), "requests that wait behind the present one"))
    if node in run.inboxes:
        facts.append(Fact("held", str(len(run.inboxes[node])), "what waits until it goes on"))
    state = shown_state(run, node)
    label = f" {run.scenario.names[node]}" if run.scenario.names else ""
    return Inspection(f"{node_name(node)}{label}", _STATE_WORDS.get(state, state), tuple(facts))


def _share(run: Simulation, node: int) -> Inspection:
    """The part of a rewriting system's term that belongs to the node."""
    system, term = system_of(run.algorithm), run.processes[CARRIER].term
    names = system.components if system else ()
    shares = [
        (name, [e[1] for e in part if node_in(e[0]) == node])
        for name, part in zip(names, term, strict=True)
        if isinstance(part, Bag)
    ]
    written = [(name, subscripted(" | ".join(map(term_text, share))) or "∅") for name, share in shares]
    facts = [Fact(name, text, _COMPONENTS[name]) for name, text in written]
    return Inspection(node_name(node), "a node of the term", tuple(facts))


_COMPONENTS = {
    "Q": "what it has to send",
    "P": "its local history",
    "I": "messages received: from whom, what",
    "O": "messages sent: to whom, what",
    "W": "its traps",
}


_STATE_WORDS = {
    INSIDE: "in the critical section",
    WANTING: "waiting to enter",
    **ROLE_WORDS,
}  # others are words themselves


def inspect_message(entry: Any, names: Naming = PLAIN) -> Inspection:
    """The fields of a message, and its route and times; `names` are those of the run's resources."""
    message = entry[MESSAGE]
    glosses = glosses_of_fields(type(message))  # type: ignore[arg-type]
    content = [
        Fact(field.name, field_words(field.type, value, names) or full_text(value), glosses.get(field.name, ""))
        for field in fields(message)
        for value in (getattr(message, field.name),)
    ]
    due = entry[DUE] if entry[KIND] == LOST else entry[TIME]
    route = [
        Fact("from", node_name(entry[SENDER])),
        Fact("to", node_name(entry[NODE])),
        Fact("sent", f"{entry[SENT]:.2f}"),
        Fact("due", f"{due:.2f}"),
    ]
    return Inspection(message_label(message, names), "message", (*content, *route))


def inspect_event(ledger: Ledger, step: int) -> Inspection:
    """The time of an event on both clocks, and the number of its causes and effects in the trace."""
    trace = ledger.timeline.trace
    event = trace.event(step)
    causes = causal_past(trace, step, max(trace.forgotten, step - _MOST_STEPS))
    effects = causal_future(trace, step, min(len(trace), step + _MOST_STEPS))
    facts = (
        Fact("time", f"{event[TIME]:.2f}"),
        Fact("causal depth", str(ledger.logical_times.of_step(step)), "events on the longest chain of causes"),
        Fact("causes", _counted(len(causes.steps) - 1, step), "events that may have influenced it"),
        Fact("effects", _counted(len(effects.steps) - 1, len(trace) - step), "events that it may have influenced"),
    )
    where = f" at {node_name(event[NODE])}" if event[NODE] >= 0 else ""
    return Inspection(f"Event {step + 1}{where}", step_sentence(ledger.timeline, step), facts)


def _counted(count: int, searched: int) -> str:
    """A number of events, "or more" where there are steps that were not searched."""
    return f"{count:,}" + (" or more" if searched > _MOST_STEPS else "")


@cache
def glosses_of(process: type[Process]) -> dict[str, str]:
    """Variable -> the comment beside its first assignment in the `setup` of the class or of its bases."""
    glosses: dict[str, str] = {}
    for cls in reversed(process.__mro__):
        code = getattr(vars(cls).get("setup"), "__code__", None)
        if code is None or cls.__module__ == Process.__module__:
            continue
        last = max(number for *_, number in code.co_lines() if number)
        lines = _numbered(code.co_filename, code.co_firstlineno, last)
        assigned = {number: match[1] for number, line in lines if (match := _ASSIGNMENT.match(line))}
        texts = comments(code.co_filename) if assigned else {}  # reading a long file takes a while
        glosses.update((name, texts[number].replace("`", "")) for number, name in assigned.items() if number in texts)
    return glosses


@cache
def glosses_of_fields(message: type[Message]) -> dict[str, str]:
    """Field -> the comment beside its declaration."""
    file = getattr(sys.modules.get(message.__module__), "__file__", None)
    if file is None or message.__name__ not in class_lines(file):
        return {}
    texts = comments(file)
    lines = _numbered(file, *class_lines(file)[message.__name__])
    declared = ((number, _DECLARATION.match(line)) for number, line in lines)
    return {match[1]: texts[number] for number, match in declared if match and number in texts}


def _numbered(file: str, first: int, last: int) -> list[tuple[int, str]]:
    """The lines of a file from `first` to `last`, each with its number."""
    return list(enumerate(source_text(file).splitlines()[first - 1 : last], first))


def variable_texts(process: Process) -> dict[str, str]:
    """The variables of a process, and their values as text."""
    return {name: full_text(value) for name, value in vars(process).items()}


def _values_before(timeline: Timeline, node: int) -> dict[str, str]:
    """The same before the last step; empty where that step did not affect the node."""
    present, nodes = timeline.step, len(timeline.simulation.processes)
    if not present or node not in affected_nodes(timeline.trace.event(present - 1), nodes):
        return {}
    process = timeline.simulation.processes[node]
    return query_past(timeline, present - 1, lambda: variable_texts(process), {})


def overlay_facts(cache: RunCache, node: int) -> Iterator[Fact]:
    """The facts about the node's part in the overlay at the present step."""
    run, state, names = cache.run, cache.get(overlay_state, Moment(cache.run)), naming(cache.run)
    share = 100 * circle_fractions(run)[node]
    yield Fact("place", f"{share:.1f} %", "of the circle of identifiers, from the top")
    yield from _replica_facts(state, node, names)
    for claim in state.claims:
        if claim.node == node:
            yield from _claim_facts(claim, run.processes[node], names)
    for queue in state.queues:
        if queue.node == node:
            yield _queue_fact(queue, names)


def _replica_facts(state: OverlayState, node: int, names: Naming) -> Iterator[Fact]:
    """The votes of the replicas for which the node is responsible."""
    votes = {vote.replica: ticket_words(vote.ticket) for vote in state.votes if vote.node == node}
    for replica in (replica for replica in state.replicas if replica.node == node):
        voting = f"votes for {votes.get(replica.number, 'nobody')}" if replica.is_known else "unknown"
        gloss = "this node answers for its key" + ("" if replica.is_known else ", and waits for its state")
        yield Fact(names.replica(replica.number), voting, gloss)


def _claim_facts(claim: Claim, process: Any, names: Naming) -> Iterator[Fact]:
    """The ticket of a node's request and, until it enters, the votes that it has won."""
    which, ticket = of_resource(claim.resource, names.has_several), process.ticket.get(claim.resource)
    if ticket is not None:
        yield Fact(f"asks as{which}", ticket_words(ticket), f"its ticket, {ticket_text(ticket)} in the picture")
    if not claim.inside:
        won = process.my_votes(claim.resource)
        which_ones = f": {', '.join(map(names.replica, won))}" if won else ""
        own = f"{len(won)} of {process.replicas}{which_ones}"
        yield Fact(f"votes won{which}", own, f"{process.majority()} are a majority")


def _queue_fact(queue: Queue, names: Naming) -> Fact:
    """The clients that wait at a node."""
    which = of_resource(queue.resource, names.has_several) if queue.replica is None else ""
    place = "for the token" if queue.replica is None else f"for {names.replica(queue.replica)}"
    clients = ", ".join(map(client_text, queue.waiting))
    return Fact(f"queue{which}", clients, f"who waits here {place}, the first in front")
