"""What cannot be read in a picture: texts that leave it, lie on each other, or are covered; and contrast.

Measured on the shapes, by the boxes of the capitals: no part of the drawing is asked where it put anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeGuard

from tests.support.shapes import Rect
from visual.drawing import fonts, marks
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Circle, Colour, Group, Mark, Point, Polygon, Shape, Text
from visual.drawing.theme import Theme, rgba

SLACK = 1.5  # pixels
_ACROSS, _DOWN = 7, 5  # points of a text that are tried against a polygon


class Drawn(NamedTuple):
    """A shape where it is in the picture, with the id of the node or message that it belongs to."""

    shape: Shape
    box: Rect
    owner: str

    @property
    def letters(self) -> list[Rect]:
        """The box of a text's capitals; of a slanted one, a square for each part of it."""
        assert isinstance(self.shape, Text)
        size, box = self.shape.size, self.box
        high = fonts.CAP_HEIGHT * size
        if not self.shape.angle:
            base = box.y + box.h - 0.24 * size  # as in `bounds`: so far do letters go below the baseline
            return [Rect(box.x, base - high, box.w, high)]
        assert (self.shape.anchor, self.shape.baseline) == ("middle", "middle")
        turn = math.radians(self.shape.angle)
        low = (fonts.CAP_HEIGHT / 2 - 0.26) * size  # the middle of the capitals is higher than that of the box
        x, y = box.x + box.w / 2 + low * math.sin(turn), box.y + box.h / 2 - low * math.cos(turn)
        wide = fonts.width(self.shape.text, size, self.shape.family, self.shape.weight)
        parts = math.ceil(wide / high)
        offs = [wide * ((place + 0.5) / parts - 0.5) for place in range(parts)]
        return [Rect(x + o * math.cos(turn) - high / 2, y + o * math.sin(turn) - high / 2, high, high) for o in offs]


class Fault(NamedTuple):
    """A text that cannot be read, with whom it belongs to and who is to blame."""

    kind: str  # it "leaves" the picture, lies "on" another, or is "covered"
    text: str
    owner: str
    by: str

    def is_crowding(self) -> bool:
        """Whether a message is concerned, which may be in the way for a moment where there are many."""
        return any(owner.startswith("message:") for owner in (self.owner, self.by))


def drawn(shapes: Sequence[Shape], theme: Theme, at: Point = (0.0, 0.0), owner: str = "") -> Iterator[Drawn]:
    """All single shapes, back to front, with messages taken apart."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from drawn(shape.shapes, theme, (at[0] + shape.x, at[1] + shape.y), owner or shape.id)
        elif isinstance(shape, Mark):
            yield from drawn(marks.body(shape, theme), theme, (at[0] + shape.x, at[1] + shape.y), shape.id)
        else:
            box = bounds(shape)
            yield Drawn(shape, Rect(box.x + at[0], box.y + at[1], box.w, box.h), owner or shape.id)


def texts_of(everything: Sequence[Drawn]) -> list[Drawn]:
    return [one for one in everything if isinstance(one.shape, Text) and one.shape.text.strip()]


def faults(everything: Sequence[Drawn], region: Rect) -> Iterator[Fault]:
    """What cannot be read of a picture in that region."""
    marking = [_mark(one) for one in everything]
    for place, one in enumerate(everything):
        if isinstance(one.shape, Box) and one.owner and not _is_inside(one.box, region):
            yield Fault("leaves", "", one.owner, "")
        if not _is_text(one.shape):
            continue
        letters = one.letters
        if not all(_is_inside(part, region) for part in letters):
            yield Fault("leaves", one.shape.text, one.owner, "")
        left, top, right, bottom = one.box.x, one.box.y, one.box.x + one.box.w, one.box.y + one.box.h
        for later, mark in zip(everything[place + 1 :], marking[place + 1 :], strict=True):
            if mark is None or mark.x > right or mark.y > bottom or mark.x + mark.w < left or mark.y + mark.h < top:
                continue
            if _is_text(later.shape):
                if any(_meet(part, other) for part in letters for other in later.letters):
                    yield Fault("on", one.shape.text, one.owner, later.owner)
            elif any(_covers(later, part) for part in letters):
                yield Fault("covered", one.shape.text, one.owner, later.owner)
                break


def _is_text(shape: Shape) -> TypeGuard[Text]:
    return isinstance(shape, Text) and bool(shape.text.strip())


def _mark(one: Drawn) -> Rect | None:
    """The box within which a shape hides what is below it; None if it hides nothing."""
    return one.box if _is_text(one.shape) or _is_opaque(one.shape) else None


def _is_inside(box: Rect, region: Rect) -> bool:
    common = overlap(box, region)
    return common.w >= box.w - 2 * SLACK and common.h >= box.h - 2 * SLACK


def _meet(one: Rect, other: Rect) -> bool:
    common = overlap(one, other)
    return common.w > SLACK and common.h > SLACK


def _is_opaque(shape: Shape) -> bool:
    fill = getattr(shape, "fill", None)
    is_translucent = isinstance(fill, str) and len(fill) == len("#RRGGBBAA")
    return isinstance(shape, Box | Circle | Polygon) and fill is not None and not is_translucent


def _covers(one: Drawn, letters: Rect) -> bool:
    box, shape = one.box, one.shape
    if isinstance(shape, Circle):
        x, y = box.x + box.w / 2, box.y + box.h / 2
        across = max(letters.x - x, x - letters.x - letters.w, 0.0)
        down = max(letters.y - y, y - letters.y - letters.h, 0.0)
        return math.hypot(across, down) < shape.r - SLACK
    if isinstance(shape, Polygon):
        unmoved = bounds(shape)
        corners = [(x + box.x - unmoved.x, y + box.y - unmoved.y) for x, y in shape.points]
        tried = (
            (letters.x + letters.w * i / (_ACROSS - 1), letters.y + letters.h * j / (_DOWN - 1))
            for i in range(_ACROSS)
            for j in range(_DOWN)
        )
        return any(_is_in(corners, point) for point in tried)
    return _meet(box, letters)


def _is_in(corners: list[Point], point: Point) -> bool:
    """Whether a point is inside a polygon: a ray from it crosses the outline an odd number of times."""
    x, y = point
    crossings = 0
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


def _luminance(colour: Colour) -> float:
    """Relative luminance, 0 (black) to 1 (white), as WCAG 2.2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgba(colour)[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)
