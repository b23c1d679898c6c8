"""The look of a message in transit: a `Mark` spelled out as plain shapes, so that every renderer draws the same.

The glyph tells the family without colour: ask a disc, grant a ring, announce a triangle, token a diamond
with a thick outline, deny a square, spurious (a token that another one precedes) a star. All measures are in ems of
the label.
"""

import math

from visual.drawing import fonts
from visual.drawing.shapes import Box, Circle, Colour, Fill, Line, Mark, Point, Polygon, Rect, Shape, Text, with_pitch
from visual.drawing.theme import FamilyLook, Theme

PILL_HEIGHT = 2.0
_GLYPH_AT = 1.0  # from the pill's left end to the middle of the glyph
_LABEL_AT = 1.76  # from the pill's left end to the label
_PILL_END = 0.68  # from the label to the pill's right end
_GLYPH_RADIUS = 0.37
_DOT_RADIUS = 0.5
_DOT_REACH = 0.72  # from the middle of a dot to the tip of the largest glyph
_DOT_LABEL_AT = 0.8  # from the middle of a dot to its label
_OUTLINE = 0.15
_PITCH = 0.58  # of a pattern
_THICK = 1.6  # a token's outline, in outlines
_STEM = 1.4  # length of the arrow that shows the direction
_HEAD = 0.85
_TURN = 3  # degrees from one cached arrow to the next


def extent(mark: Mark) -> Rect:
    """The rectangle that the message covers without its arrow, relative to (mark.x, mark.y)."""
    size = mark.size
    if mark.form == "pill":
        x, y, w, h = _pill_box(mark)
        rim = _OUTLINE * _THICK / 2 * size
        return Rect(x - rim, y - rim, w + 2 * rim, h + 2 * rim)
    reach = _DOT_REACH * size
    beside = _DOT_LABEL_AT * size + _label_width(mark) if mark.label else reach
    return Rect(-beside if label_is_left(mark) else -reach, -reach, reach + beside, 2 * reach)


def _pill_box(mark: Mark) -> Rect:
    """The middle of the pill's outline."""
    size = mark.size
    width = (_LABEL_AT + _PILL_END) * size + _label_width(mark) if mark.label else PILL_HEIGHT * size
    return Rect(-width / 2, -PILL_HEIGHT / 2 * size, width, PILL_HEIGHT * size)


def _label_width(mark: Mark) -> float:
    return fonts.width(mark.label, mark.size, weight=_weight(mark))


def label_is_left(mark: Mark) -> bool:
    """Whether a dot's label makes room for an arrow to the right."""
    return mark.form == "dot" and mark.toward is not None and _direction(mark)[0] > 0


def body(mark: Mark, theme: Theme) -> tuple[Shape, ...]:
    """Glyph, label and pill, relative to (mark.x, mark.y)."""
    look = theme.families[mark.family]
    outline = _OUTLINE * mark.size * (_THICK if look.glyph == "diamond" else 1)
    return _dot(mark, look, theme, outline) if mark.form == "dot" else _pill(mark, look, outline)


def _pill(mark: Mark, look: FamilyLook, outline: float) -> tuple[Shape, ...]:
    x, y, w, h = _pill_box(mark)
    size = mark.size
    middle = x + _GLYPH_AT * size
    is_hollow = look.glyph in ("ring", "diamond")  # in ink; one that is filled has a rim of a pattern's ground
    line = look.outline if look.glyph == "ring" else look.ink if is_hollow else look.halo or look.ink
    pill = Box(x, y, w, h, with_pitch(look.fill, _PITCH * size), look.outline, outline, h / 2)
    glyph = _glyph(look, (middle, 0.0), _GLYPH_RADIUS * size, look.halo if is_hollow else look.ink, line, outline)
    label = Text(x + _LABEL_AT * size, 0, mark.label, size, look.ink, _weight(mark), baseline="middle", halo=look.halo)
    return (pill, glyph, label) if mark.label else (pill, glyph)


def _dot(mark: Mark, look: FamilyLook, theme: Theme, outline: float) -> tuple[Shape, ...]:
    size, side = mark.size, -1 if label_is_left(mark) else 1
    fill = with_pitch(look.fill, _DOT_RADIUS * size)
    glyph = _glyph(look, (0.0, 0.0), _DOT_RADIUS * size, fill, look.outline, outline)
    label = Text(
        side * _DOT_LABEL_AT * size,
        0,
        mark.label,
        size,
        theme.ink,
        anchor="end" if side < 0 else "start",
        baseline="middle",
        halo=theme.paper,
    )
    return (label, glyph) if mark.label else (glyph,)


def _glyph(look: FamilyLook, at: Point, radius: float, fill: Fill | None, line: Colour, width: float) -> Shape:
    if look.glyph in ("disc", "ring"):
        return Circle(*at, radius, fill, line, width)
    if look.glyph == "star":
        return Polygon(star(at, 1.28 * radius), fill, line, width)
    return Polygon(_outline(look.glyph, at, radius), fill, line, width)


def star(at: Point, reach: float) -> tuple[Point, ...]:
    """The corners of a star of four points, the first on top."""
    return tuple(
        (at[0] + reach * far * math.sin(k * math.pi / 4), at[1] - reach * far * math.cos(k * math.pi / 4))
        for k, far in enumerate((1.0, 0.5) * 4)
    )


def _outline(glyph: str, at: Point, radius: float) -> tuple[Point, ...]:
    """Corners of a triangle, diamond or square that looks as large as a circle of that radius."""
    corners, first, grow = {"triangle": (3, -90, 1.25), "diamond": (4, -90, 1.2), "square": (4, -45, 1.2)}[glyph]
    angles = (math.radians(first + 360 * k / corners) for k in range(corners))
    return tuple((at[0] + grow * radius * math.cos(a), at[1] + grow * radius * math.sin(a)) for a in angles)


def arrow_start(mark: Mark) -> Point:
    """The point where the arrow leaves the pill or dot, relative to (mark.x, mark.y); needs a direction."""
    cos, sin = _direction(mark)
    if mark.form == "pill":
        _, _, w, h = _pill_box(mark)
        edge = _pill_edge(w / 2 - h / 2, h / 2, abs(cos), abs(sin))
    else:
        edge = _DOT_REACH * mark.size
    return edge * cos, edge * sin


def _pill_edge(half: float, radius: float, cos: float, sin: float) -> float:
    """The distance from the middle of a pill to its edge; its ends are half circles around (half, 0)."""
    if sin and half * sin >= radius * cos:
        return radius / sin
    return half * cos + math.sqrt(radius**2 - (half * sin) ** 2)


def arrow_end(mark: Mark) -> Point:
    """The tip of the arrow, relative to (mark.x, mark.y); needs a direction."""
    (x, y), (cos, sin), length = arrow_start(mark), _direction(mark), _STEM * mark.size
    return x + length * cos, y + length * sin


def arrow(mark: Mark, theme: Theme) -> Line:
    """The arrow that shows the direction of flight, beginning at (0, 0); needs a direction."""
    cos, sin = _direction(mark)
    length = _STEM * mark.size
    return Line(0, 0, length * cos, length * sin, theme.ink, _OUTLINE * mark.size, arrow=_HEAD * mark.size)


def cached_arrow(mark: Mark, theme: Theme) -> Line:
    """As `arrow`, in the nearest of a few directions, so that it can be drawn once for many messages."""
    return arrow(mark._replace(toward=round((mark.toward or 0.0) / _TURN) * _TURN % 360), theme)


def parts(mark: Mark, theme: Theme) -> tuple[Shape, ...]:
    """Everything, back to front, relative to (mark.x, mark.y)."""
    return (*placed_arrow(mark, theme), *body(mark, theme))


def placed_arrow(mark: Mark, theme: Theme) -> tuple[Line, ...]:
    """The arrow where it leaves the pill or dot, relative to (mark.x, mark.y); none without a direction."""
    if mark.toward is None:
        return ()
    x, y = arrow_start(mark)
    line = arrow(mark, theme)
    return (line._replace(x1=x, y1=y, x2=x + line.x2, y2=y + line.y2),)


def _direction(mark: Mark) -> Point:
    angle = math.radians(mark.toward or 0.0)
    return math.cos(angle), math.sin(angle)


def _weight(mark: Mark) -> fonts.Weight:
    return "normal" if mark.form == "dot" else "bold"
