"""A row of tabs above the pages of the column at the right."""

from __future__ import annotations

from visual import fonts
from visual.interface.inputs import Do
from visual.interface.pages import NAMES, PAGES
from visual.panels.panel import Panel, View, level_rule
from visual.shapes import Box, Rect, Shape, Text
from visual.widgets import Look, Target, Widget


def tabs(view: View) -> Panel:
    """The row of tabs; the open one is underlined."""
    look, region = view.look, view.region
    size = _text_size(look, region.w)
    widths = [fonts.width(name, size, weight="bold") for name in NAMES]
    gap = (region.w - sum(widths)) / len(NAMES)
    shapes: list[Shape] = [level_rule(look, region.x, region.x + region.w, region.y + region.h)]
    widgets: list[Widget] = []
    left = region.x
    for page, width in zip(PAGES, widths, strict=True):
        box = Rect(left, region.y, width + gap, region.h)
        shapes += _tab(look, box, page.name, size, page.name == view.interface.page)
        widgets.append(Target(f"tabs.{page.name}", box, Do("open_page", page.name), page.hint))
        left += box.w
    return Panel(tuple(shapes), tuple(widgets))


def _text_size(look: Look, width: float) -> float:
    """As large as the words find room beside each other."""
    least = look.px(8) * len(NAMES)
    return fonts.shrink("".join(NAMES), width - least, look.px(18), look.px(12), weight="bold")


def _tab(look: Look, box: Rect, word: str, size: float, is_open: bool) -> list[Shape]:
    theme = look.theme
    ink = theme.ink if is_open else theme.muted
    middle = box.y + box.h / 2
    text = Text(box.x + box.w / 2, middle, word, size, ink, "bold", anchor="middle", baseline="middle")
    if not is_open:
        return [text]
    thick = look.px(4)
    return [text, Box(box.x + look.px(4), box.y + box.h - thick, box.w - look.px(8), thick, theme.accent)]
