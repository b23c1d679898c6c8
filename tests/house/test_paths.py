"""The number of modules on two short paths: from a key to a changed run, and from a playing run to pixels.

A module is on a path if one of its functions runs, as the interpreter's profile hook reports it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pygame
import pytest

from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.sources import PACKAGES, ROOT
from visual.drawing import theme
from visual.drawing.paint import Painter
from visual.window import arrangement, intents
from visual.window.actions import perform
from visual.window.inputs import Key, Tick
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

SIZE = (1280, 720)
FRAME = 0.002  # seconds: too short for the next step, which comes after a pause
CATCHING_UP = 20  # frames: one panel catches up with the run in each, and steps are remembered as time allows
MOST_FOR_A_KEY = 20
MOST_FOR_A_FRAME = 30
FOLDERS = tuple(f"{ROOT / package}/" for package in PACKAGES)


def modules_run(action: Callable[[], object]) -> set[str]:
    """The files of this project in which a Python function runs during the action."""
    files: set[str] = set()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(FOLDERS):
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(before)
    return files


@pytest.fixture
def screen() -> Screen:
    return Screen(desk_of(Scenario("ricart-agrawala", nodes=5, load=Closed(think=3.0))))


def interface_at_step_30(screen: Screen, **fields: Any) -> Interface:
    return changed(perform(interface_of(*SIZE), screen.desk, intents.seek_step(30)), **fields)


def test_a_key_crosses_few_modules_on_its_way_to_the_run(screen):
    """Half of them are the engine's, each with its part of a crash."""
    interface = interface_at_step_30(screen, selection="node:2")
    screen.shapes(interface)
    modules = modules_run(lambda: update(interface, screen, Key("C")))
    assert screen.desk.front.simulation.is_crashed(2)
    assert len(modules) <= MOST_FOR_A_KEY, sorted(modules)


def test_a_frame_without_a_step_crosses_few_modules(screen):
    """Only what moves is computed in such a frame: messages in transit. Panels and regions are cached."""
    painter, surface = Painter(theme.load("light")), pygame.Surface(SIZE)
    interface = interface_at_step_30(screen, playing=True)
    for _ in range(CATCHING_UP):
        interface = update(interface, screen, Tick(FRAME))
        painter.draw(surface, screen.shapes(interface))
    step = screen.desk.front.timeline.step
    interface = update(interface, screen, Tick(FRAME))
    modules = modules_run(lambda: painter.draw(surface, screen.shapes(interface)))
    assert interface.playback.playing
    assert screen.desk.front.timeline.step == step
    assert len(modules) <= MOST_FOR_A_FRAME, sorted(modules)


@pytest.mark.parametrize("chord", ["V", "Ctrl++", "Down", "Space"])
def test_regions_and_look_are_computed_once_for_a_changed_interface(screen, chord):
    interface = interface_at_step_30(screen)
    screen.shapes(interface)
    before = arrangement._regions.cache_info().misses, arrangement._look.cache_info().misses
    interface = update(interface, screen, Key(chord))
    screen.shapes(interface)
    screen.widgets(interface)
    after = arrangement._regions.cache_info().misses, arrangement._look.cache_info().misses
    assert after[0] <= before[0] + 1
    assert after[1] <= before[1] + 1
