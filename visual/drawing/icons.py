"""The pictures on buttons, drawn as shapes because no font can be relied on for them."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

from visual.drawing.shapes import Box, Circle, Colour, Line, Polygon, Polyline, Shape

Draw = Callable[[float, float, float, Colour, Colour], list[Shape]]


def icon_shapes(name: str, x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    """The icon of that name, centred on (x, y), about `side` pixels high. KeyError if there is none."""
    return _ICONS[name](x, y, side, ink, ground)


def _triangle(x: float, y: float, side: float, ink: Colour, direction: int) -> Polygon:
    half = side / 2
    return Polygon(
        ((x - direction * half * 0.8, y - half), (x - direction * half * 0.8, y + half), (x + direction * half, y)), ink
    )


def _play(x: float, y: float, side: float, ink: Colour, ground: Colour) -> list[Shape]:
    return [_triangle(x + 0.05 * side, y, side, ink, 1)]


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
    "play": _play,
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
