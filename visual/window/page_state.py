"""What the pages of the column at the right remember, as plain values."""

from __future__ import annotations

from typing import NamedTuple


class Sieve(NamedTuple):
    """What the list of events leaves out: kinds of events, and perhaps all that is not about the selected node."""

    hidden: frozenset[str] = frozenset()
    of_node: bool = False


class Budget(NamedTuple):
    """What the checker may try: so many nodes, requests of each, faults in all, and states to look at."""

    nodes: int = 3
    requests: int = 1
    crashes: int = 0
    losses: int = 0
    duplicates: int = 0
    most_states: int = 100_000


BUDGETS: dict[str, tuple[int, ...]] = {
    "nodes": (2, 3, 4, 5, 6),
    "requests": (1, 2, 3),
    "crashes": (0, 1, 2),
    "losses": (0, 1, 2, 3),
    "duplicates": (0, 1, 2),
    "most_states": (10_000, 30_000, 100_000, 300_000, 1_000_000),
}
"""The values that each part of a budget may have."""
