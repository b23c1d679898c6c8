"""The graph of the run, and where it is; drawn afresh for every frame."""

from __future__ import annotations

from dataclasses import dataclass

from visual.interface.scheduling import numbers
from visual.interface.state import Camera
from visual.panels.arrangement import PRESENTING, stage
from visual.panels.panel import Panel, View
from visual.picking import pick
from visual.scene.graph import graph
from visual.scene.layout import Layout, arrange
from visual.scene.numbers import numbered
from visual.scene.options import Options
from visual.shapes import Box, Group, Rect


@dataclass
class Places:
    """Keeps the layout of one run, which is dear to work out, for as long as it is wanted in one place."""

    run: object = None
    rect: Rect | None = None
    layout: Layout | None = None

    def of(self, view: View, rect: Rect) -> Layout:
        """The layout of the present run in that rectangle."""
        run = view.session.run
        if self.layout is None or self.run is not run:
            self.run, self.layout = run, arrange(run, rect)
        self.layout = self.layout.within(rect)
        return self.layout


def magnified(rect: Rect, camera: Camera) -> Rect:
    """The rectangle as large and where the camera sees it."""
    w, h = rect.w * camera.zoom, rect.h * camera.zoom
    return Rect(rect.x + (rect.w - w) / 2 + camera.x, rect.y + (rect.h - h) / 2 + camera.y, w, h)


def options_of(view: View) -> Options:
    """How the scene is to be drawn for this interface."""
    interface = view.interface
    return Options(
        scale=view.look.unit / (PRESENTING if interface.presenting else 1.0),
        presenting=interface.presenting,
        arrows=not interface.playing,
        selected=interface.selection,
    )


def picture(view: View, places: Places) -> Panel:
    """The graph in its region."""
    region, interface = view.region, view.interface
    at = stage(interface, region)
    layout = places.of(view, magnified(at.nodes, interface.camera))
    options, theme = options_of(view), view.look.theme
    shapes = graph(view.session.run, interface.time, layout, theme, options)
    if interface.by_hand:
        shapes = [*shapes, *numbered(shapes, numbers(view.session), view.look.size("small"), theme)]
    return Panel((Box(*region, theme.paper), Group(tuple(shapes), clip=region)))


def under(panel: Panel, x: float, y: float) -> str:
    """The id of the node or message under the pointer; "" if there is none."""
    found = pick(panel.shapes, x, y)
    return found if found.startswith(("node:", "message:")) else ""
