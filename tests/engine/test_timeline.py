"""Time travel: the state after a seek is the state after as many steps forward, whatever has been done to the run."""

from __future__ import annotations

import itertools
import pickle
import random
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.engine.checkpoint import save
from algorithms.engine.randomness import Exponential, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline, WentDifferently
from algorithms.engine.workload import Closed, Poisson, Saturated
from algorithms.mutual_exclusion import centralized, ricart_agrawala, token_ring, uncoordinated

ALGORITHMS = [m.ALGORITHM for m in (centralized, ricart_agrawala, token_ring, uncoordinated)]
NODES = 5


def random_scenario(name: str, dice: random.Random) -> Scenario:
    network = Network(
        delay=dice.choice([Uniform(0.5, 2.0), Exponential(1.0), Uniform(1.0, 1.0)]),
        fifo=dice.random() < 0.5,
        loss=dice.choice([0.0, 0.05]),
        duplicate=dice.choice([0.0, 0.05]) if name == "token-ring" else 0.0,
    )
    load = dice.choice([Poisson(rate=0.1), Closed(think=5.0), Saturated()])
    return Scenario(name, nodes=NODES, seed=dice.randrange(1000), network=network, load=load)


def random_event(dice: random.Random, at: float) -> Event:
    a, b = dice.sample(range(NODES), 2)
    return dice.choice(
        [
            Event(at, "pause", node=a),
            Event(at, "resume", node=a),
            Event(at, "crash", node=a),
            Event(at, "recover", node=a, memory=True),
            Event(at, "request", node=a),
            Event(at, "leave", node=a),
            Event(at, "join"),
            Event(at, "request", node=b, every=7.0),
            Event(at, "drop"),
            Event(at, "delay", delay=3.0),
            Event(at, "lose-token"),
            Event(at, "duplicate-token"),
            Event(at, "cut", node=a, to=b),
            Event(at, "heal"),
            Event(at, "partition", groups=((a,), (b,))),
            Event(at, "load", load=Poisson(rate=0.5)),
        ]
    )


def replayed(timeline: Timeline, steps: int) -> Simulation:
    """The same branch of the same run from its beginning, without checkpoints."""
    run = Simulation(timeline.scenario, timeline.algorithm, timeline.branch.interventions)
    run.run(steps=steps)
    return run


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
@settings(max_examples=6)
@given(dice=st.randoms(use_true_random=False))
def test_seek_shows_what_as_many_steps_forward_show(algorithm, dice):
    timeline = Timeline(random_scenario(algorithm.name, dice), algorithm, every=20)
    timeline.seek(150)
    for _ in range(60):
        match dice.randrange(6):
            case 0:
                timeline.seek(dice.randrange(timeline.frontier + 40))
            case 1:
                timeline.act(random_event(dice, timeline.simulation.now))
            case 2:
                timeline.back()
            case 3:
                timeline.go_to(dice.choice(list(timeline.branches)))
            case 4:
                timeline.recall(dice.randrange(40))
            case 5:
                timeline.undo()
        assert timeline.step <= timeline.frontier <= timeline.branch.length
        plain = replayed(timeline, timeline.step)
        assert save(plain) == save(timeline.simulation)
        assert plain.trace.records == timeline.trace.records[: len(plain.trace.records)]


def test_acting_in_the_past_opens_a_branch_and_keeps_the_old_future():
    timeline = Timeline(Scenario("token-ring", nodes=4, load=Saturated()), token_ring.ALGORITHM)
    timeline.seek(50)
    before = list(timeline.trace.records)
    timeline.seek(20)
    timeline.act(Event(timeline.simulation.now, "lose-token"))
    assert (timeline.branch.name, timeline.branch.parent, timeline.branch.fork) == ("branch 1", "main", 20)
    assert timeline.frontier == 21
    timeline.go_to("main")
    assert (timeline.step, timeline.frontier, timeline.forgotten) == (20, 20, 30)
    while timeline.recall(7):
        assert timeline.step == 20
        assert timeline.trace.records == before[: len(timeline.trace.records)]
    assert timeline.trace.records == before


def test_what_is_forgotten_is_no_less_a_future():
    timeline = Timeline(Scenario("centralized", nodes=4, load=Saturated()), centralized.ALGORITHM, every=10)
    timeline.seek(20)
    timeline.act(Event(timeline.simulation.now, "request", node=2))
    timeline.seek(60)
    end = timeline.simulation.now
    timeline.seek(5)
    timeline.act(Event(timeline.simulation.now, "request", node=3))
    timeline.go_to("main")
    timeline.recall(30)
    assert timeline.forgotten == 25
    timeline.seek(timeline.frontier)
    timeline.act(Event(timeline.simulation.now, "request", node=1))
    assert timeline.branch.parent == "main", "acting at the frontier of what is known again is acting in the past"
    main = timeline.branches["main"]
    assert (main.length, main.end, len(main.interventions)) == (60, end, 1)
    timeline.go_to("main")
    assert timeline.step == 35
    timeline.seek(60)
    assert timeline.simulation.now == end


def test_where_one_has_looked_back_to_is_forgotten_with_what_led_there():
    scenario = Scenario("ricart-agrawala", nodes=NODES, load=Closed(think=5.0))
    timeline, fresh = (Timeline(scenario, ricart_agrawala.ALGORITHM) for _ in range(2))
    timeline.seek(10)  # undo will come back here without a look far back
    timeline.act(Event(0, "request", node=1))
    timeline.seek(200)
    timeline.seek(150)
    timeline.undo()
    for step in (200, 170):
        timeline.seek(step)
        fresh.seek(step)
        assert save(timeline.simulation) == save(fresh.simulation)


def test_undo_takes_back_what_was_done_last():
    timeline = Timeline(Scenario("token-ring", nodes=4, load=Saturated()), token_ring.ALGORITHM)
    timeline.seek(30)
    untouched = save(timeline.simulation)
    timeline.act(Event(timeline.simulation.now, "crash", node=2))
    timeline.seek(40)
    assert timeline.undo()
    assert timeline.step == 30
    assert save(timeline.simulation) == untouched
    assert not timeline.undo()


# ---- an algorithm that does something else when it is executed again ---------------------------------------


def fickle(mistakes: float = inf) -> Timeline:
    """A run of the token ring in which, after a while, no two executions are alike; the last `mistakes` on fail."""
    count = itertools.count()

    class Fickle(token_ring.TokenRing):
        def on_token(self, token, sender):
            if self.now < 20:
                super().on_token(token, sender)
            elif (drawn := next(count)) >= mistakes:
                raise KeyError(drawn)
            else:
                self.set_timer("rest", 1 + drawn % 7)

        def on_rest(self):
            self.pass_on(token_ring.Token())

    scenario = Scenario("token-ring", nodes=NODES, load=Closed(think=5.0))
    return Timeline(scenario, replace(token_ring.ALGORITHM, process=Fickle), every=20)


def is_whole(timeline: Timeline) -> bool:
    """What the trace tells ends where the state is."""
    last = timeline.trace.event(timeline.step - 1)
    return timeline.frontier == timeline.step and last[0] == timeline.simulation.now


def test_a_step_that_comes_to_something_else_is_told_and_the_run_goes_on_from_there():
    timeline = fickle()
    timeline.seek(100)
    known = [timeline.trace.step(k) for k in range(100)]
    with pytest.raises(WentDifferently, match=r"^step \d+ went differently when it was executed again") as told:
        timeline.seek(90)
    assert timeline.step == 90
    assert is_whole(timeline)
    first = int(str(told.value).split()[1])  # counted from 1
    assert [timeline.trace.step(k) for k in range(first - 1)] == known[: first - 1]
    timeline.seek(130)
    assert is_whole(timeline)


def test_a_step_that_fails_this_time_leaves_the_last_state_that_was_kept():
    timeline = fickle(mistakes=20)
    with pytest.raises(KeyError):
        timeline.seek(1000)
    failing = timeline.step
    assert is_whole(timeline)
    with pytest.raises(WentDifferently):
        timeline.seek(failing - 5)
    assert timeline.step % 20 == 0
    assert is_whole(timeline)


def test_a_look_back_changes_nothing_even_where_it_is_in_vain():
    timeline = fickle()
    timeline.seek(100)
    before, known = save(timeline.simulation), len(timeline.trace.records)
    assert timeline.look_back(10, lambda: timeline.step) == 10
    with pytest.raises(WentDifferently):
        timeline.look_back(90, lambda: timeline.step)
    assert save(timeline.simulation) == before
    assert len(timeline.trace.records) == known


def test_what_is_forgotten_and_fails_this_time_leaves_the_present_as_it_is():
    timeline = fickle(mistakes=20)
    timeline.seek(60)
    timeline.seek(10)
    timeline.act(Event(0.0, "pause", node=1))
    timeline.go_to("main")
    present = save(timeline.simulation)
    with pytest.raises(KeyError):
        timeline.recall(50)
    assert save(timeline.simulation) == present
    assert not timeline.forgotten


def test_a_checkpoint_under_overload_is_no_larger_than_one_before():
    """Requests that wait behind others are counted: a copy of all of them in each checkpoint would fill the memory."""
    run = Simulation(Scenario("token-ring", nodes=NODES, load=Poisson(rate=5.0)), token_ring.ALGORITHM)
    sizes = []
    for steps in (400, 20_000):
        run.run(steps=steps)
        sizes.append(len(pickle.dumps(save(run).applications)))
    assert sum(map(run.applications.backlog, range(NODES))) > 10_000
    assert sizes[1] < sizes[0] + 100
