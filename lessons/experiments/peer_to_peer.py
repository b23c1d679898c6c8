"""Rounds of requests for many resources on one overlay, as in section VI of the paper on peer-to-peer systems.

Resources do not disturb each other: each has a run of its own, on the same circle, with the requests that are for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, NODE, SENDER
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Request, Script

ROUND = 50.0  # units of time: long enough for everything that a round's requests lead to
RESOURCES, ROUNDS, REQUESTS = 65, 20, 20  # the paper's: requests are for random resources, by random nodes
FREEPASTRY = {"overlay": "pastry", "b": 4, "near": 8, "tables": "random"}  # as in FreePastry: 16 digits, 16 leaves


@dataclass(frozen=True)
class RoundsHeld:
    """How long a resource is held: after each round it is given back with probability ½."""

    def draw(self, u: float) -> float:
        rounds = 1
        while u < 0.5:
            u *= 2
            rounds += 1
        return rounds * ROUND

    @property
    def mean(self) -> float:
        return 2 * ROUND


def rounds(seed: int, algorithm: str, nodes: int, variant: str | None = None, **parameters: Any) -> dict[str, Any]:
    """The messages that were sent for all resources in 20 rounds; a hop is a message."""
    asked = requests(seed, nodes)
    settings = {**FREEPASTRY, "placement": seed, **parameters}
    runs = (
        Scenario(
            algorithm,
            variant=variant,
            nodes=nodes,
            seed=seed * RESOURCES + resource,
            edges=(),  # nobody needs to be beside anybody
            load=Script(hold=RoundsHeld(), requests=tuple(asked[resource])),
            parameters={**settings, "resource": f"resource {resource}"},
        )
        for resource in range(RESOURCES)
    )
    return {"messages": sum(messages_of(scenario) for scenario in runs)}


def requests(seed: int, nodes: int) -> list[list[Request]]:
    """Who asks when, resource by resource."""
    random = Random(seed)
    asked: list[list[Request]] = [[] for _ in range(RESOURCES)]
    for k in range(ROUNDS):
        for _ in range(REQUESTS):
            at = k * ROUND + round(random.random(), 3)  # in the first moment of the round
            asked[random.randrange(RESOURCES)].append(Request(at, random.randrange(nodes)))
    return asked


def messages_of(scenario: Scenario) -> int:
    """How many messages the run sends in its 20 rounds."""
    simulation = catalog.simulation(scenario)
    simulation.run(until=ROUNDS * ROUND)
    effects: Iterator[tuple[Any, ...]] = (r for _, records in simulation.trace.steps() for r in records[1:])
    return sum(record[KIND] == DELIVER and record[SENDER] != record[NODE] for record in effects)
