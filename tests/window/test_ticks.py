"""Vermilion means fault or breach and nothing else: ticks of the timeline and dots of the space-time diagram."""

from __future__ import annotations

import random

import pytest

from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Closed, Request, Script
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import flat
from visual.analysis.event_index import Ticks
from visual.drawing.shapes import Circle
from visual.drawing.theme import load
from visual.window.desk import Desk
from visual.window.screen import Screen

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


def reached(do: str, fields: dict) -> Desk:
    scenario = Scenario("token-ring", load=Script(requests=(Request(0.1, 1),)), events=(Event(1.5, do, **fields),))
    desk = desk_of(scenario)
    desk.front.seek_time(1.6)
    return desk


@pytest.mark.parametrize(("do", "fields"), [*HARMLESS.items(), *HARMFUL.items()], ids=str)
def test_only_faults_and_breaches_have_the_colour_of_faults(do, fields):
    desk = reached(do, fields)
    grains = Ticks().follow(desk.front.timeline.trace, desk.front.horizon)
    assert bool(grains["fault"]) == (do in HARMFUL)
    assert len(grains["request"]) == 1 + (do == "request")
    strip = Screen(desk).panel(interface_of(time=1.6), "strip")
    dots = [shape for shape in flat(strip.shapes) if isinstance(shape, Circle) and shape.id.startswith("event:")]
    assert dots
    if do in HARMLESS:
        assert load("light").fault not in {dot.fill for dot in dots}


def test_the_table_says_which_interventions_do_harm():
    assert {do for do, kind in FAULTS.items() if kind.harms} >= set(HARMFUL)
    assert not any(FAULTS[do].harms for do in HARMLESS)


def test_ticks_extended_step_by_step_are_those_read_anew():
    dice = random.Random(5)
    desk = desk_of(Scenario("ricart-agrawala", until=5.0, load=Closed(think=3.0)))
    timeline, ticks, lengths = desk.front.timeline, Ticks(), set()
    for _ in range(80):
        match dice.randrange(4):
            case 0:
                desk.front.seek(timeline.step + dice.randrange(80))
            case 1:
                desk.front.seek(dice.randrange(timeline.frontier + 1))
            case 2:
                desk.front.act(dice.choice(["crash", "recover", "request"]), node=dice.randrange(5))
            case 3:
                desk.front.go_to_branch(dice.choice(list(timeline.branches)))
        horizon = desk.front.horizon * dice.choice([1, 1, 2])
        lengths.add(horizon)
        assert ticks.follow(timeline.trace, horizon) == Ticks().follow(timeline.trace, horizon)
    assert len(lengths) > 3
