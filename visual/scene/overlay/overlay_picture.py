"""The picture of a run on an overlay, apart from nodes and messages: circle, keys, routes, paths, cards."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from visual.analysis.overlay_state import MOST_REPLICAS, Claim, Replica, newest_routes, overlay_state, routes
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Colour, Group, Line, Point, Polygon, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.graph.placing import MOST_NODES_APART, Ring
from visual.scene.options import Options, measures
from visual.scene.overlay import paths
from visual.scene.overlay.cards import cards
from visual.scene.overlay.paths import ClientStyles, card_size, drawn_resources, resource_colour
from visual.words import Naming


class Additions(NamedTuple):
    """Shapes beneath and beside the nodes, the facts of the nodes drawn, and the rectangles of keys and names."""

    beneath: list[Shape]
    beside: list[Shape]
    nodes: list[NodeFacts]
    names: list[Rect]


def additions(cache: RunCache, facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> Additions:
    """The circle, routes, paths, votes and queues at the present step."""
    run, resources = cache.run, drawn_resources(cache, options.selected).resources
    at_present = cache.get(overlay_state, Moment(run))
    state = at_present.about(resources)
    shown_routes = newest_routes([route for route in routes(cache) if route.resource in resources])
    styles, sizes, size = (
        ClientStyles(cache, theme),
        measures(layout, theme, options),
        card_size(layout, theme, options),
    )
    words = _words(at_present.claims, styles.names)
    absent = frozenset(run.absent_nodes())
    on_circle = KeyPlaces(state.replicas, resources, styles.names)
    marks = [bounds(mark) for mark in key_signs(on_circle, layout, theme.name, size)]
    route_names = paths.route_names(shown_routes, styles, layout, theme, sizes, marks, size)
    active = {node for path in state.paths for node in path.nodes} | {key.node for key in on_circle.named}
    active |= {
        node
        for route in shown_routes
        for hop in (*route.completed, *route.current)
        for node in (hop.sender, hop.receiver)
    }
    return Additions(
        beneath=[
            *dial(on_circle, absent, layout, theme.name, options),
            *paths.bands(state, styles, layout, theme, sizes),
            *paths.pointers(state, layout, theme, sizes),
            *paths.route_hops(shown_routes, styles, layout, theme, sizes),
            *route_names,
        ],
        beside=cards(state, facts, styles, layout, theme, options),
        nodes=[
            fact._replace(rows=(), badge="", word=words.get(fact.node, ""))  # queues are on cards, badges on tickets
            for fact in facts
            if fact.node in active
            or len(facts) <= MOST_NODES_APART
            or fact.is_selected
            or fact.lit
            or fact.state != "idle"
        ],
        names=[*marks, *(bounds(name) for name in route_names)],
    )


def _words(claims: Iterable[Claim], names: Naming) -> dict[int, str]:
    """Node -> the resources it is inside of, or waits for, in words: "IN A", "wants B, C"."""
    by_node: defaultdict[int, list[Claim]] = defaultdict(list)
    for claim in claims if names.has_several else ():
        by_node[claim.node].append(claim)
    return {node: _word(of_node, names) for node, of_node in by_node.items()}


def _word(claims: list[Claim], names: Naming) -> str:
    inside = [claim for claim in claims if claim.inside]
    letters = ", ".join(names.resource(claim.resource) for claim in inside or claims)
    return f"IN {letters}" if inside else f"wants {letters}"


_ARC = 360  # points all the way round
_SECTORS = 16
_SMALLER = 0.6  # keys of resources that are not drawn
_TRIES = 4  # places for a key's name
_TAG = 0.64  # how wide the sign of a key is, of its length
_BESIDE = 0.22  # from the arc of one resource to that of the next, in ems


class KeyPlaces(NamedTuple):
    """The replicas on the circle, the resources whose replicas have names, and the naming."""

    replicas: tuple[Replica, ...]
    resources: tuple[int, ...]
    names: Naming

    @property
    def named(self) -> list[Replica]:
        """The replicas with a name; none if they are too many."""
        own = [replica for replica in self.replicas if replica.resource in self.resources]
        return own if len(own) <= MOST_REPLICAS else []


def dial(
    key_places: KeyPlaces, absent: frozenset[int], layout: Layout, theme_name: str, options: Options
) -> tuple[Group, ...]:
    """Circle, ticks and keys; where there are many nodes, those that are `gone` from the overlay have no tick."""
    width, size = measures(layout, load(theme_name), options).edge, card_size(layout, load(theme_name), options)
    dense = layout.graph.nodes > MOST_NODES_APART
    named = frozenset(replica.number for replica in key_places.named)
    nameless = tuple(replica.part for replica in key_places.replicas if replica.number not in named)
    return (
        *_ticks(absent if dense else frozenset(), layout, theme_name, width),
        _circle(nameless, layout, theme_name, width, size if len(key_places.resources) == 1 else _SMALLER * size),
        _named(key_places, layout, theme_name, size),
    )


@lru_cache(maxsize=8)
def _circle(nameless: tuple[float, ...], layout: Layout, theme_name: str, width: float, size: float) -> Group:
    """The circle, with tags for the nameless keys."""
    assert layout.circle
    theme, ring = load(theme_name), layout.circle.ring
    line = Polyline(tuple(ring.at([k / _ARC for k in range(_ARC + 1)])), theme.edge, width)
    tags = [_tag(place, ring.middle, theme.muted, size) for place in ring.at(nameless)]
    return Group((line, *tags), key=("circle", nameless, layout.signature, theme_name, width, size))


@lru_cache(maxsize=8)
def _named(key_places: KeyPlaces, layout: Layout, theme_name: str, size: float) -> Group:
    """The keys with names, and the arcs to the nodes responsible for them."""
    assert layout.circle
    shapes: list[Shape] = []
    for replica in key_places.named:
        within = layout.circle.ring.grown(-_BESIDE * size * key_places.resources.index(replica.resource))
        shapes += _answering(replica, _colour(key_places, replica, load(theme_name)), layout, within, size)
    shapes += key_signs(key_places, layout, theme_name, size)
    return Group(tuple(shapes), key=("keys", key_places, layout.signature, theme_name, size))


@lru_cache(maxsize=8)
def _ticks(absent: frozenset[int], layout: Layout, theme_name: str, width: float) -> list[Group]:
    """The ticks, one group per sector: few are drawn again when a node joins or leaves."""
    assert layout.circle
    true = layout.circle.ring.at(layout.graph.parts)
    sectors: list[list[Line]] = [[] for _ in range(_SECTORS)]
    for node, part in enumerate(layout.graph.parts):
        if node not in absent:
            sectors[int(part * _SECTORS)].append(_tick(node, true[node], layout, load(theme_name), width))
    return [
        Group(tuple(lines), key=("ticks", *(line.id for line in lines), layout.signature, theme_name, width))
        for lines in sectors
        if lines
    ]


def _tick(node: int, true: Point, layout: Layout, theme: Theme, width: float) -> Line:
    """A tick from an identifier on the circle to its node; among many nodes, the node's only sign."""
    place, dense = layout.places[node], layout.graph.nodes > MOST_NODES_APART
    share = 1.0 if dense else max(0.0, 1 - layout.radius / math.dist(true, place))
    end = (true[0] + (place[0] - true[0]) * share, true[1] + (place[1] - true[1]) * share)
    return Line(*true, *end, theme.muted if dense else theme.edge, width, id=f"node:{node}")


def _answering(replica: Replica, colour: Colour, layout: Layout, ring: Ring, size: float) -> list[Shape]:
    """The arc from a key to the identifier of the node responsible for it."""
    ahead = (layout.graph.parts[replica.node] - replica.part + 0.5) % 1.0 - 0.5  # the shorter way round
    steps = max(2, math.ceil(abs(ahead) * _ARC))
    points = ring.at([replica.part + ahead * k / steps for k in range(steps + 1)])
    if math.dist(points[0], points[-1]) < 0.2 * size:
        return []
    return [Polyline(tuple(points), colour, 0.16 * size, arrow=min(0.6 * size, math.dist(points[0], points[-1])))]


@lru_cache(maxsize=8)
def key_signs(key_places: KeyPlaces, layout: Layout, theme_name: str, size: float) -> tuple[Shape, ...]:
    """The tags of keys with names, and the names placed clear of each other."""
    assert layout.circle
    ring, theme = layout.circle.ring, load(theme_name)
    shapes: list[Shape] = []
    occupied: list[Rect] = []
    for replica, place in zip(key_places.named, ring.at([replica.part for replica in key_places.named]), strict=True):
        colour = _colour(key_places, replica, theme)
        tries = [
            _name(key_places.names.replica(replica.number), place, ring, theme, size, colour, k) for k in range(_TRIES)
        ]
        name = next(
            (text for text in tries if not any(all(overlap(bounds(text), box)[2:]) for box in occupied)), tries[0]
        )
        shapes += [_tag(place, ring.middle, colour, size), name]
        occupied.append(bounds(name))
    return tuple(shapes)


def _name(text: str, place: Point, ring: Ring, theme: Theme, size: float, colour: Colour, further: int) -> Text:
    """The name of a key inside the circle, `further` lines away from the nearest place."""
    x, y = _inwards(place, ring.middle, (1.75 + 1.3 * further) * size)
    return Text(x, y, text, size, colour, "bold", "mono", "middle", "middle", theme.paper)


def _colour(key_places: KeyPlaces, replica: Replica, theme: Theme) -> Colour:
    return resource_colour(replica.resource, theme) if key_places.names.has_several else theme.ink


def _tag(place: Point, middle: Point, colour: Colour, size: float) -> Polygon:
    """The sign of a key: a tag inside the circle that points at its place."""
    ux, uy = (inner - outer for inner, outer in zip(_inwards(place, middle, size), place, strict=True))

    def corner(inwards: float, aside: float) -> Point:
        return place[0] + inwards * ux - aside * uy, place[1] + inwards * uy + aside * ux

    half = _TAG / 2
    return Polygon((place, corner(half, half), corner(1.0, half), corner(1.0, -half), corner(half, -half)), colour)


def _inwards(place: Point, middle: Point, far: float) -> Point:
    share = far / (math.dist(place, middle) or 1.0)
    return place[0] + (middle[0] - place[0]) * share, place[1] + (middle[1] - place[1]) * share


def key_mark(middle: Point, theme: Theme, size: float) -> Polygon:
    """The sign of a key, upright around a point, for the legend."""
    x, y = middle
    return _tag((x, y - size / 2), (x, y + size), theme.ink, size)
