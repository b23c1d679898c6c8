"""A picture is a list of shapes, back to front: plain values that know nothing of pygame, SVG or algorithms.

Lengths are logical pixels, y grows downwards. A colour is `#RRGGBB` or, translucent, `#RRGGBBAA`. A fill is
a colour or a `Pattern`; None draws nothing. A shape whose `id` is not empty can be picked
(`visual.drawing.picking`). Everything is hashable, so equal pictures are equal values.
"""

import math
from collections.abc import Hashable
from typing import Literal, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = str
Dash: TypeAlias = tuple[float, ...]
"""Lengths drawn and skipped in turn, as in SVG; () is a solid line."""

Family: TypeAlias = Literal["ask", "grant", "announce", "token", "deny", "spurious"]
FAMILIES: tuple[Family, ...] = ("ask", "grant", "announce", "token", "deny", "spurious")


class Pattern(NamedTuple):
    """A repeating fill: `ink` drawn over `ground`, once every `pitch` pixels across."""

    name: Literal["hatch", "backhatch", "crosshatch", "dots", "bars"]
    ink: Colour
    ground: Colour
    pitch: float = 11.0


Fill: TypeAlias = Colour | Pattern


def with_pitch(fill: Fill, pitch: float) -> Fill:
    """The fill; a pattern with that many pixels from one stripe to the next, so that it grows with the area."""
    return fill._replace(pitch=pitch) if isinstance(fill, Pattern) else fill


class Rect(NamedTuple):
    """A rectangle as corner and size; what `bounds` returns and what clips a group."""

    x: float
    y: float
    w: float
    h: float


NOWHERE = Rect(0, 0, 0, 0)


class Circle(NamedTuple):
    x: float
    y: float
    r: float
    fill: Fill | None = None
    stroke: Colour | None = None
    width: float = 2.0
    dash: Dash = ()
    id: str = ""


class Line(NamedTuple):
    """A straight line; `arrow` is the length of the head at its second end, 0 for none."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: Colour
    width: float = 2.0
    dash: Dash = ()
    arrow: float = 0.0
    id: str = ""


class Polyline(NamedTuple):
    """Joined straight lines, open; `arrow` as for `Line`. Fewer than two points draw nothing."""

    points: tuple[Point, ...]
    stroke: Colour
    width: float = 2.0
    dash: Dash = ()
    arrow: float = 0.0
    id: str = ""


class Arc(NamedTuple):
    """A part of a circle: `share` of it, clockwise from the top."""

    x: float
    y: float
    r: float
    share: float
    stroke: Colour
    width: float = 2.0
    id: str = ""

    def outline(self) -> Polyline:
        """The arc as short straight lines, for renderers and geometry that know no arcs."""
        pieces = max(1, math.ceil(self.share * _PIECES))
        angles = [2 * math.pi * self.share * piece / pieces for piece in range(pieces + 1)]
        points = tuple((self.x + self.r * math.sin(angle), self.y - self.r * math.cos(angle)) for angle in angles)
        return Polyline(points, self.stroke, self.width, id=self.id)


_PIECES = 72  # straight lines of a whole circle


class Polygon(NamedTuple):
    points: tuple[Point, ...]
    fill: Fill | None = None
    stroke: Colour | None = None
    width: float = 2.0
    dash: Dash = ()
    id: str = ""


class Box(NamedTuple):
    """A rectangle with corners rounded by `radius`; half of its smaller side makes a pill."""

    x: float
    y: float
    w: float
    h: float
    fill: Fill | None = None
    stroke: Colour | None = None
    width: float = 2.0
    radius: float = 0.0
    dash: Dash = ()
    id: str = ""


class Text(NamedTuple):
    """One line of text. `size` is the em in pixels; y is the baseline, or with "middle" the middle of the
    capitals.

    `halo` paints the letters' surroundings in that colour first, so that lines beneath do not run into
    them; `angle` turns the text about (x, y), in degrees clockwise.
    """

    x: float
    y: float
    text: str
    size: float
    ink: Colour
    weight: Literal["normal", "bold"] = "normal"
    family: Literal["sans", "mono"] = "sans"
    anchor: Literal["start", "middle", "end"] = "start"
    baseline: Literal["baseline", "middle"] = "baseline"
    halo: Colour | None = None
    angle: float = 0.0
    id: str = ""


class Mark(NamedTuple):
    """A message in transit: the glyph of its family with its label, centred on (x, y).

    `form` "pill" encloses glyph and label in a rounded outline; "dot" is the glyph alone with a small label
    beside it, for crowds. `size` is the label's em in pixels and everything else follows from it. `toward`
    is the direction of flight in degrees clockwise from "to the right"; with one, an arrowhead shows it.
    """

    x: float
    y: float
    family: Family
    label: str
    size: float
    form: Literal["pill", "dot"] = "pill"
    toward: float | None = None
    id: str = ""


class Image(NamedTuple):
    """The PNG file of that name, drawn into a rectangle. `stamp` changes whenever the file does."""

    x: float
    y: float
    w: float
    h: float
    file: str
    stamp: int = 0
    id: str = ""


class Group(NamedTuple):
    """Shapes drawn together, moved by (x, y), kept inside `clip` (in the group's own coordinates), faded by
    `opacity`.

    With a `key` the painter keeps what it drew: equal key, equal picture, wherever the group is moved. The key must
    therefore name everything the shapes depend on; they are not looked at again, except for picking. Fastest is a
    group whose first shape is a filled box that covers all others. Clip a large one to what is seen. A `patient` one
    may be missing from a few pictures of a film, where there is much else to draw.
    """

    shapes: "tuple[Shape, ...]"
    x: float = 0.0
    y: float = 0.0
    clip: Rect | None = None
    opacity: float = 1.0
    key: Hashable | None = None
    id: str = ""
    patient: bool = False


Shape: TypeAlias = Circle | Line | Polyline | Arc | Polygon | Box | Text | Mark | Image | Group


LEADING = 1.2
"""From one of a few lines in a bar to the next, in ems."""


def stacked(
    lines: list[str], x: float, middle: float, size: float, ink: Colour, weight: Literal["normal", "bold"] = "normal"
) -> list[Text]:
    """Lines of text one below the other, `middle` between the first and the last."""
    top = middle - LEADING * size * (len(lines) - 1) / 2
    return [
        Text(x, top + LEADING * size * place, line, size, ink, weight, baseline="middle")
        for place, line in enumerate(lines)
    ]


class ShapeWriter:
    """Writes each kind of shape by the method of its name, as `_circle`; lines and arcs as paths."""

    def write(self, shape: Shape) -> None:
        """Write one shape."""
        getattr(self, f"_{type(shape).__name__.lower()}")(shape)

    def _line(self, shape: Line) -> None:
        self._path(shape, ((shape.x1, shape.y1), (shape.x2, shape.y2)))

    def _polyline(self, shape: Polyline) -> None:
        self._path(shape, shape.points)

    def _arc(self, shape: Arc) -> None:
        self._polyline(shape.outline())

    def _path(self, shape: Line | Polyline, points: tuple[Point, ...]) -> None:
        raise NotImplementedError
