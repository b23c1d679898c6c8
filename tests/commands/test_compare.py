"""The lecture's two tables, checked against runs of the shipped algorithms at several sizes."""

from __future__ import annotations

import json
from functools import cache

import pytest

from algorithms import catalog
from lessons.experiments.families import Measured, compared, measure
from lessons.experiments.lecture import compare
from visual.command_line import main
from visual.commands import compare as command

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


@pytest.fixture
def measured_once(monkeypatch):
    """Each algorithm is measured once for all these tests."""
    monkeypatch.setattr(command, "measure", lambda algorithm, nodes: _measured(algorithm.name, nodes))


@cache
def _measured(name, nodes):
    return measure(catalog.find(name), nodes)


@pytest.mark.usefixtures("measured_once")
def test_all_algorithms_of_the_family_are_measured_beside_each_other(capsys):
    """Messages and delays alone by the papers, and what one loss, one crash or overtaking costs by hand."""
    n = 6
    assert main(["compare", "--family", "mutual-exclusion", "--all", "--nodes", str(n), "--json"]) == 0
    found = {row["algorithm"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    alone = {name: (*row["messages_alone"], *row["delay_alone"]) for name, row in found.items()}
    assert alone["lamport"] == (3 * (n - 1), 3 * (n - 1), 2, 2)
    assert alone["suzuki-kasami"] == (0, n, 0, 2)
    assert alone["raymond"] == (0, 4, 0, 4)  # P3 … P5 are two edges from P0
    assert alone["naimi-trehel"] == (0, 2, 0, 2)
    assert alone["chandy-misra"] == (0, 2 * (n - 1), 0, 2)
    assert {name for name, row in found.items() if row["lost"]["overtaking"]} == {"lamport"}
    tokens = {name for name, row in found.items() if "one token" in row["lost"]["loss"]}
    assert {"raymond", "naimi-trehel", "suzuki-kasami"} <= tokens
    assert found["lamport"]["lost"]["loss"] == ["ME1", "ME2"]
    assert {name for name, row in found.items() if not row["lost"]["crash"]} == {"k-entries"}, "one may be silent"


@pytest.mark.usefixtures("measured_once")
def test_all_elections_are_measured_beside_each_other(capsys):
    """Messages and delays alone by the papers, and what one loss, one crash or overtaking costs by hand."""
    n = 6
    assert main(["compare", "--family", "election", "--all", "--nodes", str(n), "--json"]) == 0
    found = {row["algorithm"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert {algorithm.name for algorithm in catalog.by_family()["election"]} == found.keys()
    alone = {name: (*row["messages_alone"], *row["delay_alone"]) for name, row in found.items()}
    assert alone["le-lann"] == (n * n, n * n, 2 * n - 1, 2 * n - 1)
    assert alone["chang-roberts"] == (2 * n, 3 * n - 1, 2 * n - 1, 3 * n - 2)
    assert alone["tree-election"][:2] == (3 * n - 3, 3 * n - 3)
    assert alone["raft-election"] == (3 * (n - 1), 3 * (n - 1), 3, 3)
    assert found["tree-election"]["messages_together"] == 4 * n - 4
    assert {name for name, row in found.items() if row["lost"]["overtaking"]} == {
        "le-lann",
        "peterson",
        "tree-election",
    }
    assert not any(found["raft-election"]["lost"].values())


@pytest.mark.usefixtures("measured_once")
@pytest.mark.parametrize(("family", "title"), [("mutual-exclusion", "Raymond's tree"), ("election", "Le Lann")])
def test_the_text_has_a_row_for_each_algorithm(family, title, capsys):
    assert main(["compare", "--family", family, "--all", "--nodes", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(title)] != []
    assert max(map(len, lines)) <= 160


def no_measurement(algorithm, nodes):
    """Figures that take no time: each algorithm costs its place in the alphabet, and loses mutual exclusion."""
    place = ord(algorithm.name[0])
    lost = {"loss": ("ME1",), "crash": (), "overtaking": ()}
    return Measured(algorithm.name, algorithm.title, "", (0, place), (1, 2), place, 1, lost)


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_plot_of_a_family_is_the_same_again_and_has_a_row_for_each_algorithm(kind, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "measure", no_measurement)
    first, second = (tmp_path / f"{name}.{kind}" for name in ("first", "second"))
    for file in (first, second):
        assert main(["compare", "--family", "election", "--all", "-o", str(file)]) == 0
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind])
    if kind == "svg":
        text = first.read_text("utf-8")
        titles = [algorithm.title for algorithm in compared("election")]
        assert [title for title in titles if f">{title}<" not in text] == []
        assert text.count(">ME1<") == len(titles)


@pytest.mark.parametrize("arguments", [["-o", "x.svg"], ["--all", "-o", "x.gif"]])
def test_a_plot_without_all_or_of_another_kind_is_refused_in_one_sentence(arguments, capsys):
    assert main(["compare", "--family", "election", *arguments]) == 2
    assert "expected" in capsys.readouterr().err
