"""Elections on a ring over all arrangements of the numbers, when all processes call at once."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE
from algorithms.engine.scenario import Event, Scenario
from lessons.laboratory.lab import Figures


def arrangements(seed: int, algorithm: str, nodes: int) -> Figures:
    """Number of messages until the leader is found, without announcements -> number of arrangements.

    Rotated arrangements cost the same, so the largest number is always at P0: (nodes − 1)! arrangements. Nothing is
    random, so the seed makes no difference.
    """
    calls = tuple(Event(0.0, "request", node=node) for node in range(nodes))
    rings = ((nodes - 1, *others) for others in permutations(range(nodes - 1)))
    counts = Counter(
        _messages(Scenario(algorithm, nodes=nodes, events=calls, parameters={"ids": ids})) for ids in rings
    )
    return {"messages": sorted(counts.items())}


def _messages(scenario: Scenario) -> int:
    simulation = catalog.simulation(scenario)
    announcement = {kind for kind, look in simulation.algorithm.looks.items() if look == "announce"}
    simulation.run(until=scenario.until)
    effects = (record for _, (_, *effects) in simulation.trace.steps() for record in effects)
    return sum(record[KIND] == DELIVER and type(record[MESSAGE]) not in announcement for record in effects)
