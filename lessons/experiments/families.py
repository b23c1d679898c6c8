"""The algorithms for mutual exclusion side by side: messages and delays, and what each loses to one fault.

Every message and every stay in the critical section takes one unit of time. An entry is measured alone, for each
process, and together, when all ask at time 0. The faults are tried in all interleavings of two processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algorithms import catalog
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.observe.promises import ONE_TOKEN, is_promised
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Network, Scenario
from lessons.experiments.lecture import measured, requests

FAULTS = {
    "loss": (Bounds(losses=1, synchronous=True), Network()),
    "crash": (Bounds(crashes=1, synchronous=True), Network()),
    "overtaking": (Bounds(synchronous=True), Network(fifo=False)),
}
"""A message is lost, a process crashes, or messages on a channel overtake one another."""
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
    handover_together: float  # from an exit to the next entry
    lost: dict[str, tuple[str, ...]]  # fault -> the promised properties that it can violate


def compared() -> list[Algorithm]:
    """The algorithms that promise mutual exclusion and say what an entry costs, on request of an application."""
    family = catalog.by_family()["mutual exclusion"]
    exclusive = [algorithm for algorithm in family if "ME1" in algorithm.promises and algorithm.cost]
    return [algorithm for algorithm in exclusive if not algorithm.enters_by_itself()]


def measure(algorithm: Algorithm, nodes: int) -> Measured:
    """Measure one algorithm with that number of processes."""
    name = algorithm.name
    alone = [measured(Scenario(name, nodes=nodes, load=requests((0.0, node)))) for node in range(nodes)]
    together = measured(
        Scenario(name, nodes=nodes, load=requests(*((0.0, node) for node in range(nodes))), until=20.0 * nodes)
    )
    assert algorithm.cost is not None
    return Measured(
        name,
        algorithm.title,
        algorithm.cost.formula,
        _range(run.per_entry for run in alone),
        _range(run.waiting_time.max for run in alone),
        together.per_entry or 0.0,
        together.synchronisation_delay.mean or 0.0,
        {fault: _violated(algorithm, fault) for fault in FAULTS},
    )


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
