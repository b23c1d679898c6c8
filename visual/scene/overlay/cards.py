"""Cards outside the circle of identifiers: votes and queues of replicas, other queues, claims, and names."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate, groupby, islice, pairwise
from typing import Literal, NamedTuple

from visual.analysis.overlay_state import MOST_REPLICAS, OverlayState, Ticket
from visual.drawing import fonts
from visual.drawing.shapes import Box, Colour, Group, Line, Shape, Text
from visual.drawing.theme import Theme
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.graph.placing import MOST_NODES_APART, Ring, pushed_apart
from visual.scene.options import Measures, Options, measures
from visual.scene.overlay.paths import ClientStyles, card_size
from visual.words import client_text, node_name, ticket_text

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


# ---- contents ----------------------------------------------------------------------------------------------


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


# ---- places ------------------------------------------------------------------------------------------------


def _fitted(row: CardRow, room: float, size: float) -> CardRow:
    """The row with as many waiting tickets as fit; the rest is counted."""
    head = tuple(cell for cell in row if cell.kind != "waits")
    waits = row[len(head) :]
    count = len(waits) if len(waits) <= _MOST_CHIPS + 1 else _MOST_CHIPS
    cells = _counted(head, waits, count)
    while count and _row_width(cells, size) > room:
        count -= 1
        cells = _counted(head, waits, count)
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


# ---- shapes ------------------------------------------------------------------------------------------------


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
