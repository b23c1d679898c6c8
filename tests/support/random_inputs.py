"""Random input to the window, such as a child would give it."""

from __future__ import annotations

import random

from visual.window import intents, keys
from visual.window.desk import Desk
from visual.window.inputs import Input, Key, Motion, Press, Release, Resize, Tick, Typed, Wheel
from visual.window.lab.measurement import Measurement
from visual.window.state import LARGEST, SLOWEST, SMALLEST, UNBOUND, Interface

CHORDS = sorted(
    {c for section in keys.TABLE for b in section.bindings for c in b.chords if b.does.intent is not intents.quit}
)
SIZES = [(1024, 768), (1280, 720), (1920, 1080), (640, 400), (300, 200), (3840, 2160)]


def random_input(dice: random.Random, interface: Interface) -> Input:
    """A random input to the interface."""
    x, y = dice.uniform(-5, interface.display.width + 5), dice.uniform(-5, interface.display.height + 5)
    kind = dice.random()
    if kind < 0.40:
        return Key(dice.choice(CHORDS))
    if kind < 0.45:
        return Typed(dice.choice("0123456789 x–"))
    if kind < 0.60:
        return Press(x, y)
    if kind < 0.70:
        return Motion(x, y)
    if kind < 0.82:
        return Release(x, y)
    if kind < 0.86:
        return Wheel(x, y, dice.choice([-3.0, -1.0, 1.0, 2.0]))
    if kind < 0.87:
        return Resize(*dice.choice(SIZES))
    return Tick(dice.choice([0.0, 0.004, 1 / 60, 0.1]))


def refuse_measurement(self: Measurement, *, quick: bool) -> None:
    """A replacement of `Measurement.start`, since a lab would run for minutes on all cores."""
    raise OSError(0, "not while a child plays", self.lab.name)


def check_invariants(interface: Interface, desk: Desk) -> None:
    """Check the invariants of the interface."""
    timeline = desk.front.timeline
    assert 0 <= timeline.step <= timeline.frontier == len(timeline.trace)
    assert interface.panel_revision <= desk.revision
    assert SLOWEST <= interface.playback.speed <= UNBOUND
    assert SMALLEST <= interface.display.scale <= LARGEST
    assert not (interface.playback.playing and interface.playback.goal is not None)
    if interface.playback.goal is None:
        assert interface.playback.time >= desk.now - 1e-9, "the picture never shows a moment before its state"
        due = desk.next_time
        overdue = desk.now  # events that a person has postponed are overdue
        assert due is None or interface.playback.time <= max(due, overdue) + 1e-9, "nor one after the next step"
    if interface.node is not None:
        assert interface.node < desk.front.scenario.nodes
