"""The availability of nodes, and the membership as algorithms see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

CRASHED, PAUSED, ABSENT = "crashed", "paused", "absent"  # the states of a node that is down
GONE = (CRASHED, ABSENT)  # those in which messages to the node are lost


class Availability:
    """The nodes that are down, and questions about one node."""

    down: dict[int, str]  # node -> CRASHED, PAUSED or ABSENT (not a member); nodes that are up are left out

    def is_up(self, node: int) -> bool:
        """Whether the node takes steps: neither crashed nor paused nor absent."""
        return node not in self.down

    def is_gone(self, node: int) -> bool:
        """Whether the node has crashed or is absent; messages to it are lost."""
        return self.down.get(node) in GONE

    def is_crashed(self, node: int) -> bool:
        """Whether the node has crashed and not recovered."""
        return self.down.get(node) == CRASHED

    def is_paused(self, node: int) -> bool:
        """Whether the node is paused; messages to it wait."""
        return self.down.get(node) == PAUSED

    def is_absent(self, node: int) -> bool:
        """Whether the node has not joined yet, or has left for good."""
        return self.down.get(node) == ABSENT

    def absent_nodes(self) -> list[int]:
        """The absent nodes, in ascending order."""
        return sorted(node for node, state in self.down.items() if state == ABSENT)


class Members:
    """The nodes that are not gone.

    An overlay uses them to repair its tables at once instead of by messages.
    """

    def __init__(self, nodes: Iterable[int]) -> None:
        self.present = set(nodes)
        self.changes: list[int] = []  # every node that has joined or left, in order; readers remember their place
        self.derived: dict[Any, Any] = {}  # values derived from the membership, updated by the code that uses them

    def add(self, node: int) -> None:
        """Add a node that has joined or recovered."""
        if node not in self.present:
            self.present.add(node)
            self.changes.append(node)

    def remove(self, node: int) -> None:
        """Remove a node that has left or crashed."""
        if node in self.present:
            self.present.remove(node)
            self.changes.append(node)
