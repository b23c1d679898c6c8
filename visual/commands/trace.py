"""Print what happens in a run, step by step, as JSON lines.

Nothing else is printed; the same scenario and seed print the same bytes everywhere. docs/trace.md explains the keys.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from algorithms import catalog, trace_file
from algorithms.authoring.failures import guard_timeline
from algorithms.engine.simulation import Simulation
from algorithms.examination.twins import check_repeatable
from visual.commands.execution import advance
from visual.commands.output import write
from visual.commands.scenario_options import add_scenario_arguments, scenario_of
from visual.commands.sequence_diagram import SYNTAXES, diagram
from visual.commands.tables import csv_line, plain

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
    yield from (csv_line([plain(value) for value in row.values()]) for row in trace_file.rows(run.trace))


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
