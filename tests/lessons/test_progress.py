"""The progress in lessons is kept whole, step by step, whatever happens to the file or the lesson."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from lessons.attempt import Attempt
from lessons.fresh import instance_of
from lessons.marking import StepMark
from lessons.reading import curriculum
from lessons.reading.reading import find, read
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.window import intents
from visual.window.actions import perform
from visual.window.memory import progress
from visual.window.memory.progress import Progress

WRITER = """
import sys
from pathlib import Path
from visual.window.memory.progress import LessonProgress, Progress, save
for n in range(10**6):
    save(Progress(lessons={str(k): LessonProgress(n, {"x" * 40: n / 10**6}) for k in range(200)}), Path(sys.argv[1]))
    print(n, flush=True)
"""


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(progress, "path", lambda: tmp_path / "lessons.json")
    return tmp_path / "lessons.json"


def test_the_file_is_whole_whenever_the_program_is_killed(file):
    for delay in (0.0, 0.003, 0.01, 0.05):
        with subprocess.Popen([sys.executable, "-c", WRITER, file], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"0\n"
            time.sleep(delay)
            writer.kill()
        assert len(progress.load(file).lessons) == 200


def test_a_changed_step_is_asked_again_and_the_others_keep_their_marks():
    path = curriculum.find("deferral")
    text = path.read_text(encoding="utf-8")
    lesson, known = read(text, path), Progress()
    attempt = Attempt(lesson)
    attempt.marks = {step.id: StepMark(1.0) for step in lesson.graded()}
    progress.record(known, attempt)
    changed = read(text.replace("minutes = ", "\n\nminutes = ").replace("Messages reach you.", "They reach you."), path)
    marks = progress.resumed(known, Attempt(changed)).marks
    assert set(attempt.marks) - set(marks) == {"be-p1"}


def test_the_best_mark_counts_whatever_the_instance():
    lesson, known = find("deferral"), Progress()
    for instance, value in ((1, 1.0), (2, 0.25)):
        attempt = Attempt(instance_of(lesson, instance))
        attempt.marks = {"stays": StepMark(value)}
        progress.record(known, attempt)
    assert progress.resumed(known, Attempt(lesson)).marks["stays"].value == 1.0


@pytest.mark.parametrize("text", ["", "{", '{"format": "x"}', "[" * 5000])
def test_a_file_that_cannot_be_read_is_kept_and_told(file, text):
    file.write_text(text, encoding="utf-8")
    desk = desk_of(find("deferral").scenarios["main"])
    interface = perform(interface_of(1280, 720), desk, intents.open_lesson("deferral"))
    assert "lessons.broken.json" in interface.notice.words
    assert file.with_suffix(".broken.json").read_text(encoding="utf-8") == text
    assert not file.exists()
    progress.save(Progress(), file)
    assert msgspec.json.decode(file.read_bytes(), type=Progress) == progress.load(file)


def test_a_lesson_opens_though_such_a_file_cannot_be_renamed(file, monkeypatch):
    def refuse(self, target):
        raise PermissionError(13, "Permission denied", str(self))

    file.write_text("{", encoding="utf-8")
    monkeypatch.setattr(type(file), "replace", refuse)
    desk = desk_of(find("deferral").scenarios["main"])
    interface = perform(interface_of(1280, 720), desk, intents.open_lesson("deferral"))
    assert desk.lesson is not None
    assert interface.notice.words.endswith("the old file is left as it is.")
