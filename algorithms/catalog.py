"""Name -> algorithm, found by listing the folders: adding an algorithm is adding one file.

A file whose module has an ALGORITHM defines one. Variants that would make it long stand in a file beside it, whose
module has VARIANTS: {name of the algorithm: {name of the variant: Variant}}. A file with a mistake is left out of the
lists, so that the others can be used, and `broken` says what is wrong with it.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from algorithms import algorithm_file
from algorithms.bad_input import BadInput
from algorithms.engine.process import Algorithm, Variant
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline

FAMILIES = ("mutual_exclusion", "election", "peer_to_peer", "rewriting_systems")


@cache
def by_family() -> dict[str, list[Algorithm]]:
    """Family ("mutual exclusion", "election" …) -> its algorithms, ordered by name."""
    return {family.replace("_", " "): _algorithms_in(family) for family in FAMILIES}


@cache
def by_name() -> dict[str, Algorithm]:
    """Catalogue name -> algorithm."""
    return {algorithm.name: algorithm for family in by_family().values() for algorithm in family}


def is_known(name: str) -> bool:
    """Whether there is an algorithm of that name."""
    return _alone(name) is not None or name in by_name()


def find(name: str) -> Algorithm:
    """The algorithm of that catalogue name. BadInput, with the nearest names, if there is none."""
    found = _alone(name) or by_name().get(name)
    if found is not None:
        return found
    near = get_close_matches(name, by_name(), n=2) or sorted(by_name())
    raise BadInput(f"unknown algorithm {name!r}; known are, for instance, {', '.join(near)} (mutoscope list shows all)")


def broken() -> list[str]:
    """What is wrong with the files that make no sense, a sentence for each."""
    return [str(module) for family in FAMILIES for module in _modules_in(family) if isinstance(module, BadInput)]


def simulation(scenario: Scenario) -> Simulation:
    """A fresh run of the scenario, its events by hand included."""
    by_step = sorted((e for e in scenario.events if e.step is not None), key=lambda e: e.step or 0)
    return Simulation(scenario, find(scenario.algorithm), by_step)


def timeline(scenario: Scenario) -> Timeline:
    """A fresh run of the scenario that can be looked at and acted in at any step."""
    return Timeline(scenario, find(scenario.algorithm))


@cache
def _alone(name: str) -> Algorithm | None:
    """The algorithm in the file that is called after it, with the files that mention it; None if there is none.

    Importing all files takes too long for a start.
    """
    stem = name.replace("-", "_")
    for family in FAMILIES:
        folder = Path(import_module(f"algorithms.{family}").__path__[0])
        if (folder / f"{stem}.py").is_file():
            telling = [file.stem for file in sorted(folder.glob("*.py")) if f'"{name}"' in file.read_text("utf-8")]
            modules = [algorithm_file.load(f"algorithms.{family}.{found}") for found in telling]
            return next((a for a in _algorithms_of(modules) if a.name == name), None)
    return None


def _algorithms_in(family: str) -> list[Algorithm]:
    modules = [module for module in _modules_in(family) if isinstance(module, ModuleType)]
    return sorted(_algorithms_of(modules), key=lambda a: a.name)


def _modules_in(family: str) -> list[ModuleType | BadInput]:
    """The modules of the family's files; for a file with a mistake, what is wrong with it."""
    package = import_module(f"algorithms.{family}")
    found: list[ModuleType | BadInput] = []
    for file in iter_modules(package.__path__):
        try:
            found.append(algorithm_file.load(f"{package.__name__}.{file.name}"))
        except BadInput as error:
            found.append(error)
    return found


def _algorithms_of(modules: list[ModuleType]) -> list[Algorithm]:
    """The algorithms that the modules define, with the variants that stand in any of them."""
    found = [module.ALGORITHM for module in modules if hasattr(module, "ALGORITHM")]
    tables = [module.VARIANTS for module in modules if hasattr(module, "VARIANTS")]
    return [_with(algorithm, [table.get(algorithm.name, {}) for table in tables]) for algorithm in found]


def _with(algorithm: Algorithm, more: list[dict[str, Variant]]) -> Algorithm:
    return replace(algorithm, variants=dict(chain(algorithm.variants.items(), *(v.items() for v in more))))
