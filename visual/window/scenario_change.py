"""The scenario of another run, with as much as can be kept of the present one."""

from __future__ import annotations

from dataclasses import replace

from algorithms import catalog
from algorithms.engine.observe.offered_load import at_load, offered_load
from algorithms.engine.rewrite import MOST_NODES, system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.subset import among
from algorithms.engine.workload import Load, Poisson

_USUAL_RATE = 0.1  # of requests per node, where what was shown before had none
_USUAL_LOAD = 0.5  # of those who enter of their own accord, likewise


def with_algorithm(run: Simulation, name: str, variant: str | None = None) -> Scenario:
    """Another algorithm with as many nodes, the same seed, load and network as that run.

    A rewriting system has fewer nodes and no load. Processes that enter of their own accord have none either:
    they ask for as much of the critical section as was asked for before.
    """
    scenario, load, other = run.scenario, run.scenario.load, catalog.find(name)
    if system_of(other):
        scenario, load = among(scenario, range(min(scenario.nodes, MOST_NODES))), Load()
    elif other.paced_by:
        load = Load()
    elif system_of(run.algorithm) or run.algorithm.paced_by:
        load = Poisson(rate=_USUAL_RATE)
    kept = replace(
        scenario, algorithm=name, variant=variant, title="", load=load, parameters={}, topology=None, edges=None
    )
    if other.paced_by:
        return at_load(kept, catalog.simulation(kept), offered_load(run) or _USUAL_LOAD)
    return kept
