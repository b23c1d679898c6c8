"""Reading along a trace: what a fold makes of it is what the processes were really in, at any step, after any cut."""

from __future__ import annotations

import random
from typing import Any

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, SENDER, SEQ, TIME, Record
from algorithms.engine.observe import fold as fold_module
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Counters, Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.trace import Trace
from algorithms.engine.workload import Request, Saturated, Script
from tests.support.kit import for_each
from tests.support.random_scenarios import ALGORITHMS, ELECTIONS, NODES, goes_on, random_event, random_scenario


def random_run(name: str, seed: int) -> Simulation:
    """A run of a random scenario, as far as it goes."""
    run = catalog.simulation(random_scenario(name, random.Random(f"{name} {seed}")))
    while goes_on(run):
        pass
    return run


def begun(trace: Trace, steps: int) -> Trace:
    """A trace of the first steps only."""
    start = Trace()
    start.records = list(trace.records)
    start.starts = list(trace.starts)
    start.truncate(steps)
    return start


def told(scenario: Scenario, trace: Trace, steps: int) -> tuple[Counters, Any]:
    """The results of fresh meters and monitors after that number of steps of the trace."""
    meters = Meters(scenario, catalog.find(scenario.algorithm))
    monitors = Monitors(scenario, catalog.find(scenario.algorithm))
    start, time = begun(trace, steps), time_after(trace, steps)
    for fold in (meters, monitors):
        fold.advance(start)
    return meters.at(steps, time), (monitors.at(steps, time), monitors.breaches(steps))


def time_after(trace: Trace, steps: int) -> float:
    """A moment after that number of steps, and before the next."""
    now = trace.event(steps - 1)[TIME] if steps else 0.0
    return now if steps == len(trace) else (now + trace.event(steps)[TIME]) / 2


class Truth:
    """Where everybody is, looked up in the processes and in the queue after each step."""

    def __init__(self, run: Simulation) -> None:
        self.run = run
        self.flying: list[Record] = []  # tokens in flight, and those that wait at a paused process
        self.ghosts: set[int] = set()  # serial numbers of tokens that were lost in the hands of their sender

    def look(self) -> dict[str, Any]:
        run, token = self.run, self.run.algorithm.token
        alive = [p for p in run.processes if not run.is_gone(p.id)]
        waiting = [entry for entries in run.inboxes.values() for entry in entries]
        messages = [e for e in (*run.queue.entries(), *waiting) if e[KIND] in (DELIVER, LOST)]
        self.flying = [e for e in messages if type(e[MESSAGE]) is token and e[SEQ] not in self.ghosts]
        return {
            "inside": {p.id for p in alive if p.inside},
            "wants": {p.id for p in alive if p.wants},
            "open": [p.wants + run.applications.backlog(p.id) for p in alive],
            "down": run.down,
            "tokens": len(self.flying) + sum(self.in_hand(p) for p in alive) if token else 0,
        }

    def in_hand(self, process: Any) -> int:
        """The number of tokens of a process, the fate in store for one of them (unless it keeps it) included."""
        fate = self.run.post.marks.get(process.id) if process.holding() else None
        return process.holding() + len(getattr(process, "waiting", ())) + {"lose": -1, "duplicate": 1}.get(fate, 0)

    def step(self) -> bool:
        """Execute a step, if there is another that the algorithm can bear; ghosts are seen when they are sent."""
        marks = dict(self.run.post.marks)
        if not goes_on(self.run):
            return False
        for record in self.run.trace.step(self.run.steps - 1)[1:]:
            doomed = marks.get(record[SENDER]) == "lose" if record[KIND] == DELIVER else False
            if (
                doomed
                and record[SENDER] not in self.run.post.marks
                and type(record[MESSAGE]) is self.run.algorithm.token
            ):
                self.ghosts.add(record[SEQ])
        return True


@for_each(seed=range(12), name=[*ALGORITHMS, "israeli-jalfon", "wandering-token-journal"])
def test_the_trace_tells_where_everybody_is(name, seed):
    run = catalog.simulation(random_scenario(name, random.Random(f"{name} {seed}")))
    meters, truth = Meters(run.scenario, run.algorithm), Truth(run)
    while truth.step():
        meters.advance(run.trace)
        here = meters.situation
        assert truth.look() == {
            "inside": here.insiders(),
            "wants": {node for _, node in here.waiting},
            "open": [here.requests.waiting((0, node)) for node in range(NODES) if not here.is_gone(node)],
            "down": here.down,
            "tokens": meters.tokens.level.value if meters.tokens else 0,
        }, run.trace.step(run.steps - 1)


# ---- any step, any cut -------------------------------------------------------------------------------------


@for_each(seed=range(5), name=ALGORITHMS + ELECTIONS)
def test_any_step_can_be_asked_about(name, seed):
    run = random_run(name, seed)
    dice = random.Random(seed)
    meters, monitors = Meters(run.scenario, run.algorithm), Monitors(run.scenario, run.algorithm)
    for fold in (meters, monitors):
        fold.advance(run.trace)
    for step in [0, run.steps, *(dice.randrange(run.steps + 1) for _ in range(6))]:
        time = time_after(run.trace, step)
        seen = meters.at(step, time), (monitors.at(step, time), monitors.breaches(step))
        assert seen == told(run.scenario, run.trace, step)


@for_each(seed=range(5), name=ALGORITHMS + ELECTIONS)
def test_what_was_read_of_another_future_is_taken_back(name, seed, monkeypatch):
    monkeypatch.setattr(fold_module, "EVERY", 30)
    dice = random.Random(f"{name} {seed}")
    timeline = Timeline(random_scenario(name, dice), catalog.find(name), every=20)
    folds = Meters(timeline.scenario, timeline.algorithm), Monitors(timeline.scenario, timeline.algorithm)
    for _ in range(40):
        match dice.randrange(5):
            case 0 | 1:
                timeline.seek(dice.randrange(timeline.frontier + 40))
            case 2:
                timeline.act(random_event(dice, timeline.simulation.now))
            case 3:
                timeline.undo()
            case 4:
                timeline.go_to(dice.choice(list(timeline.branches)))
        reading = [fold for fold in folds if dice.random() < 0.7]
        for fold in reading:
            fold.advance(timeline.trace)
            fold.at(dice.randrange(fold.steps + 1), timeline.simulation.now)
    for fold in folds:
        fold.advance(timeline.trace)
    step, time = timeline.step, time_after(timeline.trace, timeline.step)
    seen = folds[0].at(step, time), (folds[1].at(step, time), folds[1].breaches(step))
    assert seen == told(timeline.scenario, timeline.trace, step)


@pytest.mark.parametrize("name", ALGORITHMS + ELECTIONS)
def test_a_run_that_forgets_its_trace_gives_the_same_totals(name, monkeypatch):
    scenario = random_scenario(name, random.Random(name))
    whole, forgetting = catalog.simulation(scenario), catalog.simulation(scenario)
    whole.run(until=300)
    monkeypatch.setattr(fold_module, "CHUNK", 37)
    folds = Meters(scenario, whole.algorithm), Monitors(scenario, whole.algorithm)
    run_and_forget(forgetting, folds, until=300)
    assert (len(forgetting.trace), len(forgetting.trace.records)) == (whole.steps, 0)
    expected = told(scenario, whole.trace, whole.steps)
    assert folds[0].at(whole.steps, whole.now) == expected[0]
    assert folds[1].at(whole.steps, whole.now) == expected[1][0]


def test_a_step_that_was_forgotten_cannot_be_asked_for():
    run = catalog.simulation(Scenario("token-ring", nodes=3))
    run.run(steps=10)
    run.trace.forget()
    run.run(steps=12)
    assert (len(run.trace), run.trace.steps_until(9.5), run.trace.event(11)[TIME]) == (12, 10, 11.0)
    with pytest.raises(IndexError, match="step 9 has been forgotten"):
        run.trace.step(9)


def test_a_fold_with_a_large_state_takes_fewer_snapshots():
    """At full load the messages in transit would fill the memory if a snapshot were taken every few steps."""
    run = catalog.simulation(Scenario("ricart-agrawala", nodes=100, load=Saturated()))
    run.run(steps=10_000)
    monitors = Monitors(run.scenario, run.algorithm)
    monitors.advance(run.trace)
    states = [state for snapshot in monitors._snapshots for state in snapshot.states]
    copied = sum(len(state.get("_carried_requests", ())) for state in states)
    assert 0 < copied < 5 * run.steps


# ---- what random runs seldom meet --------------------------------------------------------------------------


def test_what_is_sent_on_leaving_does_not_tell_of_the_request_that_follows():
    """P1 has two requests. Its release tells P0 that it has left, not that it asks again: P0 may go first."""
    load = Script(requests=(Request(0.0, 1), Request(0.1, 1), Request(5.0, 0)))
    events = (Event(3.1, "delay", node=1, to=0, type="Request", delay=5.0),)
    scenario = Scenario("centralized", nodes=2, load=load, events=events)
    run = catalog.simulation(scenario)
    run.run(until=20)
    monitors, meters = Monitors(scenario, run.algorithm), Meters(scenario, run.algorithm)
    for fold in (monitors, meters):
        fold.advance(run.trace)
    assert meters.at(run.steps, 20.0).entries_per_node == (1, 2)
    assert sorted(meters.waiting_times(run.steps)) == [0.0, 2.0, 9.9]  # P0 between the two of P1
    assert monitors.at(run.steps, 20.0)["ME3"].status == "holds"


def test_all_the_tokens_in_one_hand_come_back_with_its_memory():
    """Three tokens reach P1, which uses the first while the others wait."""
    scenario = Scenario(
        "wandering-token-report",
        nodes=2,
        parameters={"dmin": 0.5, "dop": 50.0, "dmax": 1000.0, "dskip": 0.0},
        events=(
            *(Event(0.1, "duplicate-token") for _ in range(2)),
            Event(5.0, "crash", node=1),
            Event(6.0, "recover", node=1),
        ),
    )
    run = catalog.simulation(scenario)
    run.run(until=10)
    meters = Meters(scenario, run.algorithm)
    meters.advance(run.trace)
    assert meters.tokens.level.curve(run.steps) == [(0.0, 1), (0.1, 2), (0.1, 3), (5.0, 0), (6.0, 3)]
