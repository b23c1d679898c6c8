"""The graph of a run in its pane, or of each of two that are compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import NamedTuple

from algorithms.engine.rewrite import system_of
from visual.analysis.overlay_state import on_overlay
from visual.analysis.run_cache import Moment
from visual.drawing.picking import contains, pick
from visual.drawing.shapes import Box, Group, Point, Rect, Shape
from visual.scene.graph import run_graph as scene
from visual.scene.graph.layout import Layout, arrange
from visual.scene.graph.links import edges, frames, selection
from visual.scene.graph.messages import numbered
from visual.scene.graph.placing import ASIDE
from visual.scene.options import Options
from visual.window import arrangement
from visual.window.arrangement import PRESENTING, stage
from visual.window.desk import Desk
from visual.window.panel import Panel, View
from visual.window.panes import facing, place_at
from visual.window.run_view import RunView
from visual.window.state import Camera, Display, EventFilter, GraphView, Interface, Selection

_MANY = 250  # shapes: a graph with more of them is drawn once for as long as it stands still
_BANNER = 60.0  # logical pixels below two graphs of what a node knows, for the words that say so


class StillGraph(NamedTuple):
    """A graph that stands still, and what it depends on."""

    state: object
    panel: Panel


class StillState(NamedTuple):
    """What a graph that stands still is drawn from."""

    moment: Moment
    time: float
    is_automatic: bool
    runs: tuple[int, int]  # how many are shown, and which of them the panels are about
    display: Display
    graph: GraphView
    selection: Selection | None
    events: EventFilter  # whose messages have numbers, where a person picks what happens next


def still_state(interface: Interface, desk: Desk, run: RunView) -> StillState:
    """What the graph of that run is drawn from while it stands still; whatever the page beside it shows."""
    return StillState(
        Moment(run.simulation),
        interface.playback.time,
        run.is_automatic,
        (len(desk.runs), desk.place),
        interface.display._replace(page=""),
        interface.graph,
        interface.selection,
        EventFilter() if run.is_automatic else interface.pages.events,
    )


class Graphs:
    """Draws the graph of each run, and finds what lies under the pointer."""

    def __init__(self) -> None:
        self._layouts = (LayoutCache(), LayoutCache())
        self._still: dict[int, StillGraph] = {}  # the graph of the run at that place, where there is so much in it
        self._drawn = 0  # how many graphs have stood still
        self._is_postponed = False  # whether what was worked out last has not been shown yet
        self._latest: tuple[Hashable, tuple[Shape, ...]] = ((), ())  # where graphs were drawn last, and how

    def shapes(self, interface: Interface, desk: Desk, is_late: Callable[[], bool]) -> tuple[Shape, ...]:
        """The graphs, back to front; nothing where there is no room for them.

        When it is late, before or after a part of the work, they are as they were, and the next frame goes on with the
        rest. What is worked out is shown in the next frame at the latest: it need not be kept until then.
        """
        panes = arrangement.panes(interface, desk.is_pair)
        before = self._latest[1] if self._latest[0] == panes else ()
        if before and is_late():
            return before
        for place in range(len(desk.runs)):
            self._prepare(interface, desk, place)
        if is_late():
            return before
        panels = (self._panel(interface, desk, place).shapes for place in range(len(desk.runs)))
        shapes = tuple(chain.from_iterable(panels))
        self._is_postponed = not self._is_postponed and is_late()
        if self._is_postponed:
            return before
        self._latest = (panes, shapes)
        return shapes

    def under(self, interface: Interface, desk: Desk, x: float, y: float) -> str:
        """The id of the node or message under the pointer; "" if there is none."""
        place = place_at(interface, desk, x, y)
        pane = arrangement.panes(interface, desk.is_pair)[place]
        return under(self._panel(interface, desk, place), x, y) if contains(pane.graph, x, y) else ""

    def share(self, interface: Interface, desk: Desk, x: float, y: float) -> Point:
        """Where in the rectangle of the graph at that point it is, as shares of its width and height."""
        return self.layout(interface, desk, place_at(interface, desk, x, y)).share((x, y))

    def middle_of(self, interface: Interface, desk: Desk, node: int) -> Point:
        """Where a node is in the window; in the pane that the panels are about, where there are two."""
        return self.layout(interface, desk, desk.place).places[node]

    def layout(self, interface: Interface, desk: Desk, place: int) -> Layout:
        """Where the nodes of the run at that place are."""
        region, look = arrangement.panes(interface, desk.is_pair)[place].graph, arrangement.look_of(interface)
        if desk.is_pair and interface.local_node is not None:
            region = region._replace(h=max(region.h - look.px(_BANNER), 1.0))
        return layout_of(View(interface, desk, desk.runs[place], look, region), self._layouts[place])

    def _prepare(self, interface: Interface, desk: Desk, place: int) -> None:
        region = arrangement.panes(interface, desk.is_pair)[place].graph
        if region.w:
            look, run = arrangement.look_of(interface), desk.runs[place]
            prepare(View(facing(interface, desk, place), desk, run, look, region), self._layouts[place])

    def _panel(self, interface: Interface, desk: Desk, place: int) -> Panel:
        region = arrangement.panes(interface, desk.is_pair)[place].graph
        if not region.w:
            return Panel()
        look, run = arrangement.look_of(interface), desk.runs[place]
        # a term shows what the rule under the pointer would match
        changes = interface.is_moving or system_of(run.simulation.algorithm)
        state = None if changes else still_state(interface, desk, run)
        before = self._still.pop(place, None)
        if before is None or state is None or before.state != state:
            panel = picture(View(facing(interface, desk, place), desk, run, look, region), self._layouts[place])
            if state is None or sum(len(shape.shapes) for shape in panel.shapes if isinstance(shape, Group)) < _MANY:
                return panel
            self._drawn += 1
            whole = Group(_patient(panel.shapes), clip=region, key=("graph", self._drawn))
            before = StillGraph(state, panel._replace(shapes=(whole,)))
        self._still[place] = before
        return before.panel


def _patient(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The same, where what is kept may come a few frames later; in a graph that moves, nodes would flicker."""
    return tuple(_patient_group(shape) if isinstance(shape, Group) else shape for shape in shapes)


def _patient_group(group: Group) -> Group:
    if group.key is not None:
        return group._replace(patient=True)
    return group._replace(shapes=_patient(group.shapes))


class LayoutCache:
    """Keeps the layout of one run, which is dear to work out, for as long as it is wanted in one place."""

    def __init__(self) -> None:
        self._run: object = None
        self._drawn = ""
        self._moved: object = ()
        self._unmoved: Layout | None = None  # before the person has moved nodes
        self._layout: Layout | None = None

    def of(self, view: View, rect: Rect) -> Layout:
        """The layout of the present run in that rectangle."""
        run, drawn, moved = view.run.simulation, view.interface.graph.layout, view.interface.graph.moved
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
        scale=view.look.unit / (PRESENTING if interface.display.presenting else 1.0),
        presenting=interface.display.presenting,
        arrows=not interface.playback.playing,
        selected=interface.selected_id,
    )


def layout_of(view: View, layouts: LayoutCache) -> Layout:
    """Where the nodes are."""
    return layouts.of(view, magnified(_room(view), view.interface.graph.camera))


def _room(view: View) -> Rect:
    """The room for the nodes; what is written beside a circle of identifiers may reach to the right edge."""
    nodes, region = stage(view.interface, view.region, view.desk.is_pair).nodes, view.region
    if not on_overlay(view.run.simulation):
        return nodes
    return nodes._replace(w=min(nodes.w + ASIDE * nodes.h, region.x + region.w - nodes.x))


def prepare(view: View, layouts: LayoutCache) -> None:
    """Half of the work for the picture, which is kept for it."""
    if not system_of(view.run.simulation.algorithm):
        scene.prepare(view.run.cache, layout_of(view, layouts), view.look.theme, options_of(view))


def picture(view: View, layouts: LayoutCache) -> Panel:
    """The graph in its region."""
    region, interface = view.region, view.interface
    if system_of(view.run.simulation.algorithm):
        return _term(view)
    layout = layout_of(view, layouts)
    options, theme = options_of(view), view.look.theme
    cache, why = view.run.cache, "waiting" in interface.display.panels
    beneath = edges(cache, layout, theme, options) if why else []
    moving = interface.is_moving or bool(interface.pointer.pressed)  # whoever drags the timeline moves the picture too
    shapes = scene.graph(view.run.cache, interface.playback.time, layout, theme, options, beneath, moving=moving)
    if not view.run.is_automatic:
        from visual.window.pages.choose import numbers  # the first frame does without

        shapes = [*shapes, *numbered(shapes, numbers(view.interface, view.run), view.look.size("small"), theme)]
    shapes += selection(layout, theme, options, shapes)
    if why:
        shapes += frames(cache, layout, theme, options, shapes)
    return Panel((Box(*region, theme.paper), Group(tuple(shapes), clip=region)))


def _term(view: View) -> Panel:
    """The term of a rewriting system, with what the rule under the pointer would match."""
    from visual.scene import term_picture as terms  # the first frame does without

    region, interface = view.region, view.interface
    pointed = [name for name in (interface.pointer.hover, interface.pointer.focus) if name.startswith("choose.")]
    place = pointed[0].removeprefix("choose.") if pointed and not interface.is_moving else ""
    shapes = terms.picture(
        view.run.cache,
        magnified(region, interface.graph.camera),
        view.look.theme,
        options_of(view),
        int(place) if place.isdecimal() else None,
    )
    return Panel((Box(*region, view.look.theme.paper), Group(tuple(shapes), clip=region)))


def under(panel: Panel, x: float, y: float) -> str:
    """The id of the node or message under the pointer; "" if there is none."""
    found = pick(panel.shapes, x, y)
    return found if found.startswith(("node:", "message:")) else ""
