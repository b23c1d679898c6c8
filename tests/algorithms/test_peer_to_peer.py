"""The protocols on an overlay: what an entry costs when nobody else asks, and that they stay safe when many do."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, MESSAGE, SENDER
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.base import OVERLAYS
from algorithms.peer_to_peer.non_end_to_end import Grantreq
from lessons.experiments.peer_to_peer import REQUESTS, RESOURCES, ROUND, ROUNDS, SPREAD, releases, requests, rounds
from tests.support.kit import entries, run, sent, verdicts
from tests.support.overlay_schedules import PROTOCOLS, contended, failures

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


@pytest.mark.parametrize("name", PROTOCOLS)
def test_no_schedule_lets_two_in_or_leaves_one_out(name):
    """Here 120 of them; `python -m tests.support.overlay_schedules` tries as many as one likes."""
    assert list(failures(name, range(120))) == []


@pytest.mark.parametrize("name", PROTOCOLS)
def test_in_the_end_no_replica_votes_and_nobody_waits_anywhere(name):
    for seed in range(30):
        for process in contended(name, seed).processes:
            state = vars(process)
            assert not state.get("vote"), seed
            assert not state.get("queue"), seed
            assert name == "end-to-end" or not state.get("entries"), seed


# ---- the figures and the breaches, as shipped scenarios ----------------------------------------------------


def shipped(name: str, variant: str | None = "as shipped") -> Simulation:
    """The scenario, or its run under another variant."""
    scenario = scenario_file.load(scenario_file.find(name))
    if variant != "as shipped":
        scenario = replace(scenario, variant=variant)
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    return simulation


def test_figure_1_requests_are_stopped_on_three_paths_and_wait_at_the_owner():
    simulation = shipped("p2p-figure-1")
    assert [node for _, node in entries(simulation)] == [8, 0, 1]
    assert {node for node in range(10) if sent(simulation, by=node)["Enqueue"]} == {3, 5, 6}
    assert sent(simulation, by=1)["Request"] == 3 == sent(simulation)["Enqueue"] - 3
    assert sent(simulation)["Token"] == 2


def test_figure_2_requests_wait_on_three_paths_and_are_merged_at_the_replicas():
    simulation = shipped("p2p-figure-2")
    assert [node for _, node in entries(simulation)] == [8, 0, 1]
    stopping = {record[SENDER] for record in simulation.trace.records if answers_stopped_request(record)}
    assert stopping == {3, 5, 6}
    assert all(not process.queue for process in simulation.processes)


def answers_stopped_request(record: tuple) -> bool:
    """Whether it is a GRANTREQ that tells of another holder."""
    is_grantreq = record[KIND] == DELIVER and isinstance(record[MESSAGE], Grantreq)
    return is_grantreq and record[MESSAGE].holder != record[MESSAGE].ticket


BREACHES = {
    "p2p-both-steps": "ME1",
    "p2p-owner-asks-again": "ME1",
    "p2p-overwritten-vote": "ME1",
    "p2p-any-owner-reset": "ME1",
    "p2p-old-response": "ME1",
    "p2p-overtaken-token": "ME1",
    "p2p-lost-enqueue": "ME2",
    "p2p-unchecked-release": "ME1",
    "p2p-yield-to-voters": "ME2",
}


@pytest.mark.parametrize("name", BREACHES)
def test_what_the_description_leaves_open_breaks_and_the_resolved_protocol_does_not(name):
    assert verdicts(shipped(name))[BREACHES[name]] == "broken"
    resolved = verdicts(shipped(name, variant=None))
    assert (resolved["ME1"], resolved["ME2"]) == ("holds", "holds")


def test_what_overtakes_the_token_does_no_harm_on_fifo_channels():
    scenario = scenario_file.load(scenario_file.find("p2p-overtaken-token"))
    simulation = catalog.simulation(replace(scenario, network=replace(scenario.network, fifo=True)))
    simulation.run(until=scenario.until)
    assert (verdicts(simulation)["ME1"], len(entries(simulation))) == ("holds", 3)


@pytest.mark.parametrize("replicas", [1, 3, 5])
def test_one_replica_that_forgets_is_enough_for_a_breach(replicas):
    simulation = shipped(f"p2p-forgotten-vote-of-{replicas}")
    assert simulation.scenario.parameters["replicas"] == replicas
    assert verdicts(simulation)["ME1"] == "broken"
    remembering = [replace(e, memory=True) for e in simulation.scenario.events]
    with_memory = catalog.simulation(replace(simulation.scenario, events=tuple(remembering)))
    with_memory.run(until=simulation.scenario.until)
    assert verdicts(with_memory)["ME1"] == "holds"


@pytest.mark.parametrize(("name", "broken"), [("end-to-end", {"ME1", "ME2"}), ("non-end-to-end", {"ME1"})])
def test_as_described_the_protocols_break_in_many_schedules(name, broken):
    found = [verdicts(contended(name, seed, variant="as-described")) for seed in range(40)]
    for monitor in broken:
        assert sum(verdict[monitor] == "broken" for verdict in found) >= 4


def test_sigma_costs_more_where_who_waits_asks_again_and_most_where_answers_are_routed_too():
    def cost(**chosen: Any) -> int:
        return int(rounds(1, "sigma", 100, patience=ROUNDS, backoff=20.0, **chosen)["messages"])

    polling = {"variant": "polling", "poll_time": 1.0}
    assert 1.5 * cost() < cost(**polling) < cost(**polling, routed_answers=True)


def test_answers_that_are_routed_take_as_many_hops_as_the_way_back_has():
    load = Script(requests=(Request(0.0, 5),))
    straight, routed = (
        run("sigma", 40, variant="polling", load=load, parameters={"routed_answers": routed})
        for routed in (False, True)
    )
    client = routed.processes[5]
    roots = [client.dht.route(5, client.key(replica))[-1] for replica in range(3)]
    ways = [len(client.dht.route(root, client.dht.places[5])) - 1 for root in roots]
    assert sent(routed)["Response"] == sum(ways)
    assert sent(straight)["Response"] == sum(way > 0 for way in ways)


# ---- rounds of requests for many resources -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [("sigma", 5169), ("non-end-to-end", 5121), ("end-to-end", 5478)])
def test_rounds_cost_what_another_program_has_counted(name, expected):
    """On 100 nodes, the mean of ten runs; one run alone strays by a few per cent more."""
    patience = {} if name == "end-to-end" else {"patience": 1e6}
    run = rounds(1, name, 100, backoff=20.0, **patience)
    assert run["messages"] == pytest.approx(expected, rel=0.1)
    assert run["breaches"] == 0


def test_rounds_ask_as_often_as_the_paper_does():
    asked = requests(1, nodes=50)
    assert len(asked) == ROUNDS * REQUESTS
    assert {request.resource for request in asked} == set(range(RESOURCES))
    assert {int(request.at // ROUND) for request in asked} == set(range(ROUNDS))


def test_in_half_of_the_rounds_a_node_gives_one_resource_back_after_all_have_asked():
    given = releases(1, set(range(50)))
    assert len(given) / (50 * ROUNDS) == pytest.approx(0.5, abs=0.05)
    assert len({(event.node, event.at // ROUND) for event in given}) == len(given)
    assert all(event.do == "exit" and SPREAD <= event.at % ROUND <= ROUND for event in given)
