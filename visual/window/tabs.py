"""Tabs above the pages of the column at the right, in one row or, where it is narrow, in several."""

from __future__ import annotations

from math import ceil

from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window.inputs import Do
from visual.window.page_list import PAGES, Page
from visual.window.panel import Panel, View, level_rule
from visual.window.widgets import TARGET, Look, Target, Widget

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
            shapes += _tab(look, box, page.name, page.name == view.interface.page)
            widgets.append(Target(f"tabs.{page.name}", box, Do("open_page", page.name), page.hint))
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
