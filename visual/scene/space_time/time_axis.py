"""The axis of a space-time diagram, and where on it the present is."""

from __future__ import annotations

from algorithms.engine.events import KIND, LOST, NODE
from algorithms.engine.simulation import Simulation
from visual.drawing import fonts
from visual.drawing.shapes import Circle, Line, Polygon, Polyline, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.space_time.bars import present
from visual.scene.space_time.frame import Frame


def axis(frame: Frame, theme: Theme) -> list[Shape]:
    """Round moments below the lines; where time goes downwards, at their left."""
    base, tick_end = frame.axis, frame.axis + (-0.35 if frame.plan.down else 0.35) * frame.text
    shapes: list[Shape] = [Line(frame.left, base, frame.right, base, theme.rule, frame.stroke / 2)]
    for tick in frame.ticks():
        x = frame.x(tick)
        shapes.append(Line(x, base, x, tick_end, theme.muted, frame.stroke / 2))
    return [*frame.turned(shapes), *_numbers(frame, theme)]


def _numbers(frame: Frame, theme: Theme) -> list[Text]:
    size = frame.small
    numbers = [(f"{tick:.10g}", frame.x(tick)) for tick in frame.ticks()]
    if frame.plan.down:
        x = frame.axis - 1.0 * frame.text
        return [Text(x, y, words, size, theme.muted, anchor="end", baseline="middle") for words, y in numbers]
    end, y = frame.rect.x + frame.rect.w, frame.axis + 1.3 * frame.text
    return [
        Text(min(x, end - fonts.width(words, size) / 2), y, words, size, theme.muted, anchor="middle")
        for words, x in numbers
    ]


def playhead(frame: Frame, run: Simulation, t: float, theme: Theme) -> list[Shape]:
    """Where time is; in logical time the cut between what has happened at each process and what has not."""
    if frame.plan.logical_times is not None:
        return _cut(frame, run, theme)
    if not frame.span.start <= t <= frame.span.end:
        return []
    x, y, w = frame.x(t), frame.top, 0.45 * frame.text
    line = Line(x, y, x, frame.bottom, theme.accent, max(1.0, frame.stroke))
    return frame.turned([line, Polygon(((x - w, y - 1.1 * w), (x + w, y - 1.1 * w), (x, y + 0.2 * w)), theme.accent)])


def _cut(frame: Frame, run: Simulation, theme: Theme) -> list[Shape]:
    """A line through all processes, each crossed right after its last event, and a ring around the last of all."""
    points: list[tuple[float, float]] = []
    for node in frame.lanes:
        x, y = frame.x(present(frame, run, node, run.steps)), frame.y(node)
        points += [(x, y - frame.row / 2), (x, y + frame.row / 2)]
    width = max(1.0, frame.stroke)
    dash = (5 * width, 3 * width) if theme.accent == theme.ink else ()  # in print, or it would look like messages
    shapes: list[Shape] = [Polyline(tuple(points), theme.accent, width, dash)]
    event = run.trace.event(run.steps - 1) if run.steps > run.trace.forgotten else None
    if event is not None and event[KIND] != LOST and frame.has(event[NODE]):
        x = frame.x(frame.plan.place(run.steps - 1, run.now))
        shapes.append(Circle(x, frame.y(event[NODE]), 3.6 * frame.stroke, None, theme.accent, frame.stroke))
    return frame.turned(shapes)
