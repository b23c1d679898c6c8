"""Monitors: breaches found the long way, what each algorithm keeps and breaks, and mutants that must be caught."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import zip_longest
from math import inf
from typing import Any

import pytest

from algorithms import catalog
from algorithms.authoring.declaration import check_variant
from algorithms.election import bully
from algorithms.engine.events import DELIVER, ENTER, FAULT, KIND, NODE, RESUMED, SENDER, SEQ, TIME
from algorithms.engine.observe import request_order
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import is_promised
from algorithms.engine.observe.verdicts import BROKEN, HOLDS, OVERDUE, PENDING, Verdict
from algorithms.engine.process import Algorithm, Variant
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Closed, Poisson, Request, Saturated, Script
from algorithms.mutual_exclusion import centralized, ricart_agrawala, token_ring
from tests.support.diary import Diary
from tests.support.kit import entries, for_each, run
from tests.support.random_scenarios import ALGORITHMS, random_scenario
from tests.support.state_monitor import StateMonitor


def watched(simulation: Simulation, may_go_on: bool = False) -> Monitors:
    """Monitors that have read the run so far, and know if nothing can happen any more."""
    monitors = Monitors(simulation.scenario, simulation.algorithm)
    monitors.advance(simulation.trace)
    if simulation.is_over() and not may_go_on:
        monitors.finish(simulation.trace)
    return monitors


def verdict(simulation: Simulation, name: str) -> Verdict:
    """What the monitor of that name says at the end of the run so far."""
    return watched(simulation).at(simulation.steps, simulation.now)[name]


def broken(simulation: Simulation) -> set[str]:
    """The names of the monitors that the run has broken."""
    verdicts = watched(simulation).at(simulation.steps, simulation.now)
    return {name for name, found in verdicts.items() if found.status == BROKEN}


def mutant(algorithm: Algorithm, process: type[Any], *requests: Request, **scenario: Any) -> Simulation:
    """A run of 50 units of an algorithm whose processes are of another class; all want all the time, or as said."""
    load = Script(requests=requests) if requests else Saturated(hold=Fixed(3.0))
    simulation = Simulation(Scenario(algorithm.name, load=load, **scenario), replace(algorithm, process=process))
    simulation.run(until=50)
    return simulation


def asks(*times: float) -> Script:
    """P0 asks at the first time, P1 at the second, and so on."""
    return Script(requests=tuple(Request(at, node) for node, at in enumerate(times)))


# ---- found the long way ------------------------------------------------------------------------------------


def random_run(name: str, seed: int, without: tuple[str, ...], **changes: Any) -> tuple[Simulation, Diary]:
    """A run of a random scenario, without the named faults, and a diary of it."""
    scenario = random_scenario(name, random.Random(f"monitors {name} {seed}"))
    events = tuple(event for event in scenario.events if event.do not in without)
    simulation = catalog.simulation(replace(scenario, events=events, **changes))
    return simulation, Diary(simulation)


def breaches(simulation: Simulation, name: str) -> list[tuple[int, float]]:
    """(step, time) of each breach of one property."""
    found = watched(simulation).breaches(simulation.steps)
    return [(breach.step, breach.time) for breach in found if breach.monitor == name]


@for_each(seed=range(8), name=ALGORITHMS)
def test_me1_is_broken_whenever_somebody_comes_to_others_inside(name, seed):
    simulation, diary = random_run(name, seed, without=())
    comes = {k for k in diary.steps if any(record[KIND] in (ENTER, RESUMED) for record in diary.records[k])}
    expected = [(k, diary.times[k]) for k in sorted(comes) if len(diary.inside[k]) > 1]
    assert breaches(simulation, "ME1") == expected


@for_each(seed=range(8), name=ALGORITHMS)
def test_me2_is_overdue_while_a_request_waits_too_long_and_holds_again_when_it_is_served(name, seed):
    """After each step, by the diary; nothing is broken while anything can still happen."""
    patience = 12.0
    simulation, diary = random_run(name, seed, ("crash", "leave"), patience=patience)
    monitors = watched(simulation, may_go_on=True)
    claims = []  # node, and from when until when each of its requests waits
    for node in diary.nodes:
        asked = [k for k in diary.steps if diary.asks(k, node)]
        served = [k for k in diary.steps if node in diary.served(k)]
        claims += [(node, begin, end) for begin, end in zip_longest(asked, served, fillvalue=inf)]
    for step in diary.steps:
        now = diary.times[step]
        since = [(node, diary.times[int(begin)]) for node, begin, end in claims if begin <= step < end]
        late = {node for node, time in since if now > time + patience}
        found = monitors.at(step, now)["ME2"]
        assert found.status == (OVERDUE if late else PENDING if since else HOLDS)
        assert set(found.nodes) == (late or {node for node, _ in since})


@pytest.mark.parametrize("load", [Poisson(rate=0.3), Saturated(), Script(requests=(Request(0.0, 1), Request(9.0, 2)))])
def test_a_request_that_has_become_hopeless_is_broken_from_then_on_and_not_before(load):
    """The token is lost; requests of those who wait already go on for a while, and change nothing."""
    lost = Event(4.5, "lose-token")
    simulation = run("token-ring", 3, lost, load=load, patience=10.0, until=300)
    verdicts = [
        watched(simulation).at(step, simulation.trace.event(step - 1)[TIME])["ME2"]
        for step in range(5, simulation.steps + 1)
    ]
    first = next(k for k, found in enumerate(verdicts) if found.status == BROKEN)
    assert {found.status for found in verdicts[first:]} == {BROKEN}
    assert {(found.step, found.time) for found in verdicts[first:]} == {(first + 5, verdicts[first].time)}
    fresh = [
        step for step in range(5, simulation.steps + 1) if simulation.trace.event(step - 1)[KIND] in (FAULT, DELIVER)
    ]
    assert first + 5 >= fresh[-1]


def test_lights_say_what_an_algorithm_does_not_promise():
    found = watched(run("uncoordinated", 3, load=asks(1.0, 1.5, 5.0))).at(3, 1.5)
    assert {name for name, verdict in found.items() if not verdict.promised} == {"ME1", "ME3"}
    assert found["ME1"].message().endswith(" (Not promised by this algorithm.)")
    ring = catalog.find("token-ring")
    promised = [v for v in (None, "regenerating", "acknowledged") if is_promised(ring.of(v), "one token")]
    assert promised == [None, "acknowledged"]  # whoever makes a new token does not promise that there is always one
    assert watched(run("wandering-token-report", 3)).at(1, 0.0)["one token"].promised is False
    assert all(verdict.promised for verdict in watched(run("ricart-agrawala", 3)).at(1, 0.0).values())


def test_before_there_is_a_token_nobody_says_that_there_is_exactly_one():
    simulation = run("token-ring", 3, until=2)
    first = watched(simulation).at(0, 0.0)["one token"]
    assert (first.status, first.sentence()) == (PENDING, "pending: no token yet")
    assert watched(simulation).at(1, 0.0)["one token"].status == HOLDS


@for_each(seed=range(12), name=[*ALGORITHMS, "voting"], load=[Saturated(), Closed(think=3.0)])
def test_me3_is_broken_where_vector_clocks_say_so(name, seed, load, monkeypatch):
    """Closed loads: nobody asks while it is busy, so that a request is the first thing that happens in its step."""
    monkeypatch.setattr(request_order, "_WIDTH", 7)
    network = Network(delay=Exponential(2.0))
    simulation, diary = random_run(name, seed, ("request", "load"), load=load, network=network)
    clock = {node: [0] * len(diary.nodes) for node in diary.nodes}  # by process: the requests of each it has heard of
    carried: dict[int, list[int]] = {}
    asked: dict[int, list[int]] = {}  # node whose request is open -> the request's clock
    expected = []
    for step in diary.steps:
        event, *effects = diary.records[step]
        if event[KIND] == DELIVER and diary.up(step - 1, event[NODE]):
            pairs = zip(clock[event[NODE]], carried.get(event[SEQ], clock[event[NODE]]), strict=True)
            clock[event[NODE]] = [max(pair) for pair in pairs]
        for node in diary.nodes:
            if diary.asks(step, node):
                clock[node] = [count + (other == node) for other, count in enumerate(clock[node])]
                asked[node] = clock[node]
        for record in effects:
            if record[KIND] == DELIVER and event[KIND] != FAULT:
                carried[record[SEQ]] = clock[record[SENDER]]
            elif record[KIND] == ENTER and record[NODE] in asked:
                mine = asked.pop(record[NODE])
                if any(theirs[other] <= mine[other] for other, theirs in asked.items()):
                    expected.append((step, diary.times[step]))
        for node in [node for node in asked if not diary.up(step, node)]:
            del asked[node]
    assert breaches(simulation, "ME3") == expected


# ---- ME1, ME2, ME3: who keeps what -------------------------------------------------------------------------


@for_each(seed=range(5), load=[Poisson(rate=0.1), Saturated()], name=["centralized", "ricart-agrawala", "token-ring"])
def test_without_faults_and_with_equal_delays_nothing_is_broken(name, load, seed):
    simulation = run(name, 5, load=load, seed=seed, until=200)
    verdicts = watched(simulation).at(simulation.steps, simulation.now)
    assert {verdict.status for verdict in verdicts.values()} <= {HOLDS, PENDING}
    assert {name for name, verdict in verdicts.items() if verdict.status == PENDING} <= {"ME2"}


def test_uncoordinated_processes_meet_inside():
    simulation = run("uncoordinated", 3, load=asks(1.0, 1.5, 5.0))
    assert verdict(simulation, "ME1") == Verdict(
        "ME1",
        "at most one process at a time is in the critical section",
        BROKEN,
        step=3,
        time=1.5,
        detail="P1 enters while P0 is inside",
        nodes=(0, 1),
        promised=False,
    )
    assert verdict(simulation, "ME1").sentence() == "broken at step 3: P1 enters while P0 is inside"


def test_a_breach_shows_at_its_step_and_not_before():
    simulation = run("uncoordinated", 2, load=asks(1.0, 1.5))
    monitors = watched(simulation)
    assert monitors.at(2, 1.2)["ME1"].status == HOLDS
    assert monitors.at(3, 1.5)["ME1"].status == BROKEN
    assert (len(monitors.breaches(2)), len(monitors.breaches(3))) == (0, 1)


def test_a_process_paused_inside_is_inside_and_a_crashed_one_is_not():
    assert "ME1" in broken(run("uncoordinated", 2, Event(1.2, "pause", node=0), load=asks(1.0, 1.5)))
    assert "ME1" not in broken(run("uncoordinated", 2, Event(1.2, "crash", node=0), load=asks(1.0, 1.5)))
    back = Event(1.2, "crash", node=0), Event(1.8, "recover", node=0)
    assert "ME1" in broken(run("uncoordinated", 2, *back, load=asks(1.0, 1.5)))


def test_a_request_is_pending_until_it_is_served_and_broken_when_it_never_can_be():
    simulation = run("ricart-agrawala", 3, Event(0.5, "crash", node=2), load=asks(1.0), until=1.5)
    pending = verdict(simulation, "ME2")
    assert (pending.status, pending.nodes, pending.sentence()) == (PENDING, (0,), "pending: P0")
    simulation.run()
    assert verdict(simulation, "ME2").detail == "P0's request (since 1) can never be served"
    assert watched(simulation, may_go_on=True).at(simulation.steps, simulation.now)["ME2"].status == PENDING


def test_what_will_never_be_is_forgotten_when_something_happens_after_all():
    """P1 crashes when P0 has asked: after 5 steps that is the end. Undone, both wait after 5 steps."""
    timeline = catalog.timeline(Scenario("ricart-agrawala", nodes=2, load=asks(1.0, 1.0)))
    timeline.seek(2)
    timeline.act(Event(1.0, "crash", node=1))
    timeline.seek(100)
    monitors, now = watched(timeline.simulation), timeline.simulation.now
    assert (timeline.step, monitors.at(5, now)["ME2"].status) == (5, BROKEN)
    timeline.act(Event(3.0, "recover", node=1))
    monitors.advance(timeline.trace)
    assert monitors.at(5, now)["ME2"].status == PENDING
    timeline.undo()
    monitors.advance(timeline.trace)
    monitors.finish()
    timeline.undo()
    timeline.seek(5)
    monitors.advance(timeline.trace)
    assert monitors.at(5, now)["ME2"].nodes == (0, 1)


def test_who_crashes_has_no_claim_and_has_one_anew_with_its_memory():
    crash = Event(1.5, "crash", node=1)
    crashed = run("ricart-agrawala", 2, crash, load=asks(50.0, 1.0))
    assert verdict(crashed, "ME2").detail == "P0's request (since 50) can never be served"
    back = run("token-ring", 3, crash, Event(20.0, "recover", node=1), load=asks(90.0, 1.1), patience=10.0)
    monitors = watched(back, may_go_on=True)
    assert [monitors.at(back.steps, time)["ME2"].status for time in (30.0, 30.1)] == [PENDING, OVERDUE]


def test_patience_runs_out_between_steps():
    simulation = run("ricart-agrawala", 2, Event(0.5, "crash", node=1), load=asks(1.0), patience=10.0)
    monitors = watched(simulation, may_go_on=True)
    assert monitors.at(simulation.steps, 11.0)["ME2"].status == PENDING
    late = monitors.at(simulation.steps, 11.5)["ME2"]
    assert (late.status, late.nodes) == (OVERDUE, (0,))
    assert late.message() == "P0 has been waiting for more than 10 time units (since 1)."
    broken_now = watched(simulation).at(simulation.steps, 11.5)["ME2"]
    assert broken_now.message().startswith("“Liveness” fails at step ")


@for_each(delay=[Fixed(1.0), Uniform(1.0, 2.0)], seed=range(10))
def test_ricart_agrawala_keeps_the_order_while_no_detour_is_quicker(delay, seed):
    network = Network(delay=delay)
    assert "ME3" not in broken(run("ricart-agrawala", 5, load=Poisson(rate=0.2), network=network, seed=seed))


def test_ricart_agrawala_loses_the_order_when_news_of_a_request_overtakes_it():
    """P1's request reaches P2, whose reply to P0 then happens after it; but replies carry no clock.

    P0, served, asks again with the same number as P1, and its identifier is the smaller.
    """
    load = Script(requests=(Request(0.0, 0), Request(1.1, 1), Request(5.0, 0)))
    slow = (
        Event(0.1, "delay", node=0, to=2, type="Request", delay=1.5),
        Event(1.2, "delay", node=1, to=0, type="Request", delay=20.0),
    )
    found = verdict(run("ricart-agrawala", 3, *slow, load=load), "ME3")
    assert (found.status, found.detail) == (BROKEN, "P0 enters ahead of P1, whose request happened before its own")


def test_in_a_ring_nobody_hears_of_a_request_before_it_is_served():
    """Only the token brings news, and it serves a process before it leaves it: even out of turn ME3 holds."""
    simulation = run("token-ring", 4, load=asks(1.5, 1.4, 1.3, 1.2))
    assert [node for _, node in entries(simulation)] == [2, 3, 0, 1]
    assert verdict(simulation, "ME3").status == HOLDS


def test_voting_does_not_keep_the_order():
    assert "ME3" in broken(run("voting", 5, load=Poisson(rate=0.1), until=200))


# ---- mutants that must be caught ---------------------------------------------------------------------------


class Impatient(ricart_agrawala.RicartAgrawala):
    def acquire(self):
        super().acquire()
        self.enter()

    def on_reply(self, reply, sender):
        pass


class Forgetful(ricart_agrawala.RicartAgrawala):
    def release(self):
        self.stamp = None
        self.deferred = set()


class Selfish(centralized.Centralized):
    def on_release(self, release, sender):
        if self.id in self.queue:
            self.queue.remove(self.id)
            self.queue.appendleft(self.id)
        super().on_release(release, sender)


class Generous(token_ring.TokenRing):
    def release(self):
        self.send(token_ring.Token(), to=self.next)
        self.send(token_ring.Token(), to=self.next)


class Careless(token_ring.TokenRing):
    def release(self):
        self.destroy_token()


@pytest.mark.parametrize(
    ("algorithm", "process", "expected"),
    [
        (ricart_agrawala, Impatient, {"ME1"}),
        (ricart_agrawala, Forgetful, {"ME2"}),
        (centralized, Selfish, {"ME3"}),
        (token_ring, Careless, {"ME2", "one token"}),
    ],
)
def test_mutants_are_caught(algorithm, process, expected):
    requests = Request(0.0, 1), Request(0.2, 2), Request(2.5, 0)
    assert broken(mutant(algorithm.ALGORITHM, process, *requests, nodes=3)) == expected
    assert broken(mutant(algorithm.ALGORITHM, algorithm.ALGORITHM.process, *requests, nodes=3)) == set()


def test_two_tokens_let_two_processes_in():
    simulation = mutant(token_ring.ALGORITHM, Generous, nodes=4)
    assert broken(simulation) == {"ME1", "one token"}
    assert verdict(simulation, "one token").detail == "there are 2 tokens"


# ---- tokens ------------------------------------------------------------------------------------------------


def test_a_lost_token_and_a_second_token_break_one_token():
    lost = verdict(run("token-ring", 3, Event(4.5, "lose-token"), until=20), "one token")
    assert (lost.status, lost.time, lost.detail) == (BROKEN, 4.5, "the token has been lost")
    twice = verdict(run("token-ring", 3, Event(4.5, "duplicate-token"), until=20), "one token")
    assert (twice.status, twice.time, twice.detail) == (BROKEN, 4.5, "there are 2 tokens")
    assert verdict(run("token-ring", 3, until=20), "one token").status == HOLDS


def test_an_algorithm_without_a_token_has_no_light_for_it():
    assert set(Monitors(Scenario("centralized"), centralized.ALGORITHM).by_name) == {"ME1", "ME2", "ME3"}
    assert set(Monitors(Scenario("bully"), bully.ALGORITHM).by_name) == {"E1", "E2"}


# ---- elections ---------------------------------------------------------------------------------------------


def elect(*events: Event, **scenario: Any) -> Simulation:
    """Bully among 5, with P0 asking for an election at time 1."""
    return run("bully", 5, Event(1.0, "request", node=0), *events, **scenario)


def test_everybody_agrees_after_an_election_and_is_about_to_during_it():
    simulation = elect(until=2.5)
    assert verdict(simulation, "E2").status == PENDING
    assert verdict(simulation, "E2").nodes == (0, 1, 2, 3)  # P4 has just taken over
    simulation.run(until=100)
    assert {name: v.status for name, v in watched(simulation).at(simulation.steps, 100.0).items()} == {
        "E1": HOLDS,
        "E2": HOLDS,
    }


def test_learning_of_a_new_leader_one_after_the_other_is_no_disagreement():
    events = Event(20.0, "crash", node=4), Event(21.0, "request", node=1), Event(60.0, "recover", node=4)
    simulation = elect(*events, network=Network(delay=Uniform(0.2, 1.0)))
    assert {process.leader for process in simulation.processes} == {4}
    assert broken(simulation) == set()


def test_a_paused_leader_that_comes_back_is_one_leader_too_many():
    events = Event(20.0, "pause", node=4), Event(21.0, "request", node=1), Event(60.0, "resume", node=4)
    found = verdict(elect(*events), "E1")
    assert (found.status, found.time) == (BROKEN, 60.0)
    assert found.detail == "P4 believes P4 is the leader, P0 believes P3 is"
    assert verdict(elect(*events[:2]), "E1").status == HOLDS  # while it stands still


class Vain(bully.Bully):
    def start(self):
        self.elect(self.id)
        self.send(bully.Coordinator(), to=[])


class Taciturn(bully.Bully):
    def below(self):
        return []


def test_two_who_each_elect_themselves_disagree():
    simulation = mutant(bully.ALGORITHM, Vain, Request(1.0, 0), Request(2.0, 1), nodes=3)
    assert verdict(simulation, "E1").detail == "P1 believes P1 is the leader, P0 believes P0 is"


def test_a_leader_that_keeps_it_to_itself_leaves_the_others_ignorant():
    simulation = mutant(bully.ALGORITHM, Taciturn, Request(1.0, 2), nodes=3)
    assert broken(simulation) == {"E2"}
    found = verdict(simulation, "E2")
    assert found.detail == "P0 can never learn who the leader is (waiting since 1)"


def test_an_election_that_goes_on_for_ever_exhausts_any_patience():
    """The maximum crashes when its number has left: it goes round for ever."""
    events = Event(1.0, "request", node=0), Event(4.5, "crash", node=3)
    endless = run("chang-roberts", 4, *events, patience=50.0, variant="skipping", until=200)
    found = verdict(endless, "E2")
    assert (found.status, found.time) == (OVERDUE, None)
    assert found.detail == "P0 has not known the leader for more than 50 time units (since 1)"
    proven = run("chang-roberts", 4, *events, patience=50.0, shows="E2", variant="skipping", until=200)
    assert (verdict(proven, "E2").status, verdict(proven, "E2").time) == (BROKEN, 51.0)


def test_who_comes_back_without_its_memory_has_yet_to_learn():
    events = Event(30.0, "crash", node=2), Event(40.0, "recover", node=2, memory=False)
    simulation = run("ring-election", 4, Event(1.0, "request", node=0), *events)
    assert verdict(simulation, "E2").detail == "P2 can never learn who the leader is (waiting since 40)"


# ---- the algorithm's own invariants ------------------------------------------------------------------------


def test_an_algorithm_s_own_invariants_are_checked_after_each_step():
    """The second token comes right after the first: only then do two processes of the ring hold one."""
    events = (Event(0.5, "duplicate-token"),)
    scenario = Scenario("token-ring", nodes=3, events=events, load=Saturated(hold=Fixed(10.0)))
    one_holder = {"one holder": lambda processes: sum(process.holding() for process in processes) <= 1}
    algorithm = replace(catalog.find("token-ring"), invariants=one_holder)
    assert StateMonitor(Simulation(scenario, algorithm)).run(steps=50)["one holder"].time == 2.0
    assert StateMonitor(Simulation(replace(scenario, events=()), algorithm)).run(steps=50) == {}


def test_an_invariant_may_see_the_messages_in_transit_and_those_that_wait_at_a_paused_process():
    """Each two philosophers share one fork, wherever it is; a message that is dropped takes one away."""
    scenario = Scenario("chandy-misra", nodes=4, load=Closed(think=1.0), until=40.0)
    paused = replace(scenario, events=(Event(2.0, "pause", node=1), Event(9.0, "resume", node=1)))
    for each in (scenario, paused):
        monitor = StateMonitor(catalog.simulation(each))
        assert monitor.run(steps=200) == {}
    dropped = replace(scenario, events=tuple(Event(k + 0.5, "drop", type="Fork") for k in range(9)))
    assert set(StateMonitor(catalog.simulation(dropped)).run(steps=200)) == {"one fork per edge"}


def test_a_variant_adds_its_own_invariants():
    algorithm = catalog.find("token-ring")
    own = {"never": lambda processes: False}
    variant = Variant(algorithm.process, "The same, with an invariant that does not hold.", invariants=own)
    chosen = replace(algorithm, variants={"watched": variant}).of("watched")
    assert chosen.invariants == {**algorithm.invariants, **own}
    run = Simulation(Scenario("token-ring", nodes=3), chosen)
    assert set(StateMonitor(run).run(steps=1)) == {"never"}
    with pytest.raises(ValueError, match="invariants of variant 'x' is"):
        check_variant("x", Variant(algorithm.process, "Wrong.", invariants={"odd": 3}))
