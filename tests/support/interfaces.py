"""Interfaces for tests, by the fields of their small values: `interface_of(1280, 720, playing=True, page="events")`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from visual.window.state import (
    Display,
    GraphView,
    Interface,
    LabSheet,
    OpenGallery,
    OpenMenu,
    Pages,
    Playback,
    Pointer,
    Selection,
)

_GROUPS = {"display": Display, "playback": Playback, "pointer": Pointer, "graph": GraphView, "pages": Pages}
_OWNERS = {field: group for group, value in _GROUPS.items() for field in value._fields}
_OWNERS |= {"card": "gallery", "words": "gallery"}


def interface_of(width: int = 1280, height: int = 720, **fields: Any) -> Interface:
    """An interface in a window of that size, with these fields of it or of its values."""
    return changed(Interface(), width=width, height=height, **fields)


def changed(interface: Interface, **fields: Any) -> Interface:
    """The same with other values of these fields."""
    for name, value in fields.items():
        if name == "selection":
            interface = replace(interface, selection=Selection.of(value) if isinstance(value, str) else value)
        elif name == "section":
            interface = interface.over(OpenGallery(value)) if value else interface.without(OpenGallery)
        elif name == "lab":
            interface = interface.over(LabSheet(value)) if value else interface.without(LabSheet)
        elif name == "menu":
            interface = interface.over(OpenMenu(value)) if value else interface.without(OpenMenu)
        elif name in _OWNERS:
            group = getattr(interface, _OWNERS[name])
            interface = replace(interface, **{_OWNERS[name]: group._replace(**{name: value})})
        else:
            interface = replace(interface, **{name: value})
    return interface
