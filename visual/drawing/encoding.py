"""Shapes as plain lists for a canvas in a web page, each once: what `assets/web/draw.js` draws.

pool = Pool(theme)
numbers = pool.picture(shapes)
pool.values[numbers[0]]

A list begins with the number of its kind (`KINDS`) and has the fields in the order in which they are written here.
The shapes in a group are numbers, too. Lengths are rounded to tenths of a pixel. Ids are left out: a page has its
own buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import inf
from typing import Any, TypeAlias

from visual.drawing import fonts, marks
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Circle, Fill, Group, Line, Mark, Pattern, Polygon, Polyline, Shape, Text
from visual.drawing.theme import Theme

Encoded: TypeAlias = list[Any]
Numbers: TypeAlias = list[int]

KINDS = ("circle", "path", "polygon", "box", "text", "group")
"""The kinds in the order of their numbers, which is that of the functions in draw.js."""

ANCHORS = ("start", "middle", "end")
_GROUP = KINDS.index("group")


class Pool:
    """The shapes of many pictures, each once, under its number."""

    def __init__(self, theme: Theme) -> None:
        self.values: list[Encoded] = []
        self._theme = theme
        self._numbers: dict[Hashable, int] = {}

    def picture(self, shapes: Iterable[Shape]) -> Numbers:
        """The numbers of the shapes, back to front. KeyError for an image, which a page cannot draw."""
        return [self._number(shape) for shape in shapes]

    def _number(self, shape: Shape) -> int:
        name = _name(shape)
        number = self._numbers.get(name)
        if number is None:
            value = _WAYS[type(shape)](shape, self)
            number = self._numbers.setdefault(repr(value), len(self.values))
            if number == len(self.values):
                self.values.append(value)
            self._numbers[name] = number
        return number

    def mark(self, shape: Mark) -> Encoded:
        """A message as a group, so that it moves as a whole."""
        return self.group(Group(marks.parts(shape, self._theme), shape.x, shape.y))

    def group(self, shape: Group) -> Encoded:
        """A group; one whose pixels are worth keeping, since it has a key, brings the rectangle that it fills."""
        clip = shape.clip and _numbers(shape.clip)
        extent = clip or _numbers(bounds(shape._replace(x=0.0, y=0.0))) if shape.key is not None else None
        place = _numbers((shape.x, shape.y))
        return [_GROUP, *place, clip, round(shape.opacity, 2), extent, self.picture(shape.shapes)]

    def distance_from_straight(self, before: Numbers, after: Numbers, middle: Numbers) -> float:
        """How far the picture `middle` is from half-way between two others, in pixels; infinite if in form."""
        if not len(before) == len(after) == len(middle):
            return inf
        places = zip(before, after, middle, strict=True)
        return max((self._off(*place) for place in places if len({*place}) > 1), default=0.0)

    def _off(self, before: int, after: int, middle: int) -> float:
        a, b, m = self.values[before], self.values[after], self.values[middle]
        if a[0] == b[0] == m[0] == _GROUP:
            return max(_off(a[:-1], b[:-1], m[:-1]), self.distance_from_straight(a[-1], b[-1], m[-1]))
        return _off(a, b, m)


def _name(shape: Shape) -> Hashable:
    """What tells a shape apart: its values, but the key of a group instead of its many shapes."""
    return shape._replace(shapes=()) if isinstance(shape, Group) and shape.key is not None else shape


def _off(before: Any, after: Any, middle: Any) -> float:
    """The largest distance of a number from half-way, as the page goes; infinite where two values differ in form."""
    if isinstance(before, int | float) and isinstance(after, int | float) and isinstance(middle, int | float):
        return abs((before + after) / 2 - middle)
    if isinstance(before, list) and isinstance(after, list) and isinstance(middle, list):
        if len(before) == len(after) == len(middle):
            return max(map(_off, before, after, middle), default=0.0)
        return inf
    return 0.0 if before == after == middle else inf


def _number(value: float) -> float:
    """The number in as few characters as possible."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _numbers(values: Iterable[float]) -> list[float]:
    return [_number(value) for value in values]


def _fill(fill: Fill | None) -> Any:
    return [fill.name, fill.ink, fill.ground, _number(fill.pitch)] if isinstance(fill, Pattern) else fill


def _area(shape: Circle | Polygon | Box) -> Encoded:
    return [_fill(shape.fill), shape.stroke, _number(shape.width), _numbers(shape.dash)]


def _circle(shape: Circle, pool: Pool) -> Encoded:
    return [0, *_numbers((shape.x, shape.y, shape.r)), *_area(shape)]


def _line(shape: Line, pool: Pool) -> Encoded:
    return _path(shape, (shape.x1, shape.y1, shape.x2, shape.y2))


def _polyline(shape: Polyline, pool: Pool) -> Encoded:
    return _path(shape, [length for point in shape.points for length in point])


def _path(shape: Line | Polyline, points: Sequence[float]) -> Encoded:
    return [1, _numbers(points), shape.stroke, _number(shape.width), _numbers(shape.dash), _number(shape.arrow)]


def _polygon(shape: Polygon, pool: Pool) -> Encoded:
    return [2, _numbers(length for point in shape.points for length in point), *_area(shape)]


def _box(shape: Box, pool: Pool) -> Encoded:
    radius = min(shape.radius, shape.w / 2, shape.h / 2)
    return [3, *_numbers((shape.x, shape.y, shape.w, shape.h, radius)), *_area(shape)]


def _text(shape: Text, pool: Pool) -> Encoded:
    down = fonts.CAP_HEIGHT / 2 * shape.size if shape.baseline == "middle" else 0.0
    place = _numbers((shape.x, shape.y, down, shape.size))
    face = [int(shape.weight == "bold"), int(shape.family == "mono"), ANCHORS.index(shape.anchor)]
    return [4, shape.text, *place, shape.ink, *face, shape.halo, _number(shape.angle)]


_WAYS: dict[type, Callable[[Any, Pool], Encoded]] = {
    Circle: _circle,
    Line: _line,
    Polyline: _polyline,
    Polygon: _polygon,
    Box: _box,
    Text: _text,
    Group: lambda shape, pool: pool.group(shape),
    Mark: lambda shape, pool: pool.mark(shape),
}
