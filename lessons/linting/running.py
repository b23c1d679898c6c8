"""The findings that need runs (R1 to R8): the steps of many instances are executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from lessons.asking.answers import Answer
from lessons.fresh import instance_of
from lessons.keys import KeyEntry, key_of
from lessons.lesson import BeNodeTask, ChallengeTask, ExperimentTask, Lesson, LessonStep, PredictTask, RepairTask
from lessons.linting.rules import LintFinding
from lessons.tasks import experiments, repairing
from lessons.tasks.challenges import par_of_task
from lessons.tasks.decisions import trouble_with
from lessons.tasks.repairing import RepairKey

MOST_SAME = 0.6  # of the instances may have the same right answer
FEWEST_RIGHT = 3  # different right answers among many instances
MANY = 20
_FEW_ANSWERS = ("yes-no", "light")  # kinds of answers of which there are too few to differ much
MOST_PAR = 12
MOST_SECONDS = 2  # for one order of lines


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
    task = step.task
    if isinstance(task, PredictTask):
        yield from _wrong_options(lesson, step, entry, number)
    if isinstance(task, BeNodeTask) and (words := trouble_with(list(entry.right))):
        yield LintFinding(lesson.file, step.line, "R5", f"instance {number}: P{task.node}: {words}")
    if isinstance(task, ExperimentTask) and (words := experiments.trouble_with(entry.right)):
        yield LintFinding(lesson.file, step.line, "R7", f"instance {number}: {words}")
    if isinstance(task, RepairTask) and number == 1:
        words = repairing.trouble_with(entry.right) or (_slow_orders(entry.right) if entry.right.lines else "")
        if words:
            yield LintFinding(lesson.file, step.line, "R6", words)


def _slow_orders(made: RepairKey) -> str:
    """Why the orders of a repair are no task: one takes too long, or too many are right."""
    orders = list(permutations(range(made.own)))
    right = 0
    for order in orders:
        begun = wall_clock()
        right += made.judge(order).holds
        if wall_clock() - begun > MOST_SECONDS:
            return f"an order takes more than {MOST_SECONDS} seconds to check"
    return "every order is right" if right == len(orders) else ""


def _wrong_options(lesson: Lesson, step: LessonStep, entry: KeyEntry, number: int) -> Iterator[LintFinding]:
    values: dict[Answer, int] = {}
    for place, option in enumerate(entry.options):
        where = f"instance {number}: wrong[{place}].is"
        if option.answer is None:
            yield LintFinding(lesson.file, step.line, "R3", f"{where}: comes to no answer")
        elif option.answer == entry.right:
            yield LintFinding(
                lesson.file, step.line, "R3", f"{where}: gives the right answer; a wrong option must be wrong"
            )
        elif option.answer in values:
            yield LintFinding(
                lesson.file, step.line, "R3", f"{where}: gives the same as wrong[{values[option.answer]}]"
            )
        else:
            values[option.answer] = place
    fewest = 1 if entry.right.kind == "yes-no" else 2
    if len(values) < fewest:
        yield LintFinding(
            lesson.file, step.line, "R3", f"instance {number}: {len(values)} different wrong answers; at least {fewest}"
        )


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
