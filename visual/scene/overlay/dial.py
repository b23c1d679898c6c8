"""The circle of identifiers itself: a tick at each node's identifier, and the keys with who answers for them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from visual.scene.layout import Layout
from visual.scene.options import Options, measures
from visual.scene.overlay.looks import card_size, resource_colour
from visual.scene.overlay.sights import MOST_REPLICAS, Replica
from visual.scene.ring import MOST_NODES, Ring
from visual.scene.words import Naming
from visual.shapes import Colour, Group, Line, Point, Polygon, Polyline, Shape, Text
from visual.theme import Theme, load

_ARC = 360  # points all the way round
_SECTORS = 16
_BESIDE = 0.22  # from the arc of one resource to that of the next, in ems


class Keys(NamedTuple):
    """The replicas on the circle, the resources whose are named, and how they are called."""

    replicas: tuple[Replica, ...]
    resources: tuple[int, ...]
    names: Naming

    @property
    def named(self) -> list[Replica]:
        """The replicas with a name, unless they are too many."""
        own = [replica for replica in self.replicas if replica.resource in self.resources]
        return own if len(own) <= MOST_REPLICAS else []


@lru_cache(maxsize=8)
def dial(found: Keys, gone: frozenset[int], layout: Layout, theme_name: str, options: Options) -> tuple[Group, ...]:
    """Circle, ticks and keys; where there are many nodes, those that are `gone` from the overlay have no tick."""
    assert layout.circle
    theme, ring = load(theme_name), layout.circle.ring
    width = measures(layout, theme, options).edge
    size = card_size(theme, options)
    shapes: list[Shape] = [Polyline(tuple(ring.at([k / _ARC for k in range(_ARC + 1)])), theme.edge, width)]
    for replica in found.named:
        within = ring.grown(-_BESIDE * size * found.resources.index(replica.resource))
        shapes += _answering(replica, _colour(found, replica, theme), layout, within, size)
    shapes += keys(found, layout, theme_name, size)
    key = ("dial", found, layout.signature, theme_name, width, size)
    dense = layout.graph.nodes > MOST_NODES
    return (*_ticks(gone if dense else frozenset(), layout, theme_name, width), Group(tuple(shapes), key=key))


@lru_cache(maxsize=8)
def _ticks(gone: frozenset[int], layout: Layout, theme_name: str, width: float) -> list[Group]:
    """The ticks in sectors of the circle, so that few are drawn again when a node comes or goes."""
    assert layout.circle
    true = layout.circle.ring.at(layout.graph.parts)
    sectors: list[list[Line]] = [[] for _ in range(_SECTORS)]
    for node, part in enumerate(layout.graph.parts):
        if node not in gone:
            sectors[int(part * _SECTORS)].append(_tick(node, true[node], layout, load(theme_name), width))
    return [
        Group(tuple(lines), key=("ticks", *(line.id for line in lines), layout.signature, theme_name, width))
        for lines in sectors
        if lines
    ]


def _tick(node: int, true: Point, layout: Layout, theme: Theme, width: float) -> Line:
    """From an identifier's true place on the circle to its node; among many it is the node's only sign."""
    place, dense = layout.places[node], layout.graph.nodes > MOST_NODES
    share = 1.0 if dense else max(0.0, 1 - layout.radius / math.dist(true, place))
    end = (true[0] + (place[0] - true[0]) * share, true[1] + (place[1] - true[1]) * share)
    return Line(*true, *end, theme.muted if dense else theme.edge, width, id=f"node:{node}")


def _answering(replica: Replica, colour: Colour, layout: Layout, ring: Ring, size: float) -> list[Shape]:
    """The stretch of the circle from the key to the identifier of the node that answers for it."""
    ahead = (layout.graph.parts[replica.node] - replica.part + 0.5) % 1.0 - 0.5  # the shorter way round
    steps = max(2, math.ceil(abs(ahead) * _ARC))
    points = ring.at([replica.part + ahead * k / steps for k in range(steps + 1)])
    if math.dist(points[0], points[-1]) < 0.2 * size:
        return []
    return [Polyline(tuple(points), colour, 0.16 * size, arrow=min(0.6 * size, math.dist(points[0], points[-1])))]


@lru_cache(maxsize=8)
def keys(found: Keys, layout: Layout, theme_name: str, size: float) -> tuple[Shape, ...]:
    """The keys at their places, those without a name first, which are smaller."""
    assert layout.circle
    ring, theme, named = layout.circle.ring, load(theme_name), set(found.named)
    shapes: list[Shape] = []
    for replica in sorted(found.replicas, key=lambda replica: replica in named):
        (place,) = ring.at([replica.part])
        if replica in named:
            colour = _colour(found, replica, theme)
            shapes += key_mark(place, ring.middle, found.names.replica(replica.number), theme, size, colour)
        else:
            shapes += key_mark(place, ring.middle, "", theme, size if len(found.resources) == 1 else 0.6 * size)
    return tuple(shapes)


def _colour(found: Keys, replica: Replica, theme: Theme) -> Colour:
    return resource_colour(replica.resource, theme) if found.names.several else theme.ink


def key_mark(
    place: Point, middle: Point, name: str, theme: Theme, size: float, colour: Colour | None = None
) -> list[Shape]:
    """A wedge inside the circle that points at the key's place, with its name."""
    away = math.dist(place, middle) or 1.0
    ux, uy = (middle[0] - place[0]) / away, (middle[1] - place[1]) / away
    base = (place[0] + ux * 0.95 * size, place[1] + uy * 0.95 * size)
    half = 0.42 * size
    corners = (place, (base[0] - uy * half, base[1] + ux * half), (base[0] + uy * half, base[1] - ux * half))
    far = 1.75 * size
    return [
        Polygon(corners, colour or theme.ink),
        Text(
            place[0] + ux * far,
            place[1] + uy * far,
            name,
            size,
            colour or theme.ink,
            "bold",
            "mono",
            "middle",
            "middle",
            theme.paper,
        ),
    ]
