"""Whether an author's code might do something else in another process, by the names and constants in it.

Python's order of a set of texts differs from process to process, and so do clocks and chance other than the run's own.
None of the algorithms that come with the program uses such things.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from algorithms.authoring.own_names import is_called, nested_code
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.part import parts_of
from algorithms.engine.process import Process

_SETS = {"BUILD_SET", "SET_ADD", "SET_UPDATE"}  # instructions
_CHANGING = ("time", "random", "datetime", "secrets", "uuid", "os")  # modules
_QUERIES = (
    "waiting_for",
    "keeps_waiting",
    "carries_my_request",
    "heeds",
    "kept_by",
    "holding",
    "role",
    "offered",
)  # change no run
_ROLES = ("leader", "follower")  # beside an election's own
_HASHED, _TEXTS = {"set", "frozenset"}, {"str", "repr", "chr", "format"}  # functions


def may_differ(process: type[Process]) -> bool:
    """Whether the code of a process could depend on the hash seed, a clock or chance."""
    has_sets = has_texts = False
    for owner in (process, *(part.process for part in parts_of(process).values())):
        known = {name.removeprefix("on_") for name in dir(owner) if name.startswith("on_")}
        known |= {parameter.default for parameter in parameters_of(owner).values() if type(parameter.default) is str}
        known |= {*_ROLES, *getattr(owner, "roles", ())}
        for code, names in _codes_of(owner):
            steps = list(dis.get_instructions(code))
            uses = {step.opname for step in steps}
            globals_used = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            imported = {step.argval for step in steps if step.opname == "IMPORT_NAME"}
            if any(_changes(name, names) for name in globals_used | imported):
                return True
            has_sets |= bool(uses & _SETS or globals_used & _HASHED)
            texts = list(_texts_of(steps))
            has_texts |= bool(globals_used & _TEXTS) or ("BUILD_STRING" in uses and not texts)
            has_texts |= any(_is_telling(text, known) for text in texts)
            if any(isinstance(constant, frozenset) for constant in code.co_consts):
                has_sets, has_texts = True, has_texts or any(map(_holds_text, code.co_consts))
            has_texts |= any(_holds_text(names.get(name)) for name in globals_used)
    return has_sets and has_texts


def _codes_of(process: type[Process]) -> Iterator[tuple[CodeType, dict[str, Any]]]:
    """The code that a step may run, with its global names: what an author's methods call, queries apart."""
    functions = _functions_of(process)
    pending, known = [name for name in functions if is_called(process, name) and name not in _QUERIES], set(_QUERIES)
    while pending:
        name = pending.pop()
        if name in known:
            continue
        known.add(name)
        for function in functions[name]:
            for code in nested_code(function.__code__):
                yield code, function.__globals__
                pending += [called for called in code.co_names if called in functions]


def _functions_of(process: type[Process]) -> dict[str, list[FunctionType]]:
    """The author's methods with their guards, and the functions beside them, by name."""
    owners = [owner for owner in process.__mro__ if owner is not object and not _is_engine(owner.__module__)]
    functions: dict[str, list[FunctionType]] = {}
    for names in (*map(vars, owners), *(vars(sys.modules[owner.__module__]) for owner in owners)):
        for name, value in names.items():
            value = value.fget if isinstance(value, property) else value
            found = [f for f in (value, getattr(value, "guard", None)) if isinstance(f, FunctionType)]
            if found and found[0].__module__.startswith("algorithms.") and not _is_engine(found[0].__module__):
                functions.setdefault(name, []).extend(found)
    return functions


def _is_engine(module: str) -> bool:
    return module.startswith("algorithms.engine.")


def _changes(name: str, names: dict[str, Any]) -> bool:
    """Whether a global name stands for something that differs from call to call or from process to process."""
    value = names.get(name)
    owner = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    owner = owner or type(getattr(value, "__self__", None)).__module__  # random.random is a method of an object
    return name in ("hash", "id", "__import__", *_CHANGING) or str(owner) in _CHANGING


def _texts_of(steps: list[dis.Instruction]) -> Iterator[str]:
    """The texts that the code uses as values: its docstring and the names of arguments are none."""
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        if step.opname == "LOAD_CONST" and not (after and after.opname == "CALL_KW"):
            constant = step.argval
            for item in constant if isinstance(constant, (tuple, frozenset)) else (constant,):
                if isinstance(item, (str, bytes)):
                    yield str(item)


def _is_telling(text: str, known: set[str]) -> bool:
    """Whether a text may be a value of the run: no timer's name, no parameter's and no role."""
    return text.strip() not in {"", "on_", *known}


def _holds_text(value: Any) -> bool:
    if isinstance(value, dict) and all(map(callable, value.values())):  # by which functions are chosen
        return False
    items = value if isinstance(value, (tuple, list, set, frozenset, dict)) else (value,)
    return any(isinstance(item, (str, bytes)) for item in items)
