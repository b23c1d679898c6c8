"""What tells a rewriting system from other algorithms, for those who need not know how rules are applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algorithms.engine.process import Algorithm

if TYPE_CHECKING:
    from algorithms.engine.rewrite.rewriting import System

CARRIER = 0  # the process that carries the term; the nodes of a system are in the term
MOST_NODES_IN_TERM = 16  # beyond, there are too many ways in which rules apply


def system_of(algorithm: Algorithm) -> System | None:
    """The system whose rules the processes of that algorithm apply; None if it is no rewriting system."""
    return getattr(algorithm.process, "system", None)
