"""The time from the start of the process to the window's first frame, in milliseconds.

A start of the same program that first imports networkx, numpy and pygame alternates with it. Prints one JSON object of
medians: {"first_frame_ms", "x_eager"}. Uses the present display, or SDL's dummy without one.

    python -m tests.benchmarks.startup [--runs N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from statistics import median

EAGER = "import networkx, numpy, pygame"
START = """
import os, time
from visual.window import app
paint = app.Window.paint
def first_frame(self, shapes):
    paint(self, shapes)
    print(time.monotonic(), flush=True)
    os._exit(0)
app.Window.paint = first_frame
from visual.command_line import main
raise SystemExit(main(["play"]))
"""


def milliseconds(program: str) -> float:
    """The milliseconds from the start of the program to its first frame."""
    environment = dict(os.environ, SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # lets the second start use compiled files
    if not os.environ.get("DISPLAY"):
        environment["SDL_VIDEODRIVER"] = "dummy"
    before = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return (float(done.stdout) - before) * 1000


def measure(runs: int) -> dict[str, float]:
    """Medians over that number of starts of each kind, after one that warms up the disk cache."""
    milliseconds(START)
    pairs = [(milliseconds(START), milliseconds(f"{EAGER}\n{START}")) for _ in range(runs)]
    ours, eager = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    return {"first_frame_ms": round(ours, 1), "x_eager": round(ours / eager, 3)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    print(json.dumps(measure(parser.parse_args().runs)))
