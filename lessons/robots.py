"""Robots that answer a lesson: rightly, wrongly, always the first option, or at random. For tests and the linter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from algorithms.engine.randomness import Stream
from algorithms.engine.randomness import key as stream_key
from lessons.lesson import Lesson
from lessons.marking import StepMark, Tries, mark
from lessons.task import ARRANGE, CHOOSE, TOGGLE, KeyEntry, Task
from lessons.tasks.ordering import draw


def play(lesson: Lesson, found: Mapping[str, KeyEntry], robot: str) -> dict[str, StepMark]:
    """The marks of a robot (right, wrong, first or random:SEED) that answers each graded step once."""
    name, _, seed = robot.partition(":")
    stream = Stream(stream_key(int(seed or 1), "robot", lesson.name))
    marks = {}
    for step in lesson.graded():
        share = _share(step.task, found[step.id], lesson.instance, name, stream)
        marks[step.id] = mark(step, Tries((share,)))
    return marks


def _share(task: Task, entry: KeyEntry, instance: int, robot: str, stream: Stream) -> float:
    """How much of a task a robot gets right, over all its parts."""
    if not task.is_question:
        return 1.0 if robot == "right" else 0.0
    ways: dict[str, Callable[..., Any]] = {CHOOSE: _chosen, TOGGLE: _marked, ARRANGE: _arranged}
    answer = ways[task.way(entry.right)]
    shares = []
    for part in task.parts(entry.right) or (None,):
        options = part.options if part else task.options(entry, instance)
        right = part.right if part else task.solution(entry.right)

        def share(given: Any, part: Any = part) -> float:
            return task.verdict(entry, part, given).share

        shares.append(share(answer(options, right, share, robot, stream)))
    return sum(shares) / len(shares)


def _chosen(options: Sequence[Any], right: Any, share: Callable[[Any], float], robot: str, stream: Stream) -> Any:
    """One of the options."""
    if robot in ("right", "wrong"):
        return (max if robot == "right" else min)(options, key=share)
    return options[0] if robot == "first" else stream.choice(options)


def _arranged(start: Sequence[int], right: Sequence[int], share: object, robot: str, stream: Stream) -> tuple[int, ...]:
    """An order; the first robot leaves it as it is offered."""
    orders = {"right": right, "wrong": right[::-1], "first": start}
    return tuple(orders.get(robot) or draw(start, len(start), stream))


def _marked(options: Sequence[int], right: frozenset[int], share: object, robot: str, stream: Stream) -> frozenset[int]:
    """The options that are marked; the first robot marks all."""
    if robot == "random":
        return frozenset(place for place in options if stream.random() < 0.5)
    return right if robot == "right" else frozenset(options) - (right if robot == "wrong" else frozenset())
