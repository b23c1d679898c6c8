"""The progress in lessons, as JSON in the person's folder. Nothing leaves the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import platformdirs

from algorithms.files import read_text, write_whole
from lessons.attempt import Attempt
from lessons.lesson import Lesson
from lessons.marking import StepMark, total
from lessons.reading import curriculum
from lessons.reading.reading import find
from visual.window.memory.settings import set_aside


@dataclass
class LessonProgress:
    """The progress in one lesson: the step to go on with, and the best mark of each step with a digest of it."""

    at: int = 0
    marks: dict[str, float] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    passed: bool = False


@dataclass
class Progress:
    """The progress in the lessons, by name."""

    format: int = 1
    lessons: dict[str, LessonProgress] = field(default_factory=dict)


def path() -> Path:
    """The file of the progress."""
    return Path(platformdirs.user_data_dir("mutoscope")) / "lessons.json"


def load(file: Path) -> Progress:
    """The progress in a file; none if there is no file, or it cannot be read."""
    try:
        return msgspec.json.decode(read_text(file), type=Progress)
    except (OSError, ValueError, RecursionError):
        return Progress()


def put_aside(file: Path) -> str:
    """Rename a file that cannot be read, so that it is kept: the news in a sentence, or "" if it can be read."""
    try:
        msgspec.json.decode(read_text(file), type=Progress)
    except OSError:
        return ""
    except (ValueError, RecursionError):
        return f"The progress in lessons cannot be read and begins anew; the old file is {set_aside(file)}."
    return ""


def save(progress: Progress, file: Path) -> None:
    """Write the file completely or not at all. OSError if it cannot be written."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, [msgspec.json.format(msgspec.json.encode(progress), indent=2), b"\n"])


def record(progress: Progress, attempt: Attempt) -> None:
    """Note where an attempt stands; the best mark of each step counts, whatever the instance."""
    lesson = attempt.lesson
    known = progress.lessons.setdefault(lesson.name, LessonProgress())
    known.at = attempt.at
    for step in lesson.steps:
        if step.id in attempt.marks:
            is_same = known.digests.get(step.id) == step.digest
            before = known.marks.get(step.id, 0.0) if is_same else 0.0
            known.marks[step.id] = max(before, attempt.marks[step.id].value)
            known.digests[step.id] = step.digest
    marks = {id: StepMark(value) for id, value in known.marks.items()}
    known.passed = known.passed or (
        all(step.id in marks for step in lesson.graded()) and total(lesson, marks) >= lesson.passing
    )


def resumed(progress: Progress, attempt: Attempt) -> Attempt:
    """The attempt, at the step where the last one stopped, with the marks of steps that have not changed."""
    known = progress.lessons.get(attempt.lesson.name)
    if known is not None:
        for step in attempt.lesson.steps:
            if known.digests.get(step.id) == step.digest:
                attempt.marks[step.id] = StepMark(known.marks[step.id])
        attempt.go_to(known.at if known.at + 1 < len(attempt.lesson.steps) else 0)
    return attempt


def recommended(progress: Progress) -> str:
    """The lesson to go on with: the first that is not passed although all that it builds on are; "" at the end."""
    passed = {name for name, known in progress.lessons.items() if known.passed}
    for name in curriculum.lessons():
        if name not in passed and passed.issuperset(find(name).after):
            return name
    return ""


def words(progress: Progress, lesson: Lesson) -> str:
    """The progress in a lesson: "new", "3 of 7", "passed"."""
    known = progress.lessons.get(lesson.name)
    if known is None:
        return "new"
    return "passed" if known.passed else f"{known.at + 1} of {len(lesson.steps)}"
