"""Run a scenario without a window and print what it cost and whether it went right."""

from __future__ import annotations

import argparse
import json
from functools import partial
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.summary import summary
from algorithms.engine.scenario import Scenario
from visual.commands.execution import MOST_COUNTED, advance
from visual.commands.report import report
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
    """Print the counters and the verdicts of the run."""
    measured = measure(scenario_of(arguments))
    print(json.dumps(measured.summary, ensure_ascii=False, indent=2) if arguments.json else measured.report)
    return 0


class Measurements(NamedTuple):
    """What a run cost and whether its properties held, for a program and for a person."""

    summary: dict[str, Any]  # printed with --json
    report: str


def measure(scenario: Scenario) -> Measurements:
    """Execute the whole run and count; the trace is dropped as it goes, so that long runs need little memory."""
    simulation = catalog.simulation(scenario)
    meters, monitors = Meters(scenario, simulation.algorithm), Monitors(scenario, simulation.algorithm)
    advance(simulation, scenario.until, partial(run_and_forget, simulation, (meters, monitors)), MOST_COUNTED)
    counted = summary(simulation, meters, monitors, scenario.until)
    verdicts = monitors.at(monitors.steps, scenario.until)
    return Measurements(counted, report(counted, scenario, simulation.algorithm, verdicts))
