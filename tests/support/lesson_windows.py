"""Lessons in the window, opened and played by keys."""

from __future__ import annotations

from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.window import intents
from visual.window.actions import perform
from visual.window.inputs import Key
from visual.window.lesson.actions import show_step
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update


def opened(name: str, size: tuple[int, int] = (1280, 720), **fields: object) -> tuple[Interface, Screen]:
    """The window with a lesson at its first step."""
    screen = Screen(desk_of(Scenario("ricart-agrawala")))
    return perform(interface_of(*size, **fields), screen.desk, intents.open_lesson(name)), screen


def at_step(name: str, step: str) -> tuple[Interface, Screen]:
    """The window with a lesson at the step of that id."""
    interface, screen = opened(name)
    attempt = screen.desk.lesson
    attempt.go_to(next(place for place, one in enumerate(attempt.lesson.steps) if one.id == step))
    return show_step(interface, screen.desk), screen


def after(interface: Interface, screen: Screen, *chords: str) -> Interface:
    """The interface after these keys."""
    for chord in chords:
        interface = update(interface, screen, Key(chord))
    return interface
