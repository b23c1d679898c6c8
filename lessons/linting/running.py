"""The findings that need runs (R1 to R8): the steps of many instances are executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from algorithms.bad_input import BadInput
from algorithms.clock import cpu_clock
from lessons.asking.answers import Answer
from lessons.fresh import drawn_instance
from lessons.keys import entry_of, stages
from lessons.lesson import Lesson, LessonStep
from lessons.linting.rules import LintFinding
from lessons.task import KeyEntry, Task
from lessons.tasks.challenges import ChallengeTask, par_of_task
from lessons.tasks.predicting import PredictTask

MOST_SAME = 0.6  # of the instances may have the same right answer
FEWEST_RIGHT = 3  # different right answers among many instances
MANY = 20
_FEW_ANSWERS = ("yes-no", "light", "relation")  # kinds of answers of which there are too few to differ much
MOST_PAR = 12
MOST_SECONDS, MOST_OF_CHECKER = 0.5, 10.0  # for an answer


def findings(lesson: Lesson, instances: int) -> Iterator[LintFinding]:
    """All findings in the first `instances` instances of a lesson."""
    right: dict[str, Counter[Answer]] = {}
    for step in lesson.steps:
        if isinstance(step.task, ChallengeTask):
            yield from _challenge(lesson, step, step.task)
    number = 1
    try:
        for stage in stages(lesson):
            begun = cpu_clock()
            entry = entry_of(lesson, stage)
            yield from _slow(lesson, stage.step, cpu_clock() - begun)
            if stage.step.task.counts:
                _count(stage.step, entry, right)
                yield from _of_step(lesson, stage.step, entry)
        for number in range(2, instances + 1 if lesson.fresh else 2):
            instance, key = drawn_instance(lesson, number)  # which has no trouble, or it would not be used
            for id, entry in key.items():
                _count(instance.step(id), entry, right)
    except BadInput as error:
        yield LintFinding(lesson.file, 1, "R1" if number == 1 else "R4", f"instance {number}: {error}")
        return
    if lesson.fresh and instances >= MANY:
        yield from _variety(lesson, right)


def _challenge(lesson: Lesson, step: LessonStep, task: ChallengeTask) -> Iterator[LintFinding]:
    begun = cpu_clock()
    par = par_of_task(lesson.scenarios[task.scenario], task)
    yield from _slow(lesson, step, cpu_clock() - begun)
    if par.moves is None and not par.is_decided:
        yield LintFinding(lesson.file, step.line, "R5", f"not known whether it can be done in {task.states} states")
    elif par.moves is not None and par.moves > MOST_PAR:
        yield LintFinding(lesson.file, step.line, "R5", f"it takes {par.moves} moves; at most {MOST_PAR}")
    elif par.moves is not None and task.moves is not None and task.moves < par.moves:
        yield LintFinding(lesson.file, step.line, "R5", f"par is {par.moves}, so {task.moves} are too few")


def _slow(lesson: Lesson, step: LessonStep, seconds: float) -> Iterator[LintFinding]:
    """An answer for which a learner would have to wait too long."""
    most = MOST_OF_CHECKER if asks_checker(step.task) else MOST_SECONDS
    if seconds > most:
        yield LintFinding(lesson.file, step.line, "R8", f"its answer takes {seconds:.1f} s; at most {most:g}")


def asks_checker(task: Task) -> bool:
    """Whether an answer takes longer: all interleavings are tried, or many runs are measured."""
    return task.kind in ("challenge", "repair", "experiment") or getattr(task, "ask", "") == "can-break"


def _count(step: LessonStep, entry: KeyEntry, right: dict[str, Counter[Answer]]) -> None:
    """Count the right answer to a question."""
    if isinstance(step.task, PredictTask):
        right.setdefault(step.id, Counter())[entry.right] += 1


def _of_step(lesson: Lesson, step: LessonStep, entry: KeyEntry) -> Iterator[LintFinding]:
    """What is wrong with a task."""
    for words in step.task.trouble(entry):
        yield LintFinding(lesson.file, step.line, step.task.trouble_code, words)


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
