"""Who must not be in the critical section together: all processes, or neighbours only."""

from __future__ import annotations

from dataclasses import dataclass

from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import Neighbours, neighbours

NEIGHBOURS_EXCLUDED = "no two neighbours are in the critical section at the same time"


@dataclass(frozen=True)
class Rivals:
    """The neighbours of each node if only they exclude each other; None if all do."""

    beside: Neighbours | None = None

    @property
    def all(self) -> bool:
        """Whether each process excludes all others."""
        return self.beside is None

    def among(self, nodes: set[int], node: int) -> set[int]:
        """Those of the nodes that must not be inside together with a node."""
        return nodes - {node} if self.beside is None else nodes.intersection(self.beside[node])


def rivals_of(scenario: Scenario, algorithm: Algorithm) -> Rivals:
    """The rivals in the system that a scenario describes."""
    if algorithm.excludes == "all":
        return Rivals()
    return Rivals(neighbours(scenario.nodes, scenario.links(algorithm.topology)))
