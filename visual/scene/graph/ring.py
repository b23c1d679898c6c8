"""The circle of identifiers of an overlay, with the nodes around it moved apart where they would overlap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import pi, sqrt
from typing import NamedTuple

from visual.drawing.shapes import Point, Rect
from visual.scene.graph.placing import along

_WIDEST = 1.3  # how many times as wide as high the circle becomes at most
_APART, _CLOSER = 2.9, 2.3  # from the middle of one node to that of the next, in radii; among many it is less …
_SPREAD = 0.72  # … when it would take more than this part of the circle
_FILLED = 0.3  # a node's radius, of the room that each has on the circle
_LARGEST = 0.062  # a node's radius, of the rectangle's smaller side …
_DENSE = 0.0105  # … and where there are too many to see each: of those that stand out
_ABOVE, ASIDE = 0.075, 0.35  # room outside the nodes for text beside them, of the smaller side
_NARROW, _WITH_NAMES = 0.2, 0.26  # the most that they take at either side, of the width; more where they have names
_TICK = 0.8  # from the circle to the nodes outside it, in radii
_SHORTEST_TICK = 0.012  # the same, of the smaller side

MOST_NODES_APART = 150
"""The most nodes that are all drawn; of more, ticks show the density, and only those that stand out are drawn."""


class Ring(NamedTuple):
    """An oval. Places on it are fractions of its length, clockwise from 12 o'clock."""

    middle: Point
    a: float  # half its width
    b: float  # half its height

    @property
    def length(self) -> float:
        """The length of the oval."""
        return pi * (3 * (self.a + self.b) - sqrt((3 * self.a + self.b) * (self.a + 3 * self.b)))  # Ramanujan

    def at(self, parts: Sequence[float]) -> list[Point]:
        """The points at those places."""
        return along(self.middle, self.a, self.b, parts)

    def grown(self, by: float) -> Ring:
        """The oval `by` pixels outside this one, or inside if negative."""
        return Ring(self.middle, self.a + by, self.b + by)


class IdentifierCircle(NamedTuple):
    """The circle of identifiers with the nodes around it."""

    ring: Ring
    outer: Ring  # the nodes' middles are on it
    radius: float  # of a node
    places: list[Point]


def identifier_circle(parts: Sequence[float], rect: Rect) -> IdentifierCircle:
    """The circle in a rectangle, with the nodes as near to their places `parts` as there is room.

    More than `MOST_NODES_APART` nodes overlap where their identifiers are close.
    """
    side, nodes = min(rect.w, rect.h), len(parts)
    dense = nodes > MOST_NODES_APART
    radius = (_DENSE if dense else _LARGEST) * side
    for _ in range(3):  # a smaller node leaves more room for the circle
        outer = _outermost(rect, side, radius, _WITH_NAMES if dense else _NARROW)
        radius = radius if dense else min(_LARGEST * side, _FILLED * outer.length / nodes)
    room = outer.length / radius / nodes
    least = max(_CLOSER, min(_APART, _SPREAD * room)) / room / nodes
    seats = list(parts) if dense else spread(parts, least)
    tick = max(_TICK * radius, _SHORTEST_TICK * side)
    return IdentifierCircle(outer.grown(-radius - tick), outer, radius, outer.at(seats))


def _outermost(rect: Rect, side: float, radius: float, aside: float) -> Ring:
    """The oval of the nodes' middles; at most the share `aside` of the width is left free at either side."""
    a = rect.w / 2 - radius - min(ASIDE * side, aside * rect.w)
    b = rect.h / 2 - radius - _ABOVE * side
    middle = (rect.x + rect.w / 2, rect.y + rect.h / 2)
    return Ring(middle, min(a, _WIDEST * b), min(b, _WIDEST * a))


def spread(parts: Sequence[float], least: float) -> list[float]:
    """Places on a circle of length 1, moved as little as possible until neighbours are `least` apart.

    "As little" means the smallest sum of squares. There must be room for all: least · n < 1.
    """
    order = sorted(range(len(parts)), key=lambda i: (parts[i], i))
    count = len(order)
    unrolled = [parts[i] + turn for turn in (-1, 0, 1) for i in order]  # the middle turn joins at both ends
    moved = pushed_apart(unrolled, [least] * (3 * count - 1))[count : 2 * count]
    seats = [0.0] * count
    for i, place in zip(order, moved, strict=True):
        seats[i] = place
    return seats


def pushed_apart(places: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Ascending places, moved until the i-th is at least gaps[i] before the next, with the smallest sum of squares.

    Places that touch move as one block, whose mean stays where it was (pool adjacent violators).
    """
    offsets = [0.0, *accumulate(gaps)][: len(places)]
    blocks: list[tuple[float, int]] = []  # sum of its members' places, less their offsets; how many they are
    for place, offset in zip(places, offsets, strict=True):
        total, size = place - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, more = blocks.pop()
            total, size = total + before, size + more
        blocks.append((total, size))
    levels = [total / size for total, size in blocks for _ in range(size)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
