"""Who must not be in the critical section together: any two processes, two neighbours, or more than k."""

from __future__ import annotations

from dataclasses import dataclass

from algorithms.engine.observe.size import size_of
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import Neighbours, neighbours


@dataclass(frozen=True)
class Rivals:
    """The number of processes that may be inside together; with `beside`, only neighbours count."""

    most: int = 1
    beside: Neighbours | None = None

    def excluding(self, nodes: set[int], node: int) -> set[int]:
        """Those of the nodes with which a node must not be inside; none if there are few enough."""
        others = nodes - {node} if self.beside is None else nodes.intersection(self.beside[node])
        return others if len(others) >= self.most else set()


def rivals_of(scenario: Scenario, algorithm: Algorithm) -> Rivals:
    """The rivals in the system that a scenario describes."""
    most = size_of(scenario, algorithm).parameters[algorithm.at_once] if algorithm.at_once else 1
    if algorithm.excludes == "all":
        return Rivals(most)
    return Rivals(most, neighbours(scenario.nodes, scenario.links(algorithm.topology)))


def exclusion_words(algorithm: Algorithm) -> str:
    """What ME1 means for an algorithm."""
    if algorithm.excludes == "neighbours":
        return "no two neighbours are in the critical section at the same time"
    most = f"{algorithm.at_once} processes" if algorithm.at_once else "one process"
    return f"at most {most} at a time {'are' if algorithm.at_once else 'is'} in the critical section"
