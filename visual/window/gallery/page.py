"""The gallery: cards of everything that can be opened, over the whole window."""

from __future__ import annotations

from typing import NamedTuple

from visual.drawing import fonts
from visual.drawing.picking import overlap
from visual.drawing.shapes import Box, Colour, Group, Rect, Shape, Text, stacked
from visual.window import intents, keys
from visual.window.arrangement import look_of
from visual.window.gallery.cards import SECTIONS, Item, Thumbnails, heading, items
from visual.window.panel import Panel, View
from visual.window.state import Field, Interface
from visual.window.widgets import Button, Look, Scroller, Target, TextField, Widget, button_width

CARD = (380.0, 414.0)  # logical pixels: minimum width, and height
BRIEF = 216.0  # logical pixels: the height of a card without a picture
HEADING = 52.0  # logical pixels: the height of a heading above the cards
NARROW_LABEL = 17.0  # logical pixels: the text size of the sections on a phone held upright
PICTURE = 200.0  # logical pixels: the height of a card's picture


class Grid(NamedTuple):
    """The layout of the cards in the area, scrolled down by `offset` pixels; all sizes are pixels.

    `rows` are the places of the cards in each row with its top; `headings` stand above the first row of each.
    """

    area: Rect
    card: tuple[float, float]
    gap: float
    offset: float
    height: float  # of all rows together
    rows: tuple[tuple[range, float], ...]
    headings: tuple[tuple[str, float], ...]

    @property
    def cards(self) -> int:
        """The number of cards."""
        return self.rows[-1][0].stop if self.rows else 0

    def _row(self, place: int) -> int:
        return next(number for number, (places, _) in enumerate(self.rows) if place in places)

    def box(self, place: int) -> Rect:
        """The rectangle of the card with that index."""
        places, top = self.rows[self._row(place)]
        x = self.area.x + (place - places.start) * (self.card[0] + self.gap)
        return Rect(x, self.area.y + top - self.offset, *self.card)

    def below(self, place: int, by: int) -> int:
        """The card `by` rows further down than a card, in the same column if there is one."""
        if not self.rows:
            return 0
        row = self._row(place)
        if not 0 <= row + by < len(self.rows):  # beyond the ends: the first or the last card
            return 0 if by < 0 else self.cards - 1
        places = self.rows[row + by][0]
        return min(places.start + place - self.rows[row][0].start, places.stop - 1)

    def showing(self, place: int) -> float:
        """The offset nearest to the present one at which the whole card is visible."""
        row = self._row(place) if self.rows else 0
        top = self.rows[row][1] if row else 0.0
        return min(max(self.offset, top + self.card[1] + self.gap - self.area.h), top)


def grid(interface: Interface) -> Grid:
    """The layout of the open section's cards."""
    look = look_of(interface)
    pad, gap = look.px(36), look.px(20)
    top = 2 * look.target + 2.5 * look.px(24) if look.is_narrow else look.target + 2 * look.px(24)
    area = Rect(pad, top, interface.display.width - 2 * pad, interface.display.height - top)
    columns = max(1, int((area.w + gap) / (look.px(CARD[0]) + gap)))
    width = (area.w - gap * (columns - 1) - look.px(14)) / columns
    cards = items(interface.section, interface)
    height = look.px(CARD[1] if any(card.scenario for card in cards) else BRIEF)
    rows: list[tuple[range, float]] = []
    headings: list[tuple[str, float]] = []
    y, first = 0.0, 0
    while first < len(cards):
        words = cards[first].heading
        if words and (not first or words != cards[first - 1].heading):
            headings.append((words, y))
            y += look.px(HEADING)
        end = first
        while end < len(cards) and end < first + columns and cards[end].heading == words:
            end += 1
        rows.append((range(first, end), y))
        y, first = y + height + gap, end
    offset = min(interface.scrolls.of("gallery"), max(0.0, y - area.h))
    return Grid(area, (width, height), gap, offset, y, tuple(rows), tuple(headings))


def gallery(view: View, thumbnails: Thumbnails) -> Panel:
    """The names of all sections, and below them the open section's cards."""
    look, interface = view.look, view.interface
    placed, cards = grid(interface), items(interface.section, interface)
    shapes: list[Shape] = []
    widgets: list[Widget] = [Scroller("gallery.cards", placed.area, placed.height, placed.offset)]
    for place, item in enumerate(cards):
        box = placed.box(place)
        if box.y + box.h < placed.area.y or box.y > placed.area.y + placed.area.h:
            continue
        shapes += _card(view, item, box, place == interface.gallery.card, thumbnails)
        visible = overlap(box, placed.area)
        if visible.h >= look.target:
            widgets.append(Target(f"gallery.{place}", visible, item.does, name=item.title))
    for words, top in placed.headings:
        middle = placed.area.y + top - placed.offset + look.px(HEADING) / 2
        title = words[:1].upper() + words[1:]
        size = fonts.shrink(title, placed.area.w, look.px(26), look.px(19), weight="bold")
        lines = fonts.lines(title, placed.area.w, size, 2, weight="bold")
        shapes += stacked(lines, placed.area.x, middle, size, look.theme.ink, "bold")
    if not cards:
        shapes.append(_no_cards(look, placed.area, interface.gallery.words))
    (head, buttons), rim = _head(view), look.px(3)  # keeps the outlines of cards at the edge whole
    ground = Box(*view.region, look.theme.chrome)
    clip = Rect(placed.area.x - rim, placed.area.y - rim, placed.area.w + 2 * rim, placed.area.h + rim)
    return Panel((ground, *head, Group(tuple(shapes), clip=clip)), (*widgets, *buttons))


def head_of(view: View) -> Panel:
    """The gallery without its cards, while they are being loaded."""
    head, buttons = _head(view)
    look, middle = view.look, (view.region.w / 2, view.region.h / 2)
    loading = Text(*middle, "Loading …", look.size("body"), look.theme.muted, anchor="middle", baseline="middle")
    return Panel((Box(*view.region, look.theme.chrome), *head, loading), tuple(buttons))


def _head(view: View) -> tuple[list[Shape], list[Widget]]:
    """The program's name if there is room for it, the sections, the filter, and the button that closes."""
    look = view.look
    pad, size, name = look.px(36), look.px(34), "Mutoscope"
    row = Rect(pad, look.px(24), view.region.w - 2 * pad, look.target)
    close = Rect(row.x + row.w - look.target, row.y, look.target, look.target)
    hint = f"back to the run  {keys.readable('Esc')}"
    way_out = Button("gallery.close", close, intents.open_gallery(), icon="cross", hint=hint)
    if look.is_narrow:
        return [], [*_narrow_head(view, row, row._replace(w=close.x - look.gap - row.x)), way_out]
    name_width = fonts.width(name, size, weight="bold") + look.px(40)
    sections_width = sum(button_width(look, heading(section)) + look.gap for section in SECTIONS)
    room = row._replace(w=close.x - look.gap - row.x)
    title: list[Shape] = []
    if name_width + sections_width <= room.w:
        title = [Text(row.x, row.y + row.h / 2, name, size, look.theme.ink, "bold", baseline="middle")]
        room = room._replace(x=room.x + name_width, w=room.w - name_width)
    sections = _sections(view, room, min(1.0, room.w / sections_width))
    search = _search(view, room._replace(x=room.x + sections_width, w=room.w - sections_width))
    if search is None and _is_filtering(view.interface):  # the field takes the place of the sections
        return title, [_filter_field(view, room), way_out]
    return title, [*sections, *([search] if search else []), way_out]


def _narrow_head(view: View, row: Rect, room: Rect) -> list[Widget]:
    """The filter in its room, and the sections in a row below it."""
    search, look, left = _search(view, room), view.look, row.x
    widths = [fonts.width(heading(name), look.px(NARROW_LABEL), weight="bold") for name in SECTIONS]
    gap = look.px(6)
    pad = (row.w + gap - sum(widths)) / len(widths) - gap
    buttons = []
    for name, width in zip(SECTIONS, widths, strict=True):
        box, does = Rect(left, row.y + row.h + look.px(12), width + pad, row.h), intents.gallery_section(name)
        on = name == view.interface.section
        buttons.append(Button(f"gallery.{name}", box, does, heading(name), on=on, size=NARROW_LABEL))
        left += box.w + gap
    return [*([search._replace(box=room)] if search else []), *buttons]


def _is_filtering(interface: Interface) -> bool:
    return interface.field is not None and interface.field.takes is intents.filter_cards


def _sections(view: View, room: Rect, share: float) -> list[Button]:
    """A button for each section, scaled to that share of its usual width; its label is shortened to fit."""
    look, left = view.look, room.x
    buttons = []
    for name in SECTIONS:
        words = heading(name)
        width = share * button_width(look, words)
        label = fonts.shorten(words, width - look.px(20), look.px(20), weight="bold")
        box = Rect(left, room.y, width, room.h)
        on, hint = name == view.interface.section, "" if label == words else words
        buttons.append(Button(f"gallery.{name}", box, intents.gallery_section(name), label, hint=hint, on=on))
        left += width + share * look.gap
    return buttons


def _search(view: View, room: Rect) -> TextField | Button | None:
    """The filter at the right of the room: a button with its words, or its text field; None without room."""
    look, interface = view.look, view.interface
    widest = look.px(240)
    if _is_filtering(interface):
        width = min(widest, room.w)
        return _filter_field(view, room._replace(x=room.x + room.w - width, w=width)) if width > widest / 2 else None
    words = fonts.shorten(interface.gallery.words, widest / 2, look.px(20), weight="bold")
    width = button_width(look, words, "find")
    if width > room.w:
        return None
    box, does = room._replace(x=room.x + room.w - width, w=width), intents.edit_card_filter()
    return Button("gallery.find", box, does, words, "find", hint=f"search all sections  {keys.hint(does)}")


def _filter_field(view: View, box: Rect) -> TextField:
    """The text field for the words of the filter."""
    field = view.interface.field or Field("", 0)
    return TextField("gallery.words", box, field.text, field.caret, field.fresh, "search all sections  Enter")


def _card(view: View, item: Item, box: Rect, is_highlighted: bool, thumbnails: Thumbnails) -> list[Shape]:
    look = view.look
    theme, pad = look.theme, look.px(16)
    stroke, width = (theme.accent, look.px(4)) if is_highlighted else (theme.edge, look.rule)
    shapes: list[Shape] = [Box(*box, theme.card, stroke, width, look.radius)]
    top = box.y + pad
    if item.scenario:
        picture = Rect(box.x + pad, top, box.w - 2 * pad, look.px(PICTURE))
        shapes += thumbnails.of(item.scenario, picture, theme.name)
        top += picture.h + look.px(10)
    shapes += _badge(look, item.badge, box)
    room = box.w - 2 * pad
    titles = len(fonts.lines(item.title, room, look.px(22), 2, weight="bold"))
    paragraphs: tuple[tuple[str, float, Colour, fonts.Weight, int], ...] = (
        (item.title, look.px(22), theme.ink, "bold", 2),
        (item.kind, look.size("small"), theme.muted, "normal", 1 if item.scenario else 2),
        (item.words, look.size("body"), theme.ink, "normal", 5 - titles if item.scenario else 3),
    )
    for words, size, ink, weight, lines in paragraphs:
        step = fonts.LINE_HEIGHT * size
        for line in fonts.lines(words, room, size, lines, weight=weight):
            shapes.append(Text(box.x + pad, top + step / 2, line, size, ink, weight, baseline="middle"))
            top += step
        top += look.px(5)
    return shapes


def _badge(look: Look, words: str, card: Rect) -> list[Shape]:
    """A word in the corner of a card's picture."""
    if not words:
        return []
    size, theme = look.size("body"), look.theme
    width = fonts.width(words, size, weight="bold") + 1.2 * size
    box = Rect(card.x + look.px(10), card.y + look.px(10), width, 1.7 * size)
    x, y = box.x + box.w / 2, box.y + box.h / 2
    text = Text(x, y, words, size, theme.on_accent, "bold", anchor="middle", baseline="middle")
    return [Box(*box, theme.accent, theme.ink, look.rule, box.h / 2), text]


def _no_cards(look: Look, area: Rect, filter_words: str) -> Text:
    words = "Recent files and unsaved runs appear here."
    if filter_words:
        words = fonts.shorten(f"Nothing here mentions “{filter_words}”.", area.w, look.px(22))
    return Text(area.x, area.y + look.px(30), words, look.px(22), look.theme.muted, baseline="middle")
