"""Lines across the circle: quorum sets and votes as translucent bands, Next and Previous pointers, routes.

Clients are told apart by few colours, and by dashes. Where there are several resources the colour is the resource's,
with its letter beside it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from algorithms.engine.events import MESSAGE, SEQ
from algorithms.engine.simulation import Simulation
from visual.analysis.overlay_state import (
    MOST_REPLICAS,
    OverlayState,
    Path,
    Pointers,
    Route,
    Ticket,
    Vote,
    client_of,
    client_ranks,
    overlay_state,
)
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.picking import bounds, meet
from visual.drawing.shapes import Circle, Colour, Dash, Group, Line, Point, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.layout import Layout
from visual.scene.options import Measures, Options, least_text
from visual.words import naming, node_name, ticket_text

_BAND, _HULL = 1.2, 1.36  # half a quorum set's width between nodes and around one, in radii
_PART = 0.45  # the width of a path that has not reached its replica, relative to a quorum set
_VOTE = 0.45  # half the width of a vote's band, in radii
_PALE = 0.2  # opacity of bands
_MADE = 0.45  # opacity of past hops
_ASIDE = 0.32  # from the line between two nodes to a pointer's arrow, in radii
_FARTHEST = 5  # places tried for the name of a request; without a free one it has no name
_LEAST = 4.0  # pixels: the radius for the width of bands is at least this


def bands(state: OverlayState, styles: ClientStyles, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    """Bands: quorum sets as hulls around the nodes on the path to each replica, and other votes."""
    shapes = []
    for path in state.paths:
        whole = is_quorum_set(path, state)
        if whole or len(path.nodes) > 1:
            shapes.append(
                _band(path, styles.of(path.ticket, path.resource), 1.0 if whole else _PART, layout, theme, sizes)
            )
    return [
        *shapes,
        *(_vote(vote, styles.of(vote.ticket, vote.resource), layout, theme, sizes) for vote in loose_votes(state)),
    ]


def is_quorum_set(path: Path, state: OverlayState) -> bool:
    """Whether a path reaches its replica."""
    return path.nodes[-1] == state.replicas[path.replica].node


def loose_votes(state: OverlayState) -> list[Vote]:
    """The votes for another node that no path leads to."""
    ends = {(path.replica, path.ticket, path.nodes[-1]) for path in state.paths}
    return [
        vote
        for vote in state.votes
        if client_of(vote.ticket) != vote.node and (vote.replica, vote.ticket, vote.node) not in ends
    ]


def _band(path: Path, style: ClientStyle, share: float, layout: Layout, theme: Theme, sizes: Measures) -> Shape:
    places, r = [layout.places[node] for node in path.nodes], share * max(sizes.radius, _LEAST)
    if theme.name == "print":
        return _tube(places, 2 * _BAND * r, _HULL * r if share == 1 else 0.0, style, theme, sizes)
    hulls = [Circle(*place, _HULL * r, style.colour) for place in places if share == 1]
    return _cached(Polyline(tuple(places), style.colour, 2 * _BAND * r), *hulls, opacity=_PALE)


def _vote(vote: Vote, style: ClientStyle, layout: Layout, theme: Theme, sizes: Measures) -> Shape:
    places = [layout.places[vote.node], layout.places[client_of(vote.ticket)]]
    width = 2 * _VOTE * max(sizes.radius, _LEAST)
    if theme.name == "print":
        return _tube(places, width, 0.0, style, theme, sizes)
    return _cached(Polyline(tuple(places), style.colour, width), opacity=_PALE)


def _tube(places: list[Point], width: float, hull: float, style: ClientStyle, theme: Theme, sizes: Measures) -> Shape:
    """A band as two edges, between circles of radius `hull` unless 0: print has no pale colours."""
    if len(places) == 1:
        return _cached(Circle(*places[0], 0.6 * width, None, theme.ink, sizes.edge, style.dashed(sizes.edge)))
    dash = style.dashed(2 * sizes.edge)
    inset = math.sqrt(max(hull**2 - (width / 2) ** 2, 0.0))  # where the edges meet the circles
    sides = [
        Line(*_aside(one, other, side, inset), theme.ink, sizes.edge, dash)
        for one, other in pairwise(places)
        for side in (width / 2, -width / 2)
    ]
    return _cached(*sides, *(Circle(*place, hull, None, theme.ink, sizes.edge, dash) for place in places if hull))


def _cached(*shapes: Shape, opacity: float = 1.0) -> Group:
    """Shapes that are the same in many pictures, as a cached group."""
    return Group(shapes, opacity=opacity, key=shapes)


def _aside(one: Point, other: Point, far: float, inset: float) -> tuple[float, float, float, float]:
    """The line between two points, moved to its right and shortened at both ends."""
    length = math.dist(one, other) or 1.0
    ux, uy = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    inset = min(inset, 0.4 * length)
    dx, dy = -uy * far, ux * far
    return (one[0] + dx + ux * inset, one[1] + dy + uy * inset, other[0] + dx - ux * inset, other[1] + dy - uy * inset)


def visible_pointers(state: OverlayState) -> list[Pointers]:
    """The pointers along quorum sets, which alone are drawn."""
    owners = {path.ticket for path in state.paths if is_quorum_set(path, state)}
    return [entry for entry in state.pointers if entry.ticket in owners]


def pointers(state: OverlayState, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    """An arrow from each node of a quorum set to the next one, and a dotted one to the previous."""
    shapes: list[Shape] = []
    for entry in visible_pointers(state):
        if entry.following is not None:
            shapes.append(_cached(pointer(layout, entry.node, entry.following, "next", theme, sizes)))
        if entry.previous != entry.node:
            shapes.append(_cached(pointer(layout, entry.node, entry.previous, "previous", theme, sizes)))
    return shapes


def pointer(layout: Layout, node: int, other: int, which: str, theme: Theme, sizes: Measures) -> Line:
    """An arrow from one node to another, beside the straight line."""
    width = max(0.55 * sizes.stroke, sizes.edge)
    dash = () if which == "next" else (width, 1.8 * width)
    way = _aside(layout.places[node], layout.places[other], _ASIDE * sizes.radius, 1.15 * sizes.radius)
    return Line(*way, theme.ink, width, dash, 4.5 * width)


def route_hops(
    routes: Iterable[Route], styles: ClientStyles, layout: Layout, theme: Theme, sizes: Measures
) -> list[Shape]:
    """The hops of requests: past hops are faint, those in transit are lit."""
    width, faint = max(sizes.stroke, 1.3 * sizes.edge), 1.0 if theme.name == "print" else _MADE
    at, inset = layout.places, layout.radius
    shapes: list[Shape] = []
    for route in routes:
        style = styles.of(route.ticket, route.resource)
        shapes += [_hop(at[hop.sender], at[hop.receiver], inset, style, 0.8 * width, faint) for hop in route.completed]
        shapes += [_hop(at[hop.sender], at[hop.receiver], inset, style, 1.2 * width, 1.0) for hop in route.current]
    return shapes


@lru_cache(maxsize=2048)
def _hop(start: Point, end: Point, inset: float, style: ClientStyle, width: float, opacity: float) -> Group:
    """One hop, as a cached arrow between the places of two nodes, shortened at both ends."""
    way = _aside(start, end, 0.0, inset)
    return _cached(Line(*way, style.colour, width, style.dashed(width), 4.5 * width), opacity=opacity)


def route_names(
    routes: Iterable[Route],
    styles: ClientStyles,
    layout: Layout,
    theme: Theme,
    sizes: Measures,
    boxes: Iterable[Rect],
    size: float,
) -> list[Shape]:
    """The ticket of each request in transit, beside its client towards the middle, clear of other boxes."""
    shapes: list[Shape] = []
    assert layout.circle
    occupied, (mx, my) = list(boxes), layout.circle.ring.middle
    for route in routes:
        style, (x, y) = styles.of(route.ticket, route.resource), layout.places[client_of(route.ticket)]
        away = math.dist((x, y), (mx, my)) or 1.0
        ux, uy = (mx - x) / away, (my - y) / away
        name = f"{styles.names.resource(route.resource)} {ticket_text(route.ticket)}".lstrip()
        for step in range(_FARTHEST):
            far = 1.6 * sizes.radius + (1.7 + 1.3 * step) * size
            text = Text(
                x + ux * far, y + uy * far, name, size, style.colour, "bold", "mono", "middle", "middle", theme.paper
            )
            box = bounds(text)
            if not any(meet(box, other) for other in occupied):
                shapes.append(text)
                occupied.append(box)
                break
    return shapes


_DASHES: tuple[Dash, ...] = ((), (5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))  # in widths of the line


class ClientStyle(NamedTuple):
    """Colour and dashes of a client."""

    colour: Colour
    dash: Dash

    def dashed(self, width: float) -> Dash:
        """The dashes of a line of that width."""
        return tuple(width * part for part in self.dash)


class ClientStyles:
    """The styles of a run's clients, in the order of their first requests; the fifth equals the first."""

    def __init__(self, cache: RunCache, theme: Theme) -> None:
        self._ranks = client_ranks(cache)
        self._theme = theme
        self.names = naming(cache.run)

    def of(self, ticket: Ticket, resource: int = 0) -> ClientStyle:
        """The style of a ticket's client, for a resource."""
        rank = self._ranks.get(client_of(ticket), client_of(ticket)) % len(_DASHES)
        colour = self.resource(resource) if self.names.has_several else self._theme.requesters[rank]
        return ClientStyle(colour, _DASHES[rank])

    def resource(self, resource: int) -> Colour:
        """The colour of one of several resources; ink where there is only one."""
        return resource_colour(resource, self._theme) if self.names.has_several else self._theme.ink


def resource_colour(resource: int, theme: Theme) -> Colour:
    """The colour of one of several resources; the fifth has the colour of the first."""
    return theme.requesters[resource % len(theme.requesters)]


def card_size(layout: Layout, theme: Theme, options: Options) -> float:
    """The size of text on and outside the circle, in pixels."""
    return least_text(layout, options) if options.presenting else 0.9 * theme.sizes.small * options.scale


MOST = 4
"""The number of resources drawn if there are too many for all, and of colours for resources."""


class DrawnResources(NamedTuple):
    """The resources that are drawn, and why only these; no reason if all are."""

    resources: tuple[int, ...]
    why: str = ""


def drawn_resources(cache: RunCache, selected: str) -> DrawnResources:
    """The resources to be drawn at the present step, in order."""
    run, state = cache.run, cache.get(overlay_state, Moment(cache.run))
    process: Any = run.processes[0]
    if len(state.replicas) <= MOST_REPLICAS or process.resources == 1:
        return DrawnResources(tuple(range(process.resources)))
    kind, _, number = selected.partition(":")
    own = _of_selected(run, state, kind, int(number)) if kind in ("node", "message") else []
    if own:
        return DrawnResources(_first_few(own), f"of {node_name(int(number))}" if kind == "node" else "of the message")
    weights = Counter(claim.resource for claim in state.claims)
    return DrawnResources(
        _first_few(sorted(weights, key=lambda resource: (-weights[resource], resource))), "the busiest"
    )


def _of_selected(run: Simulation, state: OverlayState, kind: str, number: int) -> list[int]:
    """The resources that a node claims, otherwise those it votes on; or the resource of a message."""
    if kind == "node":
        mine = [claim.resource for claim in state.claims if claim.node == number]
        return mine or [vote.resource for vote in state.votes if vote.node == number]
    flying = run.queue.between_processes()
    message: Any = next((entry[MESSAGE] for entry in flying if entry[SEQ] == number), None)
    if hasattr(message, "replica"):
        process: Any = run.processes[0]
        return [process.resource_of(message.replica)]
    return [message.resource] if hasattr(message, "resource") else []


def _first_few(resources: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(list(dict.fromkeys(resources))[:MOST]))
