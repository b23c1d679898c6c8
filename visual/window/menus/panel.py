"""The open menu: a card at its button, with a list and sometimes a text field."""

from __future__ import annotations

from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import intents
from visual.window.menus import Entry, Menu
from visual.window.menus.contents import menu_of
from visual.window.panel import Panel, View, heading
from visual.window.widgets import Button, Look, Scroller, TextField, Widget

_MOST_LINES = 30
_LABEL_AT = 34.0  # logical pixels from a line's left edge to its label
_GAP = 24.0  # between the longest label and the column of notes
_EDGE = 32.0  # right of the notes, for the scroll bar
_LEAST_NOTE = 60.0


def menu(view: View, anchor: Rect) -> Panel:
    """The open menu within the view's region, placed at `anchor`."""
    content = menu_of(view.interface, view.desk)
    if content is None:
        return Panel()
    look = view.look
    pad, line = look.px(10), look.dense
    width = min(_width(look, content), view.region.w - 2 * look.gap)
    head = line + (look.target + pad if content.field else 0.0)
    card, visible = _place_card(view, anchor, width, head + 2 * pad, len(content.entries))
    left, top = card.x, card.y + pad
    shapes: list[Shape] = [Box(*card, look.theme.card, look.theme.ink, look.rule, look.radius)]
    shapes.append(_title(look, content.title, left + 2 * pad, top + line / 2, width - 4 * pad))
    widgets: list[Widget] = []
    if content.field:
        box = Rect(left + 2 * pad, top + line, min(width - 4 * pad, look.px(220)), look.target)
        widgets.append(_field(view, content, box))
    listing = Rect(left + look.px(4), card.y + pad + head, width - look.px(8), visible * line)
    more, entries = _entries(view, content, listing, line)
    return Panel((*shapes, *more), (*widgets, *entries))


def _title(look: Look, words: str, x: float, y: float, room: float) -> Text:
    """The menu's title, larger than the headings in the list."""
    size = look.size("heading")
    words = fonts.shorten(words, room, size, weight="bold")
    return Text(x, y, words, size, look.theme.ink, "bold", baseline="middle")


def _place_card(view: View, anchor: Rect, width: float, frame: float, entries: int) -> tuple[Rect, int]:
    """The card's rectangle and its number of visible lines: below the button, or above it if there is more room.

    `frame` is the height of the card without its lines. A card that cannot hold all lines takes all the room, so that
    no button at the window's edge shows behind it.
    """
    look, region = view.look, view.region
    line, off = look.dense, look.px(4)
    below, above = region.h - anchor.y - anchor.h, anchor.y - region.y
    lines = min(entries, _MOST_LINES)
    is_below = below >= min(frame + lines * line + 2 * off, above)
    room = (below if is_below else above) - frame - 2 * off
    if room < 4 * line:  # neither: as high as the window
        anchor, is_below, room = Rect(anchor.x, region.y, anchor.w, 0.0), True, region.h - frame - 2 * off
    visible = min(lines, max(2, int(room / line)))
    height = frame + (visible * line if visible == lines else room)
    left = min(max(anchor.x, look.gap), region.w - width - look.gap)
    return Rect(left, anchor.y + anchor.h + off if is_below else anchor.y - off - height, width, height), visible


def _width(look: Look, content: Menu) -> float:
    """The width of the card: that of the widest line, with its note."""
    notes = max((fonts.width(entry.note, look.size("small")) for entry in content.entries), default=0.0)
    labels = [entry.label for entry in content.entries if not (notes and entry.note)]
    widest = max((fonts.width(label, look.size("body"), weight="bold") for label in labels), default=0.0)
    widest = max(widest, fonts.width(content.title, look.size("heading"), weight="bold"))
    lines = max(look.px(_LABEL_AT) + widest, _notes_at(look, content) + notes if notes else 0.0)
    return max(lines + look.px(_EDGE), look.px(260))


def _notes_at(look: Look, content: Menu) -> float:
    """The offset of the column of notes from the left edge of the lines."""
    size = look.size("body")
    labels = (fonts.width(entry.label, size, weight="bold") for entry in content.entries if entry.note)
    return look.px(_LABEL_AT) + max(labels, default=0.0) + look.px(_GAP)


def _field(view: View, content: Menu, box: Rect) -> TextField:
    field = view.interface.field
    if field is None:
        return TextField("menu.field", box, content.field, hint=content.title)
    return TextField("menu.field", box, field.text, field.caret, field.fresh, content.title)


def _entries(view: View, content: Menu, listing: Rect, line: float) -> tuple[list[Shape], list[Widget]]:
    """The visible lines: headings, and entries that can be clicked."""
    look, count = view.look, len(content.entries)
    visible = round(listing.h / line)
    first = _first(view, count, visible, line)
    notes_at = _notes_at(look, content)
    bar = look.px(12) if count > visible else 0.0  # beside the entries, if there is one
    shapes: list[Shape] = []
    widgets: list[Widget] = [Scroller("menu.list", listing, count * line, first * line)]
    for place in range(first, min(first + visible, count)):
        entry = content.entries[place]
        box = Rect(listing.x, listing.y + (place - first) * line, listing.w - bar, line)
        if entry.does is None:
            shapes.append(heading(look, box.x + look.px(16), box.y + line / 2, entry.label))
        else:
            widgets.append(_entry(look, entry, place, box, notes_at))
    return shapes, widgets


def _entry(look: Look, entry: Entry, place: int, box: Rect, notes_at: float) -> Button:
    right = box.w - look.px(8)
    label = fonts.shorten(entry.label, right - look.px(_LABEL_AT), look.size("body"), weight="bold")
    room = right - notes_at
    fits = room > look.px(_LEAST_NOTE) or fonts.fits(entry.note, room, look.size("small"))
    note = fonts.shorten(entry.note, room, look.size("small")) if fits else ""
    return Button(
        f"menu.{place}", box, intents.choose_entry(place), label, note, kind="entry", on=entry.on, tab=notes_at
    )


def _first(view: View, count: int, visible: int, line: float) -> int:
    """The first visible line: as scrolled but, once another line is highlighted, with that one in view."""
    scrolled = round(view.interface.scrolls.of("menu") / line)
    at = view.interface.menu.at if view.interface.menu else 0
    if not view.interface.scrolls.is_browsed("menu", at):
        scrolled = min(max(scrolled, at - visible + 1), max(at - 1, 0))
    return min(max(scrolled, 0), max(count - visible, 0))
