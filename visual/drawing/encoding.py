"""Shapes as plain lists for a canvas in a web page: what `assets/web/draw.js` draws.

pool = Pool(theme)                      # for many pictures that are known beforehand: each shape once
numbers = pool.picture(shapes)
pool.values[numbers[0]]

stream = ShapeStream(theme)             # for pictures that follow one another: only cached groups are kept
fresh, gone, drawn = stream.picture(shapes)

A list begins with the number of its kind (`KINDS`) and has the fields in the order in which they are encoded here.
Lengths are rounded to tenths of a pixel. Ids are left out: a page has its own buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import Any, TypeAlias

from visual.drawing import fonts, marks
from visual.drawing.picking import bounds
from visual.drawing.shapes import Arc, Box, Circle, Fill, Group, Line, Mark, Pattern, Polygon, Polyline, Shape, Text
from visual.drawing.theme import Theme

Encoded: TypeAlias = list[Any]
Numbers: TypeAlias = list[int]

KINDS = ("circle", "path", "polygon", "box", "text", "group", "kept", "arc")
"""The kinds in the order of their numbers, which is that of the functions in draw.js."""

ANCHORS = ("start", "middle", "end")
FAMILIES: dict[fonts.FontFamily, str] = {"sans": "Mutoscope Sans", "mono": "Mutoscope Mono"}
"""What draw.js calls the families of fonts."""

_GROUP, _KEPT, _ARC = KINDS.index("group"), KINDS.index("kept"), KINDS.index("arc")
_MOST_KEPT = 600  # groups of a stream
_LATELY = 120  # pictures


class Writer:
    """Writes shapes as lists, whole; other kinds of writer let something shorter stand for a shape."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def encoded(self, shapes: Iterable[Shape]) -> list[Any]:
        """What stands for the shapes, back to front. KeyError for an image, which a page cannot draw."""
        return [self.one(shape) for shape in shapes]

    def one(self, shape: Shape) -> Encoded:
        """A shape by itself."""
        if isinstance(shape, Group):
            return self.group(shape)
        return self.mark(shape) if isinstance(shape, Mark) else _single(shape)

    def mark(self, shape: Mark) -> Encoded:
        """A message as a group, so that it moves as a whole."""
        return self.group(Group(marks.parts(shape, self.theme), shape.x, shape.y))

    def group(self, shape: Group) -> Encoded:
        """A group, with the rectangle that it fills if it is drawn separately: to keep its pixels, or to fade them."""
        clip = shape.clip and _numbers(shape.clip)
        is_separate = shape.key is not None or shape.opacity < 1
        extent = clip or _numbers(bounds(shape._replace(x=0.0, y=0.0))) if is_separate else None
        place = _numbers((shape.x, shape.y))
        return [_GROUP, *place, clip, round(shape.opacity, 2), extent, self.encoded(shape.shapes)]


class Pool(Writer):
    """The shapes of many pictures, each once, under its number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.values: list[Encoded] = []
        self._numbers: dict[Hashable, int] = {}

    def picture(self, shapes: Iterable[Shape]) -> Numbers:
        """The numbers of the shapes, back to front."""
        return [self._number(shape) for shape in shapes]

    encoded = picture

    def _number(self, shape: Shape) -> int:
        # a group is known by its key rather than by its many shapes
        name: Hashable = shape._replace(shapes=()) if isinstance(shape, Group) and shape.key is not None else shape
        number = self._numbers.get(name)
        if number is None:
            value = self.one(shape)
            number = self._numbers.setdefault(repr(value), len(self.values))
            if number == len(self.values):
                self.values.append(value)
            self._numbers[name] = number
        return number

    def distance_from_straight(self, before: Numbers, after: Numbers, middle: Numbers) -> float:
        """The distance of the picture `middle` from halfway between two others, in pixels; infinite if forms differ."""
        if not len(before) == len(after) == len(middle):
            return inf
        places = zip(before, after, middle, strict=True)
        return max((self._off(*place) for place in places if len({*place}) > 1), default=0.0)

    def _off(self, before: int, after: int, middle: int) -> float:
        a, b, m = self.values[before], self.values[after], self.values[middle]
        if a[0] == b[0] == m[0] == _GROUP:
            return max(_off(a[:-1], b[:-1], m[:-1]), self.distance_from_straight(a[-1], b[-1], m[-1]))
        return _off(a, b, m)


class ShapeStream(Writer):
    """The pictures of a window, one after the other: a group with a key is sent once, and then called by its number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._whole = Writer(theme)  # of what is sent once
        self._kept: dict[Hashable, int] = {}  # identity of a group -> its number
        self._used: dict[int, int] = {}  # number -> the picture in which it was used last
        self._marks: dict[Hashable, list[tuple[int, float, float]]] = {}  # look -> its groups, and where they are
        self._count = self._picture = 0
        self._fresh: list[tuple[int, Encoded]] = []

    def picture(self, shapes: Iterable[Shape]) -> tuple[list[tuple[int, Encoded]], Numbers, list[Encoded]]:
        """The groups that are new, with their numbers; the numbers of those that are forgotten; the shapes."""
        self._picture += 1
        self._fresh = []
        drawn = self.encoded(shapes)
        return self._fresh, self._forgotten() if len(self._kept) > _MOST_KEPT else [], drawn

    def encoded(self, shapes: Iterable[Shape]) -> list[Encoded]:
        drawn: list[Encoded] = []
        known, used, picture = self._marks, self._used, self._picture
        for shape in shapes:
            if type(shape) is not Mark:
                drawn.append(self.one(shape))
                continue
            look = shape[2:7]  # messages are by far the most numerous
            for number, right, down in known.get(look) or known.setdefault(look, [*self._parts(shape)]):
                used[number] = picture
                drawn.append([_KEPT, number, _tenths(shape.x + right), _tenths(shape.y + down)])
        return drawn

    def _parts(self, mark: Mark) -> Iterator[tuple[int, float, float]]:
        """The groups of a message and their places in it: its arrow, if it has one, and the rest."""
        if mark.toward is not None:
            arrow = marks.cached_arrow(mark, self.theme)
            yield self._number(Group((arrow,), key=arrow)), *marks.arrow_start(mark)
        body = marks.body(mark, self.theme)
        yield self._number(Group(body, key=body)), 0.0, 0.0

    def group(self, shape: Group) -> Encoded:
        return super().group(shape) if shape.key is None else [_KEPT, self._number(shape), *_numbers(shape[1:3])]

    def _number(self, shape: Group) -> int:
        """The number of a group with a key, which is sent if it is new."""
        name = (shape.key, shape.clip, shape.opacity)
        number = self._kept.get(name)
        if number is None:
            number = self._kept[name] = self._count
            self._count += 1
            self._fresh.append((number, self._whole.group(shape._replace(x=0.0, y=0.0))))
        self._used[number] = self._picture
        return number

    def _forgotten(self) -> Numbers:
        """Forget the groups that have not been used for long; their numbers."""
        old = [name for name, number in self._kept.items() if self._used[number] < self._picture - _LATELY]
        if old:
            self._marks.clear()
        return [self._kept.pop(name) for name in old]


def _off(before: Any, after: Any, middle: Any) -> float:
    """The largest distance of a number from halfway, where the page moves it; infinite if forms differ."""
    if isinstance(before, int | float) and isinstance(after, int | float) and isinstance(middle, int | float):
        return abs((before + after) / 2 - middle)
    if isinstance(before, list) and isinstance(after, list) and isinstance(middle, list):
        if len(before) == len(after) == len(middle):
            return max(map(_off, before, after, middle), default=0.0)
        return inf
    return 0.0 if before == after == middle else inf


def _tenths(value: float) -> float:
    """The number to a tenth; `round` takes three times as long."""
    return (value * 10 + 0.5) // 1 / 10


def _number(value: float) -> float:
    """The number in as few characters as possible."""
    rounded = _tenths(value)
    return int(rounded) if rounded == int(rounded) else rounded


def _numbers(values: Iterable[float]) -> list[float]:
    return [_number(value) for value in values]


def _fill(fill: Fill | None) -> Any:
    return [fill.name, fill.ink, fill.ground, round(fill.pitch, 3)] if isinstance(fill, Pattern) else fill


def _area(shape: Circle | Polygon | Box) -> Encoded:
    return [_fill(shape.fill), shape.stroke, _number(shape.width), _numbers(shape.dash)]


def _path(shape: Line | Polyline, points: Sequence[float]) -> Encoded:
    return [1, _numbers(points), shape.stroke, _number(shape.width), _numbers(shape.dash), _number(shape.arrow)]


def _arc(shape: Arc) -> Encoded:
    place = _numbers((shape.x, shape.y, shape.r))
    return [_ARC, *place, round(shape.share, 3), shape.stroke, _number(shape.width)]


def _polygon(shape: Polygon) -> Encoded:
    return [2, _numbers(length for point in shape.points for length in point), *_area(shape)]


def _box(shape: Box) -> Encoded:
    radius = min(shape.radius, shape.w / 2, shape.h / 2)
    return [3, *_numbers((shape.x, shape.y, shape.w, shape.h, radius)), *_area(shape)]


def _text(shape: Text) -> Encoded:
    down = fonts.CAP_HEIGHT / 2 * shape.size if shape.baseline == "middle" else 0.0
    place = _numbers((shape.x, shape.y, down, shape.size))
    face = [int(shape.weight == "bold"), int(shape.family == "mono"), ANCHORS.index(shape.anchor)]
    return [4, shape.text, *place, shape.ink, *face, shape.halo, _number(shape.angle)]


_WAYS: dict[type, Callable[[Any], Encoded]] = {
    Circle: lambda shape: [0, *_numbers(shape[:3]), *_area(shape)],
    Line: lambda shape: _path(shape, shape[:4]),
    Polyline: lambda shape: _path(shape, [length for point in shape.points for length in point]),
    Arc: _arc,
    Polygon: _polygon,
    Box: _box,
    Text: _text,
}


@lru_cache(4096, typed=True)
def _single(shape: Shape) -> Encoded:
    """A shape that has no parts. Most are the same from one picture to the next."""
    return _WAYS[type(shape)](shape)
