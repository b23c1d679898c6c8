"""Errors for senseless calls of an algorithm, raised where its author made the mistake."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NoReturn

SAME_EACH_TIME = "expected chance from self.random, time from self.now, and nothing that depends on the order of a set"


class Misuse(Exception):  # noqa: N818
    """A process has broken a rule of the engine, as the message says."""


class UnfitMessage(Misuse):
    """A process sends what is no message, or what no trace can hold."""


class Endless(BaseException):
    """Raised in a call that takes too long; passes through an author's own `except Exception`."""


def refuse(message: Any, to: Any, nodes: int) -> NoReturn:
    """Raise Misuse, saying why a message cannot be sent to `to`."""
    receivers = [to] if isinstance(to, int) else to if isinstance(to, Iterable) else []
    stranger = next((other for other in receivers if isinstance(other, int) and not 0 <= other < nodes), None)
    kind = type(message).__name__
    if stranger is None:
        raise Misuse(f"it sends {kind} to {short(to)}; expected a node's number, or several")
    raise Misuse(f"it sends {kind} to P{stranger}, and there is no such node")


def duration(value: Any, what: str) -> float:
    """The value itself. Misuse if it is no time: negative, infinite or not a number."""
    if isinstance(value, (int, float)) and 0 <= value < inf:
        return value
    raise Misuse(f"it {what} {short(value)}; expected a time of at least 0")


def short(value: Any) -> str:
    """A value's repr, shortened to fit a sentence."""
    try:
        words = repr(value)
    except Exception:  # an author's own class may raise anything
        words = f"a {type(value).__name__}"
    return words if len(words) <= 60 else f"{words[:59]}…"


def count_words(count: int, noun: str) -> str:
    """ "1 entry", "3 processes", "1,200 steps"."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith(("s", "sh")) else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def words_of(error: BaseException) -> str:
    """The message of an exception, shortened to fit a sentence; "" if it has none."""
    try:
        words = " ".join(str(error).split())
    except Exception:  # an author's own class may raise anything
        return ""
    return words if len(words) <= 200 else f"{words[:199]}…"
