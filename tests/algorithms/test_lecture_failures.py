"""The lecture's algorithms under faults: each repair holds, each mutant breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.engine.events import KIND, SUSPECTED
from algorithms.engine.observe.meters import Meters
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Closed, Load, Request, Script
from tests.support.kit import entries, for_each, leaders, run, sent, verdicts

NEARLY_REGULAR = Network(delay=Uniform(0.8, 1.2))  # within what the time-outs allow for
MUTUAL_EXCLUSION = ("centralized", "ricart-agrawala", "token-ring", "voting")
ELECTIONS = ("bully", "chang-roberts", "ring-election")
SEEDS = st.integers(0, 999)  # of a run's delays


def tenths(low: int, high: int) -> st.SearchStrategy[float]:
    """Times from `low` to `high` in steps of 0.1."""
    return st.integers(10 * low, 10 * high).map(lambda tenth: tenth / 10)


def counters(simulation: Simulation):
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    return meters.at(meters.steps, simulation.now)


# ---- while nothing fails -----------------------------------------------------------------------------------


def refinements(names: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """The algorithms, and their variants that are correct without faults."""
    variants = [(name, v, variant) for name in names for v, variant in catalog.find(name).variants.items()]
    return [*((name, None) for name in names), *((name, v) for name, v, how in variants if not is_mutant(how.breaks))]


def is_mutant(breaks: tuple[str, ...]) -> bool:
    """Whether it breaks a property without any fault, and not only after a crash."""
    return bool({"ME1", "ME2", "ME3", "one token"} & set(breaks))


@for_each(case=refinements(MUTUAL_EXCLUSION), seed=range(3))
def test_every_process_is_served_one_at_a_time(case, seed):
    name, variant = case
    simulation = run(name, 5, variant=variant, seed=seed, network=NEARLY_REGULAR, load=Closed(think=20.0), patience=300)
    promised = simulation.algorithm.promises
    assert {m: v for m, v in verdicts(simulation).items() if v == "broken" and m in (*promised, "one token")} == {}
    assert min(counters(simulation).entries_per_node) >= 5


@settings(max_examples=6)
@given(calls=st.lists(st.tuples(tenths(0, 10), st.integers(0, 4)), min_size=1, max_size=4), seed=SEEDS)
@for_each(case=[case for case in refinements(ELECTIONS) if case[1] not in ("oracle", "swallowing")])
def test_every_process_ends_up_with_the_highest_as_leader(case, calls, seed):
    name, variant = case
    requests = [Event(time, "request", node=node) for time, node in calls]
    simulation = run(name, 5, *requests, variant=variant, seed=seed, network=NEARLY_REGULAR, until=150)
    assert verdicts(simulation) == {"E1": "holds", "E2": "holds"}
    assert leaders(simulation) == {4}


# ---- crashes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "variant"),
    [("bully", None), ("bully", "watching"), ("chang-roberts", "restarting"), ("ring-election", "restarting")],
)
@settings(max_examples=12)
@given(data=st.data(), nodes=st.integers(3, 6), seed=SEEDS)
def test_an_election_survives_a_crash_in_the_middle(name, variant, data, nodes, seed):
    first, victim, second = (data.draw(st.integers(0, nodes - 1)) for _ in range(3))
    caller = second if second != victim else (victim + 1) % nodes
    crash = Event(data.draw(tenths(0, 3 * nodes)), "crash", node=victim)
    calls = [Event(0.0, "request", node=first), Event(150.0, "request", node=caller)]
    simulation = run(name, nodes, crash, *calls, variant=variant, seed=seed, network=NEARLY_REGULAR, until=300)
    assert verdicts(simulation) == {"E1": "holds", "E2": "holds"}
    assert leaders(simulation) == {max(n for n in range(nodes) if n != victim)}


@settings(max_examples=12)
@given(victim=st.integers(0, 5), time=tenths(10, 40), seed=SEEDS)
def test_the_repaired_ring_serves_every_process_despite_a_crash_and_a_recovery(victim, time, seed):
    crash = Event(time, "crash", node=victim)
    back = Event(250.0, "recover", node=victim, memory=False)
    simulation = run(
        *("token-ring", 6, crash, back),
        variant="regenerating",
        seed=seed,
        network=NEARLY_REGULAR,
        load=Closed(think=10.0),
        patience=200,
    )
    found = verdicts(simulation)
    assert (found["ME1"], found["ME2"]) in [("holds", "holds"), ("holds", "pending")]
    assert counters(simulation).tokens == 1
    assert {node for time, node in entries(simulation) if time > 300} == set(range(6))


@pytest.mark.parametrize("fault", ["lose-token", "crash"])
def test_the_plain_ring_stops_where_the_repaired_one_continues(fault):
    event = Event(30.5, fault, node=2 if fault == "crash" else None)
    plain = run("token-ring", 6, event, load=Closed(think=10.0))
    repaired = run("token-ring", 6, event, load=Closed(think=10.0), variant="regenerating")
    assert max(time for time, _ in entries(plain)) < 45
    assert max(time for time, _ in entries(repaired)) > 490


def test_the_repaired_ring_never_removes_a_second_token_and_so_does_not_promise_to_converge():
    """By hand: both travel equally fast, and each puts off the election that would make more."""
    simulation = run("token-ring", 6, Event(30.5, "duplicate-token"), variant="regenerating")
    assert counters(simulation).tokens == 2
    assert "convergence" not in simulation.algorithm.promises


@settings(max_examples=12)
@given(
    time=tenths(10, 40),
    asked=st.lists(st.tuples(tenths(0, 200), st.integers(1, 5)), max_size=20),
    seed=SEEDS,
)
def test_a_careful_successor_keeps_mutual_exclusion(time, asked, seed):
    crash = Event(time, "crash", node=0)
    requests = tuple(Request(at, node) for at, node in asked)
    load = Script(requests=requests, hold=Uniform(1.0, 15.0))
    careful = run("centralized", 6, crash, variant="electing", seed=seed, network=NEARLY_REGULAR, load=load)
    assert verdicts(careful)["ME1"] == verdicts(careful)["ME2"] == "holds"
    assert len(entries(careful)) == len(requests)


def test_a_blind_successor_lets_two_processes_in():
    load = Script(requests=(Request(1.0, 3), Request(4.0, 1)), hold=Fixed(30.0))
    crash = Event(6.0, "crash", node=0)
    assert verdicts(run("centralized", 6, crash, variant="electing-unsafe", load=load))["ME1"] == "broken"
    assert verdicts(run("centralized", 6, crash, variant="electing", load=load))["ME1"] == "holds"


def test_a_dead_coordinator_stops_voting_unless_silence_counts_as_refusal():
    crash = Event(20.0, "crash", node=2)
    plain = run("voting", 5, crash, load=Closed(think=10.0))
    tolerant = run("voting", 5, crash, load=Closed(think=10.0), variant="tolerant", patience=300)
    assert max(time for time, _ in entries(plain)) < 60
    assert verdicts(tolerant)["ME1"] == "holds"
    assert {node for time, node in entries(tolerant) if time > 300} == {0, 1, 3, 4}


# ---- suspicion ---------------------------------------------------------------------------------------------


def test_a_detector_is_wrong_only_if_messages_are_slow():
    steady = run("centralized", 5, variant="detecting", load=Closed(think=10.0), network=NEARLY_REGULAR)
    erratic = run(
        "centralized", 5, variant="detecting", load=Closed(think=10.0), network=Network(delay=Exponential(2.0))
    )
    assert counters(steady).suspicions == 0
    assert counters(erratic).false_suspicions == counters(erratic).suspicions > 10


def test_a_crashed_coordinator_is_suspected_by_every_waiting_process():
    simulation = run("centralized", 5, Event(30.0, "crash", node=0), variant="detecting", load=Closed(think=10.0))
    found = counters(simulation)
    assert (found.suspicions, found.false_suspicions) == (4, 0)


def test_impatient_processes_mistake_a_long_queue_for_a_crash():
    load = Script(requests=tuple(Request(0.0, node) for node in range(1, 5)), hold=Fixed(6.0))
    assert counters(run("centralized", 5, variant="impatient", load=load)).false_suspicions == 3
    assert counters(run("centralized", 5, variant="detecting", load=load)).suspicions == 0


def test_no_algorithm_looks_at_the_state_of_another_process():
    """A process knows only its messages, not its host, its peers' objects or the run."""
    folder = Path(catalog.__file__).parent
    files = [*folder.glob("mutual_exclusion/*.py"), *folder.glob("election/*.py"), *folder.glob("components/*.py")]
    assert len(files) > 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not any(word in text for word in ("_host", "_parts", ".processes", ".down")), file


def test_suspicions_are_recorded_in_the_trace():
    simulation = run("bully", 4, Event(0.0, "crash", node=3), Event(1.0, "request", node=2))
    assert [r[3:] for r in simulation.trace.records if r[KIND] == SUSPECTED] == [(2, 3)]


# ---- mutants -----------------------------------------------------------------------------------------------

BOTH_ASK = Script(requests=(Request(0.0, 0), Request(0.0, 1)), hold=Fixed(5.0))
ONE_AFTER_THE_OTHER = Script(requests=(Request(0.0, 0), Request(1.5, 1)), hold=Fixed(9.0))
FROM_AFAR = Script(requests=(Request(0.0, 1), Request(0.0, 2)), hold=Fixed(5.0))
MUTANTS = [
    ("centralized", "grants-twice", "ME1", FROM_AFAR, ()),
    ("ricart-agrawala", "both-defer", "ME2", BOTH_ASK, ()),
    ("ricart-agrawala", "neither-defers", "ME1", BOTH_ASK, ()),
    ("ricart-agrawala", "current-clock", "ME1", BOTH_ASK, ()),
    ("ricart-agrawala", "impatient", "ME1", ONE_AFTER_THE_OTHER, ()),
    ("ricart-agrawala", "forgetful", "ME2", BOTH_ASK, ()),
    ("voting", "half", "ME1", Script(requests=(Request(0.0, 0), Request(0.0, 2)), hold=Fixed(5.0)), ()),
    ("token-ring", "asking-everybody", "one token", Load(), (Event(9.5, "delay", type="Token", delay=60.0),)),
    ("bully", "oracle", "E2", Load(), (Event(0.0, "crash", node=3), Event(1.0, "request", node=0))),
    ("ring-election", "swallowing", "E2", Load(), (Event(1.0, "request", node=0),)),
]


@for_each(case=MUTANTS)
def test_a_mutant_breaks_its_declared_property_and_the_original_does_not(case):
    name, variant, monitor, load, events = case
    assert monitor in catalog.find(name).variants[variant].breaks
    assert verdicts(run(name, 4, *events, variant=variant, load=load, until=150))[monitor] == "broken"
    assert verdicts(run(name, 4, *events, load=load, until=150))[monitor] == "holds"


def test_an_election_whose_maximum_crashes_needs_a_timeout_to_end():
    ids = {"ids": (17, 24, 1, 28, 15, 9, 4, 33)}
    events = (Event(0.0, "request", node=0), Event(9.5, "crash", node=7))
    endless = run("chang-roberts", 8, *events, variant="skipping", parameters=ids)
    assert verdicts(endless)["E2"] == "pending"
    assert sent(endless)["Election"] > 490  # one for each unit of time, to the end
    repaired = run("chang-roberts", 8, *events, variant="restarting", parameters=ids)
    assert verdicts(repaired) == {"E1": "holds", "E2": "holds"}
    assert leaders(repaired) == {3}  # 28


def test_a_slow_leader_that_resumes_is_a_second_leader():
    events = (
        Event(0.0, "request", node=4),
        Event(4.0, "pause", node=4),
        Event(5.0, "request", node=1),
        Event(18.0, "resume", node=4),
    )
    assert verdicts(run("bully", 5, *events[:3])) == {"E1": "holds", "E2": "holds"}
    assert verdicts(run("bully", 5, *events))["E1"] == "broken"


# ---- the shipped scenarios ---------------------------------------------------------------------------------

OUTCOMES = {
    "refused": {"ME1": "holds", "ME2": "holds"},
    "queue-or-crash": {"ME1": "holds", "ME2": "holds"},
    "signs-of-life": {"ME1": "holds", "ME2": "overdue"},
    "blind-successor": {"ME1": "broken", "ME2": "holds"},
    "careful-successor": {"ME1": "holds", "ME2": "holds"},
    "six-of-ten-votes": {"ME1": "holds", "ME2": "holds"},
    "votes-forgotten": {"ME1": "broken", "ME2": "holds"},
    "more-votes": {"ME1": "holds", "ME2": "holds"},
    "bully-worst": {"E1": "holds", "E2": "holds"},
    "bully-two-crashes": {"E1": "holds", "E2": "holds"},
    "paused-leader": {"E1": "broken", "E2": "holds"},
    "ring-election-numbers": {"E1": "holds", "E2": "holds"},
    "ring-election-list": {"E1": "holds", "E2": "holds"},
    "endless-election": {"E1": "holds", "E2": "overdue"},
    "endless-election-repaired": {"E1": "holds", "E2": "holds"},
    "dead-neighbour": {"ME1": "holds", "ME2": "holds"},
    "lost-token-replaced": {"ME1": "holds", "ME2": "holds", "one token": "broken"},
    "token-in-flight": {"ME1": "broken", "ME2": "holds", "one token": "broken"},
}


@for_each(name=OUTCOMES)
def test_a_shipped_scenario_shows_what_its_title_says(name):
    scenario: Scenario = scenario_file.load(scenario_file.find(name))
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    found = verdicts(simulation)
    assert {monitor: found[monitor] for monitor in OUTCOMES[name]} == OUTCOMES[name]
    assert all(0 < marker.at < simulation.now for marker in scenario.markers)
