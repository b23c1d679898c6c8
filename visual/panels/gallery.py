"""The gallery: cards of everything there is to open, over the whole window."""

from __future__ import annotations

from typing import NamedTuple

from visual import fonts, keys
from visual.interface.gallery import SECTIONS, Item, heading, items
from visual.interface.inputs import Do
from visual.interface.state import Interface
from visual.panels.arrangement import look_of
from visual.panels.panel import Panel, View
from visual.panels.thumbnails import Thumbnails
from visual.picking import overlap
from visual.shapes import Box, Colour, Group, Rect, Shape, Text
from visual.widgets import Button, Look, Scroller, Target, Widget, button_width

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
    area = Rect(pad, top, interface.width - 2 * pad, interface.height - top)
    columns = max(1, int((area.w + gap) / (look.px(CARD[0]) + gap)))
    width = (area.w - gap * (columns - 1) - look.px(14)) / columns
    cards = items(interface.gallery, interface)
    height = look.px(CARD[1] if any(card.scenario for card in cards) else BRIEF)
    found = Grid(area, columns, (width, height), gap, 0.0, len(cards))
    offset = min(interface.scroll_of("gallery"), max(0.0, found.height - area.h))
    return found._replace(offset=offset)


def gallery(view: View, thumbnails: Thumbnails) -> Panel:
    """The open section's cards under the names of all sections."""
    look, interface = view.look, view.interface
    placed, cards = grid(interface), items(interface.gallery, interface)
    shapes: list[Shape] = []
    widgets: list[Widget] = [Scroller("gallery.cards", placed.area, placed.height, placed.offset)]
    for place, item in enumerate(cards):
        box = placed.box(place)
        if box.y + box.h < placed.area.y or box.y > placed.area.y + placed.area.h:
            continue
        shapes += _card(view, item, box, place == interface.gallery_at, thumbnails)
        seen = overlap(box, placed.area)
        if seen.h >= look.target:
            widgets.append(Target(f"gallery.{place}", seen, item.does))
    if not cards:
        shapes.append(_nothing(look, placed.area))
    head, rim = head_of(view), look.px(3)  # the outlines of the cards at the edge are whole
    clip = Rect(placed.area.x - rim, placed.area.y - rim, placed.area.w + 2 * rim, placed.area.h + rim)
    return Panel((*head.shapes, Group(tuple(shapes), clip=clip)), (*widgets, *head.widgets))


def head_of(view: View) -> Panel:
    """The gallery without its cards, which take a moment to find out."""
    head, buttons = _head(view)
    return Panel((Box(*view.region, view.look.theme.chrome), *head), tuple(buttons))


def _head(view: View) -> tuple[list[Shape], list[Widget]]:
    """The program's name, the sections, and the way out."""
    look, interface = view.look, view.interface
    middle = look.px(24) + look.target / 2
    left = look.px(36)
    size = look.px(34)
    shapes: list[Shape] = [Text(left, middle, "Mutoscope", size, look.theme.ink, "bold", baseline="middle")]
    left += fonts.width("Mutoscope", size, weight="bold") + look.px(40)
    widgets: list[Widget] = []
    for name in SECTIONS:
        words = heading(name)
        width = button_width(look, words)
        box = Rect(left, middle - look.target / 2, width, look.target)
        widgets.append(Button(f"gallery.{name}", box, Do("gallery_section", name), words, on=name == interface.gallery))
        left += width + look.gap
    close = Rect(view.region.w - look.px(36) - look.target, middle - look.target / 2, look.target, look.target)
    hint = f"back to the run  {keys.shown('Esc')}"
    widgets.append(Button("gallery.close", close, Do("close"), icon="cross", hint=hint))
    return shapes, widgets


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


def _nothing(look: Look, area: Rect) -> Text:
    words = "Files that you open, and runs that you did not save, will be here."
    return Text(area.x, area.y + look.px(30), words, look.px(22), look.theme.muted, baseline="middle")
