"""Name -> system, found by listing the folder: adding a system is adding one file whose module has a SYSTEM."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import algorithms.rewriting_systems
from algorithms.bad_input import BadInput
from algorithms.engine.rewrite.rewriting import System

ORDER = ("s", "s1", "token", "message-passing", "search", "binary-search")  # each refines the one before it


@cache
def by_name() -> dict[str, System]:
    """All systems: the memo's in the order of refinement, then any others."""
    package = algorithms.rewriting_systems
    modules = (import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__))
    systems = {module.SYSTEM.name: module.SYSTEM for module in modules if hasattr(module, "SYSTEM")}
    first = [f"system-{name}" for name in ORDER]
    return {
        name: systems[name] for name in sorted(systems, key=lambda n: (n not in first, n in first and first.index(n)))
    }


def find(name: str) -> System:
    """The system of that name. BadInput if it is unknown."""
    if name in by_name():
        return by_name()[name]
    raise BadInput(f"unknown rewriting system {name!r}; there are {', '.join(by_name())}")
