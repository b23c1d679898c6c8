"""The longest pauses in the pages of the column at the right and in the gallery of a large run; prints one JSON object.

    python -m tests.benchmarks.pages [--tiny] [--think TIME]

300 nodes of Ricart–Agrawala are looked at, paused, in a window of 1920x1080. For each key the slowest of the frames
that follow it, in milliseconds of this process's own time: input, panels, shapes and their pixels. The first frames
are left out. The shorter the nodes think, the more messages are under way: {"in_flight"}.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from time import process_time

from algorithms.engine.collector import spare_old
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from visual.interface import clock, playing
from visual.interface.inputs import Input, Key, Tick
from visual.interface.session import Session
from visual.interface.state import Interface
from visual.interface.update import update
from visual.paint import Painter, render
from visual.panels.screen import Screen
from visual.theme import load

SIZE = (1920, 1080)
FRAMES = 10  # after each key, and more as long as the gallery is still being made
CHOOSING = ("Shift+J", "Down", "Up", *"1234567890", "Ctrl+Z", "Shift+J")
PAGES = ("E", "Down", "Up", "Shift+I", "Shift+U", "Shift+B", "Y", "N", "Home", "End")
GALLERY = ("Ctrl+O", *["Down"] * 8, "Tab", *["Down"] * 8, "Tab", "Tab", "Esc")


class Reader:
    """Somebody who presses keys and waits for the picture."""

    def __init__(self, scenario: Scenario, until: float) -> None:
        session, theme = Session(scenario), load("light")
        clock.seek_time(session, until)
        self.screen, self.painter = Screen(session), Painter(theme)
        self.interface = playing.settle(Interface(*SIZE, selection="node:1"), session)
        self.surface = render((), SIZE, theme, 1, theme.paper)
        for _ in range(FRAMES):
            self.frame()

    def frame(self, *given: Key) -> float:
        """The milliseconds of one frame."""
        began = process_time()
        inputs: list[Input] = [*given, Tick(1 / 60)]
        for one in inputs:
            self.interface = update(self.interface, self.screen, one)
        self.painter.draw(self.surface, self.screen.shapes(self.interface))
        return (process_time() - began) * 1000

    def press(self, chord: str) -> float:
        """The slowest frame after a key."""
        took = [self.frame(Key(chord)), *(self.frame() for _ in range(FRAMES))]
        while self.screen.gallery_work.is_waiting:
            took.append(self.frame())
        return max(took)


def worst(reader: Reader, chords: tuple[str, ...]) -> dict[str, float]:
    """Key -> its slowest frame, however often it was pressed."""
    found: dict[str, float] = {}
    for chord in chords:
        found[chord] = round(max(found.get(chord, 0.0), reader.press(chord)), 1)
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="few nodes, to see that it runs")
    parser.add_argument("--think", type=float, help="time between two requests of a node (default: three per node)")
    options = parser.parse_args(arguments)
    nodes = 5 if options.tiny else 300
    load = Closed(think=options.think or 3.0 * nodes)
    scenario = Scenario("ricart-agrawala", nodes=nodes, network=Network(Uniform(0.8, 1.2)), load=load)
    spare_old(True)  # as the window does in a long run
    reader = Reader(replace(scenario, until=20.0), 5.0)
    flying = len(reader.screen.session.run.post.in_flight())
    keys = (PAGES[:3], GALLERY[:1]) if options.tiny else (PAGES, GALLERY)
    figures = {
        "choosing": worst(reader, CHOOSING[:4] if options.tiny else CHOOSING),
        "pages": worst(reader, keys[0]),
        "gallery": worst(reader, keys[1]),
    }
    spare_old(False)
    print(json.dumps({"in_flight": flying, **figures}))


if __name__ == "__main__":
    main()
