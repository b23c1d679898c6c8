"""Pills of a still moved to the nearest free room, so that each can be read and its arrow points at its receiver.

Which is nearest may change with little: in motion, pills give way as `courses` and `apart` say, and do not jump. The
picture is divided into small squares, which are one number with a bit for each: so dozens of pills find room among
dozens of nodes in a few milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from algorithms.engine.topology import Edge
from visual.drawing import marks
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Group, Mark, Rect, Shape, Text
from visual.scene.graph.label_placement.detours import Obstacle, rounded
from visual.scene.graph.layout import Layout

_SQUARE = 0.25  # how wide and high a square is, in ems of the label
_AROUND = 16  # squares outside the picture, where arrows may reach
_FARTHER = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0, 10.0, 12.0)
"""How far the places are that are tried, in ems."""

_WAYS = tuple((math.cos(math.tau * k / 16), math.sin(math.tau * k / 16)) for k in range(16))
_WORSE = 2  # how much worse it is for a pill to be covered than to cover a name
_SLIGHT = 2 * _WORSE  # of a pill so little may be covered, at its edge; of its arrow's head nothing
_FAR = 2  # how bad an em is that it is moved
_HEAD = 0.3  # half as wide as the head of an arrow is, in ems


class Taken(NamedTuple):
    """Where pills cannot be read, or would hide what is to be read."""

    beside: tuple[Rect, ...]  # nodes, in front of pills
    names: tuple[Rect, ...]  # beneath pills


@lru_cache(maxsize=4)  # a still is drawn again for as long as somebody looks at it
def settled(found: tuple[Mark, ...], links: tuple[Edge, ...], layout: Layout, taken: Taken) -> list[Mark]:
    """The marks, those of pills off the nodes, off what is `taken`, and off each other, as near as there is room.

    Those that are as they should be stay; none gets behind its sender. Where there is no room near by, a little is
    covered.
    """
    pills, moved = [i for i, mark in enumerate(found) if mark.form == "pill"], list(found)
    if not pills:
        return moved
    square = _SQUARE * found[pills[0]].size
    above, beneath = _Squares(layout.rect, square), _Squares(layout.rect, square)
    for x, y in layout.places:
        above.take(Obstacle(x, y, 0.0, layout.radius))
    for squares, boxes in ((above, taken.beside), (beneath, taken.names)):
        for box in boxes:
            squares.take(rounded(box))
    for i in pills:
        pill = _Pill(found[i], links[i], layout)
        moved[i] = pill.settled(above, beneath)
        above.take(pill.body._replace(x=moved[i].x, y=moved[i].y))
        above.take(_head(moved[i]))
    return moved


def boxes_of(shapes: Iterable[Shape]) -> Iterator[Rect]:
    """Where the boxes and the words are that stand beside nodes."""
    for shape in shapes:
        if isinstance(shape, Group):
            for box in boxes_of(shape.shapes):
                yield box._replace(x=box.x + shape.x, y=box.y + shape.y)
        elif isinstance(shape, Box) or (isinstance(shape, Text) and shape.x):  # what is in the middle is in the node
            yield bounds(shape)


class _Stamp(NamedTuple):
    """The squares of something, wherever it is."""

    rows: tuple[int, ...]
    whole: int  # all of them, as many bits apart as a row of the picture has
    wide: int  # in squares
    left: float  # from its middle to its first square
    above: float


class _Squares:
    """The squares of a picture that are taken, row after row in one number: a look at dozens is one operation."""

    def __init__(self, rect: Rect, side: float) -> None:
        self.side = side
        self._left, self._top = rect.x - _AROUND * side, rect.y - _AROUND * side
        self._across, self._down = (math.ceil(long / side) + 2 * _AROUND for long in (rect.w, rect.h))
        self._taken = 0

    def stamp(self, thing: Obstacle) -> _Stamp:
        """The squares whose middles are in something."""
        return _stamp(thing.half, thing.radius, self.side, self._across)

    def take(self, thing: Obstacle) -> None:
        """From now on what is in something is taken."""
        stamp = self.stamp(thing)
        first, column = self._first(stamp, thing.x, thing.y)
        for row, bits in enumerate(stamp.rows, first):
            if 0 <= row < self._down:
                seen = (bits << column if column >= 0 else bits >> -column) & ((1 << self._across) - 1)
                self._taken |= seen << row * self._across

    def covered(self, stamp: _Stamp, x: float, y: float) -> int:
        """How many squares of something there are taken; of what is not wholly in the picture none."""
        row, column = self._first(stamp, x, y)
        if not (0 <= column <= self._across - stamp.wide and 0 <= row <= self._down - len(stamp.rows)):
            return 0
        return (self._taken >> row * self._across + column & stamp.whole).bit_count()

    def _first(self, stamp: _Stamp, x: float, y: float) -> tuple[int, int]:
        """Row and column of its first square."""
        return int((y - stamp.above - self._top) // self.side), int((x - stamp.left - self._left) // self.side)


@lru_cache(maxsize=256)
def _stamp(half: float, radius: float, side: float, across: int) -> _Stamp:
    reach, high = math.ceil(radius / side), radius / side
    rows = []
    for k in range(-reach, reach + 1):
        wide = math.sqrt(max(high**2 - k**2, 0.0))
        left, right = round(reach - wide), round(reach + 2 * half / side + wide)
        rows.append((1 << right) - (1 << left) if abs(k) < high else 0)
    whole = sum(bits << row * across for row, bits in enumerate(rows))
    return _Stamp(tuple(rows), whole, max(rows).bit_length(), half + reach * side, reach * side)


class _Pill:
    """A pill that looks for a place, and the link on which it flies."""

    def __init__(self, mark: Mark, link: Edge, layout: Layout) -> None:
        self.body = rounded(marks.extent(mark))
        self._mark, self._layout = mark, layout
        self._start, self._goal = (layout.places[node] for node in link)

    def settled(self, above: _Squares, beneath: _Squares) -> Mark:
        """The mark at a place that is free, or covered least, and near."""
        best, least = self._mark, math.inf
        body, head = above.stamp(self.body), above.stamp(_head(self._mark))
        for far, x, y in self._places():
            wrong: float = _FAR * far
            if least <= max(_SLIGHT, wrong):
                break
            wrong += _WORSE * above.covered(body, x, y)
            if wrong < least:
                mark = self._aimed(x, y)
                tip = _head(mark)[:2]
                wrong += _WORSE * _SLIGHT * above.covered(head, *tip)
                wrong += beneath.covered(body, x, y) + beneath.covered(head, *tip)
                if wrong < least:
                    best, least = mark, wrong
        return best

    def _places(self) -> Iterator[tuple[float, float, float]]:
        """Where the pill is and farther and farther from there, within the picture: how far, in ems, and where."""
        x, y, size = self._mark.x, self._mark.y, self._mark.size
        yield 0.0, x, y
        left, top, w, h = marks.extent(self._mark)
        rect = self._layout.rect
        left, top, right, bottom = rect.x - left, rect.y - top, rect.x + rect.w - left - w, rect.y + rect.h - top - h
        for far in _FARTHER:
            for across, down in _WAYS:
                there = x + across * far * size, y + down * far * size
                if left <= there[0] <= right and top <= there[1] <= bottom and not self._is_behind(*there):
                    yield far, *there

    def _is_behind(self, x: float, y: float) -> bool:
        """Whether an arrow from there to the receiver would lead over the sender."""
        dx, dy = self._goal[0] - x, self._goal[1] - y
        ahead, down = self._start[0] - x, self._start[1] - y
        return ahead * dx + down * dy > 0 and abs(ahead * dy - down * dx) < self._layout.radius * math.hypot(dx, dy)

    def _aimed(self, x: float, y: float) -> Mark:
        """The mark there; its arrow stays parallel to its lane where that leads to the receiver."""
        mark, dx, dy = self._mark._replace(x=x, y=y), self._goal[0] - x, self._goal[1] - y
        angle = math.radians(mark.toward or 0.0)
        if (x, y) == self._mark[:2] and abs(dx * math.sin(angle) - dy * math.cos(angle)) < self._layout.radius:
            return mark
        return mark._replace(toward=math.degrees(math.atan2(dy, dx)))


def _head(mark: Mark) -> Obstacle:
    """What the head of its arrow takes up."""
    x, y = marks.arrow_end(mark)
    return Obstacle(mark.x + x, mark.y + y, 0.0, _HEAD * mark.size)
