"""A minute of random input on a screen in memory; longer by hand: python -m tests.support.soak --seconds 1800"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_a_minute_of_random_input():
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.soak", "--seconds", "60"],
        cwd=Path(__file__).parents[2],
        env={**environment, "SDL_VIDEODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    frames, replays = _counts(done.stdout)
    assert frames > 100
    assert replays > 0


def _counts(told: str) -> tuple[int, int]:
    """Frames and replays in the last line: "100 %: 617 frames, 4 replays, …"."""
    words = told.splitlines()[-1].split()
    return int(words[2]), int(words[4])
