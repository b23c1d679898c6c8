"""What is written beside a node: values in small boxes, and a row of chips with what it keeps in a queue or a set."""

from __future__ import annotations

from visual import fonts
from visual.scene.options import Measures
from visual.shapes import Box, Point, Shape, Text
from visual.theme import Theme

_MOST = 4  # chips in a row; one more, and the rest is counted


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
    name: str, chips: tuple[str, ...], in_order: bool, way_out: str, theme: Theme, sizes: Measures
) -> list[Shape]:
    """The row on the side of the node where there is room, with its name; the head of a queue is outlined."""
    size = sizes.chip
    shown = chips if len(chips) <= _MOST + 1 else chips[:_MOST]
    texts = [*shown, f"+{len(chips) - len(shown)}"] if len(shown) < len(chips) else list(shown)
    widths = [max(fonts.width(text, size, "mono", "bold") + 0.9 * size, 1.8 * size) for text in texts]
    gap = 0.35 * size
    x, y, title = _place(name, sum(widths) + gap * (len(widths) - 1), way_out, theme, sizes)
    shapes: list[Shape] = [title]
    for place, (text, width) in enumerate(zip(texts, widths, strict=True)):
        head = in_order and place == 0
        stroke, line = (theme.ink, sizes.stroke) if head else (theme.edge, 0.6 * sizes.stroke)
        shapes.append(Box(x, y - 0.85 * size, width, 1.7 * size, theme.card, stroke, line, 0.4 * size))
        weight: fonts.Weight = "bold" if head else "normal"
        shapes.append(Text(x + width / 2, y, text, size, theme.ink, weight, "mono", "middle", "middle"))
        x += width + gap
    return shapes


def _place(name: str, width: float, way_out: str, theme: Theme, sizes: Measures) -> tuple[float, float, Text]:
    """Where the row begins, the height of its middle, and its name."""
    size, small, far = sizes.chip, 0.85 * sizes.chip, 1.5 * sizes.radius
    if way_out in ("left", "right"):
        x = far if way_out == "right" else -far - width
        return x, 0.0, Text(x, -1.2 * size, name, small, theme.muted, halo=theme.paper)
    before = fonts.width(name, small) + 0.5 * size
    x, y = (before - width) / 2, (far + 0.3 * size) * (1 if way_out == "below" else -1)
    return x, y, Text(x - 0.5 * size, y, name, small, theme.muted, anchor="end", baseline="middle", halo=theme.paper)
