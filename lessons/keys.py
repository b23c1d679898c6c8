"""The key of a lesson: where each step begins, what is right there, and the values of its wrong options.

Nothing is stored in the file: every entry is what a copy of the run comes to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.wrongs import WrongOption, options, right_answer
from lessons.lesson import (
    ActTask,
    BeNodeTask,
    ExperimentTask,
    Lesson,
    LessonStep,
    OrderTask,
    PredictTask,
    QuizTask,
    RepairTask,
    RunTask,
    Task,
)
from lessons.tasks.decisions import Decision, decisions
from lessons.tasks.experiments import experiment_key
from lessons.tasks.ordering import end_of, order_key
from lessons.tasks.repairing import repair_key


class NotReached(BadInput):
    """A condition of a step does not become true."""


class KeyEntry(NamedTuple):
    """The key of one step: the step count at which it asks, and what is right."""

    step: int
    right: Any = None  # an Answer, a quiz's text, the decisions of a node, or the key of another kind of task
    options: tuple[WrongOption, ...] = ()
    evidence: tuple[int, ...] = ()


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
            _reach(run, task, "at", task.at)
        yield StepRun(step, copies.copy_of(run))
        _finish(run, task)
        runs[task.scenario] = run


def _finish(run: Timeline, task: Task) -> None:
    """Take a run to where a step ends."""
    if isinstance(task, ActTask):
        run.act(replace(task.do, at=run.simulation.now))
    if isinstance(task, OrderTask):
        copies.seek(run, end_of(run, task))
    until = getattr(task, "until", None)
    if until is not None and isinstance(task, RunTask | ActTask | BeNodeTask | PredictTask):
        _reach(run, task, "until", until)


def _reach(run: Timeline, task: Task, key: str, condition: Any) -> None:
    if not moments.seek(run, condition):
        words = f'"{task.id}": nothing of the kind happens before {run.scenario.until:g}'
        raise NotReached(str(task.place.at(key).wrong(words)))


def entry_of(lesson: Lesson, stage: StepRun) -> KeyEntry:
    """The key of one step."""
    task = stage.step.task
    if isinstance(task, PredictTask):
        right = right_answer(lesson, task, stage.run)
        return KeyEntry(stage.run.step, right, tuple(options(lesson, task, stage.run)), right.evidence)
    if isinstance(task, QuizTask):
        return KeyEntry(stage.run.step, task.right)
    if isinstance(task, BeNodeTask):
        made: list[Decision] = decisions(stage.run, task)
        return KeyEntry(stage.run.step, tuple(made), evidence=tuple(decision.step for decision in made))
    if isinstance(task, ExperimentTask):
        return KeyEntry(stage.run.step, experiment_key(stage.run.scenario, task))
    if isinstance(task, RepairTask):
        return KeyEntry(stage.run.step, repair_key(stage.run.scenario, task, lesson.instance))
    if isinstance(task, OrderTask):
        key = order_key(stage.run, task, lesson.instance)
        return KeyEntry(key.step, key, evidence=tuple(event.step for event in key.events))
    return KeyEntry(stage.run.step)


def key_of(lesson: Lesson) -> Mapping[str, KeyEntry]:
    """The key of each step, by its id."""
    return {stage.step.id: entry_of(lesson, stage) for stage in stages(lesson)}
