"""docs/lessons.md: its example is a lesson that works, and it names all kinds and conditions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lessons import robots
from lessons.asking.moments import CONDITIONS
from lessons.keys import key_of
from lessons.linting import rules, running
from lessons.marking import total
from lessons.reading.reading import read
from lessons.reading.tasks import KINDS

PAGE = (Path(__file__).parents[2] / "docs/lessons.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lesson():
    (text,) = re.findall(r"````\n(.*?)````", PAGE, flags=re.DOTALL)
    return read(text, Path("first.md"))


def test_the_example_works_and_nothing_is_to_mend(lesson):
    assert not [str(finding) for finding in (*rules.findings(lesson), *running.findings(lesson, 1))]
    found = key_of(lesson)
    assert found["stays"].right.value == ((1,), (2,))
    assert total(lesson, robots.play(lesson, found, "right")) == 1.0
    assert total(lesson, robots.play(lesson, found, "wrong")) <= 0.2


def test_all_kinds_and_conditions_are_named():
    assert not [kind for kind in KINDS if f"`{kind}`" not in PAGE]
    assert not [name for name in CONDITIONS if f"{{ {name} =" not in PAGE and name not in ("time", "step")]
