"""Names beside nodes too small to hold theirs: on a ring every so many, and anywhere those that matter now.

Names are outside a ring, where nothing else is; in a zigzag and elsewhere those that matter are towards the middle.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from visual.drawing import fonts
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Group, Shape, Text
from visual.drawing.theme import Theme
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.graph.nodes import tag, tag_box
from visual.scene.graph.placing import ONE_FILE
from visual.scene.options import Options, measures
from visual.words.names import node_name

Anchor: TypeAlias = Literal["start", "middle", "end"]

_SMALLEST = 13.0  # logical pixels: the regular names
_TOKEN_TEXT, _PRESENTED = 15.0, 24.0  # logical pixels: what is said of a token or of what happens

_LINE = 1.05  # from a name to one above or below it, in ems

_MOST = 16  # nodes named because of what they are doing; where more do the same, none stands out
_STEPS = (1, 2, 4, 10, 20, 50, 100)  # even ones: in a zigzag the even nodes stand outside


def names(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The names; none where they fit into the circles."""
    if measures(layout, theme, options).name:
        return []
    size = max(theme.sizes.crowd, _SMALLEST) * options.scale
    special = [seen.node for seen in facts if _stands_out(seen)][:_MOST]
    larger = token_text(options)
    in_file = layout.kind == "ring" and layout.graph.nodes <= ONE_FILE
    matter = _apart([_name(layout, node, larger, "bold", theme, 1.0 if in_file else -1.0) for node in special])
    if layout.kind != "ring":
        return [*matter]
    return [_regular(layout, tuple(special) if in_file else (), size, theme), *matter]


def _apart(found: list[Text]) -> list[Text]:
    """The names with each that would lie on one before it moved farther along the ring."""
    placed: list[Text] = []
    for name in found:
        for other in placed:
            if _touch(name, other):
                name = _beside(name, other)
        placed.append(name)
    return placed


def _beside(name: Text, other: Text) -> Text:
    """The name next to another: on top of the ring and below it at a side, elsewhere above or below."""
    if name.anchor == "middle":
        width = (bounds(name).w + bounds(other).w) / 2 + 0.4 * name.size
        return name._replace(x=other.x + math.copysign(width, name.x - other.x))
    return name._replace(y=other.y + math.copysign(_LINE * name.size, name.y - other.y))


def _touch(name: Text, other: Text) -> bool:
    common = overlap(bounds(name), bounds(other))
    return bool(common.w and common.h)


def _regular(layout: Layout, special: tuple[int, ...], size: float, theme: Theme) -> Group:
    """The names of every so many nodes outside the ring, but for those beside nodes whose names are larger."""
    count = layout.graph.nodes
    every = next((step for step in _STEPS if step * layout.step >= 3.2 * size), _STEPS[-1])
    taken = {(node + off) % count for node in special for off in range(-every, every + 1)}
    shown = tuple(
        _name(layout, node, size, "normal", theme, 1.0) for node in range(0, count, every) if node not in taken
    )
    return Group(shown, key=("names", layout.signature, special, theme.name, size))


def _stands_out(seen: NodeFacts) -> bool:
    return bool(seen.selected or seen.lit or seen.token or seen.leads or seen.state in ("inside", "crashed", "paused"))


def _name(layout: Layout, node: int, size: float, weight: fonts.Weight, theme: Theme, outwards: float) -> Text:
    """A name beside its node, away from the middle of the picture or (−1) towards it; muted unless it is bold."""
    (x, y), (mx, my) = layout.places[node], layout.middle
    away = math.dist((x, y), (mx, my)) or 1.0
    ux, uy = (x - mx) / away * outwards, (y - my) / away * outwards
    far = 1.5 * layout.radius + 0.6 * size
    anchor: Anchor = "middle" if abs(ux) < 0.5 else "start" if ux > 0 else "end"
    name, ink = node_name(node), theme.ink if weight == "bold" else theme.muted
    return Text(x + ux * far, y + uy * far, name, size, ink, weight, "sans", anchor, "middle", theme.paper)


def token_names(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The names of tokens in hand, where there are several: beside their nodes, towards the middle of the picture."""
    sizes = measures(layout, theme, options)
    size = token_text(options)
    shapes: list[Shape] = []
    for seen in facts:
        if seen.token_name:
            _, _, width, height = tag_box((0, 0), seen.token_name, size)
            ux, uy = layout.inwards(seen.node)
            far = 1.3 * sizes.radius + 0.4 * size
            x, y = layout.places[seen.node]
            middle = x + ux * (far + width / 2 * abs(ux)), y + uy * (far + height / 2 * abs(uy))
            shapes += tag(middle, seen.token_name, size, theme, sizes)
    return shapes


def token_text(options: Options) -> float:
    """The size of what is said of a token, or of who has a part in what happens, however small the nodes."""
    return (_PRESENTED if options.presenting else _TOKEN_TEXT) * options.scale
