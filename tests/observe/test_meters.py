"""Meters: each number recomputed naively from the processes' states, and the textbook's numbers."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from math import exp, factorial
from statistics import fmean, median

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Counters, Meters, jain
from algorithms.engine.observe.series import Level, Samples, Spread
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load, Poisson, Request, Saturated, Script
from tests.support.diary import Diary
from tests.support.kit import for_each, run
from tests.support.random_scenarios import ALGORITHMS, random_scenario


def measured(simulation: Simulation, time: float | None = None) -> Counters:
    """The counters at the end of a run so far."""
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    return meters.at(simulation.steps, simulation.now if time is None else time)


# ---- recomputed --------------------------------------------------------------------------------------------


def agrees(spread: Spread, samples: list[float]) -> bool:
    """Whether the spread is that of these samples, worked out the long way."""
    if not samples:
        return spread == (0, None, None, None, None)
    ordered = sorted(samples)
    p95 = next(x for x in ordered if 100 * bisect_right(ordered, x) >= 95 * len(ordered))
    return spread == pytest.approx((len(samples), fmean(samples), median(samples), p95, max(samples)))


@for_each(seed=range(12), name=ALGORITHMS)
def test_every_number_is_what_the_states_say(name, seed):
    simulation = catalog.simulation(random_scenario(name, random.Random(f"meters {name} {seed}")))
    diary, counters = Diary(simulation), measured(simulation)
    effects = [record for records in diary.records for record in records[1:]]
    sent = [r for r in effects if r[KIND] == DELIVER and r[NODE] != r[SENDER]]
    assert counters.by_type == Counter(type(r[MESSAGE]).__name__ for r in sent)
    assert counters.messages == len(sent)
    entries = Counter(node for step in diary.steps for node in diary.enters(step))
    assert counters.entries_per_node == tuple(entries[node] for node in diary.nodes)
    assert {n: time for n, time in counters.concurrency.items() if time} == pytest.approx(diary.concurrency())
    assert agrees(counters.waiting_time, diary.waiting_times())
    assert agrees(counters.responsiveness, diary.responses())
    assert agrees(counters.synchronisation_delay, diary.hand_overs())


# ---- the textbook's numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize("requesters", ["one", "all"])
@for_each(n=range(2, 51))
def test_ricart_agrawala_costs_two_messages_to_everybody_else(n, requesters):
    nodes = [n // 2] if requesters == "one" else range(n)
    counters = measured(run("ricart-agrawala", n, load=Script(requests=tuple(Request(0.0, node) for node in nodes))))
    assert counters.entries == len(nodes)
    assert counters.per_entry == 2 * (n - 1)
    assert counters.by_type == {"Reply": len(nodes) * (n - 1), "Request": len(nodes) * (n - 1)}


@pytest.mark.parametrize("n", [2, 3, 8, 20])
def test_centralized_costs_three_messages_unless_the_coordinator_enters(n):
    counters = measured(run("centralized", n, load=Saturated()))
    by_others = counters.entries - counters.entries_per_node[0]
    assert counters.entries_per_node[0] > 0  # which costs nothing
    assert 3 * by_others - 1 <= counters.messages <= 3 * by_others + 2 * (n - 1)  # some wait at the end
    assert counters.handled_per_node[0] == pytest.approx(2 * by_others, abs=n)


@for_each(n=[2, 3, 8, 20], k=[1, 2, 20])
def test_the_token_takes_one_hop_when_all_want_and_n_when_one_does(n, k):
    """Saturated with k nodes that want all the time: N/k hops for each entry."""
    k = min(k, n)
    wanting = tuple(Request(0.0, node) for node in range(k) for _ in range(600))
    counters = measured(run("token-ring", n, load=Script(requests=wanting)))
    assert counters.per_entry == pytest.approx(n / k, rel=0.05)
    assert counters.fairness == pytest.approx(1.0, rel=0.01)  # over those who ask


def test_waiting_and_handing_over_by_hand():
    """P1 and P2 ask the coordinator at 0 and 1: P1 is inside from 2 to 7, P2 after another round trip from 9 to 14."""
    load = Script(requests=(Request(0.0, 1), Request(1.0, 2)), hold=Fixed(5.0))
    counters = measured(run("centralized", 3, load=load), time=20.0)
    assert counters.waiting_time == (2, 5.0, 5.0, 8.0, 8.0)
    assert counters.synchronisation_delay == (1, 2.0, 2.0, 2.0, 2.0)
    assert counters.responsiveness[:2] == (2, (2.0 + 7.0) / 2)  # from 0 to 2, then from 2, when P2 still wants, to 9
    assert counters.concurrency == {0: 10.0, 1: 10.0}
    assert counters.handled_per_node == (4, 1, 1)


@pytest.mark.parametrize("load", [0.8, 1.6])
def test_without_coordination_the_number_inside_follows_the_poisson_law(load):
    """3e5 units of time, 300 nodes, in a run that forgets its trace as it goes."""
    hold, nodes, until = 10.0, 300, 3e5
    scenario = Scenario("uncoordinated", nodes=nodes, load=Poisson(rate=load / hold / nodes, hold=Fixed(hold)))
    simulation = catalog.simulation(scenario)
    meters = Meters(scenario, simulation.algorithm)
    run_and_forget(simulation, [meters], until)
    counters = meters.at(meters.steps, until)
    assert sum(counters.concurrency.values()) == pytest.approx(until)
    assert not simulation.trace.records
    for k in range(4):
        assert counters.concurrency[k] == pytest.approx(until * exp(-load) * load**k / factorial(k), rel=0.04)


def test_responsiveness_of_the_ring_in_memo_440():
    """Figure 9: N = 100, one request per 10 units in all; the limit for large N is 1/(1 − e^−0.1) = 10.51."""
    load = Poisson(rate=0.001, hold=Fixed(0.0))
    counters = measured(run("token-ring", 100, load=load, until=10_000))
    assert counters.responsiveness.mean == pytest.approx(10.4, abs=1.5)
    assert counters.waiting_time.mean == pytest.approx(49.5, abs=5)


# ---- faults ------------------------------------------------------------------------------------------------


def test_who_crashes_inside_is_inside_no_more_until_it_is_back_with_its_memory():
    load = Script(requests=(Request(0.0, 1),), hold=Fixed(5.0))
    events = Event(3.0, "crash", node=1), Event(10.0, "recover", node=1, memory=True)
    counters = measured(run("uncoordinated", 2, *events, load=load), time=20.0)
    assert counters.concurrency == {0: 12.0, 1: 8.0}  # inside from 0 to 3, and again 5 units from 10 on
    assert counters.entries == 1


@pytest.mark.parametrize(("memory", "samples"), [(True, 1), (False, 0)])
def test_a_request_outlives_a_crash_only_in_memory(memory, samples):
    load = Script(requests=(Request(0.5, 5),))
    events = Event(1.0, "crash", node=5), Event(2.0, "recover", node=5, memory=memory)
    counters = measured(run("token-ring", 8, *events, load=load, until=40))
    assert counters.waiting_time.samples == samples


def test_nobody_waits_for_what_a_crashed_process_wanted():
    """A ring of 8. P1 is inside from 1 to 1.5 while P5 waits, which crashes; P7 asks at 3 and enters at 7.5."""
    load = Script(requests=(Request(0.0, 1), Request(1.0, 5), Request(3.0, 7)), hold=Fixed(0.5))
    events = Event(2.0, "crash", node=5), Event(2.5, "recover", node=5, memory=False)
    counters = measured(run("token-ring", 8, *events, load=load, until=20))
    assert counters.synchronisation_delay.samples == 0
    assert counters.responsiveness == (2, 2.75, 2.75, 4.5, 4.5)  # from 0 to 1 and from 3 to 7.5


def test_a_process_that_is_back_wants_again_from_then_on():
    """It asks at 1, is away from 2 to 3, and the token comes at 5."""
    load = Script(requests=(Request(1.0, 5),))
    events = Event(2.0, "crash", node=5), Event(3.0, "recover", node=5)
    counters = measured(run("token-ring", 8, *events, load=load, until=20))
    assert (counters.waiting_time.max, counters.responsiveness.max) == (4.0, 2.0)


def test_a_pause_changes_nothing_about_being_inside():
    load = Script(requests=(Request(0.0, 1),), hold=Fixed(5.0))
    events = Event(1.0, "pause", node=1), Event(10.0, "resume", node=1)
    counters = measured(run("uncoordinated", 2, *events, load=load), time=20.0)
    assert counters.concurrency == {0: 10.0, 1: 10.0}


def test_messages_to_the_dead_count_and_messages_to_oneself_do_not():
    counters = measured(run("bully", 4, Event(0.0, "crash", node=3), Event(1.0, "request", node=2)))
    assert counters.by_type == {"Coordinator": 2, "Election": 1}
    assert measured(run("centralized", 2, load=Script(requests=(Request(0.0, 0),)))).messages == 0


# ---- tokens ------------------------------------------------------------------------------------------------


@for_each(
    case=[
        ([], {1: 50.0}),
        ([Event(10.5, "lose-token")], {0: 39.5, 1: 10.5}),
        ([Event(10.5, "duplicate-token")], {1: 10.5, 2: 39.5}),
        ([Event(5.5, "request", node=0), Event(10.0, "lose-token")], {0: 40.0, 1: 10.0}),  # in the hands of P0
        ([Event(5.5, "request", node=0), Event(10.0, "duplicate-token")], {1: 10.0, 2: 40.0}),
        ([Event(5.5, "request", node=0), Event(10.0, "crash", node=0)], {0: 40.0, 1: 10.0}),
        ([Event(8.5, "crash", node=2)], {0: 40.0, 1: 10.0}),  # it reaches P2 at 10
        ([Event(8.5, "pause", node=2)], {1: 50.0}),  # it waits there
    ]
)
def test_live_tokens(case):
    """A ring of 4; P0, where asked to, has the token from 8 to 108."""
    events, shares = case
    simulation = run("token-ring", 4, *events, load=Load(hold=Fixed(100.0)), until=50)
    counters = measured(simulation, time=50.0)
    assert {n: time for n, time in (counters.token_shares or {}).items() if time} == shares


def test_a_token_lost_in_hand_and_forgotten_is_no_reason_to_miscount_the_next():
    """P2 and P0 hold a token each from 2 and 4 on; P2 lets go at 13, and its token passes P0 at 15.

    It reaches P0 again, crashed for good, at 19.
    """
    events = (
        Event(0.5, "duplicate-token"),
        *(Event(2.0, "request", node=node) for node in (0, 2)),
        Event(10.0, "lose-token"),  # that of P0, which does not notice
        Event(11.0, "crash", node=0),
        Event(12.0, "recover", node=0, memory=False),
        Event(15.5, "crash", node=0),
    )
    simulation = run("token-ring", 4, *events, load=Load(hold=Fixed(11.0)), until=50)
    assert measured(simulation, time=50.0).token_shares == {0: 31.0, 1: 9.5, 2: 9.5}


# ---- elections ---------------------------------------------------------------------------------------------


def test_an_election_from_the_first_call_to_agreement():
    """17, 24, 1, 28, 15, 9, 4, 33 of the slide, numbered round the ring: 15 election and 8 elected messages."""
    simulation = run("chang-roberts", 8, Event(2.0, "request", node=0), Event(100.0, "request", node=5))
    counters = measured(simulation).elections
    assert counters is not None
    assert (counters.started, counters.finished, counters.initiators, counters.calls) == (2, 2, 2, 2)
    assert counters.latest is not None
    assert counters.latest.start == 100.0
    assert counters.latest.leader == 7
    assert counters.latest.messages == {"Elected": 8, "Election": 10}
    assert counters.latest.turnaround == 17.0  # 2 hops to P7, 8 for its number to come home, 7 to the last


def test_messages_of_an_election_are_its_own():
    simulation = run("ring-election", 5, Event(1.0, "request", node=0), Event(50.0, "request", node=3))
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    assert meters.elections is not None
    first, second = (meters.elections.election(number, simulation.steps) for number in (1, 2))
    assert first.messages == second.messages == {"Coordinator": 5, "Election": 5}
    assert (first.initiators, second.initiators) == ((0,), (3,))


def test_who_calls_again_on_a_time_out_has_not_begun_the_election():
    """P0 misses the leader first; the others miss it, or an answer, when the election is under way."""
    simulation = run("bully", 5, Event(1.0, "request", node=0), Event(30.0, "crash", node=4), variant="watching")
    counters = measured(simulation).elections
    assert counters is not None
    assert counters.latest is not None
    assert (counters.latest.initiators, counters.latest.leader) == ((0,), 3)
    assert counters.latest.calls > 1


def test_suspicions_are_right_or_wrong():
    counters = measured(run("bully", 4, Event(0.0, "crash", node=3), Event(1.0, "request", node=2)))
    assert (counters.suspicions, counters.false_suspicions) == (1, 0)
    counters = measured(run("bully", 4, Event(0.0, "pause", node=3), Event(1.0, "request", node=2)))
    assert (counters.suspicions, counters.false_suspicions) == (1, 1)


# ---- series ------------------------------------------------------------------------------------------------


def test_a_curve_is_thinned_without_losing_its_peaks():
    level, dice = Level(0), random.Random(1)
    values = [dice.choice([0, 0, 0, 1, 2]) for _ in range(1000)]
    values[777] = 9
    for k, value in enumerate(values):
        level.set(k + 1, float(k), value)
    curve = level.curve(1000, since=500.0, buckets=20)
    assert len(curve) <= 41
    assert max(value for _, value in curve) == 9
    assert curve == sorted(curve)
    assert (curve[0][0] <= 500.0, curve[-1][1]) == (True, values[-1])
    assert set(curve) <= set(level.curve(1000))


def test_spreads_are_right_wherever_one_jumps():
    samples, dice = Samples(), random.Random(2)
    values = [round(dice.expovariate(1.0), 2) for _ in range(500)]
    for k, value in enumerate(values):
        samples.add(k + 1, value)
    step = 250
    for _ in range(200):
        step = dice.choice([dice.randrange(501), max(0, step - 3), min(500, step + 3)])
        assert agrees(samples.spread(step), values[:step])


def test_fairness():
    assert jain([5, 5, 5, 5]) == 1
    assert jain([5, 0, 0, 0]) == 0.25
    assert jain([0, 0]) is None
