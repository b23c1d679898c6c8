"""All that is on screen: the panels, each kept until what it shows changes.

screen = Screen(session)
screen.shapes(interface), screen.widgets(interface)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from visual.interface.session import Session
from visual.interface.state import Interface
from visual.panels import arrangement
from visual.panels.concurrency import concurrency
from visual.panels.counters import counters
from visual.panels.header import header
from visual.panels.inspector import cards
from visual.panels.lights import lights
from visual.panels.menu import menu
from visual.panels.overlays import PATIENCE, help_card, hint, notice
from visual.panels.panel import Panel, View
from visual.panels.picture import Places, picture, under
from visual.panels.side import column, side_ground
from visual.panels.strip import strip
from visual.panels.transport import transport
from visual.shapes import Box, Group, Rect, Shape
from visual.theme import load
from visual.widgets import Button, Look, Slider, Target, TextField, Touch, Widget, draw


class _Kept(NamedTuple):
    """A panel as it was drawn last, and everything that it depended on."""

    depends: Hashable
    panel: Panel
    group: Group


class Part(NamedTuple):
    """A panel of the window: where it is, what builds it, and what it depends on beside region and look."""

    name: str
    region: Rect
    build: Callable[[View], Panel]
    depends: Hashable


class Screen:
    """What a window shows of one session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._places = Places()
        self._kept: dict[str, _Kept] = {}
        self._serial = 0

    def shapes(self, interface: Interface) -> list[Shape]:
        """Everything, back to front."""
        if interface.blank:
            return [Box(0, 0, interface.width, interface.height, load("dark").paper)]
        look, regions = arrangement.look_of(interface), arrangement.regions(interface)
        drawn: list[Shape] = []
        if regions.graph.w:
            drawn += self._graph(interface, look, regions.graph).shapes
        if regions.strip.w:
            drawn += strip(View(interface, self.session, look, regions.strip)).shapes
        drawn += [self._kept_panel(part, interface, look).group for part in self._parts(interface, regions)]
        return drawn

    def widgets(self, interface: Interface) -> tuple[Widget, ...]:
        """All widgets, topmost last."""
        if interface.blank:
            return ()
        look, regions = arrangement.look_of(interface), arrangement.regions(interface)
        kept = (self._kept_panel(part, interface, look) for part in self._parts(interface, regions))
        return tuple(widget for one in kept for widget in one.panel.widgets)

    def under(self, interface: Interface, x: float, y: float) -> str:
        """The id of the node or message under the pointer; "" if there is none."""
        region = arrangement.regions(interface).graph
        if interface.blank or not (region.x <= x <= region.x + region.w and region.y <= y <= region.y + region.h):
            return ""
        return under(self._graph(interface, arrangement.look_of(interface), region), x, y)

    def _graph(self, interface: Interface, look: Look, region: Rect) -> Panel:
        return picture(View(interface, self.session, look, region), self._places)

    def _parts(self, interface: Interface, regions: arrangement.Regions) -> Iterator[Part]:
        """The panels that are to be seen, from back to front."""
        run = (interface.shown, id(self.session.run))
        if regions.header.h:
            yield Part("header", regions.header, header, run)
        if regions.side.w:
            yield Part("side", regions.side, side_ground, ())
            yield from self._column(interface, regions.side, run)
        if regions.graph.w and interface.selection:
            beside = arrangement.stage(interface, regions.graph).cards
            yield Part("cards", beside, cards, (run, interface.selection, interface.panels))
        if regions.foot.h:
            still = interface.time if not interface.moving or interface.pressed else interface.pulse
            yield Part("transport", regions.foot, transport, (*run, still, interface.playing, interface.speed))

        yield from self._overlays(interface, regions)

    def _column(self, interface: Interface, side: Rect, run: Hashable) -> Iterator[Part]:
        """The panels at the right."""
        found = column(interface, self.session, arrangement.look_of(interface), side)
        moment = (run, interface.pulse, None if interface.moving else interface.time)
        for name, build, depends in (
            ("lights", lights, moment),
            ("counters", counters, run),
            ("concurrency", concurrency, moment),
        ):
            region = getattr(found, name)
            if region.h:
                yield Part(name, region, build, depends)

    def _overlays(self, interface: Interface, regions: arrangement.Regions) -> Iterator[Part]:
        """What lies over the panels."""
        window = Rect(0, 0, interface.width, interface.height)
        if interface.notice:
            words = interface.notice.words
            above = Rect(0, 0, window.w, window.h - regions.foot.h)
            yield Part("notice", above, lambda view: notice(view, words), words)
        if interface.help_open:
            yield Part("help", window, help_card, interface.help_page)
        if interface.menu:
            anchor = self._anchor(interface)
            state = (interface.menu, interface.menu_at, interface.field, interface.scrolled, interface.shown)
            yield Part("menu", window, lambda view: menu(view, anchor), (anchor, state, interface.selection))
        hinted = self._hinted(interface)
        if hinted is not None and hinted.hint:
            yield Part("hint", window, lambda view: hint(view, hinted.hint, hinted.box), (hinted.hint, hinted.box))

    def _anchor(self, interface: Interface) -> Rect:
        """The button that the open menu hangs under: its own, or the one at the end of the header."""
        name = interface.menu.partition(":")[0]
        buttons = {widget.id: widget.box for widget in self._last_widgets("header")}
        return buttons.get(f"header.{name}") or buttons.get("header.more") or Rect(0, 0, 0, 0)

    def _hinted(self, interface: Interface) -> Button | Slider | TextField | Target | None:
        """The widget whose hint is to be shown."""
        if interface.hovering < PATIENCE or interface.pressed or interface.menu:
            return None
        panel = interface.hover.partition(".")[0]
        found = next((widget for widget in self._last_widgets(panel) if widget.id == interface.hover), None)
        return found if isinstance(found, Button | Slider | TextField | Target) else None

    def _last_widgets(self, panel: str) -> tuple[Widget, ...]:
        kept = self._kept.get(panel)
        return kept.panel.widgets if kept else ()

    def _kept_panel(self, part: Part, interface: Interface, look: Look) -> _Kept:
        """The panel as it is kept, built anew if what it depends on has changed."""
        touch = _touch_of(part.name, interface)
        depends = (part.region, look, part.depends, touch)
        kept = self._kept.get(part.name)
        if kept is None or kept.depends != depends:
            panel = part.build(View(interface, self.session, look, part.region))
            widgets = (shape for widget in panel.widgets for shape in draw(widget, look, touch))
            shapes = (*panel.shapes, *widgets)
            if kept is not None and kept.group.shapes == shapes:
                kept = _Kept(depends, panel, kept.group)
            else:
                self._serial += 1
                kept = _Kept(depends, panel, Group(shapes, key=(part.name, self._serial)))
            self._kept[part.name] = kept
        return kept


def _touch_of(panel: str, interface: Interface) -> Touch:
    """What of pointer and keyboard is on this panel."""
    mine = f"{panel}."
    touched = (interface.hover, interface.pressed, interface.focus)
    hover, pressed, focus = (name if name.startswith(mine) else "" for name in touched)
    if panel == "menu" and interface.field is None:
        focus = f"menu.{interface.menu_at}"
    return Touch(hover, pressed, focus)
