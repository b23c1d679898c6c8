"""Random scenarios: any load, any network and any faults that an algorithm survives."""

from __future__ import annotations

import random

from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Closed, Load, Poisson, Saturated

NODES = 5
STEPS = 400
ALGORITHMS = ["centralized", "ricart-agrawala", "token-ring", "uncoordinated", "wandering-token-report"]
ELECTIONS = ["bully", "chang-roberts", "ring-election", "le-lann", "hirschberg-sinclair", "franklin", "peterson"]
ELECTIONS += ["itai-rodeh", "echo-extinction", "tree-election", "raft-election"]
QUICK = {
    "wandering-token-report": {"dmin": 20.0, "dmax": 60.0},
    "wandering-token-journal": {"dmin": 20.0, "gamma": 60.0},
}


def random_scenario(name: str, dice: random.Random) -> Scenario:
    """A scenario with any load and network that the algorithm survives, and occasional interventions."""
    network = Network(
        delay=dice.choice([Fixed(1.0), Uniform(0.5, 2.0), Exponential(1.0)]),
        fifo=dice.random() < 0.5,
        loss=dice.choice([0.0, 0.05]),
        duplicate=dice.choice([0.0, 0.05]) if "token" in name else 0.0,
    )
    load = dice.choice([Poisson(rate=0.1), Poisson(rate=0.5), Closed(think=5.0), Saturated()])
    return Scenario(
        name,
        nodes=NODES,
        members=dice.choice([None, 4]),
        seed=dice.randrange(1000),
        network=network,
        load=Load() if name in ELECTIONS else load,
        patience=dice.choice([None, 20.0]),
        events=tuple(
            random_event(dice, dice.uniform(0, 150))
            for _ in range(dice.choice([10, 40] if name in ELECTIONS else [0, 10, 40]))
        ),
        parameters=QUICK.get(name, {}),
    )


def random_event(dice: random.Random, at: float) -> Event:
    a, b = dice.sample(range(NODES), 2)
    return dice.choice(
        [
            Event(at, "pause", node=a),
            Event(at, "resume", node=a),
            Event(at, "crash", node=a),
            Event(at, "crash", node=b),
            Event(at, "recover", node=a, memory=True),
            Event(at, "recover", node=b, memory=True),
            Event(at, "recover", node=a, memory=False),
            Event(at, "request", node=a),
            Event(at, "request", node=b, every=9.0),
            Event(at, "leave", node=a),
            Event(at, "join"),
            Event(at, "drop"),
            Event(at, "delay", delay=3.0),
            Event(at, "lose-token"),
            Event(at, "duplicate-token"),
            Event(at, "cut", node=a, to=b),
            Event(at, "heal"),
            Event(at, "load", load=Poisson(rate=0.5)),
        ]
    )


def goes_on(run: Simulation) -> bool:
    """Execute a step; False if there is none, or if the algorithm rejects a message that it rules out."""
    try:
        return run.steps < STEPS and run.step()
    except (KeyError, ValueError):
        return False
