"""The graph and what stands beside it keep off each other: cards, legend, nodes, and what is written beside nodes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest

from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.views import VIEWS, reached
from visual import marks
from visual.interface.session import Session
from visual.interface.state import Interface
from visual.panels import arrangement
from visual.panels.screen import Screen
from visual.panels.thumbnails import scenario_of
from visual.picking import all_bounds, bounds, overlap
from visual.scene.wait_for import is_waiting
from visual.shapes import Box, Circle, Group, Mark, Rect, Shape, Text
from visual.theme import load
from visual.widgets import Target

SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]
NODES = [3, 5, 8, 16]
ALGORITHMS = ["ricart-agrawala", "centralized", "voting", "token-ring"]
WITHOUT_COLUMN = {  # ways to have no column of panels for the cards
    "presenting": {"presenting": True},
    "nothing but the picture": {"chrome_hidden": True},
    "large text": {"scale": 2.0},
}
LIGHT = load("light")
SLACK = 1.0  # pixels
OUTLINE = 0.93  # of a node's radius: its outline may be touched, but nothing in it

sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def run_of(algorithm: str, nodes: int) -> Session:
    return Session(Scenario(algorithm, nodes=nodes, load=Closed(think=3.0), network=Network(Uniform(0.5, 1.5)), seed=2))


def seen(session: Session, step: int, size: tuple[int, int], **more: object) -> tuple[Interface, Screen]:
    """The window at that step, with somebody selected who waits."""
    screen = Screen(session)
    session.seek(step)
    while not (waiting := [node for node in range(session.scenario.nodes) if is_waiting(session.run, node)]):
        session.seek(session.timeline.step + 1)
    interface = Interface(*size, time=session.now, selection=f"node:{waiting[-1]}", **more)  # type: ignore[arg-type]
    return interface, screen


def groups(shapes: list[Shape], dx: float = 0.0, dy: float = 0.0) -> Iterator[Group]:
    """The groups of nodes, where they are in the window."""
    for shape in shapes:
        if isinstance(shape, Group) and shape.id.startswith("node:"):
            yield shape._replace(x=shape.x + dx, y=shape.y + dy)
        elif isinstance(shape, Group):
            yield from groups(list(shape.shapes), dx + shape.x, dy + shape.y)


def circle(group: Group) -> tuple[float, float, float]:
    """Middle and radius of a node; a ring around it that says more is not counted."""
    radius = min(shape.r for shape in group.shapes if isinstance(shape, Circle) and shape.fill)
    return group.x, group.y, radius


def boxes(group: Group) -> list[Rect]:
    """What is written beside a node: its badge, and what waits there."""
    found = [bounds(shape) for shape in group.shapes if isinstance(shape, Box)]
    return [box._replace(x=box.x + group.x, y=box.y + group.y) for box in found]


def reach_of(group: Group) -> Rect:
    x, y, radius = circle(group)
    return Rect(x - radius, y - radius, 2 * radius, 2 * radius)


def distance(x: float, y: float, box: Rect) -> float:
    return math.hypot(max(box.x - x, x - box.x - box.w, 0.0), max(box.y - y, y - box.y - box.h, 0.0))


def panel(screen: Screen, interface: Interface, name: str) -> Rect:
    return all_bounds(screen.panel(interface, name).shapes)


@sizes
@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("way", WITHOUT_COLUMN)
def test_cards_cover_no_node_and_not_the_legend(way, nodes, size):
    for step in (20, 45):
        interface, screen = seen(run_of("ricart-agrawala", nodes), step, size, **WITHOUT_COLUMN[way])
        card, legend = panel(screen, interface, "cards"), panel(screen, interface, "legend")
        assert card.w > 0
        assert not overlap(card, legend).h
        drawn = list(groups(screen.shapes(interface)))
        assert len(drawn) == nodes
        for group in drawn:
            for place in (card, legend):
                assert distance(*circle(group)[:2], place) >= circle(group)[2], group.id


@sizes
def test_the_reasons_are_told_to_the_end(size):
    beside_a_long_legend = reached(VIEWS["presenting-peer-to-peer"], size)
    for interface, screen in (seen(run_of("ricart-agrawala", 5), 40, size, presenting=True), beside_a_long_legend):
        card = screen.panel(interface, "cards").shapes[0]
        words = [shape.text for shape in card.shapes if isinstance(shape, Text)]  # type: ignore[attr-defined]
        assert words[0].startswith("Why is P")
        assert "…" not in words
        assert all(shape.size >= 0.022 * size[1] for shape in card.shapes if isinstance(shape, Text))  # type: ignore[attr-defined]
        assert not overlap(panel(screen, interface, "cards"), panel(screen, interface, "legend")).h


@sizes
def test_an_inspector_takes_the_place_of_a_legend_in_the_same_column(size):
    interface, screen = seen(run_of("ricart-agrawala", 5), 40, size, presenting=True)
    names = [shown.name for shown in screen.panels(interface)]
    inspected = replace(interface, panels=interface.panels | {"inspector"})
    assert "legend" in names
    assert "legend" not in [shown.name for shown in screen.panels(inspected)]
    left = [reach_of(group).x for group in groups(screen.shapes(inspected))]
    card = panel(screen, inspected, "cards")
    assert card.x + card.w <= min(left)


@sizes
def test_the_inspector_of_a_presentation_shows_every_variable_that_the_algorithm_has_of_its_own(size):
    interface, screen = reached(VIEWS["presenting-inspector"], size)
    (cards,) = screen.panel(interface, "cards").shapes
    words = " ".join(shape.text for shape in cards.shapes if isinstance(shape, Text))  # type: ignore[attr-defined]
    assert all(f" {name} = " in words for name in ("clock", "stamp", "awaiting", "deferred"))


@sizes
def test_above_both_of_two_runs_stands_what_a_turn_has_cost(size):
    interface, screen = reached(VIEWS["presenting-compare"], size)
    for name in ("title0", "title1"):
        words = [shape for shape in screen.panel(interface, name).shapes if isinstance(shape, Text)]
        (cost,) = (shape for shape in words if shape.text.endswith("per entry"))
        boxes = [bounds(shape) for shape in words if shape is not cost]
        assert not any(overlap(bounds(cost), box).w for box in boxes)


@sizes
def test_no_node_moves_when_something_is_selected(size):
    for way in ({}, *WITHOUT_COLUMN.values()):
        interface, screen = seen(run_of("ricart-agrawala", 5), 40, size, **way)
        selected = [(group.x, group.y) for group in groups(screen.shapes(interface))]
        plain = replace(interface, selection="")
        assert [(group.x, group.y) for group in groups(screen.shapes(plain))] == selected


@sizes
@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_stands_beside_a_node_keeps_off_the_others(algorithm, nodes, size):
    session, labels, hidden = run_of(algorithm, nodes), 0, 0
    for step in (30, 60, 90, 120):
        interface, screen = seen(session, step, size, presenting=True)
        shapes = screen.shapes(interface)
        drawn = list(groups(shapes))
        for label in labels_of(shapes):
            labels, hidden = labels + 1, hidden + any(covers(group, label) for group in drawn)
        for one, other in itertools.permutations(drawn, 2):
            x, y, radius = circle(other)
            for box in boxes(one):
                assert distance(x, y, box) >= OUTLINE * radius, f"{one.id} on {other.id}"
            for mine, theirs in itertools.product(boxes(one), boxes(other)):
                common = overlap(mine, theirs)
                assert common.w <= SLACK or common.h <= SLACK, f"beside {one.id} and {other.id}"
    assert hidden <= max(2, 0.05 * labels), "of messages, by nodes and what stands beside them"


def labels_of(shapes: list[Shape]) -> Iterator[Rect]:
    """Where the labels of messages are."""
    for shape in shapes:
        if isinstance(shape, Mark) and shape.form == "pill" and shape.label:
            yield next(bounds(part) for part in shifted(marks.body(shape, LIGHT), shape) if isinstance(part, Text))
        elif isinstance(shape, Group) and not shape.id:
            yield from labels_of(list(shifted(shape.shapes, shape)))


def shifted(shapes: tuple[Shape, ...], by: Mark | Group) -> Iterator[Shape]:
    """Marks, texts and groups moved as what they are in is."""
    for shape in shapes:
        if isinstance(shape, Mark | Text | Group):
            yield shape._replace(x=shape.x + by.x, y=shape.y + by.y)


def covers(group: Group, label: Rect) -> bool:
    """Whether a node or a box at it hides some of a label, up to half-way into what is above and below its letters."""
    x, y, radius = circle(group)
    letters = Rect(label.x, label.y + 0.2 * label.h, label.w, 0.6 * label.h)
    common = (overlap(box, letters) for box in boxes(group))
    return distance(x, y, letters) < radius - SLACK or any(part.w > SLACK and part.h > SLACK for part in common)


@sizes
def test_the_picture_is_in_the_middle_or_as_wide_as_there_is_room_for(size):
    """No part of the region at a side is left free, but for the legend's column."""
    for more in ({}, {"view": "graph"}, {"chrome_hidden": True}):
        interface, screen = seen(run_of("ricart-agrawala", 16), 40, size, **more)
        region = arrangement.regions(interface).graph
        reach = all_bounds(
            [Box(*reach_of(group), None, None) for group in groups(screen.shapes(replace(interface, selection="")))]
        )
        free = region.x + region.w - reach.x - reach.w
        widest = reach.w >= 1.25 * reach.h
        assert widest or free <= 0.16 * region.w
        assert abs((reach.x + reach.w / 2) - (region.x + region.w / 2)) <= 0.12 * region.w


@sizes
def test_a_breach_is_told_in_the_header_where_there_are_no_lights(size):
    screen = Screen(Session(scenario_of("two-cash-machines")))
    presenting = Interface(*size, presenting=True)
    told = []
    for step in (4, 5):
        screen.session.seek(step)
        interface = replace(presenting, shown=step)
        shapes = screen.panel(interface, "header").shapes
        told.append([shape for shape in shapes if isinstance(shape, Text) and "broken" in shape.text])
    assert told[0] == []
    (words,) = told[1]
    assert words.text == "safety: broken at step 5"
    assert words.size >= 0.022 * size[1]
    targets = [widget for widget in screen.panel(interface, "header").widgets if isinstance(widget, Target)]
    assert [target.does.action for target in targets] == ["go_to_breach"]
    beside_lights = replace(interface, presenting=False)
    assert not any(isinstance(widget, Target) for widget in screen.panel(beside_lights, "header").widgets)


@sizes
@pytest.mark.parametrize("nodes", [64, 100, 120])
def test_names_around_a_ring_are_whole_and_off_the_legend_and_each_other(nodes, size):
    screen = Screen(Session(Scenario("token-ring", nodes=nodes, load=Closed(think=3.0))))
    screen.session.seek(40)
    interface = Interface(*size, time=screen.session.now, shown=1)
    region, legend = arrangement.regions(interface).graph, panel(screen, interface, "legend")
    picture = screen.shapes(interface)[1]
    names = [text for text in words_of(picture) if text.text.startswith("P")]
    assert len(names) >= 10
    for name in names:
        box = bounds(name)
        assert not overlap(box, legend).w
        assert overlap(box, region) == pytest.approx(box), name.text
    regular = [bounds(name) for name in names if name.weight == "normal"]
    for one, other in itertools.combinations(regular, 2):
        assert not overlap(one, other).w * overlap(one, other).h


def words_of(shape: Shape) -> Iterator[Text]:
    """The texts of groups that are not moved."""
    if isinstance(shape, Text):
        yield shape
    elif isinstance(shape, Group) and not shape.x and not shape.y:
        for inner in shape.shapes:
            yield from words_of(inner)


@sizes
def test_the_reasons_below_two_runs_cover_no_node(size):
    interface, screen = reached(VIEWS["presenting-compare"], size)
    told = screen.panel(interface, "cards")
    assert any("waits for the token" in shape.text for shape in told.shapes if isinstance(shape, Text))
    row = next(shown.region for shown in screen.panels(interface) if shown.name == "cards")
    drawn = list(groups(screen.shapes(interface)))
    assert len(drawn) == 10
    for group in drawn:
        x, y, radius = circle(group)
        assert distance(x, y, row) >= radius, group.id
