"""What is written beside a node: values in small boxes, and a row of chips with what it keeps in a queue or a set."""

from __future__ import annotations

from typing import Literal

from visual import fonts
from visual.scene.layout import WayOut
from visual.scene.options import Measures
from visual.shapes import Box, Point, Shape, Text
from visual.theme import Theme

_MOST = 4  # chips in a row; one more, and the rest is counted
_GAP = 0.35  # between two chips, in ems
_FAR = 1.5  # from the node's middle to the row, in radii


def tag(middle: Point, text: str, size: float, theme: Theme, sizes: Measures) -> list[Shape]:
    """A small box with a value, as at a node's corner."""
    height = 1.5 * size
    width = max(fonts.width(text, size, "mono", "bold") + 1.1 * size, 1.2 * height)
    box = Box(
        middle[0] - width / 2,
        middle[1] - height / 2,
        width,
        height,
        theme.card,
        theme.ink,
        0.66 * sizes.stroke,
        0.3 * size,
    )
    return [box, Text(*middle, text, size, theme.ink, "bold", "mono", "middle", "middle")]


def chips_row(
    name: str, chips: tuple[str, ...], in_order: bool, way_out: WayOut, theme: Theme, sizes: Measures
) -> list[Shape]:
    """The row on the side of the node where there is room, with its name; the head of a queue is outlined."""
    size = sizes.chip
    texts = _fitting(chips, way_out, name, sizes)
    x, y, title = _place(name, _width(texts, size), way_out.side, theme, sizes)
    named = fonts.fits(name, way_out.room - _FAR * sizes.radius, 0.85 * size)
    shapes: list[Shape] = [title] if named or way_out.side in ("above", "below") else []
    for place, text in enumerate(texts):
        head, width = in_order and place == 0, _chip_width(text, size)
        stroke, line = (theme.ink, sizes.stroke) if head else (theme.edge, 0.6 * sizes.stroke)
        shapes.append(Box(x, y - 0.85 * size, width, 1.7 * size, theme.card, stroke, line, 0.4 * size))
        weight: fonts.Weight = "bold" if head else "normal"
        shapes.append(Text(x + width / 2, y, text, size, theme.ink, weight, "mono", "middle", "middle"))
        x += width + _GAP * size
    return shapes


def _fitting(chips: tuple[str, ...], way_out: WayOut, name: str, sizes: Measures) -> list[str]:
    """As many chips as there is room for, at least one; the last says how many more there are."""
    aside = way_out.side in ("left", "right")
    room = way_out.room - (_FAR * sizes.radius if aside else fonts.width(name, sizes.chip))
    shown = len(chips) if len(chips) <= _MOST + 1 else _MOST
    while shown > 1 and _width(_counted(chips, shown), sizes.chip) > room:
        shown -= 1
    longest = room - (_width(_counted(chips, shown)[1:], sizes.chip) if shown < len(chips) else 0.0) - 2 * sizes.chip
    first = fonts.shorten(chips[0], max(longest, 2 * sizes.chip), sizes.chip, "mono", "bold")
    return [first, *_counted(chips, shown)[1:]]


def _counted(chips: tuple[str, ...], shown: int) -> list[str]:
    rest = len(chips) - shown
    return [*chips[:shown], f"+{rest}"] if rest else list(chips)


def _width(texts: list[str], size: float) -> float:
    return sum(_chip_width(text, size) for text in texts) + _GAP * size * (len(texts) - 1)


def _chip_width(text: str, size: float) -> float:
    return max(fonts.width(text, size, "mono", "bold") + 0.9 * size, 1.8 * size)


def _place(name: str, width: float, side: str, theme: Theme, sizes: Measures) -> tuple[float, float, Text]:
    """Where the row begins, the height of its middle, and its name."""
    size, small, far = sizes.chip, 0.85 * sizes.chip, _FAR * sizes.radius
    if side in ("left", "right"):
        x = far if side == "right" else -far - width
        inner: Literal["start", "end"] = "start" if side == "right" else "end"
        name_at = far if side == "right" else -far
        return x, 0.0, Text(name_at, -1.2 * size, name, small, theme.muted, anchor=inner, halo=theme.paper)
    before = fonts.width(name, small) + 0.5 * size
    x, y = (before - width) / 2, (far + 0.3 * size) * (1 if side == "below" else -1)
    return x, y, Text(x - 0.5 * size, y, name, small, theme.muted, anchor="end", baseline="middle", halo=theme.paper)
