"""A bar with the time left on a terminal's error stream, for work that takes a while; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Self

from algorithms.authoring.failures import StallDetector, guard_run
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.simulation import Simulation

QUIET = 0.5  # seconds before a bar is worth showing
EVERY = 0.1  # seconds between two looks of the bar
WIDTH = 30
MOST_KEPT = 1_000_000  # steps of a run whose trace is kept: more might fill the memory
MOST_COUNTED = 100_000_000  # steps of a run whose trace is forgotten on the way
MOST_WAITING = 2_000_000  # messages on their way
CHUNK = 20_000  # steps of a run between two looks at the clock


class Progress:
    """Shows how much of some work is done, as long as it is a context."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._terminal = sys.stderr.isatty()
        self._start = self._last = wall_clock()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, share: float) -> None:
        """`share` of the work, from 0 to 1, is done."""
        if self._terminal:
            self._write(bar(self._what, share, wall_clock() - self._start))

    def say(self, words: str) -> None:
        """How far the work is, where nobody knows how much there is to do."""
        self._write(f"{self._what}: {words}")

    def _write(self, line: str) -> None:
        now = wall_clock()
        if not self._terminal or now - self._start < QUIET or now - self._last < EVERY:
            return
        self._last = now
        self._shown = True
        sys.stderr.write(f"\r{line}\x1b[K")
        sys.stderr.flush()


def bar(what: str, share: float, spent: float) -> str:
    """ "running ━━━━━━────  60 %, 4 s left" after `spent` seconds."""
    done = round(WIDTH * share)
    left = f", {spent * (1 - share) / share:.0f} s left" if share > 0 else ""
    return f"{what} {'━' * done}{'─' * (WIDTH - done)} {100 * share:3.0f} %{left}"


def advance(
    run: Simulation, until: float, execute: Callable[[float, int], object] | None = None, most: int = MOST_KEPT
) -> None:
    """Run up to that time. `execute(until, steps)` goes on up to so many steps in all; without it, the run itself.

    BadInput if the run cannot go on, or has not come there after `most` steps.
    """
    execute, time = execute or run.run, StallDetector(run)
    with Progress("running") as progress, guard_run(run):
        done = CHUNK
        while done == CHUNK:
            before = run.steps
            execute(until, before + CHUNK)
            done = run.steps - before
            time.check()
            check_length(run, until, most)
            progress.show(min(1.0, run.now / until))


def check_length(run: Simulation, until: float, most: int = MOST_KEPT) -> None:
    """BadInput if it takes the run more steps than that to get there, or more messages than memory holds."""
    if len(run.queue) > MOST_WAITING:
        raise BadInput(f"at {run.now:g} more than {MOST_WAITING:,} messages are on their way; expected an earlier time")
    if run.steps >= most:
        raise BadInput(f"after {most:,} steps the run is at {run.now:g}, not at {until:g}; expected an earlier time")
