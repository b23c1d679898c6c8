"""Vermilion means fault or breach and nothing else: ticks of the timeline and dots of the space-time diagram."""

from __future__ import annotations

import pytest

from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Request, Script
from tests.test_scene import flat
from visual.insight.ticks import Ticks
from visual.interface.session import Session
from visual.interface.state import Interface
from visual.panels.screen import Screen
from visual.shapes import Circle
from visual.theme import load

HARMLESS = {
    "request": {"node": 3},
    "recover": {"node": 4},
    "resume": {"node": 4},
    "leave": {"node": 2},
    "heal": {},
    "load": {"load": Script(requests=())},
    "deliver": {"message": 0},
    "exit": {"node": 1},
}
HARMFUL = {
    "crash": {"node": 3},
    "pause": {"node": 3},
    "cut": {"node": 0, "to": 3},
    "partition": {"groups": ((0, 1), (2, 3, 4))},
    "lose-token": {},
    "duplicate-token": {},
}


def reached(do: str, fields: dict) -> Session:
    scenario = Scenario("token-ring", load=Script(requests=(Request(0.1, 1),)), events=(Event(1.5, do, **fields),))
    session = Session(scenario)
    session.seek_time(1.6)
    return session


@pytest.mark.parametrize(("do", "fields"), [*HARMLESS.items(), *HARMFUL.items()], ids=str)
def test_only_what_goes_wrong_has_the_colour_of_faults(do, fields):
    session = reached(do, fields)
    grains = Ticks().follow(session.timeline.trace, session.horizon)
    assert bool(grains["fault"]) == (do in HARMFUL)
    assert len(grains["request"]) == 1 + (do == "request")
    strip = Screen(session).panel(Interface(time=1.6), "strip")
    dots = [shape for shape in flat(strip.shapes) if isinstance(shape, Circle) and shape.id.startswith("event:")]
    assert dots
    if do in HARMLESS:
        assert load("light").fault not in {dot.fill for dot in dots}


def test_every_deed_is_one_or_the_other():
    assert {do for do, kind in FAULTS.items() if kind.harms} >= set(HARMFUL)
    assert not any(FAULTS[do].harms for do in HARMLESS)
