"""Robots that answer a lesson: rightly, wrongly, always the first option, or at random. For tests and the linter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from algorithms.engine.randomness import Stream
from algorithms.engine.randomness import key as stream_key
from lessons.asking.answers import NO, NOBODY, YES, Answer, share
from lessons.keys import KeyEntry
from lessons.lesson import BeNodeTask, ExperimentTask, Lesson, LessonStep, OrderTask, PredictTask, QuizTask, RepairTask
from lessons.marking import StepMark, Tries, mark
from lessons.tasks.decisions import Acts, Decision, share_of
from lessons.tasks.experiments import ExperimentKey
from lessons.tasks.ordering import OrderKey, draw, share_of_order
from lessons.tasks.repairing import RepairKey

Choose = Callable[[int], int]
"""Picks one of so many options, by its place."""


def choices_of(step: LessonStep, entry: KeyEntry, instance: int) -> list[Any]:
    """The options of a question in the order in which they are offered: shuffled, but nodes in their order."""
    task = step.task
    if isinstance(task, QuizTask):
        options: list[Any] = [task.right, *(option.text for option in task.wrong)]
    elif isinstance(entry.right, ExperimentKey):
        made = entry.right
        if made.options:
            return list(made.options)
        options = list(dict.fromkeys([made.right, *(option.answer for option in made.wrong)]))
        return sorted(options, key=lambda option: float(option.value))
    else:
        assert isinstance(task, PredictTask)
        options = list(dict.fromkeys([entry.right, *(o.answer for o in entry.options if o.answer is not None)]))
        if entry.right.kind == "yes-no":
            return [Answer("yes-no", YES), Answer("yes-no", NO)]
        if entry.right.kind == "node" and all(isinstance(option.value, int) for option in options):
            return sorted(options, key=lambda option: int(option.value))
    return draw(options, len(options), Stream(stream_key(instance, "options", step.id)))


def play(lesson: Lesson, found: Mapping[str, KeyEntry], robot: str) -> dict[str, StepMark]:
    """The marks of a robot (right, wrong, first or random:SEED) that answers each graded step once."""
    name, _, seed = robot.partition(":")
    stream = Stream(stream_key(int(seed or 1), "robot", lesson.name))
    return {
        step.id: mark(step, Tries((_share(step, found[step.id], lesson, name, stream),))) for step in lesson.graded()
    }


def _share(step: LessonStep, entry: KeyEntry, lesson: Lesson, robot: str, stream: Stream) -> float:
    task = step.task
    if isinstance(task, BeNodeTask):
        asked = [decision for decision in entry.right if decision.is_asked]
        shares = [share_of(decision.right, _decide(decision, robot, stream)) for decision in asked]
        return sum(shares) / len(shares) if shares else 1.0
    if isinstance(task, OrderTask):
        return _order(entry.right, robot, stream)
    if isinstance(task, RepairTask):
        return _repair(entry.right, robot, stream)
    if isinstance(task, ExperimentTask):
        key: ExperimentKey = entry.right
        given = _pick(choices_of(step, entry, lesson.instance), key.right, robot, stream)
        return share(key.right, given, key.within)
    if not isinstance(task, PredictTask | QuizTask):
        return 1.0 if robot == "right" else 0.0
    options = choices_of(step, entry, lesson.instance)
    given = _pick(options, entry.right, robot, stream)
    if isinstance(task, PredictTask):
        return share(entry.right, given, task.within)
    return 1.0 if given == entry.right else 0.0


def _pick(options: list[Any], right: Any, robot: str, stream: Stream) -> Any:
    if robot == "right":
        return right
    if robot == "wrong":
        return next((option for option in options if option != right), NOBODY)
    return options[0] if robot == "first" else stream.choice(options)


def _order(key: OrderKey, robot: str, stream: Stream) -> float:
    """The share of an order that a robot gets right; "first" leaves everything as it is."""
    if robot == "right":
        return 1.0
    if key.parts:
        picked = [(part.right, _pick(list(part.options), part.right, robot, stream)) for part in key.parts]
        return sum(float(right == given) for right, given in picked) / len(picked)
    if key.what == "past":
        places = frozenset(range(len(key.events) - 1))
        given = {"wrong": places - key.past, "first": places}.get(robot)
        if given is None:
            given = frozenset(place for place in places if stream.random() < 0.5)
        return share_of(key.past, given)
    order = {"wrong": key.right_order()[::-1], "first": key.start}.get(robot)
    return share_of_order(key, order or draw(key.start, len(key.start), stream))


def _repair(key: RepairKey, robot: str, stream: Stream) -> float:
    if key.options:
        shares = [option.outcome.share for option in key.options]
        chosen = {"right": max(shares), "wrong": min(shares), "first": shares[0]}.get(robot)
        return stream.choice(shares) if chosen is None else chosen
    order = {"right": key.right_order(), "wrong": key.right_order()[::-1], "first": key.start}.get(robot)
    return key.share(order or draw(key.start, len(key.start), stream))


def _decide(decision: Decision, robot: str, stream: Stream) -> Acts:
    """A decision among those of the algorithm and its mutants, and to do nothing."""
    if robot == "right":
        return decision.right
    possible = list(dict.fromkeys([decision.right, *decision.mutants.values(), frozenset[Any]()]))
    if robot == "wrong":
        return next((acts for acts in possible if acts != decision.right), frozenset({("nothing",)}))
    return possible[0] if robot == "first" else stream.choice(possible)
