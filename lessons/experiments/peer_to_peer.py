"""Rounds of requests for many resources on one overlay, as in section VI of the paper on peer-to-peer systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.paths import UPKEEP

ROUND = 100.0  # units of time: enough for all consequences of a round's requests
SPREAD = 50.0  # they come at any time in the first half of it, and in the second half resources are given back
RESOURCES, ROUNDS, REQUESTS = 65, 20, 20  # the paper's: requests are for random resources, by random nodes
FREEPASTRY = {"overlay": "pastry", "b": 4, "near": 8, "tables": "random"}  # as in FreePastry: 16 digits, 16 leaves
IN_ROUNDS = ("patience", "poll_time")  # parameters that are chosen in rounds
APART = 2.0  # units of time from one join or leave to the next: a handover takes one
ASIDE = frozenset(UPKEEP)  # messages of the overlay's own upkeep; the paper counts none


def rounds(seed: int, algorithm: str, nodes: int, churn: int = 0, **chosen: Any) -> dict[str, Any]:
    """Measure 20 rounds: messages (one per hop), those for upkeep, the nodes' loads, and breaches.

    After each round, `churn` / 2 nodes leave and as many join. Parameters that `chosen` does not name are FreePastry's.
    """
    scenario = scenario_of(seed, algorithm, nodes, churn, **chosen)
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    sent, load = traffic(simulation)
    monitors = Monitors(scenario, simulation.algorithm)
    monitors.advance(simulation.trace)
    upkeep = sum(count for kind, count in sent.items() if kind in ASIDE)
    loads = [load[node] for node in range(nodes)]
    return {
        "messages": sent.total() - upkeep,
        "upkeep": upkeep,
        "breaches": sum(breach.monitor == "ME1" for breach in monitors.breaches(simulation.steps)),
        "mean load": sum(loads) / nodes,
        "largest load": max(loads),
        "gini": gini(loads),
        "shares": [sorted(loads)[k * (nodes - 1) // 20] for k in range(21)],
    }


def scenario_of(
    seed: int, algorithm: str, nodes: int, churn: int = 0, variant: str | None = None, **parameters: Any
) -> Scenario:
    """20 rounds of 20 requests for 65 resources; more churn makes each round longer."""
    length = ROUND + churn * APART
    asked = requests(seed, nodes, length)
    who_asks = {request.node for request in asked}
    parameters |= {name: length * value for name, value in parameters.items() if name in IN_ROUNDS}
    return Scenario(
        algorithm,
        variant=variant,
        nodes=nodes + churn,
        members=nodes,
        seed=seed,
        until=ROUNDS * length,
        edges=(),  # nobody needs to be beside anybody
        load=Script(hold=Fixed(ROUNDS * length), requests=tuple(asked)),
        parameters={**FREEPASTRY, "placement": seed, "resources": RESOURCES, **parameters},
        events=(*releases(seed, who_asks, length), *changes(seed, nodes, churn, who_asks)),
    )


def requests(seed: int, nodes: int, length: float = ROUND) -> list[Request]:
    """The requests of all rounds: time, node and resource drawn at random."""
    random = Random(seed)
    asked = []
    for k in range(ROUNDS):
        for _ in range(REQUESTS):
            at = k * length + round(SPREAD * random.random(), 3)
            asked.append(Request(at, node=random.randrange(nodes), resource=random.randrange(RESOURCES)))
    return asked


def releases(seed: int, nodes: set[int], length: float = ROUND) -> list[Event]:
    """In each round each node releases, with probability ½, the resource that it has held longest.

    So a node with two of them holds both for longer, as in the paper.
    """
    random = Random(f"releases {seed}")
    return [
        Event(k * length + SPREAD + round(SPREAD * random.random(), 3), "exit", node=node)
        for k in range(ROUNDS)
        for node in sorted(nodes)
        if random.random() < 0.5
    ]


def changes(seed: int, nodes: int, churn: int, staying: set[int], first: float = ROUND) -> list[Event]:
    """The joins and leaves, one by one from time `first` of each round; nodes that request stay, as in the paper."""
    random = Random(f"churn {seed}")
    inside = [node for node in range(nodes) if node not in staying]
    outside = list(range(nodes, nodes + churn))
    events = []
    for k in range(ROUNDS):
        at = k * (ROUND + churn * APART) + first
        for i in range(churn // 2):
            going, coming = pick(random, inside), pick(random, outside)
            events.append(Event(at + 2 * i * APART, "leave", node=going))
            events.append(Event(at + (2 * i + 1) * APART, "join", node=coming))
            inside.append(coming)
            outside.append(going)
    return events


def pick(random: Random, nodes: list[int]) -> int:
    """Remove a random node from the list and return it."""
    place = random.randrange(len(nodes))
    nodes[place], nodes[-1] = nodes[-1], nodes[place]
    return nodes.pop()


def traffic(simulation: Simulation) -> tuple[Counter[type], Counter[int]]:
    """Messages sent, by class, and messages delivered, by node; messages to oneself do not count."""
    sent: Counter[type] = Counter()
    load: Counter[int] = Counter()
    for _, (event, *effects) in simulation.trace.steps():
        if event[KIND] == DELIVER and event[SENDER] != event[NODE] and type(event[MESSAGE]) not in ASIDE:
            load[event[NODE]] += 1
        for record in effects:
            if record[KIND] == DELIVER and record[SENDER] != record[NODE]:
                sent[type(record[MESSAGE])] += 1
    return sent, load


def gini(shares: Sequence[float]) -> float:
    """The Gini coefficient: 0 if all shares are equal, near 1 if one has everything."""
    count, total = len(shares), sum(shares)
    ranked = sum((2 * k - count - 1) * share for k, share in enumerate(sorted(shares), start=1))
    return ranked / (count * total) if total else 0.0
