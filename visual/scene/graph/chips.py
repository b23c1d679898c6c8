"""What is written beside a node: values in small boxes, and a row of chips with what it keeps in a queue or a set."""

from __future__ import annotations

from typing import Literal, NamedTuple

from visual.drawing import fonts
from visual.drawing.shapes import Box, Point, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.layout import WayOut
from visual.scene.options import Measures

TAG_HEIGHT = 1.4  # of a value's box, in ems

_MOST = 4  # chips in a row; one more, and the rest is counted
_GAP = 0.35  # between two chips, in ems
_FAR = 1.5  # from the node's middle to the row, in radii
_CLOSER = 0.5  # so much nearer than the row, in radii of a node, its name may begin where it lacks room
_LOWERED = 0.25  # in the lower half of the picture rows are lower, off the badge of the node above, in ems
_HALF = 0.85  # of a chip's height, in ems


def tag(middle: Point, text: str, size: float, theme: Theme, sizes: Measures) -> list[Shape]:
    """A small box with a value, as at a node's corner."""
    box = Box(*tag_box(middle, text, size), theme.card, theme.ink, 0.66 * sizes.stroke, 0.3 * size)
    return [box, Text(*middle, text, size, theme.ink, "bold", "mono", "middle", "middle")]


def tag_box(middle: Point, text: str, size: float) -> Rect:
    """Where such a box is."""
    height = TAG_HEIGHT * size
    width = max(fonts.width(text, size, "mono", "bold") + 1.1 * size, 1.2 * height)
    return Rect(middle[0] - width / 2, middle[1] - height / 2, width, height)


class Row(NamedTuple):
    """What a node keeps, under which name; the first is the head if it is kept in order."""

    name: str
    chips: tuple[str, ...]
    in_order: bool


def chips_row(row: Row, way_out: WayOut, badge: Rect | None, theme: Theme, sizes: Measures) -> list[Shape]:
    """The row on the side of the node where there is room, with its name; the head of a queue is outlined.

    A row that would lie on the node's badge is beside it.
    """
    size, name, in_order = sizes.chip, row.name, row.in_order
    far = _FAR * sizes.radius
    if badge and way_out.side == "right":
        far = max(far, badge.x + badge.w + _GAP * size)
    texts = _fitting(row.chips, way_out, name, far, size)
    x, y, title = _place(name, _width(texts, size), way_out, theme, far, size)
    lacking = max(0.0, fonts.width(name, size) - _title_room(texts, way_out, far, size))
    if badge and y - _HALF * size < badge.y + badge.h and way_out.side == "below":
        aside = min(0.0, badge.x - _GAP * size - x - _width(texts, size))
        x, title = x + aside, title._replace(x=title.x + aside)
    shapes: list[Shape] = [*_closer(title, lacking, way_out, sizes)]
    for place, text in enumerate(texts):
        head, width = in_order and place == 0, _chip_width(text, size)
        stroke, line = (theme.ink, sizes.stroke) if head else (theme.edge, 0.6 * sizes.stroke)
        shapes.append(Box(x, y - _HALF * size, width, 2 * _HALF * size, theme.card, stroke, line, 0.4 * size))
        weight: fonts.Weight = "bold" if head else "normal"
        shapes.append(Text(x + width / 2, y, text, size, theme.ink, weight, "mono", "middle", "middle"))
        x += width + _GAP * size
    return shapes


def _closer(title: Text, lacking: float, way_out: WayOut, sizes: Measures) -> list[Text]:
    """The name of a row, nearer to the node by what it lacks of room; left out if that is too much."""
    if not lacking:
        return [title]
    if way_out.side not in ("left", "right") or lacking > _CLOSER * sizes.radius:
        return []
    return [title._replace(x=title.x + (lacking if way_out.side == "left" else -lacking))]


def _fitting(chips: tuple[str, ...], way_out: WayOut, name: str, far: float, size: float) -> list[str]:
    """As many chips as there is room for, at least one; the last says how many more there are."""
    aside = way_out.side in ("left", "right")
    room = way_out.room - (far if aside else fonts.width(name, size))
    shown = len(chips) if len(chips) <= _MOST + 1 else _MOST
    while shown > 1 and _width(_counted(chips, shown), size) > room:
        shown -= 1
    longest = room - (_width(_counted(chips, shown)[1:], size) if shown < len(chips) else 0.0) - 2 * size
    first = fonts.shorten(chips[0], max(longest, 2 * size), size, "mono", "bold")
    return [first, *_counted(chips, shown)[1:]]


def _counted(chips: tuple[str, ...], shown: int) -> list[str]:
    rest = len(chips) - shown
    return [*chips[:shown], f"+{rest}"] if rest else list(chips)


def _width(texts: list[str], size: float) -> float:
    return sum(_chip_width(text, size) for text in texts) + _GAP * size * (len(texts) - 1)


def _chip_width(text: str, size: float) -> float:
    return max(fonts.width(text, size, "mono", "bold") + 0.9 * size, 1.8 * size)


def _title_room(texts: list[str], way_out: WayOut, far: float, size: float) -> float:
    """How much room there is for the row's name."""
    if way_out.side in ("left", "right"):
        return way_out.room - far
    return way_out.room - _width(texts, size) - 1.5 * size


def _place(
    name: str, width: float, way_out: WayOut, theme: Theme, far: float, size: float
) -> tuple[float, float, Text]:
    """Where the row begins, the height of its middle, and its name."""
    side = way_out.side
    if side in ("left", "right"):
        x, y = far if side == "right" else -far - width, _LOWERED * size if way_out.low else 0.0
        inner: Literal["start", "end"] = "start" if side == "right" else "end"
        name_at, base = far if side == "right" else -far, y + (1.85 if way_out.low else -1.2) * size
        return x, y, Text(name_at, base, name, size, theme.muted, anchor=inner, halo=theme.paper)
    before = fonts.width(name, size) + 0.5 * size
    x, y = (before - width) / 2, (far + 0.15 * size) * (1 if side == "below" else -1)
    return x, y, Text(x - 0.5 * size, y, name, size, theme.muted, anchor="end", baseline="middle", halo=theme.paper)
