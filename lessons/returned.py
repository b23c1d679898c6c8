"""A learner's answers from a JSON file, marked step by step.

The file has the id of a step and its answer, written as `mutoscope lesson NAME --key --json` prints what is right: a
list with an answer for each decision, or each part of an order, where there are several. Of a challenge the answer is
the list of moves (lessons/schedules.py), or that it cannot be done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.files import read_text
from algorithms.scenario_format.place import Place
from lessons.keys import StepRun, entry_of, stages
from lessons.lesson import Lesson, LessonStep
from lessons.marking import StepMark, Tries, mark
from lessons.schedules import share_of_schedule
from lessons.task import AnswerVerdict
from lessons.tasks.challenges import ChallengeTask, par_of_task

IMPOSSIBLE = "impossible"


class MarkedStep(NamedTuple):
    """A step with its mark, and what is wrong with the answer."""

    step: LessonStep
    mark: StepMark
    why: str = ""
    shows: str = ""  # a misconception


def read(file: str) -> tuple[dict[str, Any], Place]:
    """The answers in a file, and its place in messages. BadInput if it is no JSON object."""
    try:
        found = json.loads(read_text(file))
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: not valid JSON ({error})") from None
    if not isinstance(found, dict):
        raise BadInput(f"{file}: expected an object with the id of each step and its answer")
    return found, Place(file)


def marked(lesson: Lesson, answers: Mapping[str, Any], place: Place) -> list[MarkedStep]:
    """Each graded step with its mark; one without an answer is skipped. BadInput if an answer makes no sense."""
    ids = [step.id for step in lesson.graded()]
    for id in answers:
        place.check_known("step", id, ids)
    return [_marked(lesson, stage, answers, place) for stage in stages(lesson) if stage.step.task.counts]


def _marked(lesson: Lesson, stage: StepRun, answers: Mapping[str, Any], place: Place) -> MarkedStep:
    step, task, here = stage.step, stage.step.task, place.at(stage.step.id)
    if step.id not in answers:
        return MarkedStep(step, mark(step, Tries(is_skipped=True)))
    value = answers[step.id]
    if isinstance(task, ChallengeTask):
        return MarkedStep(step, mark(step, Tries((_share_of_challenge(lesson, task, value, here),))))
    entry = entry_of(lesson, stage)
    parts = task.parts(entry.right)
    if parts and (not isinstance(value, list) or len(value) != len(parts)):
        raise here.expected(f"a list of {len(parts)} answers", value)
    verdicts: list[AnswerVerdict] = []
    for part, one in zip(parts or [None], value if parts else [value], strict=True):
        try:
            verdicts.append(task.verdict(entry, part, task.from_json(entry, part, one)))
        except ValueError as error:
            raise here.expected(str(error), one) from None
    share = sum(verdict.share for verdict in verdicts) / len(verdicts)
    worst = min(verdicts, key=lambda verdict: verdict.share)
    return MarkedStep(step, mark(step, Tries((share,))), worst.why, worst.misconception)


def _share_of_challenge(lesson: Lesson, task: ChallengeTask, value: Any, place: Place) -> float:
    scenario = lesson.scenarios[task.scenario]
    if isinstance(value, list):
        return share_of_schedule(scenario, task, value, place)
    if value != IMPOSSIBLE:
        raise place.expected(f'"{IMPOSSIBLE}", or a list of moves such as ["request", 1]', value)
    par = par_of_task(scenario, task)
    return float(par.is_decided and par.moves is None)
