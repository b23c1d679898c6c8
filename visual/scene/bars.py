"""The processes of a space-time diagram: their lines and names, and bars for wanting and for being inside."""

from __future__ import annotations

from itertools import groupby
from math import inf
from typing import NamedTuple, TypeAlias

from algorithms.engine.events import TIME
from algorithms.engine.simulation import Simulation
from visual.scene import glyphs
from visual.scene.frame import Frame
from visual.scene.lives import Spell, Spells
from visual.scene.words import node_name
from visual.shapes import Box, Fill, Line, Pattern, Shape, Text
from visual.theme import Theme

_CLOSEST = 14.0  # pixels between two spells of a process on average, below which they are not told apart
_PART = 6.0  # pixels of a part of the diagram in which spells are only glimpsed


class Bar(NamedTuple):
    """A process in the critical section, or wanting to be, from one moment to another."""

    node: int
    state: str
    start: float
    end: float


Lives: TypeAlias = dict[int, list[Spell]]
"""What each process that has a line has been in the frame."""


def seen(frame: Frame, spells: Spells, step: int) -> Lives:
    """What the processes have been, as known after that many steps and as far as it can be told apart there."""
    return {node: _seen(frame, spells, node, step) for node in frame.lanes}


def _seen(frame: Frame, spells: Spells, node: int, step: int) -> list[Spell]:
    depths = frame.plan.depths
    if tells_apart(frame, spells, node, step):
        return spells.between(node, *frame.span, step, depths)
    return spells.glimpsed(node, *frame.span, step, int((frame.right - frame.left) / _PART), depths)


def tells_apart(frame: Frame, spells: Spells, node: int, step: int) -> bool:
    """Whether there is room for each of the spells of a process in the frame."""
    most = max((frame.right - frame.left) / _CLOSEST, 8.0)
    return spells.count(node, *frame.span, step, frame.plan.depths) <= most


def lines(frame: Frame, lives: Lives, theme: Theme) -> list[Shape]:
    """A line for each process while it takes part, ending in a ✕ where it crashes, and its name."""
    shapes: list[Shape] = []
    for node in frame.lanes if frame.row > 4 * frame.stroke else ():
        y = frame.y(node)
        for down, stretch in groupby(lives[node], key=lambda spell: spell.down):
            if down in ("", "paused"):
                alike = list(stretch)
                dash = (2 * frame.stroke, 3 * frame.stroke) if down else ()
                start, end = frame.x(alike[0].start), frame.x(alike[-1].end)
                shapes.append(Line(start, y, end, y, theme.ink, frame.stroke, dash, id=f"node:{node}"))
    shapes += crashes(frame, lives, frame.span.start, theme)
    return [*frame.turned(shapes), *_names(frame, theme)]


def crashes(frame: Frame, lives: Lives, since: float, theme: Theme) -> list[Shape]:
    """A ✕ at the end of each line that has ended, of the ends after `since`; not yet turned."""
    reach = min(0.28 * frame.row, 0.5 * frame.text)
    return [
        line
        for node in frame.lanes
        for spell in lives[node]
        if spell.down == "crashed" and since <= spell.start
        for line in glyphs.cross((frame.x(spell.start), frame.y(node)), reach, theme.fault, 1.5 * frame.stroke)
    ]


def _names(frame: Frame, theme: Theme) -> list[Text]:
    """As many names as fit beside each other: left of their lines, or above them where time goes downwards."""
    gap = 0.7 * frame.text
    anchor, baseline = ("middle", "baseline") if frame.plan.down else ("end", "middle")
    return [
        Text(
            *frame.on_screen(frame.left - gap, frame.y(node)),
            node_name(node),
            frame.text,
            theme.ink,
            "bold",
            "sans",
            anchor,  # type: ignore[arg-type]
            baseline,  # type: ignore[arg-type]
            id=f"node:{node}",
        )
        for node in frame.lanes[:: frame.every]
    ]


def bars_of(lives: Lives) -> list[Bar]:
    """The bars, those below before those on top."""
    found = [
        Bar(node, spell.state, spell.start, spell.end)
        for node, own in lives.items()
        for spell in own
        if spell.state != "idle" and spell.down in ("", "paused")
    ]
    return sorted(found, key=lambda bar: bar.state == "inside")


def bars_ahead(frame: Frame, lives: Lives, run: Simulation) -> list[Bar]:
    """What of the bars lies between the present step and the last that has been executed."""
    starts = {node: present(frame, run, node, run.steps) for node in lives}
    ends = {node: present(frame, run, node, len(run.trace)) for node in lives}
    cut = (
        Bar(node, state, max(start, starts[node]), min(end, ends[node])) for node, state, start, end in bars_of(lives)
    )
    return [bar for bar in cut if bar.end > bar.start]


def present(frame: Frame, run: Simulation, node: int, steps: int) -> float:
    """How far a process has come along the axis once so many steps have been executed."""
    if frame.plan.depths is not None:
        return frame.plan.depths.of_node(node, steps) + 0.5
    if steps == run.steps:
        return run.now
    return float(run.trace.event(steps - 1)[TIME]) if steps > run.trace.forgotten else 0.0


def drawn(frame: Frame, bars: list[Bar], theme: Theme) -> list[Shape]:
    """Wanting is hatched, being inside is a thick solid bar."""
    width = min(1.5 * frame.scale, frame.row / 10)
    outline = theme.ink if frame.row > 6 else None
    looks = {state: (_height(state, frame), _fill(state, frame, theme)) for state in ("wanting", "inside")}
    shapes: list[Shape] = []
    for node, state, start, end in bars:
        height, fill = looks[state]
        x = frame.x(start)
        w = max(frame.x(end) - x, 1.0)
        shapes.append(Box(x, frame.y(node) - height / 2, w, height, fill, outline, width, min(2.0, height / 4)))
    return frame.turned(shapes)


def _height(state: str, frame: Frame) -> float:
    height = min((0.52 if state == "inside" else 0.36) * frame.row, 1.25 * frame.text)
    return max(height, min(frame.row, 1.0))


def _fill(state: str, frame: Frame, theme: Theme) -> Fill:
    fill = theme.states[state].fill
    hatched = state == "wanting" and isinstance(fill, str) and frame.row > 6
    return Pattern("hatch", fill, theme.paper, 9 * frame.scale) if hatched else fill  # type: ignore[arg-type]


def is_open(bar: Bar) -> bool:
    """Whether the bar still grows."""
    return bar.end == inf
