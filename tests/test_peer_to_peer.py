"""The protocols on an overlay: what an entry costs when nobody else asks, and that they stay safe when many do."""

from __future__ import annotations

from random import Random

import pytest

from algorithms import catalog
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.base import OVERLAYS
from algorithms.peer_to_peer.overlay import TABLES
from tests.kit import entries, run, sent, verdicts

PROTOCOLS = ("sigma", "non-end-to-end", "end-to-end")


# ---- on the way --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_undisturbed_entry_costs_so_much_for_each_replica(name, overlay):
    """To a replica h hops away: request and release (and the winner's message), and one direct answer."""
    routed = 3 if name == "end-to-end" else 2
    random = Random(name + overlay)
    for _ in range(60):
        nodes, replicas = random.randrange(1, 40), random.choice((1, 3, 5))
        parameters = {"replicas": replicas, "overlay": overlay, "placement": random.randrange(10**6)}
        client = random.randrange(nodes)
        simulation = run(name, nodes, load=Script(requests=(Request(0.0, client),)), parameters=parameters)
        process = simulation.processes[client]
        hops = [len(process.dht.route(client, process.key(replica))) - 1 for replica in range(replicas)]
        assert len(entries(simulation)) == 1
        assert sent(simulation).total() == sum(routed * h + (h > 0) for h in hops)


def test_a_routed_message_takes_the_overlay_s_way_hop_by_hop():
    simulation = run("sigma", 30, load=Script(requests=(Request(0.0, 4),)), parameters={"replicas": 1})
    process = simulation.processes[4]
    route = process.dht.route(4, process.key(0))
    assert len(route) > 2
    assert [node for node in route if sent(simulation, by=node)["Request"]] == route[:-1]


def test_all_processes_are_on_the_same_overlay_and_the_keys_are_spread_evenly():
    simulation = run("end-to-end", 6, parameters={"overlay": "pastry", "replicas": 4})
    assert len({id(process.dht) for process in simulation.processes}) == 1
    keys = [simulation.processes[0].key(replica) for replica in range(4)]
    assert {(b - a) % 2**64 for a, b in zip(keys, keys[1:] + keys[:1], strict=True)} == {2**62}


# ---- everybody asks ----------------------------------------------------------------------------------------


def contended(name: str, seed: int) -> Simulation:
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
            nodes=nodes,
            seed=seed,
            network=Network(delay=random.choice((Uniform(0.1, 3.0), Exponential(1.0), Uniform(0.5, 1.5)))),
            load=Script(hold=Fixed(random.choice((0.5, 2.0, 5.0))), requests=tuple(requests)),
            parameters=parameters,
        )
    )
    simulation.run(steps=50_000)
    return simulation


@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_schedule_lets_two_in_or_leaves_one_out(name):
    for seed in range(120):
        simulation = contended(name, seed)
        assert simulation.next_time() is None, seed
        found = verdicts(simulation)
        assert (found["ME1"], found["ME2"]) == ("holds", "holds"), seed


@pytest.mark.parametrize("name", PROTOCOLS)
def test_in_the_end_no_replica_votes_and_nobody_waits_anywhere(name):
    for seed in range(30):
        for process in contended(name, seed).processes:
            state = vars(process)
            assert not state.get("vote"), seed
            assert not state.get("queue"), seed
            assert not state.get("holder"), seed
