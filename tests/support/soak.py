"""The window under random input, for a number of frames or for hours: python -m tests.support.soak --seconds 1800

Needs a screen, if only a virtual one; without one, SDL draws into memory. Throughout: no exception; the run is what
its scenario and its interventions say, step by step; memory does not grow. The same seed gives the same inputs.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from algorithms import catalog, scenario_file
from algorithms.engine.timeline import Timeline
from tests.support.desks import desk_of
from tests.support.random_inputs import random_input, refuse_measurement
from visual.window import intents
from visual.window.actions import perform
from visual.window.app import Window
from visual.window.gallery.cards import scenario_of
from visual.window.intents import Do
from visual.window.lab.measurement import Measurement
from visual.window.memory.unsaved import Memory

FRAME = 1 / 60
INPUTS = 3  # at most, in a frame
STAY = 100  # frames with one scenario or algorithm
REPLAY = 50  # frames between two replays
LONGEST_REPLAY = 20_000  # steps
GROWTH = 1.5  # of memory in the second half, at most: runs differ in length
PAUSE = 2.0  # seconds: a longer frame is reported with its inputs
CROWD = 40  # more nodes only make the test slow
PARTS = 10  # reports


class Soak:
    """A window, and random input for it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.dice = random.Random(seed)
        self.names = [*scenario_file.names(), *catalog.by_name()]
        self.window = Window(desk_of(scenario_of("token-ring")), Memory(folder / "settings.json", folder / "unsaved"))
        self.frames = self.replays = 0
        self.slowest = 0.0

    def play_for(self, seconds: float) -> None:
        """Play random input for that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.play_frame()

    def play_frames(self, frames: int) -> None:
        """Play random input for that number of frames."""
        for _ in range(frames):
            self.play_frame()

    def play_frame(self) -> None:
        """Play a frame with some inputs; from time to time open another scenario, or replay the run."""
        if self.frames % STAY == 0:
            self.do(intents.open_scenario(self.dice.choice(self.names)))
        start = time.perf_counter()
        inputs = [random_input(self.dice, self.window.interface) for _ in range(self.dice.randrange(INPUTS + 1))]
        self.window.frame(inputs, FRAME)
        spent = time.perf_counter() - start
        self.slowest = max(self.slowest, spent)
        self.frames += 1
        desk = self.window.screen.desk
        if spent > PAUSE:
            print(f"{spent:.1f} s with {desk.front.scenario.algorithm}: {inputs}", file=sys.stderr, flush=True)
        if desk.front.scenario.nodes > CROWD:
            self.do(intents.choose_nodes(5))
        if self.frames % REPLAY == 0:
            for run in desk.runs:
                self.replay(run.timeline)

    def do(self, does: Do) -> None:
        """Perform an intent of a menu or the gallery."""
        self.window.interface = perform(self.window.interface, self.window.screen.desk, does)

    def replay(self, timeline: Timeline) -> None:
        """Execute the run again from its scenario and its interventions, and check that every step is the same."""
        if timeline.step > LONGEST_REPLAY:
            return
        again = catalog.timeline(scenario_file.saved_run(timeline))
        again.seek(timeline.step)
        for step in range(timeline.step):
            assert again.trace.step(step) == timeline.trace.step(step), f"step {step} differs"
        self.replays += 1


def megabytes() -> float:
    """Memory of this process now, or its peak where the system does not report it."""
    status = Path("/proc/self/statm")
    if status.is_file():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    amount = parser.add_mutually_exclusive_group(required=True)
    amount.add_argument("--seconds", type=float)
    amount.add_argument("--frames", type=int)
    parser.add_argument("--seed", type=int, default=440)
    arguments = parser.parse_args()
    Measurement.start = refuse_measurement  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the window saves pictures and runs there
        soak = Soak(arguments.seed, Path(folder))
        memory = []
        for part in range(1, PARTS + 1):
            if arguments.seconds is not None:
                soak.play_for(arguments.seconds / PARTS)
            else:
                soak.play_frames(arguments.frames // PARTS)
            memory.append(megabytes())
            counts = f"{soak.frames} frames, {soak.replays} replays, {memory[-1]:.0f} MB"
            print(f"{100 * part // PARTS:3} %: {counts}, slowest frame {1000 * soak.slowest:.0f} ms", flush=True)
            soak.slowest = 0.0
        os.chdir("/")
    assert memory[-1] < GROWTH * memory[PARTS // 2 - 1], "memory grows after the first half"


if __name__ == "__main__":
    main()
