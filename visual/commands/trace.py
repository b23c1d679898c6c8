"""Print what happens in a run, step by step, as JSON lines.

Nothing else is printed; the same scenario and seed print the same bytes everywhere. docs/trace.md explains the keys.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from algorithms import catalog, trace_file
from algorithms.authoring.failures import guard_timeline
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
from algorithms.examination.twins import check_repeatable
from visual.commands.execution import advance
from visual.commands.output import write
from visual.commands.scenario_options import add_scenario_arguments, scenario_of
from visual.commands.tables import csv_line
from visual.words import Naming, message_label, naming, node_name

EXAMPLES = """\
  mutoscope trace token-ring --until 20
  mutoscope trace lost-token --csv -o lost.csv
  mutoscope trace ME1-broken.toml --diagram mermaid -o broken.mmd
  mutoscope trace --algorithm ricart-agrawala --nodes 3 --load saturated --until 10 -o trace.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    parser.add_argument("--flat", action="store_true", help="a line for each event and each of its effects")
    parser.add_argument("--csv", action="store_true", help="flat, as comma-separated values for a spreadsheet")
    parser.add_argument(
        "--diagram", choices=SYNTAXES, help="the text of a sequence diagram, for programs that draw such diagrams"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default: -, the standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Write the trace to the output or a file."""
    scenario = scenario_of(arguments)
    check_repeatable(scenario)
    simulation = catalog.simulation(scenario)
    advance(simulation, scenario.until)
    if arguments.diagram:
        lines = diagram(simulation, arguments.diagram)
    else:
        lines = (_csv if arguments.csv else _flat if arguments.flat else _steps)(simulation)
    write(arguments.output, _encoded(simulation, lines))
    return 0


def _steps(run: Simulation) -> Iterator[str]:
    return trace_file.lines(run.trace, run.scenario.names, run.scenario.algorithm)


def _flat(run: Simulation) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False) for row in trace_file.rows(run.trace))


def _csv(run: Simulation) -> Iterator[str]:
    yield csv_line(trace_file.COLUMNS)
    yield from (csv_line([*row.values()]) for row in trace_file.rows(run.trace))


def _encoded(run: Simulation, lines: Iterator[str]) -> Iterator[bytes]:
    """The lines of the trace. BadInput, with the line in the algorithm, for a message that JSON cannot hold."""
    try:
        for line in lines:
            yield f"{line}\n".encode()
    except (TypeError, ValueError):  # bytes or an enum, say, or a text that is not Unicode
        timeline = catalog.timeline(run.scenario)
        with guard_timeline(timeline):
            timeline.seek(run.steps)
        raise


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
    """The lines of the diagram of what the run has done, in Mermaid or PlantUML, which other programs draw.

    An arrow is drawn at the moment of arrival, or of the loss; a bar on a lifeline is a stay in the critical section.
    """
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
