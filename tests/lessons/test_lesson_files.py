"""A lesson file is data: each mistake in it is one sentence with file, line and key, and nothing of it is executed."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import pytest

from algorithms.bad_input import BadInput
from lessons.reading import curriculum
from lessons.reading.reading import find, load, read
from tests.support.kit import for_each
from tests.support.sources import files

COURSE = curriculum.folder()
TEXT = (COURSE / "deferral.md").read_text(encoding="utf-8")


def lesson(text: str):
    return read(text, Path("x.md"))


def sentence(text: str) -> str:
    with pytest.raises(BadInput) as error:
        lesson(text)
    return str(error.value)


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


@for_each(name=curriculum.names_of_files())
def test_every_lesson_of_the_course_can_be_read(name):
    found = find(name)
    assert found.name == name
    assert found.path in [path.name for path in curriculum.paths()]


@for_each(
    case=[
        ("# Hello", 'x.md:1: expected +++ and the front matter of a lesson, got "# Hello"'),
        (changed("+++\nformat", "+++\nformat ="), "x.md:2: not valid TOML (Invalid value)"),
        (
            changed("format = 1", "format = 2"),
            "x.md:<format>: format: expected 1, the format this version reads, got 2",
        ),
        (
            changed("minutes = 8", "minutes = 12"),
            "x.md:<minutes>: minutes: expected a whole number from 5 to 9",
        ),
        (
            changed('"M4"]', '"M16"]'),
            'x.md:<misconceptions>: misconceptions[2]: unknown misconception "M16"; expected',
        ),
        (
            changed("minutes = 8", 'minutes = 8\nafter = ["ra"]'),
            'x.md:<after>: after[0]: unknown lesson "ra"; ',
        ),
        (
            changed('like = "main"', 'like = "man"'),
            'x.md:<like>: scenario.crashed.like: unknown scenario "man"; did you mean main?',
        ),
        (
            changed('use = "deferred-reply"', 'like = "crashed"'),
            "x.md:<like|2>: scenario.crashed.like: comes back to itself (main, crashed, main)",
        ),
        (
            changed('use = "deferred-reply"', 'use = "deferred-reply"\ntitle = "x"'),
            "x.md:<title|2>: scenario.main.title: a lesson's scenario has none: the steps of the lesson take its place",
        ),
        (
            changed('use = "deferred-reply"', 'use = "deferred-reply"\ntopology = { file = "../x.graphml" }'),
            "x.md:<topology>: scenario.main.topology.file: expected a file in or below the folder of the lesson",
        ),
        (changed("~~~ predict", "~~~ predct"), 'x.md:<~~~ predct>: unknown kind "predct"; did you mean predict?'),
        (
            changed("~~~\n~~~ notes\nHands", "~~~\n~~~ look\n~~~\n~~~ notes\nHands"),
            "x.md:<~~~ look>: expected one task under a heading, got a second one",
        ),
        (TEXT.removesuffix("~~~\n"), "x.md:<~~~ explain>: the block begun here does not end: expected ~~~"),
        (
            changed("Messages reach you.", "See [here](http://a.b)."),
            "x.md:<See [here]>: expected plain text, a list, code or bold, got a link",
        ),
        (changed("{par}", "{pra}"), "x.md:<## So let us>: unknown value {pra}; expected one of"),
        (
            changed("jitter = 0.4", "jitter = 0.4\n[fresh.scenario.man]\njitter = 1.0"),
            'x.md:<[fresh.>: fresh.scenario.man: unknown scenario "man"; did you mean main?',
        ),
        (
            changed("jitter = 0.4", "jitter = 0.4\n[fresh.scenario.main]\nexchange = [9]"),
            "x.md:<exchange|2>: fresh.scenario.main.exchange[0]: expected a node from 0 to 4, got 9",
        ),
        (
            changed('is = { answer = ["P3", "P1"] }', 'is = { ask = "asked-order", type = "Reply" }'),
            'x.md:<~~~ predict|2>: wrong[2].is.type: "asked-order" does not ask for that; it needs count',
        ),
        (
            changed('is = { answer = ["P3", "P1"] }', 'is = { ask = "served" }'),
            "x.md:<~~~ predict|2>: wrong[2].is.node: expected the number of a node, got nothing",
        ),
        (
            changed('is = { answer = ["P3", "P1"] }', "is = { answer = [], at = 3.0 }"),
            "x.md:<~~~ predict|2>: wrong[2].is: expected one of variant, algorithm, scenario, ask, cost, answer",
        ),
        (changed('id = "stays"', 'id = "hook"'), 'x.md:<## Two ask>: id: the step on line 27 is called "hook" already'),
        (
            changed('variant = "both-defer"', 'variant = "both"'),
            "x.md:<~~~ predict|2>: wrong[0].is.variant: unknown variant of ricart-agrawala",
        ),
        (
            changed('ask = "served"', 'ask = "serve"'),
            'x.md:<~~~ predict>: ask: unknown question "serve"; did you mean served?',
        ),
        (
            changed('why = "Silence would mean', 'why = "No."\nx = "'),
            'x.md:<~~~ predict>: wrong[0].x: unknown key "x"; expected one of is, why, misconception',
        ),
        (changed("{ asks = 3 }", "{ asks = 3, enters = 1 }"), "x.md:<~~~ predict|2>: at: expected one condition of"),
        (changed("{ asks = 3 }", "{ asks = 9 }"), "x.md:<~~~ predict|2>: at.asks: expected a node from 0 to 4, got 9"),
        (
            changed('arrives = "Reply"', 'arrives = "Answer"'),
            'x.md:<~~~ predict>: at.arrives: unknown message of ricart-agrawala "Answer"',
        ),
        (
            changed('algorithm = "ricart-agrawala"', 'algorithm = "./mine.py"'),
            'x.md:<algorithm>: scenario.impatient.algorithm: unknown algorithm "./mine.py"; expected one of',
        ),
        (
            changed('is = { answer = ["P3", "P1"] }', 'is = { algorithm = "./mine.py" }'),
            'x.md:<~~~ predict|2>: wrong[2].is.algorithm: unknown algorithm "./mine.py"; expected one of',
        ),
        (
            changed('use = "deferred-reply"', 'use = "deferred-reply"\ntopology = { file = "/etc/hosts" }'),
            "x.md:<topology>: scenario.main.topology.file: expected a file in or below the folder of the lesson",
        ),
        (
            changed("jitter = 0.4", "jitter = 0.4\nnodes = [1000000000]"),
            "x.md:<nodes|2>: fresh.nodes: expected a list of numbers of nodes",
        ),
        (
            changed("exchange = [", "exchange = [1, 1,"),
            "x.md:<exchange>: fresh.exchange[1]: expected a node that is not in the list yet, got 1",
        ),
        (
            changed('id = "hook"', 'id = "../hook"'),
            'x.md:<~~~ predict>: id: expected small letters, digits and hyphens, got "../hook"',
        ),
        (
            changed('light = "ME1"', 'light = "E1"'),
            'x.md:<~~~ challenge>: goal.light: unknown light of ricart-agrawala "E1"; expected one of ME1, ME2, ME3',
        ),
    ]
)
def test_a_mistake_is_told_with_its_place(case):
    """`<words|n>` stands for the number of the nth line that begins with these words."""
    text, expected = case

    def line(match: re.Match[str]) -> str:
        words, _, nth = match.group(1).partition("|")
        lines = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith(words)]
        return str(lines[int(nth or 1) - 1])

    wanted = re.sub(r"<([^>]*)>", line, expected)
    assert sentence(text)[: len(wanted)] == wanted


@pytest.mark.parametrize(
    ("vary", "value", "expected"),
    [
        ("algorithm", '"./mine.py"', 'unknown algorithm "./mine.py"; expected one of'),
        ("variant", '"both"', 'unknown variant "both"; did you mean both-defer?'),
        ("nodes", "10000000", "expected a number of nodes from 2 to 256, got 10000000"),
        ("load.__class__", "1", 'vary: the scenario has no "load.__class__" that could be varied'),
    ],
)
def test_an_experiment_varies_what_the_program_has(vary, value, expected):
    block = f'~~~ experiment\nvary = "{vary}"\nvalues = [{value}, 3]\nmeasure = "messages"\nask = "smallest"\n~~~\n'
    assert expected in sentence(TEXT.replace("## Explain it", f"## More\n{block}\n## Explain it"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'+++\nformat = 1\ntitle = "Caf\xe9"', "x.md:3: expected text in UTF-8, got the byte 0xe9"),
        (TEXT.encode("utf-16"), "x.md:1: expected text in UTF-8, got the byte 0xff"),
        (b"\xef\xbb\xbf# Hello", 'x.md:1: expected +++ and the front matter of a lesson, got "# Hello"'),
        (TEXT.replace("\n", "\r").replace("minutes = 8", "minutes = 1").encode(), "x.md:5: minutes: expected a whole"),
        (b"+" * 200_001, "x.md: expected at most 200 kB, got 200 kB"),
    ],
)
def test_other_bytes_are_told_with_their_line(data, expected, tmp_path):
    (tmp_path / "x.md").write_bytes(data)
    with pytest.raises(BadInput) as caught:
        load(tmp_path / "x.md")
    assert str(caught.value).startswith(expected)


def test_a_link_does_not_lead_out_of_the_folder(tmp_path):
    outside = tmp_path / "outside.graphml"
    outside.write_text("<graphml/>")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/link.graphml").symlink_to(outside)
    text = TEXT.replace('use = "deferred-reply"', 'use = "deferred-reply"\ntopology = { file = "link.graphml" }', 1)
    with pytest.raises(BadInput, match="expected a file in or below the folder of the lesson"):
        read(text, tmp_path / "mine/x.md")


def test_mutilated_files_are_refused_in_one_sentence_or_read():
    """Lines left out, doubled, or with a word replaced: never a traceback."""
    lines = TEXT.split("\n")
    dice = random.Random(7)
    told: list[str] = []
    for _ in range(150):
        now = list(lines)
        for _ in range(dice.choice((1, 1, 2))):
            place = dice.randrange(len(now))
            how = dice.randrange(3)
            if how == 0:
                del now[place]
            elif how == 1:
                now.insert(place, now[place])
            else:
                words = now[place].split(" ")
                words[dice.randrange(len(words))] = dice.choice(('"', "9", "[", "P9", "{x}", "true", "=", "~~~"))
                now[place] = " ".join(words)
        try:
            lesson("\n".join(now))
        except BadInput as error:
            told.append(str(error))
    assert len(told) > 40
    assert not [words for words in told if "\n" in words]


@for_each(path=files("lessons/reading"))
def test_reading_a_lesson_can_execute_nothing_of_it(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {name for name in names if name and name.split(".")[0] in ("ast", "importlib", "runpy", "pickle")} - {
        "importlib.resources"
    }
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & {"eval", "exec", "compile", "__import__", "open"}
