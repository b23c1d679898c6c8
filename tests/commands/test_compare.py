"""The lecture's two tables, checked against runs of the shipped algorithms at several sizes."""

from __future__ import annotations

import json

import pytest

from lessons.experiments.lecture import compare
from visual.command_line import main

SIZES = (4, 5, 8, 11)


def rows(family: str, n: int):
    return {row.algorithm: row for row in compare(family, n).rows}


@pytest.mark.parametrize("n", SIZES)
def test_delays_are_round_trips_despite_the_slide(n):
    found = rows("mutual-exclusion", n)
    assert {name: row.cells["delay"].measured for name, row in found.items()} == {
        "centralized": (2, 2),
        "voting": (2, 2),
        "ricart-agrawala": (2, 2),
        "token-ring": (0, n - 1),
    }
    assert [name for name, row in found.items() if not row.cells["delay"].holds] == ["voting", "ricart-agrawala"]


@pytest.mark.parametrize("n", SIZES)
def test_messages_per_entry(n):
    found = rows("mutual-exclusion", n)
    m = n // 2 + 1
    assert {name: row.cells["messages"].measured for name, row in found.items()} == {
        "centralized": (3, 3),
        "voting": (3 * m, 5 * m + n - m),  # the slide leaves out the n − m votes given back
        "ricart-agrawala": (2 * (n - 1), 2 * (n - 1)),
        "token-ring": (1, None),
    }
    assert [name for name, row in found.items() if not row.cells["messages"].holds] == ["voting"]


@pytest.mark.parametrize("n", SIZES)
def test_messages_per_election(n):
    assert {name: row.cells["messages"].measured for name, row in rows("election", n).items()} == {
        "bully": (n - 1, n * n - n - 1),
        "ring-election": (2 * n, 2 * n),
        "chang-roberts": (2 * n, 3 * n - 1),
    }


def test_the_command_prints_the_same_table_for_people_and_for_programs(capsys):
    assert main(["compare", "--family", "election", "--nodes", "10", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["nodes"] == 10
    assert plain["rows"][0]["messages"] == {"claimed": "O(n²)", "measured": [9, 89], "holds": True}
    assert plain["contradictions"]
    assert main(["compare", "--family", "election", "--nodes", "10"]) == 0
    text = capsys.readouterr().out
    assert "O(n²) → 9 … 89 ✓" in text
    assert max(len(line) for line in text.splitlines()) <= 150


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--family", "elections"], "--family: expected one of mutual-exclusion, election"),
        (["--family", "election", "--nodes", "2"], "--nodes: expected a number from 4 to 40, got 2"),
        ([], "--family"),
    ],
)
def test_wrong_arguments_get_one_sentence(words, sentence, capsys):
    assert main(["compare", *words]) == 2
    assert sentence in capsys.readouterr().err
