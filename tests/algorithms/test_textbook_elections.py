"""What the textbooks say about elections, in runs of the shipped algorithms and over all their schedules.

Messages take 1. An arrangement gives numbers to the places of a ring; rotated by one place it is the same where all
processes call at once, so that the largest number is always at P0.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations, product
from math import factorial, log2
from statistics import mean, stdev

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.events import DELIVER, KIND, MESSAGE
from algorithms.engine.observe.elections import ElectionCounters
from algorithms.engine.observe.meters import Meters
from algorithms.engine.process import Cost
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, LinkSettings, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import edges_of
from tests.support.kit import for_each, leaders, run, sent, verdicts
from tests.support.mutants import file_of
from tests.support.state_counts import broken, finished, shared_exploration

SIZES = range(2, 11)
RINGS = ("le-lann", "hirschberg-sinclair", "franklin", "peterson")


def cost(name: str) -> Cost:
    """The cost formula that the program shows."""
    found = catalog.find(name).cost
    assert found is not None
    return found


def calls(*nodes: int) -> list[Event]:
    """Calls for an election by each of the nodes at time 0."""
    return [Event(0.0, "request", node=node) for node in nodes]


def callers(n: int) -> chain[tuple[int, ...]]:
    """Every choice of processes that call: all of them up to five processes, otherwise one, two and all."""
    sizes = range(1, n + 1) if n <= 5 else (1, 2, n)
    return chain.from_iterable(combinations(range(n), size) for size in sizes)


@cache
def over_arrangements(name: str, n: int) -> tuple[int, ...]:
    """The messages of an election that all call at once, in every arrangement of the numbers."""
    rings = ((n - 1, *others) for others in permutations(range(n - 1)))
    return tuple(sent(run(name, n, *calls(*range(n)), parameters={"ids": ids})).total() for ids in rings)


# ---- rings -------------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_le_lann_takes_n_squared_messages_whoever_calls(n):
    assert cost("le-lann").low(n) == cost("le-lann").high(n) == n * n
    for nodes in callers(n):
        simulation = run("le-lann", n, *calls(*nodes))
        assert sent(simulation) == Counter(Election=n * n)
        assert leaders(simulation) == {n - 1}
        assert simulation.now <= 2 * n - 1


@pytest.mark.parametrize("name", RINGS)
def test_the_largest_number_leads_in_every_arrangement_whoever_calls(name):
    for ids in permutations((17, 4, 9, 12)):
        for nodes in callers(4):
            simulation = run(name, 4, *calls(*nodes), parameters={"ids": ids})
            assert leaders(simulation) == {ids.index(17)}


@pytest.mark.parametrize("name", ["franklin", "peterson"])
def test_the_worst_arrangement_costs_exactly_what_the_paper_says_and_the_best_two_rounds(name):
    for n in range(2, 8):
        totals = over_arrangements(name, n)
        assert (min(totals), max(totals)) == (cost(name).low(n), cost(name).high(n)), n


def test_hirschberg_sinclair_over_all_arrangements():
    """The formula is an upper bound; what is exact is counted here."""
    spans = {n: (min(totals), max(totals)) for n in range(2, 8) if (totals := over_arrangements(RINGS[1], n))}
    assert spans == {2: (12, 12), 3: (26, 26), 4: (32, 36), 5: (54, 60), 6: (60, 74), 7: (66, 85)}
    assert all(high <= cost("hirschberg-sinclair").high(n) for n, (_, high) in spans.items())


@for_each(n=SIZES)
def test_hirschberg_sinclair_costs_least_if_the_largest_calls_alone(n):
    simulation = run("hirschberg-sinclair", n, *calls(n - 1), parameters={"ids": tuple(range(n))})
    assert sent(simulation).total() == cost("hirschberg-sinclair").low(n)


@for_each(n=SIZES)
def test_the_last_phase_of_hirschberg_and_sinclair_takes_2n_messages(n):
    simulation = run("hirschberg-sinclair", n, *calls(*range(n)))
    probes = [r[MESSAGE] for r in simulation.trace.records if r[KIND] == DELIVER and hasattr(r[MESSAGE], "hops")]
    phases = Counter(probe.phase for probe in {id(probe): probe for probe in probes}.values())
    last = max(phases)
    assert 2**last >= n > 2 ** (last - 1)
    assert phases[last] == 2 * n


def test_chang_and_roberts_is_cheaper_on_average_than_all_with_n_log_n():
    """Its mean is exactly N·H(N), and N more for the announcement."""
    for n in range(2, 8):
        means = {name: sum(over_arrangements(name, n)) / factorial(n - 1) for name in ("chang-roberts", *RINGS)}
        assert means["chang-roberts"] == pytest.approx(n * sum(1 / k for k in range(1, n + 1)) + n)
        others = ("hirschberg-sinclair", "franklin", "peterson")
        assert all(means["chang-roberts"] <= means[name] for name in others), n


def test_the_worst_case_of_chang_and_roberts_is_not_above_peterson_s_up_to_13_and_at_16_and_17():
    def ours(n: int) -> float:
        return n * (n + 1) / 2 + n

    assert all(max(over_arrangements("chang-roberts", n)) == ours(n) for n in range(2, 8))
    high = cost("peterson").high
    assert high is not None
    assert [n for n in range(2, 40) if ours(n) <= high(n)] == [*range(2, 14), 16, 17]


def test_with_nine_processes_hirschberg_and_sinclair_take_three_times_as_many_messages_as_chang_and_roberts_at_worst():
    ids = (8, 0, 5, 7, 2, 1, 6, 4, 3)
    probing = run("hirschberg-sinclair", 9, *calls(*range(9)), parameters={"ids": ids})
    falling = run("chang-roberts", 9, *calls(*range(9)), parameters={"ids": tuple(range(9, 0, -1))})
    assert sent(falling) == Counter(Election=9 * 10 // 2, Elected=9)
    assert round((sent(probing).total() - 9) / (9 * 10 / 2), 1) == 3.0


def test_half_of_the_processes_drop_out_in_each_round_of_franklin():
    """0 4 2 6 1 5 3 7: the odd places are local maxima, then 6 and 7, then 7."""
    simulation = run("franklin", 8, *calls(*range(8)), parameters={"ids": (0, 4, 2, 6, 1, 5, 3, 7)})
    assert sent(simulation) == Counter(Bid=2 * 8 * (log2(8) + 1), Elected=8)


def test_in_peterson_s_election_another_process_may_find_the_leader():
    simulation = run("peterson", 8, *calls(*range(8)), parameters={"ids": (0, 4, 2, 6, 1, 5, 3, 7)})
    deliveries = [record for record in simulation.trace.records if record[KIND] == DELIVER]
    finders = {r[MESSAGE].finder for r in deliveries if hasattr(r[MESSAGE], "finder")}
    assert leaders(simulation) == {7}
    assert len(finders) == 1
    assert finders != leaders(simulation)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_itai_and_rodeh_takes_3n_minus_1_messages_at_best(n):
    totals = []
    for seed in range(60):
        simulation = run("itai-rodeh", n, *calls(*range(n)), seed=seed, parameters={"k": n})
        assert len(leaders(simulation)) == 1
        totals.append(sent(simulation).total())
    assert min(totals) == cost("itai-rodeh").low(n) == 3 * n - 1


@cache
def expected(n: int, active: tuple[int, ...]) -> Fraction:
    """The messages of Itai & Rodeh's algorithm from when these draw 0 or 1 at once, each message taking 1.

    A 1 goes all the way round, and a 0 up to the next 1. Those with a 1 stay, or all if there is none.
    """
    total, again = Fraction(0), Fraction(0)
    for numbers in product((0, 1), repeat=len(active)):
        best = [place for place, number in zip(active, numbers, strict=True) if number]
        worse = [place for place in active if best and place not in best]
        total += len(best or active) * n + sum(min((other - place) % n for other in best) for place in worse)
        if len(best or active) == 1:
            total += n  # the announcement
        elif worse:
            total += expected(n, tuple(best))
        else:
            again += 1
    return total / (2 ** len(active) - again)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_itai_and_rodeh_together_takes_as_many_messages_as_expected_on_average(n):
    totals = [sent(run("itai-rodeh", n, *calls(*range(n)), seed=seed)).total() for seed in range(100)]
    assert abs(mean(totals) - expected(n, tuple(range(n)))) < 3 * stdev(totals) / 10
    assert [round(float(expected(size, tuple(range(size)))), 2) for size in (2, 3, 4, 8)] == [9, 17.75, 29.05, 97.44]


# ---- graphs and trees --------------------------------------------------------------------------------------


@for_each(topology=["ring", "star", "grid", "complete", "random", "tree"])
def test_an_echo_with_one_caller_takes_two_messages_for_each_link_and_announces_it(topology):
    for n in SIZES:
        links = len(edges_of(topology, n, 1))
        for caller in (0, n // 2, n - 1):
            simulation = run("echo-extinction", n, *calls(caller), topology=topology)
            kinds = sent(simulation)
            assert kinds["Wave"] + kinds["Echo"] == 2 * links
            assert kinds["Elected"] == 2 * links - n + 1
            assert leaders(simulation) == {caller}
        low, high = cost("echo-extinction").low(n), cost("echo-extinction").high(n)
        assert low <= 4 * links - n + 1 <= high


@pytest.mark.parametrize("topology", ["ring", "complete", "random"])
def test_the_largest_caller_leads_after_the_waves_have_met(topology):
    for n in SIZES:
        links = len(edges_of(topology, n, 1))
        for nodes in ((0, n // 2), tuple(range(n))):
            simulation = run("echo-extinction", n, *calls(*nodes), topology=topology)
            assert leaders(simulation) == {max(nodes)}
            assert sent(simulation).total() <= len(nodes) * 2 * links + 2 * links


@pytest.mark.parametrize("topology", ["tree", "star", "path"])
def test_a_tree_takes_3n_plus_k_minus_4_messages_whoever_calls(topology):
    for n in SIZES:
        graph = {"edges": tuple((i, i + 1) for i in range(n - 1))} if topology == "path" else {"topology": topology}
        for nodes in callers(n):
            simulation = run("tree-election", n, *calls(*nodes), **graph)
            assert sent(simulation) == Counter(WakeUp=n + len(nodes) - 2, Best=n, Elected=n - 2)
            assert leaders(simulation) == {n - 1}
    assert (cost("tree-election").low(9), cost("tree-election").high(9)) == (3 * 9 + 1 - 4, 3 * 9 + 9 - 4)


def test_the_two_that_meet_are_at_the_slowest_link_and_not_in_the_middle():
    slow = LinkSettings(1, 3, delay=Fixed(10.0))
    simulation = run("tree-election", 7, *calls(6), network=Network(links=(slow,)))
    assert {process.id for process in simulation.processes if not process.missing} == {1, 3}


# ---- Raft --------------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_raft_takes_3n_minus_3_messages_until_everyone_knows_and_heartbeats_are_not_counted(n):
    simulation = run("raft-election", n, *calls(0), until=30.0)
    counted = counters(simulation)
    assert (counted.started, counted.finished, counted.messages_per_election) == (1, 1, 3 * (n - 1))
    assert counted.messages_per_election == cost("raft-election").low(n)
    assert counted.latest.messages == {"Granted": n - 1, "Heartbeat": n - 1, "RequestVote": n - 1}
    assert sent(simulation)["Heartbeat"] > n - 1


def counters(simulation: Simulation) -> ElectionCounters:
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    counted = meters.at(meters.steps, simulation.now).elections
    assert counted is not None
    return counted


def test_two_leaders_of_different_terms_agree_and_two_of_one_term_do_not():
    simulation = catalog.simulation(scenario_file.load(scenario_file.find("two-leaders-two-terms")))
    simulation.run(until=30.0)
    assert {(process.id, process.term) for process in simulation.processes if process.role == "leader"} == {
        (0, 1),
        (3, 2),
    }
    assert verdicts(simulation)["E1"] == "holds"
    twice = catalog.simulation(scenario_file.load(file_of("raft-election", "half", "one leader a term")))
    twice.run(steps=len(twice.scenario.events) + 1)
    assert [process.role for process in twice.processes] == ["leader", "leader"]
    assert verdicts(twice)["E1"] == "broken"


def test_votes_that_are_split_elect_nobody_in_their_term():
    simulation = catalog.simulation(scenario_file.load(scenario_file.find("split-votes")))
    simulation.run(until=20.0)
    assert leaders(simulation) == {None}
    assert {process.term for process in simulation.processes} == {1}
    simulation.run(until=32.0)
    assert leaders(simulation) == {1}
    assert {process.term for process in simulation.processes} == {2}


@pytest.mark.parametrize("nodes", [2, 3])
def test_one_leader_a_term_in_every_state_with_two_timeouts(nodes):
    report = shared_exploration("raft-election", None, nodes, "requests=0 timeouts=2").report()
    assert report.is_complete
    assert not broken(report)


def test_a_vote_that_is_forgotten_in_a_crash_is_given_twice():
    report = shared_exploration("raft-election", None, 3, "requests=0 timeouts=1 resets=1").report()
    assert broken(report) == {"voters stand by their votes": 4}


@pytest.mark.parametrize(
    ("name", "expected"), [("term-runs-away", {("leader", 4, 7)}), ("pre-votes", {("leader", 0, 1)})]
)
def test_a_process_that_was_cut_off_deposes_the_leader_unless_it_asks_for_pre_votes(name, expected):
    simulation = catalog.simulation(scenario_file.load(scenario_file.find(name)))
    simulation.run(until=45.0)
    assert {(p.id, p.term) for p in simulation.processes if p.role == "leader"} == {(0, 1)}
    simulation.run(until=60.0)
    assert {(p.role, p.id, p.term) for p in simulation.processes if p.role == "leader"} == expected
    assert len({(p.leader, p.term) for p in simulation.processes}) == 1


def test_pre_votes_elect_a_leader_after_a_crash_and_after_a_return_without_one():
    """Nobody is left who believes in a leader: neither in the one that has crashed, nor in one from before a crash."""
    crashes = [Event(12.0, "crash", node=node) for node in range(5)]
    returns = [Event(13.0, "recover", node=node) for node in (1, 2, 3)]
    simulation = run(
        "raft-election", 5, Event(0.5, "request", node=0), *crashes, *returns, variant="pre-vote", until=60
    )
    (belief,) = {(p.leader, p.term) for p in simulation.processes if p.id in (1, 2, 3)}
    assert belief in {(1, 2), (2, 2), (3, 2)}


# ---- the complete graph ------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_afek_and_gafni_take_3n_minus_3_messages_if_one_process_calls(n):
    for node in range(n):
        simulation = run("afek-gafni", n, *calls(node))
        assert sent(simulation) == Counter(Capture=n - 1, Consent=n - 1, Elected=n - 1)
        assert leaders(simulation) == {node}
        assert simulation.now == 2 * (n - 1) + 1
    assert cost("afek-gafni").low(n) == 3 * (n - 1)


@for_each(n=SIZES)
def test_few_candidates_of_afek_and_gafni_reach_a_high_level(n):
    """At most N/(k+1) of them reach level k, so that 4N·H(N) messages are enough, in runs with random delays."""
    high = cost("afek-gafni").high
    assert high is not None
    for seed in range(20):
        network = Network(delay=Uniform(0.1, 3.0))
        simulation = run("afek-gafni", n, *calls(*range(n)), network=network, seed=seed)
        assert len(leaders(simulation)) == 1
        levels = [process.level for process in simulation.processes]
        assert all(sum(level >= k for level in levels) <= n / (k + 1) for k in range(1, n))
        assert sent(simulation).total() <= high(n)


def test_without_asking_the_owners_afek_and_gafni_s_candidates_reach_high_levels_in_greater_number():
    totals = dict.fromkeys((None, "never-asks"), 0)
    for variant, seed in product(totals, range(20)):
        network = Network(delay=Uniform(0.1, 3.0))
        simulation = run("afek-gafni", 16, *calls(*range(16)), network=network, seed=seed, variant=variant)
        totals[variant] += sent(simulation).total()
    assert totals["never-asks"] > 1.1 * totals[None]


# ---- every schedule ----------------------------------------------------------------------------------------


@for_each(name=[*RINGS, "itai-rodeh", "echo-extinction", "tree-election", "afek-gafni"], nodes=[2, 3])
def test_promises_and_invariants_hold_in_every_state(name, nodes):
    report = shared_exploration(name, None, nodes, "").report()
    names = {finding.property.name for finding in report.findings}
    assert names >= {"E1", "E2", *catalog.find(name).invariants}
    assert catalog.find(name).invariants
    assert report.is_complete
    assert not broken(report)


def explored_without_order(name: str, nodes: int, state_limit: int) -> dict[str, int | None]:
    scenario = Scenario(name, nodes=nodes, network=Network(fifo=False))
    return broken(finished(Exploration(scenario, catalog.find(name), Bounds(), state_limit=state_limit)))


@for_each(
    case=[
        ("le-lann", 2, {"E1": 5, "the greatest leads": 3, "E2": 8}),
        ("peterson", 2, {"E1": 11, "the greatest leads": 10, "E2": 5}),
        ("tree-election", 2, {"E2": 3}),
        ("hirschberg-sinclair", 3, {}),
        ("franklin", 4, {}),
        ("echo-extinction", 3, {}),
        ("afek-gafni", 3, {}),
    ]
)
def test_what_breaks_if_messages_overtake_each_other(case):
    """Franklin's algorithm is not broken, although it assumes FIFO. See docs/tests.md for Peterson's."""
    name, nodes, expected = case
    assert explored_without_order(name, nodes, 10_000) == expected
