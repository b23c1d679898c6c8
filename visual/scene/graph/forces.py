"""A drawing of any graph: distances on paper like distances in hops, then nobody too near to anybody.

Stress by stochastic gradient descent (Zheng, Pawar, Goodman, TVCG 25(9), 2019) over pairs with a few pivots, in
a fixed order. Only + − × ÷ and square roots, which are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, sqrt

from algorithms.engine.topology import Edge, Neighbours, neighbours
from visual.drawing.shapes import Point

_PIVOTS = 24
_ROUNDS = 24  # of gradient descent
_RELAXING = 40  # rounds that push apart what is too near
_ROOM = 0.85  # the distance kept, in side lengths of the square that each node has for itself
_EVEN = 0.75  # how far a place follows from its rank rather than from its distances
_GOLDEN = 0.6180339887498949  # fractional parts of its multiples are spread evenly


@lru_cache(maxsize=8)
def spread(nodes: int, links: tuple[Edge, ...]) -> tuple[Point, ...]:
    """A place in the unit square for each node."""
    places = [[(i + 0.5) / nodes, (i * _GOLDEN) % 1.0] for i in range(nodes)]
    springs = list(_springs(neighbours(nodes, links)))
    longest = max((length for _, _, length in springs), default=1.0)
    for turn in range(_ROUNDS):
        _pull(places, springs, longest, eagerness=(1 - turn / _ROUNDS) ** 2)
    _even_out(places)
    for _ in range(_RELAXING):
        _push_apart(places, _ROOM / sqrt(nodes))
    _fit(places)
    return tuple((x, y) for x, y in places)


def _springs(beside: Neighbours) -> Iterator[tuple[int, int, float]]:
    """(a, b, hops) for all edges, and for every node with each of some pivots."""
    nodes = len(beside)
    for a, others in enumerate(beside):
        yield from ((a, b, 1.0) for b in others if a < b)
    for pivot in range(0, nodes, max(1, ceil(nodes / _PIVOTS))):
        hops = _hops(beside, pivot)
        far = max(hops) + 2.0  # for what cannot be reached at all
        yield from ((pivot, b, hop if hop >= 0 else far) for b, hop in enumerate(hops) if hop not in (0, 1))


def _hops(beside: Neighbours, start: int) -> list[float]:
    """From `start` to every node; −1 where there is no way."""
    hops = [-1.0] * len(beside)
    hops[start] = 0.0
    reached = [start]
    for node in reached:
        for other in beside[node]:
            if hops[other] < 0:
                hops[other] = hops[node] + 1
                reached.append(other)
    return hops


def _pull(places: list[list[float]], springs: list[tuple[int, int, float]], longest: float, eagerness: float) -> None:
    """Bring each pair nearer to its wished distance; short springs are stiff."""
    for a, b, length in springs:
        p, q = places[a], places[b]
        dx, dy = q[0] - p[0], q[1] - p[1]
        distance = sqrt(dx * dx + dy * dy) or 1e-9
        share = min(1.0, eagerness * 4 / (length * length) + 0.02) * (distance - length / longest) / distance / 2
        p[0] += dx * share
        p[1] += dy * share
        q[0] -= dx * share
        q[1] -= dy * share


def _push_apart(places: list[list[float]], room: float) -> None:
    """Move each two nodes that are nearer than `room` half of the missing way, inside the unit square."""
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    for i, a in enumerate(order):
        p = places[a]
        for b in order[i + 1 :]:
            q = places[b]
            dx, dy = q[0] - p[0], q[1] - p[1]
            if dx > room:
                break
            distance = sqrt(dx * dx + dy * dy)
            if distance < room:
                if not distance:
                    dx, dy, distance = 1e-6, 1e-6, 1.5e-6
                share = (room - distance) / distance / 4
                p[0] -= dx * share
                p[1] -= dy * share
                q[0] += dx * share
                q[1] += dy * share
    for place in places:
        place[0] = min(1.0, max(0.0, place[0]))
        place[1] = min(1.0, max(0.0, place[1]))


def _even_out(places: list[list[float]]) -> None:
    """Stretch the drawing over the whole unit square, crowded parts more than empty ones."""
    _fit(places)
    for axis in (0, 1):
        order = sorted(range(len(places)), key=lambda i: (places[i][axis], i))
        for rank, i in enumerate(order):
            places[i][axis] = (1 - _EVEN) * places[i][axis] + _EVEN * (rank + 0.5) / len(places)


def _fit(places: list[list[float]]) -> None:
    """Stretch the drawing over the whole unit square."""
    for axis in (0, 1):
        values = [place[axis] for place in places]
        low, high = min(values), max(values)
        for place in places:
            place[axis] = (place[axis] - low) / (high - low) if high > low else 0.5
