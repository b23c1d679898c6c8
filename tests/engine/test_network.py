"""Channels: their order, and what sets one link, or one direction of it, apart from the others."""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import suppress

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, FAULT, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.network import Channels
from algorithms.engine.randomness import Distribution, Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, LinkSettings, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Request, Saturated, Script
from tests.support.kit import for_each
from tests.support.random_scenarios import random_event

STEPS = 250


def deliveries(run: Simulation) -> dict[tuple[int, int], list[Record]]:
    """The messages of each channel in the order of their arrival, without copies that a fault has made."""
    arrived: dict[tuple[int, int], list[Record]] = defaultdict(list)
    sent: set[int] = set()
    for _, (event, *effects) in run.trace.steps():
        if event[KIND] == DELIVER and event[SENDER] != event[NODE] and event[SEQ] in sent:
            arrived[event[SENDER], event[NODE]].append(event)
        if event[KIND] != FAULT:  # what a fault sends are copies
            sent |= {record[SEQ] for record in effects if record[KIND] == DELIVER}
    return arrived


def any_fault(dice: random.Random, at: float) -> Event:
    """A fault that may disturb the order, more often than not a delay."""
    if dice.random() < 0.5:
        return Event(at, "delay", node=dice.choice([None, *range(5)]), delay=dice.choice([0.3, 7.0, 30.0]))
    return random_event(dice, at)


@for_each(seed=range(40))
def test_on_a_fifo_channel_messages_arrive_in_the_order_of_their_sending(seed):
    """Whatever the delays, and whatever has been delayed, dropped, duplicated, paused or cut."""
    dice = random.Random(seed)
    delay: Distribution = dice.choice([Fixed(0.0), Fixed(1.0), Fixed(1.0), Uniform(0.2, 3.0), Exponential(1.0)])
    own = LinkSettings(0, 1, dice.choice([None, Fixed(4.0), Uniform(0.0, 5.0)]), loss=0.1, both=dice.random() < 0.5)
    network = Network(
        delay,
        loss=dice.choice([0.0, 0.1]),
        duplicate=dice.choice([0.0, 0.0, 0.1]),
        links=dice.choice([(), (own,)]),
    )
    events = tuple(any_fault(dice, dice.uniform(0, 60)) for _ in range(30))
    name = dice.choice(["voting", "wandering-token-report", "centralized", "ricart-agrawala", "end-to-end"])
    load = Saturated() if delay.mean else Closed(think=3.0)
    run = catalog.simulation(Scenario(name, nodes=5, seed=seed, network=network, load=load, events=events))
    with suppress(Exception):  # an algorithm may fail whose assumptions do not hold; what has arrived counts
        run.run(until=60.0, steps=STEPS)
    for channel, arrived in deliveries(run).items():
        order = [message[SENT] for message in arrived]
        assert order == sorted(order), f"{name}: on {channel} a message overtakes"


DELAYED = Event(2.5, "delay", node=0, to=1, delay=20.0)


def late_reply(delay: Distribution) -> Scenario:
    """P0's reply is delayed; then P0 asks."""
    load = Script(requests=(Request(1.0, 1), Request(3.0, 0)))
    return Scenario("ricart-agrawala", nodes=2, network=Network(delay), load=load, events=(DELAYED,))


@pytest.mark.parametrize("delay", [Fixed(1.0), Uniform(1.0, 1.0)], ids=["fixed", "uniform"])
def test_a_delayed_message_holds_back_what_is_sent_after_it_with_any_distribution(delay):
    """By hand: the reply of 2.0 comes at 23.0 instead of 3.0, and the request of 3.0 does not overtake it."""
    run = catalog.simulation(late_reply(delay))
    run.run(until=60.0)
    first, second, *_ = deliveries(run)[0, 1]
    assert [(type(m[MESSAGE]).__name__, m[SENT], m[TIME]) for m in (first, second)] == [
        ("Reply", 2.0, 23.0),
        ("Request", 3.0, 23.0),
    ]


def test_going_back_keeps_the_order():
    timeline = Timeline(late_reply(Fixed(1.0)), catalog.find("ricart-agrawala"), every=1)
    timeline.seek_time(60.0)
    for step in range(timeline.frontier):
        timeline.go_to("main")
        timeline.recall(100)
        timeline.seek(step)
        timeline.act(Event(timeline.simulation.now, "heal"))  # a branch, executed from here on
        timeline.seek_time(60.0)
        assert [message[TIME] for message in deliveries(timeline.simulation)[0, 1][:2]] == [23.0, 23.0]


# ---- one direction, one link -------------------------------------------------------------------------------


def test_a_cut_of_one_direction_leaves_the_other_open():
    """P4 is heard by P0, but hears nothing from it: the coordinator's answer arrives, the election message does not."""
    cut = Event(0.0, "cut", node=0, to=4, both=False)
    run = catalog.simulation(Scenario("bully", events=(cut, Event(1.0, "request", node=0)), until=60.0))
    run.run(until=60.0)
    assert not deliveries(run)[0, 4]
    assert deliveries(run)[4, 0]
    assert run.post.channels.cut == {(0, 4)}


def test_a_direction_is_healed_alone():
    events = (Event(0.0, "cut", node=0, to=1), Event(1.0, "heal", node=1, to=0, both=False))
    run = catalog.simulation(Scenario("centralized", events=events))
    run.run(until=2.0)
    assert run.post.channels.cut == {(0, 1)}


def delays_of(network: Network) -> dict[tuple[int, int], set[float]]:
    """The delays seen on each channel."""
    run = catalog.simulation(Scenario("ricart-agrawala", nodes=3, network=network, load=Saturated()))
    run.run(until=40.0)
    found: dict[tuple[int, int], set[float]] = defaultdict(set)
    for channel, arrived in deliveries(run).items():
        found[channel] = {message[TIME] - message[SENT] for message in arrived}
    return found


@pytest.mark.parametrize(
    ("links", "slow"),
    [
        ((LinkSettings(0, 2, Fixed(6.0)),), {(0, 2): 6.0, (2, 0): 6.0}),
        ((LinkSettings(0, 2, Fixed(6.0), both=False),), {(0, 2): 6.0}),
        ((LinkSettings(0, 2, Fixed(6.0)), LinkSettings(2, 0, Fixed(3.0))), {(0, 2): 6.0, (2, 0): 3.0}),
        ((LinkSettings(2, 0, Fixed(3.0)), LinkSettings(0, 2, Fixed(6.0))), {(0, 2): 6.0, (2, 0): 3.0}),
        ((LinkSettings(0, 1, Fixed(0.0)),), {(0, 1): 0.0, (1, 0): 0.0}),
    ],
)
def test_a_link_has_a_delay_of_its_own(links, slow):
    channels = [(a, b) for a in range(3) for b in range(3) if a != b]
    expected = {channel: {slow.get(channel, 1.0)} for channel in channels}
    assert delays_of(Network(links=links)) == expected


def test_one_direction_loses_and_duplicates_alone():
    """Certain loss from P0 to P1, certain duplicates from P1 to P0, and neither anywhere else."""
    links = (LinkSettings(0, 1, loss=1.0, both=False), LinkSettings(1, 0, duplicate=1.0, both=False))
    channels = Channels(Network(links=links), seed=1)
    kinds = {(a, b): [fate.kind for fate in channels.fates(a, b, 0.0)] for a in range(3) for b in range(3) if a != b}
    assert kinds.pop((0, 1)) == [LOST]
    assert kinds.pop((1, 0)) == [DELIVER, DELIVER]
    assert set(map(tuple, kinds.values())) == {(DELIVER,)}
