"""Run a scenario without a window and print what it cost and whether it went right."""

from __future__ import annotations

import argparse

from visual.commands.scenario_options import add_scenario_arguments, scenario_of

EXAMPLES = """\
  mutoscope run token-ring --until 500 --seed 3
  mutoscope run my-scenario.toml --json
  mutoscope run --algorithm token-ring --nodes 8 --load poisson:0.1 --hold 1 --delay 1 --until 1000 --json
  mutoscope run --algorithm ricart-agrawala --load closed:10 --event '15 crash node=2'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the counters and the lights of the run."""
    scenario = scenario_of(arguments)
    from algorithms import catalog
    from visual.commands.progress import advance

    simulation = catalog.simulation(scenario)
    advance(simulation, scenario.until)
    print(f"{scenario.algorithm}: {simulation.steps} steps until {simulation.now:g}")
    return 0
