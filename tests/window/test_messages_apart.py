"""In a still picture no message's pill covers another one, neither in the whole graph nor in what one node knows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from algorithms import scenario_file
from algorithms.engine.observe.line_trace import Execution
from algorithms.engine.rewrite import system_of
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import flat
from visual.drawing import marks
from visual.drawing.picking import bounds, meet
from visual.drawing.shapes import Box, Circle, Group, Mark, Polygon, Rect, Shape, Text
from visual.drawing.theme import load
from visual.narration import local_knowledge as local_knowledge_of
from visual.narration.local_knowledge import local_knowledge
from visual.scene import still as stills
from visual.scene.graph.run_graph import graph
from visual.scene.still import Still, still
from visual.window import arrangement
from visual.window.desk import Desk
from visual.window.graph.graphs import LayoutCache, View, layout_of, options_of
from visual.window.graph.local_view import local_graph
from visual.window.run_view import RunView

LIGHT = load("light")
MANY = 64  # nodes: more have no labels
BATCHES = 13  # of scenarios
DISPLAYS = [(1280, 720, False), (1280, 720, True), (1920, 1080, True)]  # the last two present


def depth(one: Mark, other: Mark) -> float:
    """How far two pills reach into each other, in pixels, by the rounded boxes that are drawn; below 0: the gap."""
    a, b = (next(shape for shape in marks.body(mark, LIGHT) if isinstance(shape, Box)) for mark in (one, other))
    apart = max(abs(one.x - other.x) - (a.w - a.h) / 2 - (b.w - b.h) / 2, 0.0)
    return (a.h + a.width + b.h + b.width) / 2 - math.hypot(apart, one.y - other.y)


def covered(shapes: Sequence[Shape]) -> list[tuple[str, str, float]]:
    pills = [shape for shape in flat(shapes) if isinstance(shape, Mark) and shape.form == "pill"]
    return [(a.label, b.label, round(depth(a, b), 1)) for a, b in combinations(pills, 2) if depth(a, b) > 1.0]


def small_words(shapes: Sequence[Shape]) -> set[tuple[str, float]]:
    """The words in nodes that are too small to be drawn, in a picture at four fifths of its design."""
    nodes = [one for one in shapes if isinstance(one, Group) and one.id.startswith("node:")]
    words = [one for node in nodes for one in node.shapes if isinstance(one, Text)]
    return {(one.text, one.size) for one in words if one.size < 11 * 0.8 - 0.01}


def moments(run: RunView) -> Iterator[float]:
    """The markers, and times that nobody has chosen. The run is at each in turn."""
    scenario = run.scenario
    times = {marker.at for marker in scenario.markers} | {part * scenario.until for part in (0.37, 0.71)}
    for time in sorted(times):
        run.seek_time(time)
        yield time


def graphs(run: RunView, desk: Desk) -> Iterator[tuple[str, Sequence[Shape], bool]]:
    """The graph at each moment and size, usual and presented: what it is, its shapes, and whether it is a still.

    Each node's view of it is there in one of the two windows of 720 lines.
    """
    count, caches = run.scenario.nodes, [LayoutCache() for _ in DISPLAYS]
    for number, time in enumerate(moments(run)):
        yield f"a still at {time:g}", still(run.timeline, time, Still(reopen=False), run.cache).shapes, True
        known = [local_knowledge(run.ledger, node) for node in range(count)]
        for (width, height, presenting), layouts in zip(DISPLAYS, caches, strict=True):
            interface = interface_of(width, height, time=time, presenting=presenting)
            region = arrangement.panes(interface, False)[0].graph
            view = View(interface, desk, run, arrangement.look_of(interface), region)
            layout = layout_of(view, layouts)
            options, ground = options_of(view), Box(*region, None)
            what = f"at {time:g}, {height}p{' presented' * presenting}"
            yield what, graph(run.cache, time, layout, LIGHT, options), False
            for knowledge in known:
                if knowledge.messages and height == 720 and (knowledge.node + number) % 2 == presenting:
                    local = local_graph(knowledge, run.simulation, layout, LIGHT, options, ground)
                    yield f"{what}, as P{knowledge.node} knows it", local, False


@pytest.fixture
def without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences and past values are beside the graphs and not in them, and took half of the time."""
    monkeypatch.setattr(local_knowledge_of, "_look_back", lambda ledger, node, last: ({}, Execution()))
    monkeypatch.setattr(local_knowledge_of, "_words", lambda ledger, node, step: "")
    monkeypatch.setattr(stills, "caption_of", lambda timeline, time, cache: "what happened")
    monkeypatch.setattr(stills, "alt_text", lambda run, time, breaches: "")
    monkeypatch.setattr(stills, "space_time", lambda *what: [])


@pytest.mark.parametrize("first", range(BATCHES))
@pytest.mark.usefixtures("without_words")
def test_no_message_covers_another_and_no_word_in_a_node_is_too_small_to_be_drawn(first: int) -> None:
    for name in scenario_file.names()[first::BATCHES]:
        desk = desk_of(scenario_file.load(scenario_file.find(name)))
        if desk.front.scenario.nodes > MANY or system_of(desk.front.simulation.algorithm):
            continue
        for what, shapes, is_still in graphs(desk.front, desk):
            assert not (small_words(shapes) if is_still else covered(shapes)), f"{name} {what}"


@pytest.mark.parametrize("name", ["dirty-fork", "forks-dealt-out", "permission-given-away", "permissions-that-last"])
def test_no_thing_at_the_end_of_a_link_covers_a_label(name: str) -> None:
    run, found, labels = desk_of(scenario_file.load(scenario_file.find(name))).front, [], 0
    for size, presenting in [((1280, 720), False), ((1280, 720), True)]:
        look = Still(size=size, crop="graph", presenting=presenting, legend=False, caption="", reopen=False)
        for step in range(1, 40):
            run.seek(step)
            shapes = still(run.timeline, None, look).shapes
            pills = [
                shape for shape in flat(shapes) if isinstance(shape, Mark) and shape.form == "pill" and shape.label
            ]
            things = [bounds(one) for one in shapes if isinstance(one, Group) and not one.id and len(one.shapes) == 1]
            for pill in pills:
                x, y, w, h = marks.extent(pill)
                inner = Rect(pill.x + x + 0.3 * h, pill.y + y + 0.25 * h, w - 0.6 * h, 0.5 * h)
                labels += 1
                found += [(step, presenting, pill.label) for thing in things if meet(inner, thing)]
    assert found == []
    assert labels > 20


@pytest.mark.parametrize("name", ["one-census", "token-in-flight", "blind-successor"])
def test_the_cross_of_a_breach_covers_no_token_and_no_crown(name: str) -> None:
    run, checked = desk_of(scenario_file.load(scenario_file.find(name))).front, 0
    for step in range(1, 90):
        run.seek(step)
        if not run.ledger.breaches:
            continue
        for presenting in (False, True):
            look = Still(crop="graph", presenting=presenting, legend=False, caption="", reopen=False)
            shapes = still(run.timeline, None, look).shapes
            crosses = [one for one in shapes if isinstance(one, Circle) and one.fill == LIGHT.fault]
            nodes = [one for one in shapes if isinstance(one, Group) and one.id.startswith("node:")]
            signs = [
                one._replace(points=tuple((x + node.x, y + node.y) for x, y in one.points))
                for node in nodes
                for one in node.shapes
                if isinstance(one, Polygon)
            ]
            for cross in crosses:
                middles = [
                    (sign.points[0][0] + sign.points[2][0], sign.points[0][1] + sign.points[2][1]) for sign in signs
                ]
                assert all(math.dist((x / 2, y / 2), (cross.x, cross.y)) > cross.r for x, y in middles), (
                    step,
                    presenting,
                )
                checked += 1
    assert checked
