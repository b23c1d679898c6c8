"""The column at the right, divided among its panels: what finds no room is left out from the bottom up."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import intents
from visual.window.panel import Panel, View, ground, level_rule, upright_rule
from visual.window.state import Interface
from visual.window.widgets import TARGET, Look, Target, Widget

LINE = 31.0  # logical pixels from one line of counters to the next
COMPARED_LINE = 27.0  # and of the table of two runs
MOST_TYPES = 5  # of messages that are counted each for itself

_LIGHTS = 78.0  # heights in logical pixels
_CONCURRENCY = 150.0
_LEAST_SOURCE = 120.0
_REASONS, _INSPECTOR = 150.0, 320.0  # for the card with the reasons why a node waits, and for the inspector
_LEAST_CARDS, _LEAST_PAGE = 110.0, 280.0  # where cards are below a page of its own
_MOST_COMPARED, _MOST_BESIDE_CARDS = 0.56, 0.36  # of the column's height for the table of two runs
NOWHERE = Rect(0, 0, 0, 0)


class Column(NamedTuple):
    """The regions of the panels in the column; NOWHERE for what is not shown."""

    lights: Rect = NOWHERE
    tabs: Rect = NOWHERE
    page: Rect = NOWHERE  # a page that is a panel of its own
    counters: Rect = NOWHERE
    concurrency: Rect = NOWHERE
    source: Rect = NOWHERE
    comparison: Rect = NOWHERE  # of two runs
    cards: Rect = NOWHERE  # on what is selected


def column(interface: Interface, algorithms: tuple[Algorithm, ...], place: int, side: Rect, look: Look) -> Column:
    """Lights and tabs first; then a page of its own, or counters, plot and source; cards at the bottom.

    Where plot and source do not both fit, the source has the room: the plot is on a page of its own too. Cards come
    before either, and the inspector before the counters; below a page of its own they are while the inspector is open.
    Their room depends on what is selected and open only, so that nothing jumps while the run plays.
    """
    pad, gap = look.px(20), look.px(18)
    left, width = side.x + pad, side.w - 2 * pad
    top, bottom = side.y + look.px(18), side.y + side.h - look.px(14)
    found: dict[str, Rect] = {}
    algorithm, compared = algorithms[place], len(algorithms) == 2
    own = interface.display.page != PAGES[0].name
    counted = "counters" in interface.display.panels and not own
    inspected = "inspector" in interface.display.panels
    cards = _cards_height(interface, look) if inspected or not own else 0.0
    most = _MOST_BESIDE_CARDS if interface.selection else _MOST_COMPARED
    wanted = [
        ("lights", max(TARGET, look.px(_LIGHTS)), True),
        ("tabs", tabs_height(look, width), len(PAGES) > 1),
        ("comparison", min(_comparison_height(look, algorithms), most * side.h), counted and compared),
        ("counters", _counters_height(look, algorithm, width), counted and not compared),
        ("concurrency", look.px(_CONCURRENCY), counted and not compared and _takes_turns(algorithm)),
    ]
    source = look.px(_LEAST_SOURCE) if "source" in interface.display.panels else 0.0
    with_cards = source + cards + gap if cards else source
    for name, height, is_wanted in wanted:
        rest = bottom - top - height - gap
        crowds_out = {
            "counters": bool(cards) and inspected and rest < cards,
            "concurrency": rest < with_cards and (bool(cards) or bottom - top >= source),
        }
        if is_wanted and top + height <= bottom and not crowds_out.get(name):
            found[name] = Rect(left, top, width, height)
            top += height + gap
    if cards:
        shared = bottom - top - gap
        if own:
            cards = min(cards, shared - look.px(_LEAST_PAGE))
        elif shared - cards < look.px(_LEAST_SOURCE):
            cards = shared + gap
        if cards >= look.px(_LEAST_CARDS):
            found["cards"] = Rect(left, bottom - cards, width, cards)
            bottom -= cards + gap
    if own:
        found["page"] = Rect(left, top, width, max(bottom - top, 0))
    elif "source" in interface.display.panels and bottom - top >= look.px(_LEAST_SOURCE):
        found["source"] = Rect(left, top, width, bottom - top)
    return Column(**found)


def _cards_height(interface: Interface, look: Look) -> float:
    """How much room the cards want; none if nothing is selected of which they tell."""
    is_node = interface.node is not None
    reasons = look.px(_REASONS) if is_node and "waiting" in interface.display.panels else 0.0
    inspector = look.px(_INSPECTOR) if interface.selection and "inspector" in interface.display.panels else 0.0
    return reasons + inspector


def _takes_turns(algorithm: Algorithm) -> bool:
    """Whether it lets processes into a critical section."""
    return not algorithm.is_election() and system_of(algorithm) is None


def _counters_height(look: Look, algorithm: Algorithm, width: float) -> float:
    """How much room the panel wants; it depends on the algorithm only, so that nothing below it jumps."""
    if system := system_of(algorithm):
        from visual.window.pages.rules import rules_height  # the first frame does without

        return rules_height(look, system, width) + look.px(6)
    rows = 1 + 1 + min(len(algorithm.looks), MOST_TYPES) + 1 + 2 + (algorithm.token is not None)
    return look.px(LINE) * rows + look.px(6)


def _comparison_height(look: Look, algorithms: tuple[Algorithm, ...]) -> float:
    """How much room the table of two runs wants, whatever they have counted so far."""
    rows = 1 + (2 + 4 if algorithms[0].is_election() else 3 + 9)
    return look.px(COMPARED_LINE) * (rows + 2 * any(a.token is not None for a in algorithms))


def side_ground(view: View) -> Panel:
    """The column's ground, and the line that sets it off."""
    region = view.region
    return Panel(
        (ground(view, view.look.theme.paper), upright_rule(view.look, region.x, region.y, region.y + region.h))
    )


_HEIGHT = 46.0  # logical pixels of a row
_SPACE = 14.0  # logical pixels beside a word at least, both sides together


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
            shapes += _tab(look, box, page.name, page.name == view.interface.display.page)
            widgets.append(Target(f"tabs.{page.name}", box, intents.open_page(page.name), page.hint))
            left += box.w
    return Panel(tuple(shapes), tuple(widgets))


def tabs_height(look: Look, width: float) -> float:
    """How high the tabs are in a column of that width."""
    return len(_rows(look, width)) * max(TARGET, look.px(_HEIGHT))


def _rows(look: Look, width: float) -> list[tuple[Page, ...]]:
    """The pages in as few rows as they find room in, about as many in each."""
    for count in range(1, len(PAGES)):
        each = ceil(len(PAGES) / count)
        rows = [PAGES[first : first + each] for first in range(0, len(PAGES), each)]
        if all(sum(_width(look, page) for page in row) <= width for row in rows):
            return rows
    return [(page,) for page in PAGES]


def _widths(look: Look, rows: list[tuple[Page, ...]], row: tuple[Page, ...], room: float) -> list[float]:
    """How wide the tabs of a row are: those below one another alike, if there is room for that."""
    columns = [max(_width(look, one[place]) for one in rows if place < len(one)) for place in range(len(rows[0]))]
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
    """What the column can show: the word on its tab, and what it is for.

    The page "run" shows the counters and the source, which are panels of their own.
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
    Page("check", "try every order in which things can happen"),
    Page("notes", "notes and markers, assumptions and promises"),
)

NAMES = tuple(page.name for page in PAGES)


def beside(name: str, by: int) -> str:
    """The name of the page `by` places after that one, round and round."""
    return NAMES[(NAMES.index(name) + by) % len(NAMES)]
