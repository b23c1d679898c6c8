"""Small signs drawn from lines: cross, crown, token, belief."""

from __future__ import annotations

from visual.drawing import fonts, marks
from visual.drawing.shapes import Box, Circle, Colour, Line, Point, Polygon, Shape, Text
from visual.drawing.theme import Theme


def cross(middle: Point, reach: float, colour: Colour, width: float) -> list[Shape]:
    """✕, `reach` from its middle to each side."""
    (x, y), d = middle, reach
    return [Line(x - d, y - d, x + d, y + d, colour, width), Line(x - d, y + d, x + d, y - d, colour, width)]


def crown(middle: Point, width: float, theme: Theme, stroke: float) -> list[Shape]:
    """The sign of a leader."""
    (x, y), w, h = middle, width / 2, width * 0.36
    points = (
        (x - w, y + h),
        (x - w, y - h),
        (x - w / 2, y),
        (x, y - 1.3 * h),
        (x + w / 2, y),
        (x + w, y - h),
        (x + w, y + h),
    )
    return [Polygon(points, theme.families["token"].fill, theme.ink, 0.7 * stroke)]


def rise(middle: Point, reach: float, theme: Theme, stroke: float) -> list[Shape]:
    """An arrow upwards: the sign of what has grown, where there is no room for its number."""
    (x, y), d, half = middle, reach, 0.3 * reach
    head = ((x - d, y), (x, y - d), (x + d, y))
    shaft = ((x + half, y), (x + half, y + d), (x - half, y + d), (x - half, y))
    return [Polygon((*head, *shaft), theme.ink, theme.paper, 0.5 * stroke)]


def diamond(middle: Point, reach: float) -> tuple[Point, ...]:
    """The four corners, clockwise from the top."""
    x, y = middle
    return (x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)


def token(middle: Point, reach: float, fate: str, theme: Theme, stroke: float) -> list[Shape]:
    """A token in its holder's hands: "held", "spurious", "dead" with it, or unknown to it, "lose", "duplicate"."""
    if fate == "spurious":
        look = theme.families["spurious"]
        return [Polygon(marks.star(middle, 1.25 * reach), look.fill, look.outline, 1.1 * stroke)]
    look = theme.families["token"]
    whole = Polygon(diamond(middle, reach), look.fill, look.outline, 1.1 * stroke)
    if fate == "lose":
        hollow = whole._replace(fill=theme.paper, stroke=theme.fault, dash=(1.5 * stroke, stroke))
        return [hollow, *cross(middle, 0.42 * reach, theme.fault, 1.3 * stroke)]
    if fate == "dead":
        return [whole, *cross(middle, 0.42 * reach, theme.fault, 1.3 * stroke)]
    if fate == "duplicate":
        return [whole._replace(points=diamond((middle[0] - 0.7 * reach, middle[1]), reach)), whole]
    return [whole]


def belief_size(name: str, size: float) -> tuple[float, float]:
    """Width and height of a thought about the leader."""
    return fonts.width(name, size, "mono") + 2.2 * size, 1.5 * size


def belief(middle: Point, name: str, size: float, theme: Theme) -> list[Shape]:
    """Whom a node takes for the leader: a thought, with a small crown."""
    width, height = belief_size(name, size)
    x, y = middle[0] - width / 2, middle[1] - height / 2
    return [
        Box(x, y, width, height, theme.card, theme.muted, size / 12, height / 2),
        *crown((x + 0.95 * size, middle[1]), 0.8 * size, theme, size / 12),
        Text(x + 1.6 * size, middle[1], name, size, theme.ink, family="mono", baseline="middle"),
        Circle(x + width * 0.7, y - 0.16 * size, 0.14 * size, theme.card, theme.muted, size / 12),
    ]
