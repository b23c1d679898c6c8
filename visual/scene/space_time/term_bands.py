"""The terms of an election as bands behind the diagram: one colour until it has a leader, another from then on."""

from __future__ import annotations

from itertools import pairwise

from visual.analysis.spells import TermMark
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.space_time.frame import Frame

_PALE = 0.16


def term_bands(frame: Frame, marks: list[TermMark], step: int, t: float, theme: Theme) -> list[Shape]:
    """The bands of the terms that have begun after `step` steps, up to time `t`, with their numbers."""
    if not marks:
        return []
    places = [frame.x(frame.plan.place(mark.step - 1, mark.time)) for mark in marks]
    ends = [*places[1:], frame.x(frame.plan.place(step - 1, t))]
    bands: list[Shape] = [
        Box(x, frame.top, end - x, frame.bottom - frame.top, theme.states["inside" if mark.is_led else "wanting"].fill)
        for mark, x, end in zip(marks, places, ends, strict=True)
        if end > x
    ]
    return [
        Group(tuple(frame.turned(bands)), opacity=_PALE),
        *([] if frame.plan.down else _numbers(frame, marks, theme)),
    ]


def _numbers(frame: Frame, marks: list[TermMark], theme: Theme) -> list[Shape]:
    """The number of each term at its beginning, where there is room before the next."""
    size = frame.small
    begins = [(f"term {mark.term}", mark) for mark in marks if not mark.is_led]
    places = [max(frame.x(frame.plan.place(mark.step - 1, mark.time)), frame.left) for _, mark in begins]
    y = frame.top - 0.25 * frame.text
    return [
        Text(x, y, words, size, theme.muted, "bold", halo=theme.paper)
        for (words, _), (x, end) in zip(begins, pairwise([*places, frame.right]), strict=True)
        if fonts.width(words, size, weight="bold") < end - x
    ]
