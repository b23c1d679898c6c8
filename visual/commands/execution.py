"""Executing a run up to a time, under a progress bar and within limits on its length."""

from __future__ import annotations

from collections.abc import Callable

from algorithms.authoring.failures import StallDetector, guard_run
from algorithms.bad_input import BadInput
from algorithms.engine.checkpoint import check_state
from algorithms.engine.simulation import Simulation
from visual.commands.progress import ProgressBar

MOST_KEPT = 1_000_000  # steps of a run that keeps its trace: more might fill the memory
MOST_COUNTED = 100_000_000  # steps of a run that drops its trace as it goes
MOST_IN_TRANSIT = 2_000_000  # messages
CHUNK = 20_000  # steps between two updates of the bar


def advance(
    run: Simulation, until: float, execute: Callable[[float, int], object] | None = None, most: int = MOST_KEPT
) -> None:
    """Execute a run up to a time; `execute(until, steps)` goes on to a total of `steps` (default: `run.run`).

    BadInput if the run cannot go on, or does not get there within `most` steps.
    """
    execute, time = execute or run.run, StallDetector(run)
    with ProgressBar("running") as progress, guard_run(run):
        done = CHUNK
        while done == CHUNK:
            before = run.steps
            execute(until, before + CHUNK)
            done = run.steps - before
            time.check()
            for process in run.processes:
                check_state(process)  # these commands never go back; the window would
            check_length(run, until, most)
            progress.show(min(1.0, run.now / until))


def check_length(run: Simulation, until: float, most: int = MOST_KEPT) -> None:
    """BadInput if a run is too long: `most` steps before `until`, or too many messages for the memory."""
    if len(run.queue) > MOST_IN_TRANSIT:
        raise BadInput(
            f"at {run.now:g} more than {MOST_IN_TRANSIT:,} messages are in transit; expected an earlier time"
        )
    if run.steps >= most:
        raise BadInput(f"after {most:,} steps the run is at {run.now:g}, not at {until:g}; expected an earlier time")
