"""Random schedules on small overlays: whether a protocol ever admits two processes, or starves one.

python -m tests.support.overlay_schedules sigma 20000       # the schedules 0 … 19,999
python -m tests.support.overlay_schedules end-to-end 2000 --variant as-described
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from random import Random

from algorithms import catalog
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.base import OVERLAYS
from algorithms.peer_to_peer.overlay import TABLES
from tests.support.kit import verdicts

PROTOCOLS = ("sigma", "non-end-to-end", "end-to-end")


def contended(name: str, seed: int, variant: str | None = None) -> Simulation:
    """A small overlay, random in everything: many requests, FIFO channels that delay as they like."""
    random = Random(seed)
    nodes = random.randint(3, 7)
    count = random.randint(2, 3 * nodes)
    requests = [Request(round(random.uniform(0, 25), 2), random.randrange(nodes)) for _ in range(count)]
    parameters = {
        "replicas": random.choice((3, 5)),
        "overlay": random.choice(OVERLAYS),
        "tables": random.choice(TABLES),
        "placement": random.randrange(10**6),
    }
    simulation = catalog.simulation(
        Scenario(
            name,
            variant=variant,
            nodes=nodes,
            seed=seed,
            network=Network(delay=random.choice((Uniform(0.1, 3.0), Exponential(1.0), Uniform(0.5, 1.5)))),
            load=Script(hold=Fixed(random.choice((0.5, 2.0, 5.0))), requests=tuple(requests)),
            parameters=parameters,
        )
    )
    simulation.run(steps=50_000)
    return simulation


def failures(name: str, seeds: Iterable[int], variant: str | None = None) -> Iterator[tuple[int, str]]:
    """The seeds of the schedules that fail, with the failures."""
    for seed in seeds:
        simulation = contended(name, seed, variant)
        if simulation.next_time() is not None:
            yield seed, "goes on for ever"
        results = verdicts(simulation)
        for monitor in ("ME1", "ME2"):
            if results[monitor] != "holds":
                yield seed, f"{monitor} is {results[monitor]}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Try schedules drawn at random on small overlays.")
    parser.add_argument("name", choices=PROTOCOLS)
    parser.add_argument("count", type=int)
    parser.add_argument("--variant")
    chosen = parser.parse_args()
    count = 0
    for seed, how in failures(chosen.name, range(chosen.count), chosen.variant):
        count += 1
        print(f"{chosen.name}, schedule {seed}: {how}", flush=True)
    print(f"{chosen.name}: {count} failures in {chosen.count} schedules")


if __name__ == "__main__":
    main()
