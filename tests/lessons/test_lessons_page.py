"""docs/lessons.md: each rung of its ladder is a lesson that works, and it names all that a lesson may contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from algorithms.bad_input import BadInput
from lessons import robots
from lessons.asking.moments import CONDITIONS
from lessons.asking.questions import QUESTIONS
from lessons.fresh import instance_of
from lessons.keys import key_of
from lessons.linting import rules, running
from lessons.marking import total
from lessons.reading.reading import read
from lessons.reading.tasks import KINDS
from lessons.tasks.measures import MEASURES

PAGE = (Path(__file__).parents[2] / "docs/lessons.md").read_text(encoding="utf-8")
FIRST, STEPS, FRESH = re.findall(r"````\n(.*?)````", PAGE, flags=re.DOTALL)
SECOND = FIRST.replace("## Explain it", f"{STEPS}\n## Explain it")
THIRD = SECOND.replace("+++\n\n##", f"\n{FRESH}+++\n\n##", 1)


def found(text: str, instances: int = 1) -> set[str]:
    lesson = read(text, Path("first.md"))
    return {finding.code for finding in (*rules.findings(lesson), *running.findings(lesson, instances))}


def test_the_first_rung_works_and_lacks_what_the_page_says():
    assert key_of(read(FIRST, Path("first.md")))["stays"].right.value == ((1,), (2,))
    assert found(FIRST) == {"L4", "L5"}


def test_on_the_second_rung_nothing_is_to_mend():
    lesson = read(SECOND, Path("first.md"))
    assert not found(SECOND)
    key = key_of(lesson)
    assert total(lesson, robots.play(lesson, key, "right")) == 1.0
    assert total(lesson, robots.play(lesson, key, "wrong")) <= 0.2


def test_on_the_third_rung_there_are_instances():
    lesson = read(THIRD, Path("first.md"))
    assert not found(THIRD, 3)
    assert len({str(key_of(instance_of(lesson, number))["stays"].right) for number in range(1, 6)}) > 1


def test_a_mistake_is_told_as_the_page_says():
    (words,) = re.findall(r"such as `(first\.md:.*?)`", PAGE)
    with pytest.raises(BadInput) as error:
        read(FIRST.replace('ask = "stays"', 'ask = "stay"'), Path("first.md"))
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("names", [KINDS, QUESTIONS, MEASURES], ids=["kinds", "questions", "measures"])
def test_all_kinds_questions_and_measures_are_named(names):
    assert not [name for name in names if f"`{name}`" not in PAGE]


def test_all_conditions_are_named():
    assert not [name for name in CONDITIONS if f"{{ {name} =" not in PAGE and name not in ("time", "step")]
