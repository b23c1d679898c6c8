"""A progress bar on a terminal's error stream, with the time left; silent in a pipe."""

from __future__ import annotations

import sys
from typing import Self

from algorithms.clock import wall_clock

QUIET = 0.5  # seconds before a bar is worth showing
EVERY = 0.1  # seconds between two updates of the bar
WIDTH = 30


class ProgressBar:
    """The share of some work that is done; a context manager that removes the bar at the end."""

    def __init__(self, work: str) -> None:
        self._work = work
        self._is_terminal = sys.stderr.isatty()
        self._start = self._last = wall_clock()
        self._is_visible = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the bar."""
        if self._is_visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, share: float) -> None:
        """Show a `share` of the work, from 0 to 1, as done."""
        if self._is_terminal:
            self._write(bar(self._work, share, wall_clock() - self._start))

    def say(self, words: str) -> None:
        """Show the progress of work whose total is unknown, in words."""
        self._write(f"{self._work}: {words}")

    def _write(self, line: str) -> None:
        now = wall_clock()
        if not self._is_terminal or now - self._start < QUIET or now - self._last < EVERY:
            return
        self._last = now
        self._is_visible = True
        sys.stderr.write(f"\r{line}\x1b[K")
        sys.stderr.flush()


def bar(work: str, share: float, spent: float) -> str:
    """ "running ━━━━━━────  60 %, 4 s left" after `spent` seconds."""
    done = round(WIDTH * share)
    left = f", {spent * (1 - share) / share:.0f} s left" if share > 0 else ""
    return f"{work} {'━' * done}{'─' * (WIDTH - done)} {100 * share:3.0f} %{left}"
