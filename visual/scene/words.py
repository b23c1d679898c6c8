"""How nodes, messages and values are called, everywhere on the screen and in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from algorithms.engine.process import Message

_LONGEST = 14  # characters of a stamp in a label
_EDGES_OF_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def node_name(node: int) -> str:
    """3 -> "P3"."""
    return f"P{node}"


def nodes_listed(nodes: Iterable[int]) -> str:
    """[1, 2, 3] -> "P1, P2 and P3"."""
    return listed([node_name(node) for node in nodes])


def listed(words: list[str]) -> str:
    """["a", "b", "c"] -> "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def message_type(message: type[Message]) -> str:
    """`NewLeader` -> "new leader"."""
    return _spaced(message.__name__)


@lru_cache(maxsize=256)
def _spaced(name: str) -> str:
    return _EDGES_OF_WORDS.sub(" ", name).lower()


@lru_cache(maxsize=16384)
def message_stamp(message: Message) -> str:
    """What a message carries, short: `Request((5, 3))` -> "5,3". Fields with `repr=False` are left out."""
    shown = (name for name, kept in getattr(message, "__dataclass_fields__", {}).items() if kept.repr)
    values = (getattr(message, name) for name in shown)
    stamp = " ".join(filter(None, map(value_text, values)))
    return stamp if len(stamp) <= _LONGEST else stamp[: _LONGEST - 1].rstrip(" ,") + "…"


@lru_cache(maxsize=16384)
def message_label(message: Message) -> str:
    """Type and stamp: "request 5,3"."""
    return f"{message_type(type(message))} {message_stamp(message)}".rstrip()


def value_text(value: Any) -> str:
    """A value of an algorithm, short: (5, 3) -> "5,3", nothing for None."""
    if type(value) is int or type(value) is str:  # by far the most frequent
        return str(value)
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    if isinstance(value, tuple | list):
        return ",".join(value_text(v) or "–" for v in value)
    if isinstance(value, set | frozenset):
        return ",".join(map(value_text, sorted(value)))
    if isinstance(value, Mapping):
        return " ".join(f"{value_text(k)}:{value_text(v)}" for k, v in value.items())
    return str(value)
