"""Two pictures as one, for slides: of two runs at the same moment."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.scenario import Scenario
from visual.drawing.export import Picture
from visual.drawing.shapes import Group, Line, Shape
from visual.scene.still import Still

_FLIGHTS = 24.0  # mean delays that a page of the space-time diagrams is long


def half(look: Still, *scenarios: Scenario) -> Still:
    """The look of each of the two pictures that make one of that look, of those scenarios: both show as much time."""
    (width, height), (design, as_high) = look.size, look.design
    length = _FLIGHTS * max(scenario.network.delay.mean or 1.0 for scenario in scenarios)
    return replace(look, size=(width // 2, height), design=(design // 2, as_high), page=length)


def side_by_side(left: Picture, right: Picture) -> Picture:
    """Both pictures, which are equally large, with a line between them."""
    width, height = left.size
    line = Line(width, 0, width, height, left.theme.rule, left.theme.sizes.rule)
    moved = Group(tuple(_renamed(shape) for shape in right.shapes), x=width)
    return replace(
        left,
        shapes=(*left.shapes, moved, line),
        size=(2 * width, height),
        title=f"{left.title}; beside it {right.title}",
        description=f"Left: {left.description} Right: {right.description}",
    )


def _renamed(shape: Shape) -> Shape:
    """The shape with ids of its own: those of the other run are in the same file."""
    named = shape._replace(id=f"beside-{shape.id}") if shape.id else shape
    return named._replace(shapes=tuple(map(_renamed, named.shapes))) if isinstance(named, Group) else named
