"""The circle of identifiers itself: a tick at each node's identifier, and the keys with who answers for them."""

from __future__ import annotations

import math
from functools import lru_cache

from visual.scene.layout import Layout
from visual.scene.options import Options, measures
from visual.scene.overlay.looks import card_size
from visual.scene.overlay.sights import MOST_REPLICAS, Replica
from visual.scene.ring import MOST_NODES, Ring
from visual.scene.words import replica_text
from visual.shapes import Group, Line, Point, Polygon, Polyline, Shape, Text
from visual.theme import Theme, load

_ARC = 360  # points all the way round


@lru_cache(maxsize=8)
def dial(
    replicas: tuple[Replica, ...], gone: frozenset[int], layout: Layout, theme_name: str, options: Options
) -> Group:
    """Circle, ticks and keys; nodes that are `gone` from the overlay have no tick."""
    assert layout.circle
    theme, ring = load(theme_name), layout.circle.ring
    width = measures(layout, theme, options).edge
    size = card_size(theme, options)
    shapes: list[Shape] = [
        Polyline(tuple(ring.at([k / _ARC for k in range(_ARC + 1)])), theme.edge, width),
        *_ticks(layout, ring, gone, theme, width),
    ]
    if len(replicas) <= MOST_REPLICAS:
        for replica in replicas:
            shapes += _answering(replica, layout, ring, theme, size)
    shapes += keys(replicas, layout, theme_name, size)
    return Group(tuple(shapes), key=("dial", replicas, gone, layout.signature, theme_name, width, size))


def _ticks(layout: Layout, ring: Ring, gone: frozenset[int], theme: Theme, width: float) -> list[Shape]:
    """From each identifier's true place on the circle to its node; where nodes lie too close, only a tick outwards."""
    dense = layout.graph.nodes > MOST_NODES
    true = ring.at(layout.graph.parts)
    shapes: list[Shape] = []
    for node, ((x1, y1), (x2, y2)) in enumerate(zip(true, layout.places, strict=True)):
        if node in gone and dense:
            continue
        length = math.dist((x1, y1), (x2, y2))
        share = 1.0 if dense else max(0.0, 1 - layout.radius / length)
        end = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
        colour = theme.muted if dense else theme.edge
        shapes.append(Line(x1, y1, *end, colour, width, id=f"node:{node}"))
    return shapes


def _answering(replica: Replica, layout: Layout, ring: Ring, theme: Theme, size: float) -> list[Shape]:
    """The stretch of the circle from the key to the identifier of the node that answers for it."""
    ahead = (layout.graph.parts[replica.node] - replica.part + 0.5) % 1.0 - 0.5  # the shorter way round
    steps = max(2, math.ceil(abs(ahead) * _ARC))
    points = ring.at([replica.part + ahead * k / steps for k in range(steps + 1)])
    if math.dist(points[0], points[-1]) < 0.2 * size:
        return []
    return [Polyline(tuple(points), theme.ink, 0.16 * size, arrow=min(0.6 * size, math.dist(points[0], points[-1])))]


@lru_cache(maxsize=8)
def keys(replicas: tuple[Replica, ...], layout: Layout, theme_name: str, size: float) -> tuple[Shape, ...]:
    """The keys at their places; very many of them without names."""
    assert layout.circle
    named = len(replicas) <= MOST_REPLICAS
    ring = layout.circle.ring
    places = ring.at([replica.part for replica in replicas])
    return tuple(
        shape
        for replica, place in zip(replicas, places, strict=True)
        for shape in key_mark(place, ring.middle, replica_text(replica.number) if named else "", load(theme_name), size)
    )


def key_mark(place: Point, middle: Point, name: str, theme: Theme, size: float) -> list[Shape]:
    """A wedge inside the circle that points at the key's place, with its name."""
    away = math.dist(place, middle) or 1.0
    ux, uy = (middle[0] - place[0]) / away, (middle[1] - place[1]) / away
    base = (place[0] + ux * 0.95 * size, place[1] + uy * 0.95 * size)
    half = 0.42 * size
    corners = (place, (base[0] - uy * half, base[1] + ux * half), (base[0] + uy * half, base[1] - ux * half))
    far = 1.75 * size
    return [
        Polygon(corners, theme.ink),
        Text(
            place[0] + ux * far,
            place[1] + uy * far,
            name,
            size,
            theme.ink,
            "bold",
            "mono",
            "middle",
            "middle",
            theme.paper,
        ),
    ]
