"""The card of a lesson: heading, text, question, options, and after the answer what is right and why."""

from __future__ import annotations

from collections.abc import Iterator

from lessons.attempt import ARRANGE, TOGGLE, Attempt
from lessons.lesson import ActTask, ChallengeTask, ExperimentTask, ExplainTask, RunTask
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Box, Rect, Shape, Text, stacked
from visual.window import intents
from visual.window.lesson.curve import curve_shapes
from visual.window.lesson.rows import CardRow, question_rows, text_rows
from visual.window.panel import Panel, View, flow_lines, ground, level_rule
from visual.window.widgets import Button, Look, Target, Widget

BAND = 2.2  # widths of a card in its heights from which it has two columns
_SIZES = (1.0, 0.92, 0.84, 0.76)  # of the letters: the largest at which the card holds everything
_KEYS = {
    "arrange": "Ctrl+↑ ↓: move the line · Enter: answer · Shift+H: hint",
    "toggle": "number: mark, or no longer · Enter: answer · Shift+H: hint",
    "question": "number: choose · Enter: answer · Shift+H: hint",
    "answered": "Enter: go on · Space: watch what happens",
    "example": "Enter: go on · Shift+L: play the counter-example, and back",
    "rival": "Enter: go on · Shift+L: see where that leads",
    "run": "Enter: watch",
    "act": "do it, then Enter",
    "challenge": "pick events in the list below, then Enter · Shift+G: it cannot be done",
    "look": "Enter: go on",
    "explain": "Enter: go on alone · Shift+P: practise with fresh data",
}


def lesson_card(view: View, attempt: Attempt) -> Panel:
    """The present step of the lesson."""
    look, region = view.look, view.region
    pad = look.px(20)
    foot = look.target + look.px(14)
    room = Rect(region.x + pad, region.y + look.px(12), region.w - 2 * pad, region.h - foot - look.px(16))
    edge = region.y + region.h
    shapes: list[Shape] = [
        ground(view, look.theme.card),
        level_rule(look, region.x, region.x + region.w, region.y),
        level_rule(look, region.x, region.x + region.w, edge),
    ]
    widgets: list[Widget] = []
    task, verdict = attempt.step.task, attempt.verdict
    if isinstance(task, ExperimentTask) and verdict is not None:
        room, area = _with_curve(room, look)
        shapes += curve_shapes(look, area, task, attempt.entry.right, verdict)
    for name, paragraphs, box in _columns(attempt, room, look):
        drawn, used = _column(view, attempt, name, paragraphs, box)
        shapes += drawn
        widgets += used
    buttons = _buttons(view, attempt, Rect(room.x, region.y + region.h - foot, region.w - 2 * pad, foot))
    return Panel((*shapes, *_keys(view, attempt, foot)), (*widgets, *buttons))


def _with_curve(room: Rect, look: Look) -> tuple[Rect, Rect]:
    """The room for the text and, below it or in a band beside it, that for the curve."""
    if room.w < BAND * room.h:
        height = 0.42 * room.h
        return room._replace(h=room.h - height), Rect(room.x, room.y + room.h - height, room.w, height)
    width = 0.3 * room.w
    rest = room.w - width - look.px(30)
    return room._replace(w=rest), Rect(room.x + room.w - width, room.y, width, room.h)


def _columns(attempt: Attempt, room: Rect, look: Look) -> list[tuple[str, list[CardRow], Rect]]:
    """The text and the question, below each other or, in a band across the window, side by side."""
    text, question = text_rows(attempt), question_rows(attempt)
    if room.w < BAND * room.h:
        return [("lesson", [*text, *question], room)]
    width = (room.w - look.px(40)) / 2
    right = Rect(room.x + room.w - width, room.y, width, room.h)
    return [("lessontext", text, room._replace(w=width)), ("lesson", question, right)]


def _column(
    view: View, attempt: Attempt, name: str, paragraphs: list[CardRow], room: Rect
) -> tuple[list[Shape], list[Widget]]:
    """The lines of a column, in the largest letters that fit; what does not fit can be scrolled to."""
    look = view.look
    inner = room._replace(w=room.w - look.px(16))  # beside the scroll bar
    size, rows = _fitted(look, paragraphs, inner)
    visible, scroller = flow_lines(view, name, room, [_height(look, row, size) for row in rows])
    shapes: list[Shape] = []
    widgets: list[Widget] = [scroller]
    for place, line in visible:
        row, box = rows[place], line._replace(w=inner.w)
        if row.option is not None and row.first:
            lines = sum(other.option == row.option for other in rows)
            whole = box._replace(h=min(box.h * lines, room.y + room.h - box.y))
            shapes += _option_ground(view, whole, row)
            if attempt.is_open:
                does = intents.choose_option(row.option)
                widgets.append(Target(f"lesson.{row.option}", whole, does, f"choose it  {row.option + 1}", dense=True))
        shapes += _line(look, box, row, size)
    return shapes, widgets


# ---- drawing -----------------------------------------------------------------------------------------------


def _fitted(look: Look, paragraphs: list[CardRow], room: Rect) -> tuple[float, list[CardRow]]:
    """The largest letters at which all lines fit, and the lines."""
    base = look.px(21) if not look.presenting else look.px(19)
    for share in _SIZES:
        size = max(base * share, 11.0)
        rows = _wrapped(look, paragraphs, room.w, size)
        if sum(_height(look, row, size) for row in rows) <= room.h:
            break
    return size, rows


def _wrapped(look: Look, paragraphs: list[CardRow], width: float, size: float) -> list[CardRow]:
    rows: list[CardRow] = []
    for paragraph in paragraphs:
        inner = width - (look.px(44) if paragraph.option is not None else look.px(30) if paragraph.sign else 0)
        for place, (words, indent) in enumerate(_lines_of(paragraph, inner, size)):
            sign = "" if place else paragraph.sign
            rows.append(paragraph._replace(words=words, first=place == 0, sign=sign, indent=indent))
        if paragraph.option is None and not paragraph.is_code:
            rows.append(CardRow(""))
    return rows


def _lines_of(row: CardRow, width: float, size: float) -> Iterator[tuple[str, int]]:
    """The lines of a row, each with its indent: that of code is kept."""
    family = _family(row)
    for place, line in enumerate(row.words.split("\n")):
        more = 3 if place and row.option is not None else 0  # below the text, beside the option's number
        indent = more + len(line) - len(line.lstrip()) if row.is_code else 0
        room = width - indent * fonts.width(" ", size, family)
        yield from ((words, indent) for words in fonts.wrap(line, room, size, family, row.weight))


def _family(row: CardRow) -> fonts.FontFamily:
    return "mono" if row.is_code else "sans"


def _height(look: Look, row: CardRow, size: float) -> float:
    if row.option is not None:
        return max(fonts.LINE_HEIGHT * size + look.px(8), 24.0)
    return fonts.LINE_HEIGHT * size * (1.0 if row.words else 0.45)


def _option_ground(view: View, box: Rect, row: CardRow) -> list[Shape]:
    look = view.look
    is_chosen = view.interface.pointer.focus == f"lesson.{row.option}"
    inset = look.px(2)
    outline = look.theme.accent if is_chosen else look.theme.rule
    width = look.rule * (3 if is_chosen else 1)
    return [Box(box.x, box.y + inset, box.w, box.h - 2 * inset, look.theme.paper, outline, width, look.radius)]


def _line(look: Look, box: Rect, row: CardRow, size: float) -> list[Shape]:
    if not row.words:
        return []
    theme, middle = look.theme, box.y + box.h / 2
    left = box.x + (look.px(12) if row.option is not None else 0)
    shapes: list[Shape] = []
    if row.sign:
        line = theme.ok if row.sign == "tick" else theme.fault
        at = box.x + box.w - look.px(18) if row.option is not None else left + look.px(10)
        shapes += icon_shapes(row.sign, at, middle, 0.8 * size, line, theme.card)
    left += look.px(30) if row.sign and row.option is None else 0
    ink = theme.muted if row.muted else theme.ink
    family = _family(row)
    left += row.indent * fonts.width(" ", size, family)
    return [*shapes, Text(left, middle, row.words, size, ink, row.weight, family, baseline="middle")]


def _state(attempt: Attempt) -> str:
    task = attempt.step.task
    if attempt.is_open:
        return {ARRANGE: "arrange", TOGGLE: "toggle"}.get(attempt.way, "question")
    if attempt.verdict is not None:
        if attempt.example is not None:
            return "example"
        return "rival" if attempt.verdict.rival and not attempt.verdict.is_right else "answered"
    kinds = {RunTask: "run", ActTask: "act", ChallengeTask: "challenge", ExplainTask: "explain"}
    return kinds.get(type(task), "look")


def _keys(view: View, attempt: Attempt, foot: float) -> list[Shape]:
    look, region = view.look, view.region
    size = look.size("small") * 0.9
    left = region.x + look.px(20) + 2 * (look.target + look.gap)
    room = region.x + region.w - look.px(20) - left - look.px(130)
    lines = fonts.lines(_KEYS[_state(attempt)], room, size, 2)
    return list(stacked(lines, left, region.y + region.h - foot / 2 - look.px(4), size, look.theme.muted))


def _buttons(view: View, attempt: Attempt, row: Rect) -> list[Widget]:
    look, side = view.look, view.look.target
    middle = row.y + (row.h - side) / 2 - look.px(4)
    width = look.px(120)
    on = Rect(row.x + row.w - width, middle, width, side)
    label = "Answer" if attempt.is_open else "End" if isinstance(attempt.step.task, ExplainTask) else "On"
    close = Rect(row.x + side + look.gap, middle, side, side)
    return [
        Button(
            "lesson.back", Rect(row.x, middle, side, side), intents.lesson_back(), "←", hint="the step before  PageUp"
        ),
        Button("lesson.close", close, intents.end_lesson(), icon="cross", hint="close the lesson"),
        Button("lesson.on", on, intents.lesson_on(), label, hint="Enter", kind="primary"),
    ]
