"""A process that contains another: its state stays flat, and messages, timers, rules and parameters find the part."""

from __future__ import annotations

import random

import pytest

from algorithms import catalog
from algorithms.engine.checkpoint import freeze, save
from algorithms.engine.dispatch import parameters_of, reset
from algorithms.engine.process import Message, MutexProcess, Parameter, Part, Process, when
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Load
from tests.support.kit import alone


class Ping(Message):
    """Handled by the part."""


class Pong(Message):
    """Handled by the owner, though the part could."""


class Counter(Process):
    pause = Parameter(2.0, "how long it waits")

    def setup(self):
        self.count = 0
        self.seen = set()

    def on_ping(self, ping, sender):
        self.count += 1
        self.seen.add(sender)
        self.set_timer("again", self.pause)

    def on_pong(self, pong, sender):
        raise AssertionError("the owner has a handler of its own")

    def on_again(self):
        self.send(Ping(), to=self.seen)

    @when(lambda self: self.count == 3)
    def full(self):
        self.count = 0
        self.suspect(self.id)


class Owner(MutexProcess):
    counter = Part(Counter)

    def setup(self):
        self.count = 10  # not the part's
        self.pongs = 0

    def on_pong(self, pong, sender):
        self.pongs += 1

    @when(lambda self: self.counter.count == 2)
    def halfway(self):
        self.counter.count = 3


def test_the_state_of_a_part_is_kept_in_its_owner_s_under_its_name():
    owner = alone(Owner, node=1, nodes=3)
    owner.get(Ping(), sender=2)
    assert vars(owner.process) == {
        "wants": False,
        "inside": False,
        "count": 10,
        "pongs": 0,
        "counter.count": 1,
        "counter.seen": {2},
    }
    assert owner.process.counter.count == 1
    assert owner.process.counter.id == 1


def test_replacing_the_owner_s_state_replaces_that_of_its_parts():
    owner = alone(Owner, node=1, nodes=3)
    before = freeze(vars(owner.process))
    owner.get(Ping(), sender=2)
    owner.process.__dict__ = {**before, "counter.count": 7}
    assert owner.process.counter.count == 7


def test_timers_and_messages_of_a_part_come_to_its_own_methods():
    owner = alone(Owner, node=1, nodes=3)
    owner.get(Ping(), sender=2)
    assert owner.timers == {"counter.again": 2.0}
    owner.fire("counter.again")
    owner.has_sent((2, Ping()))


def test_the_owner_s_handler_comes_before_its_part_s():
    owner = alone(Owner, node=1, nodes=3)
    owner.get(Pong(), sender=0)
    assert owner.process.pongs == 1


def test_rules_of_a_part_and_of_its_owner_enable_each_other():
    owner = alone(Owner, node=1, nodes=3)
    owner.get(Ping(), sender=0)
    owner.has_reported()
    owner.get(Ping(), sender=2)  # 2 is halfway for the owner, who makes it 3, which is full for the part
    owner.has_reported(("suspected", 1))
    assert owner.process.counter.count == 0


def test_a_reset_sets_up_the_parts_too():
    owner = alone(Owner, node=1, nodes=3)
    fresh = freeze(vars(owner.process))
    owner.get(Ping(), sender=2)
    reset(owner.process)
    assert vars(owner.process) == fresh


def test_parameters_of_a_part_are_its_owner_s():
    assert list(parameters_of(Owner)) == ["pause"]
    owner = alone(Owner, node=1, nodes=3, pause=5.0)
    owner.get(Ping(), sender=2)
    assert owner.timers == {"counter.again": 5.0}
    with pytest.raises(KeyError):
        alone(Owner, node=1, nodes=3, paws=4)


def test_what_a_part_has_not_set_is_an_error():
    owner = alone(Owner, node=1, nodes=3)
    with pytest.raises(AttributeError, match="Counter has no 'pongs'"):
        _ = owner.process.counter.pongs


def test_a_part_knows_its_owner():
    owner = alone(Owner, node=1, nodes=3)
    assert owner.process.counter.owner is owner.process


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("token-ring", "regenerating"),
        ("centralized", "electing"),
        ("bully", "watching"),
        ("ring-election", "restarting"),
    ],
)
def test_time_travel_takes_the_parts_along(name, variant):
    """The state after going back and forth is that of a run which went straight there."""
    calls = tuple(Event(at, "request", node=1) for at in (0.0, 40.0)) if name in ("bully", "ring-election") else ()
    scenario = Scenario(
        name,
        variant=variant,
        nodes=5,
        load=Load() if calls else Closed(think=5.0),
        events=(Event(12.3, "crash", node=0), Event(60.0, "recover", node=0), *calls),
    )
    timeline = Timeline(scenario, catalog.find(name), every=10)
    timeline.seek_time(80.0)
    dice = random.Random(name)
    for step in (dice.randrange(timeline.frontier) for _ in range(20)):
        timeline.seek(step)
        straight = catalog.simulation(scenario)
        straight.run(steps=step)
        assert save(straight) == save(timeline.simulation)
