"""A bar with the time left on a terminal's error stream, for work that takes a while; nothing in a pipe."""

from __future__ import annotations

import sys
from time import monotonic

from algorithms.engine.simulation import Simulation

QUIET = 0.5  # seconds before a bar is worth showing
EVERY = 0.1  # seconds between two looks of the bar
CHUNK = 5_000  # steps between two looks at the clock
WIDTH = 30


class Progress:
    """Shows how much of some work is done; `finish` takes the bar away again."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._start = self._last = monotonic()
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def show(self, share: float) -> None:
        """`share` of the work, from 0 to 1, is done."""
        now = monotonic()
        if not self._terminal or now - self._start < QUIET or now - self._last < EVERY:
            return
        self._last = now
        self._shown = True
        sys.stderr.write(f"\r{bar(self.what, share, now - self._start)}\x1b[K")
        sys.stderr.flush()

    def finish(self) -> None:
        """The work is done, or given up."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def bar(what: str, share: float, spent: float) -> str:
    """ "running ━━━━━━──── 60 %, 4 s left" after `spent` seconds."""
    done = round(WIDTH * share)
    left = f", {spent * (1 - share) / share:.0f} s left" if share > 0 else ""
    return f"{what} {'━' * done}{'─' * (WIDTH - done)} {100 * share:3.0f} %{left}"


def advance(simulation: Simulation, until: float) -> None:
    """Run the simulation up to that time, with a bar where somebody is watching."""
    progress = Progress("running")
    try:
        while simulation.run(until, simulation.steps + CHUNK) == CHUNK:
            progress.show(min(1.0, simulation.now / until))
    finally:
        progress.finish()
