"""A run as the text of a sequence diagram, in Mermaid or PlantUML, which other programs draw.

An arrow is drawn at the moment of arrival, or of the loss, and a bar on a lifeline is a stay in the critical section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from algorithms.engine.events import (
    DELIVER,
    ELECTED,
    ENTER,
    FAULT,
    KIND,
    LEADER,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    REQUEST,
    SENDER,
    SEQ,
    Record,
)
from algorithms.engine.simulation import Simulation
from visual.words import Naming, message_label, naming, node_name

_MEANINGFUL = re.compile(r"[;#\n]+")  # characters that would end a line or begin an entity


class Syntax(NamedTuple):
    """How a language writes its first and last lines, arrows and notes."""

    begin: str
    end: tuple[str, ...]
    arrives: str
    lost: str
    note: str


SYNTAXES = {
    "mermaid": Syntax("sequenceDiagram", (), "{}->>{}: {}", "{}-x{}: {}", "Note over {}: {}"),
    "plantuml": Syntax("@startuml", ("@enduml",), "{} -> {}: {}", "{} ->x {}: {}", "note over {}: {}"),
}


def diagram(run: Simulation, language: str) -> Iterator[str]:
    """The lines of the diagram of what the run has done."""
    syntax, names, inside = SYNTAXES[language], naming(run), set[int]()
    yield syntax.begin
    for node in range(len(run.processes)):
        yield f"participant {node_name(node)}"
    for _, (event, *effects) in run.trace.steps():
        done = [record for record in effects if record[KIND] != DELIVER]  # which would be one just sent
        is_lost = any(record[KIND] == LOST and record[SEQ] == event[SEQ] for record in done)
        for record in done if event[KIND] == DELIVER and is_lost else [event, *done]:
            yield from _lines(record, syntax, names, inside)
    yield from (f"deactivate {node_name(node)}" for node in sorted(inside))
    yield from syntax.end


def _lines(record: Record, syntax: Syntax, names: Naming, inside: set[int]) -> Iterator[str]:
    """The lines of one record; `inside` are the nodes whose bar has begun."""
    kind, node = record[KIND], record[NODE]
    if kind in (DELIVER, LOST):
        form = syntax.arrives if kind == DELIVER else syntax.lost
        label = _MEANINGFUL.sub(" ", message_label(record[MESSAGE], names))
        yield form.format(node_name(record[SENDER]), node_name(node), label)
    elif words := _note(record):
        yield syntax.note.format(node_name(node), words)
    if kind == ENTER and node not in inside:
        inside.add(node)
        yield f"activate {node_name(node)}"
    elif node in inside and (kind == LEAVE or (kind == FAULT and record[4].do == "crash")):
        inside.remove(node)
        yield f"deactivate {node_name(node)}"


def _note(record: Record) -> str:
    """What happens at a node, in a few words; "" for what the diagram leaves out."""
    kind = record[KIND]
    if kind == FAULT and record[NODE] >= 0:
        return str(record[4].do)
    if kind == ELECTED:
        return f"leader: {node_name(record[LEADER])}"
    return {REQUEST: "request", ENTER: "enters", LEAVE: "leaves"}.get(kind, "")
