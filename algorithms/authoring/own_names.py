"""The names that a process class defines, and the variables that it assigns."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from types import CodeType, FunctionType
from typing import Any

from algorithms.engine import process as vocabulary
from algorithms.engine.part import parts_of
from algorithms.engine.process import Process, when

_LENT = (*Process.__slots__[1:], "now", "members", "random")  # without __dict__
_HOOKS = (
    *("setup", "launch", "acquire", "release", "start", "recovered", "leaving", "unreached", "waiting_for", "holding"),
    "offered",
)
_LAZY_FLAGS = (
    0x20 | 0x80 | 0x200
)  # code flags of generators, coroutines and asynchronous generators: a call runs nothing


def check_names(process: type[Process]) -> None:
    """TypeError if a class defines a name that has another meaning for the engine."""
    for owner in own_classes(process):
        _check_spelling(process, owner)
        for name, value in vars(owner).items():
            if name in _LENT:
                raise TypeError(f"{owner.__name__} has {name} of its own, which is lent to it; expected another name")
            if is_called(process, name):
                _check_method(owner, name, value)
            _check_rule(owner, name, value)


def assigns(process: type[Process], variable: str) -> bool:
    """Whether a method of the class assigns the variable; "election.leader" belongs to a part."""
    part, _, name = variable.rpartition(".")
    if part:
        parts = parts_of(process)
        return part in parts and assigns(parts[part].process, name)
    candidates = (code for code in code_of(process) if name in code.co_names or name in code.co_consts)
    return any(name in _assigned_in(code) for code in candidates)  # disassembling all of them is slow


def variables_of(process: type[Process]) -> list[str]:
    """The variables that the methods of the class assign."""
    return sorted({name for code in code_of(process) for name in _assigned_in(code)})


def uses(process: type[Process], name: str) -> bool:
    """Whether a method of the class, or of one of its parts, uses something of that name, such as `set_timer`."""
    parts = (part.process for part in parts_of(process).values())
    in_own = any(name in code.co_names for code in _code_in(own_classes(process)))
    return in_own or any(uses(part, name) for part in parts)


def own_classes(process: type[Process]) -> list[type]:
    """The class and its bases that are not the engine's."""
    return [owner for owner in process.__mro__ if owner.__module__ not in (vocabulary.__name__, "builtins")]


def is_called(process: type[Process], name: str) -> bool:
    """Whether the engine calls a method of this name."""
    method = getattr(process, name, None)
    is_hook = any(callable(vars(base).get(name)) for base in process.__mro__ if base.__module__ == vocabulary.__name__)
    return is_hook or name.startswith("on_") or hasattr(method, "guard")


def _check_method(owner: type, name: str, value: Any) -> None:
    method = getattr(owner, name)
    if not callable(method):
        raise TypeError(f"{name} of {owner.__name__} is {value!r:.40}; expected a method, since it is called")
    flags = getattr(getattr(method, "__code__", None), "co_flags", 0)
    if flags & _LAZY_FLAGS and name != "waiting_for":
        raise TypeError(
            f"{name} of {owner.__name__} has yield, or is async, so that it would never run; expected neither"
        )


def _check_spelling(process: type[Process], owner: type) -> None:
    """TypeError for a method that nobody calls, whose name is nearly that of one that the engine would call."""
    missing = [hook for hook in _HOOKS if not any(hook in vars(own) for own in own_classes(process))]
    called = {name for code in code_of(process) for name in (*code.co_names, *code.co_consts)}
    for name, value in vars(owner).items():
        if not isinstance(value, FunctionType) or name in called or is_called(process, name):
            continue
        near = get_close_matches(name, missing, n=1, cutoff=0.8)  # slow, so only for the few that nothing calls
        if near:
            raise TypeError(f"{owner.__name__} has {name}, which nothing calls; did you mean {near[0]}?")


def _check_rule(owner: type, name: str, value: Any) -> None:
    guard = value if getattr(value, "__qualname__", "").startswith(f"{when.__name__}.<locals>") else None
    guard = getattr(value, "guard", when if guard else None)
    if guard is when or (guard is not None and not callable(guard)):
        raise TypeError(f"{name} of {owner.__name__} has no guard; expected @when(lambda self: …)")


def code_of(process: type[Process]) -> Iterator[CodeType]:
    """The code of the methods, and of the functions within them."""
    yield from _code_in(process.__mro__)


def _code_in(owners: Iterable[type]) -> Iterator[CodeType]:
    methods = (value for owner in owners for value in vars(owner).values() if isinstance(value, FunctionType))
    for method in methods:
        yield from nested_code(method.__code__)


def nested_code(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_code(constant)


def _assigned_in(code: CodeType) -> set[str]:
    """The names of attributes that are assigned, and all texts, which may be names passed to setattr."""
    attributes = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_ATTR"}
    return attributes | {constant for constant in code.co_consts if isinstance(constant, str)}
