"""Counter-examples are ordinary runs: they open, they break what they should at their last step, they look right."""

from __future__ import annotations

import random

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.check.counterexample import Replay, base_scenario, counterexample_scenario
from algorithms.engine.check.explore import Exploration, Trail
from algorithms.engine.check.properties import ALWAYS, EVENTUALLY
from algorithms.engine.events import DELIVER, DUE, KIND, LOST, NODE, SENDER, SENT, SEQ, TIME
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.verdicts import BROKEN, PENDING
from algorithms.engine.process import Algorithm, Message, MutexProcess
from algorithms.engine.scenario import Event, Flight, Network, Scenario
from algorithms.engine.simulation import Simulation
from tests.support.kit import verdicts
from tests.support.mutants import CAUGHT, FAMILIES, SHOWN, breaks, file_of, shortest
from tests.support.state_counts import READS_THE_CLOCK, ROWS, TOLD_OF_CRASHES, exploration, finished

MUTANTS = sorted(CAUGHT)


class Token(Message):
    """For the toys below."""


def breach(scenario: Scenario, name: str) -> tuple[int, int]:
    """The step at which a run that is played to its last event first breaks the property, and how many it has."""
    run = catalog.simulation(scenario)
    monitors = Monitors(scenario, run.algorithm)
    steps = len(scenario.events) + 1
    for step in range(1, steps + 1):
        run.run(steps=step)
        monitors.advance(run.trace)
        if run.next_time() is None:
            monitors.finish()
        if monitors.at(step, run.now)[name].status == BROKEN:
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


@pytest.mark.parametrize("mutant", sorted(SHOWN), ids="-".join)
def test_what_the_checker_does_not_get_to_a_shipped_scenario_shows(mutant):
    scenario = scenario_file.load(scenario_file.find(SHOWN[mutant]))
    assert (scenario.algorithm, scenario.variant) == mutant[:2]
    assert verdicts(run_to_the_end(scenario))[mutant[2]] == BROKEN


@pytest.mark.parametrize("mutant", MUTANTS, ids="-".join)
def test_the_stored_schedule_is_a_shortest_one_and_breaks_the_property_at_its_last_step(mutant):
    stored = scenario_file.load(file_of(*mutant))
    found = shortest(*mutant)
    assert len(stored.events) == len(found.events)
    step, steps = breach(stored, mutant[2])
    assert step == steps


@pytest.mark.parametrize("mutant", MUTANTS, ids="-".join)
def test_without_the_mutation_nothing_of_that_kind_happens(mutant):
    algorithm, _, name = mutant
    nodes, bounds = CAUGHT[mutant]
    if "crash" in bounds or name == "ME3":
        pytest.skip("what the algorithm itself does then is in the table of states")
    report = finished(exploration(algorithm, None, nodes, bounds))
    assert not any(finding.trail for finding in report.findings if finding.property.name == name)


# ---- all that breaks in the table --------------------------------------------------------------------------

SMALL = [row for row in ROWS if row.states < 1_500 and row.broken]


@pytest.mark.parametrize("row", SMALL, ids=lambda row: "-".join(map(str, row[:4])).replace(" ", "-"))
def test_replayed_the_same_monitor_breaks_at_the_last_step(row):
    explored = exploration(*row[:4])
    for finding in finished(explored).findings:
        if finding.trail and finding.property.name != "no error":
            scenario = counterexample_scenario(explored, finding)
            assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario
            step, steps = breach(scenario, finding.property.name)
            assert step == steps


def test_before_a_step_that_fails_the_run_stops():
    explored = exploration("ricart-agrawala", None, 2, "duplicates=1")
    finding = next(f for f in finished(explored).findings if f.property.name == "no error")
    scenario = counterexample_scenario(explored, finding)
    assert len(scenario.events) == len(finding.trail.moves) - 1
    assert scenario.markers[0].name == "the next step fails: KeyError: 1"
    run = catalog.simulation(scenario)
    run.run(steps=len(scenario.events) + 1)
    with pytest.raises(KeyError, match="1"):
        run.step()  # by the clock: the flight ends as the schedule has it


def test_a_property_that_fails_nowhere_in_particular_has_no_run():
    explored = exploration("ring-election", "swallowing", 2, "")
    leader = next(f for f in finished(explored).findings if f.property.name == "leader")
    with pytest.raises(ValueError, match="nothing shows how leader fails"):
        counterexample_scenario(explored, leader)


# ---- how they look -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mutant", MUTANTS, ids="-".join)
def test_one_move_a_unit_of_time_and_every_message_flies_until_it_arrives(mutant):
    scenario = scenario_file.load(file_of(*mutant))
    run = catalog.simulation(scenario)
    run.run(steps=len(scenario.events) + 1)
    steps = [step for _, step in run.trace.steps()]
    assert [step[0][TIME] for step in steps] == list(range(len(steps)))
    sent = {r[SEQ]: r for _, *effects in steps for r in effects if r[KIND] == DELIVER and r[NODE] != r[SENDER]}
    for event, *effects in steps:
        if event[KIND] == DELIVER and event[SEQ] in sent:
            assert event == sent.pop(event[SEQ])  # the very record: nothing was moved
        for lost in (effect for effect in effects if effect[KIND] == LOST):
            sent.pop(lost[SEQ], None)
    assert all(record[TIME] == run.now + 1 for record in sent.values())  # still on the way at the end
    assert run.now < scenario.until


@pytest.mark.parametrize("mutant", MUTANTS, ids="-".join)
def test_at_the_marker_nothing_else_has_happened_than_the_schedule(mutant):
    scenario = scenario_file.load(file_of(*mutant))
    run = catalog.simulation(scenario)
    run.run(until=scenario.markers[0].at)
    assert run.steps == len(scenario.events) + 1


def test_a_message_that_is_lost_vanishes_on_its_way():
    explored = exploration("chang-roberts", None, 2, "losses=1")
    finding = next(f for f in finished(explored).findings if f.property.name == "E2")
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
    """Throws a die for every token, and enters on the third side."""

    def acquire(self):
        self.send(Token(), to=1 - self.id)

    def on_token(self, token, sender):
        self.rolled = (self.random.exponential(1.0) > -1, self.random.below(3), self.random.choice("abc"))
        if self.rolled[1:] == (2, "b"):
            self.enter()


def toy(process: type[MutexProcess]) -> Algorithm:
    return Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Token: "token"})


def test_a_script_of_flights_says_how_long_the_first_messages_take():
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
def test_a_choice_of_the_scheduler_says_how_the_dice_fall(side, letter):
    draws = (0.9, (side + 0.5) / 3, ("abc".index(letter) + 0.5) / 3)
    event = Event(1.0, "deliver", node=0, to=1, step=2, draws=draws)
    run = Simulation(Scenario("toy", nodes=2), toy(Gambling), [Event(0.0, "request", node=0, step=1), event])
    run.run(steps=3)
    usual = run.stream(1).count
    assert run.processes[1].rolled[1:] == (side, letter)
    assert run.processes[1].inside == ((side, letter) == (2, "b"))
    assert usual == 0  # the usual dice have not been touched


# ---- the checker and the monitors say the same -------------------------------------------------------------

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


@pytest.mark.parametrize(("name", "variant"), WALKERS)
def test_after_every_move_of_a_random_walk_they_agree(name, variant):
    for seed, bounds in enumerate(ADVERSARIES * 3):
        if "crash" in bounds and name in TOLD_OF_CRASHES:
            continue
        explored = exploration(name, variant, 2 + seed // 3 % 2, bounds)
        trail = walk(explored, random.Random(seed), moves=30)
        replay = Replay(base_scenario(explored, trail), explored.algorithm)
        monitors = Monitors(replay.scenario, explored.algorithm)
        broken: set[str] = set()
        for state, move in zip(trail.states, (None, *trail.moves), strict=True):
            if move:
                replay.make(move)
                replay.lose_undeliverable()
            monitors.advance(replay.run.trace)
            judgement = explored.judge.judge(state)
            broken |= {*judgement.notable}
            verdicts = monitors.at(replay.run.steps, replay.now)
            for known in explored.judge.properties:
                if known.name == "one token" and "crash" in bounds:
                    continue  # a run still counts a token that is on its way to a crashed process
                if known.name in verdicts and known.when == ALWAYS:
                    assert (verdicts[known.name].status == BROKEN) == (known.name in broken), (known.name, trail.moves)
                if known.when == EVENTUALLY:
                    assert (verdicts[known.name].status == PENDING) == bool(judgement.obligations), (
                        known.name,
                        trail.moves,
                    )


def walk(explored: Exploration, dice: random.Random, moves: int) -> Trail:
    """Moves at random from the beginning, and the states they lead through; ends before a step that fails."""
    states, made = [next(explored.system.initial())], []
    while len(made) < moves:
        found = explored.system.successors(states[-1])
        move, state = dice.choice([*found.steps, *found.requests, *found.faults] or [(None, None)])
        if state is None or explored.judge.snapshot(state).errors:
            break
        made.append(move)
        states.append(state)
    return Trail(tuple(made), tuple(states))
