"""The window's widgets as a page's own elements, for keyboards, screen readers and the keyboard on a phone's screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from visual.drawing.picking import bounds, contains, middle_of
from visual.drawing.shapes import Group, Shape, Text
from visual.window.screen import CachedPanel, Screen
from visual.window.state import Interface
from visual.window.widgets import Button, Scroller, Slider, Target, TextField, Widget

PACE = 0.5  # seconds between two looks while the run plays


class Element(NamedTuple):
    """A widget as an element of a page: its type, its box in pixels, its name, and its value.

    The value is the share of a slider with its words, the text of a field, or whether a button is on.
    """

    id: str
    type: str  # of the element: button, range or text
    box: tuple[int, ...]
    name: str
    value: float | str | bool
    words: str = ""
    is_off: bool = False
    is_marked: bool = False  # whether a letter replaces the whole text of a field


class Mirror:
    """The elements that a page has, and what must change in them."""

    def __init__(self) -> None:
        self._elements: dict[str, Element] = {}
        self._focus = ""  # the widget that the window put the keyboard on
        self._named: dict[str, tuple[int, list[Element]]] = {}  # panel -> its version and elements

    def changes(self, interface: Interface, screen: Screen) -> dict[str, Any]:
        """The elements that are new or different, and the ids of all in the order of Tab if that is another."""
        now = {element.id: element for element in self._all(interface, screen)}
        before, self._elements = self._elements, now
        changed = [element for name, element in now.items() if before.get(name) != element]
        answer: dict[str, Any] = {"changed": changed} if changed else {}
        if list(now) != list(before):
            answer["order"] = list(now)
        return answer

    def focus(self, interface: Interface) -> dict[str, str]:
        """The element that the keyboard comes to, where the window has moved it."""
        focus = self._aim(interface)
        if focus == self._focus:
            return {}
        self._focus = focus
        return {"focus": focus}

    def follow(self, interface: Interface) -> None:
        """Know that the page itself has moved the keyboard to where the window has it now."""
        self._focus = self._aim(interface)

    def _aim(self, interface: Interface) -> str:
        """The element that the window's keyboard is on; "" for none, or while it is not there yet."""
        if interface.field is not None:
            return next((e.id for e in self._elements.values() if e.type == "text"), "")
        aim = interface.pointer.focus
        if interface.menu:
            aim = f"menu.{interface.menu.at}"
        elif interface.section and not interface.lab:
            aim = f"gallery.{interface.gallery.card}"
        return aim if aim in self._elements else ""

    def _all(self, interface: Interface, screen: Screen) -> list[Element]:
        """The elements in the order of Tab: the header first, and of an open menu or help nothing else."""
        if interface.is_blank:
            return []
        panels = list(screen.panels(interface))
        modal = "menu" if interface.menu else "help" if interface.help else ""
        shown = [panel for panel in panels if panel.name == modal] if modal else panels
        shown.sort(key=lambda panel: panel.name != "header")
        return [element for panel in shown for element in self._of(panel)]

    def _of(self, panel: CachedPanel) -> list[Element]:
        version, elements = self._named.get(panel.name, (-1, []))
        if version != panel.version:
            elements = [_element(one, panel) for one in panel.panel.widgets if not isinstance(one, Scroller)]
            self._named[panel.name] = panel.version, elements
        return elements


def _element(widget: Widget, panel: CachedPanel) -> Element:
    box = tuple(map(round, widget.box))
    match widget:
        case Slider(words=words):
            return Element(widget.id, "range", box, _name("", widget.hint), round(widget.value, 3), words)
        case TextField():
            return Element(widget.id, "text", box, _name("", widget.hint), widget.text, is_marked=widget.marked)
        case Button():
            parts = (widget.label, widget.caption) if widget.kind == "entry" else (widget.caption, widget.label)
            words = " ".join(filter(None, parts))
            return Element(widget.id, "button", box, _name(words, widget.hint), widget.on, is_off=widget.is_off)
        case Target():
            texts = " ".join(_texts(panel.panel.shapes, widget))
            words = texts if widget.name in texts else f"{widget.name} {texts}".strip()
            return Element(widget.id, "button", box, _name(words, widget.hint), widget.on)
    raise TypeError(widget)


def _name(words: str, hint: str) -> str:
    """The words to be seen, then what they mean, and the key for it."""
    hint = hint.strip().replace("  ", ", ")
    return hint if hint.startswith(words) else f"{words}: {hint}" if hint else words


def _texts(shapes: tuple[Shape, ...], target: Target, dx: float = 0.0, dy: float = 0.0) -> Iterator[str]:
    """The texts whose middles lie in a target."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _texts(shape.shapes, target, dx + shape.x, dy + shape.y)
        elif isinstance(shape, Text):
            x, y = middle_of(bounds(shape))
            if contains(target.box, x + dx, y + dy):
                yield shape.text
