"""The findings about a lesson's text and its order of steps (L1 to L9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lessons.lesson import Lesson, LessonStep

MOST_WORDS = 60  # of a step
MOST_FIRST_WORDS = 40
MOST_NODES, MOST_OF_SEARCH, MOST_WANDERING = 10, 16, 20  # in a graded step
WORDS_PER_MINUTE = 180
_SECONDS = {
    "predict": 20,
    "order": 60,
    "experiment": 60,
    "be-node": 90,
    "repair": 90,
    "quiz": 20,
    "challenge": 90,
    "act": 15,
    "explain": 45,
    "run": 10,
}

_FORMULA = re.compile(r"O\(|=|\d\s*[·*/+−-]\s*[\dN(]|N\s*[−²]")
_NUMBER = re.compile(r"(?<![\w{])\d+(?:\.\d+)?(?![\w}])")
_NODE_NAME = re.compile(r"\bP\d+\b")


class LintFinding(NamedTuple):
    """One thing to mend: its place, the rule's code, and a sentence."""

    file: str
    line: int
    code: str
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code}: {self.words}"


def findings(lesson: Lesson) -> Iterator[LintFinding]:
    """All findings that need no run."""
    for rule in (_beginning, _ideas, _change, _deciding, _misconceptions, _ending, _size, _numbers, _words):
        yield from rule(lesson)


def _at(lesson: Lesson, step: LessonStep, code: str, words: str) -> LintFinding:
    return LintFinding(lesson.file, step.line, code, words)


def words_of(step: LessonStep) -> int:
    """The number of words of a step's text."""
    return sum(len(paragraph.words.split()) for paragraph in step.paragraphs)


def _beginning(lesson: Lesson) -> Iterator[LintFinding]:
    first = lesson.steps[0]
    if first.task.kind not in ("predict", "act", "challenge"):
        yield _at(lesson, first, "L1", "the first step is no predict, act or challenge")
    if words_of(first) > MOST_FIRST_WORDS:
        yield _at(lesson, first, "L1", f"the first step has {words_of(first)} words; at most {MOST_FIRST_WORDS}")
    if any(_FORMULA.search(paragraph.words) for paragraph in first.paragraphs):
        yield _at(lesson, first, "L1", "the first step's text has a formula")


def _ideas(lesson: Lesson) -> Iterator[LintFinding]:
    asked = {idea for step in lesson.graded() for idea in step.task.about}
    for idea in lesson.ideas:
        if idea not in asked:
            yield LintFinding(lesson.file, 1, "L2", f"no graded step is about the idea {idea}")
    met: set[str] = set()
    for step in lesson.steps:
        told = step.task.kind in ("look", "run")
        for idea in step.task.about:
            if told and idea not in met:
                yield _at(lesson, step, "L2", f"the idea {idea} is told before it is asked")
            met.add(idea)


def _change(lesson: Lesson) -> Iterator[LintFinding]:
    if not any(step.task.kind in ("act", "challenge", "experiment") for step in lesson.steps):
        yield LintFinding(lesson.file, 1, "L4", "nothing is changed: no act, challenge or experiment")


def _deciding(lesson: Lesson) -> Iterator[LintFinding]:
    if not any(step.task.kind in ("be-node", "challenge", "order", "repair") for step in lesson.graded()):
        yield LintFinding(lesson.file, 1, "L5", "nothing is done: no graded be-node, challenge, order or repair")


def _misconceptions(lesson: Lesson) -> Iterator[LintFinding]:
    met = set().union(*(step.task.misconceptions(lesson.scenarios[step.task.scenario]) for step in lesson.steps))
    for name in lesson.misconceptions:
        if name not in met:
            yield LintFinding(lesson.file, 1, "L6", f"no wrong option and no mutant shows {name}")


def _ending(lesson: Lesson) -> Iterator[LintFinding]:
    last = lesson.steps[-1]
    if last.task.kind != "explain":
        yield _at(lesson, last, "L7", "the last step does not explain")


def _size(lesson: Lesson) -> Iterator[LintFinding]:
    estimate = minutes(lesson)
    if abs(estimate - lesson.minutes) > 2:
        yield LintFinding(lesson.file, 1, "L8", f"it takes about {estimate:.0f} minutes, not {lesson.minutes}")
    for step in lesson.graded():
        scenario = lesson.scenarios[step.task.scenario]
        asks_for_number = getattr(step.task, "ask", "") in ("messages", "per-entry", "many")
        most = _most_nodes(scenario.algorithm)
        if scenario.nodes > most and not asks_for_number:
            yield _at(lesson, step, "L8", f"{scenario.nodes} nodes are too many to follow; at most {most}")


def _most_nodes(algorithm: str) -> int:
    if algorithm.startswith("wandering-token"):
        return MOST_WANDERING
    return MOST_OF_SEARCH if algorithm == "binary-search-token" else MOST_NODES


def minutes(lesson: Lesson) -> float:
    """The estimated time for the lesson."""
    seconds = sum(words_of(step) for step in lesson.steps) / WORDS_PER_MINUTE * 60
    seconds += sum(_SECONDS.get(step.task.kind, 5) for step in lesson.steps)
    return seconds / 60 + 2  # looking around, reading what was wrong


def _numbers(lesson: Lesson) -> Iterator[LintFinding]:
    for step in lesson.steps:
        for paragraph in step.paragraphs:
            found = _NUMBER.search(_NODE_NAME.sub("", paragraph.words))
            if found:
                yield _at(
                    lesson, step, "L9", f"the text has the number {found.group()}, which the engine should compute"
                )
    quizzes = [step for step in lesson.steps if step.task.kind == "quiz"]
    for step in quizzes[1:]:
        yield _at(lesson, step, "L9", "a second quiz: only one question per lesson may have a stored answer")


def _words(lesson: Lesson) -> Iterator[LintFinding]:
    for step in lesson.steps:
        if words_of(step) > MOST_WORDS:
            yield _at(lesson, step, "L8", f"the step has {words_of(step)} words; at most {MOST_WORDS}")
