"""Milliseconds of processor time to build and draw the space-time diagram of a long run; prints one JSON object.

    python -m tests.benchmarks.diagram [--steps 100000] [--rounds 5]
    {"built": {"a page": ms, …, "an event selected": ms}, "drawn": ms}

Ricart and Agrawala with ten processes, from the middle of the run, at 1920x1080, in several zooms and on both axes.
"built" is the cost of a step while the diagram is visible, as medians over different steps. "drawn" is the cost of any
other frame: only the line of the present has changed, and the rest is a cached surface.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf

from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from visual.drawing.paint import Painter, render
from visual.drawing.theme import load
from visual.window import arrangement
from visual.window.desk import Desk
from visual.window.diagram.panel import strip
from visual.window.panel import Panel, View
from visual.window.state import DiagramView, Interface

ZOOMS = {"close by": 4.0, "a page": 1.0, "four pages": 0.25, "a hundred pages": 0.01, "far away": 0.001}


def desk_at_the_middle(steps: int) -> Desk:
    """A desk with a run of that number of steps, at its middle."""
    network = Network(Uniform(0.7, 1.4))
    scenario = Scenario("ricart-agrawala", nodes=10, seed=7, load=Closed(think=4.0), network=network, until=inf)
    desk = desk_of(scenario)
    desk.front.seek(steps)
    desk.front.ledger.keep_up()
    return desk


def panel_of(desk: Desk, interface: Interface) -> Panel:
    interface = changed(interface, time=desk.front.now)
    look, region = arrangement.look_of(interface), arrangement.panes(interface, False)[0].strip
    return strip(View(interface, desk, desk.front, look, region))


def milliseconds(work: Callable[[], object]) -> float:
    start = time.thread_time()  # the watchdog makes the clock of the process coarse
    work()
    return 1_000 * (time.thread_time() - start)


def cases() -> Iterator[tuple[str, Interface]]:
    """Name -> interface of a case; the axis is real time unless the name says otherwise."""
    whole = interface_of(1920, 1080, view="space-time")
    for name, zoom in ZOOMS.items():
        yield name, replace(whole, diagram=DiagramView(zoom=zoom))
        yield f"{name}, logical time", replace(whole, diagram=DiagramView(logical=True, zoom=zoom))


def build_times(desk: Desk, steps: int, rounds: int) -> dict[str, float]:
    """Name of a case -> milliseconds for the shapes after a step."""
    times: dict[str, float] = {}
    for place, (name, interface) in enumerate(cases()):  # each at its own step: zooms beyond the run's ends are alike
        times[name] = _median(desk, interface, steps + 2 * place, rounds)
    selected = interface_of(1920, 1080, view="space-time", selection=f"event:{steps // 2}")
    times["an event selected"] = _median(desk, selected, steps, rounds)
    return times


def _median(desk: Desk, interface: Interface, steps: int, rounds: int) -> float:
    taken = []
    for k in range(rounds):
        desk.front.seek(steps // 2 + 7 * k)
        taken.append(milliseconds(lambda: panel_of(desk, interface)))
    return round(statistics.median(taken), 1)


def draw_time(desk: Desk, rounds: int) -> float:
    """Milliseconds for a frame without a step."""
    painter = Painter(load("light"))
    interface = interface_of(1920, 1080, view="space-time")
    surface = render(panel_of(desk, interface).shapes, (1920, 1080), load("light"), 1.0, "#FFFFFF")
    painter.draw(surface, panel_of(desk, interface).shapes)
    return round(
        statistics.median(
            milliseconds(lambda: painter.draw(surface, panel_of(desk, interface).shapes)) for _ in range(rounds)
        ),
        1,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    desk = desk_at_the_middle(arguments.steps)
    figures = {
        "built": build_times(desk, arguments.steps, arguments.rounds),
        "drawn": draw_time(desk, arguments.rounds),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
