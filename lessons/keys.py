"""The key of a lesson: where each step begins, what is right there, and the values of its wrong options.

Nothing is stored in the file: every entry is what a copy of the run comes to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from algorithms.engine.timeline import Timeline
from lessons.asking import copies
from lessons.lesson import Lesson, LessonStep
from lessons.task import KeyEntry


class StepRun(NamedTuple):
    """A step of a lesson with the run at the moment that it is about."""

    step: LessonStep
    run: Timeline


def stages(lesson: Lesson) -> Iterator[StepRun]:
    """Each step with a run of its own, at its moment. NotReached if the run does not get there."""
    runs: dict[str, Timeline] = {}  # where the last step of each scenario ended
    for step in lesson.steps:
        task = step.task
        if task.at is None and task.scenario in runs:
            run = copies.copy_of(runs[task.scenario])
        else:
            run = copies.start(lesson.scenarios[task.scenario])
        if task.at is not None:
            task.reach(run, "at", task.at)
        yield StepRun(step, copies.copy_of(run))
        task.finish(run)
        runs[task.scenario] = run


def entry_of(lesson: Lesson, stage: StepRun) -> KeyEntry:
    """The key of one step."""
    return stage.step.task.key(stage.run, lesson.scenarios, lesson.instance)


def key_of(lesson: Lesson) -> Mapping[str, KeyEntry]:
    """The key of each step, by its id."""
    return {stage.step.id: entry_of(lesson, stage) for stage in stages(lesson)}
