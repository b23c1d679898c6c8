"""The terms of an election as bands behind the diagram: one colour until it has a leader, another from then on."""

from __future__ import annotations

from itertools import pairwise

from visual.analysis.spells import TermMark
from visual.drawing import fonts
from visual.drawing.shapes import Box, Fill, Group, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.space_time.frame import Frame

PALE = 0.16  # the opacity of a band
BANDS = {"wanting": "term without a leader", "inside": "term with its leader"}
"""State -> what a band with its fill stands for."""


def term_bands(frame: Frame, marks: list[TermMark], step: int, t: float, theme: Theme) -> list[Shape]:
    """The bands of the terms that have begun after `step` steps, up to time `t`, with their numbers."""
    if not marks:
        return []
    places = [frame.x(frame.plan.place(mark.step - 1, mark.time)) for mark in marks]
    ends = [*places[1:], frame.x(frame.plan.place(step - 1, t))]
    bands: list[Shape] = [
        Box(x, frame.top, end - x, frame.bottom - frame.top, theme.states[_state(mark)].fill)
        for mark, x, end in zip(marks, places, ends, strict=True)
        if end > x
    ]
    return [
        Group(tuple(frame.turned(bands)), opacity=PALE),
        *([] if frame.plan.down else _numbers(frame, marks, theme)),
    ]


def band_fills(marks: list[TermMark], theme: Theme) -> dict[str, Fill]:
    """The states whose bands the diagram has, with their fills."""
    states = {_state(mark) for mark in marks}
    return {state: theme.states[state].fill for state in BANDS if state in states}


def _state(mark: TermMark) -> str:
    """The state whose fill a band has from a mark on."""
    return "inside" if mark.is_led else "wanting"


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
