"""Fixed places for the nodes of a run in a rectangle, the size of a node, and the timers that need room beside it.

layout = arrange(run, Rect(0, 64, 1280, 584))
layout.places[3], layout.radius, layout.within(another_rectangle)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple

from algorithms.engine.dispatch import parameters_of
from algorithms.engine.events import TIME
from algorithms.engine.part import parts_of
from algorithms.engine.process import Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import Edge
from visual.analysis.overlay_state import on_overlay
from visual.drawing.shapes import Point, Rect
from visual.narration.node_facts import FEW
from visual.scene.graph.placing import PLACERS, Graph, IdentifierCircle, Placer, circle, identifier_circle, nearest

LARGEST, LARGEST_PRESENTED, LARGEST_OF_MANY = 0.078, 0.12, 0.086
"""A node's radius at most, of the height: usually, where its words are for the last row, and there for more nodes."""

_CROWDED = 0.34  # a node's radius, of the distance to its nearest neighbour
_CROWDED_BY_TIMERS = 0.29  # … where timers are drawn as rings around the nodes
_CROWDED_BY_ROWS = 0.26  # … and where chips are drawn beside a node in the middle of others
_BEYOND = 0.9  # from a node's edge to the rectangle's, in usual radii: room for badges and chips
_AIR = 0.012  # around everything, of the rectangle's smaller side
ARC, _ARCS = 1.8, 2.8  # from a node's middle to the first arc around a ring, and past all of them, in radii
NEXT_ARC = 0.4  # from one arc to the next, in radii
WIDER = 1.25  # how many times as far arcs are at the left and right of a node, where words are
_LARGE_ROWS = 8  # nodes: the chips of more are smaller
_FEW = 6  # nodes: so many have room for the largest circles of a presentation
_FEW_AROUND = 16  # nodes; up to this number a circle of identifiers has room for long labels in its middle
_BESIDE = 1.8  # from a node's middle to chips above or below it, in radii
_ENOUGH, _AMPLE = 4.5, 7.0  # room beside a node, from its middle, for a few chips and for a full row, in radii
_LEVEL = 0.6  # how much lower or higher other nodes still are beside such chips, in radii
_AROUND = 1.5  # what is around a node, from its middle, in radii
_SHOULDER_BAND, _BAND_OF_MANY = 1.25, 2.2  # how much nearer to the middle nodes are off chips at a shoulder, in radii
_BAND_OF_ROW = 1.8  # … and how much more for each further row of chips
_ROW_ROOM, _SMALL_ROW_ROOM = 0.07, 0.035  # for chips above or below the outermost nodes, of the rectangle's height
_FLAT, _ROW_ASIDE = 2.3, 0.25  # widths of a rectangle, in its heights: where it is flat, and room for chips at a side
_BELIEF_ROOM = 0.04  # … and below the nodes there, of the height, for beliefs
_STAR = 3  # nodes: fewer stand beside each other
_TINY, _TINY_PRESENTED = 0.03, 0.042  # nodes smaller than the first share have names outside; room for these


class FreeSide(NamedTuple):
    """The side of a node with room for its chips ("left", "right", "above", "below"), and the room in pixels.

    `low` is true in the lower half of the picture, where chips at a side have the next nodes above rather than below,
    and `diagonal` for chips at a side and below it, between two links of a hub. Those at the `shoulder` of a node at
    the top or bottom of the picture are on one line with their name, on the side away from the middle.
    """

    side: str
    room: float
    low: bool = False
    diagonal: bool = False
    shoulder: bool = False


class Surroundings(NamedTuple):
    """What may be drawn around the nodes of a run, at whatever step: it takes room from the beginning."""

    rows: int = 0  # of chips beside a node
    timers: bool = False
    arcs: bool = False  # around a ring


NOTHING_AROUND = Surroundings()


@dataclass(frozen=True)
class Layout:
    """The places of the nodes of one run in a rectangle; `within` lays them out in another."""

    rect: Rect
    kind: str  # the topology's name, or "free"
    graph: Graph
    places: tuple[Point, ...]
    radius: float
    spacing: float  # the distance of the two nearest nodes
    circle: IdentifierCircle | None = None  # of identifiers, where the nodes stand around one
    largest: float = LARGEST  # radius, as a share of the height
    surroundings: Surroundings = NOTHING_AROUND

    def __hash__(self) -> int:
        return hash((self.rect, self.kind, self.radius, self.places[:3]))

    def within(self, rect: Rect, largest: float | None = None) -> Layout:
        """The same nodes in another rectangle, perhaps with another bound of their radius."""
        bound = self.largest if largest is None else largest
        if (rect, bound) == (self.rect, self.largest):
            return self
        return _lay_out(rect, self.kind, self.graph, bound, self.surroundings)

    def moved(self, places: Mapping[int, Point]) -> Layout:
        """The layout with some nodes moved, each to a share of the rectangle's width and height."""
        if not places:
            return self
        x, y, w, h = self.rect
        result = list(self.places)
        for node, (across, down) in places.items():
            if node < len(result):
                result[node] = (round(x + w * across, 2), round(y + h * down, 2))
        return replace(self, places=tuple(result))

    def share(self, place: Point) -> Point:
        """A place as shares for `moved`, clamped such that the node stays within the rectangle."""
        x, y, w, h = self.rect
        across, down = ((1 + _BEYOND) * self.radius / side for side in (w, h))
        return min(max((place[0] - x) / w, across), 1 - across), min(max((place[1] - y) / h, down), 1 - down)

    @cached_property
    def signature(self) -> str:
        """A digest of this layout for cache keys: equal signature, equal layout."""
        parts = (self.rect, self.kind, hash(self.graph), self.places)  # there may be thousands of links
        return blake2b(repr(parts).encode(), digest_size=12).hexdigest()

    @cached_property
    def middle(self) -> Point:
        """The middle of the rectangle."""
        return self.rect.x + self.rect.w / 2, self.rect.y + self.rect.h / 2

    def inwards(self, node: int) -> Point:
        """The unit vector from a node to the middle of the picture; downwards for a node in the middle."""
        (x, y), (mx, my) = self.places[node], self.middle
        away = math.dist((x, y), (mx, my))
        return ((mx - x) / away, (my - y) / away) if away > self.radius else (0.0, 1.0)

    @cached_property
    def step(self) -> float:
        """The mean distance along a ring from one node to the next, in a zigzag too."""
        return math.dist(self.places[0], self.places[2]) / 2 if len(self.places) > 2 else 0.0

    @cached_property
    def free_sides(self) -> tuple[FreeSide, ...]:
        """The free side of each node, and the room there."""
        return tuple(_free_side(node, self) for node in range(len(self.places)))

    @cached_property
    def link_lines(self) -> LinkLines:
        """(a, b) -> the straight line from node a to node b."""
        return LinkLines(self.places)


LinkLine = tuple[float, float, float, float, float]
"""The beginning (x, y), the direction (unit x, unit y) and the length of a line."""


class LinkLines(dict[Edge, LinkLine]):
    """(a, b) -> the straight line from one node's middle to the other's, computed once."""

    def __init__(self, places: tuple[Point, ...]) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, link: Edge) -> LinkLine:
        (x1, y1), (x2, y2) = self._places[link[0]], self._places[link[1]]
        length = math.dist((x1, y1), (x2, y2))
        way = (x1, y1, (x2 - x1) / length, (y2 - y1) / length, length) if length else (x1, y1, 1.0, 0.0, 0.0)
        self[link] = way
        return way


def arrange(run: Simulation, rect: Rect, placement: str = "", largest: float = LARGEST) -> Layout:
    """The layout of a run in a rectangle, fixed for the run since it depends on the scenario only.

    `placement` names one of `PLACERS`; by default it is that of the topology. `largest` bounds a node's radius, as a
    share of the height.
    """
    if on_overlay(run) and not placement:
        from visual.analysis.overlay_state import circle_fractions  # the first frame does without

        return _lay_out(rect, "overlay", Graph(run.scenario.nodes, (), circle_fractions(run)), largest)
    is_named = run.scenario.edges is None
    kind = placement or (run.scenario.topology or run.algorithm.topology) if is_named else "free"
    around = Surroundings(
        len(run.algorithm.rows_of_chips()) if run.scenario.nodes <= FEW else 0,
        bool(timer_durations(run.process_class)) and run.scenario.nodes <= FEW,
    )
    kind = kind if kind in PLACERS else "free"
    around = around._replace(arcs=kind == "ring" and run.algorithm.region is not None)
    return _lay_out(rect, kind, Graph(run.scenario.nodes, run.links), largest, around)


@lru_cache(maxsize=16)  # equal layouts are one object, so that later caches need not compare thousands of places
def _lay_out(rect: Rect, kind: str, graph: Graph, largest: float, around: Surroundings = NOTHING_AROUND) -> Layout:
    if kind == "overlay":
        ids = identifier_circle(graph.parts, rect, is_large=largest > LARGEST)
        spacing = ids.ring.b if graph.nodes <= _FEW_AROUND else 4 * ids.radius  # few leave room in the middle
        return Layout(rect, kind, graph, _rounded(ids.places), ids.radius, spacing, ids, largest)
    has_rows = around.rows and (kind != "star" or graph.nodes < _STAR)  # otherwise it is the hub that has them
    area, sides = rect, set[str]()
    if rect.w > _FLAT * rect.h:
        aside = _ROW_ASIDE * rect.h if has_rows else 0.0
        low = 0.0 if has_rows or around.arcs else _BELIEF_ROOM * rect.h
        area = Rect(rect.x + aside, rect.y, rect.w - 2 * aside, rect.h - low)
    layout = _placed(area, rect, kind, graph, largest, around)
    room = (_ROW_ROOM if graph.nodes <= _LARGE_ROWS else _SMALL_ROW_ROOM) * rect.h
    while has_rows and (more := {free.side for free in layout.free_sides} & {"above", "below"} - sides):
        sides |= more  # where less room is left, chips of other nodes may have to go there, too
        above, below = (room if side in sides else 0.0 for side in ("above", "below"))
        layout = _placed(area._replace(y=area.y + above, h=area.h - above - below), rect, kind, graph, largest, around)
    return layout


def _placed(area: Rect, rect: Rect, kind: str, graph: Graph, largest: float, around: Surroundings) -> Layout:
    """The layout in a rectangle whose nodes stand, with the usual margin, in an area of it."""
    placer, share = PLACERS[kind], _CROWDED_BY_TIMERS if around.timers else _CROWDED
    if kind == "star" and around.rows:
        share = _CROWDED_BY_ROWS
    bound = radius = largest * min(rect.h, rect.w)
    for _ in range(3):  # a smaller node needs less margin, which leaves more room for the nodes
        places = _place(placer, graph, area, radius, largest, around)
        radius = min(bound, share * nearest(places))
    places = _place(placer, graph, area, radius, largest, around)
    spacing = nearest(places)
    radius = min(radius, share * spacing)
    return Layout(
        rect, kind, graph, _rounded(places), round(radius, 2), round(spacing, 2), None, largest, surroundings=around
    )


def largest_presented(nodes: int) -> float:
    """The largest radius of a node in a presentation: larger where there are few."""
    return LARGEST_PRESENTED if nodes <= _FEW else LARGEST_OF_MANY


def _rounded(places: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 2), round(y, 2)) for x, y in places)


def _place(
    placer: Placer, graph: Graph, rect: Rect, radius: float, largest: float, around: Surroundings
) -> list[Point]:
    side = min(rect.w, rect.h)
    beyond = _ARCS * radius if around.arcs else radius + _BEYOND * min(radius, LARGEST * side)
    margin, for_names = beyond + _AIR * side, 0.0
    if placer is circle and radius < _TINY * side:
        for_names = (_TINY if largest <= LARGEST else _TINY_PRESENTED) * side
    if graph.nodes == 1:
        return [(rect.x + rect.w / 2, rect.y + rect.h / 2)]
    across, down = margin + 2 * for_names + (WIDER * ARC - ARC) * radius * around.arcs, margin + for_names
    return placer(graph, Rect(rect.x + across, rect.y + down, rect.w - 2 * across, rect.h - 2 * down))


def _free_side(node: int, layout: Layout) -> FreeSide:
    (x, y), rect, side = layout.places[node], layout.rect, _side(node, layout)
    left, right = x - rect.x, rect.x + rect.w - x
    is_hub = math.dist((x, y), layout.middle) < layout.radius
    if is_hub:
        side, diagonal = _between_links(node, layout)
        if side != "below":
            room = min(left if side == "left" else right, _beside(node, side, layout))
            return FreeSide(side, round(room, 1), True, diagonal)
    if side in ("left", "right"):
        return FreeSide(side, round(left if side == "left" else right, 1), y > layout.middle[1])
    at_left = 0.0 if is_hub else min(left, _gap(node, "left", layout, low=side == "below"))
    enough = _ENOUGH if layout.surroundings.timers else _AMPLE  # numbers of timers are above, too
    if at_left >= enough * layout.radius:
        return FreeSide("left", round(at_left, 1), side == "below", shoulder=True)
    return FreeSide(side, round(2 * min(left, right, _beside(node, side, layout)), 1))


_AROUND_A_HUB = {0: ("right", False), 45: ("right", True), 135: ("left", True), 90: ("below", False)}
_WIDE = 60  # degrees to the nearest link that chips below a hub need, since they reach to both sides


def _between_links(node: int, layout: Layout) -> tuple[str, bool]:
    """The side of a hub that is farthest from its links, and whether it is a diagonal one."""
    places, (x, y) = layout.places, layout.places[node]
    others = [sum(link) - node for link in layout.graph.links if node in link]
    ways = [math.degrees(math.atan2(places[other][1] - y, places[other][0] - x)) for other in others]

    def clearance(angle: int) -> float:
        nearest_link: float = min((round(abs(math.remainder(way - angle, 360))) for way in ways), default=0)
        return 0.0 if angle == 90 and nearest_link < _WIDE else nearest_link

    return _AROUND_A_HUB[max(_AROUND_A_HUB, key=clearance)]


def _side(node: int, layout: Layout) -> str:
    """The free side of a node: mostly left or right, since the rectangle is wide rather than high."""
    place = layout.places[node]
    dx, dy = place[0] - layout.middle[0], place[1] - layout.middle[1]
    above_or_below = "below" if dy > -layout.radius else "above"
    if abs(dx) < 0.6 * abs(dy) or abs(dx) < layout.radius:
        return above_or_below
    side = "left" if dx < 0 else "right"
    return side if _gap(node, side, layout) >= _ENOUGH * layout.radius else above_or_below


def _gap(node: int, side: str, layout: Layout, low: bool | None = None) -> float:
    """How far from a node's middle the surroundings of the next node at a side begin, where chips would be.

    With `low` that is at a shoulder of the node, in the lower half of the picture or the upper, otherwise beside it.
    """
    (x, y), radius = layout.places[node], layout.radius
    outwards = -1 if side == "left" else 1
    band = _SHOULDER_BAND
    if low is not None:
        further = _BAND_OF_ROW * max(layout.surroundings.rows - 1, 0)
        band = _BAND_OF_MANY if len(layout.places) > _LARGE_ROWS else _SHOULDER_BAND + further

    def is_in_the_way(place: Point) -> bool:
        inwards = abs(place[1] - y) if low is None else (y - place[1] if low else place[1] - y)
        return (place[0] - x) * outwards > radius and inwards < band * radius

    nearest_one = min((abs(place[0] - x) for place in layout.places if is_in_the_way(place)), default=math.inf)
    return nearest_one - _AROUND * radius


def _beside(node: int, side: str, layout: Layout) -> float:
    """How far to either side chips above or below a node may reach.

    Half-way to a node with chips on the same side, otherwise up to the circle of the next node.
    """
    (x, y), near = layout.places[node], _BESIDE * layout.radius
    row = y + near * {"below": 1, "above": -1}.get(side, 0)
    beside = (
        (other, abs(place[0] - x))
        for other, place in enumerate(layout.places)
        if abs(place[1] - row) <= near + _LEVEL * layout.radius and abs(place[0] - x) > layout.radius
    )
    return min(
        (
            away / 2 if side in ("above", "below") and _side(other, layout) == side else away - _AROUND * layout.radius
            for other, away in beside
        ),
        default=math.inf,
    )


class ShownTimer(NamedTuple):
    """A running timer of a node: when it expires, and for how long it runs in total."""

    node: int
    due: float
    duration: float


def shown_timers(run: Simulation) -> list[ShownTimer]:
    """The next declared timer of each node that has one running."""
    if not run.timers.due:
        return []
    durations = timer_durations(run.process_class)
    next_of: dict[int, ShownTimer] = {}
    for (node, name), entry in sorted(run.timers.due.items(), key=lambda item: item[1]):
        duration = durations.get(name.rpartition(".")[2], 0.0)
        if duration > 0 and node not in next_of and run.is_up(node):
            next_of[node] = ShownTimer(node, entry[TIME], duration)
    return list(next_of.values())


def timer_durations(process: type[Process]) -> dict[str, float]:
    """The duration of each timer that a parameter of the process or of its parts declares."""
    inner = [timer_durations(part.process) for part in parts_of(process).values()]
    own = {p.timer: getattr(process, n) for n, p in parameters_of(process).items() if p.timer and hasattr(process, n)}
    return {name: duration for found in (*inner, own) for name, duration in found.items()}
