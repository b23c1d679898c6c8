"""Random input on a screen in memory; longer by hand: python -m tests.support.soak --seconds 1800"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FRAMES = 1_200  # with twelve scenarios and algorithms


def test_random_input_breaks_nothing_and_every_run_can_be_replayed():
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.soak", "--frames", str(FRAMES)],
        cwd=Path(__file__).parents[2],
        env={**environment, "SDL_VIDEODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    frames, replays = counts_in(done.stdout)
    assert frames == FRAMES
    assert replays > 10


def counts_in(report: str) -> tuple[int, int]:
    """Frames and replays in the last line: "100 %: 617 frames, 4 replays, …"."""
    words = report.splitlines()[-1].split()
    return int(words[2]), int(words[4])
