"""To lose or to duplicate "the token" finds it wherever it is: in flight, at a door, in hand; each time another one."""

from __future__ import annotations

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, LOST, NODE, SENT, TIME
from algorithms.engine.observe.meters import Meters
from algorithms.engine.process import Algorithm, Message, MutexProcess
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Script
from tests.support.kit import for_each
from visual.narration.steps import brief_sentence

HOLDING_UP_P3 = (Event(2.5, "pause", node=3), Event(5.5, "resume", node=3))  # the token comes to its door at 3
INSIDE_AND_PAUSED = (Event(3.5, "pause", node=3), Event(5.5, "resume", node=3))


@for_each(
    moment=[(0.5, ()), (4.5, ()), (4.5, INSIDE_AND_PAUSED), (4.5, HOLDING_UP_P3)],
    fate=[("lose-token", 0), ("duplicate-token", 2)],
)
def test_the_token_is_found_wherever_it_is(moment, fate):
    (at, others), (do, tokens) = moment, fate
    load = Script(requests=(Request(0.0, 3),))
    run = catalog.simulation(Scenario("token-ring", nodes=5, load=load, events=(*others, Event(at, do))))
    run.run(until=20.2)
    assert len([*run.queue.in_transit()]) == tokens
    assert tokens_of(run) == tokens


def test_a_token_lost_in_hand_leaves_nobody():
    load = Script(hold=Fixed(3.0), requests=(Request(0.5, 2),))
    run = catalog.simulation(Scenario("token-ring", nodes=5, load=load, events=(Event(4.0, "lose-token"),)))
    run.run(until=4.5)
    assert not [*run.queue.in_transit()]
    run.run(until=5.0)
    *_, (lost,) = map(run.trace.step, range(len(run.trace)))
    assert (lost[KIND], lost[TIME], lost[SENT]) == (LOST, 5.0, 5.0)
    assert brief_sentence([lost], run) == "P2's token to P3 is lost before it is sent."
    assert not [*run.queue.in_transit()]


@for_each(seed=range(10))
def test_each_loss_finds_another_token(seed):
    """P0 and P1 are inside with a token each, and a third waits at the door of P2: after four losses there is none."""
    losses = [8.0 + 0.1 * k for k in range(4)]
    events = (Event(0.0, "pause", node=2), *(Event(at, "lose-token") for at in losses), Event(9.0, "resume", node=2))
    load = Script(hold=Fixed(10.0), requests=(Request(0.0, 0), Request(0.0, 1)))
    parameters = {"pause": 2.0}
    run = catalog.simulation(
        Scenario("israeli-jalfon", nodes=3, seed=seed, load=load, events=events, parameters=parameters)
    )
    run.run(until=7.95)
    before = tokens_of(run)
    left = []
    for at in losses:
        run.run(until=at + 0.05)
        left.append(tokens_of(run))
    assert left == [max(0, before - 1 - k) for k in range(4)]
    run.run(until=60.0)
    assert not [time for time, _ in arrivals(run) if time > 9.5]
    assert not any(process.token for process in run.processes)


# ---- what has become of a token in hand is its own fate ------------------------------------------------------


class Wheel(Message):
    """A token."""


class Steering(MutexProcess):
    """P0 has the wheel at the start, hands it to itself at 1, and to P1 at 2."""

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.set_timer("turn", 1.0)

    def on_turn(self):
        self.send(Wheel(), to=0 if self.now < 2 else 1)

    def on_wheel(self, wheel, sender):
        if self.id == 0:
            self.set_timer("turn", 1.0)

    def holding(self):
        return self.id == 0


class Breaking(Steering):
    """P0 breaks its wheel at 1, makes another, and hands that to P1 at 2."""

    def on_turn(self):
        if self.now < 2:
            self.destroy_token()
            self.create_token()
            self.set_timer("turn", 1.0)
        else:
            self.send(Wheel(), to=1)


def played(process: type[MutexProcess], *events: Event) -> Simulation:
    algorithm = Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Wheel: "token"}, token=Wheel)
    run = Simulation(Scenario("toy", nodes=2, events=events), algorithm)
    run.run()
    return run


def arrivals(run: Simulation) -> list[tuple[float, int]]:
    events = (run.trace.event(k) for k in range(len(run.trace)))
    return [(event[TIME], event[NODE]) for event in events if event[KIND] == DELIVER]


def tokens_of(run: Simulation) -> int:
    """The number of tokens, according to the trace."""
    meters = Meters(run.scenario, run.algorithm)
    meters.advance(run.trace)
    assert meters.tokens is not None
    return meters.tokens.level.value


def test_a_token_lost_in_hand_does_not_come_back_by_being_sent_to_its_own_holder():
    assert arrivals(played(Steering)) == [(1.0, 0), (3.0, 1)]
    lost = played(Steering, Event(0.5, "lose-token"))
    assert arrivals(lost) == []
    assert tokens_of(lost) == 0


def test_a_token_duplicated_in_hand_is_sent_twice_even_to_its_own_holder():
    doubled = played(Steering, Event(0.5, "duplicate-token"))
    assert arrivals(doubled) == [(1.0, 0), (1.0, 0), (3.0, 1)]


@pytest.mark.parametrize("fault", ["lose-token", "heal"])
def test_a_token_lost_in_hand_that_ends_there_takes_no_later_one_with_it(fault):
    run = played(Breaking, Event(0.5, fault))
    assert arrivals(run) == [(3.0, 1)]
    assert tokens_of(run) == 1
    assert not run.post.marks
