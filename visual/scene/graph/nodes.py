"""Nodes as shapes. A state shows in four ways at once: fill, ring, word and glyph.

What a node believes (which node it takes for the leader) is drawn on the node that believes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from visual.drawing import fonts, icons
from visual.drawing.picking import bounds, is_inside, is_near, meet, middle_of
from visual.drawing.shapes import Box, Circle, Dash, Group, Point, Rect, Shape, Text, with_pitch
from visual.drawing.theme import FamilyLook, Ring, StateLook, Theme, load
from visual.narration.node_facts import FOLLOWER, GROWN, LEADER, ChipRow, NodeFacts, fate_of
from visual.scene.graph.layout import FreeSide, Layout
from visual.scene.options import FEW_NODES, HALF_CAPITAL, Measures, Options, measures
from visual.words import node_name

_BUBBLE = 0.2  # of a belief's height: the bubble above it
_WRITTEN = 0.5  # from a node's middle to the end of its lettering, upwards and to the right, in radii
_OUTER = 1.35  # from a node's middle to its word beside the circle, clear of rings, in radii
_OFF_A_TOKEN = 0.6  # how far to the right of its middle the word above a node with a token is, in radii
_OFF = 0.04  # from a name to the ring around it, in radii
PITCH = 3.7  # of a pattern, in strokes
_LINE = 0.86  # the size of a name in two lines, in radii
_TOGETHER = 20  # nodes in one group of a crowd


class NodeStyle(NamedTuple):
    """The part of a node's look that does not follow from its facts."""

    theme: str
    measures: Measures
    is_plain: bool  # whether names go without the letter, for want of room


def nodes(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """One group for each node in `facts`, with a key that changes only with its picture."""
    sizes = measures(layout, theme, options)
    plain = fonts.width(node_name(layout.graph.nodes - 1), sizes.name, weight="bold") > 1.7 * sizes.radius
    if layout.circle:  # tokens pass behind the names of other nodes, which may be near
        facts = sorted(facts, key=lambda fact: not fact.token)
    return [
        _node(
            _as_drawn(fact, bool(sizes.badge)),
            NodeStyle(theme.name, sizes, plain),
            layout.places[fact.node],
            _side_of_chips(fact, layout, sizes),
        )
        for fact, sizes in _as_room_allows(facts, layout, theme, options)
    ]


def _side_of_chips(fact: NodeFacts, layout: Layout, sizes: Measures) -> FreeSide | None:
    """The side for the chips beside a node; None if it has none that are drawn."""
    return layout.free_sides[fact.node] if fact.rows and sizes.chip else None


def crowd(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """The nodes of a large system in groups of a few: most groups stay the same from step to step."""
    sizes = measures(layout, theme, options)
    visible = [_as_drawn(fact, bool(sizes.badge)) for fact in facts]
    parts = (tuple(visible[first : first + _TOGETHER]) for first in range(0, len(visible), _TOGETHER))
    return [_crowded(part, layout, theme.name, options) for part in parts]


@lru_cache(maxsize=2048)
def _crowded(facts: tuple[NodeFacts, ...], layout: Layout, theme: str, options: Options) -> Group:
    """One group of nodes; its key is new, and stays while the nodes stay the same."""
    return Group(tuple(nodes(list(facts), layout, load(theme), options)), key=("crowd", object()))


@lru_cache(maxsize=4096)  # in a crowd most nodes look as in the previous step
def _as_drawn(fact: NodeFacts, has_badge: bool) -> NodeFacts:
    """The facts without those drawn beneath the node, on an edge, or not at all for want of room."""
    if not has_badge and fact.badge:
        fact = fact._replace(badge=GROWN if fact.badge.endswith(GROWN) else "")
    is_plain = not (fact.lit or fact.suspects or fact.pointers or fact.region or fact.group >= 0 or fact.ends)
    return fact if is_plain else fact._replace(lit="", suspects=(), pointers=(), region=(), group=-1, ends=())


def lights(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The light behind the nodes that take part in the present step."""
    sizes = measures(layout, theme, options)
    edge = theme.accent if theme.name == "print" else None
    return [
        Circle(
            *layout.places[fact.node],
            1.42 * sizes.radius,
            theme.lit if fact.lit == "sent" else theme.lit_now,
            edge,
            sizes.stroke / 3,
        )
        for fact in facts
        if fact.lit
    ]


@lru_cache(maxsize=8192)
def _node(fact: NodeFacts, style: NodeStyle, place: Point, free_side: FreeSide | None) -> Group:
    """The group of one node at its place."""
    theme, sizes = load(style.theme), style.measures
    state = look_of(fact.state, theme)
    shapes: list[Shape] = [
        *_selection(fact, theme, sizes),
        *ring(state, sizes.radius, sizes.stroke),
        *_lettering(fact, state, style),
        *_corners(fact, theme, sizes),
    ]
    if box := _outer_word_box(fact, free_side, state, sizes):
        shapes += _outer_word(box, _word(fact, state), theme, sizes)
    if free_side:
        shapes += _chips(fact, free_side, theme, sizes)
    return Group(tuple(shapes), place[0], place[1], key=(fact, style, free_side), id=f"node:{fact.node}")


UNKNOWN = "unknown"  # the state of another node, in the view of one


def look_of(state: str, theme: Theme) -> StateLook:
    """The theme's look of a state or a role; one that is absent or unknown is an outline."""
    if state in theme.states:
        return theme.states[state]
    states, families = theme.states, theme.families
    like: Mapping[str, tuple[StateLook | FamilyLook, Ring, str]] = {
        "asleep": (states["idle"], "dotted", "asleep"),
        "participant": (states["wanting"], "thick", "electing"),
        "relay": (states["idle"], "dashed", "relay"),
        "awaiting answers": (families["token"], "dashed", "answers?"),
        "awaiting coordinator": (families["deny"], "dotted", "leader?"),
        LEADER: (states["inside"], "double", LEADER),
        FOLLOWER: (states["idle"], "thin", FOLLOWER),
    }
    if state not in ("absent", UNKNOWN):  # an author's own role is a word
        base, style, word = like.get(state, (states["wanting"], "thick", state))
        fill, halo = (theme.lit, None) if state == FOLLOWER and theme.lit != theme.paper else (base.fill, base.halo)
        edge = states["idle"].ring
        return StateLook(fill, base.ink, edge, states["inside"].outer, halo, style, word, "")
    return theme.states["idle"]._replace(ink=theme.muted, ring=theme.edge, ring_style="dotted", word=state)


def _selection(fact: NodeFacts, theme: Theme, sizes: Measures) -> list[Shape]:
    if not fact.is_selected:
        return []
    width = sizes.selection
    return [Circle(0, 0, 1.32 * sizes.radius, None, theme.accent, width, (width, 2 * width))]


def ring(look: StateLook, radius: float, stroke: float) -> list[Shape]:
    """The circle of a node in a state: thin, thick, double, dashed or dotted."""
    widths: dict[str, tuple[float, Dash]] = {
        "thin": (stroke, ()),
        "thick": (2 * stroke, ()),
        "double": (stroke, ()),
        "dashed": (1.3 * stroke, (2.6 * stroke, 2 * stroke)),
        "dotted": (1.3 * stroke, (stroke, 1.6 * stroke)),
    }
    width, dash = widths[look.ring_style]
    shapes: list[Shape] = [Circle(0, 0, radius, with_pitch(look.fill, PITCH * stroke), look.ring, width, dash)]
    if look.ring_style == "double":
        shapes.append(Circle(0, 0, radius + 3 * stroke, None, look.outer or look.ring, 1.6 * stroke))
    return shapes


def _lettering(fact: NodeFacts, look: StateLook, style: NodeStyle) -> list[Shape]:
    """Name, label and state inside the circle."""
    sizes = style.measures
    if not sizes.name:
        return []
    own = str(fact.node) if style.is_plain else node_name(fact.node)
    name = f"{own}: {fact.identity}" if fact.identity else own
    name_at, word_at = (at * sizes.radius if sizes.word else 0.0 for at in sizes.lines)
    size = fonts.shrink(name, 1.8 * sizes.radius, sizes.name, max(sizes.name / 2, sizes.least_word), weight="bold")
    behind: list[Shape] = []
    if fact.identity and not sizes.word and size < (line := _LINE * sizes.radius):
        two = ((-0.64, f"{own}:"), (0.46, fact.identity))  # clear of a badge
        return [_written(y * line, text, fonts.shrink(text, 1.7 * sizes.radius, line, 0.0), look) for y, text in two]
    if fact.identity:
        name_at, size, fits = _off_the_ring(name, name_at, sizes)
        behind = [] if fits else [_band(name_at, name, size, look, sizes)]
    if not sizes.word:
        return [*behind, _written(0, name, size, look)]
    word, word_size = _word(fact, look), _word_size(fact, look, sizes)
    upper: list[Shape] = [*behind, _written(name_at, name, size, look)]
    if fact.label:
        label = fonts.shorten(fact.label, 1.75 * sizes.radius, sizes.word, weight="bold")
        y = 0.02 * sizes.radius
        upper = [_written(-0.48 * sizes.radius, name, 0.75 * size, look), *_plate(y, label, sizes.word, look)]
        upper.append(_written(y, label, sizes.word, look))
    is_band = _band_box(fact, look, sizes) is not None
    plate = [_band(word_at, word, word_size, look, sizes)] if is_band else _plate(word_at, word, word_size, look)
    return [*upper, *plate, _written(word_at, word, word_size, look)]


def _off_the_ring(name: str, y: float, sizes: Measures) -> tuple[float, float, bool]:
    """The height and size of a long name on the baseline of others, and whether its capitals keep off the ring."""
    r, size, room = sizes.radius, sizes.name, 0.0
    for _ in range(5):  # a smaller one is where the circle is wider
        top = max(HALF_CAPITAL * (2 * size - sizes.name) - y, HALF_CAPITAL * size)
        room = 2 * (math.sqrt(max(r**2 - top**2, 0.0)) - sizes.stroke - _OFF * r)
        size = fonts.shrink(name, room, sizes.name, max(sizes.name / 2, sizes.least_word), weight="bold")
    return y + HALF_CAPITAL * (sizes.name - size), size, fonts.width(name, size, weight="bold") <= room + 1


def _word_size(fact: NodeFacts, look: StateLook, sizes: Measures) -> float:
    return fonts.shrink(_word(fact, look), sizes.word_room, sizes.word, sizes.least_word, weight="bold")


def _band_box(fact: NodeFacts, look: StateLook, sizes: Measures) -> Rect | None:
    """The box of the state's word, where that is wider than the circle; relative to the node."""
    size = _word_size(fact, look, sizes) if sizes.word else 0.0
    width = fonts.width(_word(fact, look), size, weight="bold")
    if width <= sizes.word_room + 1:
        return None
    return bounds(_band(sizes.lines[1] * sizes.radius, _word(fact, look), size, look, sizes._replace(stroke=0.0)))


def _band(y: float, words: str, size: float, look: StateLook, sizes: Measures) -> Box:
    """The ground of words wider than the circle."""
    width, height = fonts.width(words, size, weight="bold") + 0.5 * size, 1.15 * size
    fill = look.halo or look.fill
    return Box(-width / 2, y - height / 2, width, height, fill, look.ring, sizes.stroke / 2, height / 3)


def _word(fact: NodeFacts, look: StateLook) -> str:
    usual = fact.word or look.word
    return f"{usual} +{fact.held}" if fact.held else usual


def _outer_word_box(fact: NodeFacts, free_side: FreeSide | None, look: StateLook, sizes: Measures) -> Rect | None:
    """The box of the state's word beside the circle: above it, or at a side if something else is above."""
    size, r = sizes.outer_word, sizes.radius
    if not (size and sizes.name):
        return None
    width, height = fonts.width(_word(fact, look), size, weight="bold") + 0.3 * size, size
    side = free_side.side if free_side else ""
    if side == "above" or fact.is_leader or fact.backlog:
        return Rect(_OUTER * r if side == "left" else -_OUTER * r - width, -height / 2, width, height)
    return Rect((_OFF_A_TOKEN * r if fact.token else 0.0) - width / 2, -_OUTER * r - height, width, height)


def _outer_word(box: Rect, word: str, theme: Theme, sizes: Measures) -> list[Shape]:
    text = Text(*middle_of(box), word, sizes.outer_word, theme.ink, "bold", "sans", "middle", "middle", theme.paper)
    return [Box(*box, theme.paper, radius=0.3 * sizes.outer_word), text]


def _plate(y: float, word: str, size: float, look: StateLook) -> list[Shape]:
    """A plain ground for small letters on a pattern."""
    if not look.halo:
        return []
    width, height = fonts.width(word, size, weight="bold") + 0.3 * size, 0.95 * size
    return [Box(-width / 2, y - height / 2, width, height, look.halo, radius=height / 3)]


def _written(y: float, text: str, size: float, look: StateLook) -> Text:
    """A text centred in a node at a height."""
    return Text(0, y, text, size, look.ink, "bold", "sans", "middle", "middle", look.halo)


def _badge_place(sizes: Measures, low: float) -> Point:
    """The middle of a badge, clear of the word in the circle."""
    r, half = sizes.radius, TAG_HEIGHT / 2 * sizes.badge
    return max(1.02 * r, 0.45 * r + 0.9 * sizes.badge), max(0.95 * r, low * r + half, _below_word(sizes) + half)


def _below_word(sizes: Measures) -> float:
    """The height in a node where the capitals of its word end."""
    return sizes.lines[1] * sizes.radius + HALF_CAPITAL * sizes.word


def corner_boxes(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[tuple[int, Rect]]:
    """The small boxes at the corners of the nodes: (node, rectangle) pairs."""
    boxes: list[tuple[int, Rect]] = []
    for fact, sizes in _as_room_allows(facts, layout, theme, options):
        look, side = look_of(fact.state, theme), _side_of_chips(fact, layout, sizes)
        corners = _badge_box(fact, sizes), _backlog_box(fact, sizes), _belief_box(fact, sizes)
        words = _outer_word_box(fact, side, look, sizes), _band_box(fact, look, sizes)
        boxes += ((fact.node, _moved(box, layout.places[fact.node])) for box in (*corners, *words) if box)
    return boxes


def _moved(box: Rect, place: Point) -> Rect:
    return box._replace(x=box.x + place[0], y=box.y + place[1])


# ---- what there is room for --------------------------------------------------------------------------------

_IMPORTANT = ("inside", LEADER, "crashed")  # states whose words come first
Allowed: TypeAlias = tuple[NodeFacts, Measures]


def _as_room_allows(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Allowed]:
    """The facts and sizes of each node, without what would reach another if it `spares`, or words of many idle ones."""
    sizes = measures(layout, theme, options)
    if not sizes.spares:
        return [(fact, sizes) for fact in facts]
    tokens = ((fact.node, _token_box(fact, sizes)) for fact in facts)
    room = _Room(layout, [(node, _moved(box, layout.places[node])) for node, box in tokens if box])
    wordless: set[int] = set()
    for fact in sorted(facts, key=lambda fact: fact.state not in _IMPORTANT):
        look, side = look_of(fact.state, theme), _side_of_chips(fact, layout, sizes)
        is_plain = len(layout.places) > FEW_NODES and fact.state == "idle" and not fact.held
        box = _band_box(fact, look, sizes) or _outer_word_box(fact, side, look, sizes)
        if is_plain or not room.takes(fact.node, box):
            wordless.add(fact.node)
    allowed: list[Allowed] = []
    for fact in facts:
        own = sizes._replace(word=0.0, outer_word=0.0) if fact.node in wordless else sizes
        if not room.takes(fact.node, _badge_box(fact, own)):
            own = own._replace(badge=0.0)
        if not room.takes(fact.node, _belief_box(fact, own)):
            fact = fact._replace(leader_name="")
        if not room.takes(fact.node, _backlog_box(fact, own)):
            fact = fact._replace(backlog=0)
        if side := _side_of_chips(fact, layout, own):
            kinds = [fact, fact._replace(rows=tuple(row._replace(name="") for row in fact.rows))]
            those = (kind for kind in kinds if room.takes(fact.node, *map(bounds, _chips(kind, side, theme, own))))
            fact = next(those, fact._replace(rows=()))
        allowed.append((fact, own))
    return allowed


class _Room:
    """The picture with its nodes and the boxes beside them."""

    def __init__(self, layout: Layout, boxes: list[tuple[int, Rect]]) -> None:
        self._layout, self._boxes = layout, boxes

    def takes(self, node: int, *boxes: Rect | None) -> bool:
        """Whether boxes of a node are in the picture and clear of all others, and if so, keep the room for them."""
        places, rect, radius = self._layout.places, self._layout.rect, self._layout.radius
        moved = [_moved(box, places[node]) for box in boxes if box]
        if not moved:
            return True
        others = [place for other, place in enumerate(places) if other != node]
        is_free = all(is_inside(box, rect) and not is_near(box, others, radius) for box in moved)
        taken = [box for owner, box in self._boxes if owner != node]
        is_free = is_free and not any(meet(box, other) for box in moved for other in taken)
        self._boxes += ((node, box) for box in moved if is_free)
        return is_free


def _badge_box(fact: NodeFacts, sizes: Measures) -> Rect | None:
    place = _badge_place(sizes, 0.72 if fact.identity else 0.62)  # a name may have two lines
    return tag_box(place, fact.badge, sizes.badge) if fact.badge and sizes.badge else None


def _backlog_box(fact: NodeFacts, sizes: Measures) -> Rect | None:
    """The backlog's box, clear of the name."""
    if not (fact.backlog and sizes.chip):
        return None
    r, (_, _, w, h) = sizes.radius, tag_box((0, 0), f"+{fact.backlog}", sizes.chip)
    top = max(_WRITTEN * r, HALF_CAPITAL * sizes.name - sizes.lines[0] * r)
    x, y = max(r, _WRITTEN * r + w / 2), -max(0.85 * r, top + h / 2)
    return Rect(x - w / 2, y - h / 2, w, h)


def _belief_box(fact: NodeFacts, sizes: Measures) -> Rect | None:
    """The belief's box, clear of the word."""
    if not (fact.leader_name and sizes.chip):
        return None
    r, (w, h) = sizes.radius, icons.belief_size(fact.leader_name, sizes.chip)
    x, y = -max(1.05 * r, 0.3 * r + w / 2), max(r, 0.74 * r + h / 2, _below_word(sizes) + (_BUBBLE + 0.5) * h)
    return Rect(x - w / 2, y - h / 2, w, h)


def _token_box(fact: NodeFacts, sizes: Measures) -> Rect | None:
    """The box of a token, clear of the name."""
    if not fact.token:
        return None
    r, reach = sizes.radius, max(0.44 * sizes.radius, 0.6 * sizes.label)
    wide = fonts.width(node_name(fact.node), sizes.name, weight="bold") / 2
    off_name = (min(wide, 0.9 * r) + HALF_CAPITAL * sizes.name - sizes.lines[0] * r + reach) / 2
    off = -max(0.88 * r, 0.62 * r + 0.7 * reach, off_name)
    return Rect(off - reach, off - reach, 2 * reach, 2 * reach)


def _corners(fact: NodeFacts, theme: Theme, sizes: Measures) -> list[Shape]:
    """Badge lower right, backlog upper right, belief lower left, token upper left, crown on top."""
    r, shapes = sizes.radius, []
    if box := _badge_box(fact, sizes):
        shapes += tag(middle_of(box), fact.badge, sizes.badge, theme, sizes)
    elif fact.badge.endswith(GROWN):
        shapes += icons.rise((0.95 * r, max(0.85 * r, _below_word(sizes) + 0.5 * r)), 0.42 * r, theme, sizes.stroke)
    if box := _backlog_box(fact, sizes):
        shapes += tag(middle_of(box), f"+{fact.backlog}", sizes.chip, theme, sizes)
    if box := _belief_box(fact, sizes):
        shapes += icons.belief(middle_of(box), fact.leader_name, sizes.chip, theme)
    if box := _token_box(fact, sizes):
        shapes += icons.token(middle_of(box), box.w / 2, fate_of(fact), theme, sizes.stroke)
    if fact.is_leader:
        shapes += icons.crown((0, -1.28 * r), 0.46 * r, theme, sizes.stroke)
    if fact.state == "crashed" and not fact.token:
        shapes += icons.cross((-1.0 * r, -0.85 * r), 0.2 * r, theme.fault, 1.4 * sizes.stroke)
    return shapes


TAG_HEIGHT = 1.4  # of a value's box, in ems

_MOST = 4  # chips in a row; one more, and the rest is counted
_GAP = 0.35  # between two chips, in ems
_FAR = 1.5  # from the node's middle to the row, in radii
_CLOSER = 0.5  # how much nearer than the row its name may begin if it lacks room, in radii of a node
_LOWERED = 0.55  # in the lower half of the picture rows are lower, off the badge of the node above, in ems
_HALF = 0.85  # of a chip's height, in ems
_ROOMY = 9.0  # radii to either side of chips above or below a node: enough for chips on one side alone
_SHOULDER_HIGH, _SHOULDER_LOW = 1.4, 0.9  # how far above or below the node's middle its chips are there, in ems
_SHOULDER_ROW = 2.1  # … and from one row to the next
_ROW_ASIDE = 3.3  # from one row down to the next at a side of a node, in ems
_SUNK = 0.45  # … of which the first of two rows is lower in the lower half, off the circle of the node above
_BETWEEN_ROWS = 1.4  # from one row to the next on one line, in ems
_DIAGONAL = 0.62  # of its distance: how far aside and down chips between two links of a hub begin


def tag(middle: Point, text: str, size: float, theme: Theme, sizes: Measures) -> list[Shape]:
    """A small box with a value, as at a node's corner."""
    box = Box(*tag_box(middle, text, size), theme.card, theme.ink, 0.66 * sizes.stroke, 0.3 * size)
    return [box, Text(*middle, text, size, theme.ink, "bold", "mono", "middle", "middle")]


def tag_box(middle: Point, text: str, size: float) -> Rect:
    """The rectangle of such a box."""
    height = TAG_HEIGHT * size
    width = max(fonts.width(text, size, "mono", "bold") + 1.1 * size, 1.2 * height)
    return Rect(middle[0] - width / 2, middle[1] - height / 2, width, height)


def _chips(fact: NodeFacts, free_side: FreeSide, theme: Theme, sizes: Measures) -> list[Shape]:
    """The rows of chips: one below the other at a side of the node, else side by side; clear of badge and belief."""
    size, rows = sizes.chip, fact.rows
    badge, belief = _badge_box(fact, sizes), _belief_box(fact, sizes)
    far = _FAR * sizes.radius
    if free_side.side in ("left", "right"):
        step = (_SHOULDER_ROW if free_side.shoulder else _ROW_ASIDE) * (-size if free_side.low else size)
        sunk = _SUNK * (len(rows) - 1) if free_side.low and not free_side.shoulder else 0.0
        offsets = [(0.0, (place - sunk) * step) for place in range(len(rows))]
        if badge and free_side.side == "right":
            far = max(far, badge.x + badge.w + _GAP * size)
        if band := _band_box(fact, look_of(fact.state, theme), sizes):
            far = max(far, band.w / 2 + _GAP * size)
    else:
        gap, reach = _BETWEEN_ROWS * size, free_side.room / 2
        right = reach
        if badge and not belief and reach >= _ROOMY * sizes.radius:
            right, badge = badge.x - _GAP * size, None  # beside the badge rather than below it
        free_side = free_side._replace(room=(reach + right - gap * (len(rows) - 1)) / len(rows))
        widths = [_width(_fitting(row, free_side, 0.0, size), size) + fonts.width(row.name, size) for row in rows]
        lefts = [sum(widths[:place]) + gap * place for place in range(len(rows))]
        whole = sum(widths) + gap * (len(rows) - 1)
        middle = max(whole / 2, whole - right)
        offsets = [(left + width / 2 - middle, 0.0) for left, width in zip(lefts, widths, strict=True)]
        if free_side.side == "below":
            far = max([far, *(box.y + box.h + _HALF * size for box in (badge, belief) if box)])
    drawn = [chips_row(row, free_side, far, theme, sizes, at) for row, at in zip(rows, offsets, strict=True)]
    return [shape for row in drawn for shape in row]


def chips_row(
    row: ChipRow, free_side: FreeSide, far: float, theme: Theme, sizes: Measures, moved: Point
) -> list[Box | Text]:
    """The row and its name on the free side of a node, if there is room; the head of a queue is outlined.

    It is `far` from the node's middle, and then `moved` by that much.
    """
    size, name, is_queue = sizes.chip, row.name, row.is_queue
    texts = _fitting(row, free_side, far, size)
    if not texts:
        return []
    x, y, title = _place(name, _width(texts, size), free_side, theme, far, size)
    x, y, title = x + moved[0], y + moved[1], title._replace(x=title.x + moved[0], y=title.y + moved[1])
    lacking = max(0.0, fonts.width(name, size) - _title_room(texts, free_side, far, size))
    shapes: list[Box | Text] = [*_closer(title, lacking, free_side, sizes)]
    for place, text in enumerate(texts):
        head, width = is_queue and place == 0, _chip_width(text, size)
        stroke, line = (theme.ink, sizes.stroke) if head else (theme.edge, 0.6 * sizes.stroke)
        shapes.append(Box(x, y - _HALF * size, width, 2 * _HALF * size, theme.card, stroke, line, 0.4 * size))
        weight: fonts.Weight = "bold" if head else "normal"
        shapes.append(Text(x + width / 2, y, text, size, theme.ink, weight, "mono", "middle", "middle"))
        x += width + _GAP * size
    return shapes


def _closer(title: Text, lacking: float, free_side: FreeSide, sizes: Measures) -> list[Text]:
    """The name of a row moved towards the node by the room it lacks; nothing if that is too much."""
    if not lacking:
        return [title]
    if free_side.side not in ("left", "right") or lacking > _CLOSER * sizes.radius:
        return []
    return [title._replace(x=title.x + (lacking if free_side.side == "left" else -lacking))]


def _fitting(row: ChipRow, free_side: FreeSide, far: float, size: float) -> list[str]:
    """As many chips as fit, the last of which counts the others; of an array all, or none."""
    chips, aside, name = row.chips, free_side.side in ("left", "right"), fonts.width(row.name, size)
    room = free_side.room - (far if aside else name) - (name + 0.5 * size if free_side.shoulder else 0.0)
    if row.is_array:
        return list(chips) if _width([*chips], size) <= room else []
    count = len(chips) if len(chips) <= _MOST + 1 else _MOST
    while count > 1 and _width(_counted(chips, count), size) > room:
        count -= 1
    longest = room - (_width(_counted(chips, count)[1:], size) if count < len(chips) else 0.0) - 2 * size
    first = fonts.shorten(chips[0], max(longest, 2 * size), size, "mono", "bold")
    for texts in ([first, *_counted(chips, count)[1:]], [f"+{len(chips)}"]):
        if _width(texts, size) <= room:
            return texts
    return []


def _counted(chips: tuple[str, ...], count: int) -> list[str]:
    rest = len(chips) - count
    return [*chips[:count], f"+{rest}"] if rest else list(chips)


def _width(texts: list[str], size: float) -> float:
    return sum(_chip_width(text, size) for text in texts) + _GAP * size * (len(texts) - 1)


def _chip_width(text: str, size: float) -> float:
    return max(fonts.width(text, size, "mono", "bold") + 0.9 * size, 1.8 * size)


def _title_room(texts: list[str], free_side: FreeSide, far: float, size: float) -> float:
    """The room for the name of a row."""
    if free_side.shoulder:
        return free_side.room - far - _width(texts, size) - 0.5 * size
    if free_side.side in ("left", "right"):
        return free_side.room - far
    return free_side.room - _width(texts, size) - 1.5 * size


def _place(
    name: str, width: float, free_side: FreeSide, theme: Theme, far: float, size: float
) -> tuple[float, float, Text]:
    """The beginning of the row, the height of its middle, and its name."""
    side = free_side.side
    if free_side.shoulder:
        x, y = -far - width, (_SHOULDER_LOW if free_side.low else -_SHOULDER_HIGH) * size
        return x, y, Text(x - 0.5 * size, y, name, size, theme.muted, anchor="end", baseline="middle", halo=theme.paper)
    if side in ("left", "right"):
        drop = _DIAGONAL * far + _HALF * size if free_side.diagonal else _LOWERED * size
        far *= _DIAGONAL if free_side.diagonal else 1.0
        x, y = far if side == "right" else -far - width, drop if free_side.low else 0.0
        inner: Literal["start", "end"] = "start" if side == "right" else "end"
        name_at, base = far if side == "right" else -far, y + (1.85 if free_side.low else -1.2) * size
        return x, y, Text(name_at, base, name, size, theme.muted, anchor=inner, halo=theme.paper)
    before = fonts.width(name, size) + 0.5 * size
    x, y = (before - width) / 2, (far + 0.15 * size) * (1 if side == "below" else -1)
    return x, y, Text(x - 0.5 * size, y, name, size, theme.muted, anchor="end", baseline="middle", halo=theme.paper)
