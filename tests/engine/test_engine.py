"""The engine: random numbers, channels, timers, loads and faults do what their words say."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter, deque
from contextlib import redirect_stdout
from statistics import mean

import pytest

from algorithms import catalog
from algorithms.engine.errors import Misuse
from algorithms.engine.events import DELIVER, ENTER, HELD, KIND, LOST, NODE, REQUEST, TIME, TIMER
from algorithms.engine.membership import CRASHED
from algorithms.engine.process import Algorithm, Message, MutexProcess, when
from algorithms.engine.randomness import Exponential, Fixed, Stream, Uniform, exponential, key
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Request, Saturated, Script
from tests.support.kit import for_each


class Ping(Message):
    number: int


class Chatter(MutexProcess):
    """P0 sends ten numbered messages to P1 at the launch; P1 remembers what it gets."""

    def setup(self):
        self.seen = []

    def launch(self):
        if self.id == 0:
            for number in range(10):
                self.send(Ping(number), to=1)

    def on_ping(self, ping, sender):
        self.seen.append(ping.number)


class Clock(MutexProcess):
    """Sets timers and writes down when they ring."""

    def setup(self):
        self.rang = []

    def launch(self):
        self.set_timer("alarm", 5.0)

    def on_alarm(self):
        self.rang.append(self.now)


def made_of(process: type[MutexProcess]) -> Algorithm:
    return Algorithm("test", "Test", "", "", process)


def run(process, until=100.0, **scenario) -> Simulation:
    simulation = Simulation(Scenario("test", **{"nodes": 2, **scenario}), made_of(process))
    simulation.run(until=until)
    return simulation


# ---- random numbers ----------------------------------------------------------------------------------------


def test_a_stream_is_a_function_of_its_key_and_count():
    first, again = Stream(key(1, "load", 3)), Stream(key(1, "load", 3), count=500)
    numbers = [first.random() for _ in range(1000)]
    assert [again.random() for _ in range(500)] == numbers[500:]
    assert numbers != [Stream(key(1, "load", 4)).random() for _ in range(1000)]
    assert all(0 <= number < 1 for number in numbers)
    assert mean(numbers) == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize(
    ("distribution", "expected"), [(Fixed(2.0), 2.0), (Uniform(1.0, 3.0), 2.0), (Exponential(2.0), 2.0)]
)
def test_distributions_have_the_mean_they_state(distribution, expected):
    stream = Stream(key(1, "test"))
    assert distribution.mean == expected
    assert mean(distribution.draw(stream.random()) for _ in range(20_000)) == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("u", [0.0, 0.5, 1.0 - 2.0**-53])
def test_what_is_as_good_as_never_does_not_overflow(u):
    assert exponential(float("inf"), u) == float("inf")
    assert exponential(1e300, u) >= 0.0


# ---- channels ----------------------------------------------------------------------------------------------


def test_a_fifo_channel_keeps_the_order_and_the_other_does_not():
    wild = Uniform(0.1, 5.0)
    assert run(Chatter, network=Network(delay=wild, fifo=True)).processes[1].seen == list(range(10))
    unordered = run(Chatter, network=Network(delay=wild, fifo=False)).processes[1].seen
    assert sorted(unordered) == list(range(10)) != unordered


def test_loss_and_duplication_come_at_their_rates():
    lost, doubled = 0, 0
    for seed in range(200):
        lost += 10 - len(run(Chatter, seed=seed, network=Network(loss=0.3)).processes[1].seen)
        doubled += len(run(Chatter, seed=seed, network=Network(duplicate=0.2)).processes[1].seen) - 10
    assert lost == pytest.approx(600, abs=90)
    assert doubled == pytest.approx(400, abs=80)


def test_a_lost_message_is_recorded_as_sent_and_then_as_lost():
    simulation = run(Chatter, network=Network(loss=1.0))
    kinds = Counter(record[KIND] for record in simulation.trace.records)
    assert (kinds[DELIVER], kinds[LOST]) == (10, 10)


def test_the_kth_message_of_a_channel_takes_as_long_whatever_else_happens():
    network = Network(delay=Uniform(0.5, 2.0), fifo=False)

    def delays(name: str, events: tuple[Event, ...]) -> dict[tuple[int, int], list[float]]:
        simulation = catalog.simulation(
            Scenario(name, nodes=4, load=Saturated(), network=network, events=events, topology="complete")
        )
        simulation.run(until=60.0)
        found: dict[tuple[int, int], list[float]] = {}
        for _, (_, *effects) in simulation.trace.steps():
            for record in effects:
                if record[KIND] == DELIVER:
                    found.setdefault((record[5], record[NODE]), []).append(round(record[TIME] - record[6], 9))
        return found

    plain = delays("ricart-agrawala", ())
    for other in (delays("ricart-agrawala", (Event(9.0, "pause", node=2),)), delays("token-ring", ())):
        for channel in plain.keys() & other.keys():
            shared = min(len(plain[channel]), len(other[channel]))
            assert plain[channel][:shared] == other[channel][:shared]


def test_a_cut_link_carries_nothing_until_it_is_healed():
    cut = Event(0.0, "cut", node=0, to=1)
    assert run(Chatter, events=(cut,)).processes[1].seen == list(range(10))[10:]
    requests = Script(requests=(Request(5.0, 1),))
    scenario = Scenario("ricart-agrawala", nodes=2, load=requests, events=(cut, Event(20.0, "heal")))
    simulation = catalog.simulation(scenario)
    simulation.run(until=30.0)
    assert ENTER not in {record[KIND] for record in simulation.trace.records}
    assert not simulation.post.channels.cut


# ---- timers ------------------------------------------------------------------------------------------------


@for_each(
    case=[
        ([], [5.0]),
        ([9.0], [9.0]),
        ([2.0], [2.0]),
        ([9.0, 3.0], [3.0]),
        ([2.0, 7.0, None], []),
        ([9.0, 12.0], [12.0]),
    ]
)
def test_a_timer_rings_when_it_was_last_set_to(case):
    changes, expected = case

    class Changing(Clock):
        def launch(self):
            super().launch()
            for after in changes:
                if after is None:
                    self.cancel_timer("alarm")
                else:
                    self.set_timer("alarm", after)

    simulation = run(Changing)
    assert simulation.processes[0].rang == expected
    assert sum(
        event[KIND] == TIMER and event[NODE] == 0 for event in map(simulation.trace.event, range(simulation.steps))
    ) == len(expected)


def test_a_timer_set_again_and_again_keeps_one_entry_in_the_queue():
    class Restless(Clock):
        def launch(self):
            for after in range(1, 500):
                self.set_timer("alarm", float(after))

    simulation = Simulation(Scenario("test", nodes=1), made_of(Restless))
    simulation.run(steps=1)
    assert len(simulation.queue.entries()) == 1


# ---- loads -------------------------------------------------------------------------------------------------


def requests_of(load: Load, until: float, nodes: int = 5) -> list[tuple[float, int]]:
    simulation = catalog.simulation(Scenario("uncoordinated", nodes=nodes, load=load))
    simulation.run(until=until)
    events = map(simulation.trace.event, range(simulation.steps))
    return [(event[TIME], event[NODE]) for event in events if event[KIND] == REQUEST]


def test_a_script_is_followed_to_the_letter():
    asked = ((0.0, 1), (0.0, 2), (7.5, 1))
    assert requests_of(Script(requests=tuple(Request(*a) for a in asked)), 50.0) == list(asked)


def test_poisson_requests_come_at_their_rate_and_independently_of_the_algorithm():
    asked = requests_of(Poisson(rate=0.2), 4000.0)
    assert len(asked) == pytest.approx(4000, rel=0.07)
    other = catalog.simulation(Scenario("token-ring", load=Poisson(rate=0.2)))
    other.run(until=500.0)
    events = map(other.trace.event, range(other.steps))
    assert [(e[TIME], e[NODE]) for e in events if e[KIND] == REQUEST] == [a for a in asked if a[0] <= 500.0]


def test_a_closed_load_thinks_before_it_asks_again():
    assert len(requests_of(Closed(think=9.0), 2000.0)) == pytest.approx(5 * 2000 / (9.0 + 1.0), rel=0.1)


def test_a_saturated_load_never_rests():
    assert len(requests_of(Saturated(), 100.0)) == 5 * 101


def test_a_burst_comes_at_one_moment():
    asked = requests_of(Burst(every=10.0, share=0.5), 1000.0)
    assert {time % 10.0 for time, _ in asked} == {0.0}
    assert len(asked) == pytest.approx(0.5 * 5 * 100, rel=0.2)


def test_the_load_can_change_on_the_way():
    event = Event(100.0, "load", load=Poisson(rate=0.5))
    simulation = catalog.simulation(Scenario("uncoordinated", load=Load(), events=(event,)))
    simulation.run(until=300.0)
    times = [e[TIME] for e in map(simulation.trace.event, range(simulation.steps)) if e[KIND] == REQUEST]
    assert min(times) > 100.0
    assert len(times) == pytest.approx(0.5 * 5 * 200, rel=0.2)


# ---- faults ------------------------------------------------------------------------------------------------


def test_a_crashed_process_takes_no_step_and_what_reaches_it_is_lost():
    simulation = run(Chatter, events=(Event(0.5, "crash", node=1),))
    assert simulation.down == {1: CRASHED}
    assert simulation.processes[1].seen == []
    assert sum(record[KIND] == LOST for record in simulation.trace.records) == 10


@pytest.mark.parametrize(("memory", "seen"), [(True, list(range(10))), (False, [])])
def test_recovery_with_and_without_memory(memory, seen):
    events = (Event(2.0, "crash", node=1), Event(3.0, "recover", node=1, memory=memory))
    assert run(Chatter, events=events).processes[1].seen == seen


def test_a_paused_process_handles_everything_later_in_order():
    events = (Event(0.5, "pause", node=1), Event(8.0, "resume", node=1))
    simulation = run(Chatter, events=events)
    assert simulation.processes[1].seen == list(range(10))
    handled = [e for e in map(simulation.trace.event, range(simulation.steps)) if e[KIND] == DELIVER]
    assert {e[TIME] for e in handled} == {8.0}
    assert sum(e[KIND] == HELD for e in map(simulation.trace.event, range(simulation.steps))) == 10


def test_messages_can_be_dropped_delayed_and_duplicated_in_flight():
    third = {"node": 0, "to": 1}
    at = 0.5
    dropped = run(Chatter, events=(Event(at, "drop", **third),))
    assert dropped.processes[1].seen == list(range(1, 10))
    doubled = run(Chatter, events=(Event(at, "duplicate", **third),))
    assert doubled.processes[1].seen.count(0) == 2
    late = run(Chatter, events=(Event(at, "delay", delay=4.0, **third),))
    assert late.processes[1].seen == list(range(10)), "FIFO: what follows waits behind the late message"
    overtaken = run(Chatter, network=Network(fifo=False), events=(Event(at, "delay", delay=4.0, **third),))
    assert overtaken.processes[1].seen == [*range(1, 10), 0]


def test_a_partition_separates_and_heals():
    groups = ((0, 1), (2, 3, 4))
    events = (Event(0.0, "partition", groups=groups), Event(50.0, "heal"))
    simulation = catalog.simulation(Scenario("centralized", load=Closed(think=5.0), events=events, topology="complete"))
    simulation.run(until=49.0)
    entered = {r[NODE] for r in simulation.trace.records if r[KIND] == ENTER}
    assert entered == {0, 1}


# ---- rules, state, determinism -----------------------------------------------------------------------------


def test_rules_run_in_the_order_of_the_file_until_none_is_true():
    class Counting(MutexProcess):
        def setup(self):
            self.log = []

        def acquire(self):
            self.log.append("asked")

        @when(lambda self: len(self.log) == 1)
        def second(self):
            self.log.append("second")

        @when(lambda self: len(self.log) == 2)
        def third(self):
            self.log.append("third")

    assert run(Counting, load=Script(requests=(Request(1.0, 0),))).processes[0].log == ["asked", "second", "third"]


def test_rules_that_never_settle_are_reported():
    class Spinning(MutexProcess):
        @when(lambda self: self.wants)
        def spin(self):
            pass

    with pytest.raises(Misuse, match="never settle"):
        run(Spinning, load=Script(requests=(Request(1.0, 0),)))


def test_dice_that_were_loaded_for_a_step_are_fair_again_even_if_it_fails():
    class Drawing(MutexProcess):
        def acquire(self):
            assert self.random.random() == 0.25
            raise KeyError

    request = Event(0.0, "request", node=0, step=1, draws=(0.25,))
    simulation = Simulation(Scenario("test", nodes=2), made_of(Drawing), [request])
    usual = simulation.stream(0)
    with pytest.raises(KeyError):
        simulation.run(until=1.0)
    assert simulation.stream(0) is usual


@pytest.mark.parametrize("steps", [(None,), (2, None), (None, 2)], ids=str)
def test_an_intervention_without_a_step_is_refused_and_not_taken_for_the_first(steps):
    interventions = [Event(1.0, "request", node=0, step=step) for step in steps]
    simulation = Simulation(Scenario("test", nodes=2), made_of(Clock), interventions)
    with pytest.raises(TypeError):
        simulation.run(until=10.0)


def test_a_message_cannot_be_changed():
    with pytest.raises(AttributeError):
        Ping(1).number = 2
    assert Ping(1) == Ping(1) != Ping(2)


PLAIN = (int, float, str, tuple, frozenset, type(None), Message)


def is_flat(value: object) -> bool:
    """A plain value, or a container of plain values: what a checkpoint's shallow copy copies entirely."""
    if isinstance(value, dict):
        return all(isinstance(item, PLAIN) for pair in value.items() for item in pair)
    if isinstance(value, list | set | deque):
        return all(isinstance(item, PLAIN) for item in value)
    return isinstance(value, PLAIN)


@for_each(algorithm=catalog.by_name().values())
def test_processes_hold_plain_values_or_flat_containers_of_them(algorithm):
    simulation = catalog.simulation(Scenario(algorithm.name, nodes=5, load=Poisson(rate=0.1)))
    for _ in range(300):
        simulation.step()
        for process in simulation.processes:
            for name, value in vars(process).items():
                assert is_flat(value), f"{algorithm.name}: {name} = {value!r}"


DIGESTS = """
import hashlib
from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Poisson

for name in sorted(catalog.by_name()):
    load, network = Poisson(rate=0.1), Network(delay=Uniform(0.5, 1.5))
    run = catalog.simulation(Scenario(name, nodes=5, load=load, network=network))
    run.run(steps=500)
    print(name, hashlib.sha256(repr(run.trace.records).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def digests() -> list[dict[str, str]]:
    """Name -> digest of the algorithm's trace, in this process and in one with other hashes."""
    with redirect_stdout(io.StringIO()) as here:
        exec(DIGESTS, {})
    environment = {"PYTHONHASHSEED": "77", "PYTHONPATH": ":".join(p for p in sys.path if p)}
    other = subprocess.run(
        [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True
    ).stdout
    return [dict(line.split() for line in output.splitlines()) for output in (here.getvalue(), other)]


@for_each(name=sorted(catalog.by_name()))
def test_the_same_run_gives_the_same_bytes_in_every_process(name, digests):
    assert len({digest[name] for digest in digests}) == 1
