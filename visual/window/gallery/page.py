"""The gallery: cards of everything there is to open, over the whole window."""

from __future__ import annotations

from typing import NamedTuple

from visual.drawing import fonts
from visual.drawing.picking import overlap
from visual.drawing.shapes import Box, Colour, Group, Rect, Shape, Text
from visual.window import intents, keys
from visual.window.arrangement import look_of
from visual.window.gallery.cards import SECTIONS, Item, heading, items
from visual.window.gallery.thumbnails import Thumbnails
from visual.window.panel import Panel, View
from visual.window.state import Field, Interface
from visual.window.widgets import Button, Look, Scroller, Target, TextField, Widget, button_width

CARD = (380.0, 372.0)  # logical pixels, least width and height
BRIEF = 216.0  # logical pixels: the height of a card without a picture
PICTURE = 200.0  # logical pixels: the height of a card's picture


class Grid(NamedTuple):
    """Where the cards are: so many columns of cards in the area, scrolled down by `offset` pixels."""

    area: Rect
    columns: int
    card: tuple[float, float]
    gap: float
    offset: float
    cards: int

    @property
    def height(self) -> float:
        """Of all rows."""
        return -(-self.cards // self.columns) * (self.card[1] + self.gap)

    def box(self, place: int) -> Rect:
        """The card at that place."""
        row, column = divmod(place, self.columns)
        width, height = self.card
        x = self.area.x + column * (width + self.gap)
        return Rect(x, self.area.y + row * (height + self.gap) - self.offset, width, height)

    def showing(self, place: int) -> float:
        """The offset nearest to the present one that shows that card whole."""
        top = place // self.columns * (self.card[1] + self.gap)
        return min(max(self.offset, top + self.card[1] + self.gap - self.area.h), top)


def grid(interface: Interface) -> Grid:
    """Where the cards of the open section are."""
    look = look_of(interface)
    pad, gap = look.px(36), look.px(20)
    top = look.target + 2 * look.px(24)
    area = Rect(pad, top, interface.display.width - 2 * pad, interface.display.height - top)
    columns = max(1, int((area.w + gap) / (look.px(CARD[0]) + gap)))
    width = (area.w - gap * (columns - 1) - look.px(14)) / columns
    cards = items(interface.section, interface)
    height = look.px(CARD[1] if any(card.scenario for card in cards) else BRIEF)
    found = Grid(area, columns, (width, height), gap, 0.0, len(cards))
    offset = min(interface.scrolls.of("gallery"), max(0.0, found.height - area.h))
    return found._replace(offset=offset)


def gallery(view: View, thumbnails: Thumbnails) -> Panel:
    """The open section's cards under the names of all sections."""
    look, interface = view.look, view.interface
    placed, cards = grid(interface), items(interface.section, interface)
    shapes: list[Shape] = []
    widgets: list[Widget] = [Scroller("gallery.cards", placed.area, placed.height, placed.offset)]
    for place, item in enumerate(cards):
        box = placed.box(place)
        if box.y + box.h < placed.area.y or box.y > placed.area.y + placed.area.h:
            continue
        shapes += _card(view, item, box, place == interface.gallery.card, thumbnails)
        seen = overlap(box, placed.area)
        if seen.h >= look.target:
            widgets.append(Target(f"gallery.{place}", seen, item.does))
    if not cards:
        shapes.append(_nothing(look, placed.area, interface.gallery.words))
    head, rim = head_of(view), look.px(3)  # the outlines of the cards at the edge are whole
    clip = Rect(placed.area.x - rim, placed.area.y - rim, placed.area.w + 2 * rim, placed.area.h + rim)
    return Panel((*head.shapes, Group(tuple(shapes), clip=clip)), (*widgets, *head.widgets))


def head_of(view: View) -> Panel:
    """The gallery without its cards, which take a moment to find out."""
    head, buttons = _head(view)
    return Panel((Box(*view.region, view.look.theme.chrome), *head), tuple(buttons))


def _head(view: View) -> tuple[list[Shape], list[Widget]]:
    """The program's name if there is room for it, the sections, the search, and the way out."""
    look = view.look
    pad, size, name = look.px(36), look.px(34), "Mutoscope"
    row = Rect(pad, look.px(24), view.region.w - 2 * pad, look.target)
    close = Rect(row.x + row.w - look.target, row.y, look.target, look.target)
    hint = f"back to the run  {keys.readable('Esc')}"
    way_out = Button("gallery.close", close, intents.open_gallery(), icon="cross", hint=hint)
    named = fonts.width(name, size, weight="bold") + look.px(40)
    needed = sum(button_width(look, heading(section)) + look.gap for section in SECTIONS)
    room = row._replace(w=close.x - look.gap - row.x)
    title: list[Shape] = []
    if named + needed <= room.w:
        title = [Text(row.x, row.y + row.h / 2, name, size, look.theme.ink, "bold", baseline="middle")]
        room = room._replace(x=room.x + named, w=room.w - named)
    sections = _sections(view, room, min(1.0, room.w / needed))
    search = _search(view, room._replace(x=room.x + needed, w=room.w - needed))
    if search is None and view.interface.field is not None:  # one types where the sections are otherwise
        return title, [_typed(view, room), way_out]
    return title, [*sections, *([search] if search else []), way_out]


def _sections(view: View, room: Rect, share: float) -> list[Button]:
    """A button for each section, of that share of its usual width, with its words cut short if need be."""
    look, left = view.look, room.x
    buttons = []
    for name in SECTIONS:
        words = heading(name)
        width = share * button_width(look, words)
        label = fonts.shorten(words, width - look.px(20), look.px(20), weight="bold")
        box = Rect(left, room.y, width, room.h)
        on = name == view.interface.section
        buttons.append(Button(f"gallery.{name}", box, intents.gallery_section(name), label, on=on))
        left += width + share * look.gap
    return buttons


def _search(view: View, room: Rect) -> TextField | Button | None:
    """At the right of the room the button that begins a search, with what was sought, or the field to type in."""
    look, interface = view.look, view.interface
    widest = look.px(240)
    if interface.field is not None:
        width = min(widest, room.w)
        return _typed(view, room._replace(x=room.x + room.w - width, w=width)) if width > widest / 2 else None
    words = fonts.shorten(interface.gallery.words, widest / 2, look.px(20), weight="bold")
    width = button_width(look, words, "find")
    if width > room.w:
        return None
    hint = f"cards with some words on them  {keys.hint(intents.find_card())}"
    box = room._replace(x=room.x + room.w - width, w=width)
    return Button("gallery.find", box, intents.find_card(), words, "find", hint=hint)


def _typed(view: View, box: Rect) -> TextField:
    """The field of the words that are sought."""
    field = view.interface.field or Field("", 0)
    return TextField("gallery.words", box, field.text, field.caret, field.fresh, "Enter takes it")


def _card(view: View, item: Item, box: Rect, is_lit: bool, thumbnails: Thumbnails) -> list[Shape]:
    look = view.look
    theme, pad = look.theme, look.px(16)
    stroke, width = (theme.accent, look.px(4)) if is_lit else (theme.edge, look.rule)
    shapes: list[Shape] = [Box(*box, theme.card, stroke, width, look.radius)]
    top = box.y + pad
    if item.scenario:
        picture = Rect(box.x + pad, top, box.w - 2 * pad, look.px(PICTURE))
        shapes += thumbnails.of(item.scenario, picture, theme.name)
        top += picture.h + look.px(10)
    room = box.w - 2 * pad
    paragraphs: tuple[tuple[str, float, Colour, fonts.Weight, int], ...] = (
        (item.title, look.px(22), theme.ink, "bold", 1),
        (item.kind, look.size("small"), theme.muted, "normal", 1 if item.scenario else 3),
        (item.words, look.size("body"), theme.ink, "normal", 3),
    )
    for words, size, ink, weight, lines in paragraphs:
        step = fonts.LINE_HEIGHT * size
        for line in fonts.lines(words, room, size, lines, weight=weight):
            shapes.append(Text(box.x + pad, top + step / 2, line, size, ink, weight, baseline="middle"))
            top += step
        top += look.px(5)
    return shapes


def _nothing(look: Look, area: Rect, sought: str) -> Text:
    words = "Files that you open, and runs that you did not save, will be here."
    if sought:
        words = fonts.shorten(f"Nothing in this section has “{sought}” on it.", area.w, look.px(22))
    return Text(area.x, area.y + look.px(30), words, look.px(22), look.theme.muted, baseline="middle")
