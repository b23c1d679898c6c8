"""The labs that put all algorithms of a family side by side: their rows, verdicts and plots."""

from __future__ import annotations

import json

import pytest

from algorithms import catalog
from lessons.experiments.family_lab import NODES, figures
from lessons.laboratory.plots import rendered
from lessons.labs import all_of_election, all_of_mutual_exclusion

SOME = ("le-lann", "bully", "raft-election")


@pytest.fixture(scope="module")
def results():
    """Three elections, as the store gives their figures back."""
    found = {name: figures(1, name, NODES) for name in SOME}
    return {name: [json.loads(json.dumps(one))] for name, one in found.items()}


@pytest.mark.parametrize("lab", [all_of_election.LAB, all_of_mutual_exclusion.LAB], ids=lambda lab: lab.name)
def test_every_algorithm_of_the_family_that_has_a_cost_is_measured(lab):
    family = lab.name.removeprefix("all-of-").replace("-", " ")
    asked = [a for a in catalog.by_family()[family] if a.cost and {"ME1", "E1"} & {*a.promises}]
    names = {case.settings["algorithm"] for case in lab.cases.values()}
    assert names == {a.name for a in asked if not a.enters_by_itself()}


def test_the_rows_judge_the_formulas(results):
    rows = {row.name: row for row in all_of_election.LAB.rows(results)}
    one = rows["Le Lann: one process asks"]
    assert (one.published, one.measured, one.band, one.holds) == ("N²", 64, (64, 64), True)
    assert rows["Le Lann: all ask at once"].holds is None
    assert not any(row.holds is False for row in rows.values())
    dear = {name: [{**figures, "messages_alone": [64, 999]}] for name, (figures,) in results.items()}
    holds = {row.name: row.holds for row in all_of_election.LAB.rows(dear) if row.published}
    assert holds == {
        "Le Lann: one process asks": None,  # its note says more
        "Bully: one process asks": None,
        "Raft election: one process asks": True,  # without an upper bound
    }


def test_what_the_lab_says_about_timeouts_holds(results):
    """Bully survives a crash, and Raft also a loss; Le Lann's election neither."""
    lost = {name: {fault for fault, broken in one["lost"].items() if broken} for name, (one,) in results.items()}
    assert lost == {"le-lann": {"loss", "crash", "overtaking"}, "bully": {"loss"}, "raft-election": set()}


def test_the_plot_is_drawn_from_stored_figures(results):
    svg = rendered(lambda: all_of_election.LAB.plot(results), "svg").decode()
    assert all(f">{words}<" in svg for words in ("Le Lann", "Bully", "one crash", "E1, E2"))
