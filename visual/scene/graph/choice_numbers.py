"""Numbers beside messages, by which a person picks the one that arrives next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from visual.drawing.shapes import Box, Mark, Shape, Text
from visual.drawing.theme import Theme

_ABOVE = 1.75  # from a message's middle to that of its number, in ems of the number
_SIDE = 1.5  # of the number's box, in ems


def numbered(shapes: Iterable[Shape], numbers: Mapping[int, int], size: float, theme: Theme) -> list[Shape]:
    """A box with its number above each message, given by its serial number, that has one."""
    known = {f"message:{serial}": number for serial, number in numbers.items()}
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Mark) and shape.id in known:
            found += _number(shape.x, shape.y - _ABOVE * size, str(known[shape.id]), shape.id, size, theme)
    return found


def _number(x: float, y: float, words: str, name: str, size: float, theme: Theme) -> list[Shape]:
    side = _SIDE * size
    wide = max(side, (0.7 * len(words) + 0.5) * size)
    return [
        Box(x - wide / 2, y - side / 2, wide, side, theme.ink, theme.paper, size / 10, size / 4, id=name),
        Text(x, y, words, size, theme.paper, "bold", anchor="middle", baseline="middle"),
    ]
