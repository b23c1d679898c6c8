"""Who takes part at present: for those who are told, and need not find it out by messages."""

from __future__ import annotations

from collections.abc import Iterable


class Members:
    """The nodes that take part and have not crashed: what an overlay that repairs its tables at once goes by."""

    def __init__(self, nodes: Iterable[int]) -> None:
        self.present = set(nodes)
        self.changes: list[int] = []  # who has come or gone, ever since; whoever keeps up with it knows all

    def add(self, node: int) -> None:
        """The node is present from now on."""
        if node not in self.present:
            self.present.add(node)
            self.changes.append(node)

    def remove(self, node: int) -> None:
        """The node is not present any more."""
        if node in self.present:
            self.present.remove(node)
            self.changes.append(node)
