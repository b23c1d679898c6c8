"""The offered load of the critical section: k_load in the papers on the wandering token.

It is the average number of processes that would be inside if none ever had to wait; above 1, a critical section for
one process is overloaded. Processes that enter of their own accord offer a load themselves; for all others the
applications do.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from algorithms.engine.process import MutexProcess
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson

LOAD_SCALE = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0)
"""Offered loads worth comparing: from light load to heavy overload."""


def offered_load(run: Simulation) -> float | None:
    """The load offered by all processes that are not gone; None if it is unknown or infinite."""
    present = [p for p in run.processes if not run.is_gone(p.id)]
    if not present or not isinstance(present[0], MutexProcess):
        return None
    try:
        own: list[float | None] = [process.offered() for process in present]
    except ZeroDivisionError:
        return None  # no time between turns
    each = run.applications.load.offered()
    shares = [share for share in own if share is not None]
    if shares:
        return sum(shares)
    return None if each is None or each == inf else each * len(present)


def pace_for(run: Simulation, target: float) -> float | None:
    """The value of the algorithm's pacing parameter for that load; None if it has none."""
    current, parameter = offered_load(run), run.algorithm.paced_by
    if parameter is None or not current:
        return None
    return float(f"{getattr(run.process_class, parameter) * current / target:.6g}")


def at_load(scenario: Scenario, run: Simulation, target: float) -> Scenario:
    """The scenario of `run`, paced to offer that load; unchanged if the algorithm has no pacing parameter."""
    pace = pace_for(run, target)
    if pace is None:
        return scenario
    return replace(scenario, parameters={**scenario.parameters, str(run.algorithm.paced_by): pace})


def load_for(run: Simulation, target: float) -> Load:
    """The load of the applications that offers `target`, above 0: the current kind if possible, or Poisson."""
    current = run.applications.load
    nodes = sum(not run.is_gone(node) for node in range(len(run.processes))) or 1
    hold, each = current.hold.mean, target / nodes
    if isinstance(current, Closed) and each < 1:
        return replace(current, think=hold / each - hold)
    if isinstance(current, Burst):
        return replace(current, every=current.share * hold / each)
    return Poisson(rate=each / hold, hold=current.hold) if hold else current
