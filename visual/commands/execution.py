"""Executing a run up to a time, under a progress bar and within limits on its length."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from algorithms import catalog
from algorithms.authoring.failures import StallDetector, checked_messages, guard_run, guard_timeline
from algorithms.authoring.watchdog import no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.checkpoint import check_state
from algorithms.engine.errors import Endless, UnfitMessage
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from visual.commands.output import ProgressBar

MOST_KEPT = 1_000_000  # steps of a run that keeps its trace: more might fill the memory
MOST_COUNTED = 100_000_000  # steps of a run that drops its trace as it goes
MOST_IN_TRANSIT = 500_000  # messages: half a gigabyte, when their number doubles again and again
ENOUGH = 1_000_000  # steps after which the length of the whole run is estimated
DOUBT = 5  # the estimate may be so many times too high
TRIED = 200  # steps at the beginning of a run whose messages are checked
CHUNK = 20_000  # steps between two updates of the bar


def try_messages(scenario: Scenario) -> None:
    """BadInput if the beginning of the run sends what no trace can hold; any other failure is left to others."""
    run = catalog.simulation(scenario)
    with guard_run(run), checked_messages(run):
        try:
            with no_endless_call():
                run.run(until=scenario.until, steps=TRIED)
        except UnfitMessage:
            raise
        except (Exception, Endless):
            return


def advance(
    run: Simulation, until: float, execute: Callable[[float, int], object] | None = None, most: int = MOST_KEPT
) -> None:
    """Execute a run up to a time; `execute(until, steps)` goes on to a total of `steps` (default: `run.run`).

    BadInput if the run cannot go on, or does not get there within `most` steps.
    """
    check_demand(run.scenario, until, most)
    execute, time = execute or run.run, StallDetector(run)
    with ProgressBar("running") as progress, guard_run(run):
        with checked_messages(run):
            execute(until, TRIED)
        for end in count(CHUNK, CHUNK):
            execute(until, end)
            time.check()
            for process in run.processes:
                check_state(process)  # these commands never go back; the window would
            check_length(run, until, most)
            progress.show(min(1.0, run.now / until))
            if run.steps < end:
                break


def seek_time(timeline: Timeline, time: float) -> None:
    """Move a timeline to a time, under the same progress bar and within the same limits."""
    run = timeline.simulation
    check_demand(run.scenario, time)
    stall = StallDetector(run)
    with ProgressBar("running") as progress, guard_timeline(timeline):
        before = -1
        while before != timeline.frontier:
            before = timeline.frontier
            timeline.seek_time(time, CHUNK)
            stall.check()
            check_length(run, time)
            progress.show(min(1.0, run.now / max(time, 1e-9)))


def check_demand(scenario: Scenario, until: float, most: int = MOST_KEPT) -> None:
    """BadInput if the load, or events that are repeated, alone mean more than `most` steps until that time."""
    until = min(until, scenario.until)
    requests = scenario.load.pace * scenario.nodes * until
    repetitions = sum((until - event.at) / event.every for event in scenario.events if event.every and event.at < until)
    for number, what in ((requests, "requests"), (repetitions, "repeated events")):
        if number > most:
            raise BadInput(f"about {_rough(number)} {what} until {until:g}; expected at most {most:,} steps of a run")


def _rough(number: float) -> str:
    """ "6e10" for 6.2e10."""
    return f"{number:.0e}".replace("e+0", "e").replace("e+", "e")


def check_length(run: Simulation, until: float, most: int = MOST_KEPT) -> None:
    """BadInput if a run is too long: `most` steps before `until`, or too many messages for the memory."""
    if len(run.queue) > MOST_IN_TRANSIT:
        raise BadInput(
            f"at {run.now:g} more than {MOST_IN_TRANSIT:,} messages are in transit; expected an earlier time"
        )
    share = run.now / until if until else 1.0
    if run.steps >= ENOUGH and share * most * DOUBT < run.steps:
        total = _rough(run.steps / share) if share else "infinitely many"
        raise BadInput(
            f"after {run.steps:,} steps the run is at {run.now:g}, not at {until:g}: about {total} steps;"
            f" expected at most {most:,}"
        )
    if run.steps >= most:
        raise BadInput(f"after {most:,} steps the run is at {run.now:g}, not at {until:g}; expected an earlier time")
