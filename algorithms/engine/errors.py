"""What an algorithm asks of its host and makes no sense: its author's mistake, told where it is made."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, NoReturn

SAME_EACH_TIME = "expected chance from self.random, time from self.now, and nothing that depends on the order of a set"


class Misuse(Exception):  # noqa: N818
    """A process has done what it may not do, or asked for what there is not; the words say what."""


class Endless(BaseException):
    """Raised in a call that goes on for too long; an author's own `except Exception` does not stop it."""


def refuse(message: Any, to: Any, nodes: int) -> NoReturn:
    """A message cannot be sent to `to`, in a system of so many nodes: Misuse, which says why."""
    receivers = [to] if isinstance(to, int) else to if isinstance(to, Iterable) else []
    stranger = next((other for other in receivers if isinstance(other, int) and not 0 <= other < nodes), None)
    kind = type(message).__name__
    if stranger is None:
        raise Misuse(f"it sends {kind} to {short(to)}; expected a node's number, or several")
    raise Misuse(f"it sends {kind} to P{stranger}, and there is no such node")


def duration(value: Any, what: str) -> float:
    """The same time. Misuse if it is none: negative, endless or no number."""
    if isinstance(value, (int, float)) and 0 <= value < inf:
        return value
    raise Misuse(f"it {what} {short(value)}; expected a time of at least 0")


def short(value: Any) -> str:
    """A value as a sentence can show it."""
    try:
        words = repr(value)
    except Exception:  # whatever an author's own class may do there
        words = f"a {type(value).__name__}"
    return words if len(words) <= 60 else f"{words[:59]}…"


def words_of(error: BaseException) -> str:
    """What an exception says, as a sentence can show it; "" if it says nothing."""
    try:
        words = " ".join(str(error).split())
    except Exception:  # whatever an author's own class may do there
        return ""
    return words if len(words) <= 200 else f"{words[:199]}…"
