"""Access to the shapes of a space-time diagram for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visual.drawing.shapes import Group, Line, Rect, Shape

AREA = Rect(20, 640, 1240, 300)


def layer(shapes: Iterable[Shape], pale: bool = False) -> Iterator[Shape]:
    """The shapes of the past, or the pale ones of the known future."""
    for shape in shapes:
        if isinstance(shape, Group):
            if (shape.opacity < 1) == pale:
                yield from shape.shapes
        elif not pale:
            yield shape


def arrows(shapes: Iterable[Shape]) -> dict[int, Line]:
    """Serial number of each message -> its line."""
    return {int(s.id[8:]): s for s in layer(shapes) if isinstance(s, Line) and s.id.startswith("message:")}
