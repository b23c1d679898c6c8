"""Marks: how much of a step is right, and what tries, hints and looks at the answer take from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lessons.lesson import Lesson, LessonStep

MOST_HINTS = 3
_FACTORS = (1.0, 0.5, 0.25)  # of the first, the second, and every further try
_HINT = 0.25
_LEAST = 0.25


class Tries(NamedTuple):
    """What a learner did in a step: the share of each try that is right, in order, and the help taken."""

    shares: tuple[float, ...] = ()
    hints: int = 0
    is_shown: bool = False  # the answer was looked at before any try was right
    is_skipped: bool = False


class StepMark(NamedTuple):
    """The mark of a step: a share of its points, from 0 to 1."""

    value: float
    is_skipped: bool = False


def mark(step: LessonStep, tries: Tries) -> StepMark:
    """The best of the tries, with what they cost. Steps without points have full marks once they are answered."""
    if tries.is_skipped or tries.is_shown:
        return StepMark(0.0, tries.is_skipped)
    best = 0.0
    for place, share in enumerate(tries.shares):
        factor = _FACTORS[min(place, len(_FACTORS) - 1)] - _HINT * min(tries.hints, MOST_HINTS)
        best = max(best, share * max(_LEAST, factor))
    return StepMark(best)


def total(lesson: Lesson, marks: Mapping[str, StepMark]) -> float:
    """The mark of the whole lesson, from 0 to 1; a step without a mark has none."""
    points = sum(step.task.points for step in lesson.graded())
    gained = sum(step.task.points * marks[step.id].value for step in lesson.graded() if step.id in marks)
    return gained / points if points else 1.0


def is_passed(lesson: Lesson, marks: Mapping[str, StepMark]) -> bool:
    """Whether the lesson is passed: enough marks, and no graded step left out."""
    complete = all(step.id in marks and not marks[step.id].is_skipped for step in lesson.graded())
    return complete and total(lesson, marks) >= lesson.passing
