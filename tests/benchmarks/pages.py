"""The longest pauses after a key in large, crowded and long runs; prints one JSON object.

    python -m tests.benchmarks.pages [--tiny] [--only CASE]

The runs are paused, in a window of 1920x1080. For each case and key it prints the slowest of the frames after the key,
in milliseconds of processor time: input, panels, shapes and their pixels. The first frames are left out. A crowded run
has 11,000 messages in transit. `too_slow` lists the keys that take longer than LIMIT.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from math import inf
from time import perf_counter, thread_time  # the watchdog makes the clock of the process coarse
from typing import NamedTuple

from algorithms.engine.gc_pause import spare_old, tidy_up
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.drawing.paint import Painter, render
from visual.drawing.theme import load
from visual.window.app import AT_REST, BUILDING, PAINTING
from visual.window.compare import join
from visual.window.inputs import Input, Key, Tick
from visual.window.intents import Rival
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

SIZE = (1920, 1080)
FRAMES = 10  # after each key, and more while work in the background goes on
LIMIT = 50  # milliseconds

CHOOSING = ("Shift+J", "Down", "Up", *"1234567890", "Ctrl+Z", "Shift+J")
PAGES = ("E", "Down", "Up", "Shift+I", "Shift+U", "Shift+B", "Y", "N", "J", "E", "E", "Home")
VIEWS = ("L", "L", "V", "V", "V", "H", "H", "F5", "F5", "G", "G", "T", "T", "T", "Z")
GALLERY = ("Ctrl+O", *["Down"] * 8, "Tab", *["Down"] * 8, "Tab", "Tab", "Esc")
MOVING = ("Left", "Right", "PageUp", "PageUp", "PageDown", "PageDown", "Home", "End", "5", "Shift+Left", "Shift+Right")
LONG = ("E", *MOVING, "Shift+I", *MOVING, "Y", *MOVING, "Shift+B", "5", "C", "Ctrl+Z")
ACTING = ("1", "C", "Ctrl+Z", "9", "Q", "Home", "End")


class Case(NamedTuple):
    """A run, the time or step at which it is shown, and the keys to press."""

    scenario: Scenario
    keys: tuple[str, ...]
    time: float = inf
    steps: int = 100_000
    rival: Scenario | None = None  # of a comparison
    look: Interface = interface_of(*SIZE, selection="node:1")


def cases(nodes: int, steps: int) -> dict[str, Case]:
    """Name -> a case with that number of nodes, or a run of that number of steps."""
    network = Network(Uniform(0.8, 1.2))
    many = Scenario("ricart-agrawala", nodes=nodes, network=network, load=Closed(think=3.0 * nodes), until=20.0)
    crowded = replace(many, load=Closed(think=nodes / 20))
    few = replace(many, nodes=max(nodes // 30, 3), load=Closed(think=nodes / 10), until=nodes * 60.0)
    waiting = interface_of(*SIZE, selection=f"node:{nodes // 20}")
    return {
        "choosing": Case(many, CHOOSING, 5.0),
        "choosing in a crowd": Case(crowded, CHOOSING, 2.0),
        "choosing while one waits": Case(crowded, CHOOSING, 2.0, look=waiting),
        "pages": Case(many, PAGES, 5.0),
        "pages in a crowd": Case(crowded, PAGES, 2.0, look=waiting),
        "views": Case(many, VIEWS, 5.0),
        "views in a crowd": Case(crowded, VIEWS, 2.0, look=waiting),
        "long": Case(few, LONG, steps=steps),
        "long with many nodes": Case(many, LONG, steps=steps),
        "two long": Case(few, ACTING, steps=6 * steps // 10, rival=replace(few, algorithm="voting")),
        "gallery": Case(many, GALLERY, 5.0),
    }


class Reader:
    """A user who presses keys and waits for the picture."""

    def __init__(self, case: Case) -> None:
        desk, theme = desk_of(case.scenario), load("light")
        interface = case.look
        if case.rival:
            join(desk, Rival(case.rival))
        for run in desk.runs:
            while run.timeline.step < case.steps and not run.seek_time(case.time, 0.0):
                pass
        desk.meet()
        self.screen, self.painter = Screen(desk), Painter(theme)
        self.interface = playing.settle(interface, desk)
        self.surface = render((), SIZE, theme, 1, theme.paper)
        self.wait()

    def frame(self, *given: Key) -> float:
        """The milliseconds of one frame."""
        began, stop = thread_time(), perf_counter() + BUILDING
        inputs: list[Input] = [*given, Tick(1 / 60)]
        for one in inputs:
            self.interface = update(self.interface, self.screen, one)
        shapes = self.screen.shapes(self.interface, stop)
        self.painter.draw(self.surface, shapes, PAINTING if self.interface.is_moving else AT_REST)
        spare_old(self.interface.is_moving or self.screen.desk.is_long)  # as the window does
        return (thread_time() - began) * 1000

    def wait(self) -> float:
        """The slowest frame until everything is on screen."""
        took = [self.frame() for _ in range(FRAMES)]
        while self.interface.is_moving or self._is_behind:
            took.append(self.frame())
        return max(took)

    @property
    def _is_behind(self) -> bool:
        return self.screen.gallery_work.is_waiting or self.screen.is_behind or self.painter.is_behind

    def press(self, chord: str) -> float:
        """The slowest frame after a key that is pressed at rest."""
        tidy_up()
        return max(self.frame(Key(chord)), self.wait())


def worst(reader: Reader, chords: tuple[str, ...]) -> dict[str, float]:
    """Key -> the slowest frame of all its presses, in milliseconds."""
    slowest: dict[str, float] = {}
    for chord in chords:
        slowest[chord] = round(max(slowest.get(chord, 0.0), reader.press(chord)), 1)
    return slowest


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="few nodes, steps and keys, to see that it runs")
    parser.add_argument("--only", help="one case")
    options = parser.parse_args(arguments)
    nodes, steps, most = (5, 200, 2) if options.tiny else (300, 100_000, None)
    figures: dict[str, dict[str, float]] = {}
    for name, case in cases(nodes, steps).items():
        if options.only in (None, name):
            figures[name] = worst(Reader(case), case.keys[:most])
    spare_old(False)
    slow = [f"{name}: {key} {took}" for name, keys in figures.items() for key, took in keys.items() if took > LIMIT]
    print(json.dumps({"too_slow": slow, **figures}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
