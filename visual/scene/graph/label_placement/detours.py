"""Pills in flight moved off the nodes and their badges, behind which they pass, so that their labels can be read.

They give way across their lanes: how far along they are is what time says. How far aside follows from their places, so
that none jumps.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from visual.drawing import marks
from visual.drawing.shapes import Mark, Point, Rect
from visual.scene.graph.layout import Layout
from visual.scene.graph.messages import Track

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
