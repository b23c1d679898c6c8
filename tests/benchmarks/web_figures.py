"""The parts of the measurement of web pages that also run in a page: speed, frames, runs and shapes."""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.flat_shapes import ALIKE, ELSEWHERE, PROCESSES, differences, flat_shapes
from tests.support.views import VIEWS, own_folders
from visual.window.desk import Desk
from visual.window.run_view import RunView
from visual.window.web.live import LiveWindow, link_to

NODES = (30, 100, 300)
SIZE = 1280, 720
STEPS, DIGESTED = 30_000, 200  # steps of the engine's measurement; of each run that is compared
FRAMES, ROUNDS = 300, 5  # frames that are measured, in so many rounds with as many plain loops
MINUTES, PER_FRAME = 10, 0.1  # of playing, for the memory
SENTENCES = ["Nothing has happened yet. Press play (Space) or step (→).", "P1 defers P3's request: (1,2) < (2,3)."]
DRAWN = [
    name
    for name, view in VIEWS.items()
    if name not in PROCESSES and not ELSEWHERE & {*view.keys.split()} and "lab" not in name
]
"""Views that a page can draw: those of labs have images, which other processes make."""


def busy(nodes: int) -> Scenario:
    """Ricart–Agrawala as in `tests.benchmarks.playing`: one request in three units of time, of however many nodes.

    This is what the bounds were set for. The frames of the prototype, run again natively, agree with its figures only
    for this scene: 2.7 ms and up to 42 kB with 300 nodes, where 2.7 ms and 37 kB were noted. Where each node thinks
    for 20 units instead, 300 nodes have thousands of messages in flight, and the prototype took 26 ms and 340 kB.
    """
    return Scenario("ricart-agrawala", nodes=nodes, network=Network(Uniform(0.8, 1.2)), load=Closed(think=3.0 * nodes))


def link(nodes: int) -> str:
    """What an address asks for to open that run."""
    return link_to(Desk(RunView(busy(nodes))), "")


def engine_seconds(clock: Callable[[], float]) -> float:
    """Seconds of the processor for the engine's steps."""
    run, start = catalog.simulation(busy(10)), clock()
    for _ in range(STEPS):
        run.step()
    return clock() - start


def run_digests() -> dict[str, str]:
    """A digest of the first records of each scenario, and of each algorithm under load."""
    scenarios = {name: scenario_file.load(scenario_file.find(name)) for name in scenario_file.names()}
    systems = {
        f"{name}, alone": Scenario(name, nodes=4) for name, algorithm in catalog.by_name().items() if algorithm.looks
    }
    return {name: _digest(scenario) for name, scenario in (scenarios | systems).items()}


def _digest(scenario: Scenario) -> str:
    timeline = catalog.timeline(scenario)
    timeline.seek(DIGESTED)
    records = [timeline.trace.step(step) for step in range(timeline.step)]
    return hashlib.sha256(repr(records).encode()).hexdigest()


def shapes() -> dict[str, Any]:
    """The shapes of each view that is alike everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        own_folders(Path(folder))
        return {name: flat_shapes(name) for name in ALIKE}


def differing_views(ours: dict[str, Any], theirs: dict[str, Any]) -> int:
    """The number of views whose shapes in a page are more than a fiftieth of a pixel off."""
    return sum(bool(differences(ours[name], theirs[name], 0.02)) for name in ALIKE)


def told() -> float:
    """Milliseconds until all of a class of 30 have been told of a pick, at the longest."""
    from tests.benchmarks.classroom import measure

    lags, _ = asyncio.run(measure(30, 10))
    return 1000 * max(lags)


def speed_in_a_page(folder: str) -> str:
    """Speed and frames of Python in a page, as JSON, after which its memory is that of ten minutes."""
    import js  # Pyodide's: what the page, here Node, has

    def clock() -> float:
        usage = js.process.cpuUsage()
        return float(usage.user + usage.system) / 1e6

    own_folders(Path(folder))
    frames = {nodes: _frames(nodes, folder, clock) for nodes in NODES}
    window = _playing(30, folder)
    for k in range(round(MINUTES * 60 / PER_FRAME)):
        if k % 5:
            window._loop.tick(PER_FRAME, is_quiet=True)
        else:
            window.frame("", PER_FRAME)
    return json.dumps({"engine": engine_seconds(clock), "frames": frames})


def values_in_a_page(folder: str) -> str:
    """Runs and shapes of Python in a page, as JSON."""
    own_folders(Path(folder))
    return json.dumps({"runs": run_digests(), "shapes": {name: flat_shapes(name) for name in ALIKE}})


def _playing(nodes: int, folder: str) -> LiveWindow:
    window = LiveWindow(1920, 1080, folder, link(nodes))
    window.frame('[["Key", "Space"]]', 0.0)
    return window


def _frames(nodes: int, folder: str, clock: Callable[[], float]) -> tuple[float, float, float]:
    """Seconds of the processor for a frame of the window that plays, the same in plain loops, and its kB of JSON."""
    window = _playing(nodes, folder)
    for _ in range(FRAMES):
        window.frame("", 1 / 60)
    sent, frames, loops = [], [], []
    for _ in range(ROUNDS):
        start = clock()
        sent += [len(window.frame("", 1 / 60)) for _ in range(FRAMES // ROUNDS)]
        middle = clock()
        for _ in range(FRAMES // ROUNDS):
            sum(k * k % 7 for k in range(20_000))
        frames.append((middle - start) / (FRAMES // ROUNDS))
        loops.append((clock() - middle) / (FRAMES // ROUNDS))
    return median(frames), median(frames) / median(loops), median(sent) / 1000
