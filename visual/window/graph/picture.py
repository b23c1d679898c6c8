"""The graph of the run, and where it is; drawn afresh for every frame."""

from __future__ import annotations

from algorithms.engine.rewrite import system_of
from visual.analysis.moment import Moment
from visual.analysis.overlay_state import on_overlay
from visual.drawing.picking import pick
from visual.drawing.shapes import Box, Group, Rect
from visual.scene.graph import run_graph as scene
from visual.scene.graph.choice_numbers import numbered
from visual.scene.graph.layout import Layout, arrange
from visual.scene.graph.ring import ASIDE
from visual.scene.graph.wait_edges import edges, frames, selection
from visual.scene.options import Options
from visual.window.arrangement import PRESENTING, stage
from visual.window.panel import Panel, View
from visual.window.state import Camera


class Places:
    """Keeps the layout of one run, which is dear to work out, for as long as it is wanted in one place."""

    def __init__(self) -> None:
        self._run: object = None
        self._drawn = ""
        self._moved: object = ()
        self._unmoved: Layout | None = None  # before the person has moved nodes
        self._layout: Layout | None = None

    def of(self, view: View, rect: Rect) -> Layout:
        """The layout of the present run in that rectangle."""
        run, drawn, moved = view.session.run, view.interface.drawn, view.interface.moved
        before = self._unmoved
        if before is None or (self._run, self._drawn) != (run, drawn):
            before = arrange(run, rect, drawn)
        unmoved = before.within(rect)
        if self._layout is None or unmoved is not self._unmoved or moved != self._moved:
            self._layout = unmoved.moved(dict(moved))
        self._run, self._drawn, self._moved, self._unmoved = run, drawn, moved, unmoved
        return self._layout


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


def layout_of(view: View, places: Places) -> Layout:
    """Where the nodes are."""
    return places.of(view, magnified(_room(view), view.interface.camera))


def _room(view: View) -> Rect:
    """The room for the nodes; what is written beside a circle of identifiers may reach to the right edge."""
    nodes, region = stage(view.interface, view.region).nodes, view.region
    if not on_overlay(view.session.run):
        return nodes
    return nodes._replace(w=min(nodes.w + ASIDE * nodes.h, region.x + region.w - nodes.x))


def prepare(view: View, places: Places) -> None:
    """Half of the work for the picture, which is kept for it."""
    if not system_of(view.session.run.algorithm):
        scene.prepare(view.session.run, layout_of(view, places), view.look.theme, options_of(view))


def picture(view: View, places: Places) -> Panel:
    """The graph in its region."""
    region, interface = view.region, view.interface
    if system_of(view.session.run.algorithm):
        return _term(view)
    layout = layout_of(view, places)
    options, theme = options_of(view), view.look.theme
    moment, why = Moment(view.session.run), "waiting" in interface.panels
    beneath = edges(moment, layout, theme, options) if why else []
    moving = interface.moving or bool(interface.pressed)  # whoever drags the timeline moves the picture too
    shapes = scene.graph(view.session.run, interface.time, layout, theme, options, beneath, moving=moving)
    if not view.session.by_clock:
        from visual.window.pages.choose_actions import numbers  # the first frame does without

        shapes = [*shapes, *numbered(shapes, numbers(view.interface, view.session), view.look.size("small"), theme)]
    shapes += selection(layout, theme, options, shapes)
    if why:
        shapes += frames(moment, layout, theme, options, shapes)
    return Panel((Box(*region, theme.paper), Group(tuple(shapes), clip=region)))


def _term(view: View) -> Panel:
    """The term of a rewriting system, with what the rule under the pointer would match."""
    from visual.scene.terms import picture as terms  # the first frame does without

    region, interface = view.region, view.interface
    pointed = [name for name in (interface.hover, interface.focus) if name.startswith("choose.")]
    place = pointed[0].removeprefix("choose.") if pointed and not interface.moving else ""
    shapes = terms.picture(
        view.session.run,
        magnified(region, interface.camera),
        view.look.theme,
        options_of(view),
        int(place) if place.isdecimal() else None,
    )
    return Panel((Box(*region, view.look.theme.paper), Group(tuple(shapes), clip=region)))


def under(panel: Panel, x: float, y: float) -> str:
    """The id of the node or message under the pointer; "" if there is none."""
    found = pick(panel.shapes, x, y)
    return found if found.startswith(("node:", "message:")) else ""
