"""A load in a word or a number."""

from __future__ import annotations

from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script

OFFERED = "k_load: how many would be inside if nobody had to wait"


def load_words(run: Simulation) -> str:
    """The load in a word or a number, for the header."""
    load = run.applications.load
    if run.algorithm.paced_by:
        return f"k = {offered_load(run) or 0.0:.2g}"
    match load:
        case Poisson(rate=rate):
            return f"{rate:g}"
        case Closed(think=think):
            return f"think {think:g}"
        case Script():
            return "script"
        case Saturated():
            return "full"
        case Burst():
            return "bursts"
    return "by hand" if type(load) is Load else type(load).__name__.lower()
