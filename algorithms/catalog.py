"""The algorithms by name, found by listing folders: to add an algorithm is to add one file.

A module with ALGORITHM defines an algorithm. Variants that would make its file long go into a file beside it, whose
module has VARIANTS: {name of the algorithm: {name of the variant: Variant}}. A file with a mistake is omitted from the
lists, so that the others can be used, and `broken` says what is wrong with it. A name that ends in .py is that of a
file anywhere: see `authoring.own_file`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from algorithms.authoring import declaration, failures, loading, own_file
from algorithms.authoring.origin import file_of
from algorithms.bad_input import BadInput
from algorithms.engine.errors import short
from algorithms.engine.process import Algorithm, Variant
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import EVERY, Timeline
from algorithms.files import read_text

FAMILIES = ("mutual_exclusion", "election", "peer_to_peer", "rewriting_systems")


@cache
def by_family() -> dict[str, list[Algorithm]]:
    """The algorithms of each family ("mutual exclusion", "election" …), ordered by name."""
    return {family.replace("_", " "): _algorithms_in(family) for family in FAMILIES}


@cache
def by_name() -> dict[str, Algorithm]:
    """The algorithms by their names in the catalogue."""
    return {algorithm.name: algorithm for family in by_family().values() for algorithm in family}


def read_one_by_one() -> Iterator[None]:
    """Import the files of all families one at a time, without a noticeable pause."""
    for family in FAMILIES:
        for name in _files_of(family):
            _module(name)
            yield


def is_known(name: str) -> bool:
    """Whether an algorithm has that name."""
    return own_file.is_file(name) or _in_own_file(name) is not None or name in by_name()


def find(name: str) -> Algorithm:
    """The algorithm of that name, or in that file. BadInput, with the nearest names, if there is none."""
    if own_file.is_file(name):
        (own,) = _algorithms_of([own_file.load(name).module])
        return own
    algorithm = _in_own_file(name) or by_name().get(name)
    if algorithm is not None:
        return algorithm
    near = get_close_matches(name[:100], by_name(), n=2)
    hint = f"did you mean {' or '.join(near)}? (mutoscope list shows all)" if near else "mutoscope list shows all"
    raise BadInput(f"unknown algorithm {short(name)}; {hint}")


@contextmanager
def guarded(name: str) -> Iterator[Algorithm]:
    """The algorithm of that name, or in that file, guarded while it is checked."""
    algorithm = find(name)
    with failures.guard_algorithm(algorithm, "cannot be checked"):
        yield algorithm


def broken() -> list[str]:
    """One sentence for each file with a mistake."""
    return [
        str(module) for modules in _modules_by_family().values() for module in modules if isinstance(module, BadInput)
    ]


def simulation(scenario: Scenario) -> Simulation:
    """A new run of the scenario, with its interventions."""
    algorithm = find(scenario.algorithm)
    with failures.guard_algorithm(algorithm, "cannot be set up"):
        run = Simulation(scenario, algorithm, scenario.interventions())
        declaration.check_answers(run)
    return run


def try_start(scenario: Scenario) -> None:
    """BadInput if a run of the scenario cannot begin."""
    run = simulation(scenario)
    with failures.guard_run(run):
        run.step()


def timeline(scenario: Scenario) -> Timeline:
    """A new run of the scenario that can be sought and branched."""
    algorithm = find(scenario.algorithm)
    with failures.guard_algorithm(algorithm, "cannot be set up"):
        every = EVERY // 10 if system_of(algorithm) else EVERY  # to apply a rule takes a millisecond, not some µs
        moving = Timeline(scenario, algorithm, every)
        declaration.check_answers(moving.simulation)
    return moving


@cache
def _in_own_file(name: str) -> Algorithm | None:
    """The algorithm in the file named after it; None if there is none.

    Its variants come from the files that mention it. Importing all files would take too long at the start.
    """
    if not declaration.is_name(name):
        return None  # the name or path of a file, perhaps
    stem = name.replace("-", "_")
    for family in FAMILIES:
        folder = Path(import_module(f"algorithms.{family}").__path__[0])
        if os.path.isfile(folder / f"{stem}.py"):
            package = f"algorithms.{family}"
            own = loading.load_module(f"{package}.{stem}")
            modules = [own, *(module for module in _mentioning(package, folder, name) if module is not own)]
            algorithm = next((a for a in _algorithms_of(modules) if a.name == name), None)
            if algorithm is None:
                file = file_of(own.__name__)
                raise BadInput(f"{file}: expected ALGORITHM = Algorithm(name={name!r}, …) in a file of that name")
            return algorithm
    return None


def _mentioning(package: str, folder: Path, name: str) -> list[ModuleType]:
    """The modules in a folder that mention an algorithm, without those that have a mistake."""
    files = [f for f in sorted(folder.glob("*.py")) if f'"{name}"' in read_text(f, "replace")]
    modules = (_module(f"{package}.{file.stem}") for file in files)
    return [module for module in modules if isinstance(module, ModuleType)]


def _algorithms_in(family: str) -> list[Algorithm]:
    modules = [module for module in _modules_by_family()[family] if isinstance(module, ModuleType)]
    return sorted(_algorithms_of(modules), key=lambda a: a.name)


@cache
def _modules_by_family() -> dict[str, list[ModuleType | BadInput]]:
    """The modules of each family's files, or the mistake in a file."""
    families = {family: [_module(name) for name in _files_of(family)] for family in FAMILIES}
    owners: dict[str, ModuleType] = {}
    for module in chain.from_iterable(families.values()):
        name = _name_in(module)
        if isinstance(module, ModuleType) and name and (name not in owners or _is_named_after(module, name)):
            owners[name] = module

    def unless_duplicate(module: ModuleType | BadInput) -> ModuleType | BadInput:
        owner = owners.get(_name_in(module))
        if isinstance(module, BadInput) or owner is None or owner is module:
            return module
        file, other = map(file_of, (module.__name__, owner.__name__))
        return BadInput(f"{file}: the name {_name_in(module)!r} is that of {other}; expected another")

    return {family: list(map(unless_duplicate, modules)) for family, modules in families.items()}


def _name_in(module: ModuleType | BadInput) -> str:
    """The name of the algorithm that a module defines; empty if it defines none."""
    algorithm = getattr(module, "ALGORITHM", None)
    return algorithm.name if algorithm else ""


def _is_named_after(module: ModuleType, name: str) -> bool:
    return module.__name__.rpartition(".")[2] == name.replace("-", "_")


def _files_of(family: str) -> list[str]:
    """The names of the family's modules."""
    package = import_module(f"algorithms.{family}")
    return [f"{package.__name__}.{file.name}" for file in iter_modules(package.__path__)]


def _module(name: str) -> ModuleType | BadInput:
    try:
        return loading.load_module(name)
    except BadInput as error:
        return error


def _algorithms_of(modules: list[ModuleType]) -> list[Algorithm]:
    """The algorithms that the modules define, with the variants from any of them."""
    algorithms = [module.ALGORITHM for module in modules if hasattr(module, "ALGORITHM")]
    tables = [module.VARIANTS for module in modules if hasattr(module, "VARIANTS")]
    return [_with(algorithm, [table.get(algorithm.name, {}) for table in tables]) for algorithm in algorithms]


def _with(algorithm: Algorithm, more: list[dict[str, Variant]]) -> Algorithm:
    return replace(algorithm, variants=dict(chain(algorithm.variants.items(), *(v.items() for v in more))))
