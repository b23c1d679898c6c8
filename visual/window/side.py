"""The column at the right and its panels; those without room are left out, lowest first."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.shapes import NOWHERE, Box, Rect, Shape, Text
from visual.window import intents
from visual.window.pages.rules import rules_height
from visual.window.panel import Panel, View, ground, level_rule, upright_rule
from visual.window.state import Interface
from visual.window.widgets import TARGET, Look, Target, Widget

LINE = 31.0  # logical pixels from one line of counters to the next
COMPARED_LINE = 27.0  # and of the table of two runs
MOST_TYPES = 5  # of messages with a counter of their own

_LIGHTS = 78.0  # heights in logical pixels
_CONCURRENCY = 150.0
_LEAST_SOURCE = 120.0
_REASONS, _INSPECTOR = 150.0, 320.0  # of the card with a node's reasons of waiting, and of the inspector
_LEAST_CARDS, _LEAST_PAGE = 110.0, 280.0  # of cards below another page, and of that page
_MOST_COMPARED, _MOST_BESIDE_CARDS = 0.56, 0.36  # shares of the column's height for the table of two runs


class Column(NamedTuple):
    """The regions of the panels in the column; NOWHERE for hidden ones."""

    lights: Rect = NOWHERE
    tabs: Rect = NOWHERE
    page: Rect = NOWHERE  # any but the first
    counters: Rect = NOWHERE
    concurrency: Rect = NOWHERE
    source: Rect = NOWHERE
    comparison: Rect = NOWHERE  # of two runs
    cards: Rect = NOWHERE  # about the selection


def column(interface: Interface, algorithms: tuple[Algorithm, ...], place: int, side: Rect, look: Look) -> Column:
    """Divide the column: lights and tabs, then counters, plot and source or another page, cards at the bottom.

    Where plot and source do not both fit, the source has the room, since the plot has a page too. Cards come before
    either, and the inspector before the counters; below another page they need an open inspector. Their room depends
    on the selection and the open panels only, so that nothing jumps while the run plays.
    """
    pad, gap, areas = look.px(20), look.px(18), dict[str, Rect]()
    left, width = side.x + pad, side.w - 2 * pad
    top, bottom = side.y + look.px(18), side.y + side.h - look.px(14)
    algorithm, is_pair = algorithms[place], len(algorithms) == 2
    takes_turns = not algorithm.is_election() and system_of(algorithm) is None
    is_challenge = interface.display.lesson_share > 0 and interface.display.page == "choose"
    is_other_page = interface.display.page != PAGES[0].name
    has_counters = "counters" in interface.display.panels and not is_other_page
    has_inspector = "inspector" in interface.display.panels
    cards = _cards_height(interface, look) if has_inspector or not is_other_page else 0.0
    most = _MOST_BESIDE_CARDS if interface.selection else _MOST_COMPARED
    sections = [
        ("lights", max(TARGET, look.px(_LIGHTS)), True),
        ("tabs", tabs_height(look, width), not is_challenge),
        ("comparison", min(_comparison_height(look, algorithms), most * side.h), has_counters and is_pair),
        ("counters", _counters_height(look, algorithm, width), has_counters and not is_pair),
        ("concurrency", look.px(_CONCURRENCY), has_counters and not is_pair and takes_turns),
    ]
    source = look.px(_LEAST_SOURCE) if "source" in interface.display.panels else 0.0
    with_cards = source + cards + gap if cards else source
    for name, height, is_wanted in sections:
        rest = bottom - top - height - gap
        crowds_out = {
            "counters": bool(cards) and has_inspector and rest < cards,
            "concurrency": rest < with_cards and (bool(cards) or bottom - top >= source),
        }
        if is_wanted and top + height <= bottom and not crowds_out.get(name):
            areas[name] = Rect(left, top, width, height)
            top += height + gap
    if cards:
        shared = bottom - top - gap
        if is_other_page:
            cards = min(cards, shared - look.px(_LEAST_PAGE))
        elif shared - cards < look.px(_LEAST_SOURCE):
            cards = shared + gap
        if cards >= look.px(_LEAST_CARDS):
            areas["cards"] = Rect(left, bottom - cards, width, cards)
            bottom -= cards + gap
    if is_other_page:
        areas["page"] = Rect(left, top, width, max(bottom - top, 0))
    elif "source" in interface.display.panels and bottom - top >= look.px(_LEAST_SOURCE):
        areas["source"] = Rect(left, top, width, bottom - top)
    return Column(**areas)


def _cards_height(interface: Interface, look: Look) -> float:
    """The height of the cards; 0 if there is no card for the selection."""
    is_node = interface.node is not None
    reasons = look.px(_REASONS) if is_node and "waiting" in interface.display.panels else 0.0
    inspector = look.px(_INSPECTOR) if interface.selection and "inspector" in interface.display.panels else 0.0
    return reasons + inspector


def _counters_height(look: Look, algorithm: Algorithm, width: float) -> float:
    """The height of the counters; constant for an algorithm, so that nothing below jumps."""
    if system := system_of(algorithm):
        return rules_height(look, system, width) + look.px(6)
    rows = 1 + 1 + min(len(algorithm.looks), MOST_TYPES) + 1 + 2 + (algorithm.token is not None)
    return look.px(LINE) * rows + look.px(6)


def _comparison_height(look: Look, algorithms: tuple[Algorithm, ...]) -> float:
    """The height of the table of two runs; constant for their algorithms."""
    rows = 1 + (2 + 4 if algorithms[0].is_election() else 3 + 9)
    return look.px(COMPARED_LINE) * (rows + 2 * any(a.token is not None for a in algorithms))


def side_ground(view: View) -> Panel:
    """The column's background and left edge."""
    region = view.region
    return Panel(
        (ground(view, view.look.theme.paper), upright_rule(view.look, region.x, region.y, region.y + region.h))
    )


_HEIGHT = 46.0  # logical pixels of a row
_SPACE = 14.0  # logical pixels beside a word at least, on both sides together


def tabs(view: View) -> Panel:
    """The tabs; the open one is underlined."""
    look, region = view.look, view.region
    shapes: list[Shape] = [level_rule(look, region.x, region.x + region.w, region.y + region.h)]
    widgets: list[Widget] = []
    rows = _rows(look, region.w)
    height = region.h / len(rows)
    for place, row in enumerate(rows):
        left = region.x
        for page, width in zip(row, _widths(look, rows, row, region.w), strict=False):
            box = Rect(left, region.y + place * height, width, height)
            is_open = page.name == view.interface.display.page
            shapes += _tab(look, box, page.name, is_open)
            widgets.append(Target(f"tabs.{page.name}", box, intents.open_page(page.name), page.hint, on=is_open))
            left += box.w
    return Panel(tuple(shapes), tuple(widgets))


def tabs_height(look: Look, width: float) -> float:
    """The height of the tabs in a column of that width."""
    return len(_rows(look, width)) * max(TARGET, look.px(_HEIGHT))


def _rows(look: Look, width: float) -> list[tuple[Page, ...]]:
    """The pages in as few rows as possible, of about equal numbers."""
    for count in range(1, len(PAGES)):
        each = ceil(len(PAGES) / count)
        rows = [PAGES[first : first + each] for first in range(0, len(PAGES), each)]
        if all(sum(_width(look, page) for page in row) <= width for row in rows):
            return rows
    return [(page,) for page in PAGES]


def _widths(look: Look, rows: list[tuple[Page, ...]], row: tuple[Page, ...], room: float) -> list[float]:
    """The widths of a row's tabs, aligned with the other rows if there is room."""
    columns = [max(_width(look, row[place]) for row in rows if place < len(row)) for place in range(len(rows[0]))]
    least = columns if sum(columns) <= room else [_width(look, page) for page in row]
    return [width + (room - sum(least)) / len(least) for width in least]


def _width(look: Look, page: Page) -> float:
    return max(fonts.width(page.name, _size(look), weight="bold") + look.px(_SPACE), TARGET)


def _size(look: Look) -> float:
    return look.size("small")


def _tab(look: Look, box: Rect, word: str, is_open: bool) -> list[Shape]:
    theme = look.theme
    ink = theme.ink if is_open else theme.muted
    middle = box.y + box.h / 2
    text = Text(box.x + box.w / 2, middle, word, _size(look), ink, "bold", anchor="middle", baseline="middle")
    if not is_open:
        return [text]
    thick = look.px(4)
    return [text, Box(box.x + look.px(4), box.y + box.h - thick, box.w - look.px(8), thick, theme.accent)]


class Page(NamedTuple):
    """A page of the column: the word on its tab, and a hint.

    The page "run" consists of the counters, the plot and the source, which are panels of their own.
    """

    name: str
    hint: str


PAGES: tuple[Page, ...] = (
    Page("run", "counters, concurrency and source"),
    Page("plots", "what has been measured, as plots"),
    Page("source", "the algorithm as it runs, and its guards"),
    Page("events", "everything that has happened, to go there"),
    Page("choose", "who decides what happens next: the clock, or you"),
    Page("branches", "the courses that the run has taken, to go there and to name"),
    Page("history", "what a node's variables have been; a message's way"),
    Page("check", "explore every order of events in a small system"),
    Page("notes", "notes and markers, assumptions and promises"),
)

NAMES = tuple(page.name for page in PAGES)


def page_after(name: str, by: int) -> str:
    """The name of the page `by` places after another, cyclically."""
    return NAMES[(NAMES.index(name) + by) % len(NAMES)]
