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
from visual.panels.header import header
from visual.panels.panel import Panel, View
from visual.panels.picture import Places, picture, under
from visual.panels.transport import transport
from visual.shapes import Box, Group, Rect, Shape
from visual.theme import load
from visual.widgets import Look, Touch, Widget, draw


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
        if regions.foot.h:
            still = interface.time if not interface.moving or interface.pressed else interface.pulse
            yield Part("transport", regions.foot, transport, (*run, still, interface.playing, interface.speed))

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
    return Touch(*(name if name.startswith(mine) else "" for name in touched))
