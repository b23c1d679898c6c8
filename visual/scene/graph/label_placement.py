"""Labels of messages placed where they can be read: off obstacles, off each other, within the picture.

A message's mark starts on its lane. The *obstacles* are nodes and what is written at them. While messages move, nothing
may jump, so that each step is a continuous function of the places: a pill takes *detours* around the obstacles beside
its lane, and pills that would cover each other *spread*. In a still picture each pill moves to the nearest *free room*,
and its arrow points at its receiver; which room is nearest may change with little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from algorithms.engine.topology import Edge
from visual.drawing import marks
from visual.drawing.picking import bounds, is_near
from visual.drawing.shapes import Box, Group, Mark, Point, Polygon, Rect, Shape, Text
from visual.scene.graph.layout import Layout
from visual.scene.graph.messages import Track
from visual.scene.options import Measures


def give_way(
    tracks: list[Track],
    labels: list[Mark],
    lanes: list[LaneDetours],
    layout: Layout,
    sizes: Measures,
    *,
    is_still: bool,
) -> list[Mark]:
    """The marks moved so that their labels can be read, without a jump from frame to frame.

    A crowd stays as it is: its messages soon part.
    """
    if sizes.crowd:
        return labels
    if sizes.pills:
        labels = _abreast(tracks, labels)
    labels = [_around_obstacle(mark, lane) if lane.detours else mark for mark, lane in zip(labels, lanes, strict=True)]
    if not sizes.pills:  # tokens in front of nodes that are small
        labels = _off_their_ends(tracks, labels, layout)
    if layout.circle or (is_still and sizes.pills and sizes.types):  # where labels are long, and many go the same way
        labels = _fanned(tracks, labels)
    return [_mark_within(mark, layout.rect) if mark.form == "pill" else mark for mark in labels]


# ---- obstacles ---------------------------------------------------------------------------------------------


class Obstacle(NamedTuple):
    """An area that labels avoid: all within `radius` of a level line that reaches `half` to both sides."""

    x: float
    y: float
    half: float
    radius: float

    def reach(self, ux: float, uy: float) -> float:
        """The distance from its middle to its outline in a direction."""
        return self.half * abs(ux) + self.radius


def rounded(box: Rect) -> Obstacle:
    """The obstacle that a box wider than high makes, its ends taken as round."""
    radius = box.h / 2
    return Obstacle(box.x + box.w / 2, box.y + radius, max(box.w / 2 - radius, 0.0), radius)


class Occupied(NamedTuple):
    """Boxes where pills cannot be read, or would hide other text."""

    in_front: tuple[Rect, ...]  # of pills: boxes beside nodes
    behind: tuple[Rect, ...]  # pills: names


def boxes_of(shapes: Iterable[Shape]) -> Iterator[Rect]:
    """The rectangles of the boxes, signs and words beside nodes."""
    for shape in shapes:
        if isinstance(shape, Group):
            for box in boxes_of(shape.shapes):
                yield box._replace(x=box.x + shape.x, y=box.y + shape.y)
        elif isinstance(shape, Box | Polygon) or (isinstance(shape, Text) and shape.x):  # others are in the node
            yield bounds(shape)


def hide_covered_label(dot: Mark, layout: Layout) -> Mark:
    """The dot without its label if a node, in front of it, covers a part of that."""
    if not dot.label:
        return dot
    return dot._replace(label="") if is_near(bounds(dot), layout.places, layout.radius) else dot


# ---- detours -----------------------------------------------------------------------------------------------

_SOON = 1.5  # ems: the depth in an obstacle at which a pill has moved fully aside
_NEAR = 4.0  # ems: how far from its lane other pills may have moved a pill


class Detour(NamedTuple):
    """An obstacle beside a lane, grown by half a pill, and how a pill passes it."""

    x: float
    y: float
    half: float
    radius: float
    long: float  # half its length along the lane
    wide: float  # half its width across the lane
    side: float  # the side on which the lane passes it: 1 for the right, -1 for the left


class LaneDetours(NamedTuple):
    """The direction of a lane, and the detours from it."""

    ux: float
    uy: float
    detours: tuple[Detour, ...]


_STRAIGHT = LaneDetours(1.0, 0.0, ())


class Obstacles:
    """The obstacles of a layout, nodes and the boxes at them, with the detours already computed per lane."""

    def __init__(self, layout: Layout, boxes: tuple[tuple[int, Rect], ...]) -> None:
        written: dict[int, list[Obstacle]] = {}
        for node, box in boxes:
            written.setdefault(node, []).append(rounded(box))
        self._bodies = [
            (node, Obstacle(x, y, 0.0, layout.radius), written.get(node, []))
            for node, (x, y) in enumerate(layout.places)
        ]
        self._cached: dict[tuple[float, ...], LaneDetours] = {}

    def detours(self, track: Track, mark: Mark) -> LaneDetours:
        """The detours of a pill on its lane; dots take none and pass in front of nodes, or beneath."""
        if mark.form != "pill" or not (track.dx or track.dy):
            return _STRAIGHT
        pill = rounded(marks.extent(mark))
        key = (*track[:4], pill.half, pill.radius)
        lane = self._cached.get(key)
        if lane is None:
            lane = self._cached[key] = self._detours(track, pill, _NEAR * mark.size)
        return lane

    def _detours(self, track: Track, pill: Obstacle, air: float) -> LaneDetours:
        """The detours around all obstacles within `air` of the lane.

        A box is passed on the side of its node. The nodes at its own ends the lane avoids by itself.
        """
        length = math.hypot(track.dx, track.dy)
        ux, uy = track.dx / length, track.dy / length
        detours = []
        for node, circle, boxes in self._bodies:
            side = math.copysign(1.0, _across(track.x, track.y, circle, ux, uy))
            for other in boxes if node in track.link else [circle, *boxes]:
                long, wide = other.reach(ux, uy) + pill.reach(ux, uy), other.reach(uy, ux) + pill.reach(uy, ux)
                if abs(_across(track.x, track.y, other, ux, uy)) < wide + air:
                    half, radius = other.half + pill.half, other.radius + pill.radius
                    detours.append(Detour(other.x, other.y, half, radius, long, wide, side))
        return LaneDetours(ux, uy, tuple(detours))


def _across(x: float, y: float, other: Obstacle | Detour, ux: float, uy: float) -> float:
    """The distance of a place to the right of an obstacle, seen in a direction."""
    return (y - other.y) * ux - (x - other.x) * uy


def _around_obstacle(mark: Mark, lane: LaneDetours) -> Mark:
    x, y, (ux, uy, detours) = mark.x, mark.y, lane
    for detour in detours:
        depth = detour.radius - math.hypot(max(abs(x - detour.x) - detour.half, 0.0), y - detour.y)
        if depth > 0.0:
            along = min(abs((x - detour.x) * ux + (y - detour.y) * uy) / detour.long, 1.0)
            lacking = detour.wide * (1.0 - along**3) ** (1 / 3) - _across(x, y, detour, ux, uy) * detour.side
            aside = max(lacking, 0.0) * min(1.0, depth / (_SOON * mark.size)) * detour.side
            x, y = x - uy * aside, y + ux * aside
    return mark._replace(x=x, y=y)


# ---- spreading ---------------------------------------------------------------------------------------------

_ABREAST = 2.2  # from one pill to another beside it, in ems of the label
_FULL = 0.3  # of its width: the part of a pill above another from which on they are as far apart as they get


def _abreast(tracks: list[Track], labels: list[Mark]) -> list[Mark]:
    """The marks, a later one on a lane moved aside where it would cover an earlier one.

    How far is a continuous function of the places, so that nothing jumps.
    """
    lanes: dict[tuple[int, int], list[int]] = {}
    for i, track in enumerate(tracks):
        lanes.setdefault(track.link, []).append(i)
    moved = list(labels)
    for together in lanes.values():
        levels: dict[int, float] = {}
        for i in sorted(together, key=lambda i: (tracks[i].sent, labels[i].id)):
            levels[i] = max((_pushed(tracks, labels, j, i) * (1 + levels[j]) for j in levels), default=0.0)
            moved[i] = _aside(labels[i], tracks[i], levels[i])
    return moved


def _pushed(tracks: list[Track], labels: list[Mark], front: int, back: int) -> float:
    """From 0 to 1: how much the later of two messages on a lane gives way to the earlier; less at the lane's end."""
    need = tracks[front].reach + tracks[back].reach
    gap = math.dist(labels[front][:2], labels[back][:2])
    track = tracks[front]
    left = math.dist(labels[front][:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, max(0.0, 2 * (need - gap) / need)) * min(1.0, 2 * left / need)


def _aside(mark: Mark, track: Track, level: float) -> Mark:
    """The mark moved to the right of its direction by that many times the height of a pill."""
    length = math.hypot(track.dx, track.dy)
    if not level or not length:
        return mark
    far = level * _ABREAST * mark.size / length
    return mark._replace(x=mark.x - track.dy * far, y=mark.y + track.dx * far)


def _off_their_ends(tracks: list[Track], labels: list[Mark], layout: Layout) -> list[Mark]:
    """The marks, each pill that now lies on its own sender or receiver moved off it the shortest way."""
    moved = list(labels)
    for i, track in enumerate(tracks):
        if labels[i].form == "pill":
            pill = rounded(marks.extent(labels[i]))
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


def _fanned(tracks: list[Track], labels: list[Mark]) -> list[Mark]:
    """The marks, the pills that a process has sent at the same time one below the other while close to it.

    The one most nearly level stays; those above it move up, those below it down.
    """
    together: dict[tuple[int, float], list[int]] = {}
    for i, track in enumerate(tracks):
        if labels[i].form == "pill":
            together.setdefault((track.link[0], track.sent), []).append(i)
    moved = list(labels)
    steepness = [abs(track.dy) / (math.hypot(track.dx, track.dy) or 1.0) for track in tracks]
    for group in together.values():
        group.sort(key=lambda i: (tracks[i].y, tracks[i].y + tracks[i].dy, labels[i].id))
        first = min(range(len(group)), key=lambda place: steepness[group[place]])
        _pile(group[first:], 1, tracks, moved)
        _pile(group[first::-1], -1, tracks, moved)
    return moved


def _pile(group: list[int], down: int, tracks: list[Track], moved: list[Mark]) -> None:
    """Move each mark down, or up, until it is clear of the one before; less at the end of its lane."""
    y = moved[group[0]].y if group else 0.0
    for before, i in pairwise(group):
        own = moved[i].y
        y = down * max(down * own, down * y + _height(moved[before], moved[i]))
        moved[i] = moved[i]._replace(y=own + (y - own) * _left(tracks[i], moved[i]))


def _height(one: Mark, other: Mark) -> float:
    """The distance of the middles of two pills one below the other; less where they hardly overlap in width."""
    a, b = marks.extent(one), marks.extent(other)
    above = (a.w + b.w) / 2 - abs(one.x - other.x)
    return (a.h + b.h) / 2 * min(1.0, max(0.0, above / (_FULL * min(a.w, b.w))))


def _left(track: Track, mark: Mark) -> float:
    """The remaining part of a lane in lengths of the pill, at most 1."""
    left = math.dist(mark[:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, left / (2 * track.reach))


def _mark_within(mark: Mark, rect: Rect) -> Mark:
    x, y, w, h = marks.extent(mark)
    across = min(max(mark.x, rect.x - x), rect.x + rect.w - x - w)
    down = min(max(mark.y, rect.y - y), rect.y + rect.h - y - h)
    return mark if (across, down) == mark[:2] else mark._replace(x=across, y=down)


# ---- free room ---------------------------------------------------------------------------------------------

_SQUARE = 0.25  # the side of a square of the grid, in ems of the label
_AROUND = 16  # squares outside the picture, where arrows may reach
_DISTANCES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0, 10.0, 12.0)
_ANGLES = tuple(math.tau * k / 16 for k in range(16))
_PLACES = tuple((far, math.cos(angle) * far, math.sin(angle) * far) for far in _DISTANCES for angle in _ANGLES)
"""Other places that are tried: how far from a pill's own place, across and down, in ems."""

_WORSE = 2  # the penalty for a covered square of a pill; that for a covered square of a name is 1
_SLIGHT = 2 * _WORSE  # the penalty that is accepted: a covered edge of the pill, but nothing of its arrow's head
_ON_ANOTHER = 100  # the penalty for a pill on another one
_HIDDEN = 16  # covered squares of a pill: with more, its label is left out
_FAR = 2  # the penalty for an em that a pill is moved
_HEAD = 0.3  # half the width of an arrow's head, in ems


@lru_cache(maxsize=4)  # the same still picture is drawn in many frames
def move_to_free_room(
    labels: tuple[Mark, ...], links: tuple[Edge, ...], layout: Layout, occupied: Occupied
) -> list[Mark]:
    """The marks, each pill off the nodes, the `occupied` boxes and the pills before it, as near as there is room.

    A pill that can be read where it is stays; none gets behind its sender. Where there is no room near by, a little
    is covered, and a pill of which more would be hidden, or that would cover another one, goes without its label.
    """
    pills, moved = [i for i, mark in enumerate(labels) if mark.form == "pill"], list(labels)
    if not pills:
        return moved
    square = _SQUARE * labels[pills[0]].size
    front, behind = _Grid(layout.rect, square), _Grid(layout.rect, square)
    for x, y in layout.places:
        front.occupy(Obstacle(x, y, 0.0, layout.radius))
    for grid, boxes in ((front, occupied.in_front), (behind, occupied.behind)):
        for box in boxes:
            grid.occupy(rounded(box))
    placed: list[Obstacle] = []
    for i in pills:
        for label in (labels[i].label, ""):
            pill = _Pill(labels[i]._replace(label=label), links[i], layout)
            moved[i] = pill.in_free_room(front, behind, placed)
            hidden = front.covered(front.footprint(pill.body), *moved[i][:2])
            if hidden <= _HIDDEN and not pill.is_on_any(placed, *moved[i][:2]):
                break
        placed.append(pill.body._replace(x=moved[i].x, y=moved[i].y))
        front.occupy(placed[-1])
        front.occupy(_head(moved[i]))
    return moved


class _Footprint(NamedTuple):
    """The squares that an obstacle covers, wherever it is."""

    whole: int  # all rows in one number, as many bits apart as a row of the grid has
    wide: int  # in squares
    high: int
    left: float  # from its middle to its first square
    up: float  # the same, upwards


class _Grid:
    """The picture divided into squares, one bit each, row after row in one number: dozens are tested at once."""

    def __init__(self, rect: Rect, side: float) -> None:
        self.side = side
        self._left, self._top = rect.x - _AROUND * side, rect.y - _AROUND * side
        self._across, self._down = (math.ceil(long / side) + 2 * _AROUND for long in (rect.w, rect.h))
        self._occupied = 0

    def footprint(self, obstacle: Obstacle) -> _Footprint:
        """The squares whose middles are in an obstacle."""
        return _footprint(obstacle.half, obstacle.radius, self.side, self._across)

    def occupy(self, obstacle: Obstacle) -> None:
        """Mark the squares in an obstacle as occupied, unless it reaches out of the grid."""
        footprint = self.footprint(obstacle)
        first = self._first(footprint, obstacle.x, obstacle.y)
        if first >= 0:
            self._occupied |= footprint.whole << first

    def covered(self, footprint: _Footprint, x: float, y: float) -> int:
        """The number of occupied squares of a footprint there; 0 if it is not wholly in the grid."""
        first = self._first(footprint, x, y) if self._occupied else -1
        return (self._occupied >> first & footprint.whole).bit_count() if first >= 0 else 0

    def _first(self, footprint: _Footprint, x: float, y: float) -> int:
        """The number of the first square of a footprint; -1 if that is not wholly in the grid."""
        row = int((y - footprint.up - self._top) // self.side)
        column = int((x - footprint.left - self._left) // self.side)
        is_inside = 0 <= column <= self._across - footprint.wide and 0 <= row <= self._down - footprint.high
        return row * self._across + column if is_inside else -1


@lru_cache(maxsize=256)
def _footprint(half: float, radius: float, side: float, across: int) -> _Footprint:
    reach, high = math.ceil(radius / side), radius / side
    rows = []
    for k in range(-reach, reach + 1):
        wide = math.sqrt(max(high**2 - k**2, 0.0))
        left, right = round(reach - wide), round(reach + 2 * half / side + wide)
        rows.append((1 << right) - (1 << left) if abs(k) < high else 0)
    whole = sum(bits << row * across for row, bits in enumerate(rows))
    return _Footprint(whole, max(rows).bit_length(), len(rows), half + reach * side, reach * side)


class _Pill:
    """A pill in search of a place, between the two ends of its link."""

    def __init__(self, mark: Mark, link: Edge, layout: Layout) -> None:
        self.body = rounded(marks.extent(mark))
        self._mark, self._layout = mark, layout
        self._start, self._goal = (layout.places[node] for node in link)

    def in_free_room(self, front: _Grid, behind: _Grid, placed: list[Obstacle]) -> Mark:
        """The mark at the place with the least penalty: near, covered as little as possible, on no pill placed before.

        A grid of squares would let pills reach into each other a little.
        """
        best, least = self._mark, math.inf
        body, head = front.footprint(self.body), front.footprint(_head(self._mark))
        for far, x, y in self._places():
            penalty: float = _FAR * far
            if least <= max(_SLIGHT, penalty):
                break
            penalty += _WORSE * front.covered(body, x, y) + behind.covered(body, x, y)
            if penalty >= least or (far and self._is_behind(x, y)):
                continue
            penalty += _ON_ANOTHER if self.is_on_any(placed, x, y) else 0
            if penalty < least:
                mark = self._aimed(x, y)
                tip = _head(mark)[:2]
                penalty += _WORSE * _SLIGHT * front.covered(head, *tip) + behind.covered(head, *tip)
                if penalty < least:
                    best, least = mark, penalty
        return best

    def _places(self) -> Iterator[tuple[float, float, float]]:
        """Places within the picture, with their distance in ems: the pill's own, then farther and farther ones."""
        x, y, size = self._mark.x, self._mark.y, self._mark.size
        yield 0.0, x, y
        left, top, w, h = marks.extent(self._mark)
        rect = self._layout.rect
        left, top, right, bottom = rect.x - left, rect.y - top, rect.x + rect.w - left - w, rect.y + rect.h - top - h
        for far, across, down in _PLACES:
            there = x + across * size, y + down * size
            if left <= there[0] <= right and top <= there[1] <= bottom:
                yield far, *there

    def is_on_any(self, placed: list[Obstacle], x: float, y: float) -> bool:
        """Whether its body there would reach into another pill."""
        half, radius = self.body.half, self.body.radius
        return any(
            max(abs(x - pill.x) - half - pill.half, 0.0) ** 2 + (y - pill.y) ** 2 < (radius + pill.radius) ** 2
            for pill in placed
        )

    def _is_behind(self, x: float, y: float) -> bool:
        """Whether an arrow from there to the receiver would cross the sender."""
        dx, dy = self._goal[0] - x, self._goal[1] - y
        ahead, down = self._start[0] - x, self._start[1] - y
        return ahead * dx + down * dy > 0 and abs(ahead * dy - down * dx) < self._layout.radius * math.hypot(dx, dy)

    def _aimed(self, x: float, y: float) -> Mark:
        """The mark at a place; its arrow stays parallel to its lane if that points at the receiver."""
        mark, dx, dy = self._mark, self._goal[0] - x, self._goal[1] - y
        angle = math.radians(mark.toward or 0.0)
        if (x, y) == mark[:2] and abs(dx * math.sin(angle) - dy * math.cos(angle)) < self._layout.radius:
            return mark
        return mark._replace(x=x, y=y, toward=math.degrees(math.atan2(dy, dx)))


def _head(mark: Mark) -> Obstacle:
    """The area of the head of its arrow."""
    x, y = marks.arrow_end(mark)
    return Obstacle(mark.x + x, mark.y + y, 0.0, _HEAD * mark.size)
