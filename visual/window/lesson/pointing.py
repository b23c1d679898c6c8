"""What a step of a lesson points at: nodes, links, variables and lights, each with a dashed frame and a number."""

from __future__ import annotations

import re
from itertools import pairwise, product

from visual.drawing import fonts
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Circle, Group, Line, Rect, Shape, Text
from visual.narration.inspection import inspect_node
from visual.narration.node_facts import all_facts
from visual.scene.graph.layout import Layout
from visual.scene.graph.nodes import nodes as node_groups
from visual.window.graph.graphs import options_of
from visual.window.panel import Panel, View
from visual.window.widgets import Look

_NODE = re.compile(r"P(\d+)$")
_VARIABLE = re.compile(r"P(\d+)\.(\w+)$")
_LINK = re.compile(r"(?:\w+ )?P(\d+) → P(\d+)$")
_RING = 1.5  # radii of a node
_DASH = (9.0, 6.0)


def pointing(view: View, layout: Layout, names: tuple[str, ...], lights: tuple[tuple[str, Rect], ...]) -> Panel:
    """Frames around what is pointed at; they have numbers if there are several. `lights` are those on screen."""
    drawn = node_groups(all_facts(view.run.cache), layout, view.look.theme, options_of(view))
    shapes: list[Shape] = []
    for place, name in enumerate(names):
        number = str(place + 1) if len(names) > 1 else ""
        nodes = [int(node) for node in re.findall(r"P(\d+)", name)]
        if any(node >= len(layout.places) for node in nodes):
            continue
        if _NODE.match(name):
            shapes += _ring(view.look, layout, nodes[0], drawn[nodes[0]], number)
        elif found := _VARIABLE.match(name):
            shapes += _value(view, layout, nodes[0], found.group(2), drawn, number)
        elif _LINK.match(name):
            shapes += _link(view.look, layout, (nodes[0], nodes[1]), number)
        else:
            shapes += [shape for light, box in lights if light == name for shape in _frame(view.look, box, number)]
    return Panel(tuple(shapes))


def _ring(look: Look, layout: Layout, node: int, drawn: Group, number: str) -> list[Shape]:
    """A ring around the node, behind what is written at it."""
    x, y = layout.places[node]
    radius = _RING * layout.radius
    ring = Circle(x, y, radius, None, look.theme.accent, 3 * look.rule, _DASH)
    aside = 0.7 * (radius + 0.6 * look.size("small"))  # so that the number covers no name
    return [ring, drawn, *_number(look, x - aside, y + aside, number)]


def _value(view: View, layout: Layout, node: int, variable: str, drawn: list[Group], number: str) -> list[Shape]:
    """The variable and its value, in a frame beside its node."""
    facts = inspect_node(view.run.ledger, node).facts
    fact = next((fact for fact in facts if fact.name == variable), None)
    if fact is None:
        return []
    look, words = view.look, f"{fact.name} = {fact.value}"
    size = look.size("small")
    box = _beside(view, layout, node, (fonts.width(words, size, "mono", "bold") + 1.2 * size, 1.8 * size), drawn)
    text = Text(box.x + box.w / 2, box.y + box.h / 2, words, size, look.theme.ink, "bold", "mono", "middle", "middle")
    return [Box(*box, look.theme.card), text, *_frame(look, box, number)]


def _beside(view: View, layout: Layout, node: int, size: tuple[float, float], drawn: list[Group]) -> Rect:
    """A box of that size beside a node, away from the middle of the picture, if it lies on no node there."""
    look, region, (x, y), (width, height) = view.look, view.region, layout.places[node], size
    far, edge = _RING * layout.radius + 1.4 * look.size("small"), look.px(8)  # far enough for the number at its ring
    sides, rows = (x - far - width, x + far), (y - height - edge, y + edge)
    outwards = sides if x < layout.middle[0] else sides[::-1], rows if y < layout.middle[1] else rows[::-1]
    boxes = [
        Rect(
            min(max(left, region.x + edge), region.x + region.w - width - edge),
            min(max(top, region.y + edge), region.y + region.h - height - edge),
            width,
            height,
        )
        for left, top in product(*outwards)
    ]
    return next((box for box in boxes if not any(all(overlap(box, bounds(group))[2:]) for group in drawn)), boxes[0])


def _link(look: Look, layout: Layout, ends: tuple[int, int], number: str) -> list[Shape]:
    (x1, y1), (x2, y2) = (layout.places[node] for node in ends)
    line = Line(x1, y1, x2, y2, look.theme.accent, 4 * look.rule, _DASH)
    return [line, *_number(look, (x1 + x2) / 2, (y1 + y2) / 2, number)]


def _frame(look: Look, box: Rect, number: str) -> list[Shape]:
    x, y, w, h = box.x - look.px(3), box.y - look.px(3), box.w + look.px(6), box.h + look.px(6)
    corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))
    lines = [Line(*a, *b, look.theme.accent, 3 * look.rule, _DASH) for a, b in pairwise(corners)]
    return [*lines, *_number(look, x, y, number)]


def _number(look: Look, x: float, y: float, number: str) -> list[Shape]:
    if not number:
        return []
    size = look.size("small")
    disc = Circle(x, y, 0.8 * size, look.theme.accent, look.theme.ink, look.rule)
    return [disc, Text(x, y, number, size, look.theme.on_accent, "bold", anchor="middle", baseline="middle")]
