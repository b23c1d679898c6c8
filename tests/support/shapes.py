"""Access to the shapes of a picture for tests: all shapes of groups, their texts, marks and ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from algorithms.engine.timeline import Timeline
from visual.analysis.run_cache import RunCache
from visual.drawing.picking import bounds
from visual.drawing.shapes import Group, Mark, Rect, Shape, Text
from visual.drawing.theme import load
from visual.scene.graph.layout import arrange
from visual.scene.graph.run_graph import graph
from visual.scene.options import PLAIN, Options

AREA = Rect(0, 64, 1280, 584)  # of the graph, in a window of 1280x720


def graph_shapes(
    timeline: Timeline, t: float | None = None, options: Options = PLAIN, theme: str = "light", area: Rect = AREA
) -> list[Shape]:
    """The shapes of the graph at a time; at the present by default."""
    run = timeline.simulation
    return graph(RunCache(run), run.now if t is None else t, arrange(run, area), load(theme), options)


def flat(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """All shapes except groups, including those inside groups."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from flat(shape.shapes)
        else:
            yield shape


def texts(shapes: Iterable[Shape]) -> list[str]:
    """All texts, in drawing order."""
    return [shape.text for shape in flat(shapes) if isinstance(shape, Text)]


def marks(shapes: Iterable[Shape]) -> dict[str, Mark]:
    """The marks of messages by their ids."""
    return {shape.id: shape for shape in shapes if isinstance(shape, Mark)}


def ids(group: Group) -> set[str]:
    """The ids of a group and of those in it."""
    return {group.id}.union(*(ids(shape) for shape in group.shapes if isinstance(shape, Group)))


def placed(shapes: tuple[Shape, ...], dx: float = 0.0, dy: float = 0.0) -> Iterator[tuple[Shape, Rect]]:
    """Every single shape with its rectangle on the canvas."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from placed(shape.shapes, dx + shape.x, dy + shape.y)
        else:
            box = bounds(shape)
            yield shape, Rect(box.x + dx, box.y + dy, box.w, box.h)


def clipped(shapes: tuple[Shape, ...], size: tuple[int, int]) -> list[Shape]:
    """The texts and marks that are not whole on a canvas of that size."""
    canvas = Rect(-1, -1, size[0] + 2, size[1] + 2)
    return [s for s, box in placed(shapes) if isinstance(s, Text | Mark) and not _is_inside(box, canvas)]


def _is_inside(box: Rect, canvas: Rect) -> bool:
    across = canvas.x <= box.x and box.x + box.w <= canvas.x + canvas.w
    return across and canvas.y <= box.y and box.y + box.h <= canvas.y + canvas.h
