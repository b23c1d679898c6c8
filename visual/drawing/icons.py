"""The icons on buttons and the signs at nodes, drawn as shapes because fonts may lack them."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

from visual.drawing import fonts, marks
from visual.drawing.shapes import Box, Circle, Colour, Line, Point, Polygon, Polyline, Shape, Text
from visual.drawing.theme import Theme

Draw = Callable[[float, float, float, Colour, Colour], list[Shape]]


def icon_shapes(name: str, x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    """The icon of that name, centred on (x, y), about `side` pixels high. KeyError if there is none."""
    return _ICONS[name](x, y, side, ink, ground)


def _triangle(x: float, y: float, side: float, ink: Colour, direction: int) -> Polygon:
    half = side / 2
    return Polygon(
        ((x - direction * half * 0.8, y - half), (x - direction * half * 0.8, y + half), (x + direction * half, y)), ink
    )


def _pause(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    wide = 0.3 * side
    return [Box(x + left * side, y - side / 2, wide, side, ink) for left in (-0.42, 0.12)]


def _bar(x: float, y: float, side: float, ink: Colour) -> Box:
    return Box(x - 0.09 * side, y - side / 2, 0.18 * side, side, ink)


def _forward(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [_triangle(x - 0.1 * side, y, 0.86 * side, ink, 1), _bar(x + 0.47 * side, y, side, ink)]


def _back(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [_triangle(x + 0.1 * side, y, 0.86 * side, ink, -1), _bar(x - 0.47 * side, y, side, ink)]


def _first(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    small = 0.66 * side
    triangles: list[Shape] = [_triangle(x + dx * side, y, small, ink, -1) for dx in (-0.08, 0.48)]
    return [*triangles, _bar(x - 0.53 * side, y, small * 1.1, ink)]


def _undo(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    half = side / 2
    tip = 0.34 * side
    path = (
        (x - half * 0.5, y - half * 0.35),
        (x + half * 0.35, y - half * 0.35),
        (x + half * 0.8, y - half * 0.1),
        (x + half * 0.8, y + half * 0.45),
        (x + half * 0.35, y + half * 0.75),
        (x - half * 0.5, y + half * 0.75),
    )
    head = Polygon(
        (
            (x - half, y - half * 0.35),
            (x - half + tip, y - half * 0.35 - tip * 0.75),
            (x - half + tip, y - half * 0.35 + tip * 0.75),
        ),
        ink,
    )
    return [Polyline(path, ink, 0.15 * side), head]


def _down(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    half = side / 2
    return [Polygon(((x - half, y - half * 0.6), (x + half, y - half * 0.6), (x, y + half * 0.6)), ink)]


def _light(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    rays: list[Shape] = []
    for turn in range(0, 360, 45):
        dx, dy = cos(radians(turn)), sin(radians(turn))
        rays.append(
            Line(
                x + 0.34 * side * dx, y + 0.34 * side * dy, x + 0.52 * side * dx, y + 0.52 * side * dy, ink, 0.1 * side
            )
        )
    return [Circle(x, y, 0.22 * side, ink), *rays]


def _dark(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [Circle(x, y, 0.42 * side, ink), Circle(x + 0.2 * side, y - 0.14 * side, 0.36 * side, ground)]


def _print(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    width = 0.09 * side
    return [
        Box(x - 0.26 * side, y - 0.5 * side, 0.52 * side, 0.3 * side, ground, ink, width),
        Box(x - 0.46 * side, y - 0.22 * side, 0.92 * side, 0.44 * side, ink, ink, width),
        Box(x - 0.26 * side, y + 0.06 * side, 0.52 * side, 0.4 * side, ground, ink, width),
    ]


def _menu(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [Box(x - side / 2, y + dy * side - 0.07 * side, side, 0.14 * side, ink) for dy in (-0.34, 0.0, 0.34)]


def _tick(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    half = side / 2
    return [Polyline(((x - half, y), (x - 0.2 * half, y + 0.7 * half), (x + half, y - 0.7 * half)), ink, 0.2 * side)]


def _cross(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    half = 0.4 * side
    return [
        Line(x - half, y - half, x + half, y + half, ink, 0.16 * side),
        Line(x - half, y + half, x + half, y - half, ink, 0.16 * side),
    ]


def _dots(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [Circle(x + dx * side, y, 0.11 * side, ink) for dx in (-0.36, 0.0, 0.36)]


_ICONS: dict[str, Draw] = {
    "play": lambda x, y, side, ink, ground: [_triangle(x + 0.05 * side, y, side, ink, 1)],
    "pause": _pause,
    "forward": _forward,
    "back": _back,
    "first": _first,
    "undo": _undo,
    "down": _down,
    "light": _light,
    "dark": _dark,
    "print": _print,
    "menu": _menu,
    "tick": _tick,
    "cross": _cross,
    "dots": _dots,
}


def cross(middle: Point, reach: float, colour: Colour, width: float) -> list[Shape]:
    """✕, `reach` from its middle to each side."""
    (x, y), d = middle, reach
    return [Line(x - d, y - d, x + d, y + d, colour, width), Line(x - d, y + d, x + d, y - d, colour, width)]


def crown(middle: Point, width: float, theme: Theme, stroke: float) -> list[Shape]:
    """The sign of a leader."""
    (x, y), w, h = middle, width / 2, width * 0.36
    points = (
        (x - w, y + h),
        (x - w, y - h),
        (x - w / 2, y),
        (x, y - 1.3 * h),
        (x + w / 2, y),
        (x + w, y - h),
        (x + w, y + h),
    )
    return [Polygon(points, theme.families["token"].fill, theme.ink, 0.7 * stroke)]


def rise(middle: Point, reach: float, theme: Theme, stroke: float) -> list[Shape]:
    """An arrow upwards: the sign of a value that has grown, where there is no room for its number."""
    (x, y), d, half = middle, reach, 0.3 * reach
    head = ((x - d, y), (x, y - d), (x + d, y))
    shaft = ((x + half, y), (x + half, y + d), (x - half, y + d), (x - half, y))
    return [Polygon((*head, *shaft), theme.ink, theme.paper, 0.5 * stroke)]


def diamond(middle: Point, reach: float) -> tuple[Point, ...]:
    """The four corners, clockwise from the top."""
    x, y = middle
    return (x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)


def token(middle: Point, reach: float, fate: str, theme: Theme, stroke: float) -> list[Shape]:
    """The token of a holder: "held", "spurious", "dead" with it, or, unknown to it, to "lose" or "duplicate"."""
    if fate == "spurious":
        look = theme.families["spurious"]
        return [Polygon(marks.star(middle, 1.25 * reach), look.fill, look.outline, 1.1 * stroke)]
    look = theme.families["token"]
    whole = Polygon(diamond(middle, reach), look.fill, look.outline, 1.1 * stroke)
    if fate == "lose":
        hollow = whole._replace(fill=theme.paper, stroke=theme.fault, dash=(1.5 * stroke, stroke))
        return [hollow, *cross(middle, 0.42 * reach, theme.fault, 1.3 * stroke)]
    if fate == "dead":
        return [whole, *cross(middle, 0.42 * reach, theme.fault, 1.3 * stroke)]
    if fate == "duplicate":
        return [whole._replace(points=diamond((middle[0] - 0.7 * reach, middle[1]), reach)), whole]
    return [whole]


def belief_size(name: str, size: float) -> tuple[float, float]:
    """Width and height of a belief about the leader."""
    return fonts.width(name, size, "mono") + 2.2 * size, 1.5 * size


def belief(middle: Point, name: str, size: float, theme: Theme) -> list[Shape]:
    """A node's belief about the leader: a thought bubble with a small crown."""
    width, height = belief_size(name, size)
    x, y = middle[0] - width / 2, middle[1] - height / 2
    return [
        Box(x, y, width, height, theme.card, theme.muted, size / 12, height / 2),
        *crown((x + 0.95 * size, middle[1]), 0.8 * size, theme, size / 12),
        Text(x + 1.6 * size, middle[1], name, size, theme.ink, family="mono", baseline="middle"),
        Circle(x + width * 0.7, y - 0.16 * size, 0.14 * size, theme.card, theme.muted, size / 12),
    ]
