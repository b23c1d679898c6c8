"""Print what happens in a run, step by step, as JSON lines.

Nothing else is printed; the same scenario and seed print the same bytes everywhere.
"""

from __future__ import annotations

import argparse

from algorithms import catalog, trace_file
from visual.commands.execution import advance
from visual.commands.output import write
from visual.commands.scenario_options import add_scenario_arguments, scenario_of
from visual.commands.twins import check_repeatable

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
    write(arguments.output, (f"{line}\n".encode() for line in trace_file.lines(simulation.trace, scenario.names)))
    return 0
