"""Costs beside formulas: messages belong to the requests that caused them, by an oracle that reads the JSON trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from algorithms import catalog
from algorithms.engine.events import ENTER, KIND, TIME
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.size import size_of
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Closed, Poisson, Request, Saturated, Script
from algorithms.trace_file import lines
from tests.support.kit import run

LOADS = [Saturated(), Closed(think=5.0), Poisson(rate=0.2)]
GAP = 100.0  # between two requests: each is over before the next begins


def exact() -> Iterator[tuple[str, str | None]]:
    """The algorithms and refinements whose formula is one number; mutants cost what they like."""
    for algorithm in catalog.by_name().values():
        for variant in (None, *(name for name, variant in algorithm.variants.items() if not variant.breaks)):
            cost, size = algorithm.of(variant).cost, size_of(Scenario(algorithm.name, nodes=7), algorithm)
            if cost and cost.high and cost.low(size) == cost.high(size):
                yield algorithm.name, variant


EXACT = sorted(exact(), key=str)


class Uncontended:
    """The run of single requests in turn, step by step, as its JSON trace tells it.

    All messages between two requests are those of the first; they are counted when the requester has left (or everybody
    knows a leader) and nothing is in transit.
    """

    def __init__(self, trace: list[dict[str, Any]], nodes: int) -> None:
        self._trace, self._nodes = trace, nodes

    def costs(self) -> Iterator[list[int]]:
        """After each step, the messages of each request that is over."""
        costs: list[int] = []
        in_transit: set[int] = set()
        knowing: set[int] = set()
        current, is_over, is_served = 0, True, False
        for line in self._trace:
            event = line["event"]
            if event["kind"] in ("request", "fault"):
                current, is_over, is_served = 0, False, False
                knowing.clear()
            if event["kind"] in ("deliver", "lost"):
                in_transit.discard(event["seq"])
            for effect in line["effects"]:
                if effect["kind"] == "send":
                    in_transit.add(effect["seq"])
                    current += effect["from"] != effect["to"]
                elif effect["kind"] == "elected":
                    knowing.add(effect["node"])
            is_served = is_served or event["kind"] == "leave" or len(knowing) == self._nodes
            if is_served and not in_transit and not is_over:
                costs.append(current)
                is_over = True
            yield list(costs)


def in_turn(algorithm: str, variant: str | None, nodes: int) -> Simulation:
    """P1 requests, then P0, P0 again, and the others."""
    requesters = [1, 0, 0, *range(nodes)]
    times = [1.0 + GAP * k for k in range(len(requesters))]
    load = Script(requests=tuple(map(Request, times, requesters)))
    return run(algorithm, nodes, load=load, variant=variant, until=times[-1] + GAP)


@pytest.mark.parametrize(("name", "variant"), EXACT, ids=str)
def test_alone_an_entry_costs_what_the_formula_says_at_any_moment(name, variant):
    for nodes in range(2, 11):
        simulation = in_turn(name, variant, nodes)
        meters = Meters(simulation.scenario, simulation.algorithm)
        meters.advance(simulation.trace)
        cost = simulation.algorithm.cost
        assert cost is not None
        oracle = Uncontended([json.loads(line) for line in lines(simulation.trace)], nodes)
        costs: list[int] = []
        for step, costs in enumerate(oracle.costs(), 1):
            counters = meters.at(step, simulation.trace.event(step - 1)[TIME])
            paid = [cost for cost in costs if cost] if not counters.counts_free else costs
            measured = counters.per_entry if counters.elections is None else counters.elections.messages_per_election
            assert measured == (sum(paid) / len(paid) if paid else None), step
            assert measured in (None, cost.low(nodes)), step
        assert len(costs) == nodes + 3 or name == "random-access"  # it asks nobody and enters of its own accord


@pytest.mark.parametrize("network", [Network(), Network(Uniform(0.5, 1.5))], ids=["equal delays", "other delays"])
@pytest.mark.parametrize(
    "load", [Saturated(), Closed(think=5.0), Poisson(rate=0.2)], ids=lambda load: type(load).__name__
)
@pytest.mark.parametrize("name", ["centralized", "ricart-agrawala"])
def test_together_an_entry_costs_the_same_since_answers_belong_to_what_they_answer(name, load, network):
    """By the JSON trace: a request and a release belong to their sender, and a reply or grant to its receiver."""
    simulation = run(name, 5, load=load, network=network, until=60)
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    sent = [0] * 5
    for step, line in enumerate(map(json.loads, lines(simulation.trace)), 1):
        for effect in line["effects"]:
            if effect["kind"] == "send" and effect["from"] != effect["to"]:
                sent[effect["to" if effect["message"] in ("Reply", "Grant") else "from"]] += 1
        counters = meters.at(step, line["time"])
        assert counters.per_entry in (None, 3 if name == "centralized" else 8)
        assert sum(sent) == counters.messages == counters.charges.messages + counters.open_messages
    assert counters.entries - counters.charges.complete in range(6)
    assert counters.open_requests in range(11)  # also those whose release is in transit


def test_the_next_entry_pays_for_the_token_s_rounds():
    """P2 of 4 asks when the token has gone round for 9 hops; the tenth brings it."""
    simulation = run("token-ring", 4, load=Script(requests=(Request(9.5, 2),)), until=20)
    entry = next(k for k, records in simulation.trace.steps() if any(record[KIND] == ENTER for record in records))
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    before, after = meters.at(entry, 10.0), meters.at(entry + 2, 12.0)
    assert (before.per_entry, before.open_messages, before.open_requests) == (None, 10, 1)
    assert (after.per_entry, after.open_messages, after.open_requests) == (10, 1, 0)


def test_what_a_crash_has_ended_belongs_to_no_entry():
    crash = Event(2.5, "crash", node=1)
    load = Script(requests=(Request(1.0, 1), Request(20.0, 2)))
    simulation = run("centralized", 3, crash, load=load, variant=None, until=60)
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    counters = meters.at(meters.steps, 60.0)
    assert (counters.charges.written_off, counters.charges.ended) == (2, 1)


def test_fairness_is_over_those_who_asked():
    simulation = run("centralized", 5, load=Script(requests=(Request(1.0, 1), Request(9.0, 2))), until=60)
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    assert meters.at(meters.steps, 60.0).fairness == 1
    assert meters.at(meters.steps, 60.0).requesters == (1, 2)
