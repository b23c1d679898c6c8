"""Tokens that may be generated again, as they are drawn: which precedes, which are spurious, where one is removed."""

from __future__ import annotations

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DESTROYED, KIND, NODE
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import graph_shapes, marks, texts
from visual.analysis.run_cache import RunCache
from visual.analysis.tokens import token_stamps
from visual.drawing.theme import load
from visual.narration.node_facts import all_facts
from visual.scene.graph.legend import entries
from visual.scene.space_time.arrows import token_dash
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.words import message_label, value_text


def opened(name: str, time: float) -> Timeline:
    timeline = catalog.timeline(scenario_file.load(f"assets/scenarios/{name}.toml"))
    timeline.seek_time(time)
    return timeline


def looks(timeline: Timeline) -> dict[str, str]:
    """Name of each token -> how it is drawn, in flight or in hand."""
    found = {mark.label: mark.family for mark in marks(graph_shapes(timeline)).values()}
    return found | {seen.token_name: seen.token for seen in all_facts(RunCache(timeline.simulation)) if seen.token}


def test_the_oldest_token_precedes_and_the_others_are_spurious():
    timeline = opened("wandering-token-stable", 1110.0)
    assert sorted(token_stamps(timeline.simulation)) == [(0.0, 0), (pytest.approx(1105.6), 9)]
    assert looks(timeline) == {"token P0·0": "token", "P9·1105.6": "spurious"}


def test_they_look_different_in_flight_as_well():
    timeline = opened("wandering-token-stable", 1105.6)
    seen = set()
    while timeline.simulation.now < 1114.0:
        timeline.forward()
        seen |= {(mark.label, mark.family) for mark in marks(graph_shapes(timeline)).values()}
    assert seen == {("token P0·0", "token"), ("token P9·1105.6", "spurious")}
    told = {entry.words for entry in entries(RunCache(timeline.simulation), timeline.simulation.now, load("light"))}
    assert "token" in told


def test_the_next_in_age_precedes_once_the_oldest_is_gone():
    timeline = opened("wandering-token-stable", 1110.0)
    timeline.act(Event(1110.0, "lose-token"))  # the one in flight
    assert [birth[1] for birth in token_stamps(timeline.simulation)] == [9]
    assert "spurious" not in looks(timeline).values()
    assert "held" in looks(timeline).values()


def test_one_token_alone_is_not_spurious_however_young():
    timeline = opened("wandering-token-lost", 525.0)
    assert [birth[0] > 400 for birth in token_stamps(timeline.simulation)] == [True]
    assert set(looks(timeline).values()) <= {"token", "held"}


def test_a_token_without_a_stamp_is_never_spurious():
    timeline = opened("merging-tokens", 3.0)
    assert token_stamps(timeline.simulation) == set()
    assert "spurious" not in looks(timeline).values()


def removal(timeline: Timeline) -> int:
    """Run on to the next removal; the node."""
    while timeline.forward():
        ends = [record for record in timeline.trace.step(timeline.step - 1) if record[KIND] == DESTROYED]
        if ends:
            return ends[0][NODE]
    raise AssertionError("no token is removed")


@pytest.mark.parametrize("name", ["wandering-token-stable", "wandering-token-domino", "sandwich", "ftp-subscribers"])
def test_a_removal_is_shown_for_as_long_as_a_message_flies(name):
    timeline = opened(name, 40.0 if name == "sandwich" else 300.0)
    removal(timeline)
    run = timeline.simulation
    flight = run.scenario.network.delay.mean
    assert "removed" in texts(graph_shapes(timeline))
    assert "removed" in texts(graph_shapes(timeline, run.now + 0.9 * flight))
    assert "removed" not in texts(graph_shapes(timeline, run.now + 1.1 * flight))
    timeline.back()
    assert "removed" not in texts(graph_shapes(timeline))


def test_a_token_is_named_after_who_made_it_and_when():
    timeline = opened("sandwich", 69.0)
    run = timeline.simulation
    token = run.algorithm.token
    assert message_label(token((48.79143, 4))) == "token P4·48.8"
    assert value_text((48.79143, 4)) == "P4·48.8"
    assert value_text((48, 4)) == "48,4"
    histories = [row.chips for seen in all_facts(RunCache(run)) for row in seen.rows if len(row.chips) > 1]
    assert ("P0", "P4", "P0") in histories  # by their makers, while that tells them apart


def test_tokens_in_hand_are_named_where_there_are_several():
    timeline = opened("wandering-token-stable", 1110.0)
    assert "P9·1105.6" in texts(graph_shapes(timeline))
    alone = opened("wandering-token-stable", 1000.0)
    assert not any("·" in text for text in texts(graph_shapes(alone)) if not text.startswith("token"))


def test_a_time_out_that_has_grown_has_an_arrow_until_it_is_back():
    timeline = opened("wandering-token-stable", 1104.0)

    def badge() -> str:
        return all_facts(RunCache(timeline.simulation))[9].badge

    assert badge() == ""  # one of many that is as it always is
    timeline.seek_time(1106.0)
    assert badge() == "360 ↑"
    words = [entry.words for entry in entries(RunCache(timeline.simulation), 1106.0, load("light"))]
    assert "Δgen has grown" in words
    timeline.seek_time(2000.0)
    assert badge().endswith(" ↑")
    assert float(badge().removesuffix(" ↑")) < 360


def test_the_lives_of_tokens_are_dashed_differently_in_space_and_time():
    token = catalog.find("wandering-token-report").token
    assert token_dash(token((0.0, 0))) == ()
    assert len({token_dash(token((5.0, maker))) for maker in range(3)} - {()}) == 3


def test_soft_mutual_exclusion_has_a_light_of_its_own():
    desk = desk_of(scenario_file.load("assets/scenarios/wandering-token-overload.toml"))
    desk.front.seek_time(1500.0)
    screen = Screen(desk)
    shown = next(s for s in screen.panels(playing.settle(interface_of(1920, 1080), desk)) if s.name == "lights")
    words = texts(shown.panel.shapes)
    spent = desk.front.ledger.counters().concurrency
    more = sum(time for count, time in spent.items() if count > 1) / sum(spent.values())
    assert f"{100 * more:.1f} %" in " ".join(words)
    assert "safety" not in words
