"""Why a node is waiting: sentences for every algorithm, edges and circles of the wait-for graph, what unblocks it."""

from __future__ import annotations

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, ENTER, KIND, NODE, SENDER, SEQ
from algorithms.engine.observe.meters import Meters
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Poisson, Request, Script
from tests.support.kit import for_each
from visual.analysis.run_cache import RunCache
from visual.analysis.wait_for import (
    awaited_by,
    endless_waits,
    is_token_gone,
    is_waiting,
    unblocking_messages,
    wait_cycle,
    wait_targets,
)
from visual.drawing.picking import bounds, middle_of, overlap
from visual.drawing.shapes import Box, Group, Line, Mark, Rect
from visual.drawing.theme import load
from visual.narration.waiting import reasons
from visual.scene.graph.layout import arrange
from visual.scene.graph.links import edges, frames, selection
from visual.scene.graph.run_graph import graph
from visual.scene.options import Options

LIGHT = load("light")
AREA = Rect(0, 0, 900, 600)


def run_of(algorithm: str, until: float, *events: Event, nodes: int = 6, **more: object) -> Timeline:
    chosen = {"load": Poisson(rate=0.1), "network": Network(Uniform(0.5, 1.5)), "seed": 3, **more}
    timeline = catalog.timeline(Scenario(algorithm, nodes=nodes, events=events, **chosen))  # type: ignore[arg-type]
    timeline.seek_time(until)
    return timeline


def words_of(timeline: Timeline, node: int) -> str:
    return " ".join(reason.words for reason in reasons(timeline.simulation, node))


@for_each(algorithm=sorted(catalog.by_name()))
def test_whoever_waits_is_told_why(algorithm):
    waited = 0
    for time in (3.0, 7.0, 12.0, 20.0, 31.0):
        run = run_of(algorithm, time).simulation
        for node in range(len(run.processes)):
            found = reasons(run, node)
            if is_waiting(run, node):
                waited += 1
                assert len(found) >= 1
                assert all(reason.words.endswith(".") for reason in found)
                assert len({reason.words for reason in found}) == len(found), "nothing is said twice"
                assert not any(reason.is_permanent for reason in found), "nothing has gone wrong"
            elif not run.algorithm.is_election() and not algorithm.startswith("system-"):
                assert found == []
    assert waited or algorithm in ("uncoordinated", "ring-election") or algorithm.startswith("system-")


def test_the_crashed_will_never_answer_and_the_paused_may():
    timeline = run_of("ricart-agrawala", 20.0, Event(0.5, "crash", node=4), Event(0.5, "pause", node=2))
    run = timeline.simulation
    node = next(n for n in range(6) if is_waiting(run, n) and {2, 4} <= set(awaited_by(run, n)))
    found = reasons(run, node)
    assert any(r.words == "P4 has crashed: it will never answer." and r.is_permanent for r in found)
    assert any(r.words.startswith("P2 is paused") and not r.is_permanent for r in found)
    assert (node, 4) in endless_waits(run, node)
    assert (node, 2) not in endless_waits(run, node)
    assert reasons(run, 4)[0].is_permanent
    assert [reasons(run, n)[0].words for n in (4, 2)] == ["P4 itself has crashed.", "P2 itself is paused."]


def test_a_deferred_reply_is_explained_by_who_has_it_deferred():
    requests = (Request(1.0, 0), Request(1.2, 1))
    timeline = run_of("ricart-agrawala", 3.2, nodes=3, load=Script(requests=requests), network=Network())
    assert "P0 is in the critical section and has deferred its reply to P1: (1,0) is older than (1,1)." in words_of(
        timeline, 1
    )
    assert words_of(timeline, 1).startswith("It waits for a reply from P0.")


def test_a_place_in_the_queue_is_told():
    requests = (Request(1.0, 1), Request(1.1, 2), Request(1.2, 3))
    timeline = run_of("centralized", 3.5, nodes=4, load=Script(requests=requests), network=Network())
    assert "P0 has granted entry to P1, and P3 is number 2 of 2 in its queue." in words_of(timeline, 3)


@pytest.mark.parametrize("algorithm", ["token-ring", "ring-search", "binary-search-token", "wandering-token-report"])
def test_where_the_token_is(algorithm):
    seen = set()
    for tenth in range(20, 300, 7):
        timeline = run_of(algorithm, tenth / 10)
        run = timeline.simulation
        for node in range(6):
            if is_waiting(run, node):
                said = words_of(timeline, node)
                assert "oken" in said
                if run.processes[node].holding():
                    assert said.startswith(f"P{node} has the token itself")
                    assert "waits for the token" not in said
                    seen.add("its own")
                for other in range(6):
                    if run.processes[other].holding() and other != node:
                        assert f"P{other} has the token" in said
                        seen.add("held")
                if "token is in transit" in said:
                    seen.add("flying")
    assert "flying" in seen
    assert ("its own" in seen) == (algorithm == "wandering-token-report"), "which may rest at one that wants to enter"


@for_each(case=[(a.name, v) for a in catalog.by_name().values() if a.token for v in (None, *a.variants)])
def test_a_token_is_told_as_lost_only_where_none_is_alive(case):
    """Also where a process sends it to itself, and where node 0 has it."""
    algorithm, variant = case
    timeline = run_of(algorithm, 0.0, nodes=3, variant=variant)
    run = timeline.simulation
    tokens = Meters(timeline.scenario, run.algorithm)
    for _ in range(120):
        timeline.forward()
        tokens.advance(timeline.trace)
        if tokens.at(timeline.step, run.now).tokens:
            assert not is_token_gone(run)
            assert not any("token has been lost" in words_of(timeline, node) for node in range(3))


def test_a_lost_token_is_the_end_and_the_circle_of_waiting_is_no_deadlock():
    timeline = run_of("token-ring", 40.0, Event(2.5, "lose-token"), load=Closed(think=1.0), network=Network())
    run = timeline.simulation
    found = reasons(run, 2)
    assert any(r.is_permanent and r.words == "The token has been lost; P2 cannot know this." for r in found)
    assert wait_cycle(run, 2) == [2, 1, 0, 5, 4, 3]
    assert "Deadlock" not in words_of(timeline, 2), "a ring is a circle in good times, too"
    assert set(endless_waits(run, 2)) == {(k, (k - 1) % 6) for k in range(6)}
    before = run_of("token-ring", 2.4, load=Closed(think=1.0), network=Network()).simulation
    assert wait_cycle(before, 2) == []


def test_a_token_that_was_lost_before_its_holder_crashed_is_not_said_to_be_there():
    events, load = (
        (Event(1.2, "lose-token"), Event(1.4, "crash", node=1)),
        Script(requests=(Request(0, 1), Request(0, 2))),
    )
    timeline = run_of("token-ring", 1.6, *events, nodes=3, load=load, network=Network())
    assert "The token was lost while P1 held it, before it crashed; P2 cannot know this." in words_of(timeline, 2)


def test_the_message_that_unblocks_does():
    """Where all but one have answered and that answer is in transit, its arrival is the entry."""
    timeline = run_of("ricart-agrawala", 0.0)
    proven = 0
    for _ in range(600):
        timeline.forward()
        run = timeline.simulation
        for node in range(6):
            coming = unblocking_messages(run, node)
            if len(awaited_by(run, node)) == 1 and coming:
                serial = coming[-1][SEQ]
                place = timeline.step
                while timeline.trace.event(timeline.step - 1)[SEQ] != serial or timeline.step == place:
                    timeline.forward()
                if timeline.trace.event(timeline.step - 1)[KIND] == DELIVER and len(coming) == 1:
                    effects = timeline.trace.step(timeline.step - 1)
                    answered = not awaited_by(run, node)
                    assert answered == any(r[KIND] == ENTER and r[NODE] == node for r in effects)
                    proven += answered
                timeline.seek(place)
    assert proven > 5


def test_an_election_tells_what_it_is_waiting_for():
    timeline = run_of("bully", 1.2, Event(0.5, "crash", node=5), load=Script(requests=(Request(1.0, 2),)))
    waits = "In this election it waits for an answer or coordinator message from any one of P3, P4 and P5."
    assert waits in words_of(timeline, 2)
    assert "P5 has crashed and does not answer." in words_of(timeline, 2)
    assert "Its answer timeout expires at t = 3.5." in words_of(timeline, 2)
    ring = run_of("ring-election", 3.0, load=Script(requests=(Request(1.0, 2),)))
    assert "knows no leader yet" in words_of(ring, 0)
    assert "is in transit from P" in words_of(ring, 0)
    quiet = run_of("bully", 1.0, load=Script())
    assert words_of(quiet, 2) == "P2 knows no leader yet. No election is under way."


@pytest.mark.parametrize("system", ["system-s", "system-token", "system-message-passing", "system-binary-search"])
def test_a_node_of_a_term_is_told_where_the_token_is_and_which_rules_apply(system):
    said = set()
    for time in range(2, 24):
        timeline = run_of(system, float(time))
        run = timeline.simulation
        term = dict(zip(run.processes[0].system.components, run.processes[0].term, strict=True))
        for node in range(6):
            words = words_of(timeline, node)
            if not words:
                continue
            assert f"P{node} has d" in words
            assert ("rule" in words) or ("Rule" in words)
            said |= {"none"} if "No rule can be applied" in words else {"rule"}
            if isinstance(term.get("T"), int):
                assert "the token" in words
                assert ("It has the token." in words) == (term["T"] == node)
    assert said == {"rule", "none"}


def test_a_circle_of_waiting_leads_through_the_arbiters_that_do_not_wait_themselves():
    """P1 needs P0's vote, which is with P2; P2 needs P3's, which is with P1; P3 waits for both, in no cycle."""
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("published-deadlock")))
    timeline.seek_time(16.0)
    assert "Deadlock: P1 waits for P2, and P2 waits for P1." in words_of(timeline, 1)
    assert "P0 has voted for P2 and has asked for its vote back." in words_of(timeline, 1)
    assert "Deadlock" not in words_of(timeline, 3)
    assert endless_waits(timeline.simulation, 1) == [(1, 2), (2, 1)]


# ---- on the graph ------------------------------------------------------------------------------------------


def drawn(timeline: Timeline, node: int) -> list:
    run = timeline.simulation
    layout, options = arrange(run, AREA), Options(selected=f"node:{node}")
    cache = RunCache(run)
    shapes = graph(cache, run.now, layout, LIGHT, options)
    arrows = [line for group in edges(cache, layout, LIGHT, options) for line in group.shapes]
    return [*arrows, *frames(cache, layout, LIGHT, options, shapes)]


def test_edges_lead_to_those_who_are_waited_for_and_are_red_where_it_is_for_ever():
    timeline = run_of("ricart-agrawala", 20.0, Event(0.5, "crash", node=4))
    run = timeline.simulation
    node = next(n for n in range(6) if 4 in awaited_by(run, n))
    layout = arrange(run, AREA)
    lines = [shape for shape in drawn(timeline, node) if isinstance(shape, Line)]
    ends = {}
    for line in lines:
        nearest = min(
            range(6), key=lambda n: (layout.places[n][0] - line.x2) ** 2 + (layout.places[n][1] - line.y2) ** 2
        )
        ends[nearest] = line.stroke
    assert set(ends) == set(awaited_by(run, node))
    assert ends[4] == LIGHT.fault
    assert all(colour == LIGHT.accent for other, colour in ends.items() if other != 4)


def test_the_messages_that_unblock_are_framed():
    timeline = run_of("ricart-agrawala", 15.0)
    run = timeline.simulation
    node = next(n for n in range(6) if unblocking_messages(run, n))
    boxes = [shape for shape in drawn(timeline, node) if isinstance(shape, Box)]
    wanted = {f"message:{entry[SEQ]}" for entry in unblocking_messages(run, node)}
    shapes = graph(RunCache(run), run.now, arrange(run, AREA), LIGHT, Options(selected=f"node:{node}"))
    marks = [shape for shape in shapes if isinstance(shape, Mark) and shape.id in wanted]
    assert len(boxes) == len(marks) == len(wanted)
    for box, mark in zip(boxes, marks, strict=True):
        assert middle_of(bounds(box)) == pytest.approx((mark.x, mark.y))
        assert overlap(bounds(box), bounds(mark)) == pytest.approx(bounds(mark))
    assert {entry[NODE] for entry in unblocking_messages(run, node)} == {node}
    assert {entry[SENDER] for entry in unblocking_messages(run, node)} <= set(awaited_by(run, node))


def test_the_selected_message_is_framed():
    timeline = run_of("ricart-agrawala", 15.0)
    run = timeline.simulation
    layout = arrange(run, AREA)
    shapes = graph(RunCache(run), run.now, layout, LIGHT, Options())
    mark = next(shape for shape in shapes if isinstance(shape, Mark))
    (box,) = selection(layout, LIGHT, Options(selected=mark.id), shapes)
    assert middle_of(bounds(box)) == pytest.approx((mark.x, mark.y))
    assert selection(layout, LIGHT, Options(selected="message:999999"), shapes) == []


def test_messages_and_nodes_cover_the_edges():
    timeline = run_of("ricart-agrawala", 15.0)
    run = timeline.simulation
    beneath = [Line(0, 0, 9, 9, LIGHT.accent, 2)]
    shapes = graph(RunCache(run), run.now, arrange(run, AREA), LIGHT, Options(), beneath)
    above = shapes[shapes.index(beneath[0]) :]
    assert any(isinstance(shape, Mark) for shape in above)
    assert {f"node:{node}" for node in range(6)} <= {shape.id for shape in above if isinstance(shape, Group)}


def test_who_waits_for_the_token_has_an_edge_to_its_holder():
    timeline = run_of("binary-search-token", 5.0)
    run = timeline.simulation
    while not any(process.inside for process in run.processes):
        timeline.forward()
    node = next(n for n in range(6) if is_waiting(run, n) and wait_targets(run, n))
    assert all(run.processes[other].holding() for other in wait_targets(run, node))
    assert len([shape for shape in drawn(timeline, node) if isinstance(shape, Line)]) == len(wait_targets(run, node))


def test_nothing_is_drawn_for_who_does_not_wait():
    timeline = run_of("ricart-agrawala", 15.0, load=Script())
    assert drawn(timeline, 0) == []
