"""A lab on a sheet over the whole window: what it measures, its plot, and published beside measured."""

from __future__ import annotations

from lessons.laboratory.tables import cells_of
from visual import fonts, keys
from visual.interface.inputs import Do
from visual.interface.measuring import Measurement
from visual.panels.panel import Panel, View
from visual.shapes import Box, Group, Image, Rect, Shape, Text
from visual.widgets import Button, Look, Scroller, Widget, button_width

ASPECT = 5.4 / 9.6  # height of a plot by its width
COLUMNS = (0.36, 0.15, 0.21, 0.17, 0.11)  # of the table's width
HEADINGS = ("", "published", "measured", "band", "holds?")
ROW, NOTE = 34.0, 24.0  # logical pixels: heights of a row and of a note's line


def lab_sheet(view: View) -> Panel:
    """The sheet of the lab that is open."""
    measurement = view.session.measurement
    if measurement is None:
        return Panel()
    look, region = view.look, view.region
    pad = look.px(36)
    head, buttons, top = _head(view, measurement, pad)
    half = (region.w - 3 * pad) * 0.44
    left = Rect(pad, top, half, region.h - top - pad)
    right = Rect(2 * pad + half, top, region.w - 3 * pad - half, region.h - top - pad)
    shapes = [Box(*region, look.theme.chrome), *head, *_about(look, measurement, left)]
    table, scroller = _table(view, measurement, right)
    return Panel((*shapes, *table), (*scroller, *buttons))


def _head(view: View, measurement: Measurement, pad: float) -> tuple[list[Shape], list[Widget], float]:
    """Title and source, and the buttons at the right; and where what is below them begins."""
    look, theme = view.look, view.look.theme
    middle = look.px(24) + look.target / 2
    right = view.region.w - pad
    widgets: list[Widget] = []

    def button(name: str, label: str, does: Do, hint: str, icon: str = "") -> None:
        nonlocal right
        width = look.target if icon else button_width(look, label)
        box = Rect(right - width, middle - look.target / 2, width, look.target)
        widgets.append(Button(f"lab.{name}", box, does, label, icon=icon, hint=hint))
        right -= width + look.gap

    button("close", "", Do("close"), f"back to the gallery  {keys.shown('Esc')}", "cross")
    if measurement.is_running:
        button("quick", "stop", Do("measure", True), "what is finished is kept")
    else:
        button("full", "measure in full", Do("measure", False), f"{measurement.lab.seeds_of(None, False)} seeds")
        button("quick", "measure quickly", Do("measure", True), f"{measurement.lab.seeds_of(None, True)} seeds")
    widgets.reverse()
    title = fonts.shorten(measurement.lab.title, right - pad, look.title, weight="bold")
    source = fonts.shorten(measurement.lab.source, view.region.w - 2 * pad, look.size("body"))
    below = middle + look.target / 2 + look.px(20)
    shapes: list[Shape] = [
        Text(pad, middle, title, look.title, theme.ink, "bold", baseline="middle"),
        Text(pad, below, source, look.size("body"), theme.muted, baseline="middle"),
    ]
    return shapes, widgets, below + look.px(30)


def _about(look: Look, measurement: Measurement, area: Rect) -> list[Shape]:
    """The plot, and below it the words; while it is measured, how far it is."""
    theme = look.theme
    plot = Rect(area.x, area.y, area.w, min(area.w * ASPECT, area.h * 0.6))
    plot = plot._replace(w=plot.h / ASPECT)
    shapes: list[Shape] = [Box(*plot, "#FFFFFF" if measurement.plot else theme.card, theme.edge, look.rule)]
    if measurement.is_running:
        shapes += _progress(look, measurement, plot)
    elif measurement.plot:
        shapes.append(Image(*plot, str(measurement.plot), measurement.plot.stat().st_mtime_ns))
    else:
        words = measurement.trouble or "Not measured yet on this machine."
        ink = theme.fault_text if measurement.trouble else theme.muted
        shapes += _lines(look, words, plot.x + look.px(24), plot.y + look.px(40), plot.w - look.px(48), ink)
    top = plot.y + plot.h + look.px(26)
    room = int((area.y + area.h - top) / (fonts.LINE_HEIGHT * look.size("body")))
    return [*shapes, *_lines(look, measurement.lab.paragraph, area.x, top, area.w, theme.ink, room)]


def _progress(look: Look, measurement: Measurement, plot: Rect) -> list[Shape]:
    theme, thick = look.theme, look.px(12)
    x, y, w = plot.x + look.px(40), plot.y + plot.h / 2, plot.w - look.px(80)
    words = f"measuring … {100 * measurement.progress:.0f} %"
    return [
        Text(x, y - look.px(24), words, look.px(22), theme.ink, "bold", baseline="middle"),
        Box(x, y, w, thick, theme.track, theme.edge, look.rule, thick / 2),
        Box(x, y, max(w * measurement.progress, thick), thick, theme.accent, None, 0, thick / 2),
    ]


def _lines(look: Look, words: str, x: float, y: float, width: float, ink: str, most: int = 99) -> list[Shape]:
    """Running text from its first line's middle at y, as many lines as there is room for."""
    size = look.size("body")
    lines = fonts.wrap(" ".join(words.split()), width, size)
    if len(lines) > most:
        lines = [*lines[: most - 1], fonts.shorten(" ".join(lines[most - 1 :]), width, size)]
    step = fonts.LINE_HEIGHT * size
    return [Text(x, y + place * step, line, size, ink, baseline="middle") for place, line in enumerate(lines)]


def _table(view: View, measurement: Measurement, area: Rect) -> tuple[list[Shape], list[Widget]]:
    """The rows that are scrolled into view, each with its note below."""
    look = view.look
    report = measurement.report
    if report is None:
        words = "Published beside measured, row by row, will be here once it is measured."
        return _lines(look, words, area.x, area.y + look.px(40), area.w, look.theme.muted), []
    size = look.size("body")
    heights = [look.px(ROW + (NOTE if row.note else 0.0)) for row in report.rows]
    body = Rect(area.x, area.y + look.px(ROW), area.w, area.h - look.px(ROW))
    offset = min(view.interface.scroll_of("lab"), max(0.0, sum(heights) - body.h))
    shapes: list[Shape] = []
    top = body.y - offset
    for row, height in zip(report.rows, heights, strict=True):
        if body.y - height < top < body.y + body.h:
            shapes += _cells(look, cells_of(row), area, top + look.px(ROW) / 2, size, row.holds)
            if row.note:
                note = fonts.shorten(row.note, area.w - look.px(40), look.size("small"))
                at = top + look.px(ROW) + look.px(6)
                shapes.append(Text(area.x, at, note, look.size("small"), look.theme.muted, baseline="middle"))
        top += height
    head = _cells(look, HEADINGS, area, area.y + look.px(ROW) / 2 - look.px(6), look.size("small"), None)
    scroller = Scroller("lab.table", body, sum(heights), offset)
    return [*head, Group(tuple(shapes), clip=body)], [scroller]


def _cells(
    look: Look, cells: tuple[str, ...], area: Rect, middle: float, size: float, holds: bool | None
) -> list[Shape]:
    """One line of the table: the name at the left, the others at the right of their columns."""
    theme = look.theme
    shapes: list[Shape] = []
    width = area.w - look.px(20)
    right = area.x
    for place, (text, share) in enumerate(zip(cells, COLUMNS, strict=True)):
        right += share * width
        ink = theme.fault_text if place == 4 and holds is False else theme.ink
        room = share * width - look.px(14 if place else 8)
        small = fonts.shrink(text, room, size, look.px(13))
        fitted = fonts.shorten(text, room, small)
        x = right if place else area.x
        shapes.append(Text(x, middle, fitted, small, ink, anchor="end" if place else "start", baseline="middle"))
    return shapes
