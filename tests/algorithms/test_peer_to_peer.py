"""The protocols on an overlay: the cost of an uncontended entry, and safety under contention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, MESSAGE, SENDER
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from algorithms.peer_to_peer.base import OVERLAYS
from algorithms.peer_to_peer.non_end_to_end import Grantreq
from lessons.experiments.peer_to_peer import REQUESTS, RESOURCES, ROUND, ROUNDS, SPREAD, releases, requests, rounds
from tests.support.kit import entries, for_each, run, sent, verdicts
from tests.support.overlay_schedules import PROTOCOLS, contended, failures

# ---- on the way --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=60)
@given(
    data=st.data(),
    nodes=st.integers(1, 39),
    replicas=st.sampled_from((1, 3, 5)),
    placement=st.integers(0, 10**6),
)
def test_an_uncontended_entry_has_the_formula_s_cost(name, overlay, data, nodes, replicas, placement):
    """To a replica h hops away: request and release (and the winner's message), and one direct answer."""
    parameters = {"replicas": replicas, "overlay": overlay, "placement": placement}
    client = data.draw(st.integers(0, nodes - 1))
    simulation = run(name, nodes, load=Script(requests=(Request(0.0, client),)), parameters=parameters)
    process = simulation.processes[client]
    hops = [len(process.dht.route(client, process.key(replica))) - 1 for replica in range(replicas)]
    routed = 3 if name == "end-to-end" else 2
    assert len(entries(simulation)) == 1
    assert sent(simulation).total() == sum(routed * h + (h > 0) for h in hops)


def test_a_routed_message_follows_the_overlay_s_route():
    simulation = run("sigma", 30, load=Script(requests=(Request(0.0, 4),)), parameters={"replicas": 1})
    process = simulation.processes[4]
    route = process.dht.route(4, process.key(0))
    assert len(route) > 2
    assert [node for node in route if sent(simulation, by=node)["Request"]] == route[:-1]


def test_processes_share_one_overlay_with_evenly_spread_keys():
    simulation = run("end-to-end", 6, parameters={"overlay": "pastry", "replicas": 4})
    assert len({id(process.dht) for process in simulation.processes}) == 1
    keys = [simulation.processes[0].key(replica) for replica in range(4)]
    assert {(b - a) % 2**64 for a, b in zip(keys, keys[1:] + keys[:1], strict=True)} == {2**62}


# ---- everybody asks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_protocols_are_safe_and_live_in_random_schedules(name):
    """Tries 120 schedules; `python -m tests.support.overlay_schedules` tries any number."""
    assert list(failures(name, range(120))) == []


@pytest.mark.parametrize("name", PROTOCOLS)
def test_after_all_entries_no_votes_and_no_queues_remain(name):
    for seed in range(30):
        for process in contended(name, seed).processes:
            state = vars(process)
            assert not state.get("vote"), seed
            assert not state.get("queue"), seed
            assert name == "end-to-end" or not state.get("entries"), seed


# ---- the figures and the breaches, as shipped scenarios ----------------------------------------------------


def shipped(name: str, variant: str | None = "as shipped") -> Simulation:
    """Run a shipped scenario, or another variant under it."""
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
    """Whether the record is a GRANTREQ that names another holder."""
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


@for_each(name=BREACHES)
def test_each_gap_of_the_description_breaks_a_property_that_the_resolved_protocol_keeps(name):
    endless = name == "p2p-yield-to-voters"  # messages go on forever: nothing shows that nobody will be served
    assert verdicts(shipped(name))[BREACHES[name]] == ("overdue" if endless else "broken")
    resolved = verdicts(shipped(name, variant=None))
    assert (resolved["ME1"], resolved["ME2"]) == ("holds", "holds")


def test_fifo_channels_prevent_the_breach_by_overtaking():
    scenario = scenario_file.load(scenario_file.find("p2p-overtaken-token"))
    simulation = catalog.simulation(replace(scenario, network=replace(scenario.network, fifo=True)))
    simulation.run(until=scenario.until)
    assert (verdicts(simulation)["ME1"], len(entries(simulation))) == ("holds", 3)


@pytest.mark.parametrize("replicas", [1, 3, 5])
def test_one_forgetful_replica_is_enough_for_a_breach(replicas):
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


def test_polling_makes_sigma_costlier_and_routed_answers_even_more_so():
    def cost(**chosen: Any) -> int:
        return int(rounds(1, "sigma", 100, patience=ROUNDS, backoff=20.0, **chosen)["messages"])

    polling = {"variant": "polling", "poll_time": 1.0}
    assert 1.5 * cost() < cost(**polling) < cost(**polling, routed_answers=True)


def test_routed_answers_take_the_hops_of_the_route_back():
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
def test_rounds_cost_what_another_program_counted(name, expected):
    """The expected figures are means of ten runs on 100 nodes; one run strays by a few percent more."""
    patience = {} if name == "end-to-end" else {"patience": 1e6}
    run = rounds(1, name, 100, backoff=20.0, **patience)
    assert run["messages"] == pytest.approx(expected, rel=0.1)
    assert run["breaches"] == 0


def test_rounds_have_as_many_requests_as_in_the_paper():
    asked = requests(1, nodes=50)
    assert len(asked) == ROUNDS * REQUESTS
    assert {request.resource for request in asked} == set(range(RESOURCES))
    assert {int(request.at // ROUND) for request in asked} == set(range(ROUNDS))


def test_a_node_releases_one_resource_in_half_of_the_rounds_after_all_requests():
    given = releases(1, set(range(50)))
    assert len(given) / (50 * ROUNDS) == pytest.approx(0.5, abs=0.05)
    assert len({(event.node, event.at // ROUND) for event in given}) == len(given)
    assert all(event.do == "exit" and SPREAD <= event.at % ROUND <= ROUND for event in given)
