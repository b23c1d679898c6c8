"""Lines between nodes: channels, signs of suspicion, wait-for edges, and frames around messages.

All channels are one cached group under everything else; cut ones are drawn as cut. The wait-for edges are those of
the selected process; framed are the selected message and those that would let the selected process continue.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from algorithms.engine.events import SEQ
from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import Edge
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.wait_for import endless_waits, unblocking_messages, wait_targets
from visual.drawing import icons, marks
from visual.drawing.picking import bounds, meet
from visual.drawing.shapes import Box, Colour, Dash, Group, Line, Mark, Point, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.options import Measures, Options, measures

_MOST_LINES = 1_500  # more would be a grey surface without meaning
_MOST_CUTS = 400
_DENSE = 120  # lines; up to this number they are drawn in full colour
_GAPS = 8.0  # widths of a line between its dots in a dense graph in print, for each `_DENSE` lines


def links(run: Simulation, layout: Layout, theme: Theme, options: Options) -> Group:
    """All channels as one group; its key changes with the layout, the theme and the cuts."""
    faded = bool(run.algorithm.pointers)
    return _links(layout, run.post.channels.cut, theme.name, measures(layout, theme, options), faded=faded)


@lru_cache(maxsize=8)
def _links(layout: Layout, cut: frozenset[Edge], theme_name: str, sizes: Measures, *, faded: bool) -> Group:
    lines = _lines(layout, cut, load(theme_name), sizes, faded=faded)
    return Group(lines, key=("links", layout.signature, theme_name, sizes.edge, cut, faded))


def faded_look(theme: Theme, sizes: Measures) -> tuple[Colour, float, Dash]:
    """Colour, width and dashes of channels with pointers above them."""
    return theme.rule, 0.7 * sizes.edge, (sizes.edge, 4 * sizes.edge)


def _lines(layout: Layout, cut: frozenset[Edge], theme: Theme, sizes: Measures, *, faded: bool) -> tuple[Shape, ...]:
    edges = layout.graph.links
    if len(edges) > _MOST_LINES:
        return ()
    colour, width, dash = _look(len(edges), layout.graph.nodes, theme, sizes)
    if faded:
        colour, width, dash = faded_look(theme, sizes)
    shapes: list[Shape] = []
    cuts = 0
    for a, b in edges:
        (x1, y1), (x2, y2), name = layout.places[a], layout.places[b], f"link:{a}-{b}"
        severed = [(start, end) for start, end in ((a, b), (b, a)) if (start, end) in cut]
        if not severed:
            shapes.append(Line(x1, y1, x2, y2, colour, width, dash, id=name))
        elif cuts < _MOST_CUTS:
            cuts += 1
            start, end = severed[0]
            shapes += _cut(layout.places[start], layout.places[end], len(severed) == 1, name, theme, sizes)
    return tuple(shapes)


def _look(edges: int, nodes: int, theme: Theme, sizes: Measures) -> tuple[Colour, float, Dash]:
    """Colour, width and dashes: the more lines, the fainter, since in a dense graph they are background."""
    sparse = edges <= 3 * nodes
    colour, faintest = (theme.edge, 0x80) if sparse else (theme.rule, 0x38)
    if edges <= _DENSE:
        return colour, sizes.edge, ()
    if theme.name == "print":  # there is no pale black, but there are fewer dots of it
        return colour, 0.5 * sizes.edge, (sizes.edge, sizes.edge * _GAPS * edges / _DENSE)
    return f"{colour}{max(faintest, 0xFF * _DENSE // edges):02X}", sizes.edge, ()


def _cut(a: Point, b: Point, one_way: bool, name: str, theme: Theme, sizes: Measures) -> list[Shape]:
    """A dashed line with a ✕ in its middle; where only the way from `a` to `b` is cut, in the half at `b`."""
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    place = ((middle[0] + b[0]) / 2, (middle[1] + b[1]) / 2) if one_way else middle
    dash = (2 * sizes.edge, 3 * sizes.edge)
    return [
        *([Line(*a, *middle, theme.edge, sizes.edge, id=name)] if one_way else []),
        Line(*(middle if one_way else a), *b, theme.edge, sizes.edge, dash, id=name),
        *icons.cross(place, max(0.16 * sizes.radius, 3 * sizes.edge), theme.fault, 1.5 * sizes.edge),
    ]


SUSPICION = "✕?"
_FAR = 1.62  # from the believer's middle, in radii


def suspicions(
    facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options, boxes: Sequence[tuple[int, Rect]]
) -> list[Shape]:
    """A sign beside each process that suspects another, in the direction of the suspect, off the boxes at nodes."""
    sizes = measures(layout, theme, options)
    if not sizes.chip:
        return []
    signs: list[Shape] = []
    for fact in facts:
        for other in fact.suspects:
            x, y, ux, uy, _ = layout.link_lines[fact.node, other]
            ink, halo, size, r = theme.fault_text, theme.paper, sizes.chip, sizes.radius
            tries = [
                Text(x + ux * far * r, y + uy * far * r, SUSPICION, size, ink, "bold", "sans", "middle", "middle", halo)
                for far in (_FAR, _FAR + 0.25, _FAR + 0.5, _FAR + 0.75)
            ]
            signs.append(next((t for t in tries if not any(meet(bounds(t), box) for _, box in boxes)), tries[0]))
    return signs


# ---- waiting -----------------------------------------------------------------------------------------------


_MOST_WAITS = 40  # edges; more would hide the graph
_UNBLOCKING: Dash = (3, 2)  # strokes: dashes of the frame around a message
_SELECTED: Dash = (1, 2)


def edges(cache: RunCache, layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """Dotted arrows from the selected process to those it waits for; endless waits have the colour of faults."""
    if not options.selected.startswith("node:"):
        return []
    return cache.get(_waiting, Moment(cache.run), layout, theme.name, options)[0]


def frames(cache: RunCache, layout: Layout, theme: Theme, options: Options, shapes: Iterable[Shape]) -> list[Shape]:
    """Frames around the messages in `shapes` that would let the selected process continue."""
    if not options.selected.startswith("node:"):
        return []
    serials = cache.get(_waiting, Moment(cache.run), layout, theme.name, options)[1]
    wanted = {f"message:{serial}" for serial in serials}
    return _framed(wanted, shapes, theme, measures(layout, theme, options), _UNBLOCKING)


def selection(layout: Layout, theme: Theme, options: Options, shapes: Iterable[Shape]) -> list[Shape]:
    """The frame around the selected message in `shapes`, dotted like the ring around a selected node."""
    if not options.selected.startswith("message:"):
        return []
    return _framed({options.selected}, shapes, theme, measures(layout, theme, options), _SELECTED)


def _waiting(moment: Moment, layout: Layout, theme_name: str, options: Options) -> tuple[list[Group], list[int]]:
    """The wait-for edges, and the serial numbers of the messages to be framed."""
    run, node, theme = moment.run, int(options.selected[5:]), load(theme_name)
    if node >= len(run.processes):
        return [], []
    endless = endless_waits(run, node)
    waits = list(dict.fromkeys([*((node, other) for other in wait_targets(run, node)), *endless]))
    sizes = measures(layout, theme, options)
    shapes = [
        _edge(edge, layout, sizes, theme.fault if edge in endless else theme.accent)
        for edge in list(waits)[:_MOST_WAITS]
    ]
    return shapes, [entry[SEQ] for entry in unblocking_messages(run, node)]


def _edge(edge: tuple[int, int], layout: Layout, sizes: Measures, colour: Colour) -> Group:
    """A dotted arrow left of the link line, where no messages travel; cached, since each dot is drawn alone."""
    x, y, ux, uy, length = layout.link_lines[edge]
    inset = min(1.35 * sizes.radius, 0.4 * length)
    aside = 0.22 * sizes.radius
    x, y = x + uy * aside, y - ux * aside
    width = 1.1 * sizes.stroke
    ends = (x + ux * inset, y + uy * inset, x + ux * (length - inset), y + uy * (length - inset))
    arrow = Line(*ends, colour, width, (width, 2 * width), 4 * sizes.stroke)
    return Group((arrow,), key=("waits", arrow))


def _framed(wanted: set[str], shapes: Iterable[Shape], theme: Theme, sizes: Measures, dash: Dash) -> list[Shape]:
    """Frames around the messages with these ids; `dash` is in strokes."""
    messages = [shape for shape in shapes if isinstance(shape, Mark) and shape.id in wanted]
    return [_frame(mark, theme, sizes.stroke, dash) for mark in messages]


def _frame(mark: Mark, theme: Theme, stroke: float, dash: Dash) -> Box:
    box, gap = marks.extent(mark), 0.35 * mark.size
    x, y, w, h = mark.x + box.x - gap, mark.y + box.y - gap, box.w + 2 * gap, box.h + 2 * gap
    return Box(x, y, w, h, None, theme.accent, 1.2 * stroke, h / 2, tuple(stroke * part for part in dash))
