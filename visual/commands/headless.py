"""A run without a window: executed with a bar where somebody is watching, and told in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.fold import Fold, run_and_forget
from algorithms.engine.meters import Meters
from algorithms.engine.monitors import Monitors
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.summary import summary
from visual.commands.progress import Progress
from visual.commands.report import report

CHUNK = 20_000  # steps between two looks at the clock


class Measured(NamedTuple):
    """What is to be told about a run."""

    summary: dict[str, Any]  # what `run --json` prints
    report: str  # what `run` prints


def measure(scenario: Scenario) -> Measured:
    """Execute the whole run, counting; its trace is forgotten on the way, so that long runs need little memory."""
    run = catalog.simulation(scenario)
    meters, monitors = Meters(scenario, run.algorithm), Monitors(scenario, run.algorithm)
    advance(run, scenario.until, (meters, monitors))
    counted = summary(run, meters, monitors, scenario.until)
    verdicts = monitors.at(monitors.steps, scenario.until)
    return Measured(counted, report(counted, scenario, run.algorithm, verdicts))


def advance(run: Simulation, until: float, folds: Sequence[Fold] = ()) -> None:
    """Run up to that time, with a bar on a terminal. With folds, these read the trace, which is then forgotten."""
    with Progress("running") as progress:
        done = CHUNK
        while done == CHUNK:
            before = run.steps
            if folds:
                run_and_forget(run, folds, until, before + CHUNK)
            else:
                run.run(until, before + CHUNK)
            done = run.steps - before
            progress.show(min(1.0, run.now / until))
