"""All that is on screen: the panels, each kept until what it shows changes.

screen = Screen(Desk(RunView(scenario)))
screen.shapes(interface), screen.widgets(interface)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property, partial
from importlib import import_module
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms.engine.rewrite import system_of
from visual.drawing.picking import pick
from visual.drawing.shapes import Group, Point, Rect, Shape
from visual.window import arrangement
from visual.window.desk import Desk
from visual.window.gallery.cards import is_found
from visual.window.gallery.thumbnails import GalleryWork, Thumbnails
from visual.window.header import header
from visual.window.panel import Panel, View, sheet, touch_of
from visual.window.panes import facing, place_at, title
from visual.window.playback.transport import transport
from visual.window.run_view import RunView
from visual.window.side import column, page, side_ground, tabs
from visual.window.state import Interface
from visual.window.widgets import Button, Slider, Target, TextField, Touch, Widget, draw

if TYPE_CHECKING:
    from visual.scene.space_time.frame import Frame
    from visual.window.graph.graphs import Graphs

PATIENCE = 0.5  # seconds that the pointer rests on a button before its hint appears
LATEST = 0.25  # seconds that a panel may stay behind a run that moves by itself
LEAST = 0.008  # seconds in a frame for what has had to wait in the frame before, however late it is
_LOCAL = ("local", "local1")  # panels with a node's view, in the left run and in the right one
OF_ONE_NODE = (*_LOCAL, "title0", "title1")  # what of the local view a saved picture shows
PROMPT = ("header", "transport")  # panels of the very first frame, which is to be there at once


def _later(place: str) -> Callable[..., Panel]:
    """The function "module.name", imported when it is called first: the first frame does without."""
    module, _, name = place.rpartition(".")

    def build(*arguments: Any) -> Panel:
        panel: Panel = getattr(import_module(module), name)(*arguments)
        return panel

    return build


_strip = _later("visual.window.diagram.panel.strip")
_key_row = _later("visual.window.graph.cards.key_row")
_comparison = _later("visual.window.compare.panel.comparison")
_legend = _later("visual.window.graph.cards.key_to_signs")
_cards = _later("visual.window.graph.cards.cards")
_reasons = _later("visual.window.graph.cards.reasons_row")
_lights = _later("visual.window.pages.run.lights")
_counters = _later("visual.window.pages.run.counters")
_concurrency = _later("visual.window.pages.run.concurrency")
_code = _later("visual.window.pages.source.code")
_menu = _later("visual.window.menus.panel.menu")
_gallery = _later("visual.window.gallery.page.gallery")
_gallery_head = _later("visual.window.gallery.page.head_of")
_lab_sheet = _later("visual.window.lab.sheet.lab_sheet")
_help = _later("visual.window.overlays.help_card")
_hint = _later("visual.window.overlays.hint")
_local_picture = _later("visual.window.graph.local_view.picture")
_local_header = _later("visual.window.graph.local_view.header")
_local_column = _later("visual.window.graph.local_view.column")
_local_foot = _later("visual.window.graph.local_view.foot")
_notice = _later("visual.window.overlays.notice")


def _for(run: RunView, interface: Interface, build: Callable[..., Panel], which: object) -> Callable[[View], Panel]:
    """The panel of that run as it is seen there; `build` is told which of two it is."""
    return lambda view: build(view._replace(run=run, interface=interface), which)


class Part(NamedTuple):
    """A panel of the window: where it is and what builds it.

    It depends on its region, the look and the pointer; on `state`, which it follows at once; and on `run`, which it
    may follow a few frames later while the run moves by itself.
    """

    name: str
    region: Rect
    build: Callable[[View], Panel]
    state: Hashable = ()
    run: Hashable = ()
    flat: bool = True  # drawn as one kept surface; otherwise its groups are kept each for itself


class Shown(NamedTuple):
    """A panel as it was drawn last, and what it depended on."""

    name: str
    region: Rect
    state: Hashable
    run: Hashable
    panel: Panel
    group: Group
    built: int  # grows from one to the next that is built


class Screen:
    """What a window shows of one desk; `is_behind` tells that some of it is to come with the next frames."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.thumbnails = Thumbnails()
        self.gallery_work = GalleryWork(self.thumbnails)
        self.is_behind = False
        self._kept: dict[str, Shown] = {}
        self._built = 0  # how many panels have been built
        self._behind: dict[str, float] = {}  # panels that have not caught up with the run -> since when

    @cached_property
    def _graphs(self) -> Graphs:
        """The graphs of the runs, and what draws them: the first frame of the gallery does without."""
        from visual.window.graph.graphs import Graphs

        return Graphs()

    def shapes(self, interface: Interface, stop: float = inf) -> list[Shape]:
        """Everything, back to front.

        After that moment of wall time what stands still is shown as it was before, or left out where it was not there.
        """
        if interface.is_blank:
            return [sheet(interface, "dark")]
        self.gallery_work.go_on(interface.section)
        waited, self.is_behind = self.is_behind, False
        beneath = self._under_all(interface, max(stop, perf_counter() + LEAST * waited))
        shown = [*self.panels(interface, stop=max(stop, perf_counter() + LEAST * (waited and not self.is_behind)))]
        ground = [sheet(interface, interface.display.theme)] if self.is_behind else []
        return [*ground, *beneath, *(panel.group for panel in shown)]

    def first_shapes(self, interface: Interface) -> list[Shape]:
        """What can be shown soonest: the graph and the bars above and below it, or the gallery's head."""
        if interface.section:
            look, window = arrangement.look_of(interface), Rect(0, 0, interface.display.width, interface.display.height)
            head = _gallery_head(View(interface, self.desk, self.desk.front, look, window))
            return [*head.shapes, *(shape for widget in head.widgets for shape in draw(widget, look, Touch()))]
        panels = (shown.group for shown in self.panels(interface, PROMPT))
        return [sheet(interface, interface.display.theme), *self._under_all(interface), *panels]

    def _under_all(self, interface: Interface, stop: float = inf) -> tuple[Shape, ...]:
        """The graph, where it is to be seen."""
        hidden = interface.section or interface.local_node is not None
        is_late = partial(self._has_to_wait, interface, stop)
        return () if hidden else self._graphs.shapes(interface, self.desk, is_late)

    def _has_to_wait(self, interface: Interface, stop: float) -> bool:
        """Whether it is too late to make something in this frame; what moves by itself does not wait."""
        waits = not interface.moving and perf_counter() >= stop
        self.is_behind = self.is_behind or waits
        return waits

    def widgets(self, interface: Interface) -> tuple[Widget, ...]:
        """All widgets, topmost last."""
        if interface.is_blank:
            return ()
        return tuple(widget for shown in self.panels(interface) for widget in shown.panel.widgets)

    def panel(self, interface: Interface, name: str) -> Panel:
        """The panel of that name as it is now; an empty one if it is not to be seen."""
        if interface.is_blank:
            return Panel()
        return next((shown.panel for shown in self.panels(interface) if shown.name == name), Panel())

    def under(self, interface: Interface, x: float, y: float) -> str:
        """The id of the node or message under the pointer; "" if there is none."""
        if interface.is_blank or interface.section:
            return ""
        if interface.local_node is not None:
            from visual.window.graph.graphs import under

            return under(self.panel(interface, _LOCAL[place_at(interface, self.desk, x, y)]), x, y)
        return self._graphs.under(interface, self.desk, x, y)

    def share(self, interface: Interface, x: float, y: float) -> Point:
        """Where in the graph's rectangle a point is, as shares of its width and height."""
        return self._graphs.share(interface, self.desk, x, y)

    def middle_of(self, interface: Interface, node: int) -> Point:
        """Where a node is in the window."""
        return self._graphs.middle_of(interface, self.desk, node)

    def under_in_diagram(self, interface: Interface, x: float, y: float) -> str:
        """The id of the event, message or process under the pointer in the space-time diagram; "" if there is none."""
        name = ("strip", "strip1")[place_at(interface, self.desk, x, y)]
        return pick(self.panel(interface, name).shapes, x, y)

    def diagram_at(self, interface: Interface, x: float, y: float) -> Frame:
        """Where what is in the space-time diagram at that point."""
        from visual.window.diagram.panel import frame_of  # the first frame does without

        place = place_at(interface, self.desk, x, y)
        region, run = arrangement.panes(interface, self.desk.is_pair)[place].strip, self.desk.runs[place]
        look = arrangement.look_of(interface)
        return frame_of(View(facing(interface, self.desk, place), self.desk, run, look, region))

    def _parts(self, interface: Interface, regions: arrangement.Regions) -> Iterator[Part]:
        """The panels that are to be seen, from back to front."""
        if interface.section:
            yield self._lab(interface) if interface.lab else self._gallery(interface)
            yield from self._overlays(interface, regions)
            return
        run_view = self.desk.front
        if interface.local_node is not None:
            yield from self._local(interface, regions)
            yield from self._overlays(interface, regions)
            return
        run = (interface.shown, id(run_view.timeline))
        moment = (run, interface.pulse, None if interface.moving else interface.playback.time)
        chosen = (interface.selection, interface.playback.playing, interface.display.panels)
        yield from self._panes(interface, moment)
        if regions.graph.w and self.desk.is_pair:
            yield from self._above_both(interface, regions.graph, run, moment)
        elif regions.graph.w:
            stage = arrangement.stage(interface, regions.graph, self.desk.is_pair)
            is_graph = system_of(run_view.simulation.algorithm) is None
            if is_graph and arrangement.has_legend(interface, self.desk.is_pair):
                yield Part("legend", stage.legend, _legend, chosen, moment)
            if interface.selection and not regions.side.w:
                yield Part("cards", stage.cards, _cards, (interface.selection, interface.display.panels), run)
        if regions.header.h:
            yield Part("header", regions.header, header, (), run)
        if regions.side.w:
            yield Part("side", regions.side, side_ground)
            yield from self._column(interface, regions.side, run, moment)
        if regions.foot.h:
            held = interface.playback.time if interface.pointer.pressed else None
            yield Part(
                "transport",
                regions.foot,
                transport,
                (interface.playback.playing, interface.playback.speed, held),
                moment,
            )
        yield from self._overlays(interface, regions)

    def _local(self, interface: Interface, regions: arrangement.Regions) -> Iterator[Part]:
        """The panels of the view of one node; of two runs the node has a view in each."""
        run, node = (self.desk.revision, id(self.desk.runs[0].timeline)), interface.local_node
        seen = (node, self._pairing(), interface.playback.playing, interface.scrolls.pixels, interface.scrolls.by_hand)
        for place, pane in enumerate(arrangement.panes(interface, self.desk.is_pair)):
            shown, layout = self.desk.runs[place], self._graphs.layout(interface, self.desk, place)
            build = _for(shown, interface, _local_picture, layout)
            yield Part(_LOCAL[place], pane.graph, build, (seen, layout), run)
            if pane.title.w:
                yield Part(f"title{place}", pane.title, _for(shown, interface, title, place), seen, run)
        parts = (
            Part("localhead", regions.header, _local_header, seen, run),
            Part("localside", regions.side, _local_column, seen, run),
            Part("localfoot", regions.foot, _local_foot, seen, run),
        )
        yield from (part for part in parts if part.region.w)

    def _panes(self, interface: Interface, moment: Hashable) -> Iterator[Part]:
        """The space-time diagram; of two runs both, and their titles."""
        for place, pane in enumerate(arrangement.panes(interface, self.desk.is_pair)):
            run, seen = self.desk.runs[place], facing(interface, self.desk, place)
            state = (seen.selection, interface.playback.playing, self._pairing())
            if pane.strip.w:
                name, seen_so = ("strip", "strip1")[place], (interface.diagram, state)
                yield Part(name, pane.strip, _for(run, seen, _strip, name), seen_so, moment, flat=False)
            if pane.title.w:
                build = _for(run, interface, title, place)
                yield Part(f"title{place}", pane.title, build, state, moment)

    def _above_both(self, interface: Interface, graph: Rect, run: Hashable, moment: Hashable) -> Iterator[Part]:
        """What two graphs share: the legend in a row below them, over it the reasons that have no column."""
        chosen = (interface.selection, interface.playback.playing, self._pairing())
        drawn_as_graphs = any(system_of(one.simulation.algorithm) is None for one in self.desk.runs)
        row = arrangement.key_row(interface, graph)
        if row.h and drawn_as_graphs:
            yield Part("legend", row, _key_row, chosen, moment)
        if row.h and not arrangement.regions(interface).side.w:
            yield Part("cards", row, _reasons, (interface.selection, interface.display.panels), run)

    def _column(self, interface: Interface, side: Rect, run: Hashable, moment: Hashable) -> Iterator[Part]:
        """The panels at the right."""
        found = column(interface, self.desk, arrangement.look_of(interface), side)
        every = (
            Part("lights", found.lights, _lights, (), moment),
            Part("tabs", found.tabs, tabs, interface.display.page),
            Part("comparison", found.comparison, _comparison, self._pairing(), moment),
            Part("cards", found.cards, _cards, (interface.selection, interface.display.panels), run),
            Part("counters", found.counters, _counters, (), run),
            Part("concurrency", found.concurrency, _concurrency, (), moment),
            Part(
                "source",
                found.source,
                _code,
                (interface.selection, interface.scrolls.pixels, interface.scrolls.by_hand),
                run,
            ),
        )
        yield from (part for part in every if part.region.h)
        if found.page.h:
            opened = page(interface.display.page)
            chosen = (
                interface.selection,
                interface.pages.events,
                self.desk.is_manual,
                interface.pages.budget,
                interface.pages.variable,
            )
            shown = (chosen, interface.scrolls.pixels, interface.scrolls.by_hand, interface.field)
            yield Part(opened.name, found.page, _later(opened.build), shown, moment)

    def _gallery(self, interface: Interface) -> Part:
        """The gallery, over the whole window."""
        window = Rect(0, 0, interface.display.width, interface.display.height)
        head = (interface.section, interface.gallery.words, interface.field)
        if not is_found(interface.section):
            return Part("gallery", window, _gallery_head, head, flat=False)
        state = (head, interface.gallery.card, interface.scrolls.of("gallery"), interface.recent, self.thumbnails.made)
        return Part("gallery", window, lambda view: _gallery(view, self.thumbnails), state, flat=False)

    def _lab(self, interface: Interface) -> Part:
        """The sheet of a lab, over the whole window."""
        measurement = self.desk.measurement
        seen = measurement and (measurement.progress, measurement.is_running, measurement.trouble, measurement.plot)
        window = Rect(0, 0, interface.display.width, interface.display.height)
        return Part("lab", window, _lab_sheet, (interface.lab, seen, interface.scrolls.of("lab")), flat=False)

    def _pairing(self) -> Hashable:
        """Which of how many runs the panels are about, and in which actions happen."""
        return len(self.desk.runs), self.desk.place, self.desk.aim

    def _overlays(self, interface: Interface, regions: arrangement.Regions) -> Iterator[Part]:
        """What lies over the panels."""
        window = Rect(0, 0, interface.display.width, interface.display.height)
        if interface.notice:
            words = interface.notice.words
            beside = 0.0 if interface.section else regions.side.w  # it covers no page
            above = Rect(0, 0, window.w - beside, window.h - regions.foot.h)
            yield Part("notice", above, lambda view: _notice(view, words), words)
        if interface.help:
            yield Part("help", window, _help, interface.help.page)
        if interface.menu:
            anchor = self._anchor(interface.menu.name)
            state = (interface.menu, interface.field, interface.scrolls.pixels, interface.shown)
            yield Part("menu", window, lambda view: _menu(view, anchor), (anchor, state, interface.selection))
        hinted = self._hinted(interface)
        if hinted is not None and hinted.hint:
            yield Part("hint", window, lambda view: _hint(view, hinted.hint, hinted.box), (hinted.hint, hinted.box))

    def _anchor(self, menu: str) -> Rect:
        """The button that the open menu hangs at: its own, or the one at the end of the header."""
        name = menu.partition(":")[0]
        buttons = {widget.id: widget.box for panel in ("header", "strip") for widget in self._last_widgets(panel)}
        own = "strip.axis" if name == "diagram" else f"header.{name}"
        return buttons.get(own) or buttons.get("header.more") or Rect(0, 0, 0, 0)

    def _hinted(self, interface: Interface) -> Button | Slider | TextField | Target | None:
        """The widget whose hint is to be shown."""
        if interface.pointer.hovering < PATIENCE or interface.pointer.pressed or interface.menu:
            return None
        panel = interface.pointer.hover.partition(".")[0]
        found = next((widget for widget in self._last_widgets(panel) if widget.id == interface.pointer.hover), None)
        return found if isinstance(found, Button | Slider | TextField | Target) else None

    def _last_widgets(self, panel: str) -> tuple[Widget, ...]:
        kept = self._kept.get(panel)
        return kept.panel.widgets if kept else ()

    def panels(self, interface: Interface, names: tuple[str, ...] = (), stop: float = inf) -> Iterator[Shown]:
        """All panels but the graph, or those of these names, from back to front, built anew where they have changed.

        After the moment `stop` only those that tell what has just happened are.

        While the run moves by itself, only one panel in a frame catches up with it, the one that has waited longest;
        but none stays behind for LATEST, and the sentence on what has just happened catches up at once.
        """
        look, regions = arrangement.look_of(interface), arrangement.regions(interface)
        parts = [part for part in self._parts(interface, regions) if not names or part.name in names]
        late = [kept for part in parts if (kept := self._kept.get(part.name)) and kept.run != part.run]
        due = self._due(late, interface.clock)
        for part in parts:
            touch = touch_of(part.name, interface)
            state = (part.region, look, part.state, touch)
            kept = self._kept.get(part.name)
            waits = interface.moving and kept is not None and kept.built not in due
            if kept is None or kept.state != state or (kept.run != part.run and not waits):
                if part.name not in PROMPT and self._has_to_wait(interface, stop):
                    if kept is not None and kept.region == part.region:
                        yield kept
                    continue
                panel = part.build(View(interface, self.desk, self.desk.front, look, part.region))
                widgets = (shape for widget in panel.widgets for shape in draw(widget, look, touch))
                kept = self._keep(part, state, panel, (*panel.shapes, *widgets), kept)
            yield kept

    def _due(self, late: list[Shown], clock: float) -> set[int]:
        """Those of the panels that are late, by number, that catch up now."""
        self._behind = {kept.name: self._behind.get(kept.name, clock) for kept in late}
        overdue = {kept.built for kept in late if clock - self._behind[kept.name] >= LATEST}
        prompt = {kept.built for kept in late if kept.name == "transport"}
        return {*(prompt or {min((kept.built for kept in late), default=0)}), *overdue}

    def _keep(
        self, part: Part, state: Hashable, panel: Panel, shapes: tuple[Shape, ...], before: Shown | None
    ) -> Shown:
        """The panel, kept; what looks as it did before need not be drawn again."""
        self._built += 1
        same = before is not None and before.group.shapes == shapes
        group = before.group if before and same else Group(shapes, key=(part.name, self._built) if part.flat else None)
        kept = self._kept[part.name] = Shown(part.name, part.region, state, part.run, panel, group, self._built)
        return kept
