"""The card of a lesson: heading, text, question, options, and after the answer what is right and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from lessons.attempt import Attempt
from lessons.marking import MOST_HINTS
from lessons.task import ARRANGE, CHOOSE, TOGGLE, AnswerVerdict
from lessons.tasks.challenges import ChallengeTask
from lessons.tasks.experiments import ExperimentKey, ExperimentTask
from lessons.tasks.repairing import RepairTask
from lessons.tasks.watching import ActTask, ExplainTask, RunTask
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.narration.answers import measure_words, value_words, varied_words
from visual.window import intents, keys
from visual.window.intents import Do
from visual.window.lesson import proof
from visual.window.lesson.rows import CardRow, answer_rows, question_rows, text_rows
from visual.window.pages.plot_chart import DASHES, TEXT, Axis, Chart, LegendItem, number
from visual.window.panel import Panel, View, flow_lines, ground, highlight, level_rule
from visual.window.widgets import DENSE_TARGET, Button, Look, Target, Widget
from visual.words import node_name

BAND = 2.2  # widths of a card in its heights from which it has two columns
_SIZES = (1.0, 0.92, 0.84, 0.76)  # of the letters: the largest at which the card holds everything
_ACTS = {
    "crash": intents.crash_or_recover(),
    "pause": intents.pause_or_resume(),
    "request": intents.request(),
    "lose-token": intents.lose_token(),
    "drop": intents.drop(),
}
_LABEL = 1.4  # ems for the digit or letter of an option
_VOTES = 90.0  # logical pixels for the numbers of votes
_PRIMARY = 0.0334  # of the height, before a class: question and options
_LECTURE_SIZES = (0.038, 0.0334, 0.03, 0.026, 0.0222)
_KEYS = {
    "arrange": "Ctrl+↑ ↓: move the line · Enter: answer · Shift+H: hint",
    "toggle": "number: mark or unmark · Enter: answer · Shift+H: hint",
    "question": "number: choose · Enter: answer · Shift+H: hint",
    "proof": "Enter: watch why",
    "answered": "Enter: next",
    "example": "Enter: next · Shift+L: play the counter-example, and back",
    "rival": "Enter: next · Shift+L: see where that leads",
    "run": "Enter: watch",
    "challenge": "number: make that move · Enter: done · Shift+G: it cannot be done",
    "look": "Enter: next",
    "explain": "Enter: the next lesson",
}
_LECTURE_KEYS = {"proof": "PageDown: the proof", "run": "PageDown: watch", "explain": "PageUp: back"}
_ASKED = "PageDown: the answer · Enter: votes"


def lesson_card(view: View, attempt: Attempt) -> Panel:
    """The present step of the lesson."""
    look, region = view.look, view.region
    pad = look.px(20)
    foot = _foot(view)
    room = Rect(region.x + pad, region.y + look.px(12), region.w - 2 * pad, region.h - foot - look.px(16))
    edge = region.y + region.h
    shapes: list[Shape] = [
        ground(view, look.theme.card),
        level_rule(look, region.x, region.x + region.w, region.y),
        level_rule(look, region.x, region.x + region.w, edge),
    ]
    widgets: list[Widget] = []
    task, verdict = attempt.step.task, attempt.verdict
    high = room.h
    if isinstance(task, ExperimentTask) and verdict is not None:
        room, area = _with_curve(room, look)
        shapes += measured_shapes(look, area, task, attempt.entry.right, verdict)
    for column in _columns(view, attempt, room, high):
        drawn, used = _drawn(view, attempt, column)
        shapes += drawn
        widgets += used
    buttons = _buttons(view, attempt, Rect(room.x, region.y + region.h - foot, region.w - 2 * pad, foot))
    return Panel((*shapes, *_keys(view, attempt, foot)), (*widgets, *buttons))


def _with_curve(room: Rect, look: Look) -> tuple[Rect, Rect]:
    """The room for the text and, below it or in a band beside it, that for the curve."""
    if room.w < BAND * room.h:
        height = 0.35 * room.h
        return room._replace(h=room.h - height), Rect(room.x, room.y + room.h - height, room.w, height)
    width = 0.3 * room.w
    rest = room.w - width - look.px(30)
    return room._replace(w=rest), Rect(room.x + room.w - width, room.y, width, room.h)


class _Column(NamedTuple):
    """A column of the card. `sized` are the rows that give the size of its letters, in a room of height `high`.

    They are those of the question, so that no answer changes the letters.
    """

    name: str
    rows: list[CardRow]
    room: Rect
    sized: list[CardRow]
    high: float


def _columns(view: View, attempt: Attempt, room: Rect, high: float) -> list[_Column]:
    """The text and the question, below each other or, in a band across the window, side by side.

    After the answer the text gives way where there is no room for all, and then the options that nobody needs;
    elsewhere the options stay where they are.
    """
    look, is_lecture = view.look, view.look.presenting
    text, question = text_rows(attempt), question_rows(attempt, is_lecture, proof.moves_made(view.desk))
    after, rest = answer_rows(attempt, is_lecture), answer_rows(attempt, is_lecture, _least(view, attempt))
    is_band = room.w >= BAND * room.h
    is_settled = isinstance(attempt.step.task, ChallengeTask) and attempt.step.id in attempt.marks
    is_answered = attempt.verdict is not None or is_settled
    if not is_band and not is_answered:
        return [_Column("lesson", [*text, *question, *after], room, [], high)]
    if not is_band:
        spare = [row for row in question if row.option is not None and not row.sign and attempt.way == CHOOSE]
        shorter = ([row for row in question if row not in spare[place:]] for place in range(len(spare), -1, -1))
        whole = _Column("lesson", [*text, *question, *after], room, [*text, *question], high)
        tried = ([*text[:2], *question, *rest], *([*text[1:2], *rows, *rest] for rows in shorter))
        return [_fitting(view, attempt, whole, [*text, *question, *rest], *tried)]
    text = text[:2] if is_answered else text
    sized = [] if is_lecture or not question else question
    if is_lecture and attempt.verdict is not None:
        text, rest = [*text[1:], *after], [*text[1:], *rest]
    else:
        question, rest = [*question, *after], text
    if not question:
        return [_Column("lesson", text, room, [], high)]
    is_wide = attempt.is_node or isinstance(attempt.step.task, RepairTask)
    width = (0.72 if is_lecture and is_wide else 0.6 if is_lecture else 0.5) * (room.w - look.px(40))
    right = Rect(room.x + room.w - width, room.y, width, room.h)
    left = _Column("lessontext", text, room._replace(w=right.x - look.px(40) - room.x), [], high)
    return [_fitting(view, attempt, left, rest), _Column("lesson", question, right, sized, high)]


def _least(view: View, attempt: Attempt) -> Literal["why", "proof"]:
    """What is said after the answer where there is little room: why, or the proof once it is watched."""
    is_watched = proof.end_of_proof(view.desk, attempt) is None and not attempt.is_node
    return "proof" if is_watched and proof.proof_lines(attempt) else "why"


def _fitting(view: View, attempt: Attempt, column: _Column, *others: list[CardRow]) -> _Column:
    """The column with its rows, or the first of the others, for which there is room; else with the last."""
    for rows in (column.rows, *others):
        column = column._replace(rows=rows)
        size, lines = _fitted(view, attempt, column)
        if _total(view.look, lines, size) <= column.room.h:
            break
    return column


def _drawn(view: View, attempt: Attempt, column: _Column) -> tuple[list[Shape], list[Widget]]:
    """The lines of a column, in the largest letters that fit; what does not fit can be scrolled to."""
    look, room = view.look, column.room
    size, rows = _fitted(view, attempt, column)
    visible, scroller = flow_lines(view, column.name, room, [_height(look, row, size) for row in rows])
    width = _beside_bar(look, room)
    shapes: list[Shape] = []
    widgets: list[Widget] = [scroller]
    for place, line in visible:
        row, box = rows[place], line._replace(w=width)
        if row.first and (row.option is not None or row.step is not None or row.lesson):
            end = place + 1
            while end < len(rows) and not rows[end].first:
                end += 1
            high = sum(_height(look, one, size) for one in rows[place:end])
            whole = box._replace(h=min(high, room.y + room.h - box.y))
            drawn, used = _to_press(view, attempt, row, whole)
            shapes += drawn
            widgets += used
        shapes += _line(look, box, row, size)
    return shapes, widgets


def _to_press(view: View, attempt: Attempt, row: CardRow, box: Rect) -> tuple[list[Shape], list[Widget]]:
    """The ground of an option or of a line of the proof, and its target."""
    look, shapes, widgets = view.look, list[Shape](), list[Widget]()
    if row.option is not None:
        shapes = [*_option_ground(view, box, row), *_vote_bars(look, attempt, row.option, box)]
        if attempt.is_open:
            choose = intents.choose_option(row.option)
            widgets.append(Target(f"lesson.{row.option}", box, choose, f"choose it  {row.option + 1}", dense=True))
    elif row.lesson:
        opens = intents.open_lesson(row.lesson)
        shapes = [Box(*box, look.theme.paper, look.theme.rule, look.rule, look.radius)]
        widgets.append(Target("lesson.treated", box, opens, "open that lesson; this one is kept", dense=True))
    elif row.step is not None:
        is_here = view.run.timeline.step == row.step
        shapes = [highlight(look, box)] if is_here else []
        does = intents.see_proof(row.step)
        widgets.append(Target(f"lesson.proof{row.step}", box, does, "show this step", dense=True))
    return shapes, widgets


# ---- drawing -----------------------------------------------------------------------------------------------


def _sizes(view: View, name: str) -> list[float]:
    """The sizes of the letters of a column, the largest first."""
    look, height = view.look, view.interface.display.height
    if look.presenting:
        return [height * share for share in _LECTURE_SIZES if share >= _PRIMARY or name != "lesson"]
    return [max(look.px(21) * share, 13.0) for share in _SIZES]


def _beside_bar(look: Look, room: Rect) -> float:
    """The width of the room without that for a scroll bar."""
    return room.w - look.px(16)


def _fitted(view: View, attempt: Attempt, column: _Column) -> tuple[float, list[CardRow]]:
    """The largest letters at which the lines that give the size fit, and all lines."""
    look, width = view.look, _beside_bar(view.look, column.room)
    votes = look.px(_VOTES) if attempt.votes else 0.0
    for size in _sizes(view, column.name):
        rows = _wrapped(look, column.sized or column.rows, width, size, votes)
        if _total(look, rows, size) <= column.high:
            break
    return size, _wrapped(look, column.rows, width, size, votes) if column.sized else rows


def _total(look: Look, rows: list[CardRow], size: float) -> float:
    """The height of all lines."""
    return sum(_height(look, row, size) for row in rows)


def _wrapped(look: Look, paragraphs: list[CardRow], width: float, size: float, votes: float) -> list[CardRow]:
    rows: list[CardRow] = []
    for paragraph in paragraphs:
        if rows and rows[-1].option is not None and paragraph.option is None:
            rows.append(CardRow(""))
        taken = look.px(44) + votes + _LABEL * size if paragraph.option is not None else 0.0
        inner = width - (taken or (look.px(30) if paragraph.sign else 0))
        lines = list(_lines_of(paragraph, inner, size))
        for place, (words, indent) in enumerate(lines):
            is_first, is_last = place == 0, place + 1 == len(lines)
            sign = paragraph.sign if is_first else ""
            rows.append(paragraph._replace(words=words, first=is_first, last=is_last, sign=sign, indent=indent))
        if paragraph.option is None and not paragraph.is_code:
            rows.append(CardRow(""))
    return rows if rows and rows[-1].words else rows[:-1]


def _lines_of(row: CardRow, width: float, size: float) -> Iterator[tuple[str, int]]:
    """The lines of a row, each with its indent: that of code is kept."""
    family = _family(row)
    for line in row.words.split("\n"):
        indent = len(line) - len(line.lstrip()) if row.is_code else 0
        room = width - indent * fonts.width(" ", size, family)
        weight = row.weight if row.option is None else "bold"  # as the right option is, once it is shown
        yield from ((words, indent) for words in fonts.wrap(line, room, size, family, weight))


def _family(row: CardRow) -> fonts.FontFamily:
    return "mono" if row.is_code else "sans"


def _height(look: Look, row: CardRow, size: float) -> float:
    if row.option is not None and row.first and row.last:
        return max(fonts.LINE_HEIGHT * size + 2 * _edge(look), DENSE_TARGET)
    if (row.step is not None or row.lesson) and row.first and row.last:
        return max(fonts.LINE_HEIGHT * size, DENSE_TARGET)
    edges = row.first + row.last if row.option is not None else 0
    return fonts.LINE_HEIGHT * size * (1.0 if row.words else 0.45) + edges * _edge(look)


def _edge(look: Look) -> float:
    """The space above the first and below the last line of an option."""
    return look.px(1.5 if look.presenting else 4 if look.has_keys else 10)


def _option_ground(view: View, box: Rect, row: CardRow) -> list[Shape]:
    look = view.look
    is_chosen = view.interface.pointer.focus == f"lesson.{row.option}"
    inset = look.px(2)
    outline = look.theme.accent if is_chosen else look.theme.rule
    width = look.rule * (3 if is_chosen else 1)
    return [Box(box.x, box.y + inset, box.w, box.h - 2 * inset, look.theme.paper, outline, width, look.radius)]


def _vote_bars(look: Look, attempt: Attempt, option: int, box: Rect) -> list[Shape]:
    """The votes for an option: behind its words a pale bar for each round, and the numbers at its right."""
    rounds = attempt.votes
    if not rounds:
        return []
    most, high = max(1, *(max(votes) for votes in rounds)), (box.h - look.px(6)) / len(rounds)
    counts = [votes[option] if option < len(votes) else 0 for votes in rounds]
    shapes: list[Shape] = []
    for place, count in enumerate(counts):
        width = count / most * (box.w - look.px(6))
        bar = Rect(box.x + look.px(3), box.y + look.px(3) + high * place, width, high)
        fill = look.theme.lit_now if place == len(counts) - 1 else look.theme.track
        shapes += [highlight(look, bar)._replace(fill=fill)] * bool(count)  # an outline would cross letters
    words, size = " → ".join(map(str, counts)), look.size("body")
    right = box.x + box.w - look.px(36)
    return [
        *shapes,
        Text(right, box.y + box.h / 2, words, size, look.theme.ink, "bold", anchor="end", baseline="middle"),
    ]


def _line(look: Look, box: Rect, row: CardRow, size: float) -> list[Shape]:
    if not row.words:
        return []
    theme, middle = look.theme, box.y + box.h / 2
    if row.option is not None and row.first != row.last:
        middle += 0.5 * _edge(look) * (1 if row.first else -1)
    left = box.x + (look.px(12) if row.option is not None else 0)
    shapes: list[Shape] = []
    if row.sign:
        line = theme.ok if row.sign == "tick" else theme.fault
        at = box.x + box.w - look.px(18) if row.option is not None else left + look.px(10)
        shapes += icon_shapes(row.sign, at, middle, 0.8 * size, line, theme.card)
    left += look.px(30) if row.sign and row.option is None else 0
    ink = theme.muted if row.muted else theme.ink
    family = _family(row)
    if row.option is not None:
        if row.first:
            shapes.append(Text(left, middle, row.label, size, theme.accent, "bold", baseline="middle"))
        left += _LABEL * size
    left += row.indent * fonts.width(" ", size, family)
    return [*shapes, Text(left, middle, row.words, size, ink, row.weight, family, baseline="middle")]


def _state(view: View, attempt: Attempt) -> str:
    task = attempt.step.task
    if attempt.is_open:
        return {ARRANGE: "arrange", TOGGLE: "toggle"}.get(attempt.way, "question")
    if proof.end_of_proof(view.desk, attempt) is not None:
        return "proof"
    if attempt.verdict is not None:
        if attempt.example is not None:
            return "example"
        return "rival" if attempt.verdict.rival and not attempt.verdict.is_right else "answered"
    has_acted = isinstance(task, ActTask) and proof.has_acted(view.desk, task)
    if isinstance(task, RunTask) or has_acted:
        gate = view.run.gate
        return "look" if gate is not None and view.run.timeline.step >= gate else "run"
    if isinstance(task, ChallengeTask) and attempt.step.id in attempt.marks:
        return "look"
    kinds = {ActTask: "act", ChallengeTask: "challenge", ExplainTask: "explain"}
    return kinds.get(type(task), "look")


def _key_words(view: View, attempt: Attempt) -> str:
    """What the keys do in the present state."""
    state, task = _state(view, attempt), attempt.step.task
    if view.look.presenting:
        return _ASKED if attempt.is_open else _LECTURE_KEYS.get(state, "PageDown: next")
    if isinstance(task, ActTask) and state == "act":
        key = keys.hint(_ACTS[task.do.do]) if task.do.do in _ACTS else ""
        where = f"select {node_name(task.do.node)} with ↓, " if task.do.node is not None else ""
        return f"{where}press {key}, then Enter · Shift+S: skip" if key else _KEYS["look"]
    practise = " · Shift+P: practise with fresh data" if state == "explain" and attempt.lesson.fresh else ""
    return _KEYS[state] + practise


def _keys(view: View, attempt: Attempt, foot: float) -> list[Shape]:
    """What the keys do, in a line above the buttons; before a class, the votes that are being typed."""
    look, region, field = view.look, view.region, view.interface.field
    left, width = region.x + look.px(20), region.w - look.px(40)
    size, words = max(look.size("small"), 12.0), _key_words(view, attempt)
    if look.presenting:
        size = 0.024 * view.interface.display.height
        words = f"Votes: {field.text}▏" if field is not None and field.takes is intents.take_votes else words
    words = fonts.shorten(words, width, fonts.shrink(words, width, size, 11.0)) if look.has_keys else ""
    middle = region.y + region.h - foot + _key_line(view) / 2
    return [Text(left, middle, words, fonts.shrink(words, width, size, 11.0), look.theme.muted, baseline="middle")]


def _key_line(view: View) -> float:
    return 0.055 * view.interface.display.height if view.look.presenting else view.look.px(30 * view.look.has_keys)


def _foot(view: View) -> float:
    """The height of the line of keys and the buttons; a remote control needs no buttons."""
    return _key_line(view) if view.look.presenting else view.look.target + view.look.px(14) + _key_line(view)


_LABELS = {"proof": "Watch why", "run": "Watch", "explain": "Next lesson", "challenge": "Done", "act": "Done"}
_SMALL = 17.0  # logical pixels: the letters of the buttons that help
_ON = 140.0  # logical pixels: the width of the button that goes on


def _buttons(view: View, attempt: Attempt, row: Rect) -> list[Widget]:
    look, side = view.look, view.look.target
    if look.presenting:
        return []
    middle = row.y + row.h - side - look.px(12)
    width = look.px(_ON)
    on = Rect(row.x + row.w - width, middle, width, side)
    label = "Answer" if attempt.is_open else _LABELS.get(_state(view, attempt), "Next")
    close = Rect(row.x + side + look.gap, middle, side, side)
    back = Rect(row.x, middle, side, side)
    return [
        Button("lesson.back", back, intents.lesson_back(), "←", hint="the step before  PageUp"),
        Button("lesson.close", close, intents.end_lesson(), icon="cross", hint="close the lesson"),
        *_helping(view, attempt, Rect(close.x + side + look.gap, middle, 0.0, side)),
        Button("lesson.on", on, intents.lesson_on(), label, hint="Enter", kind="primary"),
    ]


def _helping(view: View, attempt: Attempt, at: Rect) -> Iterator[Button]:
    """The buttons, from a place on, for what the keys do beside going on and back."""
    look, state, offers = view.look, _state(view, attempt), list[tuple[str, Do, str, str]]()
    if attempt.takes_hints and attempt.hints < MOST_HINTS:
        offers.append(("hint", intents.hint(), "Hint", "costs a quarter of the points  Shift+H"))
    if state == "arrange":
        offers.append(("up", intents.move_line(-1), "↑", "move the line up  Ctrl+↑"))
        offers.append(("down", intents.move_line(1), "↓", "move the line down  Ctrl+↓"))
    elif state == "challenge":
        offers.append(("cannot", intents.cannot_be_done(), "Impossible", "it cannot be done  Shift+G"))
    elif state in ("rival", "example"):
        words = "compare it with that" if state == "rival" else "play the counter-example"
        offers.append(("where", intents.see_where(), "Show me", f"{words}, or go back  Shift+L"))
    elif state == "act":
        offers.append(("skip", intents.skip_step(), "Skip", "leave this step out  Shift+S"))
    elif state == "explain" and attempt.lesson.fresh is not None:
        offers.append(("practise", intents.practise(), "Practise", "the same with fresh data  Shift+P"))
    for name, does, label, hint in offers:
        width = max(fonts.width(label, look.px(_SMALL), weight="bold") + look.px(20), look.target)
        yield Button(f"lesson.{name}", at._replace(w=width), does, label, hint=hint, size=_SMALL)
        at = at._replace(x=at.x + width + look.gap)


_WIDE = 450.0  # logical pixels, from which there is room for a legend
_NAMES = 0.5  # of the width, at most, for the names beside bars
_NUMBERS = 0.16  # of the width for the numbers
_LEAST = 11.0  # pixels: the smallest letters


def measured_shapes(
    look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey, verdict: AnswerVerdict
) -> list[Shape]:
    """The measured means, as bars where the values are names."""
    is_curve = all(isinstance(value, int | float) for value in key.values)
    return _curve(look, region, task, key, verdict) if is_curve else _bars(look, region, task, key)


def _curve(look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey, verdict: AnswerVerdict) -> list[Shape]:
    """A mark for each value; a number that was answered is a dashed line."""
    given = verdict.given.value if verdict.given is not None and verdict.given.kind == "number" else None
    places = list(key.values)
    most = 1.1 * max([*key.means, given or 0.0, 1e-9])
    room = 0.06 * (places[-1] - places[0])
    is_wide = region.w > look.px(_WIDE)
    unit = varied_words(task.vary).removeprefix("the ") if is_wide else ""
    x = Axis(places[0] - room, places[-1] + room, unit)
    items = (LegendItem("mark", "measured", look.theme.ink), LegendItem("dashes", "your answer", look.theme.accent))
    legend = items[: 1 + (given is not None)] if is_wide else ()
    chart = Chart(look, region, x, Axis(0.0, most), measure_words(task.measure), legend=legend)
    shapes = chart.frame([(value, str(value)) for value in places])
    if given is not None:
        shapes += chart.curve([(x.low, given), (x.high, given)], look.theme.accent, 2.0, DASHES)
    return [*shapes, *chart.marks(list(zip(places, key.means, strict=True)))]


def _bars(look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey) -> list[Shape]:
    """A level bar for each value, with its name and its number, below what they measure."""
    theme, most = look.theme, max(*key.means, 1e-9)
    heading, names = measure_words(task.measure), [value_words(task, value) for value in key.values]
    size = fonts.shrink(heading, region.w, look.px(TEXT), _LEAST, weight="bold")
    size = min(fonts.shrink(name, _NAMES * region.w, size, _LEAST) for name in names)
    row = min(region.h / (len(names) + 1), 2.2 * size)
    left = region.x + max(fonts.width(name, size) for name in names) + look.px(16)
    room = region.x + (1 - _NUMBERS) * region.w - left
    shapes: list[Shape] = [Text(region.x, region.y + row / 2, heading, size, theme.muted, "bold", baseline="middle")]
    for place, (name, mean) in enumerate(zip(names, key.means, strict=True), 1):
        middle, long = region.y + (place + 0.5) * row, max(mean / most * room, 1.0)
        shapes += [
            Text(region.x, middle, name, size, theme.ink, baseline="middle"),
            Box(left, middle - 0.3 * row, long, 0.6 * row, theme.edge),
            Text(left + long + look.px(8), middle, number(mean), size, theme.ink, "bold", baseline="middle"),
        ]
    return shapes
