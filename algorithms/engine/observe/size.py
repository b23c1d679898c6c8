"""The size of a system: the number of its processes, and what else the cost of an entry may depend on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import Neighbours, neighbours


class Size(int):
    """The number N of processes: "2 * (n - 1)". A formula may also use the graph and the values of parameters."""

    parameters: Mapping[str, Any]
    _beside: Neighbours

    def __new__(cls, beside: Neighbours, parameters: Mapping[str, Any]) -> Size:
        size = super().__new__(cls, len(beside))
        size.parameters, size._beside = parameters, beside
        return size

    @cached_property
    def diameter(self) -> int:
        """D: the number of links between the two nodes that are farthest apart."""
        return max(map(self._eccentricity, range(self)))

    @property
    def links(self) -> int:
        """E: the number of links."""
        return sum(map(len, self._beside)) // 2

    @property
    def degree(self) -> int:
        """The largest number of neighbours of a node."""
        return max(map(len, self._beside))

    def _eccentricity(self, start: int) -> int:
        """The number of links to the farthest node that can be reached."""
        reached, edge, distance = {start}, {start}, 0
        while edge := {other for node in edge for other in self._beside[node]} - reached:
            reached |= edge
            distance += 1
        return distance


def size_of(scenario: Scenario, algorithm: Algorithm) -> Size:
    """The size of the system that a scenario describes."""
    declared = {name: parameter.default for name, parameter in parameters_of(algorithm.process).items()}
    beside = neighbours(scenario.nodes, scenario.links(algorithm.topology))
    return Size(beside, {**declared, **scenario.parameters})
