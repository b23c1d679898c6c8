"""Counter-examples are ordinary runs, which break their property at the last step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.engine.check.counterexample import Replay, base_scenario, counterexample_scenario
from algorithms.engine.check.explore import Exploration, Trail
from algorithms.engine.check.moves import Bounds, Cut
from algorithms.engine.check.properties import ALWAYS, EVENTUALLY
from algorithms.engine.events import DELIVER, DUE, KIND, LOST, NODE, SENDER, SENT, SEQ, TIME
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.verdicts import BROKEN, CONVERGENCE, OVERDUE, PENDING
from algorithms.engine.process import Algorithm, Message, MutexProcess
from algorithms.engine.scenario import Event, Flight, Network, Scenario
from algorithms.engine.simulation import Simulation
from tests.support.kit import for_each, verdicts
from tests.support.mutants import CAUGHT, FAMILIES, SHOWN, breaks, file_of, shortest
from tests.support.state_counts import (
    LARGE,
    READS_THE_CLOCK,
    ROWS,
    TOLD_OF_CRASHES,
    broken,
    exploration,
    finished,
    shared_exploration,
)
from tests.support.state_monitor import StateMonitor

MUTANTS = sorted(CAUGHT)


class Token(Message):
    """For the toys below."""


def breach(scenario: Scenario, name: str) -> tuple[int, int]:
    """The step at which the run first breaks the property, and its number of steps up to the last event."""
    run = catalog.simulation(scenario)
    monitors = Monitors(scenario, run.algorithm)
    steps = len(scenario.events) + 1
    for step in range(1, steps + 1):
        run.run(steps=step)
        monitors.advance(run.trace)
        if run.next_time() is None:
            monitors.finish()
        now = monitors.at(step, run.now)
        invariants = {breach.monitor for breach in StateMonitor(run).check()}
        if name in invariants or (name in now and now[name].status == BROKEN):
            return step, steps
    raise AssertionError(f"{name} is not broken")


def run_to_the_end(scenario: Scenario) -> Simulation:
    run = catalog.simulation(scenario)
    run.run(until=scenario.until)
    return run


# ---- mutants -----------------------------------------------------------------------------------------------


def test_every_mutant_in_the_catalogue_is_caught():
    assert breaks() == CAUGHT.keys() | SHOWN.keys()
    assert not CAUGHT.keys() & SHOWN.keys()


@for_each(mutant=sorted(SHOWN))
def test_a_shipped_scenario_shows_what_is_too_large_to_explore(mutant):
    scenario = scenario_file.load(scenario_file.find(SHOWN[mutant]))
    assert (scenario.algorithm, scenario.variant) == mutant[:2]
    assert verdicts(run_to_the_end(scenario))[mutant[2]] in (BROKEN, OVERDUE)


@for_each(mutant=MUTANTS)
def test_the_stored_schedule_is_a_shortest_one_and_breaks_the_property_at_its_last_step(mutant):
    stored = scenario_file.load(file_of(*mutant))
    assert len(stored.events) == len(shortest(*mutant).events)
    step, steps = breach(stored, mutant[2])
    assert step == steps


@for_each(mutant=MUTANTS)
def test_without_the_mutation_nothing_of_that_kind_happens(mutant):
    algorithm, _, name = mutant
    nodes, bounds = CAUGHT[mutant]
    if "crash" in bounds or name == "ME3":
        return  # the table of states says what the algorithm itself does then
    system = (algorithm, None, nodes, bounds)
    row = next((row for row in ROWS if row[:4] == system), None)  # what it says is checked with the table of states
    seen = row.broken if row else broken(finished(exploration(*system, state_limit=LARGE)))
    assert name not in seen  # far beyond the mutant's schedule, where the system is too large to explore


# ---- all that breaks in the table --------------------------------------------------------------------------

SMALL_AND_BROKEN = [row for row in ROWS if row.is_small and row.broken]


@pytest.mark.parametrize("name", sorted({row.algorithm for row in SMALL_AND_BROKEN}))
def test_in_the_replay_the_monitor_of_the_property_breaks_at_the_last_step(name):
    explorations = (shared_exploration(*row[:4]) for row in SMALL_AND_BROKEN if row.algorithm == name)
    for explored, finding in ((one, finding) for one in explorations for finding in one.report().findings):
        if finding.trail and finding.property.name not in ("no error", CONVERGENCE):  # which no monitor watches
            scenario = counterexample_scenario(explored, finding)
            assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario
            step, steps = breach(scenario, finding.property.name)
            assert step == steps


@pytest.mark.parametrize(
    ("name", "variant", "synchronous", "broken"),
    [
        ("centralized", None, False, {"ME2"}),
        ("token-ring", None, False, {"one token", "ME2"}),
        ("token-ring", "acknowledged", True, {"one token", "ME1", "ME2"}),
        ("bully", None, True, {"E1", "E2"}),
    ],
)
def test_a_link_that_is_cut_is_cut_in_the_replay(name, variant, synchronous, broken):
    seen = set()
    for cut in (Cut(0, 1), Cut(1, 0), Cut(0, 1, both=True)):
        explored = Exploration(
            Scenario(name, variant=variant, nodes=2),
            catalog.find(name),
            Bounds(synchronous=synchronous, cuts=(cut,)),
        )
        for finding in finished(explored).findings:
            if finding.trail:
                seen.add(finding.property.name)
                scenario = counterexample_scenario(explored, finding)
                assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario
                cuts = [(event.node, event.to, event.both) for event in scenario.events if event.do == "cut"]
                assert cuts in ([], [(cut.sender, cut.receiver, cut.both)])
                step, steps = breach(scenario, finding.property.name)
                assert step == steps
                assert run_to_the_end(scenario).steps >= steps
    assert seen == broken


def test_the_run_stops_before_a_step_that_fails():
    explored = shared_exploration("ricart-agrawala", None, 2, "duplicates=1")
    finding = next(f for f in explored.report().findings if f.property.name == "no error")
    scenario = counterexample_scenario(explored, finding)
    assert len(scenario.events) == len(finding.trail.moves) - 1
    assert scenario.markers[0].name == "the next step fails: KeyError: 1"
    run = catalog.simulation(scenario)
    run.run(steps=len(scenario.events) + 1)
    with pytest.raises(KeyError, match="1"):
        run.step()  # by the clock: the flight ends as the schedule has it


def test_a_property_that_fails_in_no_particular_place_has_no_run():
    explored = shared_exploration("ring-election", "swallowing", 2, "")
    leader = next(f for f in explored.report().findings if f.property.name == "leader")
    with pytest.raises(ValueError, match="nothing shows how leader fails"):
        counterexample_scenario(explored, leader)


# ---- how they look -----------------------------------------------------------------------------------------


@for_each(mutant=MUTANTS)
def test_moves_are_one_unit_of_time_apart_and_messages_are_in_transit_until_they_arrive(mutant):
    scenario = scenario_file.load(file_of(*mutant))
    run = catalog.simulation(scenario)
    run.run(steps=len(scenario.events) + 1)
    steps = [step for _, step in run.trace.steps()]
    assert [step[0][TIME] for step in steps] == list(range(len(steps)))
    sent = {r[SEQ]: r for _, *effects in steps for r in effects if r[KIND] == DELIVER and r[NODE] != r[SENDER]}
    for event, *effects in steps:
        if event[KIND] == DELIVER and event[SEQ] in sent:
            assert event == sent.pop(event[SEQ])  # the same record: its time is unchanged
        for lost in (effect for effect in effects if effect[KIND] == LOST):
            sent.pop(lost[SEQ], None)
    assert all(record[TIME] == run.now + 1 for record in sent.values())  # still in transit at the end
    assert run.now < scenario.until


def test_at_the_marker_only_the_schedule_has_happened():
    for mutant in MUTANTS:
        scenario = scenario_file.load(file_of(*mutant))
        run = catalog.simulation(scenario)
        run.run(until=scenario.markers[0].at)
        assert run.steps == len(scenario.events) + 1, mutant


def test_a_lost_message_vanishes_in_transit():
    explored = shared_exploration("chang-roberts", None, 2, "losses=1")
    finding = next(f for f in explored.report().findings if f.property.name == "E2")
    run = catalog.simulation(counterexample_scenario(explored, finding))
    run.run()
    lost = next(record for record in run.trace.records if record[KIND] == LOST)
    assert lost[SENT] < lost[TIME] < lost[DUE]


class Counting(MutexProcess):
    """Sends its neighbour three tokens at once."""

    def launch(self):
        for _ in range(3):
            self.send(Token(), to=1 - self.id)

    def on_token(self, token, sender):
        pass


class Gambling(MutexProcess):
    """Throws a die for every token, and enters of its own accord on the third side."""

    def offered(self):
        return 0.1

    def acquire(self):
        self.send(Token(), to=1 - self.id)

    def on_token(self, token, sender):
        self.rolled = (self.random.exponential(1.0) > -1, self.random.below(3), self.random.choice("abc"))
        if self.rolled[1:] == (2, "b"):
            self.enter()


def toy(process: type[MutexProcess]) -> Algorithm:
    return Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Token: "token"})


def test_a_script_of_flights_sets_the_delays_of_the_first_messages():
    network = Network(flights=(Flight(0, 1, (3.0, 0.5)), Flight(1, 0, (2.0,))))
    run = Simulation(Scenario("toy", nodes=2, network=network), toy(Counting))
    run.run()
    events = [run.trace.event(k) for k in range(1, len(run.trace))]
    assert [(e[TIME], e[SENDER]) for e in events] == [(2.0, 1), (2.0, 1), (2.0, 1), (3.0, 0), (3.0, 0), (3.0, 0)]


def test_without_fifo_the_script_lets_messages_overtake():
    network = Network(flights=(Flight(0, 1, (3.0, 0.5)),), fifo=False)
    run = Simulation(Scenario("toy", nodes=2, network=network), toy(Counting))
    run.run()
    arrivals = [run.trace.event(k) for k in range(1, len(run.trace))]
    assert [e[TIME] for e in arrivals if e[SENDER] == 0] == [0.5, 1.0, 3.0]


@pytest.mark.parametrize(("side", "letter"), [(0, "a"), (2, "b"), (1, "c")])
def test_the_draws_of_an_intervention_replace_the_random_numbers(side, letter):
    draws = (0.9, (side + 0.5) / 3, ("abc".index(letter) + 0.5) / 3)
    event = Event(1.0, "deliver", node=0, to=1, step=2, draws=draws)
    run = Simulation(Scenario("toy", nodes=2), toy(Gambling), [Event(0.0, "request", node=0, step=1), event])
    run.run(steps=3)
    assert run.processes[1].rolled[1:] == (side, letter)
    assert run.processes[1].inside == ((side, letter) == (2, "b"))
    assert run.stream(1).count == 0  # the process's own stream is unused


# ---- the checker agrees with the monitors ------------------------------------------------------------------

ADVERSARIES = (
    "requests=2",
    "requests=2 crashes=1",
    "losses=1 synchronous",
    "duplicates=1 crashes=1",
    "resets=2",
    "resets=2 synchronous",
)
WALKERS = [
    (algorithm.name, variant)
    for family in FAMILIES
    for algorithm in catalog.by_family()[family]
    for variant in (None, *algorithm.variants)
    if algorithm.name not in (*READS_THE_CLOCK, "k-state-ring", "random-access")
]


@settings(max_examples=5)
@given(bounds=st.sampled_from(ADVERSARIES), nodes=st.integers(2, 3), choices=st.binary(min_size=20, max_size=40))
@for_each(case=WALKERS)
def test_they_agree_after_every_move_of_a_walk(case, bounds, nodes, choices):
    name, variant = case
    if (name, variant) in TOLD_OF_CRASHES:
        bounds = bounds.replace("crashes=1", "")
    explored = exploration(name, variant, nodes, bounds)
    trail = walk(explored, choices)
    replay = Replay(base_scenario(explored, trail), explored.algorithm)
    monitors = Monitors(replay.scenario, explored.algorithm)
    seen: set[str] = set()  # broken so far
    for state, move in zip(trail.states, (None, *trail.moves), strict=True):
        if move:
            replay.make(move)
            replay.lose_undeliverable()
        monitors.advance(replay.run.trace)
        judgement = explored.judge.judge(state)
        seen |= {*judgement.notable}
        verdicts = monitors.at(replay.run.steps, replay.now)
        for known in explored.judge.properties:
            if known.name == "one token" and "crash" in bounds:
                continue  # a run still counts a token that is in transit to a crashed process
            if known.name in verdicts and known.when == ALWAYS:
                assert (verdicts[known.name].status == BROKEN) == (known.name in seen), (known.name, trail.moves)
            if known.when == EVENTUALLY and known.name != CONVERGENCE:
                assert (verdicts[known.name].status == PENDING) == bool(judgement.obligations), known.name


def walk(explored: Exploration, choices: bytes) -> Trail:
    """A trail of moves by these choices; it ends before a step that fails."""
    states, moves = [next(explored.system.initial())], []
    for choice in choices:
        successors = explored.system.successors(states[-1])
        transitions = [*successors.steps, *successors.requests, *successors.faults]
        if not transitions:
            break
        move, state = transitions[choice % len(transitions)]
        if explored.judge.snapshot(state).errors:
            break
        moves.append(move)
        states.append(state)
    return Trail(tuple(moves), tuple(states))
