"""The time to turn the state of a run into shapes, against that of making the same number of bare marks.

    python -m tests.benchmarks.scene [--tiny]

Prints one JSON object, for Ricart–Agrawala with 30, 100 and 300 nodes, and for End-to-End on overlays of 30 and 500:
milliseconds per frame without a step, with a step before every frame, and for the same number of bare marks (medians,
measured in turn); `x_bare` is the ratio of the first to the last.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from math import inf
from statistics import median
from time import perf_counter

from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Poisson
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Mark, Rect
from visual.drawing.theme import load
from visual.scene.graph.layout import arrange
from visual.scene.graph.run_graph import graph
from visual.scene.options import Options

AREA = Rect(0, 64, 1280, 584)
NETWORK = Network(delay=Uniform(0.8, 1.2))
FRAME = 1e-4  # units of time from one frame to the next


def busy_run(nodes: int, messages: int) -> Timeline:
    """A run of Ricart–Agrawala at a step with that number of messages in transit."""
    load = Closed(think=3.0 * nodes)
    timeline = catalog.timeline(Scenario("ricart-agrawala", nodes=nodes, seed=7, network=NETWORK, load=load))
    while sum(1 for _ in timeline.simulation.queue.between_processes()) < messages:
        timeline.seek(timeline.step + 20)
    return timeline


def run_on_overlay(nodes: int, time: float) -> Timeline:
    """A run of End-to-End at a time when several nodes wait."""
    load = Poisson(rate=0.5 / nodes)
    timeline = catalog.timeline(Scenario("end-to-end", nodes=nodes, seed=3, until=inf, network=NETWORK, load=load))
    timeline.seek_time(time)
    return timeline


def resting(timeline: Timeline) -> Callable[[], None]:
    """A function that draws the next frame, in which only messages have moved."""
    run, theme, options = timeline.simulation, load("light"), Options(arrows=False)
    layout, cache, ticks = arrange(run, AREA), RunCache(run), count()
    return lambda: _drop(graph(cache, run.now + FRAME * next(ticks), layout, theme, options))


def stepping(timeline: Timeline) -> Iterator[Callable[[], None]]:
    """A function that takes a step, untimed, and returns the drawing of the frame after it."""
    run, theme, options = timeline.simulation, load("light"), Options(arrows=False)
    layout, cache = arrange(run, AREA), RunCache(run)
    while timeline.forward():
        yield lambda: _drop(graph(cache, run.now, layout, theme, options))


def bare(messages: int) -> Callable[[], None]:
    """A function that makes the same number of marks without computing their places."""
    return lambda: _drop([Mark(i, i, "ask", "", 11.0, "dot", None, "message:1") for i in range(messages)])


def _drop(shapes: list[object]) -> None:
    """Consume the shapes without drawing them."""


def measure(run: Callable[[], Timeline], frames: int) -> dict[str, float]:
    """Medians in milliseconds, measured in turn."""
    timeline = run()
    still, moving = resting(timeline), stepping(run())
    yardstick = bare(max(1, sum(1 for _ in timeline.simulation.queue.between_processes())))
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
    busy, overlays = (((5, 5), (10, 10)), (10,)) if tiny else (((30, 50), (100, 300), (300, 1000)), (30, 500))
    frames = 3 if tiny else 200
    runs = {str(nodes): partial(busy_run, nodes, messages) for nodes, messages in busy}
    runs |= {f"overlay {nodes}": partial(run_on_overlay, nodes, 5.0 if tiny else 40.0) for nodes in overlays}
    print(json.dumps({name: measure(run, frames) for name, run in runs.items()}))


if __name__ == "__main__":
    main()
