"""Nodes that join and leave while a run goes on, and events that come again."""

from __future__ import annotations

from algorithms.engine.events import DELIVER, ENTER, KIND, LEAVE, LOST, NODE, TIME
from algorithms.engine.membership import ABSENT
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Script
from algorithms.mutual_exclusion import centralized, uncoordinated


def run_of(*events: Event, nodes: int = 4, members: int | None = None, algorithm=uncoordinated.ALGORITHM) -> Simulation:
    scenario = Scenario(algorithm.name, nodes=nodes, members=members, load=Script(), events=events)
    return Simulation(scenario, algorithm)


def entries(run: Simulation) -> list[tuple[float, int]]:
    return [(r[TIME], r[NODE]) for r in run.trace.records if r[KIND] == ENTER]


def test_only_the_members_take_part_from_the_start():
    run = run_of(Event(1.0, "request", node=1), Event(1.0, "request", node=2), members=2)
    run.run(until=10)
    assert run.down == {2: ABSENT, 3: ABSENT}
    assert [p.peers for p in run.processes[:2]] == [(1,), (0,)]
    assert entries(run) == [(1.0, 1)]


def test_who_joins_is_known_to_all_and_may_enter():
    run = run_of(Event(1.0, "join"), Event(2.0, "request", node=2), members=2)
    run.run(until=10)
    assert [p.peers for p in run.processes[:3]] == [(1, 2), (0, 2), (0, 1)]
    assert entries(run) == [(2.0, 2)]


def test_without_a_node_the_first_that_is_absent_joins():
    run = run_of(Event(1.0, "leave", node=0), Event(2.0, "join"), Event(3.0, "join"), Event(4.0, "join"), members=3)
    run.run(until=2.5)
    assert run.down == {3: ABSENT}
    run.run(until=10)
    assert run.down == {}


def test_who_leaves_is_outside_and_forgotten():
    run = run_of(Event(1.0, "request", node=1), Event(1.5, "leave", node=1), Event(1.7, "request", node=1))
    run.run(until=10)
    exits = [(r[TIME], r[NODE]) for r in run.trace.records if r[KIND] == LEAVE]
    assert (entries(run), exits) == ([(1.0, 1)], [(1.5, 1)])
    assert run.processes[0].peers == (2, 3)


def test_a_message_to_who_has_left_is_lost():
    events = (Event(1.0, "request", node=1), Event(1.5, "leave", node=0))
    run = run_of(*events, algorithm=centralized.ALGORITHM)
    run.run(until=10)
    kinds = [r[KIND] for r in run.trace.step(len(run.trace) - 1)]
    assert kinds == [DELIVER, LOST]


def test_an_event_comes_again_every_so_often():
    run = run_of(Event(1.0, "request", node=1, every=3.0))
    run.run(until=8.0)
    assert entries(run) == [(1.0, 1), (4.0, 1), (7.0, 1)]


def test_peers_are_right_again_after_a_seek():
    events = (Event(1.0, "request", node=0), Event(2.0, "leave", node=2), Event(3.0, "request", node=1))
    timeline = Timeline(Scenario("uncoordinated", nodes=3, events=events), uncoordinated.ALGORITHM, every=1)
    timeline.seek_time(5.0)
    assert timeline.simulation.processes[0].peers == (1,)
    timeline.seek_time(1.5)
    assert timeline.simulation.processes[0].peers == (1, 2)
