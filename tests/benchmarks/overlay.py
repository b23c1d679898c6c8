"""The time of a round of figure 3 on 2,000 nodes, and the memory of the run; prints one JSON object.

    python -m tests.benchmarks.overlay [--nodes 2000] [--runs 3]

For each protocol, medians of: `ms_per_round`, including the construction of the run; `messages_per_s`, without it;
`x_ring`, the ratio of that rate to the engine's on a token ring, measured in turn; `peak_mb`, the peak of memory that
Python allocated in a run. Times are process times.
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
from statistics import median
from time import process_time
from typing import Any

from algorithms import catalog
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Poisson
from lessons.experiments.peer_to_peer import ROUNDS, scenario_of, traffic
from lessons.labs.p2p_figure_4 import PROTOCOLS
from tests.benchmarks import yardsticks

RING = Scenario(
    "token-ring", nodes=yardsticks.RING_NODES, load=Poisson(rate=yardsticks.RING_RATE / yardsticks.RING_NODES)
)


def measure(scenario: Scenario) -> tuple[float, float]:
    """Seconds for the whole run, and messages per second without its construction."""
    begun = process_time()
    simulation = catalog.simulation(scenario)
    made = process_time()
    simulation.run(until=scenario.until)
    done = process_time()
    return done - begun, traffic(simulation)[0].total() / (done - made)


def ring(messages: int) -> float:
    """The engine's messages per second on a token ring."""
    simulation = catalog.simulation(RING)
    begun = process_time()
    simulation.run(steps=messages)
    return messages / (process_time() - begun)


def peak(scenario: Scenario) -> float:
    """The peak of allocated memory in a run, in megabytes."""
    tracemalloc.start()
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


def figures(name: str, nodes: int, runs: int) -> dict[str, float]:
    """The printed figures of one protocol."""
    chosen: dict[str, Any] = PROTOCOLS[name]
    scenario = scenario_of(1, nodes=nodes, **chosen)
    taken = [(*measure(scenario), ring(50_000)) for _ in range(runs)]
    return {
        "ms_per_round": round(1000 * median(seconds for seconds, _, _ in taken) / ROUNDS, 2),
        "messages_per_s": round(median(rate for _, rate, _ in taken)),
        "x_ring": round(median(rate / beside for _, rate, beside in taken), 3),
        "peak_mb": round(peak(scenario), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    print(json.dumps({name: figures(name, chosen.nodes, chosen.runs) for name in PROTOCOLS}))


if __name__ == "__main__":
    main()
