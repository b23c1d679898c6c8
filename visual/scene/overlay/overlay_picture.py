"""The picture of a run on an overlay, apart from nodes and messages: circle, keys, routes, paths, cards.

Cards stand outside the circle of identifiers: votes and queues of replicas, other queues, claims, and names.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, groupby, islice, pairwise
from typing import Literal, NamedTuple

from visual.analysis.overlay_state import (
    MOST_REPLICAS,
    Claim,
    OverlayState,
    Replica,
    Ticket,
    newest_routes,
    overlay_state,
    routes,
)
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing import fonts
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Circle, Colour, Group, Line, Point, Polygon, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.graph.placing import MOST_NODES_APART, Ring, pushed_apart
from visual.scene.options import Measures, Options, measures
from visual.scene.overlay import paths
from visual.scene.overlay.paths import ClientStyles, card_size, drawn_resources, resource_colour
from visual.words import Naming, client_text, node_name, ticket_text


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
    active = {node for path in state.paths for node in path.nodes} | {key.node for key in on_circle.named}
    active |= {
        node
        for route in shown_routes
        for hop in (*route.completed, *route.current)
        for node in (hop.sender, hop.receiver)
    }
    beside = cards(state, facts, styles, layout, theme, options)
    active |= {fact.node for fact in facts if fact.is_selected or fact.lit or fact.state != "idle"}
    drawn = [fact for fact in facts if len(facts) <= MOST_NODES_APART or fact.node in active]
    circles = [bounds(Circle(*layout.places[fact.node], sizes.radius)) for fact in drawn]
    boxes = [*marks, *circles, *(bounds(card) for card in beside if isinstance(card, Group))]
    route_names = paths.route_names(shown_routes, styles, layout, theme, sizes, boxes, size)
    return Additions(
        beneath=[
            *dial(on_circle, absent, layout, theme.name, options),
            *paths.bands(state, styles, layout, theme, sizes),
            *paths.pointers(state, layout, theme, sizes),
            *paths.route_hops(shown_routes, styles, layout, theme, sizes),
            *route_names,
        ],
        beside=beside,
        nodes=[
            fact._replace(rows=(), badge="", word=words.get(fact.node, ""))  # queues are on cards, badges on tickets
            for fact in drawn
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
    ring, theme, named = layout.circle.ring, load(theme_name), key_places.named
    spots = [
        (*one, _colour(key_places, one[0], theme)) for one in zip(named, ring.at([k.part for k in named]), strict=True)
    ]
    shapes: list[Shape] = [_tag(place, ring.middle, colour, size) for _, place, colour in spots]
    for number, (replica, place, colour) in enumerate(spots):
        name = key_places.names.replica(replica.number)
        tries = [_name(name, place, ring, theme, size, colour, k) for k in range(_TRIES)]
        occupied = [bounds(shape) for k, shape in enumerate(shapes) if k != number]
        free = (text for text in tries if not any(all(overlap(bounds(text), box)[2:]) for box in occupied))
        shapes.append(next(free, tries[0]))
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


# ---- cards -------------------------------------------------------------------------------------------------


_MOST_CHIPS = 4  # in a row; one more, and the rest is counted
_MOST_CARDS = 24
_ROW = 1.75  # the height of a row, in ems
_GAP = 0.35  # between two cells, in ems


class CardCell(NamedTuple):
    """A word in a row; replicas and resources have a filled ground."""

    kind: Literal["name", "replica", "word", "vote", "waits"]
    text: str
    colour: Colour


CardRow = tuple[CardCell, ...]


class Card(NamedTuple):
    """The rows beside one node, with their rectangle."""

    node: int
    rows: tuple[CardRow, ...]
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0


def cards(
    state: OverlayState, facts: list[NodeFacts], styles: ClientStyles, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """The cards, none on another, each joined to its node."""
    sizes, size = measures(layout, theme, options), card_size(layout, theme, options)
    fit = _Fit(not sizes.name, not sizes.word, len(layout.places) > MOST_NODES_APART)
    candidates = _written(state, facts, styles, theme, fit)
    space = Space(layout, sizes.radius, size)
    shapes: list[Shape] = []
    for card in space.placed(list(islice(candidates, _MOST_CARDS))):
        shapes += [*_joint(card, layout, theme, sizes), *_drawn(card, theme, sizes, size)]
    return shapes


# ---- contents of cards -------------------------------------------------------------------------------------


class _Fit(NamedTuple):
    """The facts that go on cards because the circle has no room for them."""

    is_named: bool  # whether cards have names
    is_worded: bool  # whether cards have states in words
    is_dense: bool  # whether only nodes that stand out have cards


def _written(
    state: OverlayState, facts: list[NodeFacts], styles: ClientStyles, theme: Theme, fit: _Fit
) -> Iterable[Card]:
    """The cards, the most informative first."""
    rows = _rows_of_replicas(state, styles, theme)
    answering = list(rows)
    for node, row in (
        *_rows_of_queues(state, styles, theme),
        *(_rows_of_claims(state, styles, theme) if fit.is_worded else ()),
    ):
        rows[node].append(row)
    stands_out = [fact.node for fact in facts if _stands_out(fact)] if fit.is_named else []
    for node in dict.fromkeys([*answering, *stands_out, *([] if fit.is_dense else rows)]):
        title = (CardCell("name", node_name(node), theme.ink),) if fit.is_named else ()
        first, *rest = rows.get(node) or [()]
        yield Card(node, ((*title, *first), *rest))


def _rows_of_replicas(state: OverlayState, styles: ClientStyles, theme: Theme) -> defaultdict[int, list[CardRow]]:
    """By node responsible for replicas, a row for each: its vote, and the tickets that wait for it."""
    queues = {(queue.node, queue.replica): queue.waiting for queue in state.queues}
    votes = {(vote.node, vote.replica): vote.ticket for vote in state.votes}
    rows: defaultdict[int, list[CardRow]] = defaultdict(list)
    few = len(state.replicas) <= MOST_REPLICAS
    for replica in state.replicas:
        at = (replica.node, replica.number)
        if not few and at not in votes:
            continue
        name = CardCell("replica", styles.names.replica(replica.number), styles.resource(replica.resource))
        if at in votes:
            vote = CardCell("vote", ticket_text(votes[at]), styles.of(votes[at], replica.resource).colour)
            rows[replica.node].append((name, vote, *_chips(queues.get(at, ()), theme)))
        else:
            word = "free" if replica.is_known else "unknown"
            rows[replica.node].append((name, CardCell("word", word, theme.muted)))
    return rows


def _rows_of_queues(state: OverlayState, styles: ClientStyles, theme: Theme) -> Iterable[tuple[int, CardRow]]:
    """The other queues, by node: for the token, or on the path to a replica."""
    voting = {(vote.node, vote.replica) for vote in state.votes}
    for queue in state.queues:
        if (queue.node, queue.replica) not in voting:
            which = () if queue.replica is not None else _marks([queue.resource], styles)
            word = "queue" if queue.replica is None else styles.names.replica(queue.replica)
            yield queue.node, (*which, CardCell("word", word, theme.muted), *_chips(queue.waiting, theme))


def _rows_of_claims(state: OverlayState, styles: ClientStyles, theme: Theme) -> Iterable[tuple[int, CardRow]]:
    """The claims, by node: inside or waiting, and for which of several resources."""
    if styles.names.has_several:
        for (node, inside), claims in groupby(state.claims, key=lambda claim: (claim.node, claim.inside)):
            word = theme.states["inside" if inside else "wanting"].word
            which = _marks([claim.resource for claim in claims], styles)
            yield node, (CardCell("word", word, theme.ink), *which)


def _marks(resources: Iterable[int], styles: ClientStyles) -> CardRow:
    """The letters of the resources, if there are several."""
    several = styles.names.has_several
    return tuple(CardCell("replica", styles.names.resource(k), styles.resource(k)) for k in resources if several)


def _stands_out(fact: NodeFacts) -> bool:
    return bool(fact.is_selected or fact.lit or fact.token or fact.state in ("inside", "wanting", "crashed", "paused"))


def _chips(waiting: tuple[int | Ticket, ...], theme: Theme) -> list[CardCell]:
    return [CardCell("waits", client_text(client), theme.edge) for client in waiting]


# ---- places of cards ---------------------------------------------------------------------------------------


def _fitted(row: CardRow, room: float, size: float) -> CardRow:
    """The row with as many waiting tickets as fit; the rest is counted. What does not fit even so is left out."""
    head = tuple(cell for cell in row if cell.kind != "waits")
    waits = row[len(head) :]
    count = len(waits) if len(waits) <= _MOST_CHIPS + 1 else _MOST_CHIPS
    cells = _counted(head, waits, count)
    while count and _row_width(cells, size) > room:
        count -= 1
        cells = _counted(head, waits, count)
    while len(cells) > 1 and _row_width(cells, size) > room:
        cells = cells[:-1]
    return cells


def _counted(head: CardRow, waits: CardRow, count: int) -> CardRow:
    hidden = waits[count:]
    more = (hidden[0]._replace(text=f"+{len(hidden)}"),) if hidden else ()
    return (*head, *waits[:count], *more)


def _row_width(row: CardRow, size: float) -> float:
    return sum(_width(cell, size) for cell in row) + _GAP * size * (len(row) - 1)


def _width(cell: CardCell, size: float) -> float:
    if cell.kind in ("name", "word"):
        return fonts.width(cell.text, size, weight="bold" if cell.kind == "name" else "normal")
    return max(fonts.width(cell.text, size, "mono", "bold") + 0.8 * size, 1.6 * size)


class Space(NamedTuple):
    """The room outside the circle, left and right of it."""

    layout: Layout
    radius: float  # of a node
    size: float  # of the text

    @property
    def outer(self) -> Ring:
        """The oval of the nodes' middles."""
        assert self.layout.circle
        return self.layout.circle.outer

    def placed(self, group: list[Card]) -> list[Card]:
        """The cards left and right of the circle, each as near to its node as the others allow."""
        middle = self.outer.middle[0]
        left = [card for card in group if self.layout.places[card.node][0] < middle]
        right = [card for card in group if self.layout.places[card.node][0] >= middle]
        return [*self._column(left, -1), *self._column(right, 1)]

    def _column(self, group: list[Card], side: int) -> list[Card]:
        group = [card._replace(h=_ROW * self.size * len(card.rows)) for card in group]
        ideal = {card: self._height_of(card) for card in group}
        group = sorted(self._fitting(group), key=lambda card: (ideal[card], card.node))
        gaps = [(one.h + other.h) / 2 + 0.3 * self.size for one, other in pairwise(group)]
        heights = self._within(pushed_apart([ideal[card] for card in group], gaps), gaps, group)
        return [self._at(card, y, side) for card, y in zip(group, heights, strict=True)]

    def _fitting(self, group: list[Card]) -> list[Card]:
        """The first of the cards, as many as fit below each other."""
        ends = accumulate(card.h + 0.3 * self.size for card in group)
        return [card for card, end in zip(group, ends, strict=True) if end + 0.3 * self.size <= self.layout.rect.h]

    def _within(self, heights: list[float], gaps: list[float], group: list[Card]) -> list[float]:
        """The ascending heights of the cards' middles, moved until all cards are within the picture."""
        if not group:
            return []
        rect, middles, edge = self.layout.rect, list(heights), 0.3 * self.size
        middles[0] = max(middles[0], rect.y + edge + group[0].h / 2)
        for k, gap in enumerate(gaps):
            middles[k + 1] = max(middles[k + 1], middles[k] + gap)
        middles[-1] = min(middles[-1], rect.y + rect.h - edge - group[-1].h / 2)
        for k, gap in reversed(list(enumerate(gaps))):
            middles[k] = min(middles[k], middles[k + 1] - gap)
        return middles

    def _height_of(self, card: Card) -> float:
        """The ideal height of a card's middle: beside its node, above it at the top, below it at the bottom."""
        y = self.layout.places[card.node][1]
        steep = (y - self.outer.middle[1]) / self.outer.b
        return y + steep**3 * (self.radius + 0.4 * self.size + card.h / 2)

    def _at(self, card: Card, y: float, side: int) -> Card:
        """The card at a height, with as much in it as fits."""
        rect = self.layout.rect
        inner = self._beside(card, y)
        left, right = rect.x, rect.x + rect.w
        mirrored = 2 * self.outer.middle[0] - inner
        room = right - inner if side > 0 else mirrored - left
        rows = tuple(_fitted(row, room, self.size) for row in card.rows)
        width = max(_row_width(row, self.size) for row in rows)
        x = inner if side > 0 else mirrored - width
        return card._replace(rows=rows, x=min(max(x, left), right - width), y=y - card.h / 2, w=width)

    def _beside(self, card: Card, y: float) -> float:
        """The inner edge of a card at a height, outside all nodes, on the right-hand side."""
        outer = self.outer.grown(1.15 * self.radius + 0.5 * self.size)
        nearest = max(0.0, abs(y - outer.middle[1]) - card.h / 2)
        wide = outer.a * math.sqrt(max(0.0, 1 - (nearest / outer.b) ** 2))
        own = abs(self.layout.places[card.node][0] - outer.middle[0]) - 0.6 * self.size
        return outer.middle[0] + max(wide, own)


# ---- shapes of cards ---------------------------------------------------------------------------------------


def _joint(card: Card, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    """A thin line from the node to a card that is far from it."""
    x, y = layout.places[card.node]
    near = (min(max(x, card.x), card.x + card.w), min(max(y, card.y), card.y + card.h))
    length = math.dist((x, y), near)
    if length < 2.2 * sizes.radius:
        return []
    share = sizes.radius / length
    return [Line(x + (near[0] - x) * share, y + (near[1] - y) * share, *near, theme.edge, 0.7 * sizes.edge)]


def _drawn(card: Card, theme: Theme, sizes: Measures, size: float) -> list[Shape]:
    shapes: list[Shape] = []
    for place, row in enumerate(card.rows):
        x, y = card.x, card.y + _ROW * size * (place + 0.5)
        for cell in row:
            width = _width(cell, size)
            shapes += _cell(cell, x, y, width, theme, sizes, size)
            x += width + _GAP * size
    return [Group(tuple(shapes), id=f"node:{card.node}")]


def _cell(cell: CardCell, x: float, y: float, width: float, theme: Theme, sizes: Measures, size: float) -> list[Shape]:
    if cell.kind in ("name", "word"):
        weight: fonts.Weight = "bold" if cell.kind == "name" else "normal"
        return [Text(x, y, cell.text, size, cell.colour, weight, baseline="middle", halo=theme.paper)]
    filled = cell.kind == "replica"
    fill, ink = (cell.colour, theme.paper) if filled else (theme.card, theme.ink)
    line = sizes.edge * (1.8 if cell.kind == "vote" else 0.9)
    weight = "normal" if cell.kind == "waits" else "bold"
    box = Box(x, y - 0.75 * size, width, 1.5 * size, fill, None if filled else cell.colour, line, 0.35 * size)
    return [box, Text(x + width / 2, y, cell.text, size, ink, weight, "mono", "middle", "middle")]
