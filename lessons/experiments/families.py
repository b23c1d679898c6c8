"""All algorithms of a family side by side: messages and delays, and what each loses to one fault.

Every message and every stay in the critical section takes one unit of time. An entry, or an election, is measured
alone, for each process, and together, when all ask at time 0. The faults are tried in the interleavings of two
processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import NamedTuple

from algorithms import catalog
from algorithms.authoring.own_names import uses
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.observe.promises import ONE_TOKEN, is_promised
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, Network, Scenario
from lessons.experiments.lecture import measured, requests

FAULTS = {
    "loss": (Bounds(losses=1, synchronous=True), Network()),
    "crash": (Bounds(crashes=1, synchronous=True), Network()),
    "overtaking": (Bounds(synchronous=True), Network(fifo=False)),
}
"""A message is lost, a process crashes, or messages on a channel overtake one another."""
SEEDS = 20  # runs of an algorithm that draws random numbers
_PAIR = 2  # processes that the faults are tried with
_MOST_STATES = 20_000  # explored for one fault


@dataclass(frozen=True)
class Measured:
    """One algorithm: its formula, the least and most when one process asks, and the means when all ask."""

    algorithm: str
    title: str
    formula: str
    messages_alone: tuple[float, float]
    delay_alone: tuple[float, float]
    messages_together: float
    delay_together: float  # from an exit to the next entry, or until everyone knows the leader
    lost: dict[str, tuple[str, ...]]  # fault -> the promised properties that it can violate


def compared(family: str) -> list[Algorithm]:
    """The algorithms of a family that keep its first promise, on request of an application, and say what that costs."""
    promising = [a for a in catalog.by_family()[family] if {"ME1", "E1"} & {*a.promises} and a.cost]
    return [algorithm for algorithm in promising if not algorithm.enters_by_itself()]


def measure(algorithm: Algorithm, nodes: int) -> Measured:
    """Measure one algorithm with that number of processes."""
    assert algorithm.cost is not None
    alone = [_price(algorithm, nodes, [node]) for node in range(nodes)]
    together = _price(algorithm, nodes, range(nodes))
    return Measured(
        algorithm.name,
        algorithm.title,
        algorithm.cost.formula,
        _range(price.messages for price in alone),
        _range(price.longest for price in alone),
        together.messages or 0.0,
        together.turnover or 0.0,
        {fault: _violated(algorithm, fault) for fault in FAULTS},
    )


class _Price(NamedTuple):
    """What an entry or an election costs: messages, the longest wait, and the delay between two entries."""

    messages: float | None
    longest: float | None
    turnover: float | None  # of an election: until everybody knows the leader


def _price(algorithm: Algorithm, nodes: int, asking: Sequence[int]) -> _Price:
    """The price if these processes ask at time 0; means if it depends on chance."""
    seeds = range(SEEDS if uses(algorithm.process, "random") else 1)
    prices = [_price_of_run(algorithm, asking, Scenario(algorithm.name, nodes=nodes, seed=seed)) for seed in seeds]
    known = ([value for value in values if value is not None] for values in zip(*prices, strict=True))
    return _Price(*(mean(values) if values else None for values in known))


def _price_of_run(algorithm: Algorithm, asking: Sequence[int], scenario: Scenario) -> _Price:
    scenario = replace(scenario, until=20.0 * scenario.nodes)
    if not algorithm.is_election():
        counted = measured(replace(scenario, load=requests(*((0.0, node) for node in asking))))
        return _Price(counted.per_entry, counted.waiting_time.max, counted.synchronisation_delay.mean)
    calls = tuple(Event(0.0, "request", node=node) for node in asking)
    elections = measured(replace(scenario, events=calls)).elections
    assert elections is not None
    return _Price(elections.messages_per_election, elections.turnaround.max, elections.turnaround.max)


def _range(values: Iterable[float | None]) -> tuple[float, float]:
    numbers = [value for value in values if value is not None]
    return min(numbers, default=0.0), max(numbers, default=0.0)


def _violated(algorithm: Algorithm, fault: str) -> tuple[str, ...]:
    """The promised properties that one such fault can violate in a system of two processes."""
    bounds, network = FAULTS[fault]
    exploration = Exploration(Scenario(algorithm.name, nodes=_PAIR, network=network), algorithm, bounds, _MOST_STATES)
    while exploration.advance(1_000):
        pass
    findings = exploration.report().findings
    own = algorithm.invariants.keys() - {ONE_TOKEN}
    broken = (finding.property.name for finding in findings if finding.trail)
    return tuple(name for name in broken if is_promised(algorithm, name) and name not in own)
