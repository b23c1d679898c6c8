"""Print what happens in a run, step by step, as JSON lines.

Nothing else is printed; the same scenario and seed print the same bytes everywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from algorithms import catalog, trace_file
from algorithms.engine.simulation import Simulation
from algorithms.examination.twins import check_repeatable
from visual.commands.execution import advance, check_messages
from visual.commands.output import write
from visual.commands.scenario_options import add_scenario_arguments, scenario_of

EXAMPLES = """\
  mutoscope trace token-ring --until 20
  mutoscope trace --algorithm ricart-agrawala --nodes 3 --load saturated --until 10 -o trace.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default: -, the standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Write the trace to the output or a file."""
    scenario = scenario_of(arguments)
    check_repeatable(scenario)
    simulation = catalog.simulation(scenario)
    advance(simulation, scenario.until)
    write(arguments.output, _lines(simulation))
    return 0


def _lines(run: Simulation) -> Iterator[bytes]:
    """The lines of the trace. BadInput, with the line in the algorithm, for a message that JSON cannot hold."""
    try:
        for line in trace_file.lines(run.trace, run.scenario.names, run.scenario.algorithm):
            yield f"{line}\n".encode()
    except (TypeError, ValueError):  # bytes or an enum, say, or a text that is not Unicode
        check_messages(run.scenario, run.steps)
        raise
