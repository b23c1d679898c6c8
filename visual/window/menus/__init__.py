"""Menus: a menu and its entries, as values, of which contents.py and the features build theirs."""

from __future__ import annotations

from typing import NamedTuple

from visual.window.intents import Do, Intent


class Entry(NamedTuple):
    """A line of a menu; a heading if it has no `does`."""

    label: str
    does: Do | None = None
    note: str = ""
    on: bool = False  # ticked: the present setting


class Menu(NamedTuple):
    """A title, entries, and perhaps a text field.

    `field` is the initial text of the field, "" for none; `takes` is the intent that the typed text is given to.
    """

    title: str
    entries: tuple[Entry, ...]
    field: str = ""
    takes: Intent[str] | None = None

    def choosable(self) -> list[int]:
        """The places of the entries, without the headings."""
        return [place for place, entry in enumerate(self.entries) if entry.does]
