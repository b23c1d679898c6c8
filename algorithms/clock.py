"""The wall clock, which nothing else reads: no run depends on it. The time within a run is `Simulation.now`."""

from __future__ import annotations

from time import perf_counter


def wall_clock() -> float:
    """Seconds from a fixed moment in the past, never going back: only differences between readings have a meaning."""
    return perf_counter()
