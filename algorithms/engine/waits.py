"""What a process waits for: a message from each, or from any one, of some processes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Wait(NamedTuple):
    """The processes that a process waits for, and what it waits for from them.

    Without `messages`, any message that is no request counts; without `timers`, any timer of the process may end the
    wait. `note` is the end of a sentence about the process, "it has 1 of the 3 votes it needs".
    """

    nodes: frozenset[int] = frozenset()
    is_any: bool = False
    messages: tuple[type, ...] = ()
    timers: tuple[str, ...] | None = None
    note: str = ""


def all_of(nodes: Iterable[int], *messages: type, timers: tuple[str, ...] | None = None, note: str = "") -> Wait:
    """Wait for a message from each of the processes, of one of these classes."""
    return Wait(frozenset(nodes), False, messages, timers, note)


def any_of(nodes: Iterable[int], *messages: type, timers: tuple[str, ...] | None = None, note: str = "") -> Wait:
    """Wait for a message from any one of the processes, of one of these classes."""
    return Wait(frozenset(nodes), True, messages, timers, note)
