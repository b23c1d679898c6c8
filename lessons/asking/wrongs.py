"""Wrong options: each is the right answer to something else, computed or as written."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import Failure
from algorithms.engine.observe.size import size_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.answers import Answer, from_file
from lessons.asking.questions import QUESTIONS, Asked, answer
from lessons.lesson import Condition, Lesson, PredictTask, Wrong

RULES = ("variant", "algorithm", "scenario", "ask", "cost", "answer")


class WrongOption(NamedTuple):
    """A wrong option with its value; `answer` is None where the rival comes to none."""

    wrong: Wrong
    answer: Answer | None


def right_answer(lesson: Lesson, task: PredictTask, at: Timeline) -> Answer:
    """What the engine comes to when it goes on from the moment that is asked about."""
    return answer(task.ask, _asked(lesson, task, at))


def options(lesson: Lesson, task: PredictTask, at: Timeline) -> list[WrongOption]:
    """The wrong options of a question, with their values."""
    return [WrongOption(wrong, _value(lesson, task, at, wrong)) for wrong in task.wrong]


def _asked(lesson: Lesson, task: PredictTask, at: Timeline) -> Asked:
    return Asked(at, task.given, task.until, lesson.scenarios)


def _value(lesson: Lesson, task: PredictTask, at: Timeline, wrong: Wrong) -> Answer | None:
    kind, rule, argument = QUESTIONS[task.ask].kind, wrong.rule, wrong.argument
    if rule == "answer":
        return from_file(kind, argument)
    if rule == "ask":
        return _otherwise(lesson, task, at, wrong)
    if rule == "cost":
        other = catalog.find(argument)
        return Answer(kind, other.cost.low(size_of(at.scenario, other))) if other.cost else None
    rival = lesson.scenarios[argument] if rule == "scenario" else rival_of(at.scenario, rule, argument)
    there = moment_in(rival, at)
    try:
        return answer(task.ask, _asked(lesson, task, there)) if there else None
    except Failure:
        return None


def _otherwise(lesson: Lesson, task: PredictTask, at: Timeline, wrong: Wrong) -> Answer | None:
    """The answer to another question about the same run, or to the same one with other keys or at another moment."""
    run = at
    if wrong.at is not None:
        run = copies.start(at.scenario)
        if not moments.seek(run, wrong.at):
            return None
    asked = Asked(run, wrong.given, wrong.until or task.until, lesson.scenarios)
    return replace(answer(wrong.argument, asked), kind=QUESTIONS[task.ask].kind)


def rival_of(scenario: Scenario, rule: str, name: str) -> Scenario:
    """The same scenario under a variant of its algorithm, or under another algorithm."""
    if rule == "variant":
        return replace(scenario, variant=name)
    planned = tuple(event for event in scenario.events if event.type is None and event.timer is None)
    return replace(scenario, algorithm=name, variant=None, parameters={}, events=planned)


def moment_in(rival: Scenario, at: Timeline) -> Timeline | None:
    """A run of the rival at the time of `at`; None if it ends before, or cannot get there."""
    run = copies.start(rival)
    try:
        return run if moments.seek(run, Condition("time", at.simulation.now)) else None
    except Failure:
        return None
