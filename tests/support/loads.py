"""Loads of a few requests at fixed times."""

from __future__ import annotations

from algorithms.engine.randomness import Fixed
from algorithms.engine.workload import Request, Script


def asks(*nodes: int, at: float = 0.0, hold: float = 1.0) -> Script:
    """A load in which each of the nodes requests once at that time."""
    return Script(requests=tuple(Request(at, node) for node in nodes), hold=Fixed(hold))


def in_turn(*nodes: int, every: float = 100.0) -> Script:
    """A load in which the nodes request one after the other, each when the last is over."""
    return Script(requests=tuple(Request(every * turn, node) for turn, node in enumerate(nodes)), hold=Fixed(1.0))
