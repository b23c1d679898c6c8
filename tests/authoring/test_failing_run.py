"""A run that breaks an algorithm's assumption: the window says so and stays usable."""

from __future__ import annotations

import pytest

from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Saturated
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.window.desk import Desk
from visual.window.playback import playing


@pytest.fixture
def desk() -> Desk:
    """Every other message arrives twice, against an assumption of Ricart and Agrawala."""
    network = Network(duplicate=0.5)
    return desk_of(Scenario("ricart-agrawala", nodes=4, load=Saturated(), network=network))


def test_the_run_stops_before_the_step_that_fails(desk):
    while desk.front.forward():
        pass
    assert "KeyError" in desk.front.failure
    assert "assumption broken: reliable (a message is duplicated at" in desk.front.failure
    assert desk.front.next_time is None
    assert len(desk.front.timeline.trace) == desk.front.timeline.step


def test_going_back_and_acting_there_opens_a_branch(desk):
    while desk.front.forward():
        pass
    end = desk.front.timeline.step
    desk.front.seek(end - 3)
    assert not desk.front.failure
    desk.front.act("pause", node=0)
    assert desk.front.timeline.branch.name == "branch 1"
    assert desk.front.forward()


def test_an_intervention_before_the_failure_may_let_the_run_continue(desk):
    while desk.front.forward():
        pass
    end = desk.front.timeline.step
    doomed = desk.front.simulation.queue.peek()  # the reply that nobody waits for
    desk.front.act("drop", message=doomed[1])
    assert desk.front.timeline.step == end + 1
    desk.front.back()
    assert not desk.front.failure
    assert desk.front.forward()


@pytest.mark.parametrize("speed", [0, 6])
def test_playing_pauses_before_the_failure_and_says_why(desk, speed):
    interface = interface_of(1280, 720, playing=True, speed=speed, reduced_motion=True)
    for _ in range(600):
        interface = playing.tick(interface, desk, 0.1)
    assert not interface.playback.playing
    assert "fails in step" in desk.front.failure


def test_an_intervention_whose_own_step_fails_can_be_undone():
    desk = desk_of(Scenario("ricart-agrawala", nodes=3, load=Saturated()))
    for _ in range(6):
        desk.front.forward()
    waiting = next(p.id for p in desk.front.simulation.processes if p.awaiting)
    desk.front.act("crash", node=waiting)
    desk.front.act(
        "recover", node=waiting, memory=False
    )  # replies to the request that it has forgotten are on their way
    while desk.front.forward():
        pass
    assert desk.front.failure
    assert desk.front.undo()
    assert not desk.front.failure
