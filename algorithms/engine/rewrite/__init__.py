"""Rewriting systems: how to recognize one, for code that does not apply rules itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algorithms.engine.process import Algorithm

if TYPE_CHECKING:
    from algorithms.engine.rewrite.rewriting import System

CARRIER = 0  # the process that carries the term, which contains the nodes of the system
MOST_NODES_IN_TERM = 16  # with more nodes there are too many applications of rules


def system_of(algorithm: Algorithm) -> System | None:
    """The rewriting system that the algorithm runs; None for any other algorithm."""
    return getattr(algorithm.process, "system", None)
