"""Geometry of strokes: dashes, arrowheads, rounded outlines, patterns. Pure arithmetic on points."""

import itertools
import math
from collections.abc import Iterator, Sequence

from visual.drawing.shapes import Dash, Point

_ARROW_SPREAD = 0.8  # width of an arrowhead in its lengths


def quad(a: Point, b: Point, width: float) -> tuple[Point, Point, Point, Point]:
    """The rectangle that a line of that width covers; a and b must differ."""
    length = math.dist(a, b)
    nx, ny = (a[1] - b[1]) / length * width / 2, (b[0] - a[0]) / length * width / 2
    return (a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)


def along(a: Point, b: Point, distance: float) -> Point:
    """The point that lies `distance` from a in the direction of b; a itself where the two coincide."""
    length = math.dist(a, b)
    if not length:
        return a
    return a[0] + (b[0] - a[0]) * distance / length, a[1] + (b[1] - a[1]) * distance / length


def arrowhead(a: Point, tip: Point, length: float) -> tuple[Point, Point, Point]:
    """The triangle at the end of a line from a to tip; a and tip must differ."""
    foot = along(tip, a, length)
    left, _, _, right = quad(foot, tip, length * _ARROW_SPREAD)
    return tip, left, right


def shaft(points: Sequence[Point], arrow: float) -> tuple[Point, ...]:
    """The line without the part that its arrowhead covers, so that a thick line does not blunt the tip."""
    if not arrow or len(points) < 2 or points[-2] == points[-1]:
        return tuple(points)
    return (*points[:-1], along(points[-1], points[-2], min(arrow * 0.8, math.dist(*points[-2:]))))


def is_smooth(a: Point, b: Point, c: Point) -> bool:
    """Whether a path from a over b to c turns so little that the joint at b needs no rounding: 12 degrees."""
    before, after = math.dist(a, b), math.dist(b, c)
    turn = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return turn >= 0.978 * before * after


def dashes(points: Sequence[Point], dash: Dash) -> Iterator[tuple[Point, ...]]:
    """The pieces of a path that a dash pattern draws, joints kept; all of it where the pattern is empty."""
    if not dash:
        yield tuple(points)
        return
    drawn, left, turn = [points[0]], dash[0], 0
    for a, b in itertools.pairwise(points):
        done, length = 0.0, math.dist(a, b)
        while length - done > left:
            done += left
            point = along(a, b, done)
            if turn % 2 == 0:
                yield (*drawn, point)
            turn += 1
            left, drawn = dash[turn % len(dash)], [point]
        left -= length - done
        drawn.append(b)
    if turn % 2 == 0 and len(drawn) > 1:
        yield tuple(drawn)


def circle_path(x: float, y: float, r: float) -> tuple[Point, ...]:
    """A closed path of chords of at most two pixels, clockwise from the right, as SVG draws a circle."""
    count = max(32, math.ceil(math.pi * r))
    angles = (2 * math.pi * k / count for k in range(count + 1))
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)


def box_path(x: float, y: float, w: float, h: float, radius: float) -> tuple[Point, ...]:
    """A closed path along a rectangle with rounded corners, clockwise from the end of the first corner."""
    if not radius:
        return (x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)
    radius = min(radius, w / 2, h / 2)
    count = max(4, math.ceil(radius * math.pi / 4))
    centres = (
        (x + w - radius, y + radius, -90),
        (x + w - radius, y + h - radius, 0),
        (x + radius, y + h - radius, 90),
        (x + radius, y + radius, 180),
    )
    path = [(x + radius, y)]
    for cx, cy, first in centres:
        angles = (math.radians(first + 90 * k / count) for k in range(count + 1))
        path += [(cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in angles]
    return tuple(path)


def tile(pattern: str, side: float) -> tuple[tuple[Point, ...], ...]:
    """What a pattern draws in one square period, as polygons that may reach beyond it."""
    stripe = side / 2 if pattern == "hatch" else side / 4
    rising = tuple(((x, 0.0), (x + stripe, 0.0), (x + stripe - side, side), (x - side, side)) for x in (0.0, side))
    falling = tuple(((x, 0.0), (x + stripe, 0.0), (x + stripe + side, side), (x + side, side)) for x in (0.0, -side))
    match pattern:
        case "hatch":
            return rising
        case "backhatch":
            return falling
        case "crosshatch":
            return rising + falling
        case "dots":
            return (circle_path(side / 2, side / 2, 0.27 * side),)
    return (((0.0, 0.0), (side / 2, 0.0), (side / 2, side), (0.0, side)),)
