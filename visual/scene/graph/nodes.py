"""Nodes as shapes. A state shows in four ways at once: fill, ring, word and glyph.

What a node believes (whom it takes for the leader) is drawn on the node that believes it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from visual.drawing import fonts, glyphs
from visual.drawing.picking import middle_of
from visual.drawing.shapes import Box, Circle, Dash, Group, Point, Rect, Shape, Text, with_pitch
from visual.drawing.theme import StateLook, Theme, load
from visual.narration.node_facts import GROWN, Facts, fate_of
from visual.scene.graph.chips import TAG_HEIGHT, Row, chips_row, tag, tag_box
from visual.scene.graph.layout import Layout, WayOut
from visual.scene.options import Measures, Options, measures
from visual.words.names import node_name

_WRITTEN = 0.5  # from a node's middle as far as there is something written, upwards and to the right, in radii
PITCH = 3.7  # of a pattern, in strokes
_TOGETHER = 20  # nodes in one group of a crowd


class Look(NamedTuple):
    """What the facts do not say but the picture depends on."""

    theme: str
    measures: Measures
    plain: bool  # whether names go without the letter, for want of room


def nodes(facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """One group for each node of which there are facts; its key changes only with what is drawn on it."""
    sizes = measures(layout, theme, options)
    plain = _too_narrow(layout.graph.nodes, sizes)
    look = Look(theme.name, sizes, plain)
    drawn = (_as_drawn(seen, bool(sizes.badge)) for seen in facts)
    return [_node(seen, look, layout.places[seen.node], _way_of_chips(seen, layout, sizes)) for seen in drawn]


def _way_of_chips(seen: Facts, layout: Layout, sizes: Measures) -> WayOut | None:
    """Where the chips beside a node go, if it has any that are drawn."""
    return layout.ways_out[seen.node] if seen.chips and sizes.chip else None


def crowd(facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """The nodes of a large system, a few in a group: most of them stay as they are from one step to the next."""
    sizes = measures(layout, theme, options)
    drawn = [_as_drawn(seen, bool(sizes.badge)) for seen in facts]
    parts = (tuple(drawn[first : first + _TOGETHER]) for first in range(0, len(drawn), _TOGETHER))
    return [_crowded(part, layout, theme.name, options) for part in parts]


@lru_cache(maxsize=2048)
def _crowded(facts: tuple[Facts, ...], layout: Layout, theme: str, options: Options) -> Group:
    """Some of the nodes; the key is new, and the same for as long as they are."""
    return Group(tuple(nodes(list(facts), layout, load(theme), options)), key=("crowd", object()))


@lru_cache(maxsize=4096)  # in a crowd most nodes look as they did in the step before
def _as_drawn(seen: Facts, has_badge: bool) -> Facts:
    """Without what is drawn beneath the node, on an edge, or not at all for want of room."""
    if not has_badge and seen.badge:
        seen = seen._replace(badge=GROWN if seen.badge.endswith(GROWN) else "")
    return seen._replace(lit="", suspects=()) if seen.lit or seen.suspects else seen


def lights(facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The light behind the nodes that have a part in the present step."""
    sizes = measures(layout, theme, options)
    edge = theme.accent if theme.name == "print" else None
    return [
        Circle(
            *layout.places[seen.node],
            1.42 * sizes.radius,
            theme.lit if seen.lit == "sent" else theme.lit_now,
            edge,
            sizes.stroke / 3,
        )
        for seen in facts
        if seen.lit
    ]


def _too_narrow(nodes: int, sizes: Measures) -> bool:
    return fonts.width(node_name(nodes - 1), sizes.name, weight="bold") > 1.7 * sizes.radius


@lru_cache(maxsize=8192)
def _node(seen: Facts, look: Look, place: Point, way_out: WayOut | None) -> Group:
    """The node at its place."""
    theme, sizes = load(look.theme), look.measures
    state = look_of(seen.state, theme)
    shapes: list[Shape] = [
        *_selection(seen, theme, sizes),
        *ring(state, sizes.radius, sizes.stroke),
        *_lettering(seen, state, look),
        *_corners(seen, theme, sizes),
    ]
    if way_out:
        row = Row(seen.chips_name, seen.chips, seen.in_order)
        shapes += chips_row(row, way_out, _badge_box(seen, sizes), theme, sizes)
    return Group(tuple(shapes), place[0], place[1], key=(seen, look, way_out), id=f"node:{seen.node}")


def look_of(state: str, theme: Theme) -> StateLook:
    """The theme's look of a state; a node that takes no part yet or any more is a mere outline."""
    if state in theme.states:
        return theme.states[state]
    return theme.states["idle"]._replace(ink=theme.muted, ring=theme.edge, ring_style="dotted", word=state)


def _selection(seen: Facts, theme: Theme, sizes: Measures) -> list[Shape]:
    if not seen.selected:
        return []
    return [Circle(0, 0, 1.32 * sizes.radius, None, theme.accent, sizes.stroke, (sizes.stroke, 2 * sizes.stroke))]


def ring(look: StateLook, radius: float, stroke: float) -> list[Shape]:
    """The circle of a node in that state; thin, thick, double, dashed or dotted."""
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


def _lettering(seen: Facts, look: StateLook, fit: Look) -> list[Shape]:
    """Name and state inside the circle."""
    sizes = fit.measures
    if not sizes.name:
        return []
    name = str(seen.node) if fit.plain else node_name(seen.node)
    size = fonts.shrink(name, 1.7 * sizes.radius, sizes.name, sizes.name / 2, weight="bold")
    if not sizes.word:
        return [_written(0, name, size, look)]
    usual = seen.word or look.word
    word = f"{usual} +{seen.held}" if seen.held else usual
    word_size = fonts.shrink(word, 1.45 * sizes.radius, sizes.word, sizes.word / 2, weight="bold")
    return [
        _written(-0.2 * sizes.radius, name, size, look),
        *_plate(0.43 * sizes.radius, word, word_size, look),
        _written(0.43 * sizes.radius, word, word_size, look),
    ]


def _plate(y: float, word: str, size: float, look: StateLook) -> list[Shape]:
    """A plain ground under small letters that would stand on a pattern."""
    if not look.halo:
        return []
    width, height = fonts.width(word, size, weight="bold") + 0.3 * size, 0.95 * size
    return [Box(-width / 2, y - height / 2, width, height, look.halo, radius=height / 3)]


def _written(y: float, text: str, size: float, look: StateLook) -> Text:
    """A text across the middle of a node, at that height."""
    return Text(0, y, text, size, look.ink, "bold", "sans", "middle", "middle", look.halo)


def _badge_place(sizes: Measures) -> Point:
    """The middle of a badge beside the word in its circle."""
    r = sizes.radius
    return max(1.02 * r, 0.45 * r + 0.9 * sizes.badge), max(0.95 * r, 0.62 * r + TAG_HEIGHT / 2 * sizes.badge)


def written(facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> list[tuple[int, Rect]]:
    """Where the small boxes at the corners of the nodes are: the node of each, and its rectangle."""
    sizes = measures(layout, theme, options)
    found = ((seen.node, layout.places[seen.node], box) for seen in facts for box in _boxes(seen, sizes))
    return [(node, box._replace(x=box.x + x, y=box.y + y)) for node, (x, y), box in found]


def _boxes(seen: Facts, sizes: Measures) -> list[Rect]:
    boxes = [_badge_box(seen, sizes), _backlog_box(seen, sizes), _belief_box(seen, sizes)]
    return [box for box in boxes if box]


def _badge_box(seen: Facts, sizes: Measures) -> Rect | None:
    return tag_box(_badge_place(sizes), seen.badge, sizes.badge) if seen.badge and sizes.badge else None


def _backlog_box(seen: Facts, sizes: Measures) -> Rect | None:
    """Off the name."""
    if not (seen.backlog and sizes.chip):
        return None
    r, (_, _, w, h) = sizes.radius, tag_box((0, 0), f"+{seen.backlog}", sizes.chip)
    x, y = max(r, _WRITTEN * r + w / 2), -max(0.85 * r, _WRITTEN * r + h / 2)
    return Rect(x - w / 2, y - h / 2, w, h)


def _belief_box(seen: Facts, sizes: Measures) -> Rect | None:
    """Off the word."""
    if not (seen.believes and sizes.chip):
        return None
    r, (w, h) = sizes.radius, glyphs.belief_size(seen.believes, sizes.chip)
    x, y = -max(1.05 * r, 0.3 * r + w / 2), max(0.9 * r, 0.68 * r + h / 2)
    return Rect(x - w / 2, y - h / 2, w, h)


def _corners(seen: Facts, theme: Theme, sizes: Measures) -> list[Shape]:
    """Badge lower right, backlog upper right, belief lower left, token upper left, crown on top."""
    r, shapes = sizes.radius, []
    if box := _badge_box(seen, sizes):
        shapes += tag(middle_of(box), seen.badge, sizes.badge, theme, sizes)
    elif seen.badge.endswith(GROWN):
        shapes += glyphs.rise((0.95 * r, 0.85 * r), 0.42 * r, theme, sizes.stroke)
    if box := _backlog_box(seen, sizes):
        shapes += tag(middle_of(box), f"+{seen.backlog}", sizes.chip, theme, sizes)
    if box := _belief_box(seen, sizes):
        shapes += glyphs.belief(middle_of(box), seen.believes, sizes.chip, theme)
    if seen.token:
        reach = max(0.44 * r, 0.6 * sizes.label)
        off = -max(0.88 * r, 0.62 * r + 0.7 * reach)
        shapes += glyphs.token((off, off), reach, fate_of(seen), theme, sizes.stroke)
    if seen.leads:
        shapes += glyphs.crown((0, -1.28 * r), 0.46 * r, theme, sizes.stroke)
    if seen.state == "crashed" and not seen.token:
        shapes += glyphs.cross((-1.0 * r, -0.85 * r), 0.2 * r, theme.fault, 1.4 * sizes.stroke)
    return shapes
