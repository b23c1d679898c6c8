"""Runs on an overlay in the window: the rows of the counters, and the sentences step by step."""

from __future__ import annotations

import itertools

import pytest

from algorithms import catalog
from algorithms.engine.timeline import Timeline
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.analysis.ledger import Ledger
from visual.analysis.overlay_state import overlay_state
from visual.analysis.run_cache import Moment
from visual.drawing.shapes import Rect, Text
from visual.narration.inspection import inspect_node
from visual.narration.steps import step_sentence
from visual.window.arrangement import look_of
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.pages.run import counters
from visual.window.panel import View
from visual.window.side import MOST_TYPES
from visual.words import message_type


def at(scenario: str, time: float) -> Timeline:
    timeline = catalog.timeline(scenario_of(scenario))
    timeline.seek_time(time)
    return timeline


def story(timeline: Timeline) -> list[str]:
    """The sentences of all steps so far."""
    return [step_sentence(timeline, step) for step in range(timeline.step)]


# ---- counters ----------------------------------------------------------------------------------------------


def kinds(desk: Desk) -> dict[str, str]:
    """The rows of single message kinds, with their counts."""
    interface = interface_of(1920, 1080, time=desk.front.now)
    view = View(interface, desk, desk.front, look_of(interface), Rect(0, 0, 600, 900))
    texts = [shape for shape in counters(view).shapes if isinstance(shape, Text)]
    return {
        words.text.strip(): number.text for words, number in itertools.pairwise(texts) if words.text.startswith("  ")
    }


@pytest.mark.parametrize("name", ["p2p-figure-1", "p2p-figure-2", "p2p-churn", "p2p-two-resources"])
def test_the_most_frequent_kinds_have_rows_and_none_changes_places(name):
    desk = desk_of(scenario_of(name))
    desk.front.timeline.seek_time(desk.front.scenario.until)
    order = []
    for step in range(0, desk.front.timeline.step, 5):
        desk.front.seek(step)
        counted = desk.front.ledger.counters()
        shown = kinds(desk)
        assert len(shown) == MOST_TYPES
        assert sum(int(number) for number in shown.values()) == counted.messages
        own = [int(number) for words, number in shown.items() if words != "others"]
        assert sorted(own) == sorted(counted.by_type.values())[-len(own) :] or 0 in own
        order.append([words for words in shown if words != "others"])
    assert order[0][:2] == ["request", "response" if name != "p2p-figure-2" else "grantreq"]
    assert all(sorted(rows, key=order_of(desk).index) == rows for rows in order)


def order_of(desk: Desk) -> list[str]:
    """The kinds in the algorithm's order."""
    return [message_type(kind) for kind in desk.front.simulation.algorithm.looks]


# ---- joins and leaves --------------------------------------------------------------------------------------


def test_joins_and_leaves_have_sentences():
    sentences = story(at("p2p-churn", 120.0))
    for words in (
        "P14 leaves the system",
        "P4 receives P14's handover R0",
        "P0 leaves the system",
        "P8 receives a relink from P0 (replica R2, ticket P2·1)",
        "P17 joins",
        "P2's grace timer expires",
    ):
        assert any(sentence.startswith(words) for sentence in sentences)


def test_paths_to_nodes_that_have_left_are_not_visible():
    timeline = at("p2p-churn", 26.0)
    gone = {node for node, state in timeline.simulation.down.items() if state == "absent"}
    overlay = overlay_state(Moment(timeline.simulation))
    assert {0, 14} <= gone
    assert not gone & {node for path in overlay.paths for node in path.nodes}
    assert not gone & {pointer.node for pointer in overlay.pointers}


def test_a_replica_whose_state_has_not_arrived_is_unknown_and_not_free():
    timeline = at("p2p-churn", 29.5)
    run = timeline.simulation
    replica = overlay_state(Moment(run)).replicas[1]
    assert (replica.node, replica.is_known) == (17, False)
    assert {fact.name: fact.value for fact in inspect_node(Ledger(timeline), 17).facts}["R1"] == "unknown"
    timeline.seek_time(30.5)
    assert {fact.name: fact.value for fact in inspect_node(Ledger(timeline), 17).facts}["R1"] == "votes for P2, stamp 1"
    timeline.seek(0)
    assert all(replica.is_known for replica in overlay_state(Moment(timeline.simulation)).replicas)


# ---- breaches ----------------------------------------------------------------------------------------------

BREACHES = {  # scenario -> the two processes inside, or the one that never enters
    "p2p-both-steps": {1, 2},
    "p2p-owner-asks-again": {0, 1},
    "p2p-overwritten-vote": {0, 1},
    "p2p-any-owner-reset": {0, 1},
    "p2p-unchecked-release": {0, 4},
    "p2p-overtaken-token": {0, 2},
    "p2p-old-response": {0, 2},
    "p2p-forgotten-vote-of-1": {1, 2},
    "p2p-forgotten-vote-of-3": {1, 3},
    "p2p-forgotten-vote-of-5": {1, 2},
}
STUCK = {  # scenario -> who never enters, and what is certain: here nothing can happen, there it only has not happened
    "p2p-lost-enqueue": (1, "broken"),
    "p2p-yield-to-voters": (3, "overdue"),
}


@pytest.mark.parametrize("name", BREACHES)
def test_the_last_marker_of_a_breach_is_the_step_at_which_two_are_inside(name):
    desk = desk_of(scenario_of(name))
    cause, breach = desk.front.scenario.markers
    desk.front.timeline.seek_time(breach.at)
    assert breach.name == "two are inside"
    assert {process.id for process in desk.front.simulation.processes if process.inside} == BREACHES[name]
    safety = next(verdict for verdict in desk.front.ledger.verdicts if verdict.name == "ME1")
    assert (safety.status, safety.step) == ("broken", desk.front.timeline.step)
    assert "and enters the critical section" in step_sentence(desk.front.timeline, desk.front.timeline.step - 1)
    desk.front.timeline.seek_time(cause.at)
    assert next(verdict for verdict in desk.front.ledger.verdicts if verdict.name == "ME1").status != "broken"


@pytest.mark.parametrize("name", STUCK)
def test_the_last_marker_of_a_run_that_hangs_is_when_that_becomes_certain(name):
    desk = desk_of(scenario_of(name))
    desk.front.timeline.seek_time(desk.front.scenario.until)
    desk.front.timeline.seek_time(desk.front.scenario.markers[-1].at)
    liveness = next(verdict for verdict in desk.front.ledger.verdicts if verdict.name == "ME2")
    node, status = STUCK[name]
    assert liveness.status == status
    assert f"P{node}" in liveness.detail
    assert f"P{node}" in desk.front.scenario.markers[-1].name


@pytest.mark.parametrize("name", [*BREACHES, *STUCK])
def test_the_notes_of_a_breach_say_how_it_comes_about_and_what_prevents_it(name):
    scenario = scenario_of(name)
    cause = {f"P{node}" for node in BREACHES.get(name, ())}
    assert all(process in scenario.notes for process in cause), "who enters beside whom"
    assert len(scenario.notes.splitlines()) == 3
    assert "Remedy" not in scenario.notes, "the class is asked first"
    assert "\nRemedy: " in scenario.speaker
