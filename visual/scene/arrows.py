"""The messages of a space-time diagram as arrows, with labels along them."""

from __future__ import annotations

import math

from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from visual import fonts
from visual.picking import bounds
from visual.scene import glyphs
from visual.scene.causes import Past
from visual.scene.flights import Flight
from visual.scene.frame import Frame
from visual.scene.words import message_label
from visual.shapes import Circle, Line, Point, Rect, Shape, Text
from visual.theme import Theme

MOST = 900
"""More messages than that are a grey surface; a diagram leaves them out."""

_MOST_LABELS = 120
_NARROWEST = 3.0  # pixels from one process's line to the next, below which no messages are drawn
_PLACES = (0.5, 0.36, 0.64)  # where on its arrow a label may stand


def settled(frame: Frame, found: list[Flight], theme: Theme, lit: Past, selected: str) -> list[Shape]:
    """What has arrived or is lost, with labels where there is room; lit and selected ones stand out."""
    if len(found) > MOST or frame.row < _NARROWEST:
        return []
    shapes: list[Shape] = []
    for flight in found:
        stands_out = flight.record[SEQ] in lit.messages or flight.id == selected
        shapes += _arrow(frame, flight, theme, stands_out)
    return [*shapes, *_labels(frame, found, theme)]


def in_air(frame: Frame, found: list[Flight], t: float, theme: Theme) -> list[Shape]:
    """What is on its way at time t: the part of the way behind it, and a dot where it is."""
    if len(found) > MOST or frame.row < _NARROWEST:
        return []
    shapes: list[Shape] = []
    for flight in found:
        way = _way(frame, flight, t)
        if way:
            (x1, y1), (x2, y2) = way
            shapes.append(Line(x1, y1, x2, y2, theme.ink, frame.stroke, id=flight.id))
            shapes.append(Circle(x2, y2, 1.8 * frame.stroke, theme.ink, id=flight.id))
    return shapes


def _arrow(frame: Frame, flight: Flight, theme: Theme, stands_out: bool) -> list[Shape]:
    way, width = _way(frame, flight, flight.end), frame.stroke * (1.6 if stands_out else 1)
    if way is None:
        return []
    (x1, y1), (x2, y2) = way
    if flight.lost:
        cross = glyphs.cross((x2, y2), 3.2 * frame.stroke, theme.fault, 1.4 * frame.stroke)
        return [Line(x1, y1, x2, y2, theme.fault, width, (1.5 * width, 3 * width), id=flight.id), *cross]
    arrow = 5 * frame.stroke if flight.end <= frame.span.end else 0.0
    return [Line(x1, y1, x2, y2, theme.accent if stands_out else theme.ink, width, arrow=arrow, id=flight.id)]


def _way(frame: Frame, flight: Flight, until: float) -> tuple[Point, Point] | None:
    """What lies within the frame of a message's way up to a moment; None if nothing does."""
    first, last = max(flight.sent, frame.span.start), min(until, flight.due, frame.span.end)
    if last < first:
        return None
    start, end = frame.y(flight.record[SENDER]), frame.y(flight.record[NODE])
    begun = flight.at(first) if flight.due > flight.sent else 0.0
    return (frame.x(first), start + (end - start) * begun), (frame.x(last), start + (end - start) * flight.at(last))


def _labels(frame: Frame, found: list[Flight], theme: Theme) -> list[Text]:
    """Labels along their messages, without those that would lie on another."""
    size = 0.78 * frame.text
    placed: list[Text] = []
    taken: list[Rect] = []
    if frame.row < 1.6 * size:
        return []
    for flight in found:
        way = None if flight.lost else _way(frame, flight, flight.end)
        text = _label(message_label(flight.record[MESSAGE]), way, size, taken, theme) if way else None
        if text and len(placed) < _MOST_LABELS:
            placed.append(text)
            taken.append(bounds(text))
    return placed


def _label(label: str, way: tuple[Point, Point], size: float, taken: list[Rect], theme: Theme) -> Text | None:
    """The label at the first place along its arrow that is free; None where none is, or the arrow is too short."""
    (x1, y1), (x2, y2) = way
    length = math.dist(*way)
    if fonts.width(label, size) > 0.62 * length:
        return None
    angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
    up_x, up_y = (y2 - y1) / length, (x1 - x2) / length
    for part in _PLACES:
        x, y = x1 + (x2 - x1) * part + up_x * 0.62 * size, y1 + (y2 - y1) * part + up_y * 0.62 * size
        text = Text(x, y, label, size, theme.ink, anchor="middle", baseline="middle", halo=theme.paper, angle=angle)
        if not any(_meet(bounds(text), other) for other in taken):
            return text
    return None


def _meet(one: Rect, other: Rect) -> bool:
    across = one.x < other.x + other.w and other.x < one.x + one.w
    return across and one.y < other.y + other.h and other.y < one.y + one.h
