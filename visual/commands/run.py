"""Run a scenario without a window; print its cost and whether its properties held."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import Failure
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import broken_assumptions
from algorithms.engine.observe.summary import summary
from algorithms.engine.observe.verdicts import BROKEN, HOLDS, PENDING
from algorithms.engine.scenario import Scenario
from algorithms.examination.twins import check_repeatable
from visual.commands.execution import MOST_COUNTED, advance
from visual.commands.exit_codes import add_exit_zero, add_expect, exit_code, expectation, expected
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
    parser.add_argument(
        "--json-lines", action="store_true", help="print one JSON object in one line, to append to a file"
    )
    add_expect(parser)
    add_exit_zero(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the counters and the verdicts of the run; the exit code says whether the promises were kept."""
    scenario = scenario_of(arguments)
    check_repeatable(scenario)
    measured = measure(scenario, expected(arguments))
    if arguments.json or arguments.json_lines:
        print(json.dumps(measured.summary, ensure_ascii=False, indent=None if arguments.json_lines else 2))
    else:
        print(measured.report)
    return exit_code(measured.is_broken, measured.is_undecided, arguments)


class Measurements(NamedTuple):
    """What a run cost and whether its properties held, for a program and for a person.

    What is expected of the algorithm, usually what it promises, may be broken; it is undecided if the run stops early,
    or a request is overdue.
    """

    summary: dict[str, Any]  # printed with --json
    report: str
    is_broken: bool
    is_undecided: bool


def measure(scenario: Scenario, wanted: Collection[str] | None = None) -> Measurements:
    """Execute the whole run and count; the trace is dropped as it goes, so that long runs need little memory.

    `wanted` are the properties that are expected, by default those that the algorithm promises. The run stops where a
    broken assumption makes the algorithm fail. Any other failure is a BadInput.
    """
    simulation = catalog.simulation(scenario)
    algorithm = simulation.algorithm
    meters, monitors = Meters(scenario, algorithm), Monitors(scenario, algorithm)
    is_expected = expectation(algorithm, wanted, monitors.by_name)
    until, stopped = scenario.until, ""
    try:
        advance(simulation, until, partial(run_and_forget, simulation, (meters, monitors)), MOST_COUNTED)
    except Failure as failure:
        monitors.advance(simulation.trace)
        if not broken_assumptions(algorithm, monitors.faults.first.values):
            raise
        until, stopped = simulation.now, failure.words
    counted = summary(simulation, meters, monitors, until)
    verdicts = monitors.at(monitors.steps, until)
    if broken := broken_assumptions(algorithm, monitors.faults.first.values):
        counted["broken_assumptions"] = broken
    if stopped:
        counted["stopped"] = stopped
    found = {verdict.status for name, verdict in verdicts.items() if is_expected(name)}
    is_undecided = bool(stopped) or not found <= {HOLDS, PENDING, BROKEN}
    return Measurements(counted, report(counted, scenario, algorithm, verdicts), BROKEN in found, is_undecided)
