"""Pills of a still moved to the nearest free room, so that each can be read and its arrow points at its receiver.

Which is nearest may change with little: in motion, pills give way as `courses` and `apart` say, and do not jump. The
picture is divided into small squares, which are one number with a bit for each: so dozens of pills find room among
dozens of nodes in a few milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from algorithms.engine.topology import Edge
from visual.drawing import marks
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Group, Mark, Point, Rect, Shape, Text
from visual.scene.graph.layout import Layout
from visual.scene.graph.messages import Track

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


_SOON = 1.5  # ems: so deep in something a pill has moved aside as far as it gets
_NEAR = 4.0  # so far from its lane, in ems, others may have moved a pill


class Obstacle(NamedTuple):
    """What no label should be under: all within `radius` of a level line that reaches `half` to both sides."""

    x: float
    y: float
    half: float
    radius: float

    def reach(self, ux: float, uy: float) -> float:
        """How far it reaches from its middle in a direction."""
        return self.half * abs(ux) + self.radius


def rounded(box: Rect) -> Obstacle:
    """A box that is wider than high, as if its ends were round."""
    radius = box.h / 2
    return Obstacle(box.x + box.w / 2, box.y + radius, max(box.w / 2 - radius, 0.0), radius)


class Bend(NamedTuple):
    """An obstacle beside a lane: where, how near the pill's middle comes to its middle line, and the way around it."""

    x: float
    y: float
    half: float
    radius: float
    long: float  # along the lane, before and after it, and
    wide: float  # across it: where a pill touches it
    side: float  # on which the lane passes it: 1 for the right, -1 for the left


class Course(NamedTuple):
    """A lane's direction, and what is beside it."""

    ux: float
    uy: float
    bends: tuple[Bend, ...]


class Around:
    """The nodes and what is written on them; keeps the courses of the lanes between them."""

    def __init__(self, layout: Layout, boxes: tuple[tuple[int, Rect], ...]) -> None:
        written: dict[int, list[Obstacle]] = {}
        for node, box in boxes:
            written.setdefault(node, []).append(rounded(box))
        self._bodies = [
            (node, Obstacle(x, y, 0.0, layout.radius), written.get(node, []))
            for node, (x, y) in enumerate(layout.places)
        ]
        self._kept: dict[tuple[float, ...], Course] = {}

    def course(self, track: Track, mark: Mark) -> Course:
        """What a pill has to pass on its lane; dots pass in front of nodes, or beneath."""
        if mark.form != "pill" or not (track.dx or track.dy):
            return _STRAIGHT
        pill = rounded(marks.extent(mark))
        key = (*track[:4], pill.half, pill.radius)
        course = self._kept.get(key)
        if course is None:
            course = self._kept[key] = self._course(track, pill, _NEAR * mark.size)
        return course

    def _course(self, track: Track, pill: Obstacle, air: float) -> Course:
        """A box is passed on the side of its node; lanes themselves keep off the nodes at their own ends."""
        length = math.hypot(track.dx, track.dy)
        ux, uy = track.dx / length, track.dy / length
        found = []
        for node, circle, boxes in self._bodies:
            side = math.copysign(1.0, _across(track.x, track.y, circle, ux, uy))
            for other in boxes if node in track.link else [circle, *boxes]:
                long, wide = other.reach(ux, uy) + pill.reach(ux, uy), other.reach(uy, ux) + pill.reach(uy, ux)
                if abs(_across(track.x, track.y, other, ux, uy)) < wide + air:
                    half, radius = other.half + pill.half, other.radius + pill.radius
                    found.append(Bend(other.x, other.y, half, radius, long, wide, side))
        return Course(ux, uy, tuple(found))


_STRAIGHT = Course(1.0, 0.0, ())


@lru_cache(maxsize=4)
def around(layout: Layout, boxes: tuple[tuple[int, Rect], ...]) -> Around:
    """The nodes of a layout, with the boxes that are at them now."""
    return Around(layout, boxes)


def _across(x: float, y: float, other: Obstacle | Bend, ux: float, uy: float) -> float:
    """How far to the right of something a place is, as seen in a direction."""
    return (y - other.y) * ux - (x - other.x) * uy


def clear(found: list[Mark], courses: list[Course]) -> list[Mark]:
    """The marks moved so far across their lanes that nothing covers them."""
    return [_clear(mark, course) if course.bends else mark for mark, course in zip(found, courses, strict=True)]


def _clear(mark: Mark, course: Course) -> Mark:
    x, y, (ux, uy, bends) = mark.x, mark.y, course
    for bend in bends:
        depth = bend.radius - math.hypot(max(abs(x - bend.x) - bend.half, 0.0), y - bend.y)
        if depth > 0.0:
            along = min(abs((x - bend.x) * ux + (y - bend.y) * uy) / bend.long, 1.0)
            lacking = bend.wide * (1.0 - along**3) ** (1 / 3) - _across(x, y, bend, ux, uy) * bend.side
            aside = max(lacking, 0.0) * min(1.0, depth / (_SOON * mark.size)) * bend.side
            x, y = x - uy * aside, y + ux * aside
    return mark._replace(x=x, y=y)


def off_their_ends(flying: list[Track], found: list[Mark], layout: Layout) -> list[Mark]:
    """The pills that others have moved onto their own sender or receiver, moved off it the shortest way."""
    moved = list(found)
    for i, track in enumerate(flying):
        if found[i].form == "pill":
            pill = rounded(marks.extent(found[i]))
            for node in track.link:
                moved[i] = _off(moved[i], pill, layout.places[node], layout.radius)
    return moved


def _off(mark: Mark, pill: Obstacle, place: Point, radius: float) -> Mark:
    """The mark just outside a circle."""
    dx, dy = mark.x - place[0], mark.y - place[1]
    dx -= math.copysign(min(abs(dx), pill.half), dx)  # to the nearest place on the pill's middle line
    away = math.hypot(dx, dy)
    lacking = radius + pill.radius - away
    if lacking <= 0.0 or not away:
        return mark
    return mark._replace(x=mark.x + dx / away * lacking, y=mark.y + dy / away * lacking)


def within(found: list[Mark], rect: Rect) -> list[Mark]:
    """The pills with those that would leave the picture at its edge."""
    return [_within(mark, rect) if mark.form == "pill" else mark for mark in found]


def _within(mark: Mark, rect: Rect) -> Mark:
    x, y, w, h = marks.extent(mark)
    across = min(max(mark.x, rect.x - x), rect.x + rect.w - x - w)
    down = min(max(mark.y, rect.y - y), rect.y + rect.h - y - h)
    return mark if (across, down) == mark[:2] else mark._replace(x=across, y=down)


def off_names(dot: Mark, layout: Layout) -> Mark:
    """The dot, which passes behind nodes, without its label where one would cover a part of that."""
    if not dot.label:
        return dot
    left, top, wide, high = marks.extent(dot)
    left, top = dot.x + left, dot.y + top
    for x, y in layout.places:
        aside = max(left - x, x - left - wide, 0.0)
        if aside < layout.radius and math.hypot(aside, max(top - y, y - top - high, 0.0)) < layout.radius:
            return dot._replace(label="")
    return dot


_ABREAST = 2.2  # from one pill to another beside it, in ems of the label
_FULL = 0.3  # of its width: the part of a pill above another from which on they are as far apart as they get


def abreast(flying: list[Track], found: list[Mark]) -> list[Mark]:
    """The marks with those that would cover others on their lane moved aside: a later one beside an earlier one.

    How far is a continuous function of the places, so that nothing jumps.
    """
    lanes: dict[tuple[int, int], list[int]] = {}
    for i, track in enumerate(flying):
        lanes.setdefault(track.link, []).append(i)
    moved = list(found)
    for together in lanes.values():
        levels: dict[int, float] = {}
        for i in sorted(together, key=lambda i: (flying[i].sent, found[i].id)):
            levels[i] = max((_pushed(flying, found, j, i) * (1 + levels[j]) for j in levels), default=0.0)
            moved[i] = _aside(found[i], flying[i], levels[i])
    return moved


def _pushed(flying: list[Track], found: list[Mark], front: int, back: int) -> float:
    """From 0 to 1: how much the later of two messages on a lane gives way to the earlier; less at the lane's end."""
    need = flying[front].reach + flying[back].reach
    gap = math.dist(found[front][:2], found[back][:2])
    track = flying[front]
    left = math.dist(found[front][:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, max(0.0, 2 * (need - gap) / need)) * min(1.0, 2 * left / need)


def _aside(mark: Mark, track: Track, level: float) -> Mark:
    """The mark moved to the right of its direction by that many times the height of a pill."""
    length = math.hypot(track.dx, track.dy)
    if not level or not length:
        return mark
    far = level * _ABREAST * mark.size / length
    return mark._replace(x=mark.x - track.dy * far, y=mark.y + track.dx * far)


def fanned(flying: list[Track], found: list[Mark]) -> list[Mark]:
    """The marks with those that a process has sent at once, still close to it, one below the other.

    From the one that flies most nearly straight across, those above it are moved up, those below it down.
    """
    together: dict[tuple[int, float], list[int]] = {}
    for i, track in enumerate(flying):
        if found[i].form == "pill":
            together.setdefault((track.link[0], track.sent), []).append(i)
    moved = list(found)
    for group in together.values():
        group.sort(key=lambda i: (flying[i].y, flying[i].y + flying[i].dy, found[i].id))
        first = min(range(len(group)), key=lambda place: _steepness(flying[group[place]]))
        _pile(group[first:], 1, flying, moved)
        _pile(group[first::-1], -1, flying, moved)
    return moved


def _steepness(track: Track) -> float:
    return abs(track.dy) / (math.hypot(track.dx, track.dy) or 1.0)


def _pile(group: list[int], down: int, flying: list[Track], moved: list[Mark]) -> None:
    """Move each of the marks so far down, or up, that it is clear of the one before; less at the end of its lane."""
    y = moved[group[0]].y if group else 0.0
    for before, i in pairwise(group):
        own = moved[i].y
        y = down * max(down * own, down * y + _height(moved[before], moved[i]))
        moved[i] = moved[i]._replace(y=own + (y - own) * _left(flying[i], moved[i]))


def _height(one: Mark, other: Mark) -> float:
    """From the middle of a pill to that of the next one below it, as far as they are above each other at all."""
    a, b = marks.extent(one), marks.extent(other)
    above = (a.w + b.w) / 2 - abs(one.x - other.x)
    return (a.h + b.h) / 2 * min(1.0, max(0.0, above / (_FULL * min(a.w, b.w))))


def _left(track: Track, mark: Mark) -> float:
    """1, and towards the end of a lane less and less: what is left of it, in lengths of the pill."""
    left = math.dist(mark[:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, left / (2 * track.reach))
