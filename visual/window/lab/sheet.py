"""The sheet of a lab, over the whole window: description, plot, published beside measured values; its actions."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.errors import count_words
from algorithms.machine import IN_PAGE
from lessons.laboratory.lab import Lab, LabRow
from lessons.laboratory.tables import COLUMNS, HEADINGS, cells_of, number
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Image, Rect, Shape, Text
from visual.window import intents, keys
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.intents import Do
from visual.window.lab.measurement import Measurement
from visual.window.panel import Panel, View, heading, level_rule
from visual.window.state import Interface, LabSheet
from visual.window.widgets import Button, Look, Scroller, Widget, button_width
from visual.words import symbol

ASPECT = 4.5 / 8.0  # height of a plot by its width
ROW = 12.0  # logical pixels above a row of the table, besides its lines
COLUMN_GAP, LEAST_GAP = 26.0, 10.0  # logical pixels between columns, and where they need the room
LEAST_PLOT = 0.35  # of the height beside the table
LEAST_NAME = 0.3  # of the table's width

_NOT_YET = "Not measured yet on this computer. A quick run takes less than a minute or two."
_NOT_HERE = "Labs are measured in the program, not in a web page."


def lab_sheet(view: View) -> Panel:
    """The sheet of the open lab."""
    measurement = view.desk.measurement
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
    """Title, source and buttons; and the y coordinate below them."""
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

    button("close", "", intents.close(), f"back to the gallery  {keys.readable('Esc')}", "cross")
    if measurement.is_running:
        button("quick", "stop", intents.measure(True), "finished runs are kept")
    else:
        button("full", "full run", intents.measure(False), count_words(measurement.lab.seeds_of(None, False), "seed"))
        button("quick", "quick run", intents.measure(True), count_words(measurement.lab.seeds_of(None, True), "seed"))
    widgets.reverse()
    size = fonts.shrink(measurement.lab.title, right - pad, look.title, look.px(20), weight="bold")
    title = fonts.shorten(measurement.lab.title, right - pad, size, weight="bold")
    width = view.region.w - 2 * pad
    question, source = (
        fonts.shorten(words, width, look.size("body")) for words in (measurement.lab.question, measurement.lab.source)
    )
    below = middle + look.target / 2 + look.px(20)
    step = fonts.LINE_HEIGHT * look.size("body")
    shapes: list[Shape] = [
        Text(pad, middle, title, size, theme.ink, "bold", baseline="middle"),
        Text(pad, below, question, look.size("body"), theme.ink, baseline="middle"),
        Text(pad, below + step, source, look.size("body"), theme.muted, baseline="middle"),
    ]
    return shapes, widgets, below + step + look.px(30)


def _about(look: Look, measurement: Measurement, area: Rect) -> list[Shape]:
    """The plot or, during a measurement, its progress; and below it the description."""
    theme, lab, step = look.theme, measurement.lab, fonts.LINE_HEIGHT * look.size("body")
    picture = _wrapped(look, lab.picture, area.w)
    paragraph = _wrapped(look, lab.paragraph, area.w)
    below = look.px(36) + step * (len(picture) + len(paragraph))
    plot = Rect(area.x, area.y, area.w, min(area.w * ASPECT, max(area.h * LEAST_PLOT, area.h - below)))
    plot = plot._replace(w=plot.h / ASPECT)
    shapes: list[Shape] = [Box(*plot, theme.card)]
    if measurement.is_running:
        shapes += _progress(look, measurement, plot)
    elif measurement.plot:
        shapes.append(Image(*plot, str(measurement.plot), measurement.plot.stat().st_mtime_ns))
    else:
        words = measurement.trouble or (_NOT_HERE if IN_PAGE else _NOT_YET)
        ink = theme.fault_text if measurement.trouble else theme.muted
        shapes += _lines(look, words, plot.x + look.px(24), plot.y + look.px(40), plot.w - look.px(48), ink)
    shapes.append(Box(*plot, None, theme.edge, look.rule))
    top = plot.y + plot.h + look.px(26)
    shapes += _lines(look, lab.picture, area.x, top, area.w, theme.muted)
    top += len(picture) * step + look.px(10)
    room = int((area.y + area.h - top + step / 2) / step)
    return [*shapes, *_lines(look, lab.paragraph, area.x, top, area.w, theme.ink, room)]


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
    """Wrapped text in at most `most` lines; y is the middle of the first one."""
    size = look.size("body")
    lines = _wrapped(look, words, width)
    if len(lines) > most:
        lines = [*lines[: most - 1], fonts.shorten(" ".join(lines[most - 1 :]), width, size)]
    step = fonts.LINE_HEIGHT * size
    return [Text(x, y + place * step, line, size, ink, baseline="middle") for place, line in enumerate(lines)]


def _wrapped(look: Look, words: str, width: float) -> list[str]:
    return fonts.wrap(" ".join(words.split()), width, look.size("body"))


def _cases(look: Look, lab: Lab, area: Rect) -> list[Shape]:
    """The cases and constants of a measurement, in place of the table until there is one."""
    few, many = lab.seeds_of(None, True), lab.seeds_of(None, False)
    seeds = "one run each" if lab.seeds == 1 else f"{many} seeds each ({few} in a quick run)"
    cases = count_words(len(lab.cases), "case")
    parts = [(f"{cases}; {seeds}", " · ".join(lab.cases))]
    if lab.parameters:
        parts.append(("constants", ", ".join(f"{symbol(name)} = {number(v)}" for name, v in lab.parameters.items())))
    parts.append(("published vs. measured", "The table appears here after the first run."))
    shapes: list[Shape] = []
    top, step = area.y + look.px(16), fonts.LINE_HEIGHT * look.size("body")
    for words, text in parts:
        title = fonts.shorten(words, area.w, look.px(18), weight="bold")
        below = _lines(look, text, area.x, top + look.px(30), area.w, look.theme.ink)
        shapes += [heading(look, area.x, top, title), *below]
        top += look.px(30) + step * len(below) + look.px(18)
    return shapes


class _Line(NamedTuple):
    """A row of the table: its name in lines, its other cells, and its note in lines."""

    name: list[str]
    cells: tuple[str, ...]
    note: list[str]
    holds: bool | None

    def height(self, look: Look) -> float:
        """The height in pixels, with the space above."""
        lines = len(self.name) * look.size("body") + len(self.note) * look.size("small")
        return fonts.LINE_HEIGHT * lines + look.px(ROW)


def _table(view: View, measurement: Measurement, area: Rect) -> tuple[list[Shape], list[Widget]]:
    """The visible rows, each with its note below; the cases before the first measurement."""
    look, report = view.look, measurement.report
    if report is None:
        return _cases(look, measurement.lab, area), []
    area = area._replace(w=area.w - look.px(20))
    rights = _rights(look, [cells_of(row) for row in report.rows], area)
    lines = [_line(look, row, rights, area) for row in report.rows]
    head, step = 2 * look.size("small"), fonts.LINE_HEIGHT * look.size("small")
    columns = fonts.wrap(COLUMNS, area.w, look.size("small"))
    body = Rect(area.x, area.y + head, area.w + look.px(20), area.h - head - step * len(columns) - look.px(ROW))
    below = body.y + body.h + look.px(ROW) + step / 2
    content = sum(line.height(look) for line in lines)
    offset = min(view.interface.scrolls.of("lab"), max(0.0, content - body.h))
    shapes: list[Shape] = []
    top = body.y - offset
    for line in lines:
        height = line.height(look)
        if body.y - height < top < body.y + body.h:
            shapes += _row_shapes(look, line, rights, area.x, top + look.px(ROW) / 2)
            shapes.append(level_rule(look, area.x, area.x + area.w, top + height))
        top += height
    middle = area.y + 0.7 * look.size("small")
    headings = [
        Text(right, middle, words, look.size("small"), look.theme.muted, anchor="end", baseline="middle")
        for words, right in zip(HEADINGS[1:], rights, strict=True)
    ]
    rule = level_rule(look, area.x, area.x + area.w, body.y)
    headings += [
        Text(area.x, below + place * step, words, look.size("small"), look.theme.muted, baseline="middle")
        for place, words in enumerate(columns)
    ]
    return [*headings, rule, Group(tuple(shapes), clip=body)], [Scroller("lab.table", body, content, offset)]


def _rights(look: Look, rows: list[tuple[str, ...]], area: Rect) -> list[float]:
    """The right edges of the columns after the name, each as wide as its widest cell; the gaps give way to the name."""
    size, small = look.size("body"), look.size("small")
    widths = [
        max(fonts.width(words, small), *(fonts.width(row[place], size) for row in rows))
        for place, words in enumerate(HEADINGS[1:], 1)
    ]
    room = ((1 - LEAST_NAME) * area.w - sum(widths)) / len(widths)
    gap = max(look.px(LEAST_GAP), min(look.px(COLUMN_GAP), room))
    end = area.x + area.w
    return [end - sum(widths[place:]) - gap * len(widths[place:]) for place in range(1, len(widths) + 1)]


def _line(look: Look, row: LabRow, rights: list[float], area: Rect) -> _Line:
    name, *cells = cells_of(row)
    size, small = look.size("body"), look.size("small")
    widest = max(fonts.width(cells[0], size), fonts.width(HEADINGS[1], small))
    room = rights[0] - widest - look.px(LEAST_GAP) - area.x
    note = fonts.wrap(row.note, area.w - look.px(40), small) if row.note else []
    return _Line(fonts.wrap(name, room, size), tuple(cells), note, row.holds)


def _row_shapes(look: Look, line: _Line, rights: list[float], left: float, top: float) -> list[Shape]:
    """Name and note, left-aligned, and the other cells, right-aligned in the name's first line."""
    theme, size, small = look.theme, look.size("body"), look.size("small")
    step, middle = fonts.LINE_HEIGHT * size, top + fonts.LINE_HEIGHT * size / 2
    shapes: list[Shape] = [
        Text(left, middle + place * step, words, size, theme.ink, baseline="middle")
        for place, words in enumerate(line.name)
    ]
    for words, right in zip(line.cells, rights, strict=True):
        ink = theme.fault_text if right == rights[-1] and line.holds is False else theme.ink
        shapes.append(Text(right, middle, words, size, ink, anchor="end", baseline="middle"))
    below = top + len(line.name) * step + fonts.LINE_HEIGHT * small / 2
    shapes += [
        Text(left, below + place * fonts.LINE_HEIGHT * small, words, small, theme.muted, baseline="middle")
        for place, words in enumerate(line.note)
    ]
    return shapes


@handles(intents.open_lab)
def open_lab(interface: Interface, desk: Desk, name: str) -> Interface:
    """Open the sheet of a lab."""
    if desk.measurement is None or desk.measurement.lab.name != name:
        desk.close()
        desk.measurement = Measurement(name)
    return interface.focused("lab.quick").over(LabSheet(name)).scrolled("lab", 0.0)


@handles(intents.close_lab)
def close_lab(interface: Interface, desk: Desk, value: None) -> Interface:
    """Go back to the gallery, and stop a measurement in progress."""
    desk.close()
    return interface.focused().without(LabSheet)


@handles(intents.measure)
def measure(interface: Interface, desk: Desk, quick: bool) -> Interface:
    """Measure the open lab, or stop its measurement."""
    measurement = desk.measurement
    if measurement is None:
        return interface
    if measurement.is_running:
        measurement.stop()
        return interface.say("Stopped. Finished runs are kept; the next measurement resumes from here.")
    try:
        measurement.start(quick=quick)
    except OSError as error:
        return interface.say(f"The lab cannot be measured: {error.strerror}, {error.filename}.", 8.0)
    return interface


@handles(intents.scroll_lab)
def scroll_lab(interface: Interface, desk: Desk, by: float) -> Interface:
    return interface.scrolled("lab", interface.scrolls.of("lab") + by)
