"""Each step of a run of Memo 440's processes refines System S1: it maps to a sequence of its steps, or to none.

A history accompanies each token: a process that enters appends a datum, and one that passes the token round the ring
appends a mark. The history that a process last had is its local one, and the longest of all is the global one.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog
from algorithms.engine.events import DELIVER, ENTER, KIND, MESSAGE, NODE, REQUEST, SENDER, SEQ
from algorithms.engine.randomness import Fixed
from algorithms.engine.rewrite.reductions import Limits, follow
from algorithms.engine.rewrite.rewriting import Bag, Data, History, phi_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Closed
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken
from algorithms.rewriting_systems import system_s1

S1 = system_s1.SYSTEM
EMPTY = History()


class TermOfRun:
    """The term (Q, H, P) of System S1 to which a run maps, step by step."""

    def __init__(self, nodes: int) -> None:
        self.data = [phi_of(node) for node in range(nodes)]
        self.asked = [0] * nodes
        self.local = [EMPTY] * nodes
        self.carried: dict[int, History] = {}  # with a token in transit, by its serial number

    def term(self):
        longest = max([*self.local, *self.carried.values()], key=len)
        return Bag(enumerate(self.data)), longest, Bag(enumerate(self.local))

    def read(self, records) -> tuple[str, ...]:
        """Follow one step of the run; returns the numbers of the rules that should simulate it."""
        numbers: list[str] = []
        event, *effects = records
        node = event[NODE]
        if event[KIND] == REQUEST:
            self.asked[node] += 1
            self.data[node] = Data(((node, self.asked[node]),))
            numbers += ["1"]
        elif event[KIND] == DELIVER and event[SEQ] in self.carried:
            history = self.carried.pop(event[SEQ])
            numbers += ["3"] if history != self.local[node] else []
            self.local[node] = history
        for record in effects:
            if record[KIND] == ENTER:
                self.local[node] += self.data[node]
                self.data[node] = phi_of(node)
                numbers += ["2", "3"]
            elif record[KIND] == DELIVER and type(record[MESSAGE]).__name__ == "Token":
                numbers += self.send(record)
        return tuple(numbers)

    def send(self, record) -> list[str]:
        sender, is_circulating = record[SENDER], record[MESSAGE].lender is None
        if is_circulating:
            self.local[sender] += phi_of(sender)
        self.carried[record[SEQ]] = self.local[sender]
        return ["2", "3"] if is_circulating else []


def unexplained(simulation: Simulation) -> int | None:
    """The first step of the run that System S1 cannot simulate; None if it can simulate all."""
    nodes = len(simulation.processes)
    limits, run = Limits(nodes, 1_000, 1_000), TermOfRun(nodes)
    before = run.term()
    for step, records in simulation.trace.steps():
        numbers = run.read(records)
        after = run.term()
        if before != after and all(steps[-1].after != after for steps in follow(S1, before, numbers, limits)):
            return step
        before = after
    return None


def busy_run(seed: int, nodes: int, process: type[BinarySearchToken] | None = None, variant: str | None = None):
    algorithm = catalog.find("binary-search-token")
    algorithm = replace(algorithm, process=process) if process else algorithm
    load = Closed(think=6.0, hold=Fixed(0.0))
    simulation = Simulation(Scenario(algorithm.name, nodes=nodes, seed=seed, load=load, variant=variant), algorithm)
    simulation.run(until=40.0)
    return simulation


@pytest.mark.parametrize("variant", [None, "directed", "no-clean-up", "adaptive-speed"])
@settings(max_examples=9)
@given(seed=st.integers(0, 999), nodes=st.integers(2, 4))
def test_system_s1_can_simulate_every_step(variant, seed, nodes):
    assert unexplained(busy_run(seed, nodes, variant=variant)) is None


class Keeping(BinarySearchToken):
    """A mutant: a process that lends the token keeps one."""

    def lend(self, node):
        self.send(replace(self.token, lender=self.id), to=node)


def test_system_s1_cannot_simulate_a_lender_that_keeps_the_token():
    assert any(unexplained(busy_run(seed, 4, Keeping)) is not None for seed in range(3))
