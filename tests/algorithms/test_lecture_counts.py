"""The message counts of the lecture, exact for N = 2 … 10, in runs of the shipped algorithms.

N includes the crashed coordinator. Messages are counted when they are sent, those to dead processes included. Each
test also compares the count with the formula that the program shows.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE, TIME
from algorithms.engine.process import Cost
from algorithms.engine.scenario import Event
from algorithms.engine.workload import Request, Script
from tests.support.kit import entries, for_each, leaders, run, sent
from tests.support.loads import asks

SIZES = range(2, 11)


def cost(name: str, variant: str | None = None) -> Cost:
    """The cost formula that the program shows."""
    found = catalog.find(name).of(variant).cost
    assert found is not None
    return found


def starts(*nodes: int) -> list[Event]:
    """Calls for an election by each of the nodes at time 1."""
    return [Event(1.0, "request", node=node) for node in nodes]


def crash(node: int) -> Event:
    return Event(0.0, "crash", node=node)


# ---- mutual exclusion --------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_centralized_takes_three_messages_two_of_them_before_the_entry(n):
    alone = run("centralized", n, load=asks(n - 1))
    assert sent(alone) == Counter(Request=1, Grant=1, Release=1)
    assert entries(alone) == [(2.0, n - 1)]
    everybody = run("centralized", n, load=asks(*range(1, n)))
    assert sent(everybody).total() == 3 * (n - 1)
    assert cost("centralized").low(n) == cost("centralized").high(n) == 3


@for_each(n=SIZES)
def test_the_coordinator_s_own_entry_costs_no_message(n):
    simulation = run("centralized", n, load=asks(0))
    assert (entries(simulation), sent(simulation).total()) == ([(0.0, 0)], 0)


@for_each(refusals=range(1, 8))
def test_each_refusal_costs_two_messages(refusals):
    """The request reaches the coordinator every 4 units: a round trip, and a wait of 2."""
    simulation = run("centralized", 3, load=asks(1, 2, hold=4.0 * refusals - 4.0), variant="polling")
    assert sent(simulation)["Denied"] == refusals
    assert sent(simulation).total() == 2 * 3 + 2 * refusals


@for_each(n=SIZES)
def test_ricart_agrawala_takes_2_n_minus_1_messages_and_a_round_trip(n):
    alone = run("ricart-agrawala", n, load=asks(0))
    assert sent(alone) == Counter(Request=n - 1, Reply=n - 1)
    assert entries(alone) == [(2.0, 0)]
    together = run("ricart-agrawala", n, load=asks(*range(n)))
    assert sent(together) == Counter(Request=n * (n - 1), Reply=n * (n - 1))
    assert [node for _, node in entries(together)] == list(range(n))  # equal clocks: the smaller number is the older
    assert cost("ricart-agrawala").low(n) == cost("ricart-agrawala").high(n) == 2 * (n - 1)


@for_each(size=[(n, k) for n in SIZES for k in range(1, n + 1)])
def test_the_token_ring_takes_n_over_k_hops_per_entry_with_k_always_waiting(size):
    n, k = size
    simulation = run("token-ring", n, load=asks(*[*range(k)] * 30), until=400.0)
    rounds = [time for time, node in entries(simulation) if node == 0]
    first, last = rounds[1], rounds[11]
    arrivals = [record for step, (record, *_) in simulation.trace.steps() if record[KIND] == DELIVER]
    hops = sum(first < record[TIME] <= last for record in arrivals)
    served = sum(first < time <= last for time, _ in entries(simulation))
    assert (hops, served) == (10 * n, 10 * k)
    assert cost("token-ring").low(n) == 1 <= hops / served <= cost("token-ring").high(n) == n


@for_each(n=SIZES)
def test_the_token_arrives_after_its_distance_in_hops(n):
    for hops in range(n):  # at time n the token is back at P0
        simulation = run("token-ring", n, load=asks(hops, at=n), until=3 * n)
        assert entries(simulation) == [(n + hops, hops)]


@for_each(n=SIZES)
def test_an_idle_token_ring_never_stops_sending(n):
    assert sent(run("token-ring", n, until=1000.0)) == Counter(Token=1001)


@for_each(n=SIZES)
def test_voting_takes_three_messages_a_vote(n):
    m = n // 2 + 1
    simulation = run("voting", n + 1, load=asks(n), parameters={"coordinators": n})
    assert sent(simulation) == Counter(Request=m, Vote=m, Release=m)
    assert entries(simulation) == [(2.0, n)]
    assert cost("voting").low(n) == 3 * m


def test_the_slide_s_formula_for_voting_leaves_out_the_votes_given_back():
    """n = 10, m = 6, k = 2: 2mk + m is 30, but P14 also gives back the 4 votes of its first attempt."""
    load = Script(requests=(Request(0.0, 10), Request(1.0, 14)))
    simulation = run("voting", 15, load=load, parameters={"coordinators": 10, "votes": 6})
    assert [node for _, node in entries(simulation)] == [10, 14]
    assert sent(simulation, by=10) == Counter(Request=6, Release=6)
    assert sent(simulation, by=14) == Counter(Request=2 * 6, Release=4 + 6)
    assert sent(simulation)["Denied"] == 2
    assert sent(simulation).total() - 3 * 6 == 34


# ---- elections ---------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_bully_from_every_initiator(n):
    """m live processes are at or above the initiator: m² + N − 2 messages."""
    totals = []
    for initiator in range(n - 1):
        simulation = run("bully", n, crash(n - 1), *starts(initiator))
        m = n - 1 - initiator
        assert sent(simulation) == Counter(Election=m * (m + 1) // 2, Answer=m * (m - 1) // 2, Coordinator=n - 2)
        assert leaders(simulation) == ({n - 2} if n > 2 else {0})
        totals.append(sent(simulation).total())
    assert totals[-1] == cost("bully").low(n) == n - 2 + 1
    assert totals[0] == cost("bully").high(n) == n * n - n - 1
    assert sum(totals) / len(totals) == pytest.approx(n * (2 * n - 1) / 6 + n - 2)


def test_bully_at_worst_as_tabulated():
    assert [cost("bully").high(n) for n in (3, 4, 5, 6, 8, 10)] == [5, 11, 19, 29, 55, 89]


@for_each(n=SIZES)
def test_elections_of_unguarded_bully_double_with_every_process(n):
    patient = {"coordinator_time": 1000.0}
    unguarded = run("bully", n, crash(n - 1), *starts(0), variant="unguarded", parameters=patient)
    assert sent(unguarded)["Election"] == 2 ** (n - 1) - 1
    assert sent(run("bully", n, crash(n - 1), *starts(0)))["Election"] == n * (n - 1) // 2


@for_each(n=SIZES)
def test_the_collecting_ring_takes_two_rounds_for_each_initiator(n):
    for initiators in range(1, n + 1):
        simulation = run("ring-election", n, *starts(*range(initiators)))
        assert sent(simulation) == Counter(Election=n * initiators, Coordinator=n * initiators)
        assert leaders(simulation) == {n - 1}
    assert cost("ring-election").low(n) == cost("ring-election").high(n) == 2 * n


@for_each(n=SIZES)
def test_the_slide_s_count_for_the_ring_leaves_out_the_last_hop_home(n):
    simulation = run("ring-election", n, *starts(0), variant="short")
    assert sent(simulation) == Counter(Election=n, Coordinator=n - 1)
    assert leaders(simulation) == {n - 1}
    assert cost("ring-election", "short").low(n) == 2 * n - 1


@for_each(n=SIZES[1:])
def test_the_collecting_ring_skips_a_dead_coordinator(n):
    """2(N−1) messages among live processes, an acknowledgement for each, and one message without one."""
    simulation = run("ring-election", n, crash(n - 1), *starts(0), variant="skipping")
    assert sent(simulation) == Counter(Election=n - 1 + 1, Coordinator=n - 1, Acknowledgement=2 * (n - 1))
    assert leaders(simulation) == {n - 2}


@for_each(n=SIZES)
def test_chang_roberts_with_one_initiator(n):
    """The maximum is d hops away: d + N messages to find it, N to announce it."""
    totals = []
    for initiator in range(n):
        simulation = run("chang-roberts", n, *starts(initiator))
        assert sent(simulation) == Counter(Election=n - 1 - initiator + n, Elected=n)
        assert leaders(simulation) == {n - 1}
        totals.append(sent(simulation).total())
    assert min(totals) == cost("chang-roberts").low(n) == 2 * n
    assert max(totals) == cost("chang-roberts").high(n) == 3 * n - 1


@for_each(n=SIZES)
def test_chang_roberts_when_all_start(n):
    rising = run("chang-roberts", n, *starts(*range(n)))
    assert sent(rising) == Counter(Election=2 * n - 1, Elected=n)
    falling = run("chang-roberts", n, *starts(*range(n)), parameters={"ids": tuple(range(n, 0, -1))})
    assert sent(falling) == Counter(Election=n * (n + 1) // 2, Elected=n)
    assert leaders(falling) == {0}


@for_each(n=range(2, 6))
def test_chang_roberts_on_average_when_all_start(n):
    """The mean over all arrangements is n(1 + 1/2 + … + 1/n) election messages, as the paper proves."""
    total = sum(
        sent(run("chang-roberts", n, *starts(*range(n)), parameters={"ids": ids}))["Election"]
        for ids in permutations(range(n))
    )
    assert total / factorial(n) == pytest.approx(n * sum(1 / k for k in range(1, n + 1)))


def test_the_ring_on_the_slide():
    """17, 24, 1, 28, 15, 9, 4, 33, started by 17: the message carries 24, then 28, then 33, who leads."""
    ids = (17, 24, 1, 28, 15, 9, 4, 33)
    simulation = run("chang-roberts", 8, *starts(0), parameters={"ids": ids})
    messages = (record[MESSAGE] for record in simulation.trace.records if record[KIND] == DELIVER)
    carried = dict.fromkeys(m.number for m in messages if type(m).__name__ == "Election")
    assert list(carried) == [17, 24, 28, 33]
    assert sent(simulation) == Counter(Election=2 * 8 - 1, Elected=8)
    assert leaders(simulation) == {ids.index(33)}
