"""The shape under the pointer, and the bounds of a shape. Needs no display."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from visual.drawing import fonts, marks
from visual.drawing.shapes import (
    NOWHERE,
    Arc,
    Box,
    Circle,
    Group,
    Image,
    Line,
    Mark,
    Point,
    Polygon,
    Polyline,
    Rect,
    Shape,
    Text,
)

MARK_TARGET = 48.0
"""A message can be hit within a square of this side, in pixels, however small it is drawn."""

_TEXT_ABOVE = 0.76  # of the em: the tallest plain letters
_TEXT_BELOW = 0.24


def pick(shapes: Sequence[Shape], x: float, y: float, reach: float = 6.0) -> str:
    """The id of the topmost shape with an id that covers (x, y); "" when there is none.

    Where none does, it is the nearest shape within `reach` pixels, or message within its target.
    Inside a group with an id, shapes without one of their own count as the group.
    """
    candidates = list(_pickable(shapes, 0.0, 0.0, "", None, (x, y)))
    for shape, name, px, py in reversed(candidates):
        if _distance(shape, px, py) <= 0:
            return name
    near = [
        (_distance(shape, px, py), -order, name)
        for order, (shape, name, px, py) in enumerate(candidates)
        if _distance(shape, px, py) <= reach or _in_target(shape, px, py)
    ]
    return min(near)[2] if near else ""


def _pickable(
    shapes: Iterable[Shape], dx: float, dy: float, owner: str, clip: Rect | None, at: Point
) -> Iterator[tuple[Shape, str, float, float]]:
    """Every shape that has or inherits an id, back to front, with the pointer in its own coordinates."""
    if clip and not contains(clip, at[0] - dx, at[1] - dy):
        return
    for shape in shapes:
        name = shape.id or owner
        if isinstance(shape, Group):
            yield from _pickable(shape.shapes, dx + shape.x, dy + shape.y, name, shape.clip, at)
        elif name:
            yield shape, name, at[0] - dx, at[1] - dy


def _in_target(shape: Shape, x: float, y: float) -> bool:
    half = MARK_TARGET / 2
    return isinstance(shape, Mark) and abs(x - shape.x) <= half and abs(y - shape.y) <= half


def _distance(shape: Shape, x: float, y: float) -> float:
    """From the point to the shape; 0 or less inside it. An outline without a fill still counts as an area."""
    match shape:
        case Circle():
            return math.hypot(x - shape.x, y - shape.y) - shape.r - _half_stroke(shape)
        case Line():
            return _to_segment(x, y, (shape.x1, shape.y1), (shape.x2, shape.y2)) - shape.width / 2
        case Polyline():
            return _to_path(x, y, shape.points) - shape.width / 2
        case Arc():
            return _distance(shape.outline(), x, y)
        case Polygon():
            if _inside(x, y, shape.points):
                return 0.0
            return _to_path(x, y, (*shape.points, shape.points[0])) - _half_stroke(shape)
        case _:
            return distance(bounds(shape), (x, y))


def _half_stroke(shape: Circle | Polygon | Box) -> float:
    return shape.width / 2 if shape.stroke else 0.0


def _to_segment(x: float, y: float, a: Point, b: Point) -> float:
    ux, uy = b[0] - a[0], b[1] - a[1]
    length2 = ux * ux + uy * uy
    along = ((x - a[0]) * ux + (y - a[1]) * uy) / length2 if length2 else 0.0
    along = min(max(along, 0.0), 1.0)
    return math.hypot(x - a[0] - along * ux, y - a[1] - along * uy)


def _to_path(x: float, y: float, points: Sequence[Point]) -> float:
    return min((_to_segment(x, y, a, b) for a, b in itertools.pairwise(points)), default=math.inf)


def _inside(x: float, y: float, points: Sequence[Point]) -> bool:
    """Even-odd rule."""
    odd = False
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            odd = not odd
    return odd


def bounds(shape: Shape) -> Rect:
    """The rectangle that a shape fills, outlines and arrowheads included.

    A text is as wide as its advances and one em high; a message's target for the pointer is not counted.
    """
    match shape:  # the most frequent kinds first
        case Text():
            return _text_bounds(shape)
        case Box():
            half = _half_stroke(shape)
            return Rect(shape.x - half, shape.y - half, shape.w + 2 * half, shape.h + 2 * half)
        case Circle():
            r = shape.r + _half_stroke(shape)
            return Rect(shape.x - r, shape.y - r, 2 * r, 2 * r)
        case Line():
            return around(((shape.x1, shape.y1), (shape.x2, shape.y2)), _line_margin(shape))
        case Polyline():
            return around(shape.points, _line_margin(shape))
        case Arc():
            return bounds(shape.outline())
        case Polygon():
            return around(shape.points, _half_stroke(shape))
        case Image():
            return Rect(shape.x, shape.y, shape.w, shape.h)
        case Mark():
            box = marks.extent(shape)
            return Rect(shape.x + box.x, shape.y + box.y, box.w, box.h)
        case Group():
            inner = all_bounds(shape.shapes)
            inner = overlap(inner, shape.clip) if shape.clip else inner
            return Rect(inner.x + shape.x, inner.y + shape.y, inner.w, inner.h)


def _line_margin(line: Line | Polyline) -> float:
    return max(line.width, line.arrow) / 2


def _text_bounds(text: Text) -> Rect:
    width = fonts.width(text.text, text.size, text.family, text.weight)
    left = {"start": 0.0, "middle": -width / 2, "end": -width}[text.anchor]
    base = fonts.CAP_HEIGHT / 2 * text.size if text.baseline == "middle" else 0.0
    top, bottom = base - _TEXT_ABOVE * text.size, base + _TEXT_BELOW * text.size
    if not text.angle:
        return Rect(text.x + left, text.y + top, width, bottom - top)
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    corners = [(left, top), (left + width, top), (left, bottom), (left + width, bottom)]
    return around([(text.x + cx * cos - cy * sin, text.y + cx * sin + cy * cos) for cx, cy in corners], 0.0)


def all_bounds(shapes: Iterable[Shape]) -> Rect:
    """The rectangle around all of them; an empty one at (0, 0) around none."""
    boxes = [box for box in map(bounds, shapes) if box.w or box.h]
    return reduce(_union, boxes) if boxes else NOWHERE


def around(points: Iterable[Point], margin: float) -> Rect:
    """The rectangle around points, widened by `margin` on every side; `NOWHERE` around none."""
    points = list(points)
    if not points:
        return NOWHERE
    xs, ys = zip(*points, strict=True)
    left, top = min(xs) - margin, min(ys) - margin
    return Rect(left, top, max(xs) + margin - left, max(ys) + margin - top)


def _union(one: Rect, other: Rect) -> Rect:
    left, top = min(one.x, other.x), min(one.y, other.y)
    right = max(one.x + one.w, other.x + other.w)
    bottom = max(one.y + one.h, other.y + other.h)
    return Rect(left, top, right - left, bottom - top)


def overlap(one: Rect, other: Rect) -> Rect:
    """The intersection of two rectangles; of no size when they do not meet."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right = min(one.x + one.w, other.x + other.w)
    bottom = min(one.y + one.h, other.y + other.h)
    return Rect(left, top, max(right - left, 0.0), max(bottom - top, 0.0))


def is_inside(box: Rect, rect: Rect) -> bool:
    """Whether a rectangle is wholly in another."""
    right, bottom = rect.x + rect.w, rect.y + rect.h
    return rect.x <= box.x and rect.y <= box.y and box.x + box.w <= right and box.y + box.h <= bottom


def distance(box: Rect, place: Point) -> float:
    """From a point to a rectangle; 0 inside it."""
    x, y = place
    return math.hypot(max(box.x - x, 0, x - box.x - box.w), max(box.y - y, 0, y - box.y - box.h))


def is_near(box: Rect, places: Iterable[Point], reach: float) -> bool:
    """Whether one of the points is nearer than that to a rectangle."""
    left, top, right, bottom = box.x - reach, box.y - reach, box.x + box.w + reach, box.y + box.h + reach
    return any(distance(box, (x, y)) < reach for x, y in places if left < x < right and top < y < bottom)


def meet(one: Rect, other: Rect) -> bool:
    """Whether two rectangles have more than an edge in common."""
    across = one.x < other.x + other.w and other.x < one.x + one.w
    return across and one.y < other.y + other.h and other.y < one.y + one.h


def middle_of(box: Rect) -> tuple[float, float]:
    """The point in the middle of a rectangle."""
    return box.x + box.w / 2, box.y + box.h / 2


def contains(box: Rect, x: float, y: float) -> bool:
    """Whether the point lies in the rectangle, its edges included."""
    return box.x <= x <= box.x + box.w and box.y <= y <= box.y + box.h
