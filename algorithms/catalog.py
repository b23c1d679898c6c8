"""Name -> algorithm, found by listing the folders: adding an algorithm is adding one file.

A file whose module has an ALGORITHM defines one. Variants that would make it long stand in a file beside it, whose
module has VARIANTS: {name of the algorithm: {name of the variant: Variant}}.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from algorithms.bad_input import BadInput
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline

FAMILIES = ("mutual_exclusion", "election", "peer_to_peer")


@cache
def by_family() -> dict[str, list[Algorithm]]:
    """Family ("mutual exclusion", "election" …) -> its algorithms, ordered by name."""
    return {family.replace("_", " "): _algorithms_in(family) for family in FAMILIES}


@cache
def by_name() -> dict[str, Algorithm]:
    """Catalogue name -> algorithm."""
    return {algorithm.name: algorithm for family in by_family().values() for algorithm in family}


def find(name: str) -> Algorithm:
    """The algorithm of that catalogue name. BadInput, with the nearest names, if there is none."""
    if name in by_name():
        return by_name()[name]
    near = get_close_matches(name, by_name(), n=2) or sorted(by_name())
    raise BadInput(f"unknown algorithm {name!r}; known are, for instance, {', '.join(near)} (mutoscope list shows all)")


def simulation(scenario: Scenario) -> Simulation:
    """A fresh run of the scenario, its events by hand included."""
    by_step = sorted((e for e in scenario.events if e.step is not None), key=lambda e: e.step or 0)
    return Simulation(scenario, find(scenario.algorithm), by_step)


def timeline(scenario: Scenario) -> Timeline:
    """A fresh run of the scenario that can be looked at and acted in at any step."""
    return Timeline(scenario, find(scenario.algorithm))


def _algorithms_in(family: str) -> list[Algorithm]:
    package = import_module(f"algorithms.{family}")
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    algorithms = {m.ALGORITHM.name: m.ALGORITHM for m in modules if hasattr(m, "ALGORITHM")}
    for module in modules:
        for name, variants in getattr(module, "VARIANTS", {}).items():
            own = algorithms[name].variants
            algorithms[name] = replace(algorithms[name], variants={**own, **variants})
    return sorted(algorithms.values(), key=lambda a: a.name)
