"""What the textbooks say about mutual exclusion, exact for N = 2 … 10, in runs of the shipped algorithms.

“Alone” is one process that asks while nobody else does, “together” all at time 0, once. Messages take 1 and stays 1.
"""

from __future__ import annotations

from collections import Counter

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE
from algorithms.engine.observe.size import size_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from tests.support.kit import entries, for_each, run, sent
from tests.support.loads import asks

SIZES = range(2, 11)


def receivers(simulation: Simulation, kind: str) -> Counter[int]:
    """Node -> the number of messages of that class sent to it."""
    effects = (record for _, records in simulation.trace.steps() for record in records[1:])
    messages = (record for record in effects if record[KIND] == DELIVER)
    return Counter(record[NODE] for record in messages if type(record[MESSAGE]).__name__ == kind)


# ---- Lamport -----------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_lamport_takes_3_n_minus_1_messages_and_a_round_trip(n):
    alone = run("lamport", n, load=asks(n - 1))
    assert sent(alone) == Counter(Request=n - 1, Ack=n - 1, Release=n - 1)
    assert entries(alone) == [(2.0, n - 1)]
    together = run("lamport", n, load=asks(*range(n)))
    assert sent(together) == Counter(dict.fromkeys(("Request", "Ack", "Release"), n * (n - 1)))
    assert entries(together) == [(1.0 + 2.0 * node, node) for node in range(n)], "their later requests let P0 in"


@for_each(n=SIZES)
def test_lazy_lamport_saves_an_acknowledgement_for_each_two_requests_that_cross(n):
    assert sent(run("lamport", n, load=asks(0), variant="lazy")).total() == 3 * (n - 1)
    together = run("lamport", n, load=asks(*range(n)), variant="lazy")
    assert sent(together)["Ack"] == n * (n - 1) // 2
    assert sent(together).total() == 2.5 * n * (n - 1)
    assert receivers(together, "Ack") == Counter({node: node for node in range(1, n)}), "one from each older process"


# ---- Raymond -----------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_raymond_takes_two_messages_for_each_edge_between_the_process_and_the_token(n):
    for node in range(n):
        distance = (node + 1).bit_length() - 1  # in the binary tree
        alone = run("raymond", n, load=asks(node))
        assert sent(alone) == Counter({kind: distance for kind in ("Request", "Privilege") if distance})
        assert entries(alone) == [(2.0 * distance, node)]


@for_each(n=SIZES)
def test_raymond_takes_about_four_messages_an_entry_together_on_a_star(n):
    together = run("raymond", n, load=asks(*range(n)), topology="star")
    assert len(entries(together)) == n
    assert sent(together) == Counter(Request=2 * n - 3, Privilege=2 * n - 3)


@pytest.mark.parametrize(("topology", "diameter"), [("star", 2), ("tree", 7), ("grid", 6)])
def test_the_formula_of_raymond_knows_the_graph(topology, diameter):
    size = size_of(Scenario("raymond", nodes=16, topology=topology), catalog.find("raymond"))
    cost = catalog.find("raymond").cost
    assert cost is not None
    assert cost.high is not None
    assert (size.diameter, cost.low(size), cost.high(size)) == (diameter, 0, 2 * diameter)


# ---- Suzuki–Kasami -----------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_suzuki_kasami_takes_n_messages_or_none(n):
    for node in range(1, n):
        alone = run("suzuki-kasami", n, load=asks(node))
        assert sent(alone) == Counter(Request=n - 1, Token=1)
        assert entries(alone) == [(2.0, node)]
    at_home = run("suzuki-kasami", n, load=asks(0))
    assert (entries(at_home), sent(at_home).total()) == ([(0.0, 0)], 0)


@for_each(n=SIZES)
def test_suzuki_kasami_together_hands_the_token_on_in_one_message_per_entry(n):
    together = run("suzuki-kasami", n, load=asks(*range(n)))
    assert sent(together) == Counter(Request=(n - 1) ** 2, Token=n - 1)  # the token is at P0, which sends no request
    times = [time for time, _ in entries(together)]
    assert times == [2.0 * turn for turn in range(n)], "a stay, and a message from one to the next"
