"""Pointers, regions, things at the ends of links and two rows of chips are drawn as the processes' variables are."""

from __future__ import annotations

import math

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed
from visual.analysis.run_cache import RunCache
from visual.drawing import fonts
from visual.drawing.picking import bounds, is_inside, overlap
from visual.drawing.shapes import Box, Circle, Group, Line, Polyline, Rect, Text
from visual.drawing.theme import load
from visual.narration.node_facts import ChipRow, NodeFacts, all_facts
from visual.scene.graph.layout import Layout, arrange
from visual.scene.graph.legend import entries
from visual.scene.graph.nodes import corner_boxes, nodes
from visual.scene.graph.run_graph import edge_ends, graph, pointers, regions
from visual.scene.options import PLAIN, Options

LIGHT, AREA = load("light"), Rect(0, 0, 900, 600)


def timeline_of(name: str, nodes: int, **more: object) -> Timeline:
    return catalog.timeline(Scenario(name, nodes=nodes, load=Closed(think=2.0), **more))  # type: ignore[arg-type]


def nearest(layout: Layout, x: float, y: float) -> int:
    return min(range(len(layout.places)), key=lambda node: math.dist(layout.places[node], (x, y)))


def arrows(timeline: Timeline, layout: Layout) -> set[tuple[str, int, int]]:
    """The pointers in the picture: the look of each, its node, and the node that it names."""
    run = timeline.simulation
    lines = pointers(all_facts(RunCache(run)), run.algorithm, layout, LIGHT, PLAIN)
    assert all(isinstance(line, Line) and line.arrow for line in lines)
    return {
        ("dotted" if line.dash else "solid", nearest(layout, line.x1, line.y1), nearest(layout, line.x2, line.y2))
        for line in lines
        if isinstance(line, Line)
    }


def test_pointers_turn_with_their_variables():
    timeline = timeline_of("raymond", 7)
    layout = arrange(timeline.simulation, AREA)
    seen = set()
    for _ in range(60):
        timeline.forward()
        holders = [(process.id, process.holder) for process in timeline.simulation.processes]
        drawn = arrows(timeline, layout)
        assert drawn == {("solid", node, holder) for node, holder in holders if node != holder}
        seen.add(frozenset(drawn))
    assert len(seen) > 10


def test_pointers_lie_above_faded_links_and_are_in_the_legend():
    timeline = timeline_of("raymond", 7)
    run, cache = timeline.simulation, RunCache(timeline.simulation)
    layout = arrange(run, AREA)
    shapes = graph(cache, 0.0, layout, LIGHT)
    links = shapes[0]
    assert isinstance(links, Group)
    assert {line.stroke for line in links.shapes if isinstance(line, Line)} == {LIGHT.rule}
    (drawn,) = {shape.stroke for shape in shapes if isinstance(shape, Line) and shape.arrow}
    assert drawn == LIGHT.ink
    assert "towards the token" in {entry.words for entry in entries(cache, 0.0, LIGHT)}


@pytest.mark.parametrize("name", ["centralized", "token-ring"])
def test_links_without_pointers_are_as_they_were(name):
    timeline = timeline_of(name, 6)
    links = graph(RunCache(timeline.simulation), 0.0, arrange(timeline.simulation, AREA), LIGHT)[0]
    assert isinstance(links, Group)
    assert {line.stroke for line in links.shapes if isinstance(line, Line)} == {LIGHT.edge}


def shaded(timeline: Timeline, layout: Layout, options: Options) -> set[frozenset[int]]:
    """The shaded regions: the nodes with a disc in each."""
    groups = regions(all_facts(RunCache(timeline.simulation), options.selected), layout, LIGHT, options)
    discs = (
        [shape for shape in group.shapes if isinstance(shape, Circle)] for group in groups if isinstance(group, Group)
    )
    return {frozenset(nearest(layout, disc.x, disc.y) for disc in each) for each in discs}


def test_the_quorums_of_the_first_that_wait_are_shaded_or_that_of_the_selected_process():
    timeline = timeline_of("maekawa", 7)
    layout, most = arrange(timeline.simulation, AREA), 0
    for _ in range(60):
        timeline.forward()
        processes = timeline.simulation.processes
        quorums = [frozenset(process.quorum) for process in processes if process.wants or process.inside]
        assert shaded(timeline, layout, PLAIN) == {*quorums[:3]}
        most = max(most, len(quorums))
        assert shaded(timeline, layout, Options(selected="node:5")) == {frozenset(processes[5].quorum)}
    assert most > 3


def test_the_processes_of_each_wave_are_shaded_together():
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("two-waves-meet")))
    layout, seen = arrange(timeline.simulation, AREA), set()
    while timeline.forward():
        waves = [process.wave for process in timeline.simulation.processes]
        members = {frozenset(n for n, wave in enumerate(waves) if wave == name) for name in {*waves} - {None}}
        assert shaded(timeline, layout, PLAIN) == members
        seen.add(len(members))
    assert seen == {0, 1, 2}


def away(point: tuple[float, float], layout: Layout) -> float:
    """How far a point is outside the ring, beyond the words beside its nodes: sideways they take more room."""
    ends = [(x / 1.25, y) for x, y in layout.places]
    x, y = point[0] / 1.25, point[1]
    gaps = []
    for (x0, y0), (x1, y1) in zip(ends, [*ends[1:], ends[0]], strict=True):
        part = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / math.dist((x0, y0), (x1, y1)) ** 2
        part = min(max(part, 0.0), 1.0)
        gaps.append(math.dist((x, y), (x0 + part * (x1 - x0), y0 + part * (y1 - y0))))
    return min(gaps)


PLACES = [(AREA, 0.078, PLAIN), (Rect(18, 85, 1244, 396), 0.1092, Options(presenting=True, scale=0.667))]


@pytest.mark.parametrize(("area", "largest", "options"), PLACES, ids=["usual", "flat"])
def test_the_reach_of_candidates_is_an_arc_around_the_ring(area, largest, options):
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("probes-that-double")))
    run = timeline.simulation
    layout, lengths = arrange(run, area, largest=largest), set()
    while timeline.forward():
        reaches = sorted((p.reach for p in run.processes if p.role == "candidate"), key=len, reverse=True)[:3]
        facts = all_facts(RunCache(run), "")
        drawn = regions(facts, layout, LIGHT, options)
        arcs = [shape for group in drawn for shape in group.shapes if isinstance(shape, Polyline)]
        assert [{nearest(layout, *point) for point in arc.points} for arc in arcs] == reaches
        lengths |= {*map(len, reaches)}
        inner = 0.0
        for arc in arcs:
            gaps = [away(point, layout) for point in arc.points]
            assert max(gaps) - min(gaps) < 1.0, "an arc keeps its distance from the ring"
            assert min(gaps) > inner + 1.5 * arc.width, "and from the arcs within it"
            inner = min(gaps)
        phases = [fact for fact in facts if not fact.leader_name]  # later beliefs stand in front of what is left
        boxes = [box for _, box in corner_boxes(phases, layout, LIGHT, options)]
        for group in drawn:
            assert all(is_inside(bounds(shape), area) for shape in group.shapes)
            (disc,) = (shape for shape in group.shapes if isinstance(shape, Circle))
            ends = [bounds(shape) for shape in group.shapes if isinstance(shape, Line)]
            assert [box for one in [*ends, bounds(disc)] for box in boxes if min(overlap(one, box)[2:]) > 0] == []
    assert lengths == {3, 5, 8}


@pytest.mark.parametrize("name", ["probes-that-double", "ring-election-numbers", "every-number-goes-round"])
@pytest.mark.parametrize(("area", "largest", "options"), PLACES, ids=["usual", "flat"])
def test_a_name_with_its_number_keeps_off_the_circle(name, area, largest, options):
    run = catalog.timeline(scenario_file.load(scenario_file.find(name))).simulation
    layout = arrange(run, area, largest=largest)
    for group in nodes(all_facts(RunCache(run)), layout, LIGHT, options):
        (words,) = (one for one in group.shapes if isinstance(one, Text) and ": " in one.text)
        if any(isinstance(one, Box) and abs(one.y + one.h / 2 - words.y) < 0.1 for one in group.shapes):
            assert words.size <= options.presented, "smaller would be unreadable, so it lies on a ground of its own"
            continue
        ring = next(one for one in group.shapes if isinstance(one, Circle) and one.stroke)
        wide, high = fonts.width(words.text, words.size, weight="bold") / 2, fonts.CAP_HEIGHT * words.size / 2
        assert math.hypot(wide, abs(words.y) + high) < ring.r - ring.width / 2 - 0.5


@pytest.mark.parametrize(
    ("topology", "joined"),
    [
        ("tree", {(1, 3), (0, 1)}),  # a path from the leaf to the root
        ("complete", {(1, 3), (0, 3)}),
        ("ring", {(0, 3), (0, 1)}),  # no link leads from P3 into its quorum, but one leads on
    ],
)
def test_a_region_is_joined_along_links(topology, joined):
    timeline = timeline_of("maekawa", 7, topology=topology, parameters={"quorums": "tree"})
    run = timeline.simulation
    assert {*run.processes[3].quorum} == {0, 1, 3}
    layout = arrange(run, AREA)
    (group,) = regions(all_facts(RunCache(run), "node:3"), layout, LIGHT, Options(selected="node:3"))
    assert isinstance(group, Group)
    bands = [shape for shape in group.shapes if isinstance(shape, Line)]
    ends = [{nearest(layout, band.x1, band.y1), nearest(layout, band.x2, band.y2)} for band in bands]
    assert {tuple(sorted(pair)) for pair in ends} == joined


@pytest.mark.parametrize("node", range(6))
def test_two_rows_of_chips_lie_apart_and_beside_their_node(node):
    layout = arrange(timeline_of("token-ring", 6).simulation, AREA)
    rows = (ChipRow("votes", ("P8", "P9"), False, False), ChipRow("queue", ("1,2", "1,3"), True, False))
    shapes = nodes([NodeFacts(node, "idle", rows=rows)], layout, LIGHT, PLAIN)[0].shapes
    texts = [
        bounds(shape) for shape in shapes if getattr(shape, "text", "") in ("votes", "queue", "P8", "P9", "1,2", "1,3")
    ]
    assert len(texts) == 6
    for k, one in enumerate(texts):
        assert not any(overlap(one, other).w > 1 and overlap(one, other).h > 1 for other in texts[k + 1 :])


def test_a_permission_is_drawn_at_the_end_of_the_link_where_it_is():
    timeline = timeline_of("carvalho-roucairol", 5)
    run = timeline.simulation
    layout, moved = arrange(run, AREA), set()
    for _ in range(80):
        timeline.forward()
        marks = edge_ends(all_facts(RunCache(run)), run.algorithm, layout, LIGHT, PLAIN)
        drawn = {
            (nearest(layout, mark.x, mark.y), round(mark.x), round(mark.y)) for mark in marks if isinstance(mark, Group)
        }
        permissions = [(process.id, other) for process in run.processes for other in process.allowed]
        assert len(drawn) == len(marks) == len(permissions)
        assert sorted(node for node, *_ in drawn) == sorted(node for node, _ in permissions)
        moved.add(frozenset(permissions))
    assert len(moved) > 5
