"""The messages of a space-time diagram as arrows, with labels along them."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import TypeAlias

from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.observe.causes import Causes
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.flights import MessageFlight
from visual.analysis.tokens import stamp_of
from visual.drawing import fonts, icons
from visual.drawing.shapes import Circle, Colour, Dash, Family, Line, Point, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.messages import family_of
from visual.scene.space_time.frame import Frame
from visual.words import message_label, naming

MOST = 600
"""More messages than that are a grey surface; a diagram leaves them out."""

_MOST_LABELS = 60
_MOST_LABELLED = 160  # messages; more leave no room for labels
_NARROWEST = 3.0  # pixels from one process's line to the next, below which no messages are drawn
_HEIGHT = 1.22  # of a label with all its letters around the middle of its capitals, in ems
_LETTERS = 0.9  # … and of its letters without much of what reaches below the line, in ems
_PLACES = (0.5, 0.36, 0.64, 0.43, 0.57)  # positions of a label on its arrow, as shares
_FIRST, _LAST = min(_PLACES), max(_PLACES)
_STEEPEST = 0.3  # the part of an arrow's length that it goes across: nobody reads a label on a steeper one
_BESIDE = 0.62  # from an arrow to the middle of its label, in ems
_AIR = 0.2  # before and after a label, where no dot may be, in ems
_TOKEN_DASHES: tuple[Dash, ...] = ((6.0, 3.0), (2.0, 2.5), (9.0, 2.5, 2.0, 2.5))

_Edges: TypeAlias = tuple[float, float, float, float]  # left, top, right and bottom of a rectangle
_Disc: TypeAlias = tuple[float, float, float]  # x, y and radius


def ended(
    frame: Frame, flights: list[MessageFlight], run: Simulation, theme: Theme, causes: Causes, selected: str
) -> list[Shape]:
    """The arrows of messages that have arrived or been lost, in the given order; lit and selected ones stand out.

    Tokens are dashed by the node that generated them.
    """
    shapes: list[Shape] = []
    for flight in _drawable(frame, flights):
        shapes += _arrow(frame, flight, _look(frame, flight, theme, causes, selected, run), theme)
    return frame.turned(shapes)


def in_transit(frame: Frame, flights: list[MessageFlight], t: float, theme: Theme, selected: str = "") -> list[Shape]:
    """The messages in transit at time t: the line covered so far, and a dot at its end.

    In logical time, which does not pass during transit, they are drawn halfway.
    """
    shapes: list[Shape] = []
    for flight in _drawable(frame, flights):
        way = _way(frame, flight, (flight.sent + flight.due) / 2 if frame.plan.logical_times else t)
        if way:
            (x1, y1), (x2, y2) = way
            ink, width = (theme.accent, 1.7 * frame.stroke) if flight.id == selected else (theme.ink, frame.stroke)
            shapes.append(Line(x1, y1, x2, y2, ink, width, id=flight.id))
            shapes.append(Circle(x2, y2, 1.8 * width, ink, id=flight.id))
    return frame.turned(shapes)


def _drawable(frame: Frame, flights: list[MessageFlight]) -> list[MessageFlight]:
    """The messages; none if they are too many to draw."""
    return flights if len(flights) <= MOST and frame.row >= _NARROWEST else []


def _lit_first(flights: list[MessageFlight], causes: Causes, selected: str) -> list[MessageFlight]:
    """The messages in the order in which they get labels; where some are lit, only those."""
    if causes.is_empty:
        return sorted(flights, key=lambda flight: flight.id != selected) if selected else flights
    lit = causes.past.messages | causes.future.messages
    return [flight for flight in flights if flight.record[SEQ] in lit or flight.id == selected]


def _arrow(frame: Frame, flight: MessageFlight, look: tuple[Colour, float, Dash], theme: Theme) -> list[Shape]:
    way = _way(frame, flight, flight.end)
    if way is None:
        return []
    (x1, y1), (x2, y2) = way
    colour, width, dash = look
    if flight.lost:
        cross = icons.cross((x2, y2), 3.2 * frame.stroke, theme.fault, 1.4 * frame.stroke)
        return [Line(x1, y1, x2, y2, theme.fault, width, (1.5 * width, 3 * width), id=flight.id), *cross]
    arrow = 5 * frame.stroke if flight.end <= frame.span.end else 0.0
    return [Line(x1, y1, x2, y2, colour, width, dash, arrow, id=flight.id)]


def _look(
    frame: Frame, flight: MessageFlight, theme: Theme, causes: Causes, selected: str, run: Simulation
) -> tuple[Colour, float, Dash]:
    """Colour, width and dashes: causes of the selected event are thick, its effects thick and dashed."""
    serial, stroke = flight.record[SEQ], frame.stroke
    if serial in causes.past.messages or (selected and flight.id == selected):
        return theme.accent, 1.7 * stroke, ()
    if serial in causes.future.messages:
        return theme.accent, 1.7 * stroke, (5 * stroke, 2.5 * stroke)
    if not causes.is_empty:
        return theme.edge, 0.7 * stroke, ()
    message = flight.record[MESSAGE]
    token = run.algorithm.token
    dash = token_dash(message) if token and isinstance(message, token) else ()
    return ink_of(family_of(type(message), run), theme), stroke, dash and tuple(part * stroke for part in dash)


def ink_of(family: Family, theme: Theme) -> Colour:
    """The colour of a message's line: requests and replies are told apart, as in the graph."""
    inks: dict[str, Colour] = {"ask": theme.pending_text, "grant": theme.ok_text, "deny": theme.requesters[2]}
    return inks.get(family, theme.ink)


def token_dash(token: Message) -> Dash:
    """The dashes of a token's arrows, in strokes, by the node that generated it; the first token's are solid."""
    stamp = stamp_of(token)
    return _TOKEN_DASHES[stamp[1] % len(_TOKEN_DASHES)] if stamp and stamp[0] else ()


def _way(frame: Frame, flight: MessageFlight, until: float) -> tuple[Point, Point] | None:
    """The part of a message's line within the frame, up to a time; None if there is none."""
    sent, due, (begin, end) = flight.sent, flight.due, frame.span
    first, last = max(sent, begin), min(until, due, end)
    if last < first:
        return None
    start, whole = frame.y(flight.record[SENDER]), due - sent
    climb = frame.y(flight.record[NODE]) - start
    if not whole:
        return (frame.x(first), start), (frame.x(last), start + climb)
    y1, y2 = start + climb * (first - sent) / whole, start + climb * (last - sent) / whole
    return (frame.x(first), y1), (frame.x(last), y2)


# ---- labels ------------------------------------------------------------------------------------------------


def labels(
    frame: Frame,
    flights: list[MessageFlight],
    run: Simulation,
    theme: Theme,
    causes: Causes,
    selected: str,
    occupied: Iterable[Rect] = (),
    dots: Sequence[Circle] = (),
) -> list[Shape]:
    """Labels along their messages, without those that would lie on another or an occupied rectangle, or under a dot."""
    size, names = frame.small, naming(run)
    shapes: list[Shape] = []
    taken = [_edges(box) for box in occupied]
    lit = _lit_first(_drawable(frame, flights), causes, selected)
    if frame.row < 1.6 * size or len(lit) > _MOST_LABELLED:
        return []
    discs = sorted([(dot.x, dot.y, dot.r + (dot.width / 2 if dot.stroke else 0.0)) for dot in dots])
    largest = max([reach for *_, reach in discs], default=0.0)
    for flight in lit:
        if flight.lost or not (way := _way(frame, flight, flight.end)):
            continue
        words, ends = message_label(flight.record[MESSAGE], names), sorted(starmap(frame.on_screen, way))
        if (place := _place(words, ends, size, taken, discs, largest)) is None:
            continue
        box, angle = place
        at = box.x + box.w / 2, box.y + box.h / 2
        shapes.append(
            Text(*at, words, size, theme.ink, anchor="middle", baseline="middle", halo=theme.paper, angle=angle)
        )
        taken.append(_edges(box))
        if len(shapes) == _MOST_LABELS:
            break
    return shapes


def _edges(box: Rect) -> _Edges:
    return box.x, box.y, box.x + box.w, box.y + box.h


def _place(
    label: str, ends: Iterable[Point], size: float, taken: list[_Edges], discs: list[_Disc], largest: float
) -> tuple[Rect, float] | None:
    """The first free box for a label along an arrow, and its angle; None without room. Discs are from left to right."""
    (x1, y1), (x2, y2) = ends  # from left to right, as one reads
    wide, high = x2 - x1, y2 - y1
    length = math.hypot(wide, high)
    width = fonts.width(label, size)
    if width > 0.62 * length or wide < _STEEPEST * length:
        return None
    ux, uy, letters = wide / length, high / length, _LETTERS * size / 2
    angle = math.degrees(math.atan2(uy, ux))
    w, h = width * abs(ux) + _HEIGHT * size * abs(uy), width * abs(uy) + _HEIGHT * size * abs(ux)
    beside, air = _BESIDE * size, _AIR * size
    around = beside + air + 1.5 * largest  # from the arrow: no disc beyond that can cover a label
    left, right = x1 + wide * _FIRST - w / 2 - around, x1 + wide * _LAST + w / 2 + around  # of all places
    highest, lowest = sorted((y1 + high * _FIRST, y1 + high * _LAST))
    top, bottom = highest - h / 2 - around, lowest + h / 2 + around
    near = [box for box in taken if _meet(box, (left, top, right, bottom))]
    along_and_across = [
        ((x - x1) * ux + (y - y1) * uy, (x - x1) * uy - (y - y1) * ux, reach)
        for x, y, reach in discs[bisect(discs, (left,)) : bisect(discs, (right,))]
        if top < y < bottom
    ]
    for off in (beside, -beside):
        beneath = [(at, reach) for at, across, reach in along_and_across if abs(across - off) < letters + reach]
        for part in _PLACES:
            if any(abs(at - part * length) < width / 2 + air + reach for at, reach in beneath):
                continue
            x, y = x1 + wide * part + uy * off - w / 2, y1 + high * part - ux * off - h / 2
            if not any(_meet(box, (x, y, x + w, y + h)) for box in near):
                return Rect(x, y, w, h), -90.0 if angle == 90.0 else angle
    return None


def _meet(one: _Edges, other: _Edges) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
