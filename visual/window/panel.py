"""What a panel is: shapes, and widgets on them."""

from __future__ import annotations

from typing import NamedTuple

from visual.drawing.shapes import Box, Line, Rect, Shape, Text
from visual.drawing.theme import load
from visual.window.session import Session
from visual.window.state import Interface
from visual.window.widgets import Look, Touch, Widget


class View(NamedTuple):
    """All that a panel may look at to draw itself into a region."""

    interface: Interface
    session: Session
    look: Look
    region: Rect


class Panel(NamedTuple):
    """A panel as it is now: its shapes, back to front, and the widgets above them.

    `start` is the widget where the keyboard begins; without it that is the first one.
    """

    shapes: tuple[Shape, ...] = ()
    widgets: tuple[Widget, ...] = ()
    start: str = ""


def sheet(interface: Interface, theme: str) -> Box:
    """The whole window in that theme's paper, for a blank screen, and for gaps in which something is still to come."""
    return Box(0, 0, interface.width, interface.height, load(theme).paper)


def ground(view: View, colour: str | None = None) -> Box:
    """The panel's ground."""
    return Box(*view.region, colour or view.look.theme.chrome)


def heading(look: Look, x: float, y: float, words: str) -> Text:
    """A panel's heading with its middle at y."""
    return Text(x, y, words, look.px(18), look.theme.muted, "bold", baseline="middle")


def level_rule(look: Look, x1: float, x2: float, y: float) -> Line:
    """A thin level line between two panels."""
    return Line(x1, y, x2, y, look.theme.rule, look.rule)


def upright_rule(look: Look, x: float, y1: float, y2: float) -> Line:
    """A thin upright line between two panels."""
    return Line(x, y1, x, y2, look.theme.rule, look.rule)


def touch_of(panel: str, interface: Interface) -> Touch:
    """What of pointer and keyboard is on this panel."""
    mine = f"{panel}."
    touched = (interface.hover, interface.pressed, interface.focus)
    hover, pressed, focus = (name if name.startswith(mine) else "" for name in touched)
    if panel == "menu" and interface.field is None:
        focus = f"menu.{interface.menu_at}"
    return Touch(hover, pressed, focus)
