"""The first frame, with few imports; everything else is imported after it is visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from visual.drawing.shapes import Rect, Shape
from visual.window.arrangement import look_of, regions, whole
from visual.window.desk import Desk
from visual.window.gallery.page import head_of
from visual.window.header import header
from visual.window.panel import Panel, View, sheet
from visual.window.playback.transport import transport
from visual.window.state import Interface
from visual.window.widgets import Touch, draw

if TYPE_CHECKING:
    from visual.window.graph.graphs import Graphs


def first_shapes(interface: Interface, desk: Desk) -> tuple[list[Shape], Graphs | None]:
    """The gallery's head, or the graph with the bars above and below it; and the graphs, whose layouts are reused."""
    if interface.section:
        return _panel_shapes(head_of, interface, desk, whole(interface)), None
    from visual.window.graph.graphs import Graphs  # the gallery's first frame does without

    areas, graphs = regions(interface), Graphs()
    shapes = [sheet(interface, interface.display.theme), *graphs.shapes(interface, desk, lambda: False)]
    if areas.header.h:
        shapes += _panel_shapes(header, interface, desk, areas.header)
    if areas.foot.h:
        shapes += _panel_shapes(transport, interface, desk, areas.foot)
    return shapes, graphs


def _panel_shapes(build: Callable[[View], Panel], interface: Interface, desk: Desk, region: Rect) -> list[Shape]:
    """The shapes of a panel and its widgets, without pointer and keyboard."""
    look = look_of(interface)
    panel = build(View(interface, desk, desk.front, look, region))
    return [*panel.shapes, *(shape for widget in panel.widgets for shape in draw(widget, look, Touch()))]
