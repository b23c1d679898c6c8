"""All that is known of one node or one message, as lines of a table."""

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
from algorithms.engine.line_trace import class_lines, comments, source_text
from algorithms.engine.process import Message, Process
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import Bag, node_in
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import of_resource
from visual.analysis.ledger import Ledger
from visual.analysis.logical_time import causal_future, causal_past
from visual.analysis.overlay_state import circle_fractions, on_overlay, overlay_state
from visual.analysis.run_cache import Moment, RunCache
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


_MOST_STEPS = 4_000  # before and after an event in which its causes and effects are counted


class Fact(NamedTuple):
    """A field: its name, its value, what it means, and whether the present step has changed it."""

    name: str
    value: str
    gloss: str = ""
    changed: bool = False


class Inspection(NamedTuple):
    """A title, a word on the state, and the fields."""

    title: str
    state: str
    facts: tuple[Fact, ...]


def inspect_node(ledger: Ledger, node: int) -> Inspection:
    """Every variable of the process, and what the engine knows of the node."""
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
    facts += [Fact(f"timer {name}", f"runs out at {due:.1f}") for name, due in timers]
    if on_overlay(run):
        facts = [*(Fact(*line) for line in overlay_facts(ledger.cache, node)), *facts]
    if backlog := len(run.applications.behind[node]):
        facts.append(Fact("backlog", str(backlog), "requests that wait behind the present one"))
    if node in run.held:
        facts.append(Fact("held", str(len(run.held[node])), "what waits until it goes on"))
    state = run.state_of(node)
    return Inspection(node_name(node), _STATE_WORDS.get(state, state), tuple(facts))


def _share(run: Simulation, node: int) -> Inspection:
    """What of the term of a rewriting system belongs to the node."""
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


_STATE_WORDS = {INSIDE: "in the critical section", WANTING: "wants to enter"}  # others are words themselves


def inspect_message(entry: Any, names: Naming = PLAIN) -> Inspection:
    """What a message carries, and its way; `names` are those of the run's resources."""
    message = entry[MESSAGE]
    said = glosses_of_fields(type(message))  # type: ignore[arg-type]
    carried = [
        Fact(field.name, field_words(field.type, value, names) or full_text(value), said.get(field.name, ""))
        for field in fields(message)
        for value in (getattr(message, field.name),)
    ]
    due = entry[DUE] if entry[KIND] == LOST else entry[TIME]
    way = [
        Fact("from", node_name(entry[SENDER])),
        Fact("to", node_name(entry[NODE])),
        Fact("sent", f"{entry[SENT]:.2f}"),
        Fact("due", f"{due:.2f}"),
    ]
    return Inspection(message_label(message, names), "message", (*carried, *way))


def inspect_event(ledger: Ledger, step: int) -> Inspection:
    """When an event happened, by either clock, and how much of what is kept of the run it depends on."""
    trace = ledger.timeline.trace
    event = trace.event(step)
    causes = causal_past(trace, step, max(trace.forgotten, step - _MOST_STEPS))
    effects = causal_future(trace, step, min(len(trace), step + _MOST_STEPS))
    facts = (
        Fact("time", f"{event[TIME]:.2f}"),
        Fact("logical time", str(ledger.logical_times.of_step(step)), "the longest chain of events that led here"),
        Fact("causes", _counted(len(causes.steps) - 1, step), "events that may have influenced it"),
        Fact("effects", _counted(len(effects.steps) - 1, len(trace) - step), "events that it may have influenced"),
    )
    where = f" at {node_name(event[NODE])}" if event[NODE] >= 0 else ""
    return Inspection(f"Event {step + 1}{where}", step_sentence(ledger.timeline, step), facts)


def _counted(found: int, searched: int) -> str:
    """A number of events; more of them may lie beyond the steps that were searched."""
    return f"{found:,}" + (" or more" if searched > _MOST_STEPS else "")


@cache
def glosses_of(process: type[Process]) -> dict[str, str]:
    """Variable -> the comment beside its first assignment in the `setup` of the class or of one that it extends."""
    found: dict[str, str] = {}
    for cls in reversed(process.__mro__):
        code = getattr(vars(cls).get("setup"), "__code__", None)
        if code is None:
            continue
        last = max(number for *_, number in code.co_lines() if number)
        lines = _numbered(code.co_filename, code.co_firstlineno, last)
        assigned = {number: match[1] for number, line in lines if (match := _ASSIGNMENT.match(line))}
        said = comments(code.co_filename) if assigned else {}  # to read a long file takes a while
        found.update((name, said[number]) for number, name in assigned.items() if number in said)
    return found


@cache
def glosses_of_fields(message: type[Message]) -> dict[str, str]:
    """Field -> the comment beside its declaration."""
    file = getattr(sys.modules.get(message.__module__), "__file__", None)
    if file is None or message.__name__ not in class_lines(file):
        return {}
    said = comments(file)
    lines = _numbered(file, *class_lines(file)[message.__name__])
    declared = ((number, _DECLARATION.match(line)) for number, line in lines)
    return {match[1]: said[number] for number, match in declared if match and number in said}


def _numbered(file: str, first: int, last: int) -> list[tuple[int, str]]:
    """The lines of a file from `first` to `last`, each with its number."""
    return list(enumerate(source_text(file).splitlines()[first - 1 : last], first))


def variable_texts(process: Process) -> dict[str, str]:
    """Each variable of a process, and its value in words."""
    return {name: full_text(value) for name, value in vars(process).items()}


def _values_before(timeline: Timeline, node: int) -> dict[str, str]:
    """The same of a node before the last step; of one that has no part in it nothing, since it is as it was."""
    present, nodes = timeline.step, len(timeline.simulation.processes)
    if not present or node not in affected_nodes(timeline.trace.event(present - 1), nodes):
        return {}
    process = timeline.simulation.processes[node]
    return query_past(timeline, lambda: timeline.look_back(present - 1, lambda: variable_texts(process)), {})


class OverlayFact(NamedTuple):
    """A name, its value, and what it means."""

    name: str
    value: str
    gloss: str


def overlay_facts(cache: RunCache, node: int) -> Iterator[OverlayFact]:
    """What there is to say about the node of an overlay at the present step."""
    run, seen = cache.run, cache.get(overlay_state, Moment(cache.run))
    process = run.processes[node]
    yield OverlayFact(
        "place", f"{100 * circle_fractions(run)[node]:.1f} %", "of the circle of identifiers, from the top"
    )
    names = naming(run)
    votes = {vote.replica: ticket_words(vote.ticket) for vote in seen.votes if vote.node == node}
    for replica in (replica for replica in seen.replicas if replica.node == node):
        voting = f"votes for {votes.get(replica.number, 'nobody')}" if replica.is_known else "unknown"
        gloss = "this node answers for its key" + ("" if replica.is_known else ", and waits for its state")
        yield OverlayFact(names.replica(replica.number), voting, gloss)
    for claim in (claim for claim in seen.claims if claim.node == node):
        which, ticket = of_resource(claim.resource, names.several), process.ticket.get(claim.resource)
        if ticket is not None:
            yield OverlayFact(
                f"asks as{which}", ticket_words(ticket), f"its ticket, {ticket_text(ticket)} in the picture"
            )
        if not claim.inside:
            won = process.my_votes(claim.resource)
            which_ones = f": {', '.join(map(names.replica, won))}" if won else ""
            mine = f"{len(won)} of {process.replicas}{which_ones}"
            yield OverlayFact(f"votes won{which}", mine, f"{process.majority()} are a majority")
    for queue in (queue for queue in seen.queues if queue.node == node):
        which = of_resource(queue.resource, names.several) if queue.replica is None else ""
        place = "for the token" if queue.replica is None else f"for {names.replica(queue.replica)}"
        yield OverlayFact(
            f"queue{which}", ", ".join(map(client_text, queue.waiting)), f"who waits here {place}, the first in front"
        )
