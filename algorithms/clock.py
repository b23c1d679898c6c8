"""The clocks of the machine, which nothing else reads: no run depends on them. A run's time is `Simulation.now`."""

from __future__ import annotations

from time import perf_counter, process_time


def wall_clock() -> float:
    """Seconds from a fixed moment in the past, never going back: only differences between readings have a meaning."""
    return perf_counter()


def cpu_clock() -> float:
    """Seconds that this process has computed, whatever else the machine does: only differences have a meaning."""
    return process_time()
