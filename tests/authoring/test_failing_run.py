"""A run in which the algorithm meets what it has ruled out: the window says so and goes on living."""

from __future__ import annotations

import pytest

from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Saturated
from visual.window.playback import playing
from visual.window.session import Session
from visual.window.state import Interface


@pytest.fixture
def session() -> Session:
    """Every other message arrives twice, which Ricart–Agrawala rules out."""
    network = Network(duplicate=0.5)
    return Session(Scenario("ricart-agrawala", nodes=4, load=Saturated(), network=network))


def test_the_run_stops_before_the_step_that_fails(session):
    while session.forward():
        pass
    assert "KeyError" in session.failure
    assert "it assumes: reliable" in session.failure
    assert session.next_time is None
    assert len(session.timeline.trace) == session.timeline.step


def test_one_can_go_back_and_try_something_else(session):
    while session.forward():
        pass
    end = session.timeline.step
    session.seek(end - 3)
    assert not session.failure
    session.act("pause", node=0)
    assert session.timeline.branch.name == "branch 1"
    assert session.forward()


def test_what_one_does_there_may_let_the_run_go_on(session):
    while session.forward():
        pass
    end = session.timeline.step
    doomed = session.run.queue.peek()  # the reply that nobody waits for
    session.act("drop", message=doomed[1])
    assert session.timeline.step == end + 1
    session.back()
    assert not session.failure
    assert session.forward()


@pytest.mark.parametrize("speed", [0, 6])
def test_playing_pauses_there_and_says_why(session, speed):
    interface = Interface(1280, 720, playing=True, speed=speed, reduced_motion=True)
    for _ in range(600):
        interface = playing.tick(interface, session, 0.1)
    assert not interface.playing
    assert "fails in step" in session.failure


def test_an_intervention_whose_own_step_fails_can_be_undone():
    session = Session(Scenario("ricart-agrawala", nodes=3, load=Saturated()))
    for _ in range(6):
        session.forward()
    waiting = next(p.id for p in session.run.processes if p.awaiting)
    session.act("crash", node=waiting)
    session.act("recover", node=waiting, memory=False)  # replies to the request that it has forgotten are on their way
    while session.forward():
        pass
    assert session.failure
    assert session.undo()
    assert not session.failure
