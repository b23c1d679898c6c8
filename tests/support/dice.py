"""A measurement that takes no time and one that takes a known time, for tests of the laboratory."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

CALLS: Counter[int] = Counter()  # seed -> number of its measurements in this process


def dice(seed: int, sides: int) -> dict:
    """A measurement that is not random, but different for each seed."""
    CALLS[seed] += 1
    return {"points": (seed * 7919) % sides, "by": {1: seed}}


def slow(seed: int, notes: str) -> dict:
    """A measurement that records its start, and takes a while from the third seed on."""
    with Path(notes).open("a", encoding="utf-8") as file:
        file.write(f"{seed}\n")
    time.sleep(0.0 if seed < 3 else 0.4)
    return {"seed": seed}
