"""Invariants of an algorithm, evaluated in one state: of its processes, and perhaps of the messages in transit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

from algorithms.engine.process import Invariant, Message

InTransit = Iterable[tuple[int, int, Message]]
"""The messages in transit, each with its sender and receiver."""


def sees_messages(invariant: Invariant) -> bool:
    """Whether an invariant takes the messages in transit as well as the processes."""
    return sum(parameter.default is parameter.empty for parameter in signature(invariant).parameters.values()) > 1


def holds(invariant: Invariant, processes: list[Any], messages: Callable[[], InTransit]) -> bool:
    """Whether an invariant holds for these processes; `messages` are only asked for if it sees them."""
    return bool(invariant(processes, list(messages())) if sees_messages(invariant) else invariant(processes))
