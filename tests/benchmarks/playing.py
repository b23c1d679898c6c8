"""How long the frames of the whole window take while 300 nodes play, or 500 on an overlay; prints one JSON object.

    python -m tests.benchmarks.playing [--tiny] [--page PAGE] [--speed POWER] [--profile FILE]

A frame is everything: input, the run's steps, all panels, the shapes, and their pixels on a 1920x1080 surface. For
each scenario the median, the 99th percentile and the slowest frame in milliseconds of this process's own time
(others that use the machine do not count), and the share of frames within a sixtieth of a second. The first frames
are left out. `slices` is how long a frame may work on the run, which it does where many steps are due.
"""

from __future__ import annotations

import argparse
import cProfile
import json
from dataclasses import replace
from statistics import median, quantiles
from time import process_time

from algorithms import scenario_file
from algorithms.engine.collector import spare_old
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from visual.interface import playing
from visual.interface.inputs import Tick
from visual.interface.session import Session
from visual.interface.state import Interface
from visual.interface.update import update
from visual.paint import Painter, render
from visual.panels.screen import Screen
from visual.theme import load

SIZE = (1920, 1080)
FRAME = 1 / 60  # seconds
WARM_UP = 60  # frames
PANELS = frozenset({"legend", "counters", "source", "waiting", "inspector"})


def scenarios(nodes: int) -> dict[str, tuple[Scenario, float]]:
    """Name -> a scenario of so many nodes, more on an overlay, and the moment from which it is played."""
    shipped = scenario_file.load("assets/scenarios/ftp-subscribers.toml")
    overlay = scenario_file.load("assets/scenarios/p2p-crowd.toml")
    report = Scenario("wandering-token-report", nodes=nodes, until=4000.0, network=Network(Uniform(0.2, 0.6)))
    busy = Network(Uniform(0.8, 1.2))
    return {
        "ftp": (replace(shipped, nodes=nodes), 1400.0),
        "report": (report, 700.0),
        "ricart-agrawala": (
            Scenario("ricart-agrawala", nodes=nodes, network=busy, load=Closed(think=3.0 * nodes)),
            5.0,
        ),
        "end-to-end": (replace(overlay, nodes=5 * nodes // 3, until=2000.0), 30.0),
    }


def film(scenario: Scenario, start: float, page: str, speed: int, frames: int) -> list[float]:
    """The milliseconds of each frame, one node being selected."""
    session = Session(scenario)
    session.seek_time(start)
    screen, theme = Screen(session), load("light")
    interface = Interface(*SIZE, page=page, panels=PANELS, selection="node:1", playing=True, speed=speed)
    interface = playing.settle(interface, session)
    spare_old(True)  # as the window does
    surface, painter = render((), SIZE, theme, 1, theme.paper), Painter(theme)
    took = []
    for _ in range(WARM_UP + frames):
        began = process_time()
        interface = update(interface, screen, Tick(FRAME))
        painter.draw(surface, screen.shapes(interface))
        took.append((process_time() - began) * 1000)
    spare_old(False)
    return took[WARM_UP:]


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
    parser.add_argument("--only", help="one scenario")
    parser.add_argument("--profile", help="file for cProfile's figures")
    options = parser.parse_args(arguments)
    nodes, frames = (10, 60) if options.tiny else (300, 600)
    profile = cProfile.Profile() if options.profile else None
    figures = {}
    for name, (scenario, start) in scenarios(nodes).items():
        if options.only not in (None, name):
            continue
        if profile:
            profile.enable()
        figures[name] = summary(film(scenario, start, options.page, options.speed, frames))
        if profile:
            profile.disable()
            profile.dump_stats(options.profile)
    print(json.dumps({"slices": 1000 * playing.WORK, **figures}))


if __name__ == "__main__":
    main()
