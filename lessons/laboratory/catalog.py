"""Name -> lab, found by listing the folder: adding a lab is adding one file whose module has a LAB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import lessons.labs
from algorithms.bad_input import BadInput
from algorithms.scenario_format.place import suggestion
from lessons.laboratory.lab import Lab, Topic

TOPICS = list(Topic)


@cache
def by_name() -> dict[str, Lab]:
    """All labs, ordered by topic and then as their sources are, so that figure 9 comes before figure 10."""
    modules = map(import_module, _files())
    labs = (module.LAB for module in modules if hasattr(module, "LAB"))
    return {lab.name: lab for lab in sorted(labs, key=lambda lab: (TOPICS.index(lab.topic), _numbered(lab.source)))}


def _numbered(source: str) -> list[tuple[int, str]]:
    """A sort key that compares the numbers in a text as numbers."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", source)]


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
