"""Memo 440 as processes: bounds and figures of its repaired rules, and safety in every interleaving."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog
from algorithms.engine.check.explore import BROKEN, HOLDS, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.events import MESSAGE
from algorithms.engine.observe.meters import Meters
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.workload import Poisson, Request, Script
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken, Gimme, Token
from lessons.experiments.memo_440 import BINARY, LINEAR, RING, loaded_run
from tests.support.kit import alone, entries, for_each, run, sent, verdicts

REFINEMENTS = [None, "directed", "inverse-clean-up", "one-gimme", "adaptive-speed", "my-turn-first", "no-clean-up"]


def explored(algorithm: str, variant: str | None, nodes: int, **bounds: int) -> Exploration:
    parameters = {"most_rest": 2} if variant == "adaptive-speed" else {}
    scenario = Scenario(algorithm, nodes=nodes, variant=variant, parameters=parameters)
    exploration = Exploration(scenario, catalog.find(algorithm), Bounds(**bounds), 50_000)
    while exploration.advance(1000):
        pass
    return exploration


def statuses(exploration: Exploration) -> dict[str, str]:
    return {finding.property.name: finding.status for finding in exploration.report().findings}


# ---- one process -------------------------------------------------------------------------------------------


def test_a_request_goes_halfway_round_the_ring():
    p3 = alone(BinarySearchToken, node=3, nodes=8)
    p3.ask()
    p3.has_sent((7, Gimme(3, 1, visited=11, low=0, high=8)))


@pytest.mark.parametrize(("visited", "to", "low", "high"), [(2, 1, 4, 8), (6, 5, 0, 4), (14, 1, 4, 8), (10, 5, 0, 4)])
def test_a_node_forwards_the_search_towards_the_token(visited, to, low, high):
    """The token was at P7 at 4, and at the requester before that or after it, modulo 16."""
    p7 = alone(BinarySearchToken, node=7, nodes=8)
    p7.process.visited = 4
    p7.get(Gimme(3, 1, visited, low=0, high=8), sender=3)
    p7.has_sent((to, Gimme(3, 1, visited, low, high)))
    assert list(p7.process.traps) == [(3, 1)]


def test_a_trap_lends_the_token_which_then_resumes_its_round():
    p2 = alone(BinarySearchToken, node=2, nodes=4)
    p2.process.traps.append((0, 1))
    p2.get(Token(2, (0, 0, 0, 0), lender=None), sender=1)
    p2.has_sent((0, Token(2, (0, 0, 0, 0), lender=2)))
    p2.get(Token(2, (1, 0, 0, 0), lender=2), sender=0)
    p2.has_sent((3, Token(3, (1, 0, 0, 0), lender=None)))


def test_a_stale_trap_is_dropped():
    p2 = alone(BinarySearchToken, node=2, nodes=4)
    p2.process.traps.extend([(0, 1), (3, 2)])
    p2.get(Token(2, (1, 0, 0, 1), lender=None), sender=1)
    p2.has_sent((3, Token(2, (1, 0, 0, 1), lender=2)))


def test_a_borrower_uses_the_token_and_returns_it():
    p0 = alone(BinarySearchToken, node=0, nodes=4)
    p0.process.token = None  # it has passed on the first token
    p0.ask()
    p0.has_sent((2, Gimme(0, 1, visited=0, low=0, high=4)))
    p0.get(Token(2, (0, 0, 0, 0), lender=2), sender=2)
    p0.has_reported(("entered",))
    p0.has_sent()
    p0.leave()
    p0.has_sent((2, Token(2, (1, 0, 0, 0), lender=2)))


def test_the_holder_keeps_its_place_in_the_queue():
    p2 = alone(BinarySearchToken, node=2, nodes=4)
    p2.process.traps.append((0, 1))
    p2.ask()
    p2.outbox.clear()
    p2.get(Token(2, (0, 0, 0, 0), lender=None), sender=1)
    p2.has_sent((0, Token(2, (0, 0, 0, 0), lender=2)))  # P0 has asked here before: it goes first
    p2.get(Token(2, (1, 0, 0, 0), lender=2), sender=0)
    p2.has_reported(("entered",))


# ---- whole runs --------------------------------------------------------------------------------------------


@for_each(nodes=[2, 3, 5, 8, 9, 33, 100], gap=[0.01, 3.0, 10.0])
def test_the_memo_s_bounds_hold(nodes, gap):
    """Lemma 6, theorems 2 and 3, for any N and from busy to calm."""
    found = loaded_run(nodes, BINARY, nodes, gap, until=600.0)
    log = ceil(log2(nodes))
    assert found["entries"] > 30
    assert found["gimmes"] <= log
    assert found["useless_loans"] == 0
    assert found["worst_responsiveness"] <= log + 2
    assert found["most_to_one"] <= log
    assert found["most_to_others"] <= nodes + log


@for_each(nodes=[2, 3, 7, 16, 100, 139])
def test_a_resting_holder_is_found_by_the_search_alone(nodes):
    """At any distance, in at most ⌈log₂ N⌉ gimmes. P0 requests just before the token comes round, and keeps it."""
    most = ceil(log2(nodes))
    for asker in range(1, nodes):
        load = Script(hold=Fixed(1e6), requests=(Request(nodes - 0.5, 0), Request(3.0 * nodes, asker)))
        simulation = run(BINARY, nodes, load=load, until=3.0 * nodes)
        earlier = sent(simulation)["Gimme"]
        simulation.run(until=3.0 * nodes + most)
        assert (asker, 1) in simulation.processes[0].traps
        assert sent(simulation)["Gimme"] - earlier < most  # beside the first, which has gone out at once


def test_a_hundred_nodes_at_one_request_per_ten_units():
    binary = loaded_run(1, BINARY, 100, 10.0, until=10_000.0)
    ring = loaded_run(1, RING, 100, 10.0, until=10_000.0)
    assert binary["responsiveness"] == pytest.approx(4.87, abs=0.35)
    assert binary["waiting"] == pytest.approx(6.73, abs=0.35)
    assert ring["responsiveness"] == pytest.approx(10.4, abs=1.5)
    assert ring["waiting"] == pytest.approx(49.5, abs=5)


def test_few_requests_find_the_token_in_logarithmic_time():
    assert loaded_run(2, BINARY, 100, 1000.0, until=80_000.0)["waiting"] == pytest.approx(6.4, abs=0.5)


def test_each_repair_is_needed():
    """The assertions above fail without the repairs."""
    as_printed = loaded_run(1, BINARY, 100, 10.0, until=3_000.0, variant="no-clean-up")
    assert as_printed["useless_loans"] > as_printed["entries"]
    assert as_printed["worst_responsiveness"] > 9
    marking = loaded_run(1, BINARY, 100, 10.0, until=10_000.0, variant="loans-leave-marks")
    assert marking["worst_responsiveness"] > 9
    greedy = loaded_run(1, BINARY, 64, 0.001, until=1_000.0, variant="my-turn-first")
    assert greedy["most_to_one"] > 6


def test_costs_and_savings_of_the_refinements():
    """N = 100, one request per 10 units."""
    found = {
        variant: loaded_run(1, BINARY, 100, 10.0, until=3_000.0, variant=variant)
        for variant in (None, "directed", "inverse-clean-up", "one-gimme", "push", "push-and-pull")
    }
    per_entry = {variant: figures["messages"] for variant, figures in found.items()}
    assert found["directed"]["responsiveness"] == pytest.approx(6.13, abs=0.7)
    assert per_entry["directed"]["gimme"] < per_entry[None]["gimme"] == pytest.approx(6.8, abs=0.3)
    assert per_entry["directed"]["answer"] == pytest.approx(per_entry["directed"]["gimme"], rel=0.01)
    assert found["inverse-clean-up"]["responsiveness"] == pytest.approx(7.99, abs=1)
    one = per_entry["one-gimme"]
    assert one["gimme"] <= one["hop"] + one["loan"] + 100 / found["one-gimme"]["entries"]
    assert per_entry["push"].get("gimme") is None
    assert per_entry["push"]["probe"] == pytest.approx(99, abs=8)  # all the other nodes, for nearly every entry
    assert found["push-and-pull"]["waiting"] < found["push"]["waiting"]


def test_an_adaptive_token_rests_when_no_node_is_waiting():
    hurried, calm = (loaded_run(1, BINARY, 100, 1000.0, 20_000.0, variant) for variant in (None, "adaptive-speed"))
    assert calm["messages"]["hop"] < 0.5 * hurried["messages"]["hop"]
    assert calm["worst_responsiveness"] <= 9


def test_a_linear_search_asks_every_node():
    found = loaded_run(1, LINEAR, 20, 10.0, until=2_000.0)
    assert found["messages"]["search"] == pytest.approx(19, abs=1.5)  # none where the token rests already
    assert found["worst_responsiveness"] <= 20


# ---- cheap and expensive messages --------------------------------------------------------------------------


def test_losing_every_gimme_is_harmless():
    """The token suffices: it visits every node on its round."""

    def unlucky(loss: float) -> list[tuple[float, int]]:
        simulation = run(BINARY, 8, load=Poisson(rate=0.02), until=1.0)
        while simulation.now < 400.0:
            for entry in sorted(simulation.queue.in_transit()):
                if isinstance(entry[MESSAGE], Gimme) and loss:
                    simulation.post.drop(entry)
            simulation.step()
        assert verdicts(simulation)["ME1"] == HOLDS
        return entries(simulation)

    with_gimmes, without = unlucky(0.0), unlucky(1.0)
    assert abs(len(with_gimmes) - len(without)) <= 2


def test_losing_the_token_stops_every_node():
    simulation = run(BINARY, 8, Event(50.0, "lose-token"), load=Poisson(rate=0.02), until=400.0)
    assert all(time < 60 for time, _ in entries(simulation))


class Careless(BinarySearchToken):
    """May lose any gimme: the checker tries both."""

    def on_gimme(self, gimme, sender):
        if self.random.below(2):
            super().on_gimme(gimme, sender)


def test_in_every_interleaving_only_the_loss_of_a_token_does_harm():
    careless = replace(catalog.find(BINARY), process=Careless)
    exploration = Exploration(Scenario(BINARY, nodes=3), careless, Bounds(requests=1), 20_000)
    while exploration.advance(1000):
        pass
    assert exploration.report().is_complete
    assert set(statuses(exploration).values()) == {HOLDS}
    losing = statuses(explored(BINARY, None, nodes=2, requests=1, losses=1))
    assert losing["ME1"] == HOLDS
    assert losing["ME2"] == losing["one token"] == BROKEN


# ---- every interleaving ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "nodes", "requests", "states"),
    [(None, 2, 1, 160), (None, 2, 2, 796), (None, 3, 1, 3888)],
)
def test_the_binary_search_is_safe_and_live_in_every_interleaving(variant, nodes, requests, states):
    exploration = explored(BINARY, variant, nodes, requests=requests)
    assert exploration.report().is_complete
    assert set(statuses(exploration).values()) == {HOLDS}
    assert len(exploration.states) == states


class Keeping(BinarySearchToken):
    """A mutant: a lender keeps a token."""

    def lend(self, node):
        self.send(replace(self.token, lender=self.id), to=node)


def test_a_lender_that_keeps_the_token_is_caught():
    mutant = replace(catalog.find(BINARY), process=Keeping)
    exploration = Exploration(Scenario(BINARY, nodes=3), mutant, Bounds(requests=1), 3_000)
    while exploration.advance(1000):
        pass
    assert statuses(exploration)["ME1"] == statuses(exploration)["one token"] == BROKEN


@pytest.mark.parametrize("variant", REFINEMENTS)
def test_its_refinements_are_safe_and_live_in_every_interleaving(variant):
    exploration = explored(BINARY, variant, nodes=2, requests=2)
    assert exploration.report().is_complete
    assert set(statuses(exploration).values()) == {HOLDS}


@pytest.mark.parametrize(("variant", "nodes"), [(None, 3), ("circulating", 2)])
def test_the_linear_search_is_safe_and_live_in_every_interleaving(variant, nodes):
    exploration = explored(LINEAR, variant, nodes, requests=1)
    assert exploration.report().is_complete
    assert set(statuses(exploration).values()) == {HOLDS}


# ---- a crash -----------------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(nodes=st.integers(3, 7), first=st.integers(203, 803).map(lambda tenth: tenth / 10), seed=st.integers(0, 999))
def test_each_crash_leads_to_one_new_token_at_most(nodes, first, seed):
    """All but one process crash in turn, with the token in their hands, on loan or elsewhere."""
    crashes = [Event(first + 120 * k, "crash", node=k) for k in range(nodes - 1)]
    load = Poisson(rate=0.05, hold=Uniform(0.0, 3.0))
    network = Network(delay=Uniform(0.2, 1.0))
    simulation = run(BINARY, nodes, *crashes, variant="recovering", load=load, until=900.0, seed=seed, network=network)
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    counters = meters.at(meters.steps, simulation.now)
    assert verdicts(simulation)["ME1"] == HOLDS
    assert max(counters.token_shares) == 1
    assert counters.false_suspicions == 0
    assert entries(simulation)[-1][0] > 700  # the last crash is over by 681, and the survivor asks every 20 units


def test_recovery_is_safe_in_every_interleaving_with_one_crash():
    exploration = explored(BINARY, "recovering", nodes=2, requests=1, crashes=1, synchronous=True)
    found = statuses(exploration)
    assert exploration.report().is_complete
    assert found.pop("one token") == BROKEN  # for a while there is none
    assert set(found.values()) == {HOLDS}
