"""The table of states is true and complete, and a fault breaks only what the algorithm's assumptions give up."""

from __future__ import annotations

import pytest

from algorithms import catalog
from algorithms.engine.check.properties import ALWAYS
from algorithms.engine.process import Algorithm
from tests.support.kit import for_each
from tests.support.state_counts import (
    READS_THE_CLOCK,
    ROWS,
    TOLD_OF_CRASHES,
    Row,
    broken,
    exploration,
    finished,
    is_counted,
    recount,
)

FAMILIES = ("mutual exclusion", "election", "peer to peer")
FAULTS = ("", "crashes=1", "losses=1")
FIRST, FIRST_TRAILS = 1_000, 2_400  # states of a large system that are explored: more where they lack a trail
USUAL = {  # bounds and parameters without which the exploration would not end, or would take too long
    "bully": "synchronous",
    "end-to-end": "replicas=1 timeouts=1",
    "k-state-ring": "k=3 synchronous",
    "non-end-to-end": "replicas=1 timeouts=1",
    "raft-election": "requests=0 timeouts=2",
    "random-access": "timeouts=2",
    "sigma": "replicas=1 timeouts=1",
}
PROGRESS = {"ME2", "E2"}
TOO_FEW = "k-state-ring"  # its rows have K = 3, with which it need not converge; the row with K = 4 shows that it can
GIVEN_UP = {  # properties that a fault may break because it is ruled out, where this is not just progress
    ("bully", None, "losses"): {"E1", "E2"},  # an answer is lost: two nodes believe that they lead
    ("bully", "unguarded", "losses"): {"E1", "E2"},
    ("bully", "watching", "losses"): {"E1", "E2"},
    ("chang-roberts", "restarting", "losses"): {"E1", "E2"},  # an acknowledgement is lost: a live neighbour is skipped
    ("israeli-jalfon", None, "losses"): {"ME2", "convergence"},  # the last token is lost
    ("israeli-jalfon", None, "crashes"): {"ME2", "convergence"},
    ("k-entries", None, "losses"): set(),  # with two or three processes, k = 2 lets one of them be silent
    ("k-entries", None, "crashes"): set(),
    ("lamport", None, "losses"): {"ME1", "ME2", "ME3"},  # a request is lost, and the next message seems to answer it
    ("lamport", "lazy", "losses"): {"ME1", "ME2", "ME3"},
    ("le-lann", None, "losses"): {"E1", "E2"},  # a number is lost: its process, and those behind, never hear of it
    ("ring-election", "restarting", "losses"): {"E1", "E2"},
    ("token-ring", "acknowledged", "losses"): {"ME1", "ME2"},  # an acknowledgement is lost: the token is sent twice
    ("token-ring", "regenerating", "losses"): {"ME1"},
    ("binary-search-token", "recovering", "crashes"): set(),  # it assumes one fault at a time, as here
    ("binary-search-token", "recovering", "losses"): set(),  # it assumes that the lost token was a dead node's
}
WITH_THREE = {("peterson", None, "losses"): {"E1", "E2"}}  # the same, where two processes are too few for it
MAJORITY_IS_ENOUGH = ("sigma", "non-end-to-end")  # with three replicas, and two processes
RULES_OUT = {"crashes": ("crash",), "losses": ("reliable", "arrives")}  # words in an algorithm's assumptions


def name_of(row: Row) -> str:
    return "-".join(map(str, row[:4])).replace(" ", "-")


def is_mutant(row: Row) -> bool:
    return row.variant is not None and bool(catalog.find(row.algorithm).variants[row.variant].breaks)


ONE_FAULT = [row for row in ROWS if row.allows("crashes") != row.allows("losses") and not is_mutant(row)]


def explorable() -> list[Algorithm]:
    families = catalog.by_family()
    return [a for family in FAMILIES for a in families[family] if a.name not in READS_THE_CLOCK]


@pytest.mark.parametrize("name", sorted({row.algorithm for row in ROWS}))
def test_the_number_of_states_and_the_broken_properties_are_exact(name):
    for row in ROWS:
        if row.algorithm == name and is_counted(row):
            assert recount(row) == row


@for_each(row=[row for row in ROWS if not is_counted(row)])
def test_the_first_states_of_a_large_system_break_nothing_else(row):
    report = finished(exploration(*row[:4], state_limit=FIRST))
    always = {finding.property.name for finding in report.findings if finding.property.when == ALWAYS}
    if row.broken.keys() & always - broken(report).keys():
        report = finished(exploration(*row[:4], state_limit=FIRST_TRAILS))
    assert not report.is_complete
    for finding in report.findings:
        if finding.trail:
            assert finding.property.name in row.broken
            assert finding.property.when != ALWAYS or len(finding.trail.moves) == row.broken[finding.property.name]


def test_the_table_has_every_algorithm_with_two_and_three_processes_and_with_a_crash_or_a_loss():
    listed = {(row.algorithm, row.nodes, row.bounds) for row in ROWS if row.variant is None}
    for name in (algorithm.name for algorithm in explorable()):
        for nodes in (2, 3):
            for fault in FAULTS:
                bounds = " ".join(filter(None, (USUAL.get(name), fault)))
                assert ((name, nodes, bounds) in listed) == (
                    (name, None) not in TOLD_OF_CRASHES or "crash" not in fault
                )


def test_the_table_has_every_refinement_with_a_crash_and_a_loss():
    for algorithm in explorable():
        for name, variant in algorithm.variants.items():
            if not variant.breaks:
                rows = [row for row in ROWS if row[:2] == (algorithm.name, name)]
                assert rows, (algorithm.name, name)
                if algorithm.name != "random-access":  # its variants differ only in numbers
                    assert (algorithm.name, name) in TOLD_OF_CRASHES or any(row.allows("crashes") for row in rows)
                    assert any(row.allows("losses") for row in rows), (algorithm.name, name)


def test_without_faults_all_promises_hold_except_the_order_of_ricart_and_agrawala():
    broken = {
        (row.algorithm, row.nodes, name)
        for row in ROWS
        for name in row.broken.keys() & {*catalog.find(row.algorithm).promises}
        if row.variant is None and not row.allows("crashes", "losses", "duplicates", "resets")
    }
    # a reply implies requests that its receiver's clock does not learn of: violated with two requests each
    known = {
        ("bully", 2, "E1"),
        ("maekawa", 2, "ME1"),
        (TOO_FEW, 2, "convergence"),
        (TOO_FEW, 3, "convergence"),
    }  # bully's timeouts, and quorums that do not meet: see their rows
    assert broken - known == {("ricart-agrawala", 3, "ME3")}


def given_up(row: Row) -> set[str]:
    """The properties that the one fault of a row may break, according to the algorithm's assumptions."""
    fault = "crashes" if row.allows("crashes") else "losses"
    if row.algorithm in MAJORITY_IS_ENOUGH and fault == "losses" and "replicas=1" not in row.bounds:
        return set()
    assumes = catalog.find(row.algorithm).of(row.variant).assumes
    is_ruled_out = any(word in assumption for assumption in assumes for word in RULES_OUT[fault])
    system = row.algorithm, row.variant, fault
    known = {**GIVEN_UP, **WITH_THREE} if row.nodes > 2 else GIVEN_UP
    return known.get(system, PROGRESS) if is_ruled_out else set()


def test_one_crash_or_one_loss_breaks_what_the_assumptions_give_up_and_nothing_else():
    assert len(ONE_FAULT) > 100
    for row in ONE_FAULT:
        promises = {*catalog.find(row.algorithm).of(row.variant).promises}
        if row.nodes == 2:
            promises.discard("ME3")  # it takes a third process to see the order
        if row.algorithm == TOO_FEW:
            promises.discard("convergence")
        assert row.broken.keys() & promises == given_up(row) & promises, name_of(row)
        assert "no error" not in row.broken, name_of(row)
