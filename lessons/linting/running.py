"""The findings that need runs (R1 to R8): the steps of many instances are executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from algorithms.bad_input import BadInput
from lessons.asking.answers import Answer
from lessons.fresh import instance_of
from lessons.keys import key_of
from lessons.lesson import Lesson, LessonStep
from lessons.linting.rules import LintFinding
from lessons.task import KeyEntry
from lessons.tasks.challenges import ChallengeTask, par_of_task
from lessons.tasks.predicting import PredictTask
from lessons.tasks.repairing import RepairTask

MOST_SAME = 0.6  # of the instances may have the same right answer
FEWEST_RIGHT = 3  # different right answers among many instances
MANY = 20
_FEW_ANSWERS = ("yes-no", "light")  # kinds of answers of which there are too few to differ much
MOST_PAR = 12


def findings(lesson: Lesson, instances: int) -> Iterator[LintFinding]:
    """All findings in the first `instances` instances of a lesson."""
    right: dict[str, Counter[Answer]] = {}
    yield from _challenges(lesson)
    for number in range(1, (instances if lesson.fresh else 1) + 1):
        try:
            instance = instance_of(lesson, number)
            found = key_of(instance)
        except BadInput as error:
            yield LintFinding(lesson.file, 1, "R1" if number == 1 else "R4", f"instance {number}: {error}")
            return
        for step in instance.graded():
            entry = found[step.id]
            yield from _of_step(instance, step, entry, number)
            if isinstance(step.task, PredictTask):
                right.setdefault(step.id, Counter())[entry.right] += 1
    if lesson.fresh and instances >= MANY:
        yield from _variety(lesson, right)


def _challenges(lesson: Lesson) -> Iterator[LintFinding]:
    for step in lesson.steps:
        if isinstance(step.task, ChallengeTask):
            par = par_of_task(lesson.scenarios[step.task.scenario], step.task)
            if par.moves is None and not par.is_decided:
                yield LintFinding(
                    lesson.file, step.line, "R5", f"not known whether it can be done in {step.task.states} states"
                )
            elif par.moves is not None and par.moves > MOST_PAR:
                yield LintFinding(lesson.file, step.line, "R5", f"it takes {par.moves} moves; at most {MOST_PAR}")
            elif par.moves is not None and step.task.moves is not None and step.task.moves < par.moves:
                yield LintFinding(lesson.file, step.line, "R5", f"par is {par.moves}, so {step.task.moves} are too few")


def _of_step(lesson: Lesson, step: LessonStep, entry: KeyEntry, number: int) -> Iterator[LintFinding]:
    """What is wrong with a task; the lines of a repair are the same in every instance."""
    if number > 1 and isinstance(step.task, RepairTask):
        return
    where = f"instance {number}: " if number > 1 else ""
    for words in step.task.trouble(entry):
        yield LintFinding(lesson.file, step.line, step.task.trouble_code, where + words)


def _variety(lesson: Lesson, right: dict[str, Counter[Answer]]) -> Iterator[LintFinding]:
    for step in lesson.graded():
        counts = right.get(step.id)
        if not counts or next(iter(counts)).kind in _FEW_ANSWERS:
            continue
        answer, most = counts.most_common(1)[0]
        if len(counts) < FEWEST_RIGHT:
            words = f"only {len(counts)} different right answers in {counts.total()} instances"
            yield LintFinding(lesson.file, step.line, "R4", words)
        elif most > MOST_SAME * counts.total():
            yield LintFinding(
                lesson.file, step.line, "R4", f"{answer.value} is right in {most} of {counts.total()} instances"
            )
