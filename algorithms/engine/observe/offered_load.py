"""How much is asked of the critical section: the offered load, k_load in the papers on the wandering token.

It is the number of processes that would be inside on average if nobody ever had to wait; above 1 a critical section
that lets in one at a time is overloaded. Processes that enter of their own accord say themselves what they offer;
for all others the load of the applications does.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from algorithms.engine.process import MutexProcess
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson

LOAD_SCALE = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0)
"""Loads that are worth comparing: from hardly any to heavy overload."""


def offered_load(run: Simulation) -> float | None:
    """The load that the processes taking part offer; None where that is not known, or is beyond all bounds."""
    taking_part = [p for p in run.processes if not run.is_gone(p.id)]
    if not taking_part or not isinstance(taking_part[0], MutexProcess):
        return None
    try:
        own: list[float | None] = [process.offered() for process in taking_part]
    except ZeroDivisionError:
        return None  # no time at all from one turn to the next
    each = run.applications.load.offered()
    known = [offered for offered in own if offered is not None]
    if known:
        return sum(known)
    return None if each is None or each == inf else each * len(taking_part)


def pace_for(run: Simulation, wanted: float) -> float | None:
    """What the parameter that paces the algorithm's processes must be for that load; None where none paces them."""
    now, parameter = offered_load(run), run.algorithm.paced_by
    if parameter is None or not now:
        return None
    return float(f"{getattr(run.process_class, parameter) * now / wanted:.6g}")


def at_load(scenario: Scenario, run: Simulation, wanted: float) -> Scenario:
    """The scenario that `run` is of, paced such that its processes offer that load; the same where none paces them."""
    pace = pace_for(run, wanted)
    if pace is None:
        return scenario
    return replace(scenario, parameters={**scenario.parameters, str(run.algorithm.paced_by): pace})


def load_for(run: Simulation, wanted: float) -> Load:
    """What the applications must do for that load, above 0: what they do now, more or less often, or at random."""
    present = run.applications.load
    nodes = sum(not run.is_gone(node) for node in range(len(run.processes))) or 1
    hold, each = present.hold.mean, wanted / nodes
    if isinstance(present, Closed) and each < 1:
        return replace(present, think=hold / each - hold)
    if isinstance(present, Burst):
        return replace(present, every=present.share * hold / each)
    return Poisson(rate=each / hold, hold=present.hold) if hold else present
