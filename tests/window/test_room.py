"""The graph, its cards and its legend do not overlap, nor do nodes, badges and chips."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.views import VIEWS, reached
from visual.analysis.wait_for import is_waiting
from visual.drawing import marks
from visual.drawing.picking import all_bounds, bounds, middle_of, overlap
from visual.drawing.shapes import Box, Circle, Group, Mark, Rect, Shape, Text
from visual.drawing.theme import load
from visual.narration.waiting import reasons
from visual.window import arrangement, intents
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.graph.graphs import Graphs
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.widgets import Target

Size = tuple[int, int]
SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]
NODES = [3, 5, 8, 16]
ALGORITHMS = ["ricart-agrawala", "centralized", "voting", "token-ring"]
WITHOUT_COLUMN = {  # displays without a column of panels for the cards
    "presenting": {"presenting": True},
    "nothing but the picture": {"chrome_hidden": True},
    "large text": {"scale": 2.0},
}
LIGHT = load("light")
SLACK = 1.0  # pixels
OUTLINE = 0.93  # of a node's radius: only its outline may be touched

sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def run_of(algorithm: str, nodes: int) -> Desk:
    return desk_of(Scenario(algorithm, nodes=nodes, load=Closed(think=3.0), network=Network(Uniform(0.5, 1.5)), seed=2))


def window_at(desk: Desk, step: int, size: tuple[int, int], **more: object) -> tuple[Interface, Screen]:
    """The window at that step, with a waiting node selected."""
    screen = Screen(desk)
    desk.front.seek(step)
    while not (
        waiting := [node for node in range(desk.front.scenario.nodes) if is_waiting(desk.front.simulation, node)]
    ):
        desk.front.seek(desk.front.timeline.step + 1)
    interface = interface_of(*size, time=desk.front.now, selection=f"node:{waiting[-1]}", **more)  # type: ignore[arg-type]
    return interface, screen


def graph_of(screen: Screen, interface: Interface) -> list[Shape]:
    """The graph as the window shows it, without the panels around it, which take longer."""
    return list(Graphs().shapes(interface, screen.desk, lambda: False))


def groups(shapes: list[Shape], dx: float = 0.0, dy: float = 0.0) -> Iterator[Group]:
    """The groups of nodes, at their places in the window."""
    for shape in shapes:
        if isinstance(shape, Group) and shape.id.startswith("node:"):
            yield shape._replace(x=shape.x + dx, y=shape.y + dy)
        elif isinstance(shape, Group):
            yield from groups(list(shape.shapes), dx + shape.x, dy + shape.y)


def circle(group: Group) -> tuple[float, float, float]:
    """Middle and radius of a node, without the rings around it."""
    radius = min(shape.r for shape in group.shapes if isinstance(shape, Circle) and shape.fill)
    return group.x, group.y, radius


def boxes(group: Group) -> list[Rect]:
    """The boxes beside a node: its badge, and its chips with their name."""
    found = [shape for shape in group.shapes if isinstance(shape, Box | Text) and not is_inside(shape)]
    return [in_window(shape, group) for shape in found]


def glyph_boxes(group: Group) -> list[Rect]:
    """The boxes of a node's name and state, down to the baseline."""
    found = [in_window(shape, group) for shape in group.shapes if isinstance(shape, Text) and is_inside(shape)]
    return [box._replace(h=0.75 * box.h) for box in found]


def is_inside(shape: Box | Text) -> bool:
    """Whether it is across the middle of its node."""
    box = bounds(shape)
    return abs(box.x + box.w / 2) < SLACK


def in_window(shape: Shape, group: Group) -> Rect:
    box = bounds(shape)
    return box._replace(x=box.x + group.x, y=box.y + group.y)


def cut(text: Rect) -> Rect:
    """The box without half of the space above and below its letters."""
    return Rect(text.x, text.y + 0.2 * text.h, text.w, 0.6 * text.h)


def meet(one: Rect, other: Rect) -> bool:
    common = overlap(one, other)
    return common.w > SLACK and common.h > SLACK


def reach_of(group: Group) -> Rect:
    x, y, radius = circle(group)
    return Rect(x - radius, y - radius, 2 * radius, 2 * radius)


def distance(x: float, y: float, box: Rect) -> float:
    return math.hypot(max(box.x - x, x - box.x - box.w, 0.0), max(box.y - y, y - box.y - box.h, 0.0))


def panel(screen: Screen, interface: Interface, name: str) -> Rect:
    return all_bounds(screen.panel(interface, name).shapes)


def region_of(screen: Screen, interface: Interface, name: str) -> Rect:
    return next(shown.region for shown in screen.panels(interface) if shown.name == name)


def about(value: float, interface: Interface) -> object:
    """Approximately that, since a card's outline extends half a rule beyond its region at each side."""
    return pytest.approx(value, abs=arrangement.look_of(interface).rule + SLACK)


@sizes
@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("way", WITHOUT_COLUMN)
def test_legend_and_cards_are_at_the_ends_of_their_column_and_cover_no_node(way, nodes, size):
    for step in (20, 45):
        interface, screen = window_at(run_of("ricart-agrawala", nodes), step, size, **WITHOUT_COLUMN[way])
        card, legend = panel(screen, interface, "cards"), panel(screen, interface, "legend")
        column = region_of(screen, interface, "cards")
        assert (card.x, card.w) == (about(column.x, interface), about(column.w, interface))
        assert card.y + card.h == about(column.y + column.h, interface)
        assert not legend.w or legend[:2] == (about(column.x, interface), about(column.y, interface))
        assert not overlap(card, legend).h
        drawn = list(groups(graph_of(screen, interface)))
        assert len(drawn) == nodes
        for group in drawn:
            for place in (card, legend):
                assert distance(*circle(group)[:2], place) >= circle(group)[2], group.id


@sizes
def test_the_reasons_are_complete(size):
    beside_a_long_legend = reached(VIEWS["presenting-peer-to-peer"], size)
    for interface, screen in (window_at(run_of("ricart-agrawala", 5), 40, size, presenting=True), beside_a_long_legend):
        card = screen.panel(interface, "cards").shapes[0]
        words = [shape.text for shape in card.shapes if isinstance(shape, Text)]  # type: ignore[attr-defined]
        node = int(interface.selected_id.removeprefix("node:"))
        assert words[0] == f"Why is P{node} waiting?"
        assert " ".join(words[1:]) == " ".join(reason.words for reason in reasons(screen.desk.front.simulation, node))
        assert all(shape.size >= 0.022 * size[1] for shape in card.shapes if isinstance(shape, Text))  # type: ignore[attr-defined]
        assert not overlap(panel(screen, interface, "cards"), panel(screen, interface, "legend")).h


@sizes
def test_an_inspector_takes_the_place_of_a_legend_in_the_same_column(size):
    interface, screen = window_at(run_of("ricart-agrawala", 5), 40, size, presenting=True)
    names = [shown.name for shown in screen.panels(interface)]
    inspected = changed(interface, panels=interface.display.panels | {"inspector"})
    assert "legend" in names
    assert "legend" not in [shown.name for shown in screen.panels(inspected)]
    left = [reach_of(group).x for group in groups(graph_of(screen, inspected))]
    card = panel(screen, inspected, "cards")
    assert card.x + card.w <= min(left)


@sizes
def test_a_presented_inspector_shows_every_variable_of_the_algorithm(size):
    interface, screen = reached(VIEWS["presenting-inspector"], size)
    (cards,) = screen.panel(interface, "cards").shapes
    words = " ".join(shape.text for shape in cards.shapes if isinstance(shape, Text))  # type: ignore[attr-defined]
    assert all(f" {name} = " in words for name in ("clock", "stamp", "awaiting", "deferred"))


@sizes
def test_the_titles_of_two_runs_state_the_cost_per_entry(size):
    interface, screen = reached(VIEWS["presenting-compare"], size)
    for name in ("title0", "title1"):
        words = [shape for shape in screen.panel(interface, name).shapes if isinstance(shape, Text)]
        (cost,) = (shape for shape in words if shape.text.endswith("per entry"))
        boxes = [bounds(shape) for shape in words if shape is not cost]
        assert not any(overlap(bounds(cost), box).w for box in boxes)


@sizes
def test_no_node_moves_when_something_is_selected(size):
    for way in ({}, *WITHOUT_COLUMN.values()):
        interface, screen = window_at(run_of("ricart-agrawala", 5), 40, size, **way)
        selected = [(group.x, group.y) for group in groups(graph_of(screen, interface))]
        assert len(selected) == 5
        plain = changed(interface, selection="")
        assert [(group.x, group.y) for group in groups(graph_of(screen, plain))] == selected


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_badges_and_chips_of_a_node_cover_no_other_node(algorithm, nodes):
    desk = run_of(algorithm, nodes)
    labels, wrong, beside = Counter[Size](), Counter[Size](), Counter[Size]()
    for step, size in itertools.product((30, 60, 90, 120), SIZES):
        interface, screen = window_at(desk, step, size, presenting=True)
        shapes = graph_of(screen, interface)
        drawn = list(groups(shapes))
        labels[size] += len(list(pills_of(shapes)))
        wrong[size] += unreadable(shapes, drawn)
        boxes_at = [boxes(group) for group in drawn]
        for group, near in zip(drawn, boxes_at, strict=True):
            beside[size] += len(near)
            for letters, box in itertools.product(glyph_boxes(group), near):
                assert not meet(letters, box), f"on the name of {group.id} at {step} in {size}"
        for (one, mine), (other, theirs) in itertools.permutations(zip(drawn, boxes_at, strict=True), 2):
            x, y, radius = circle(other)
            for box in mine:
                assert distance(x, y, box) >= OUTLINE * radius, f"{one.id} on {other.id} at {step} in {size}"
            for box, another in itertools.product(mine, theirs):
                assert not meet(box, another), f"beside {one.id} and {other.id} at {step} in {size}"
    for size in SIZES:
        assert wrong[size] <= max(3, 0.05 * labels[size]), f"{size}, where requests fill the whole picture"
        if algorithm == "ricart-agrawala":
            assert beside[size] >= 4, size
            assert labels[size] >= 10 or nodes > 8, size


@sizes
@pytest.mark.parametrize("scenario", ["p2p-two-resources", "p2p-figure-1", "wandering-token-domino", "deferred-reply"])
def test_labels_of_messages_are_legible_at_every_step(scenario, size):
    """Nothing covers the labels, and they cover no overlay identifier that has room beside it."""
    screen, keys, hidden = Screen(desk_of(scenario_of(scenario))), 0, 0
    for step in range(2, 60, 6):
        screen.desk.front.seek(step)
        shapes = graph_of(screen, interface_of(*size, time=screen.desk.front.now, presenting=True))
        drawn = [group for group in groups(shapes) if any(isinstance(s, Circle) and s.fill for s in group.shapes)]
        assert not unreadable(shapes, drawn), step
        pills = [label for label, _ in pills_of(shapes)]
        for key in keys_of(shapes):
            keys, hidden = keys + 1, hidden + any(min(overlap(key, pill)[2:]) > SLACK for pill in pills)
    assert hidden <= 0.05 * keys
    assert keys or not scenario.startswith("p2p")


def unreadable(shapes: list[Shape], drawn: list[Group]) -> int:
    """The number of messages whose label, or arrow's head, is hidden by a node, a box beside it or a message.

    Arrows must point at a node.
    """
    circles, pills, found = [circle(group) for group in drawn], list(pills_of(shapes)), 0
    for label, mark in pills:
        angle, (x, y) = math.radians(mark.toward), marks.arrow_end(mark)
        ahead = [(cx - mark.x, cy - mark.y, r) for cx, cy, r in circles]
        assert any(abs(dx * math.sin(angle) - dy * math.cos(angle)) <= r for dx, dy, r in ahead), mark
        others = (other for other, _ in pills if other is not label)
        found += (
            any(covers(group, label) for group in drawn)
            or any(min(overlap(label, other)[2:]) > SLACK for other in others)
            or any(math.dist((x, y), (dx, dy)) < r - SLACK for dx, dy, r in ahead)
        )
    return found


def pills_of(shapes: list[Shape]) -> Iterator[tuple[Rect, Mark]]:
    """The boxes of the labels of messages, with the messages."""
    for shape in shapes:
        if isinstance(shape, Mark) and shape.form == "pill" and shape.label:
            yield (
                next(bounds(part) for part in shifted(marks.body(shape, LIGHT), shape) if isinstance(part, Text)),
                shape,
            )
        elif isinstance(shape, Group) and not shape.id:
            yield from pills_of(list(shifted(shape.shapes, shape)))


def keys_of(shapes: list[Shape]) -> Iterator[Rect]:
    """The boxes of the names on a circle of identifiers."""
    for shape in shapes:
        if (
            isinstance(shape, Text)
            and shape.family == "mono"
            and re.fullmatch("[A-CR][0-9]", shape.text)
            and shape.halo
        ):
            yield bounds(shape)
        elif isinstance(shape, Group) and not shape.id:
            yield from keys_of(list(shape.shapes))


def shifted(shapes: tuple[Shape, ...], by: Mark | Group) -> Iterator[Shape]:
    """Marks, texts and groups at their places in the window."""
    for shape in shapes:
        if isinstance(shape, Mark | Text | Group):
            yield shape._replace(x=shape.x + by.x, y=shape.y + by.y)


def covers(group: Group, label: Rect) -> bool:
    """Whether a node or a box beside it hides part of a label, apart from half of the space around its letters."""
    x, y, radius = circle(group)
    letters = cut(label)
    return distance(x, y, letters) < radius - SLACK or any(meet(box, letters) for box in boxes(group))


@sizes
def test_the_picture_is_centred_or_fills_the_width(size):
    """Only the legend's column may leave a part of the region unused."""
    for more in ({}, {"view": "graph"}, {"chrome_hidden": True}):
        interface, screen = window_at(run_of("ricart-agrawala", 16), 40, size, **more)
        region = arrangement.regions(interface).graph
        reach = all_bounds(
            [Box(*reach_of(group), None, None) for group in groups(graph_of(screen, changed(interface, selection="")))]
        )
        free = region.x + region.w - reach.x - reach.w
        widest = reach.w >= 1.25 * reach.h
        assert widest or free <= 0.16 * region.w
        assert abs((reach.x + reach.w / 2) - (region.x + region.w / 2)) <= 0.12 * region.w
        nodes = arrangement.stage(interface, region, screen.desk.is_pair).nodes
        assert middle_of(reach) == pytest.approx(middle_of(nodes), abs=SLACK)


@sizes
def test_the_header_reports_a_breach_where_there_are_no_lights(size):
    screen = Screen(desk_of(scenario_of("two-cash-machines")))
    presenting = interface_of(*size, presenting=True)
    breaches = []
    for step in (4, 5):
        screen.desk.front.seek(step)
        interface = replace(presenting, panel_revision=step)
        shapes = screen.panel(interface, "header").shapes
        breaches.append([shape for shape in shapes if isinstance(shape, Text) and "broken" in shape.text])
    assert breaches[0] == []
    (words,) = breaches[1]
    assert words.text == "safety (not promised): broken"
    assert words.size >= 0.022 * size[1]
    targets = [widget for widget in screen.panel(interface, "header").widgets if isinstance(widget, Target)]
    assert [target.does.intent for target in targets] == [intents.go_to_breach]
    beside_lights = changed(interface, presenting=False)
    assert not any(isinstance(widget, Target) for widget in screen.panel(beside_lights, "header").widgets)


@sizes
@pytest.mark.parametrize("nodes", [64, 100, 120])
def test_names_around_a_ring_are_whole_and_off_the_legend_and_nodes_and_each_other(nodes, size):
    screen = Screen(desk_of(Scenario("token-ring", nodes=nodes, load=Closed(think=3.0))))
    screen.desk.front.seek(40)
    interface = interface_of(*size, time=screen.desk.front.now, panel_revision=1)
    region, legend = arrangement.regions(interface).graph, panel(screen, interface, "legend")
    shapes = graph_of(screen, interface)
    drawn = list(groups(shapes))
    names = [text for text in words_of(shapes[1]) if text.text.startswith("P")]
    assert len(names) >= 10
    assert len(drawn) == nodes
    for name in names:
        box = bounds(name)
        assert not overlap(box, legend).w * overlap(box, legend).h
        assert overlap(box, region) == pytest.approx(box), name.text
        for x, y, radius in map(circle, drawn):
            assert distance(x, y, box) >= OUTLINE * radius - SLACK, name.text
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
    reasons = screen.panel(interface, "cards")
    assert any("waits for the token" in shape.text for shape in reasons.shapes if isinstance(shape, Text))
    row, region = all_bounds(reasons.shapes), region_of(screen, interface, "cards")
    assert (row.y, row.y + row.h) == (about(region.y, interface), about(region.y + region.h, interface))
    drawn = list(groups(graph_of(screen, interface)))
    assert len(drawn) == 10
    for group in drawn:
        x, y, radius = circle(group)
        assert distance(x, y, row) >= radius, group.id


@sizes
def test_cards_beside_a_crowded_circle_lie_on_no_node(size):
    interface, screen = reached(VIEWS["presenting-peer-to-peer-crowd"], size)
    drawn = list(groups(graph_of(screen, interface)))
    nodes = [circle(group) for group in drawn if any(isinstance(s, Circle) and s.fill for s in group.shapes)]
    cards = [box for group in drawn if all(isinstance(s, Box | Text) for s in group.shapes) for box in boxes(group)]
    assert len(nodes) > 10
    assert len(cards) > 10
    for box, (x, y, radius) in itertools.product(cards, nodes):
        assert distance(x, y, box) >= radius - SLACK


def test_no_text_of_a_graph_is_under_the_legend():
    for algorithm in sorted(catalog.by_name()):
        screen = Screen(run_of(algorithm, 5))
        for step, size in itertools.product((10, 45), SIZES[1:3]):
            screen.desk.front.seek(step)
            interface = interface_of(*size, time=screen.desk.front.now)
            legend = panel(screen, interface, "legend")
            assert legend.w or system_of(screen.desk.front.simulation.algorithm)
            for group in groups(graph_of(screen, interface)):
                texts = [shape for shape in group.shapes if isinstance(shape, Text)]
                assert not [text for text in texts if meet(in_window(text, group), legend)], (algorithm, step, size)


@pytest.mark.parametrize("lesson_share", [0.0, 0.4])
def test_no_node_and_no_message_is_under_the_legend_of_a_phone(lesson_share):
    """Also with the signs of what is unusual, whose words are the longest; and no node makes room for them."""
    grown = 0
    for algorithm in sorted(catalog.by_name()):
        screen = Screen(run_of(algorithm, 6))
        run = screen.desk.front
        if system_of(run.simulation.algorithm):
            continue
        run.seek(10)
        places, heights = [], []
        for fault in (None, *["lose-token"] * bool(run.simulation.algorithm.token), "crash"):
            if fault:
                run.act(fault, node=5 if fault == "crash" else None)
            interface = interface_of(390, 844, time=run.now, lesson_share=lesson_share, panel_revision=len(places))
            legend, shapes = panel(screen, interface, "legend"), graph_of(screen, interface)
            nodes = [group for group in groups(shapes) if any(isinstance(shape, Circle) for shape in group.shapes)]
            assert len(nodes) == 6
            assert not [node.id for node in nodes if distance(*circle(node)[:2], legend) < circle(node)[2] - SLACK]
            boxes_of = [in_window(s, group) for group in groups(shapes) for s in group.shapes if isinstance(s, Text)]
            assert not [box for box in [*boxes_of, *map(bounds, marks_of(shapes))] if meet(box, legend)], algorithm
            places.append([(node.id, node.x, node.y) for node in nodes])
            heights.append(legend.h)
        assert all(place == places[0] for place in places), algorithm
        grown += heights[0] < max(heights)
    assert grown > 10


def marks_of(shapes: list[Shape]) -> Iterator[Mark]:
    """The messages of a graph, at their places in the window."""
    for shape in shapes:
        if isinstance(shape, Mark):
            yield shape
        elif isinstance(shape, Group) and not shape.id:
            yield from marks_of(list(shifted(shape.shapes, shape)))
