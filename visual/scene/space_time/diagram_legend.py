"""The legend of a space-time diagram, its bars, arrows and crosses beside their words; the terms of an election behind.

A term is a band: one colour until it has a leader, another from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from algorithms.engine.rewrite import system_of
from algorithms.engine.workload import resource_name
from visual.analysis.run_cache import RunCache
from visual.analysis.spells import TermMark
from visual.drawing import fonts, icons
from visual.drawing.shapes import Box, Fill, Group, Line, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.legend import LegendEntry, row, sign_of
from visual.scene.options import Options
from visual.scene.space_time.arrows import ink_of
from visual.scene.space_time.bars import sample
from visual.scene.space_time.frame import Frame
from visual.words import naming


def diagram_legend(
    cache: RunCache, items: Iterable[LegendEntry], width: float, theme: Theme, options: Options
) -> Group:
    """The legend in lines around y = 0, at most that wide; `items` are the entries of the graph's legend."""
    return row(tuple(_entries(cache, items)), width, theme, options, _sign)


def _entries(cache: RunCache, items: Iterable[LegendEntry]) -> list[LegendEntry]:
    """The signs of the graph's legend that the diagram has as well, or the bars of a term."""
    if system_of(cache.run.algorithm):
        return [LegendEntry("bar", "wanting", "has something to send"), LegendEntry("bar", "inside", "has the token")]
    several = naming(cache.run).has_several
    found = [_of_diagram(entry, several) for entry in items]
    bands = BANDS if cache.run.algorithm.terms else {}
    return [
        *(entry for entry in found if entry is not None),
        *(LegendEntry("band", state, words) for state, words in bands.items()),
    ]


def _of_diagram(entry: LegendEntry, several: bool) -> LegendEntry | None:
    """The entry for the same in a diagram; None for what only a graph shows."""
    match entry.sign, entry.which:
        case "state", "wanting" | "inside":
            return entry._replace(
                sign="bar", words=f"{entry.words}, for {resource_name(0)}" if several else entry.words
            )
        case "state", "crashed":
            return entry._replace(sign="crash")
        case "message", family if family != "spurious":
            return entry._replace(sign="arrow")
    return entry if entry.sign == "lost" else None


def _sign(entry: LegendEntry, size: float, theme: Theme) -> list[Shape]:
    """The sign around (0, 0), as it looks in the diagram."""
    stroke, half = size / 7, 0.65 * size
    if entry.sign == "bar":
        fill = sample(entry.which, theme, 0.5 * size)
        return [Box(-half, -0.35 * size, 2 * half, 0.7 * size, fill, theme.ink, 0.7 * stroke, 0.1 * size)]
    if entry.sign == "band":
        fill = theme.states[entry.which].fill
        return [Group((Box(-half, -0.6 * size, 2 * half, 1.2 * size, fill),), opacity=PALE)]
    if entry.sign == "arrow":
        ink = ink_of(entry.which, theme)  # type: ignore[arg-type]
        return [Line(-half, 0, half, 0, ink, stroke, arrow=0.6 * size)]
    if entry.sign == "crash":
        return [Line(-half, 0, 0, 0, theme.ink, stroke), *icons.cross((0, 0), 0.35 * size, theme.fault, 1.4 * stroke)]
    return sign_of(entry, size, theme)


PALE = 0.16  # the opacity of a band
BANDS = {"wanting": "term without a leader", "inside": "term with its leader"}
"""State -> what a band with its fill stands for."""


def term_bands(frame: Frame, marks: list[TermMark], step: int, t: float, theme: Theme) -> list[Shape]:
    """The bands of the terms that have begun after `step` steps, up to time `t`."""
    if not marks:
        return []
    places = [frame.x(frame.plan.place(mark.step - 1, mark.time)) for mark in marks]
    ends = [*places[1:], frame.x(frame.plan.place(step - 1, t))]
    bands: list[Shape] = [
        Box(x, frame.top, end - x, frame.bottom - frame.top, theme.states[_state(mark)].fill)
        for mark, x, end in zip(marks, places, ends, strict=True)
        if end > x
    ]
    return [Group(tuple(frame.turned(bands)), opacity=PALE)]


def band_fills(marks: list[TermMark], theme: Theme) -> dict[str, Fill]:
    """The states whose bands the diagram has, with their fills."""
    states = {_state(mark) for mark in marks}
    return {state: theme.states[state].fill for state in BANDS if state in states}


def _state(mark: TermMark) -> str:
    """The state whose fill a band has from a mark on."""
    return "inside" if mark.is_led else "wanting"


def term_numbers(frame: Frame, marks: list[TermMark], theme: Theme) -> list[Shape]:
    """The number of each term at its beginning, where there is room before the next; in front of all else."""
    if frame.plan.down:
        return []
    size = frame.small
    begins = [(f"term {mark.term}", mark) for mark in marks if not mark.is_led]
    places = [max(frame.x(frame.plan.place(mark.step - 1, mark.time)), frame.left) for _, mark in begins]
    y = frame.top - 0.25 * frame.text
    return [
        Text(x, y, words, size, theme.muted, "bold", halo=theme.paper)
        for (words, _), (x, end) in zip(begins, pairwise([*places, frame.right]), strict=True)
        if fonts.width(words, size, weight="bold") < end - x
    ]
