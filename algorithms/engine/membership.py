"""Who takes part at present: for those who are told, and need not find it out by messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

CRASHED, PAUSED, ABSENT = "crashed", "paused", "absent"  # what a node can be, in `Simulation.down`


class Members:
    """The nodes that take part and have not crashed: what an overlay that repairs its tables at once goes by."""

    def __init__(self, nodes: Iterable[int]) -> None:
        self.present = set(nodes)
        self.changes: list[int] = []  # who has come or gone, ever since; whoever keeps up with it knows all
        self.worked_out: dict[Any, Any] = {}  # what follows from it, kept by whoever works it out, and up to date

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


def introduce(run: Simulation, node: int) -> None:
    """A node has joined or left: it and its neighbours learn who their peers are now, those that take part."""
    for other in (node, *run.neighbours[node]):
        peers = (beside for beside in run.neighbours[other] if run.down.get(beside) != ABSENT)
        run.processes[other].peers = tuple(peers)


def introduce_all(run: Simulation) -> None:
    """Everybody learns who takes part, whatever has been before."""
    absent = {node for node, state in run.down.items() if state == ABSENT}
    for process, beside in zip(run.processes, run.neighbours, strict=True):
        process.peers = tuple(node for node in beside if node not in absent) if absent else beside
        gone = run.down.get(process.id, PAUSED) != PAUSED
        (run.members.remove if gone else run.members.add)(process.id)
