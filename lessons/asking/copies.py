"""Copies of a run, on which questions are answered, so that the run on screen never goes ahead of the learner."""

from __future__ import annotations

from collections.abc import Iterator

from algorithms import catalog
from algorithms.authoring import failures
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.scenario_file import saved_run

MOST_STEPS = 200_000  # for one answer
A_WHILE = 0.008  # seconds
_TOO_LONG = f"the answer takes more than {MOST_STEPS} steps to work out"


class TooLong(BadInput):
    """An answer would take too many steps to work out."""


def go_on(work: Iterator[object]) -> None:
    """Go on with a long work for as long as a frame of the window has room for it."""
    stop = wall_clock() + A_WHILE
    for _ in work:
        if wall_clock() >= stop:
            break


def start(scenario: Scenario) -> Timeline:
    """A new run of a scenario, before its first step."""
    return catalog.timeline(scenario)


def copy_of(timeline: Timeline) -> Timeline:
    """A run with the same interventions at the same step, which can go on without the other."""
    copy = beginning_of(timeline)
    seek(copy, timeline.step)
    return copy


def beginning_of(timeline: Timeline) -> Timeline:
    """A run with the same interventions, before its first step."""
    return start(saved_run(timeline))


def seek(timeline: Timeline, step: int) -> None:
    """Go to a step of a copy."""
    with failures.guard_timeline(timeline):
        timeline.seek(step)


def towards(timeline: Timeline, time: float, slice_of: int) -> Iterator[None]:
    """Go on to the last step at or before a time, that many steps at once. TooLong after very many steps."""
    while (due := timeline.simulation.next_time()) is not None and due <= time:
        if timeline.step >= MOST_STEPS:
            raise TooLong(_TOO_LONG)
        with failures.guard_timeline(timeline):
            timeline.seek_time(time, slice_of)
        yield


def finish(timeline: Timeline) -> None:
    """Go on to the scenario's end, or until nothing more can happen. TooLong after very many steps."""
    for _ in towards(timeline, timeline.scenario.until, MOST_STEPS):
        pass


def forward(timeline: Timeline) -> bool:
    """Go one step on; False at the scenario's end, or if nothing more can happen. TooLong after very many steps."""
    due = timeline.simulation.next_time()
    if due is None or due > timeline.scenario.until:
        return False
    if timeline.step >= MOST_STEPS:
        raise TooLong(_TOO_LONG)
    with failures.guard_timeline(timeline):
        return timeline.forward()
