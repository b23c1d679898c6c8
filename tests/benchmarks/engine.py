"""Messages that the engine delivers per second, with its trace, against a bare heap loop and SimPy.

    python -m tests.benchmarks.engine [--size 100000] [--rounds 5]

They run in turn; medians are printed as one JSON object:
{"ring": {"messages_per_s", "x_simpy", "x_bare"}, "ra": {…}}.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from statistics import median
from time import perf_counter

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed, Load, Poisson
from tests.benchmarks import yardsticks

Rate = Callable[[int], float]  # number of messages or steps to run -> messages per second


def engine(algorithm: str, nodes: int, load: Load) -> Rate:
    """The engine's rate; deliveries are counted from its trace once the clock has stopped."""

    def rate(size: int) -> float:
        simulation = catalog.simulation(Scenario(algorithm, nodes=nodes, load=load))
        started = perf_counter()
        simulation.run(steps=size)
        seconds = perf_counter() - started
        return sum(records[0][KIND] == DELIVER for _, records in simulation.trace.steps()) / seconds

    return rate


def yardstick(run: Callable[[int], int]) -> Rate:
    """The rate of a function that returns the number of delivered messages."""

    def rate(size: int) -> float:
        started = perf_counter()
        messages = run(size)
        return messages / (perf_counter() - started)

    return rate


CASES: dict[str, dict[str, Rate]] = {
    "ring": {
        "engine": engine(
            "token-ring", yardsticks.RING_NODES, Poisson(rate=yardsticks.RING_RATE / yardsticks.RING_NODES)
        ),
        "bare": yardstick(yardsticks.bare_ring),
        "simpy": yardstick(yardsticks.simpy_ring),
    },
    "ra": {
        "engine": engine("ricart-agrawala", yardsticks.RA_NODES, Closed(think=yardsticks.RA_THINK)),
        "bare": yardstick(yardsticks.bare_ra),
        "simpy": yardstick(yardsticks.simpy_ra),
    },
}


def measure(size: int, rounds: int) -> dict[str, dict[str, float]]:
    """The engine's messages per second in each case, and the medians of the ratios of all rounds."""
    answer = {}
    for case, rates in CASES.items():
        measured = [{name: rate(size) for name, rate in rates.items()} for _ in range(rounds)]
        answer[case] = {
            "messages_per_s": round(median(rate["engine"] for rate in measured)),
            "x_simpy": round(median(rate["engine"] / rate["simpy"] for rate in measured), 2),
            "x_bare": round(median(rate["engine"] / rate["bare"] for rate in measured), 2),
        }
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000, help="messages (yardsticks) or steps (engine) per run")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.size, arguments.rounds)))


if __name__ == "__main__":
    main()
