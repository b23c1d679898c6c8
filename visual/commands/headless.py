"""A run without a window: executed with a bar where somebody is watching, and told in numbers."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.summary import summary
from algorithms.engine.scenario import Scenario
from visual.commands.progress import MOST_COUNTED, advance
from visual.commands.report import report


class Measured(NamedTuple):
    """What is to be told about a run."""

    summary: dict[str, Any]  # what `run --json` prints
    report: str  # what `run` prints


def measure(scenario: Scenario) -> Measured:
    """Execute the whole run, counting; its trace is forgotten on the way, so that long runs need little memory."""
    run = catalog.simulation(scenario)
    meters, monitors = Meters(scenario, run.algorithm), Monitors(scenario, run.algorithm)
    advance(run, scenario.until, partial(run_and_forget, run, (meters, monitors)), MOST_COUNTED)
    counted = summary(run, meters, monitors, scenario.until)
    verdicts = monitors.at(monitors.steps, scenario.until)
    return Measured(counted, report(counted, scenario, run.algorithm, verdicts))
