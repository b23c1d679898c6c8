"""The comment on a line of an algorithm as a template, and its values when the line runs.

    self.deferred.add(sender)  # it defers its reply: its own {stamp} is older than {request.stamp}
    self.send(Reply(), to=self.deferred)  # it replies to P{deferred}, whose requests it had deferred

A placeholder is a variable of the method, or else of the process, or else a constant of the file; `P{…}` is a process
or several. `{ticket:ticket}` has the notation of a type of `peer_to_peer/tickets.py`. Values are those before the line
runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FrameType
from typing import Any, NamedTuple

from algorithms.engine.errors import short

_PLACEHOLDER = re.compile(r"(P?)\{([^{}:]+)(?::(\w+))?\}")
INITIALIZERS = ("setup", "begin")  # in these a comment explains a variable, not an action
_FUNCTIONS = {"len": len, "max": max, "min": min, "sorted": sorted}
_ALLOWED = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.operator, ast.Load)


class Placeholder(NamedTuple):
    """A placeholder in a comment."""

    expression: str
    is_node: bool = False  # P{…}
    notation: str = ""


@cache
def placeholders(comment: str) -> tuple[Placeholder, ...]:
    """The placeholders in a comment, in order."""
    return tuple(Placeholder(match[2], bool(match[1]), match[3] or "") for match in _PLACEHOLDER.finditer(comment))


def fill(comment: str, text: Callable[[int], str]) -> str:
    """The comment with `text(i)` in the place of its placeholder number `i`."""
    numbers = iter(range(len(placeholders(comment))))
    return _PLACEHOLDER.sub(lambda match: text(next(numbers)), comment)


def values(comment: str, frame: FrameType) -> tuple[object, ...]:
    """The present values of the placeholders in a frame; the expression itself where it has no value."""
    return tuple(_value(placeholder.expression, frame) for placeholder in placeholders(comment))


def _value(expression: str, frame: FrameType) -> object:
    try:
        return _frozen(eval(_compiled(expression), {"__builtins__": {}, **_FUNCTIONS}, _Names(frame)))
    except Exception:  # a comment never stops a run
        return expression


@cache
def _compiled(expression: str) -> CodeType:
    """The code of an expression of names, attributes, places and sums; ValueError for any other."""
    tree = ast.parse(expression, mode="eval")
    for part in ast.walk(tree):
        calls = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _FUNCTIONS
        if not (calls or isinstance(part, _ALLOWED)):
            raise ValueError(f"{short(expression)} is no plain value")
    return compile(tree, "<comment>", "eval")


class _Names(Mapping[str, Any]):
    """The variables of a method, behind them those of its process, and behind these the constants of the file."""

    def __init__(self, frame: FrameType) -> None:
        self._locals, self._globals = frame.f_locals, frame.f_globals

    def __getitem__(self, name: str) -> Any:
        if name in self._locals:
            return self._locals[name]
        if name in _FUNCTIONS:
            raise KeyError(name)
        own = self._locals.get("self")
        return getattr(own, name) if hasattr(own, name) else self._globals[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._locals)

    def __len__(self) -> int:
        return len(self._locals)


def _frozen(value: object) -> object:
    """A value that stays as it is when the run goes on."""
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return tuple(value) if not isinstance(value, str) and hasattr(value, "__iter__") else value
