"""Run a scenario without a window and print what it cost and whether it went right."""

from __future__ import annotations

import argparse
import json

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
    from visual.commands.report import measure

    measured = measure(scenario)
    print(json.dumps(measured.summary, ensure_ascii=False, indent=2) if arguments.json else measured.report)
    return 0
