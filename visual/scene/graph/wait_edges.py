"""The wait-for edges of the selected process on the graph; frames around the message that would let it go on.

Around a selected message there is a frame too.
"""

from __future__ import annotations

from collections.abc import Iterable

from algorithms.engine.events import SEQ
from visual.analysis.moment import Moment
from visual.analysis.run_cache import RunCache
from visual.analysis.wait_for import endless_waits, unblocking_messages, wait_targets
from visual.drawing import marks
from visual.drawing.shapes import Box, Colour, Dash, Group, Line, Mark, Shape
from visual.drawing.theme import Theme, load
from visual.scene.graph.layout import Layout
from visual.scene.options import Measures, Options, measures

_MOST = 40  # edges; more would hide the graph
_UNBLOCKING: Dash = (3, 2)  # strokes: dashes of the frame around a message
_SELECTED: Dash = (1, 2)


def edges(cache: RunCache, layout: Layout, theme: Theme, options: Options) -> list[Group]:
    """Dotted arrows to whom the selected process waits for; those of waiting for ever have the colour of faults."""
    if not options.selected.startswith("node:"):
        return []
    return cache.get(_waiting, Moment(cache.run), layout, theme.name, options)[0]


def frames(cache: RunCache, layout: Layout, theme: Theme, options: Options, drawn: Iterable[Shape]) -> list[Shape]:
    """The frames around those of the shapes `drawn` that would let the selected process go on."""
    if not options.selected.startswith("node:"):
        return []
    serials = cache.get(_waiting, Moment(cache.run), layout, theme.name, options)[1]
    wanted = {f"message:{serial}" for serial in serials}
    return _framed(wanted, drawn, theme, measures(layout, theme, options), _UNBLOCKING)


def selection(layout: Layout, theme: Theme, options: Options, drawn: Iterable[Shape]) -> list[Shape]:
    """The frame around the selected message among the shapes `drawn`, dotted as the ring around a selected node is."""
    if not options.selected.startswith("message:"):
        return []
    return _framed({options.selected}, drawn, theme, measures(layout, theme, options), _SELECTED)


def _waiting(moment: Moment, layout: Layout, theme_name: str, options: Options) -> tuple[list[Group], list[int]]:
    """The edges, and the serial numbers of the messages; the same until the next step."""
    run, node, theme = moment.run, int(options.selected[5:]), load(theme_name)
    if node >= len(run.processes):
        return [], []
    endless = endless_waits(run, node)
    found = dict.fromkeys([*((node, other) for other in wait_targets(run, node)), *endless])
    sizes = measures(layout, theme, options)
    shapes = [
        _edge(edge, layout, sizes, theme.fault if edge in endless else theme.accent) for edge in list(found)[:_MOST]
    ]
    return shapes, [entry[SEQ] for entry in unblocking_messages(run, node)]


def _edge(edge: tuple[int, int], layout: Layout, sizes: Measures, colour: Colour) -> Group:
    """A dotted arrow on the left of the way, where no messages fly; it is kept, since each dot takes its time."""
    x, y, ux, uy, length = layout.ways[edge]
    inset = min(1.35 * sizes.radius, 0.4 * length)
    aside = 0.22 * sizes.radius
    x, y = x + uy * aside, y - ux * aside
    width = 1.1 * sizes.stroke
    ends = (x + ux * inset, y + uy * inset, x + ux * (length - inset), y + uy * (length - inset))
    arrow = Line(*ends, colour, width, (width, 2 * width), 4 * sizes.stroke)
    return Group((arrow,), key=("waits", arrow))


def _framed(wanted: set[str], drawn: Iterable[Shape], theme: Theme, sizes: Measures, dash: Dash) -> list[Shape]:
    """Frames around the messages of those ids, dashed in multiples of a stroke."""
    found = [shape for shape in drawn if isinstance(shape, Mark) and shape.id in wanted]
    return [_frame(mark, theme, sizes.stroke, dash) for mark in found]


def _frame(mark: Mark, theme: Theme, stroke: float, dash: Dash) -> Box:
    box, gap = marks.extent(mark), 0.35 * mark.size
    x, y, w, h = mark.x + box.x - gap, mark.y + box.y - gap, box.w + 2 * gap, box.h + 2 * gap
    return Box(x, y, w, h, None, theme.accent, 1.2 * stroke, h / 2, tuple(stroke * part for part in dash))
