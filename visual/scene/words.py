"""How nodes, messages and values are called, everywhere on the screen and in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from algorithms.engine.process import Message
from algorithms.peer_to_peer.tickets import Replica, Ticket

_INTERVALS = ("dgen", "dmin", "dmax", "dop", "dskip")  # Δ… in the papers on the wandering token
_LONGEST = 14  # characters of a stamp in a label
_SUBSCRIPTS = re.compile(r"_(\d+(?:,\d+)?)")
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
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


def symbol(name: str) -> str:
    """A variable as the papers write it: "dgen" -> "Δgen"; any other as it is, its underscores as spaces."""
    return f"Δ{name[1:]}" if name in _INTERVALS else name.replace("_", " ")


def message_type(message: type[Message]) -> str:
    """`NewLeader` -> "new leader", and `IAmWinner` -> "I am winner"."""
    return _spaced(message.__name__)


@lru_cache(maxsize=256)
def _spaced(name: str) -> str:
    words = _EDGES_OF_WORDS.sub(" ", name).split()
    return " ".join(word if word == "I" else word.lower() for word in words)


@lru_cache(maxsize=16384)
def message_stamp(message: Message) -> str:
    """What a message carries, short: `Request((5, 3))` -> "5,3". Fields with `repr=False` are left out."""
    shown = (field for field in getattr(message, "__dataclass_fields__", {}).values() if field.repr)
    values = ((field.type, getattr(message, field.name)) for field in shown)
    stamp = " ".join(filter(None, (written(kind, value) or value_text(value) for kind, value in values)))
    return stamp if len(stamp) <= _LONGEST else stamp[: _LONGEST - 1].rstrip(" ,") + "…"


@lru_cache(maxsize=16384)
def message_label(message: Message) -> str:
    """Type and stamp: "request 5,3"."""
    return f"{message_type(type(message))} {message_stamp(message)}".rstrip()


def ticket_text(ticket: tuple[int, ...]) -> str:
    """A ticket as its client and its number: (2, 7) -> "P7·2", and (2, 7, 1), a further attempt, "P7·2.1"."""
    number, client, *attempts = ticket
    return f"{node_name(client)}·{'.'.join(map(str, (number, *filter(None, attempts))))}"


def is_birth(value: Any) -> bool:
    """Whether a value is the stamp of a token: when it was generated, and by whom."""
    return type(value) is tuple and tuple(map(type, value)) == (float, int)


def birth_text(birth: tuple[float, int]) -> str:
    """When a token was generated, and by whom, as its name: (1105.6, 9) -> "P9·1105.6"."""
    return f"{node_name(birth[1])}·{value_text(birth[0])}"


def replica_text(replica: int) -> str:
    """2 -> "R2"."""
    return f"R{replica}"


_WRITTEN: dict[Any, Callable[[Any], str]] = {Ticket: ticket_text, Replica: replica_text}
"""The type of a message's field -> how its value is written; others as plain values."""


def written(kind: Any, value: Any) -> str:
    """The value of a field of that type as the picture writes it; "" for one that has no way of its own."""
    return _WRITTEN[kind](value) if kind in _WRITTEN else ""


def subscripted(text: str) -> str:
    """A term as it is printed: "d_0,1" -> "d₀,₁"."""
    return _SUBSCRIPTS.sub(lambda found: found[1].translate(_SMALL), text)


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
    if is_birth(value):
        return birth_text(value)
    if isinstance(value, Message):
        return message_stamp(value)
    if isinstance(value, tuple | list):
        return ",".join(value_text(v) or "–" for v in value)
    if isinstance(value, set | frozenset):
        return ",".join(map(value_text, sorted(value)))
    if isinstance(value, Mapping):
        return " ".join(f"{value_text(k)}:{value_text(v)}" for k, v in value.items())
    return str(value)
