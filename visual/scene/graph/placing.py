"""Placement of the nodes of a graph: one function per kind of drawing, (graph, area) -> places.

Areas are rectangles for the nodes' middles. Node 0 is at 12 o'clock and the others follow clockwise, except
where the graph itself says more: a star has its hub in the middle, a tree its root on top. The nodes of an overlay
stand around its circle of identifiers, moved apart where they would overlap.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, islice, pairwise
from math import ceil, isqrt, pi, sqrt
from typing import NamedTuple

from algorithms.engine.topology import Edge, Neighbours, neighbours
from visual.drawing.shapes import Point, Rect

_WIDEST = 1.75  # how many times as wide as high a ring becomes at most …
_FLAT, _AROUND_A_HUB = 3.0, 4  # widths of an area, in its heights: where it is flat; nodes around a hub there
_FLATTENED, _FEW = 0.8, 8  # … unless it has few nodes: in flat areas they take this share of the width

_ONE_RING = 30  # nodes; up to this number a complete graph stands on one ring
ONE_FILE = 120  # nodes; up to this number a ring is a single file, beyond it a zigzag
_STEP_INSIDE = 1.9  # the width of the zigzag, in distances from one node to the next
_LAYERED = 31  # nodes; up to this number a tree has its root on top, beyond it in the middle
_OUTSIDE = 0.15  # room outside the outermost leaves of a tree, in distances of two leaves
_CHORDS = 1440  # of the polygon that stands for an ellipse


class Graph(NamedTuple):
    """A graph to be placed: nodes 0 … n − 1, undirected edges, and the nodes' places on a circle, if any."""

    nodes: int
    links: tuple[Edge, ...]
    parts: tuple[float, ...] = ()  # of the circle, clockwise from 12 o'clock


Placer = Callable[[Graph, Rect], list[Point]]


def circle(graph: Graph, area: Rect) -> list[Point]:
    """One ring, at equal distances along it; two nodes side by side; for very many a zigzag of larger nodes."""
    middle, a, b = _ellipse(area)
    a = ring_width(area, graph.nodes) / 2
    if graph.nodes == 2 and a > b:
        return [(middle[0] - a, middle[1]), (middle[0] + a, middle[1])]
    places = _ring(graph.nodes, middle, a, b)
    if graph.nodes > ONE_FILE:
        step = _STEP_INSIDE * math.dist(*places[:2])
        places[1::2] = _ring(graph.nodes, middle, a - step, b - step)[1::2]
    return places


def ring_width(area: Rect, nodes: int) -> float:
    """The width of one ring of nodes in an area."""
    return min(area.w, max(_WIDEST * area.h, _FLATTENED * area.w if nodes <= _FEW else 0.0))


def circles(graph: Graph, area: Rect) -> list[Point]:
    """One ring, or for many nodes rings within rings, the outermost first."""
    if graph.nodes <= _ONE_RING:
        return circle(graph, area)
    return _rings(graph.nodes, *_ellipse(area))


def star(graph: Graph, area: Rect) -> list[Point]:
    """The hub, the node with most neighbours, in the middle of the others."""
    if graph.nodes < 3:
        return circle(graph, area)
    degrees = [len(others) for others in neighbours(graph.nodes, graph.links)]
    hub = degrees.index(max(degrees))
    middle, a, b = _ellipse(area)
    around = graph.nodes - 1
    if area.w > _FLAT * area.h and around <= _AROUND_A_HUB:  # none right above or below the hub, where it would be near
        shift = 0.25 if around % 2 else 0.5
        places = along(middle, ring_width(area, around) / 2, b, [(k + shift) / around for k in range(around)])
    else:
        places = _ring(around, middle, a, b) if around <= _ONE_RING else _rings(around, middle, a, b, hole=0.25)
    return [*places[:hub], middle, *places[hub:]]


def tree(graph: Graph, area: Rect) -> list[Point]:
    """The root on top of its children, or amid many nodes; of other graphs a spanning tree is placed."""
    slots, depths = _tree_slots(graph)
    leaves, deepest = max(slots) + 1, max(1, *depths) if len(depths) > 1 else 1
    if graph.nodes <= _LAYERED:
        return [
            (area.x + area.w * (slot + _OUTSIDE) / (leaves - 1 + 2 * _OUTSIDE), area.y + area.h * depth / deepest)
            for slot, depth in zip(slots, depths, strict=True)
        ]
    middle, a, b = _ellipse(area)
    rim = along(middle, a, b, [(slot + 0.5) / leaves for slot in slots])
    return [
        (middle[0] + (x - middle[0]) * depth / deepest, middle[1] + (y - middle[1]) * depth / deepest)
        for (x, y), depth in zip(rim, depths, strict=True)
    ]


def grid(graph: Graph, area: Rect) -> list[Point]:
    """Rows of about √n nodes, as `topology.grid` joins them."""
    columns = max(1, isqrt(graph.nodes))
    rows = math.ceil(graph.nodes / columns)
    across, down = area.w / max(1, columns - 1), area.h / max(1, rows - 1)
    across = min(across, 2 * down)
    left = area.x + (area.w - across * (columns - 1)) / 2
    return [(left + across * (i % columns), area.y + down * (i // columns)) for i in range(graph.nodes)]


def free(graph: Graph, area: Rect) -> list[Point]:
    """Neighbours near each other and no two nodes on top of each other, by springs."""
    return [(area.x + area.w * x, area.y + area.h * y) for x, y in spread(graph.nodes, graph.links)]


NETWORKX_LAYOUTS = ("spring", "spiral", "planar")
"""The layouts of networkx that are offered: `spring_layout` and so on, all deterministic."""


def _by_networkx(name: str) -> Placer:
    def place(graph: Graph, area: Rect) -> list[Point]:
        return [(area.x + area.w * x, area.y + area.h * y) for x, y in spread_by(name, graph.nodes, graph.links)]

    return place


PLACERS: dict[str, Placer] = {
    "complete": circles,
    "ring": circle,
    "star": star,
    "tree": tree,
    "grid": grid,
    "free": free,
    **{name: _by_networkx(name) for name in NETWORKX_LAYOUTS},
}
"""Name of a topology, or of a way of drawing -> that way; any other graph is drawn `free`."""


def nearest(places: Iterable[Point]) -> float:
    """The smallest distance between two of the places; infinite for fewer than two."""
    ordered = sorted(places)
    least = math.inf
    for i, (x, y) in enumerate(ordered, 1):
        for right, low in islice(ordered, i, None):
            if right - x >= least:
                break
            if -least < low - y < least:
                least = min(least, math.dist((x, y), (right, low)))
    return least


def _ellipse(area: Rect) -> tuple[Point, float, float]:
    """Middle and half axes of the largest ring in the area that is not too flat."""
    a, b = area.w / 2, area.h / 2
    return (area.x + a, area.y + b), min(a, _WIDEST * b), min(b, _WIDEST * a)


def _ring(count: int, middle: Point, a: float, b: float) -> list[Point]:
    """`count` points at equal distances along an ellipse, clockwise from 12 o'clock."""
    return along(middle, a, b, [k / count for k in range(count)])


def along(middle: Point, a: float, b: float, parts: Iterable[float]) -> list[Point]:
    """The points at fractions `parts` of an ellipse's length, clockwise from 12 o'clock."""
    (x, y), unit = middle, math.hypot(a, b) or 1.0
    corners, ways = _chords(round(a / unit, 12), round(b / unit, 12))
    places = []
    for part in parts:
        way = part % 1.0 * ways[-1]
        k = max(1, bisect_left(ways, way))
        share = (way - ways[k - 1]) / (ways[k] - ways[k - 1])
        (x1, y1), (x2, y2) = corners[k - 1], corners[k]
        places.append((x + unit * (x1 + (x2 - x1) * share), y + unit * (y1 + (y2 - y1) * share)))
    return places


@lru_cache(maxsize=16)  # rings of many sizes have the same shape
def _chords(a: float, b: float) -> tuple[list[Point], list[float]]:
    """The corners of the polygon that stands for an ellipse around (0, 0), and the way from the top to each."""
    corners = [(a * sine, -b * cosine) for sine, cosine in _turns()]
    return corners, [0.0, *accumulate(math.dist(p, q) for p, q in pairwise(corners))]


@cache
def _turns() -> list[Point]:
    """Sine and cosine of the angles of all chords."""
    angles = (2 * math.pi * k / _CHORDS for k in range(_CHORDS + 1))
    return [(math.sin(angle), math.cos(angle)) for angle in angles]


def _rings(count: int, middle: Point, a: float, b: float, hole: float = 0.0) -> list[Point]:
    """Concentric rings as far apart as the nodes on them; none smaller than `hole` of the outermost ring."""
    low, high = 0.0, float(b)
    for _ in range(40):  # the largest distance at which all find room
        distance = (low + high) / 2
        if sum(_ring_sizes(distance, a, b, hole)) >= count:
            low = distance
        else:
            high = distance
    sizes = _ring_sizes(low, a, b, hole)
    places: list[Point] = []
    ends = [round(count * end / sum(sizes)) for end in accumulate(sizes)]  # in proportion to their capacities
    (x, y), outermost = middle, [_ring(end - start, middle, a, b) for start, end in pairwise([0, *ends])]
    for level, ring in enumerate(outermost):
        shrunk = 1 - level * low / b
        places += [(x + (across - x) * shrunk, y + (down - y) * shrunk) for across, down in ring]
    return places


def _ring_sizes(distance: float, a: float, b: float, hole: float) -> list[int]:
    """The number of nodes at a distance that fit on each ring, from the outermost inwards."""
    if distance <= 0:
        return [10**9]
    around = math.pi * (3 * (a + b) - math.sqrt((3 * a + b) * (a + 3 * b)))  # Ramanujan's approximation
    sizes, level = [], 0
    while (shrunk := 1 - level * distance / b) > max(hole, 0.0):
        sizes.append(max(1, int(around * shrunk / distance)))
        level += 1
    return sizes


def _tree_slots(graph: Graph) -> tuple[list[float], list[int]]:
    """The place of each node among the leaves, from 0, and its depth; the root is node 0."""
    children, depths = _descend(graph)
    slots = [0.0] * graph.nodes
    free_slot = 0.0

    def settle(node: int) -> None:
        nonlocal free_slot
        below = children[node]
        for child in below:
            settle(child)
        if below:
            slots[node] = (slots[below[0]] + slots[below[-1]]) / 2
        else:
            slots[node], free_slot = free_slot, free_slot + 1

    settle(0)
    return slots, depths


def _descend(graph: Graph) -> tuple[list[list[int]], list[int]]:
    """Children and depth of every node in a breadth-first tree from node 0; unreachable nodes hang on it."""
    beside = neighbours(graph.nodes, graph.links)
    children: list[list[int]] = [[] for _ in range(graph.nodes)]
    depths = [-1] * graph.nodes
    depths[0] = 0
    reached = [0]
    for node in reached:
        for other in beside[node]:
            if depths[other] < 0:
                depths[other] = depths[node] + 1
                children[node].append(other)
                reached.append(other)
    for node, depth in enumerate(depths):
        if depth < 0:
            depths[node] = 1
            children[0].append(node)
    return children, depths


_PIVOTS = 24
_ROUNDS = 24  # of gradient descent
_RELAXING = 40  # rounds that push nodes apart that are too near
_ROOM = 0.85  # the least distance, in side lengths of the square that each node has for itself
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
    """(a, b, hops) for all edges, and for every node with each of a few pivots."""
    nodes = len(beside)
    for a, others in enumerate(beside):
        yield from ((a, b, 1.0) for b in others if a < b)
    for pivot in range(0, nodes, max(1, ceil(nodes / _PIVOTS))):
        hops = _hops(beside, pivot)
        far = max(hops) + 2.0  # for unreachable nodes
        yield from ((pivot, b, hop if hop >= 0 else far) for b, hop in enumerate(hops) if hop not in (0, 1))


def _hops(beside: Neighbours, start: int) -> list[float]:
    """The distance from `start` to every node; −1 if unreachable."""
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
    """Bring each pair nearer to the length of its spring; short springs are stiff."""
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
    """Move any two nodes nearer than `room` apart by half the missing distance, inside the unit square."""
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


@lru_cache(maxsize=8)
def spread_by(name: str, nodes: int, links: tuple[Edge, ...]) -> tuple[Point, ...]:
    """A place in the unit square for each node."""
    import networkx  # slow to import

    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(links)
    draw: Callable[..., dict[int, Point]] = getattr(networkx, f"{name}_layout")
    try:
        positions = draw(graph, **({"seed": 0} if name == "spring" else {}))
    except networkx.NetworkXException:  # not every graph can be drawn without crossings
        positions = networkx.circular_layout(graph)
    places = [positions[node] for node in range(nodes)]
    xs, ys = [_fitted_axis([place[axis] for place in places]) for axis in (0, 1)]
    return tuple(zip(xs, ys, strict=True))


def _fitted_axis(values: list[float]) -> list[float]:
    """The values stretched from 0 to 1; all 0.5 if they are equal."""
    low, high = min(values), max(values)
    return [(float(v) - low) / (high - low) if high > low else 0.5 for v in values]


# ---- the circle of identifiers of an overlay ---------------------------------------------------------------


_ROUND = 1.3  # how many times as wide as high the circle becomes at most
_APART, _CLOSER = 3.6, 2.3  # from the middle of one node to that of the next, in radii; among many it is less …
_SPREAD = 0.72  # … when it would take more than this part of the circle
_FILLED = 0.3  # a node's radius, of the room that each has on the circle
_LARGEST = 0.062  # a node's radius, of the rectangle's smaller side …
_DENSE = 0.0105  # … and where there are too many to see each: of those that stand out
_ABOVE, ASIDE = 0.075, 0.35  # room outside the nodes for text beside them, of the smaller side
_NARROW, _WITH_NAMES = 0.2, 0.26  # the most that they take at either side, of the width; more where they have names
_LARGE_ASIDE, _LARGE_NAMES = 0.44, 0.29  # … for large text beside nodes that have their names there
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


def identifier_circle(parts: Sequence[float], rect: Rect, *, is_large: bool = False) -> IdentifierCircle:
    """The circle in a rectangle, with the nodes as near to their places `parts` as there is room, beside large text.

    More than `MOST_NODES_APART` nodes overlap where their identifiers are close.
    """
    side, nodes = min(rect.w, rect.h), len(parts)
    dense = nodes > MOST_NODES_APART
    radius = (_DENSE if dense else _LARGEST) * side
    named = (_LARGE_ASIDE, _LARGE_NAMES) if is_large else (ASIDE, _WITH_NAMES)
    share, of_width = named if dense else (ASIDE, _NARROW)
    aside = min(share * side, of_width * rect.w)
    for _ in range(3):  # a smaller node leaves more room for the circle
        outer = _outermost(rect, side, radius, aside)
        radius = radius if dense else min(_LARGEST * side, _FILLED * outer.length / nodes)
    room = outer.length / radius / nodes
    least = max(_CLOSER, min(_APART, _SPREAD * room)) / room / nodes
    seats = list(parts) if dense else spread_on_circle(parts, least)
    tick = max(_TICK * radius, _SHORTEST_TICK * side)
    return IdentifierCircle(outer.grown(-radius - tick), outer, radius, outer.at(seats))


def _outermost(rect: Rect, side: float, radius: float, aside: float) -> Ring:
    """The oval of the nodes' middles, with `aside` pixels free at either side."""
    a = rect.w / 2 - radius - aside
    b = rect.h / 2 - radius - _ABOVE * side
    middle = (rect.x + rect.w / 2, rect.y + rect.h / 2)
    return Ring(middle, min(a, _ROUND * b), min(b, _ROUND * a))


def spread_on_circle(parts: Sequence[float], least: float) -> list[float]:
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
