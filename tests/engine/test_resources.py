"""Several resources in one run: each has a critical section of its own, and is watched and counted by itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.events import ENTER, KIND, LEAVE, NODE, RESOURCE
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Poisson, Request, Script
from visual.narration.steps import step_sentence

PROTOCOLS = ("sigma", "non-end-to-end", "end-to-end")


def scenario(name: str, seed: int, variant: str | None = None) -> Scenario:
    """Eight nodes that ask for three resources, at random."""
    return Scenario(
        name,
        variant=variant,
        nodes=8,
        seed=seed,
        network=Network(delay=Uniform(0.5, 1.5)),
        load=Poisson(rate=0.03, hold=Uniform(1.0, 9.0)),
        parameters={"resources": 3, "placement": seed},
    )


def run(name: str, seed: int, variant: str | None = None) -> Simulation:
    simulation = catalog.simulation(scenario(name, seed, variant))
    simulation.run(until=300)
    return simulation


def company(simulation: Simulation) -> int:
    """How often somebody enters a critical section in which somebody is, told from the bare records."""
    inside: defaultdict[int, set[int]] = defaultdict(set)
    met = 0
    for record in simulation.trace.records:
        if record[KIND] == ENTER:
            met += bool(inside[record[RESOURCE]] - {record[NODE]})
            inside[record[RESOURCE]].add(record[NODE])
        elif record[KIND] == LEAVE:
            inside[record[RESOURCE]].discard(record[NODE])
    return met


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_node_may_be_inside_several_resources_but_no_resource_has_two_nodes(name):
    at_once = 0
    for seed in range(6):
        simulation = catalog.simulation(scenario(name, seed))
        while simulation.now < 300 and simulation.step():
            held = Counter(resource for process in simulation.processes for resource in process.inside)
            assert max(held.values(), default=0) <= 1
            at_once = max(at_once, *(len(process.inside) for process in simulation.processes))
        monitors = Monitors(simulation.scenario, simulation.algorithm)
        monitors.advance(simulation.trace)
        assert monitors.at(simulation.steps, simulation.now)["ME1"].status == "holds"
    assert at_once > 1


@pytest.mark.parametrize("name", ["non-end-to-end", "end-to-end"])
def test_a_breach_is_two_in_the_same_critical_section(name):
    total = 0
    for seed in range(12):
        simulation = run(name, seed, "as-described")
        monitors = Monitors(simulation.scenario, simulation.algorithm)
        monitors.advance(simulation.trace)
        found = [breach for breach in monitors.breaches(simulation.steps) if breach.monitor == "ME1"]
        assert len(found) == company(simulation)
        total += len(found)
    assert total > 5


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_resource_is_counted_by_itself(name):
    simulation = run(name, 3)
    meters = Meters(simulation.scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    entered = Counter(record[RESOURCE] for record in simulation.trace.records if record[KIND] == ENTER)
    for step in (simulation.steps // 2, simulation.steps):
        counters = meters.at(step, simulation.now)
        assert sum(resource.entries for resource in counters.resources) == counters.entries
        assert sum(resource.inside for resource in counters.resources) == counters.inside
        assert sum(resource.waiting_time.samples for resource in counters.resources) == counters.waiting_time.samples
    assert [resource.entries for resource in counters.resources] == [entered[k] for k in range(3)]


def test_requests_are_for_the_resources_that_the_script_names():
    load = Script(requests=(Request(1.0, 2, resource=1), Request(1.0, 2, resource=0), Request(30.0, 4, resource=1)))
    simulation = catalog.simulation(
        Scenario(
            "sigma", nodes=6, load=load, parameters={"resources": 2}, events=(Event(60.0, "request", 3, resource=1),)
        )
    )
    simulation.run(until=200)
    entered = sorted((r[RESOURCE], r[NODE]) for r in simulation.trace.records if r[KIND] == ENTER)
    assert entered == [(0, 2), (1, 2), (1, 3), (1, 4)]


def test_one_can_go_back_in_a_run_with_several_resources():
    name, random = "end-to-end", Random(4)
    timeline, straight = Timeline(scenario(name, 4), catalog.find(name)), run(name, 4)
    for step in random.choices(range(straight.steps), k=6):
        timeline.seek(step)
    timeline.seek(straight.steps)
    assert [vars(process) for process in timeline.simulation.processes] == [vars(p) for p in straight.processes]


FILE = """
format = 1
algorithm = "sigma"
nodes = 5
[load]
kind = "script"
requests = [{ at = 1.0, node = 2, resource = 1 }]
[parameters]
resources = 2
"""


def test_a_file_says_which_resource_and_is_told_which_there_are():
    loaded = scenario_file.loads(FILE)
    assert loaded.load.requests == (Request(1.0, 2, 1),)  # type: ignore[attr-defined]
    assert scenario_file.loads(scenario_file.dumps(loaded)) == loaded
    with pytest.raises(BadInput, match="a resource from 0 to 0"):
        scenario_file.loads(FILE.replace("resources = 2", ""))
    with pytest.raises(BadInput, match="a resource from 0 to 0"):
        scenario_file.loads(FILE.replace("sigma", "token-ring").replace("resources = 2", ""))


def test_the_shipped_scenario_has_two_inside_and_no_breach():
    loaded = scenario_file.load(scenario_file.find("p2p-two-resources"))
    simulation = catalog.simulation(loaded)
    simulation.run(until=loaded.markers[0].at)
    assert {(resource, p.id) for p in simulation.processes for resource in p.inside} == {(0, 2), (1, 6)}
    simulation.run(until=loaded.until)
    assert company(simulation) == 0
    assert sum(record[KIND] == ENTER for record in simulation.trace.records) == 4


def test_a_step_s_story_says_which_resource_it_is_about():
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("p2p-two-resources")))
    timeline.seek_time(40.0)
    heads = [step_sentence(timeline, step) for step in range(timeline.step)]
    assert any("P6 requests the critical section (resource B)" in head for head in heads)
    assert any("P2 leaves the critical section (resource A)" in head for head in heads)


def test_the_timer_of_a_further_resource_can_be_named_in_a_file():
    text = FILE + "[[event]]\nat = 9.0\ndo = 'fire'\nnode = 2\ntimer = 'rest 1'\n"
    assert scenario_file.loads(text).events[0].timer == "rest 1"
