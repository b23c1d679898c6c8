"""What the person who presents reads: notes of scene and moment, what comes next, elapsed and remaining time."""

from __future__ import annotations

from collections.abc import Iterator

from algorithms.engine.scenario import Marker
from lessons.asking.answers import Answer
from lessons.attempt import Attempt
from lessons.tasks.predicting import PredictTask, QuizTask
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.narration.answers import answer_words
from visual.window.desk import Desk
from visual.window.panel import Panel, View
from visual.window.presenting.questions import SAME, is_answered
from visual.window.widgets import Look

_SIZES = (1.0, 0.92, 0.85, 0.78, 0.72, 0.66)  # of notes that need them, as shares of the usual one


def present_marker(view: View) -> Marker | None:
    """The latest marker up to the present moment."""
    passed = [marker for marker in view.desk.markers if marker.at <= view.interface.playback.time + SAME]
    return max(passed, key=lambda marker: marker.at, default=None)


def next_marker(view: View) -> Marker | None:
    """The marker that comes next in this run."""
    ahead = [marker for marker in view.desk.markers if marker.at > view.interface.playback.time + SAME]
    return min(ahead, key=lambda marker: marker.at, default=None)


def time_words(desk: Desk, seconds: int) -> str:
    """The elapsed time, and what remains of the planned one."""
    words = f"{_minutes(seconds)} elapsed"
    if desk.talk is None or not desk.talk.minutes:
        return words
    left = round(60 * desk.talk.minutes) - seconds
    return f"{words}, {_minutes(abs(left))} {'left' if left >= 0 else 'over'}"


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def place_words(view: View) -> str:
    """The number of the present stop among those of the talk, of the lesson, or of the run."""
    if view.desk.lesson is not None:
        return f"step {view.desk.lesson.at + 1} of {len(view.desk.lesson.lesson.steps)}"
    talk, marker = view.desk.talk, present_marker(view)
    markers = sorted(view.desk.markers, key=lambda marker: marker.at)
    before = sum(len(act.scenario.markers) for act in talk.acts[: talk.place]) if talk else 0
    total = sum(len(act.scenario.markers) for act in talk.acts) if talk else len(markers)
    here = before + (markers.index(marker) + 1 if marker else 0)
    return f"stop {here} of {total}" if total else ""


def paragraphs(view: View) -> list[tuple[str, str]]:
    """Headings and texts of the notes: those of a lesson's step, or of the moment first and then of the run."""
    if view.desk.lesson is not None:
        return list(_of_step(view.desk.lesson))
    marker, scenario = present_marker(view), view.run.scenario
    talk = view.desk.talk
    lines: list[tuple[str, str]] = []
    if marker is not None and marker.question:
        lines.append(("Question", marker.question))
        if marker.answer:
            is_hidden = abs(marker.at - view.interface.playback.time) < SAME and not is_answered(view.interface, marker)
            lines.append(("Answer, still hidden" if is_hidden else "Answer", marker.answer))
    if marker is not None and marker.notes:
        lines.append((marker.name, marker.notes))
    if (
        talk is not None
        and talk.place == 0
        and talk.notes
        and marker == min(view.desk.markers, key=lambda one: one.at, default=None)
    ):
        lines.append((talk.title, talk.notes))
    if not (marker is not None and marker.notes) and (scenario.speaker or scenario.notes):
        lines.append((scenario.title, scenario.speaker or scenario.notes))
    return lines or [("Notes", "This scenario has no notes.")]


def _of_step(attempt: Attempt) -> Iterator[tuple[str, str]]:
    """The notes of a lesson's step, its answer, which the audience may not see yet, and the step that follows."""
    steps = attempt.lesson.steps
    yield attempt.step.heading, attempt.step.notes or "This step has no notes."
    right = attempt.entry.right if isinstance(attempt.step.task, PredictTask | QuizTask) else None
    if right is not None:
        words = answer_words(right) if isinstance(right, Answer) else str(right)
        yield "Answer, still hidden" if attempt.is_open else "Answer", words
    if attempt.at + 1 < len(steps):
        yield "Next", steps[attempt.at + 1].heading


def note_shapes(look: Look, lines: list[tuple[str, str]], box: Rect, size: float) -> list[Shape]:
    """Headings and texts from the top of a box, in the largest letters up to `size` that fit; else what fits."""
    theme = look.theme
    for share in _SIZES:
        rows = _rows(lines, box.w, share * size)
        step = fonts.LINE_HEIGHT * share * size
        if len(rows) * step <= box.h:
            break
    shapes: list[Shape] = []
    for place, (row, is_heading) in enumerate(rows[: int(box.h / step)]):
        weight: fonts.Weight = "bold" if is_heading else "normal"
        ink, middle = theme.muted if is_heading else theme.ink, box.y + (place + 0.5) * step
        shapes.append(Text(box.x, middle, row, share * size, ink, weight, baseline="middle"))
    return shapes


def _rows(lines: list[tuple[str, str]], room: float, size: float) -> list[tuple[str, bool]]:
    """The rows of headings and texts, with an empty one between two of them; whether each is a heading's."""
    rows: list[tuple[str, bool]] = []
    for title, words in lines:
        rows += [("", False)] * bool(rows)
        rows += [(row, True) for row in fonts.wrap(title, room, size, weight="bold")]
        rows += [(row, False) for text in words.splitlines() for row in fonts.wrap(text, room, size)]
    return rows


def notes_over(view: View, seconds: int) -> Panel:
    """The notes in a card over the picture, for want of a second display."""
    look, region = view.look, view.region
    size = 0.03 * region.h
    box = Rect(region.x + 0.04 * region.w, region.y + 0.14 * region.h, 0.92 * region.w, 0.6 * region.h)
    pad = size
    inner = Rect(box.x + pad, box.y + 2.4 * pad, box.w - 2 * pad, box.h - 3 * pad)
    head = " · ".join(filter(None, (place_words(view), time_words(view.desk, seconds))))
    ahead = next_marker(view) if view.desk.lesson is None else None
    lines = paragraphs(view) + ([("Next", ahead.name)] if ahead else [])
    return Panel(
        (
            Box(*box, look.theme.card, look.theme.ink, look.rule, look.radius),
            Text(inner.x, box.y + 1.2 * pad, head, size, look.theme.muted, "bold", baseline="middle"),
            *note_shapes(look, lines, inner, size),
        )
    )
