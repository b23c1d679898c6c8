"""The open menu: a card under the button that opened it, with a list and sometimes a text field."""

from __future__ import annotations

from visual import fonts
from visual.interface.entries import Entry, Menu
from visual.interface.inputs import Do
from visual.interface.menus import menu_of
from visual.panels.panel import Panel, View, heading
from visual.shapes import Box, Rect, Shape
from visual.widgets import Button, Look, Scroller, TextField, Widget

_MOST_LINES = 20


def menu(view: View, anchor: Rect) -> Panel:
    """The open menu within the view's region, hung under `anchor`."""
    content = menu_of(view.interface, view.session)
    if content is None:
        return Panel()
    look = view.look
    pad, line = look.px(10), look.dense
    width = min(_width(look, content), view.region.w - 2 * look.gap)
    head = line + (look.target + pad if content.field else 0.0)
    room = view.region.h - anchor.y - anchor.h - head - 3 * pad - look.gap
    if room < 4 * line:  # hung from the top where there is too little room below
        anchor = Rect(anchor.x, view.region.y, anchor.w, 0.0)
        room = view.region.h - head - 3 * pad - look.gap
    shown = max(2, min(len(content.entries), _MOST_LINES, int(room / line)))
    height = head + shown * line + 2 * pad
    left = min(max(anchor.x, look.gap), view.region.w - width - look.gap)
    card = Rect(left, anchor.y + anchor.h + look.px(4), width, height)
    top = card.y + pad
    shapes: list[Shape] = [Box(*card, look.theme.card, look.theme.ink, look.rule, look.radius)]
    title = fonts.shorten(content.title, width - 4 * pad, look.size("body"), weight="bold")
    shapes.append(heading(look, left + 2 * pad, top + line / 2, title))
    widgets: list[Widget] = []
    if content.field:
        box = Rect(left + 2 * pad, top + line, min(width - 4 * pad, look.px(220)), look.target)
        widgets.append(_field(view, content, box))
    listing = Rect(left + look.px(4), card.y + pad + head, width - look.px(8), shown * line)
    more, entries = _entries(view, content, listing, line)
    return Panel((*shapes, *more), (*widgets, *entries))


def _width(look: Look, content: Menu) -> float:
    """Wide enough for the widest line, notes included as far as a line may be long."""
    size, small = look.size("body"), look.size("small")
    widest = fonts.width(content.title, size, weight="bold")
    for entry in content.entries:
        widest = max(
            widest, fonts.width(entry.label, size, weight="bold") + look.px(24) + fonts.width(entry.note, small)
        )
    return min(max(widest + look.px(96), look.px(260)), look.px(900))


def _field(view: View, content: Menu, box: Rect) -> TextField:
    field = view.interface.field
    if field is None:
        return TextField("menu.field", box, content.field, hint="type another")
    return TextField("menu.field", box, field.text, field.caret, field.fresh, "Enter takes it")


def _entries(view: View, content: Menu, listing: Rect, line: float) -> tuple[list[Shape], list[Widget]]:
    """The lines that are scrolled into view: headings, and what can be clicked."""
    look, count = view.look, len(content.entries)
    shown = round(listing.h / line)
    first = _first(view, count, shown, line)
    shapes: list[Shape] = []
    widgets: list[Widget] = [Scroller("menu.list", listing, count * line, first * line)]
    for place in range(first, min(first + shown, count)):
        entry = content.entries[place]
        box = Rect(listing.x, listing.y + (place - first) * line, listing.w - look.px(12), line)
        if entry.does is None:
            shapes.append(heading(look, box.x + look.px(16), box.y + line / 2, entry.label))
        else:
            widgets.append(_entry(look, entry, place, box))
    return shapes, widgets


def _entry(look: Look, entry: Entry, place: int, box: Rect) -> Button:
    size = look.size("body")
    label = fonts.shorten(entry.label, box.w - look.px(48), size)
    room = box.w - look.px(48 + 24) - fonts.width(label, size)
    note = fonts.shorten(entry.note, room, look.size("small")) if room > look.px(60) else ""
    return Button(f"menu.{place}", box, Do("choose_entry", place), label, note, kind="entry", on=entry.on)


def _first(view: View, count: int, shown: int, line: float) -> int:
    """The first line that is shown: as scrolled, but so that the highlighted one is seen while keys are used."""
    scrolled = round(view.interface.scroll_of("menu") / line)
    at = view.interface.menu_at
    if not view.interface.hover.startswith("menu."):
        scrolled = min(max(scrolled, at - shown + 1), max(at - 1, 0))
    return min(max(scrolled, 0), max(count - shown, 0))
