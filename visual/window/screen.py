"""The contents of the screen: panels, each cached until its arguments change.

screen = Screen(Desk(RunView(scenario)))
screen.shapes(interface), screen.widgets(interface)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from functools import partial
from math import inf
from typing import Any, NamedTuple

from algorithms.clock import wall_clock
from visual.drawing.picking import pick
from visual.drawing.shapes import NOWHERE, Group, Point, Rect, Shape
from visual.scene.space_time.frame import Frame
from visual.window import arrangement, overlays
from visual.window.arrangement import facing, place_at, title
from visual.window.compare import comparison
from visual.window.desk import Desk
from visual.window.diagram.panel import frame_of, strip
from visual.window.gallery.cards import SECTIONS, GalleryWork, Thumbnails, is_loaded
from visual.window.gallery.page import gallery, head_of
from visual.window.graph import local_view
from visual.window.graph.cards import cards, legend_card, legend_row, reasons_row
from visual.window.graph.graphs import Graphs, stage_of, under
from visual.window.header import header
from visual.window.lab.sheet import lab_sheet
from visual.window.menus.panel import menu
from visual.window.pages.branches import branches
from visual.window.pages.check import check_page
from visual.window.pages.choose import choose
from visual.window.pages.events import events, history
from visual.window.pages.notes import notes
from visual.window.pages.plots import plots
from visual.window.pages.run import concurrency, counters, lights
from visual.window.pages.source import code
from visual.window.panel import HINT_DELAY, Panel, View, blackness, paragraph, sheet, touch_of
from visual.window.playback.transport import transport
from visual.window.presenting.notes import notes_over
from visual.window.presenting.questions import open_question
from visual.window.presenting.stage_panels import counters_line, lights_line, stage_code
from visual.window.presenting.tools import tools
from visual.window.run_view import RunView
from visual.window.side import Column, column, side_ground, tabs
from visual.window.state import Interface
from visual.window.widgets import Button, Slider, Target, TextField, Widget, draw

MOST_DELAY = 0.25  # seconds that a panel may lag behind a moving run
LEAST = 0.008  # seconds of a frame for panels postponed in the frame before, even if it is late
_LOCAL = ("local", "local1")  # panels of a node's view, in the left and the right run
LOCAL_PANELS = (*_LOCAL, "title0", "title1")  # panels of the local view in a saved picture
PROMPT = ("header", "transport")  # panels with the last event, which are never postponed

PAGES: dict[str, Callable[[View], Panel]] = {
    "plots": plots,
    "source": code,
    "events": events,
    "choose": choose,
    "branches": branches,
    "history": history,
    "check": check_page,
    "notes": notes,
}
"""Name of a page -> its panel. The page "run" has none: it consists of several panels."""

TELLING = ("plots", "choose", "branches", "check")
"""The pages that would answer a lesson's question."""


def after_the_answer(view: View) -> Panel:
    """A page that keeps silent while a lesson's question is open."""
    return Panel(tuple(paragraph(view.look, "This page opens after the answer.", view.region)))


class Follows(Enum):
    """The part of the runs that a panel follows, a few frames late while they move."""

    NOTHING = 0
    RUN = 1  # their steps
    MOMENT = 2  # their steps and the time of the picture


class PanelCall(NamedTuple):
    """A panel of the window: its region, the function that builds it, and the function's arguments.

    `interface` has only the values that the panel asks for; `run` is the panel's run. The panel is built
    again when an argument changes, or `version`, which stands for the state of a mutable argument.
    """

    name: str
    region: Rect
    build: Callable[..., Panel]
    interface: Interface
    run: RunView
    follows: Follows = Follows.NOTHING
    arguments: tuple[Any, ...] = ()
    version: Hashable = ()
    is_flat: bool = True  # the painter caches it as one surface, otherwise group by group


class CachedPanel(NamedTuple):
    """A panel as it was built last, with the key that it depended on."""

    name: str
    region: Rect
    state: Hashable
    run: Hashable
    panel: Panel
    group: Group
    version: int  # grows with every panel that is built


class Screen:
    """The panels of one desk; `is_behind` while some are postponed to the next frames."""

    def __init__(self, desk: Desk, graphs: Graphs | None = None) -> None:
        self.desk = desk
        self._graphs = graphs or Graphs()
        self.thumbnails = Thumbnails()
        self.gallery_work = GalleryWork(self.thumbnails)
        self.is_behind = False
        self._cache: dict[str, CachedPanel] = {}
        self._built = 0  # number of panels built
        self._column_of: tuple[object, Column] = ((), Column())  # arguments and result of the last division
        self._behind: dict[str, float] = {}  # panel that lags behind the run -> since when

    def shapes(self, interface: Interface, stop: float = inf) -> list[Shape]:
        """All shapes, back to front.

        After the wall time `stop`, still panels are postponed: they stay as they were, or are left out if new.
        """
        if interface.is_blank:
            return [blackness(interface)]
        self.gallery_work.go_on(interface.section)
        was_behind, self.is_behind = self.is_behind, False
        beneath = self._graph_shapes(interface, max(stop, wall_clock() + LEAST * was_behind))
        panels = [*self.panels(interface, stop=max(stop, wall_clock() + LEAST * (was_behind and not self.is_behind)))]
        ground = [sheet(interface, interface.display.theme)] if self.is_behind else []
        return [*ground, *beneath, *(panel.group for panel in panels)]

    def _graph_shapes(self, interface: Interface, stop: float) -> tuple[Shape, ...]:
        """The graph, where it is visible."""
        hidden = interface.section or interface.local_node is not None
        is_late = partial(self._is_postponed, interface, stop)
        return () if hidden else self._graphs.shapes(interface, self.desk, is_late)

    def _is_postponed(self, interface: Interface, stop: float) -> bool:
        """Whether it is too late to build in this frame; a moving picture is never postponed."""
        is_late = not interface.is_moving and wall_clock() >= stop
        self.is_behind = self.is_behind or is_late
        return is_late

    def widgets(self, interface: Interface) -> tuple[Widget, ...]:
        """All widgets, topmost last."""
        if interface.is_blank:
            return ()
        return tuple(widget for cached in self.panels(interface) for widget in cached.panel.widgets)

    def panel(self, interface: Interface, name: str) -> Panel:
        """The current panel of that name; an empty one if it is not visible."""
        if interface.is_blank:
            return Panel()
        return next((cached.panel for cached in self.panels(interface, (name,))), Panel())

    def under(self, interface: Interface, x: float, y: float) -> str:
        """The id of the node or message under the pointer; "" for none."""
        if interface.is_blank or interface.section:
            return ""
        if interface.local_node is not None:
            return under(self.panel(interface, _LOCAL[place_at(interface, self.desk, x, y)]), x, y)
        return self._graphs.under(interface, self.desk, x, y)

    def share(self, interface: Interface, x: float, y: float) -> Point:
        """A point in the graph's rectangle, as shares of its width and height."""
        return self._graphs.share(interface, self.desk, x, y)

    def middle_of(self, interface: Interface, node: int) -> Point:
        """A node's position in the window, in pixels."""
        return self._graphs.middle_of(interface, self.desk, node)

    def under_in_diagram(self, interface: Interface, x: float, y: float) -> str:
        """The id of the event, message or process under the pointer in the diagram; "" for none."""
        name = ("strip", "strip1")[place_at(interface, self.desk, x, y)]
        return pick(self.panel(interface, name).shapes, x, y)

    def diagram_at(self, interface: Interface, x: float, y: float) -> Frame:
        """The geometry of the space-time diagram at that point."""
        place = place_at(interface, self.desk, x, y)
        region, run = arrangement.panes(interface, self.desk.is_pair)[place].strip, self.desk.runs[place]
        look = arrangement.look_of(interface)
        return frame_of(View(facing(interface, self.desk, place), self.desk, run, look, region))

    def _calls(self, interface: Interface) -> Iterator[PanelCall]:
        """The visible panels, from back to front."""
        regions = arrangement.regions(interface)
        if interface.section:
            yield self._lab(interface) if interface.lab else self._gallery(interface)
        elif interface.local_node is not None:
            yield from self._local(interface, regions)
        else:
            yield from self._panes(interface)
            yield from self._beside_the_graph(interface, regions)
            if regions.header.h:
                follows = Follows.MOMENT if interface.display.presenting else Follows.RUN  # it then names the moment
                names = self.desk.lesson and self.desk.lesson.lesson.name
                part = interface.only("presentation", "playback")
                call = PanelCall("header", regions.header, header, part, self.desk.front, follows)
                yield call._replace(version=names)
            yield from self._column(interface, regions.side)
            yield from self._on_stage(interface, regions)
            yield from self._lesson(interface, regions.lesson)
            if regions.foot.h:
                plain = interface.only("playback", "presentation")
                part = plain.at(interface.playback.time) if interface.pointer.pressed else plain
                yield PanelCall("transport", regions.foot, transport, part, self.desk.front, Follows.MOMENT)
        yield from self._over_all(interface, regions)

    def _beside_the_graph(self, interface: Interface, regions: arrangement.Regions) -> Iterator[PanelCall]:
        """Legend and cards: in the graph's region, or in a row below two graphs."""
        run, graph = self.desk.front, regions.graph
        signs, selected = interface.only("selection", "playback"), interface.only("selection")
        if not graph.w:
            return
        if self.desk.is_pair:
            row = arrangement.legend_row(interface, graph)
            has_graphs = any(run.system is None for run in self.desk.runs)
            if row.h and has_graphs:
                yield PanelCall("legend", row, legend_row, signs, run, Follows.MOMENT)
            if row.h and not regions.side.w and open_question(interface, self.desk) is None:
                yield PanelCall("cards", row, reasons_row, selected, run, Follows.RUN)
            return
        stage = stage_of(View(interface, self.desk, run, arrangement.look_of(interface), graph))
        is_graph = run.system is None
        if is_graph and stage.legend.w and arrangement.has_legend(interface, is_pair=False):
            yield PanelCall("legend", stage.legend, legend_card, signs, run, Follows.MOMENT)
        is_taught = self.desk.lesson is not None or open_question(interface, self.desk) is not None
        if interface.selection and stage.cards.w and not regions.side.w and not is_taught:
            yield PanelCall("cards", stage.cards, cards, signs, run, Follows.MOMENT)

    def _local(self, interface: Interface, regions: arrangement.Regions) -> Iterator[PanelCall]:
        """The panels of the local view, which shows the selected node in each run."""
        part = interface.only("selection", "playback", "scrolls")
        for place, pane in enumerate(arrangement.panes(interface, self.desk.is_pair)):
            run, layout = self.desk.runs[place], self._graphs.layout(interface, self.desk, place)
            yield PanelCall(_LOCAL[place], pane.graph, local_view.picture, part, run, Follows.RUN, (layout,))
            if pane.title.w:
                yield PanelCall(f"title{place}", pane.title, title, part, run, Follows.RUN, (place,))
        yield from self._lesson(interface, regions.lesson)
        for name, region, build in (
            ("localhead", regions.header, local_view.header),
            ("localside", regions.side, local_view.column),
            ("localfoot", regions.foot, local_view.foot),
        ):
            if region.w and region.h:
                yield PanelCall(name, region, build, part, self.desk.front, Follows.RUN)

    def _panes(self, interface: Interface) -> Iterator[PanelCall]:
        """The space-time diagram of each run, and the titles of two."""
        for place, pane in enumerate(arrangement.panes(interface, self.desk.is_pair)):
            run, facing_interface = self.desk.runs[place], facing(interface, self.desk, place)
            if pane.strip.w:
                name = ("strip", "strip1")[place]
                part = facing_interface.only("selection", "playback", "diagram", "presentation")
                yield PanelCall(name, pane.strip, strip, part, run, Follows.MOMENT, (name,), is_flat=False)
            if pane.title.w:
                part = facing_interface.only("selection", "playback")
                yield PanelCall(f"title{place}", pane.title, title, part, run, Follows.MOMENT, (place,))

    def _on_stage(self, interface: Interface, regions: arrangement.Regions) -> Iterator[PanelCall]:
        """The panels that a presentation shows beside the picture."""
        if not (interface.display.presenting and interface.display.stage):
            return
        run, plain = self.desk.front, interface.only()
        for call in (
            PanelCall("stagelights", regions.lights, lights_line, plain, run, Follows.MOMENT),
            PanelCall("stagecounters", regions.counters, counters_line, plain, run, Follows.RUN),
            PanelCall("source", regions.source, stage_code, interface.only("selection", "scrolls"), run, Follows.RUN),
        ):
            if call.region.w and call.region.h:
                yield call

    def _column(self, interface: Interface, side: Rect) -> Iterator[PanelCall]:
        """The panels at the right."""
        if not side.w:
            return
        run, areas = self.desk.front, self._divided(interface.only("selection"), side)
        reasons = NOWHERE if self._is_asked else areas.cards
        code_area = NOWHERE if self.desk.lesson and self.desk.lesson.hides_code else areas.source
        plain = interface.only()
        moving = Follows.MOMENT if run.simulation.algorithm.token else Follows.RUN  # shares of time by number of tokens
        yield PanelCall("side", side, side_ground, plain, run)
        for call in (
            PanelCall("lights", areas.lights, lights, plain, run, Follows.MOMENT),
            PanelCall("tabs", areas.tabs, tabs, plain, run),
            PanelCall("comparison", areas.comparison, comparison, plain, run, Follows.MOMENT),
            PanelCall("cards", reasons, cards, interface.only("selection"), run, Follows.RUN),
            PanelCall("counters", areas.counters, counters, plain, run, moving),
            PanelCall("concurrency", areas.concurrency, concurrency, plain, run, Follows.MOMENT),
            PanelCall("source", code_area, code, interface.only("selection", "scrolls"), run, Follows.RUN),
        ):
            if call.region.h:
                yield call
        if areas.page.h:
            part, name = interface.only("selection", "pages", "scrolls", "overlays"), interface.display.page
            page = after_the_answer if self._is_asked and name in self._telling else PAGES[name]
            yield PanelCall(name, areas.page, page, part, run, Follows.MOMENT)

    @property
    def _is_asked(self) -> bool:
        """Whether a lesson's question is open, which the reasons for waiting would answer."""
        return self.desk.lesson is not None and self.desk.lesson.is_open

    @property
    def _telling(self) -> tuple[str, ...]:
        """The pages that would answer the lesson's open question."""
        lesson = self.desk.lesson
        if lesson is None:
            return ()
        return (*TELLING, *["history"] * bool(lesson.lettered), *["source"] * lesson.hides_code)

    def _lesson(self, interface: Interface, region: Rect) -> Iterator[PanelCall]:
        """The card of the lesson, if one is open."""
        attempt = self.desk.lesson
        if region.h and attempt is not None:
            from visual.window.lesson.card import lesson_card  # the window without a lesson does without
            from visual.window.lesson.pointing import pointing

            part, run = interface.only("pointer", "scrolls", "overlays"), self.desk.front
            version = (attempt.revision, interface.pointer.focus)
            yield PanelCall("lesson", region, lesson_card, part, run, Follows.RUN, (attempt,), version)
            names = attempt.step.task.show
            if names and not self.desk.is_pair and run.timeline.step == attempt.moment:
                places, graph = self._graphs.layout(interface, self.desk, 0), arrangement.regions(interface).graph
                boxes = (widget.box for widget in self._last_widgets("lights"))
                lights = tuple(zip((verdict.name for verdict in run.ledger.verdicts), boxes, strict=False))
                arguments = (places, names, lights)
                plain = interface.only()
                yield PanelCall("pointing", graph, pointing, plain, run, Follows.RUN, arguments, is_flat=False)

    def _divided(self, interface: Interface, side: Rect) -> Column:
        """The column divided among its panels: computed once, until something that it depends on changes."""
        algorithms = tuple(run.simulation.algorithm for run in self.desk.runs)
        arguments = interface, algorithms, self.desk.place, side
        if arguments != self._column_of[0]:
            self._column_of = arguments, column(*arguments, arrangement.look_of(interface))
        return self._column_of[1]

    def _gallery(self, interface: Interface) -> PanelCall:
        """The gallery, over the whole window."""
        window, run = arrangement.whole(interface), self.desk.front
        if not is_loaded(interface.section):
            return PanelCall("gallery", window, head_of, interface.only("overlays", "gallery"), run, is_flat=False)
        part, pictures = interface.only("overlays", "gallery", "scrolls", "recent"), self.thumbnails
        version = pictures.made, sum(map(is_loaded, SECTIONS))
        return PanelCall("gallery", window, gallery, part, run, arguments=(pictures,), version=version, is_flat=False)

    def _lab(self, interface: Interface) -> PanelCall:
        """The sheet of a lab, over the whole window."""
        window, part, going = arrangement.whole(interface), interface.only("overlays", "scrolls"), self.desk.measurement
        version = going and (going.progress, going.is_running, going.trouble, going.plot)
        return PanelCall("lab", window, lab_sheet, part, self.desk.front, version=version, is_flat=False)

    def _over_all(self, interface: Interface, regions: arrangement.Regions) -> Iterator[PanelCall]:
        """The overlays above the panels."""
        window, run, plain = arrangement.whole(interface), self.desk.front, interface.only()
        if (room := self.desk.room) is not None and not interface.section and regions.classroom.h:
            from visual.window.classroom.card import room_card  # the window without a class does without

            yield PanelCall("class", regions.classroom, room_card, plain, run, Follows.RUN, (room,), room.revision)
        if interface.presentation.notes:
            part = interface.only("playback", "presentation")
            seconds = int(interface.clock - (interface.presentation.began or 0.0))
            yield PanelCall("notesover", window, notes_over, part, run, Follows.MOMENT, (seconds,))
        if interface.presentation.tool or interface.presentation.strokes:
            yield PanelCall("tools", window, tools, interface.only("presentation"), run, is_flat=False)
        if interface.notice:
            beside = 0.0 if interface.section or regions.side.w == window.w else regions.side.w  # no page is covered
            foot = 0.0 if interface.display.presenting else regions.foot.h  # rather than nodes it covers the caption
            look = arrangement.look_of(interface)
            foot += (look.target + look.px(14)) * (foot > 0 and regions.lesson.w == window.w)  # nor a card's buttons
            above = Rect(0, 0, window.w - beside, window.h - foot)
            yield PanelCall("notice", above, overlays.notice, plain, run, arguments=(interface.notice.words,))
        if interface.help:
            yield PanelCall("help", window, overlays.help_card, interface.only("overlays"), run)
        if interface.menu:
            part = interface.only("overlays", "selection", "scrolls", "pointer", "graph", "diagram")
            yield PanelCall("menu", window, menu, part, run, Follows.RUN, (self._anchor(interface.menu.name),))
        hinted = self._hinted(interface)
        if hinted is not None and hinted.hint:
            yield PanelCall("hint", window, overlays.hint, plain, run, arguments=(hinted.hint, hinted.box))

    def _anchor(self, menu: str) -> Rect:
        """The button below which a menu opens: its own, or the one at the end of the header."""
        name, _, place = menu.partition(":")
        if name == "here":  # at the pointer
            x, y = map(float, place.split(":"))
            return Rect(x, y, 0, 0)
        buttons = {widget.id: widget.box for panel in ("header", "strip") for widget in self._last_widgets(panel)}
        own = "strip.axis" if name == "diagram" else f"header.{name}"
        return buttons.get(own) or buttons.get("header.more") or Rect(0, 0, 0, 0)

    def _hinted(self, interface: Interface) -> Button | Slider | TextField | Target | None:
        """The widget whose hint is visible."""
        if interface.pointer.hover_seconds < HINT_DELAY or interface.pointer.pressed or interface.menu:
            return None
        panel = interface.pointer.hover.partition(".")[0]
        widget = next((shown for shown in self._last_widgets(panel) if shown.id == interface.pointer.hover), None)
        return widget if isinstance(widget, Button | Slider | TextField | Target) else None

    def _last_widgets(self, panel: str) -> tuple[Widget, ...]:
        return self._cache[panel].panel.widgets if panel in self._cache else ()

    def panels(self, interface: Interface, names: tuple[str, ...] = (), stop: float = inf) -> Iterator[CachedPanel]:
        """All panels but the graph, or those of these names, from back to front, built again where they changed.

        After the wall time `stop` only the prompt ones are. While the run moves, one panel per frame catches up with
        it, the one that has lagged longest; but the transport bar does so at once, and the others within MOST_DELAY.
        """
        look = arrangement.look_of(interface)
        calls = list(self._calls(interface))
        runs = [self._run_key(call, interface) for call in calls]
        late = [
            cached
            for call, run in zip(calls, runs, strict=True)
            if (cached := self._cache.get(call.name)) and cached.run != run
        ]
        updates = self._updates(late, interface.clock)
        desk = (len(self.desk.runs), self.desk.place, self.desk.aim)
        for call, run in zip(calls, runs, strict=True):
            if names and call.name not in names:
                continue
            touch = touch_of(call.name, interface)
            state = (call.region, look, call.interface, call.arguments, call.version, desk, touch)
            cached = self._cache.get(call.name)
            may_lag = interface.is_moving and cached is not None and cached.version not in updates
            if cached is None or cached.state != state or (cached.run != run and not may_lag):
                if call.name not in PROMPT and self._is_postponed(interface, stop):
                    if cached is not None and cached.region == call.region:
                        yield cached
                    continue
                part = call.interface.at(interface.playback.time) if call.follows is Follows.MOMENT else call.interface
                panel = call.build(View(part, self.desk, call.run, look, call.region), *call.arguments)
                widgets = (shape for widget in panel.widgets for shape in draw(widget, look, touch))
                cached = self._store(call, state, run, panel, (*panel.shapes, *widgets))
            yield cached

    def _run_key(self, call: PanelCall, interface: Interface) -> Hashable:
        """The part of a panel's cache key that stands for the runs."""
        if call.follows is Follows.NOTHING:
            return ()
        run = (interface.panel_revision, id(call.run.timeline))
        if call.follows is Follows.RUN:
            return run
        return run, interface.refreshed_at, None if interface.is_moving else interface.playback.time

    def _updates(self, late: list[CachedPanel], clock: float) -> set[int]:
        """The versions of the late panels that catch up in this frame."""
        self._behind = {panel.name: self._behind.get(panel.name, clock) for panel in late}
        overdue = {panel.version for panel in late if clock - self._behind[panel.name] >= MOST_DELAY}
        prompt = {panel.version for panel in late if panel.name == "transport"}
        return {*(prompt or {min((panel.version for panel in late), default=0)}), *overdue}

    def _store(
        self, call: PanelCall, state: Hashable, run: Hashable, panel: Panel, shapes: tuple[Shape, ...]
    ) -> CachedPanel:
        """Cache a panel; if it looks as before, its group stays and is not drawn again."""
        self._built += 1
        before = self._cache.get(call.name)
        if before is not None and before.group.shapes == shapes:
            group = before.group
        else:
            group = Group(shapes, key=(call.name, self._built) if call.is_flat else None)
        cached = self._cache[call.name] = CachedPanel(call.name, call.region, state, run, panel, group, self._built)
        return cached
