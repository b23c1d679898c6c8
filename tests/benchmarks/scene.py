"""How long it takes to turn the state of a run into shapes, beside making as many bare marks.

    python -m tests.benchmarks.scene [--tiny]

Prints one JSON object: for 30, 100 and 300 nodes milliseconds a frame while no step happens, with a step before every
frame, and for the bare marks (medians, taken in turn); `x_bare` is the first by the last.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import count
from statistics import median
from time import perf_counter

from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed
from visual.scene.graph import graph
from visual.scene.layout import arrange
from visual.scene.messages import in_flight
from visual.scene.options import Options
from visual.shapes import Mark, Rect
from visual.theme import load

AREA = Rect(0, 64, 1280, 584)
FRAME = 1e-4  # units of time from one frame to the next


def busy_run(nodes: int, messages: int) -> Timeline:
    """Ricart–Agrawala at a step at which that many messages are in flight."""
    network, think = Network(delay=Uniform(0.8, 1.2)), Closed(think=3.0 * nodes)
    timeline = catalog.timeline(Scenario("ricart-agrawala", nodes=nodes, seed=7, network=network, load=think))
    while sum(1 for _ in in_flight(timeline.simulation)) < messages:
        timeline.seek(timeline.step + 20)
    return timeline


def resting(timeline: Timeline) -> Callable[[], None]:
    """Draws the next frame, in which only messages have moved."""
    run, theme, options = timeline.simulation, load("light"), Options(arrows=False)
    layout, ticks = arrange(run, AREA), count()
    return lambda: _drop(graph(run, run.now + FRAME * next(ticks), layout, theme, options))


def stepping(timeline: Timeline) -> Iterator[Callable[[], None]]:
    """Takes a step, untimed, and gives what draws the frame after it."""
    run, theme, options = timeline.simulation, load("light"), Options(arrows=False)
    layout = arrange(run, AREA)
    while timeline.forward():
        yield lambda: _drop(graph(run, run.now, layout, theme, options))


def bare(messages: int) -> Callable[[], None]:
    """Makes as many marks without asking where they are."""
    return lambda: _drop([Mark(i, i, "ask", "", 11.0, "dot", None, "message:1") for i in range(messages)])


def _drop(shapes: list[object]) -> None:
    """The shapes are made; nobody draws them."""


def measure(nodes: int, messages: int, frames: int) -> dict[str, float]:
    """Medians in milliseconds, the three taken in turn."""
    still, moving = resting(busy_run(nodes, messages)), stepping(busy_run(nodes, messages))
    yardstick = bare(messages)
    still()
    took: dict[str, list[float]] = {"still": [], "step": [], "bare": []}
    for _ in range(frames):
        for name, draw in (("still", still), ("step", next(moving)), ("bare", yardstick)):
            start = perf_counter()
            draw()
            took[name].append((perf_counter() - start) * 1000)
    result = {f"{name}_ms": round(median(times), 3) for name, times in took.items()}
    return {**result, "x_bare": round(median(took["still"]) / median(took["bare"]), 2)}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="small systems and few frames, to see that it runs")
    tiny = parser.parse_args(arguments).tiny
    scenes = ((5, 5), (10, 10)) if tiny else ((30, 50), (100, 300), (300, 1000))
    frames = 3 if tiny else 200
    print(json.dumps({str(nodes): measure(nodes, messages, frames) for nodes, messages in scenes}))


if __name__ == "__main__":
    main()
