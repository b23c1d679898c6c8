"""What a menu is."""

from __future__ import annotations

from typing import NamedTuple

from visual.window.intents import Do, Intent
from visual.window.state import Interface


class Entry(NamedTuple):
    """A line of a menu. One without `does` is a heading."""

    label: str
    does: Do | None = None
    note: str = ""
    on: bool = False  # ticked: this is how it is now


class Menu(NamedTuple):
    """`field` is the text that its text field starts with, "" for no field; `takes` is done with what was typed."""

    title: str
    entries: tuple[Entry, ...]
    field: str = ""
    takes: Intent[str] | None = None  # is given the text

    def choosable(self) -> list[int]:
        """The places of the entries that are no headings."""
        return [place for place, entry in enumerate(self.entries) if entry.does]


def selected(interface: Interface) -> dict[str, int]:
    """The selection, as fields of an event: {"node": 3} or {"message": 17} or nothing."""
    return {interface.selection.kind: interface.selection.number} if interface.selection else {}
