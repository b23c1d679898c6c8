"""The frame times of the whole window while 300 nodes play, or 500 on an overlay; prints one JSON object.

    python -m tests.benchmarks.playing [--tiny] [--page PAGE] [--speed POWER] [--only NAME] [--profile FILE]

A frame consists of input, the run's steps, all panels, the shapes, and their pixels on a 1920x1080 surface. For each
scenario it prints the median, the 99th percentile and the slowest frame, in milliseconds of processor time, and the
share of frames within a sixtieth of a second. The first frames are left out. `slices` is the time in which a frame may
execute steps; it is used up where many steps are due.
"""

from __future__ import annotations

import argparse
import cProfile
import json
from dataclasses import replace
from statistics import median, quantiles
from time import thread_time  # the watchdog makes the clock of the process coarse
from typing import NamedTuple

from algorithms import scenario_file
from algorithms.engine.gc_pause import spare_old
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from visual.drawing.paint import Painter, render
from visual.drawing.theme import load
from visual.window.app import PAINTING
from visual.window.compare import join
from visual.window.inputs import Tick
from visual.window.intents import Rival
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

SIZE = (1920, 1080)
FRAME = 1 / 60  # seconds
PANELS = frozenset({"legend", "counters", "source", "waiting", "inspector"})
WHOLE = interface_of(*SIZE, panels=PANELS, selection="node:1")


class Case(NamedTuple):
    """A run to play, its first moment, and the view of it; one node is always selected."""

    scenario: Scenario
    start: float
    look: Interface = WHOLE
    rival: Scenario | None = None  # of a comparison


def cases(nodes: int) -> dict[str, Case]:
    """Name -> a case with that number of nodes, more on an overlay."""
    shipped = scenario_file.load("assets/scenarios/ftp-subscribers.toml")
    overlay = scenario_file.load("assets/scenarios/p2p-crowd.toml")
    report = Scenario("wandering-token-report", nodes=nodes, until=4000.0, network=Network(Uniform(0.2, 0.6)))
    busy, think = Network(Uniform(0.8, 1.2)), 3.0 * nodes
    agrawala = Scenario("ricart-agrawala", nodes=nodes, network=busy, load=Closed(think=think))
    few = replace(agrawala, nodes=max(nodes // 10, 3), load=Closed(think=think / 10))
    return {
        "ftp": Case(replace(shipped, nodes=nodes), 1400.0),
        "report": Case(report, 700.0),
        "ricart-agrawala": Case(agrawala, 5.0),
        "ricart-agrawala, a tenth": Case(few, 5.0),
        "ricart-agrawala, space-time": Case(agrawala, 5.0, changed(WHOLE, view="space-time")),
        "ricart-agrawala, local": Case(agrawala, 5.0, changed(WHOLE, only_local=True)),
        "ricart-agrawala, voting": Case(agrawala, 5.0, rival=replace(agrawala, algorithm="voting")),
        "end-to-end": Case(replace(overlay, nodes=5 * nodes // 3, until=2000.0), 30.0),
    }


def film(case: Case, page: str, speed: int, warm_up: int, frames: int) -> list[float]:
    """The milliseconds of each frame after the first ones."""
    desk = desk_of(case.scenario)
    if case.rival:
        join(desk, Rival(case.rival))
    desk.seek_time(case.start)
    screen, theme = Screen(desk), load("light")
    interface = changed(case.look, page=page, playing=True, speed=speed)
    interface = playing.settle(interface, desk, case.start)
    spare_old(True)  # as the window does
    surface, painter = render((), SIZE, theme, 1, theme.paper), Painter(theme)
    took = []
    for _ in range(warm_up + frames):
        began = thread_time()
        interface = update(interface, screen, Tick(FRAME))
        painter.draw(surface, screen.shapes(interface), PAINTING)
        took.append((thread_time() - began) * 1000)
    spare_old(False)
    return took[warm_up:]


def summary(took: list[float]) -> dict[str, float]:
    """The figures of one film."""
    figures = {"median": median(took), "p99": quantiles(took, n=100)[98], "worst": max(took)}
    within = sum(time <= 1000 * FRAME for time in took) / len(took)
    return {**{name: round(value, 2) for name, value in figures.items()}, "within_a_frame": round(within, 3)}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="few nodes and frames, to see that it runs")
    parser.add_argument("--page", default="plots", help="of the column at the right (default: plots)")
    parser.add_argument("--speed", type=int, default=0, help="power of two, 4 is as fast as it can (default: 0)")
    parser.add_argument("--only", help="one case")
    parser.add_argument("--profile", help="file for cProfile's figures")
    options = parser.parse_args(arguments)
    nodes, warm_up, frames = (10, 5, 10) if options.tiny else (300, 60, 600)
    profile = cProfile.Profile() if options.profile else None
    figures = {}
    for name, case in cases(nodes).items():
        if options.only not in (None, name):
            continue
        if profile:
            profile.enable()
        figures[name] = summary(film(case, options.page, options.speed, warm_up, frames))
        if profile:
            profile.disable()
            profile.dump_stats(options.profile)
    print(json.dumps({"slices": 1000 * playing.WORK, **figures}))


if __name__ == "__main__":
    main()
