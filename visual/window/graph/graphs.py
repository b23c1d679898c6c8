"""The graph of each run in its pane, cached while it stands still."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import chain
from typing import NamedTuple

from algorithms.engine.observe.verdicts import Breach
from visual.analysis.ledger import Ledger
from visual.analysis.overlay_state import on_overlay
from visual.analysis.run_cache import Moment
from visual.drawing.picking import contains, pick
from visual.drawing.shapes import Box, Group, Point, Rect, Shape
from visual.scene.graph import run_graph as scene
from visual.scene.graph.layout import LARGEST, Layout, arrange, largest_presented
from visual.scene.graph.legend import widest
from visual.scene.graph.links import edges, frames, selection
from visual.scene.graph.messages import numbered
from visual.scene.graph.placing import ASIDE
from visual.scene.graph.trails import breach_crosses, breach_rings
from visual.scene.options import LEAST_PRESENTED, Options
from visual.window import arrangement
from visual.window.arrangement import DESIGN, PRESENTING, facing, place_at, stage
from visual.window.desk import Desk
from visual.window.panel import Panel, View
from visual.window.presenting.questions import open_question
from visual.window.run_view import RunView
from visual.window.state import Camera, Display, GraphView, Interface, ListFilter, Selection
from visual.words import event_label

_MANY = 250  # shapes: from here on, a graph is drawn only once while it stands still
_BANNER = 64.0  # logical pixels for the banner below each of two local views, or the one of a presentation


class StillGraph(NamedTuple):
    """The panel of a graph that stands still, and its state."""

    state: object
    panel: Panel


class StillState(NamedTuple):
    """All that the picture of a graph that stands still depends on."""

    moment: Moment
    time: float
    is_automatic: bool
    runs: tuple[int, int]  # their number, and the place of the run that the panels are about
    display: Display
    graph: GraphView
    selection: Selection | None
    answered: float | None  # the moment whose answer is visible
    events: ListFilter  # it decides which messages have numbers when a person schedules


def still_state(interface: Interface, desk: Desk, run: RunView) -> StillState:
    """The state that the picture of a run's graph depends on."""
    return StillState(
        Moment(run.simulation),
        interface.playback.time,
        run.is_automatic,
        (len(desk.runs), desk.place),
        interface.display._replace(page=""),
        interface.graph,
        interface.selection,
        interface.presentation.answered,
        ListFilter() if run.is_automatic else interface.pages.events,
    )


class Graphs:
    """Draws the graph of each run and finds the shape under the pointer."""

    def __init__(self) -> None:
        self._layouts = (LayoutCache(), LayoutCache())
        self._still: dict[int, StillGraph] = {}  # place of the run -> its graph, if that is large and stands still
        self._count = 0  # graphs that have been cached: makes their keys unique
        self._is_postponed = False  # whether the latest graphs have not been shown yet
        self._latest: tuple[Hashable, tuple[Shape, ...]] = ((), ())  # the panes and shapes of the last frame

    def shapes(self, interface: Interface, desk: Desk, is_late: Callable[[], bool]) -> tuple[Shape, ...]:
        """The graphs, back to front; nothing where there is no room for them.

        Past the deadline, return the previous graphs; the work continues in the next frame, which shows its result.
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
        """A point in shares of the width and height of its graph."""
        return self.layout(interface, desk, place_at(interface, desk, x, y)).share((x, y))

    def middle_of(self, interface: Interface, desk: Desk, node: int) -> Point:
        """The position of a node in the pane of the front run."""
        return self.layout(interface, desk, desk.place).places[node]

    def layout(self, interface: Interface, desk: Desk, place: int) -> Layout:
        """The layout of the run at that place."""
        view = _view(interface, desk, place)
        if interface.local_node is not None and (desk.is_pair or interface.display.presenting):
            x, y, w, h = view.region
            view = view._replace(region=Rect(x, y, w, max(h - view.look.px(_BANNER), 1.0)))
        return layout_of(view, self._layouts[place])

    def _prepare(self, interface: Interface, desk: Desk, place: int) -> None:
        view = _view(interface, desk, place)
        if view.region.w:
            prepare(view._replace(interface=facing(interface, desk, place)), self._layouts[place])

    def _panel(self, interface: Interface, desk: Desk, place: int) -> Panel:
        view = _view(interface, desk, place)
        if not view.region.w:
            return Panel()
        # a term shows the match of the rule under the pointer
        changes = interface.is_moving or view.run.system
        state = None if changes else still_state(interface, desk, view.run)
        before = self._still.pop(place, None)
        if before is None or state is None or before.state != state:
            panel = picture(view._replace(interface=facing(interface, desk, place)), self._layouts[place])
            if state is None or sum(len(shape.shapes) for shape in panel.shapes if isinstance(shape, Group)) < _MANY:
                return panel
            self._count += 1
            whole = Group(_patient(panel.shapes), clip=view.region, key=("graph", self._count))
            before = StillGraph(state, panel._replace(shapes=(whole,)))
        self._still[place] = before
        return before.panel


def _view(interface: Interface, desk: Desk, place: int) -> View:
    region = arrangement.panes(interface, desk.is_pair)[place].graph
    return View(interface, desk, desk.runs[place], arrangement.look_of(interface), region)


def _patient(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The shapes, with cached groups that may be drawn some frames late."""
    return tuple(_patient_group(shape) if isinstance(shape, Group) else shape for shape in shapes)


def _patient_group(group: Group) -> Group:
    if group.key is not None:
        return group._replace(patient=True)
    return group._replace(shapes=_patient(group.shapes))


class LayoutCache:
    """Caches the layout of one run in one rectangle."""

    def __init__(self) -> None:
        self._run: object = None
        self._style = ""
        self._moved: object = ()
        self._unmoved: Layout | None = None  # before the person has moved nodes
        self._layout: Layout | None = None

    def of(self, view: View, rect: Rect) -> Layout:
        """The layout of the view's run in a rectangle."""
        run, style, moved = view.run.simulation, view.interface.graph.layout, view.interface.graph.positions
        before = self._unmoved
        largest = largest_presented(run.scenario.nodes) if view.interface.display.presenting else LARGEST
        if before is None or (self._run, self._style) != (run, style):
            before = arrange(run, rect, style, largest)
        unmoved = before.within(rect, largest)
        if self._layout is None or unmoved is not self._unmoved or moved != self._moved:
            self._layout = unmoved.moved(dict(moved))
        self._run, self._style, self._moved, self._unmoved = run, style, moved, unmoved
        return self._layout


def magnified(rect: Rect, camera: Camera) -> Rect:
    """A rectangle as the camera shows it."""
    w, h = rect.w * camera.zoom, rect.h * camera.zoom
    return Rect(rect.x + (rect.w - w) / 2 + camera.x, rect.y + (rect.h - h) / 2 + camera.y, w, h)


def options_of(view: View, *, ahead: bool = True) -> Options:
    """The options of the scene for an interface; without `ahead`, the diagram ends at the present step."""
    interface, lesson = view.interface, view.desk.lesson
    lettered = lesson.lettered if lesson is not None and view.run is view.desk.front else ()
    selected = interface.selected_id
    if lettered and lesson is not None and lesson.is_open and selected.startswith("event:"):
        selected = ""  # its causes and effects would be lit, which would answer the question
    scale = view.look.unit / (PRESENTING if interface.display.presenting else 1.0)
    return Options(
        scale=scale,
        presenting=interface.display.presenting,
        arrows=not interface.playback.playing,
        selected=selected,
        ahead=ahead,
        letters=tuple((step, event_label(place)) for place, step in enumerate(lettered)),
        least=LEAST_PRESENTED * min(interface.display.height / (DESIGN[1] * scale), 1.0),
    )


def layout_of(view: View, layouts: LayoutCache) -> Layout:
    """The layout of the view's run, as the camera shows it."""
    return layouts.of(view, magnified(_room(view), view.interface.graph.camera))


def _room(view: View) -> Rect:
    """The rectangle for nodes, with room beside an identifier circle for labels."""
    nodes, region = stage_of(view).nodes, view.region
    if not on_overlay(view.run.simulation):
        return nodes
    return nodes._replace(w=min(nodes.w + ASIDE * nodes.h, region.x + region.w - nodes.x))


def stage_of(view: View) -> arrangement.Stage:
    """The parts of the graph's region, in a presentation with a column for the legend of the run."""
    most = arrangement.legend_room(view.interface, view.region)
    needs_room = view.look.presenting and not view.desk.is_pair and not view.run.system
    wide = widest(view.run.cache, view.look.theme, options_of(view), most.h, most.w) if needs_room else 0.0
    return stage(view.interface, view.region, view.desk.is_pair, wide)


def prepare(view: View, layouts: LayoutCache) -> None:
    """Compute and cache the first half of the picture."""
    if not view.run.system:
        scene.prepare(view.run.cache, layout_of(view, layouts), view.look.theme, options_of(view))


def picture(view: View, layouts: LayoutCache) -> Panel:
    """The graph in its region."""
    region, interface = view.region, view.interface
    if view.run.system:
        return _term(view)
    layout = layout_of(view, layouts)
    options, theme = options_of(view), view.look.theme
    cache = view.run.cache
    why = "waiting" in interface.display.panels and open_question(interface, view.desk) is None
    beneath = edges(cache, layout, theme, options) if why else []
    moving = interface.is_moving or bool(interface.pointer.pressed)  # a drag of the timeline moves the picture, too
    breaches = cache.get(_breaches, view.run.ledger, Moment(view.run.simulation))
    behind = [*beneath, *breach_rings(breaches, layout, theme, options)]
    shapes = scene.graph(view.run.cache, interface.playback.time, layout, theme, options, behind, moving=moving)
    if not view.run.is_automatic and view.desk.room is None:  # a class needs the names that numbers would hide
        from visual.window.pages.choose import numbers  # the first frame does without

        shapes = [*shapes, *numbered(shapes, numbers(view.interface, view.run), view.look.size("small"), theme)]
    shapes += selection(layout, theme, options, shapes)
    shapes += breach_crosses(breaches, layout, theme, options, shapes)
    if why:
        shapes += frames(cache, layout, theme, options, shapes)
    return Panel((Box(*region, theme.paper), Group(tuple(shapes), clip=region)))


def _breaches(ledger: Ledger, now: Moment) -> list[Breach]:
    return ledger.breaches


def _term(view: View) -> Panel:
    """The term of a rewriting system, with the match of a rule."""
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
    shape_id = pick(panel.shapes, x, y)
    return shape_id if shape_id.startswith(("node:", "message:")) else ""
