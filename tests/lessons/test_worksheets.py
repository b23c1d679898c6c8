"""Worksheets: well-formed, self-contained, the same bytes twice, and without what the key tells."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest

from lessons.fresh import instance_of
from lessons.keys import key_of
from lessons.reading.reading import find
from visual.command_line import main
from visual.commands.worksheet import worksheet

VOID = ("meta", "br")


class Nesting(HTMLParser):
    """Whether every element ends where it must."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def lesson():
    return find("deferral")


@pytest.fixture(scope="module")
def sheet(lesson):
    return worksheet(lesson)


@pytest.mark.parametrize("with_key", [False, True])
def test_a_worksheet_is_well_formed_and_needs_nothing_else(lesson, with_key):
    text = worksheet(lesson, with_key=with_key)
    reader = Nesting()
    reader.feed(text)
    assert not reader.open
    assert "script" not in reader.seen
    assert ("svg" in reader.seen) == (not with_key)
    assert "http" not in text
    assert text == worksheet(lesson, with_key=with_key)


def test_only_the_key_says_why(lesson, sheet):
    key = worksheet(lesson, with_key=True)
    whys = [option.wrong.why for entry in key_of(lesson).values() for option in entry.options]
    assert whys
    for why in whys:
        words = why.split(".")[0].partition("'")[0][:30]
        assert words not in sheet
        assert words in key
    assert "It takes at least 4 moves." in key


def test_every_step_is_on_the_sheet_and_forms_differ(lesson, sheet):
    for step in lesson.steps:
        assert step.heading in sheet
    other = worksheet(instance_of(lesson, 2))
    assert "form A" in sheet
    assert "form B" in other
    assert sheet.partition("</header>")[2] != other.partition("</header>")[2]


@pytest.mark.parametrize("place", ["endless repair", "three-messages price", "lost-token replaced"])
def test_forms_differ_in_a_right_answer(place):
    name, step = place.split()
    written = find(name)
    assert len({key_of(instance_of(written, form))[step].right.value for form in (1, 2, 3, 4)}) > 1


def test_a_lesson_without_instances_has_one_form():
    assert "Worksheet, the only form" in worksheet(find("rules"))


def test_the_command_writes_sheet_and_key(tmp_path, capsys):
    assert main(["lesson", "deferral", "--sheet", "--form", "B", "-o", str(tmp_path / "b.html")]) == 0
    assert "form B" in (tmp_path / "b.html").read_text(encoding="utf-8")
    assert main(["lesson", "deferral", "--sheet"]) == 2
    assert "expected the file of the worksheet" in capsys.readouterr().err


def test_the_command_prints_the_progress(tmp_path, capsys, monkeypatch):
    from visual.window.memory import progress

    file = tmp_path / "lessons.json"
    known = progress.Progress(lessons={"deferral": progress.LessonProgress(2, {"stays": 0.5})})
    progress.save(known, file)
    monkeypatch.setattr(progress, "path", lambda: file)
    assert main(["lesson", "--progress", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows == [{"lesson": "deferral", "step": 3, "marks": {"stays": 0.5}, "passed": False}]
    assert main(["lesson", "--progress"]) == 0
    assert "stays 50%" in capsys.readouterr().out
