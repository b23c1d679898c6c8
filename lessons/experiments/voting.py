"""The probability that forgetful coordinators let two processes in: in closed form, and in runs of `voting`.

One process has its votes and is inside. Each coordinator crashes at random, recovers at once and has forgotten its
vote. Then another process asks as few of the first one's coordinators as possible.
"""

from __future__ import annotations

from math import comb, log

from algorithms import catalog
from algorithms.engine.events import ENTER, KIND
from algorithms.engine.randomness import Exponential, Fixed, Stream, key
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Request, Script
from lessons.laboratory.lab import Figures


def breach_probability(n: int, m: int, p: float, asked: int | None = None) -> float:
    """The probability that a second process gets m votes while the first is inside.

    Each asks `asked` of the n coordinators (m of them if None), and each vote is forgotten with probability p. For
    m asked this is p^(2m−n): the coordinators that both ask must all have forgotten.
    """
    asked = m if asked is None else asked
    shared = max(0, 2 * asked - n)
    needed = max(0, m - (asked - shared))  # the number of shared ones that must have forgotten
    return sum(comb(shared, k) * p**k * (1 - p) ** (shared - k) for k in range(needed, shared + 1))


def breaches(seed: int, n: int, m: int, rate: float, time: float, asked: int | None = None) -> bool:
    """Whether two processes are inside at once in the run of that seed.

    The votes are cast at time 1, and the second request reaches the coordinators `time` later.
    """
    chosen = m if asked is None else asked
    first, second = n, n + chosen  # each asks those after its own number: as few as possible in common
    load = Script(requests=(Request(0.0, first), Request(time, second)), hold=Fixed(2 * time))
    scenario = Scenario(
        "voting",
        nodes=second + 1,
        seed=seed,
        until=time + 2.5,
        load=load,
        parameters={"coordinators": n, "votes": m, "asked": chosen},
        events=crashes(seed, n, rate, time),
    )
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    entries = [record for record in simulation.trace.records if record[KIND] == ENTER]
    return len(entries) == 2


def crashes(seed: int, n: int, rate: float, time: float) -> tuple[Event, ...]:
    """Each coordinator's first crash after the votes were cast, and its recovery, if it comes in time."""
    moments = [1 + Exponential(1 / rate).draw(Stream(key(seed, "crash", node)).random()) for node in range(n)]
    return tuple(
        Event(at, event, node=node, memory=False)
        for node, at in enumerate(moments)
        if at < 1 + time
        for event in ("crash", "recover")
    )


def many_runs(seed: int, *, n: int, m: int, p: float, runs: int) -> Figures:
    """The share of runs in which two processes were inside, if each vote is forgotten with probability p."""
    time = 10.0
    rate = -log(1 - p) / time
    seeds = range(seed * runs, (seed + 1) * runs)
    return {"share": sum(breaches(each, n, m, rate, time) for each in seeds) / runs}
