"""The channels: one kept group of lines under everything else, cut ones drawn as cut."""

from __future__ import annotations

from functools import lru_cache

from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import Edge
from visual.drawing import icons
from visual.drawing.shapes import Colour, Dash, Group, Line, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.options import Measures, Options, measures

_MOST_LINES = 1_500  # more of them are a grey surface and say nothing
_MOST_CUTS = 400
_DENSE = 120  # up to so many lines are drawn in full colour
_GAPS = 3.0  # widths of a line between its dots in a dense graph in print, for each `_DENSE` lines


def links(run: Simulation, layout: Layout, theme: Theme, options: Options) -> Group:
    """All channels; the key changes with the layout, the theme and the cuts."""
    return _links(layout, run.post.channels.cut, theme.name, measures(layout, theme, options))


@lru_cache(maxsize=8)
def _links(layout: Layout, cut: frozenset[Edge], theme_name: str, sizes: Measures) -> Group:
    lines = _lines(layout, cut, load(theme_name), sizes)
    return Group(lines, key=("links", layout.signature, theme_name, sizes.edge, cut))


def _lines(layout: Layout, cut: frozenset[Edge], theme: Theme, sizes: Measures) -> tuple[Shape, ...]:
    edges = layout.graph.links
    if len(edges) > _MOST_LINES:
        return ()
    colour, width, dash = _look(len(edges), layout.graph.nodes, theme, sizes)
    shapes: list[Shape] = []
    cuts = 0
    for a, b in edges:
        (x1, y1), (x2, y2), name = layout.places[a], layout.places[b], f"link:{a}-{b}"
        severed = ((a, b) in cut) + ((b, a) in cut)
        if not severed:
            shapes.append(Line(x1, y1, x2, y2, colour, width, dash, id=name))
        elif cuts < _MOST_CUTS:
            cuts += 1
            shapes += _cut((x1, y1), (x2, y2), name, theme, sizes)
    return tuple(shapes)


def _look(edges: int, nodes: int, theme: Theme, sizes: Measures) -> tuple[Colour, float, Dash]:
    """Colour, width and dashes: the more lines, the fainter; in a dense graph they are ground, not figure."""
    sparse = edges <= 3 * nodes
    colour, faintest = (theme.edge, 0x80) if sparse else (theme.rule, 0x38)
    if edges <= _DENSE:
        return colour, sizes.edge, ()
    if theme.name == "print":  # there is no pale black, but there are fewer dots of it
        return colour, 0.5 * sizes.edge, (sizes.edge, sizes.edge * _GAPS * edges / _DENSE)
    return f"{colour}{max(faintest, 0xFF * _DENSE // edges):02X}", sizes.edge, ()


def _cut(a: tuple[float, float], b: tuple[float, float], name: str, theme: Theme, sizes: Measures) -> list[Shape]:
    """A dashed line with a gap and a ✕ in its middle."""
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    dash = (2 * sizes.edge, 3 * sizes.edge)
    return [
        Line(*a, *b, theme.edge, sizes.edge, dash, id=name),
        *icons.cross(middle, max(0.16 * sizes.radius, 3 * sizes.edge), theme.fault, 1.5 * sizes.edge),
    ]


SUSPICION = "✕?"
_FAR = 1.62  # from the believer's middle, in radii


def suspicions(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """A sign for each process that another takes for crashed."""
    sizes = measures(layout, theme, options)
    if not sizes.chip:
        return []
    signs: list[Shape] = []
    for seen in facts:
        for other in seen.suspects:
            x, y, ux, uy, _ = layout.ways[seen.node, other]
            far = _FAR * sizes.radius
            signs.append(
                Text(
                    x + ux * far,
                    y + uy * far,
                    SUSPICION,
                    sizes.chip,
                    theme.fault_text,
                    "bold",
                    "sans",
                    "middle",
                    "middle",
                    theme.paper,
                )
            )
    return signs
