"""Where nodes are: apart from each other, inside their rectangle, in the order that the graph asks for."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, pairwise, product, starmap

import pytest

from algorithms import catalog
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import TOPOLOGIES
from visual.drawing.shapes import Box, Rect
from visual.drawing.theme import load
from visual.narration.node_facts import ChipRow, NodeFacts
from visual.scene.graph import nodes as pictures
from visual.scene.graph.layout import Layout, arrange
from visual.scene.options import PLAIN

WINDOW = Rect(0, 64, 1280, 584)
RECTANGLES = (WINDOW, Rect(10, 20, 680, 430), Rect(0, 0, 1920, 1080), Rect(0, 0, 600, 900))
SIZES = (2, 3, 5, 10, 30, 31, 100, 121, 300)


@cache
def layout(topology: str, nodes: int, rect: Rect = WINDOW) -> Layout:
    return arrange(catalog.simulation(Scenario("uncoordinated", nodes=nodes, topology=topology)), rect)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_circles_do_not_touch_and_their_rings_are_inside_the_rectangle(topology: str) -> None:
    for nodes, rect in product((1, *SIZES), RECTANGLES):
        there = layout(topology, nodes).within(rect)
        room = 1.7 * there.radius
        for x, y in there.places:
            assert rect.x + room <= x <= rect.x + rect.w - room, (nodes, rect)
            assert rect.y + room <= y <= rect.y + rect.h - room, (nodes, rect)
        if nodes > 1:
            apart = min(starmap(math.dist, combinations(there.places, 2)))
            assert apart > 2.5 * there.radius, (nodes, rect)
            assert there.spacing == pytest.approx(apart, abs=0.1), (nodes, rect)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_small_systems_have_nodes_of_6_to_8_percent_of_the_height(topology: str) -> None:
    for nodes in (2, 3, 4, 5):
        assert 0.06 * WINDOW.h <= layout(topology, nodes).radius <= 0.08 * WINDOW.h


def test_three_hundred_nodes_are_large_enough_to_be_told_apart() -> None:
    assert all(layout(topology, 300).radius >= 4 for topology in TOPOLOGIES)
    assert layout("complete", 300).radius >= 10


@pytest.mark.parametrize("topology", ["complete", "ring"])
@pytest.mark.parametrize("nodes", [3, 5, 10, 30])
def test_node_0_is_at_12_o_clock_and_the_others_follow_clockwise(topology: str, nodes: int) -> None:
    placed = layout(topology, nodes, RECTANGLES[1])
    (mx, my), first = placed.middle, placed.places[0]
    assert first[0] == pytest.approx(mx)
    assert first[1] == min(y for _, y in placed.places)
    turns = [math.atan2(x - mx, my - y) % (2 * math.pi) for x, y in placed.places]
    assert turns[1:] == sorted(turns[1:])
    ways = [math.dist(a, b) for a, b in pairwise([*placed.places, first])]
    assert max(ways) < (1.35 if nodes == 3 else 1.2) * min(ways)


def test_a_very_long_ring_is_a_zigzag_with_larger_nodes() -> None:
    placed = layout("ring", 300)
    away = [math.dist(place, placed.middle) for place in placed.places]
    assert all(inner < outer for outer, inner in zip(away[0::2], away[1::2], strict=True))
    assert placed.radius > 1.4 * 0.34 * placed.step


def test_the_hub_of_a_star_is_in_the_middle() -> None:
    for nodes in (3, 10, 100):
        placed = layout("star", nodes)
        assert placed.places[0] == pytest.approx(placed.middle)


def test_children_of_a_tree_are_below_their_parents_or_in_large_trees_further_out() -> None:
    small, large = layout("tree", 31), layout("tree", 200)
    for parent, child in small.graph.links:
        assert small.places[child][1] > small.places[parent][1]
    for parent, child in large.graph.links:
        inner, outer = (math.dist(large.places[node], large.middle) for node in (parent, child))
        assert outer > 0.7 * inner


def test_neighbours_in_a_grid_are_in_one_row_or_column() -> None:
    placed = layout("grid", 12)
    for a, b in placed.graph.links:
        assert placed.places[a][0] == placed.places[b][0] or placed.places[a][1] == placed.places[b][1]


def test_neighbours_in_a_random_graph_are_nearer_than_others() -> None:
    placed = layout("random", 60)
    links = set(placed.graph.links)
    pairs = list(combinations(range(60), 2))
    linked = [math.dist(placed.places[a], placed.places[b]) for a, b in pairs if (a, b) in links]
    others = [math.dist(placed.places[a], placed.places[b]) for a, b in pairs if (a, b) not in links]
    assert sum(linked) / len(linked) < 0.75 * sum(others) / len(others)


def test_edges_of_a_file_are_drawn_freely_even_without_a_way_between_some() -> None:
    scenario = Scenario("uncoordinated", nodes=6, topology="ring", edges=((0, 1), (1, 2), (3, 4)))
    placed = arrange(catalog.simulation(scenario), WINDOW)
    assert placed.kind == "free"
    assert min(math.dist(a, b) for a, b in combinations(placed.places, 2)) > 2.5 * placed.radius


def test_a_layout_is_a_value() -> None:
    one, other = layout("random", 40), layout("random", 40)
    assert one == other
    assert one.signature == other.signature
    assert one.within(WINDOW) is one
    away = one.within(RECTANGLES[1])
    assert away.signature != one.signature
    assert away.within(WINDOW) == one


def test_equal_runs_share_a_layout_which_later_caches_need_not_compare() -> None:
    one, other = (catalog.simulation(Scenario("ricart-agrawala", nodes=40, seed=seed)) for seed in (1, 2))
    assert arrange(one, WINDOW) is arrange(other, WINDOW)
    assert arrange(one, RECTANGLES[1]).within(WINDOW) is arrange(other, WINDOW)


@pytest.mark.parametrize("count", range(3, 8))
def test_the_chips_of_a_hub_lie_on_none_of_its_links(count: int) -> None:
    placed = layout("star", count)
    facts = NodeFacts(0, "idle", rows=(ChipRow("queue", ("P1", "P2"), True, False),))
    (hub,) = pictures.nodes([facts], placed, load("light"), PLAIN)
    chips = [shape for shape in hub.shapes if isinstance(shape, Box)]
    assert len(chips) == 2
    x, y = placed.places[0]
    for end, chip in ((placed.places[b], chip) for _, b in placed.graph.links for chip in chips):
        points = [((end[0] - x) * k / 200, (end[1] - y) * k / 200) for k in range(200)]
        assert not any(chip.x < a < chip.x + chip.w and chip.y < b < chip.y + chip.h for a, b in points)
