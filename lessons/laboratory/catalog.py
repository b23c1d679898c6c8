"""Name -> lab, found by listing the folder: adding a lab is adding one file whose module has a LAB."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import lessons.labs
from algorithms.bad_input import BadInput
from algorithms.scenario_format.place import suggestion
from lessons.laboratory.lab import Lab


@cache
def by_name() -> dict[str, Lab]:
    """All labs, ordered by name."""
    modules = map(import_module, _files())
    labs = (module.LAB for module in modules if hasattr(module, "LAB"))
    return {lab.name: lab for lab in sorted(labs, key=lambda lab: lab.name)}


def read_one_by_one() -> Iterator[None]:
    """Import the labs' files, yielding after each: all at once would be a noticeable pause."""
    for name in _files():
        import_module(name)
        yield


def _files() -> list[str]:
    """The names of the modules in the folder."""
    return [f"lessons.labs.{found.name}" for found in iter_modules(lessons.labs.__path__)]


def find(name: str) -> Lab:
    """The lab of that name. BadInput, with the nearest names, if it is unknown."""
    if name in by_name():
        return by_name()[name]
    raise BadInput(f"unknown lab {name!r}; {suggestion(name, by_name())}")
