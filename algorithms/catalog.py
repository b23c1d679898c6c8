"""Name -> algorithm, found by listing the folders: adding an algorithm is adding one file.

A file whose module has an ALGORITHM defines one. Variants that would make it long stand in a file beside it, whose
module has VARIANTS: {name of the algorithm: {name of the variant: Variant}}. A file with a mistake is left out of the
lists, so that the others can be used, and `broken` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from algorithms.authoring import failures, loading
from algorithms.authoring.origin import file_of
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


def read_one_by_one() -> Iterator[None]:
    """Import the files of all families, one between two stops: all of them at once are a pause that can be felt."""
    for family in FAMILIES:
        for name in _files_of(family):
            _module(name)
            yield


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
    return [str(module) for modules in _loaded().values() for module in modules if isinstance(module, BadInput)]


def simulation(scenario: Scenario) -> Simulation:
    """A fresh run of the scenario, its events by hand included."""
    by_step = sorted((e for e in scenario.events if e.step is not None), key=lambda e: e.step or 0)
    algorithm = find(scenario.algorithm)
    with failures.while_it(algorithm, "cannot be set up"):
        return Simulation(scenario, algorithm, by_step)


def try_start(scenario: Scenario) -> None:
    """BadInput if a run of the scenario cannot even begin."""
    run = simulation(scenario)
    with failures.in_words(run):
        run.step()


def timeline(scenario: Scenario) -> Timeline:
    """A fresh run of the scenario that can be looked at and acted in at any step."""
    algorithm = find(scenario.algorithm)
    with failures.while_it(algorithm, "cannot be set up"):
        return Timeline(scenario, algorithm)


@cache
def _alone(name: str) -> Algorithm | None:
    """The algorithm in the file that is called after it, with the files that mention it; None if there is none.

    Importing all files takes too long for a start.
    """
    stem = name.replace("-", "_")
    for family in FAMILIES:
        folder = Path(import_module(f"algorithms.{family}").__path__[0])
        if (folder / f"{stem}.py").is_file():
            package = f"algorithms.{family}"
            own = loading.load(f"{package}.{stem}")
            modules = [own, *(module for module in _telling(package, folder, name) if module is not own)]
            found = next((a for a in _algorithms_of(modules) if a.name == name), None)
            if found is None:
                file = file_of(own.__name__)
                raise BadInput(f"{file}: expected ALGORITHM = Algorithm(name={name!r}, …) in a file of that name")
            return found
    return None


def _telling(package: str, folder: Path, name: str) -> list[ModuleType]:
    """The modules in a folder that mention an algorithm, those with a mistake left out."""
    files = [f for f in sorted(folder.glob("*.py")) if f'"{name}"' in f.read_text("utf-8", "replace")]
    found = (_module(f"{package}.{file.stem}") for file in files)
    return [module for module in found if isinstance(module, ModuleType)]


def _algorithms_in(family: str) -> list[Algorithm]:
    modules = [module for module in _loaded()[family] if isinstance(module, ModuleType)]
    return sorted(_algorithms_of(modules), key=lambda a: a.name)


@cache
def _loaded() -> dict[str, list[ModuleType | BadInput]]:
    """The modules of each family's files, or what is wrong with one: the name of its algorithm may be another's."""
    modules = {family: _modules_in(family) for family in FAMILIES}
    owners: dict[str, ModuleType] = {}
    for module in chain.from_iterable(modules.values()):
        name = _name_in(module)
        if isinstance(module, ModuleType) and name and (name not in owners or _is_called_after(module, name)):
            owners[name] = module

    def unless_taken(module: ModuleType | BadInput) -> ModuleType | BadInput:
        owner = owners.get(_name_in(module))
        if isinstance(module, BadInput) or owner is None or owner is module:
            return module
        file, other = map(file_of, (module.__name__, owner.__name__))
        return BadInput(f"{file}: the name {_name_in(module)!r} is that of {other}; expected another")

    return {family: list(map(unless_taken, found)) for family, found in modules.items()}


def _name_in(module: ModuleType | BadInput) -> str:
    """The name of the algorithm that a module defines; empty if it defines none."""
    algorithm = getattr(module, "ALGORITHM", None)
    return algorithm.name if algorithm else ""


def _is_called_after(module: ModuleType, name: str) -> bool:
    return module.__name__.rpartition(".")[2] == name.replace("-", "_")


def _modules_in(family: str) -> list[ModuleType | BadInput]:
    """The modules of the family's files; for a file with a mistake, what is wrong with it."""
    return [_module(name) for name in _files_of(family)]


def _files_of(family: str) -> list[str]:
    """The names of the family's modules."""
    package = import_module(f"algorithms.{family}")
    return [f"{package.__name__}.{file.name}" for file in iter_modules(package.__path__)]


def _module(name: str) -> ModuleType | BadInput:
    try:
        return loading.load(name)
    except BadInput as error:
        return error


def _algorithms_of(modules: list[ModuleType]) -> list[Algorithm]:
    """The algorithms that the modules define, with the variants that stand in any of them."""
    found = [module.ALGORITHM for module in modules if hasattr(module, "ALGORITHM")]
    tables = [module.VARIANTS for module in modules if hasattr(module, "VARIANTS")]
    return [_with(algorithm, [table.get(algorithm.name, {}) for table in tables]) for algorithm in found]


def _with(algorithm: Algorithm, more: list[dict[str, Variant]]) -> Algorithm:
    return replace(algorithm, variants=dict(chain(algorithm.variants.items(), *(v.items() for v in more))))
