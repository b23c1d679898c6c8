"""Nodes join and leave an overlay: tables are repaired, replicas handed over or lost, and hops stay few."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import log2
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.engine.membership import Members
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.base import OVERLAYS, PeerProcess, overlay_of
from algorithms.peer_to_peer.overlay import TABLES, Overlay, identifier
from lessons.experiments.peer_to_peer import ROUND, changes, gini, rounds, scenario_of
from tests.support.kit import entries, for_each, verdicts

PROTOCOLS = ("sigma", "non-end-to-end", "end-to-end")


# ---- the overlay -------------------------------------------------------------------------------------------


def afresh(kind: str, tables: str, nodes: Iterable[int]) -> Overlay:
    """A fresh overlay of exactly these nodes."""
    whole = overlay_of(kind, 80, 5, 2, tables, 2)
    return type(whole)({node: whole.places[node] for node in nodes}, 2, tables, 5)


@pytest.mark.parametrize("tables", TABLES)
@pytest.mark.parametrize("kind", OVERLAYS)
@settings(max_examples=10)
@given(changes=st.lists(st.lists(st.integers(0, 79), min_size=15, max_size=25, unique=True), min_size=1, max_size=12))
def test_after_any_churn_the_tables_are_those_of_the_nodes_that_are_present(kind, tables, changes):
    members = Members(range(80))
    overlay = overlay_of(kind, 80, 5, 2, tables, 2)
    for change in changes:
        for node in change:
            (members.remove if node in members.present and len(members.present) > 3 else members.add)(node)
        overlay.keep_up(members)
        expected = afresh(kind, tables, members.present)
        for number, node in enumerate(sorted(members.present)[::8]):
            key = identifier(number, *change)
            assert overlay.responsible(key) == expected.responsible(key)
            assert overlay.route(node, key) == expected.route(node, key)


@pytest.mark.parametrize("tables", TABLES)
@pytest.mark.parametrize("kind", OVERLAYS)
def test_hops_stay_logarithmic_in_the_number_of_nodes_after_churn(kind, tables):
    for size in (64, 256, 1024):
        members = Members(range(2 * size))
        overlay = overlay_of(kind, 2 * size, 3, 1, tables, 2)
        for node in Random(size).sample(range(2 * size), size):
            members.remove(node)
        overlay.keep_up(members)
        present, random = sorted(members.present), Random(1)
        routes = [overlay.route(random.choice(present), identifier(k)) for k in range(200)]
        mean = sum(len(route) - 1 for route in routes) / len(routes)
        assert 0.3 * log2(size) < mean < 0.75 * log2(size)


# ---- what a replica knows ----------------------------------------------------------------------------------


def held_while(name: str, *events: Event, **parameters: object) -> Simulation:
    """Node 3 of 12 is inside from about time 10 to 60; node 5 requests at time 40; the events happen meanwhile."""
    load = Script(hold=Fixed(50.0), requests=(Request(1.0, 3), Request(40.0, 5)))
    simulation = catalog.simulation(
        Scenario(name, nodes=14, members=12, load=load, events=events, until=300, parameters=parameters)
    )
    simulation.run(until=300)
    return simulation


def in_charge(simulation: Simulation) -> dict[int, int]:
    """Replica -> the node that holds its state."""
    return {replica: process.id for process in simulation.processes for replica in process.charge}


def roots(name: str) -> list[int]:
    """The nodes responsible for replicas at the start, without those that request."""
    return sorted(set(in_charge(held_while(name)).values()) - {3, 5})


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_leaving_node_hands_over_its_replicas(name):
    away = [Event(20.0 + 5 * k, "leave", node=node) for k, node in enumerate(roots(name))]
    simulation = held_while(name, *away)
    assert not {event.node for event in away} & set(in_charge(simulation).values())
    assert len(in_charge(simulation)) == 3
    assert [node for _, node in entries(simulation)] == [3, 5]
    assert verdicts(simulation)["ME1"] == verdicts(simulation)["ME2"] == "holds"


@for_each(name=PROTOCOLS, overlay=OVERLAYS)
def test_a_joining_node_gets_the_replicas_that_it_is_responsible_for(name, overlay):
    handed = 0
    for placement in range(1, 25):
        joins = (Event(20.0, "join"), Event(21.0, "join"))
        simulation = held_while(name, *joins, overlay=overlay, placement=placement)
        handed += sum(node > 11 for node in in_charge(simulation).values())
        process: PeerProcess = simulation.processes[0]
        assert in_charge(simulation) == {k: process.dht.responsible(process.key(k)) for k in range(3)}
        assert [node for _, node in entries(simulation)] == [3, 5]
        assert verdicts(simulation)["ME1"] == "holds"
    assert handed > 5


def test_after_a_crash_a_replica_starts_afresh_when_its_grace_period_is_over():
    root = roots("sigma")[0]
    simulation = held_while("sigma", Event(20.0, "crash", node=root), grace=7.0)
    assert root not in [process.id for process in simulation.processes if process.id != root and process.charge]
    assert len(set(in_charge(simulation))) == 3
    assert verdicts(simulation)["ME2"] == "holds"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_seeking_back_and_forth_reproduces_a_run_with_churn(name):
    scenario = scenario_of(3, name, 200, 10, tables="convergent")
    timeline, straight = Timeline(scenario, catalog.find(name)), catalog.simulation(scenario)
    timeline.seek(4000)
    for step in (3500, 900, 2500, 4000):
        timeline.seek(step)
    straight.run(steps=timeline.step)
    assert [vars(process) for process in timeline.simulation.processes] == [vars(p) for p in straight.processes]


# ---- the full overlay --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROTOCOLS)
def test_500_nodes_under_churn_are_safe_and_live(name):
    """In each of 20 rounds 30 nodes leave and 30 join during requests; delays vary."""
    scenario = scenario_of(1, name, 500, 60)
    staying = {request.node for request in scenario.load.requests}  # type: ignore[attr-defined]
    events = tuple(changes(1, 500, 60, staying, first=0.0))
    load = replace(scenario.load, hold=Exponential(2 * ROUND))  # type: ignore[type-var]
    scenario = replace(scenario, events=events, load=load, network=Network(delay=Uniform(0.5, 1.5)))
    simulation = catalog.simulation(scenario)
    simulation.run(until=3 * scenario.until)
    assert simulation.next_time() is None
    monitors = Monitors(scenario, simulation.algorithm)
    monitors.advance(simulation.trace)
    monitors.finish()
    found = monitors.at(simulation.steps, simulation.now)
    assert (found["ME1"].status, found["ME2"].status) == ("holds", "holds")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_only_lost_state_leads_to_double_entries(name):
    patient = {} if name == "end-to-end" else {"patience": 1e6}
    kept, lost = (rounds(1, name, 200, 100, handover=handover, **patient) for handover in (True, False))
    assert kept["breaches"] == 0 < lost["breaches"]
    assert kept["upkeep"] > lost["upkeep"] > 0


def test_the_gini_coefficient_is_0_for_equal_shares_and_near_1_for_a_monopoly():
    assert gini([3, 3, 3]) == pytest.approx(0)
    assert gini([0, 0, 0, 8]) == pytest.approx(0.75)
    assert gini([1, 3]) == pytest.approx(0.25)


# ---- a shipped scenario ------------------------------------------------------------------------------------


def test_in_the_shipped_scenario_replicas_move_and_all_requests_are_served():
    scenario = scenario_file.load(scenario_file.find("p2p-churn"))
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    assert [node for _, node in entries(simulation)] == [2, 9, 5, 11]
    assert verdicts(simulation)["ME1"] == "holds"
    assert any(node >= 16 for node in in_charge(simulation).values())
