"""Writes shapes as SVG text: the same picture as the painter's, with text as text and the same bytes every time.

Ids begin with a prefix and the file's checksum, so that several pictures fit into one page. Nothing is styled by class
or script, and there is no date, so the text of a picture changes only when the picture does.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from visual.drawing import fonts, marks, strokes
from visual.drawing.shapes import (
    Box,
    Circle,
    Colour,
    Dash,
    Group,
    Image,
    Line,
    Mark,
    Pattern,
    Point,
    Polygon,
    Polyline,
    Rect,
    Shape,
    ShapeWriter,
    Text,
)
from visual.drawing.theme import Theme, rgba

Attributes: TypeAlias = str
"""Attributes as they are in the file, each after a space. None of their values needs escaping."""

_FONTS = {"sans": "DejaVu Sans, Verdana, sans-serif", "mono": "DejaVu Sans Mono, Menlo, monospace"}
_NOT_IN_IDS = re.compile("[^A-Za-z0-9_-]+")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # as in odd names of files
_CHECKSUM = "\udfff"  # stands in every id for the checksum of the file, which is not known before
HALO = 0.28
"""The width of the stroke beneath a letter with a halo, in ems."""


def svg(
    shapes: Iterable[Shape],
    size: tuple[float, float],
    theme: Theme,
    *,
    prefix: str,
    title: str,
    description: str = "",
    background: Colour | None = None,
    zoom: float = 1.0,
) -> str:
    """A complete SVG document of that width and height in pixels; without a background it is transparent.

    On a page a pixel is `zoom` CSS pixels. `title` and `description` are what a screen reader says in place of the
    picture.
    """
    name = f"{_name(prefix)}-{_CHECKSUM}"
    writer = _Writer(theme, name)
    if background:
        writer.write(Box(0, 0, *size, background))
    for shape in shapes:
        writer.write(shape)
    width, height = (number(length) for length in size)
    outer = [number(length * zoom) for length in size]
    text = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{outer[0]}" height="{outer[1]}"'
            f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}-title {name}-desc"'
            ' style="font-kerning:none;font-variant-ligatures:none">',
            f'<title id="{name}-title">{escape(title, quote=False)}</title>',
            f'<desc id="{name}-desc">{escape(description, quote=False)}</desc>',
            *writer.definitions(),
            *writer.lines,
            "</svg>",
            "",
        ]
    )
    checksum = f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
    return _NOT_IN_XML.sub("\ufffd", text.replace(_CHECKSUM, checksum))


def number(value: float) -> str:
    """At most two decimals and no more than needed."""
    text = f"{value:.2f}"
    if text[-1] != "0":
        return text
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _name(text: str) -> str:
    """The text as an id that XML, CSS and URLs accept: other characters become hyphens, a letter comes first."""
    name = _NOT_IN_IDS.sub("-", text)
    return name if name[:1].isalpha() else f"p{name}"


class _Writer(ShapeWriter):
    """Collects elements, and the patterns and clips they refer to."""

    def __init__(self, theme: Theme, prefix: str) -> None:
        self.lines: list[str] = []
        self._theme = theme
        self._prefix = prefix
        self._taken: set[str] = set()
        self._shared: dict[Pattern | Rect, str] = {}

    def definitions(self) -> list[str]:
        """The patterns and clips in use, as lines."""
        if not self._shared:
            return []
        drawn = (
            _pattern(what, name) if isinstance(what, Pattern) else _clip(what, name)
            for what, name in self._shared.items()
        )
        return ["<defs>", *drawn, "</defs>"]

    def _element(self, tag: str, attributes: Attributes, content: str | None = None) -> None:
        end = "/>" if content is None else f">{escape(content, quote=False)}</{tag}>"
        self.lines.append(f"<{tag}{attributes}{end}")

    def _id(self, shape: Shape) -> Attributes:
        """The id of a shape's element; only the first of several with the same id may carry it."""
        if not shape.id:
            return ""
        name = f"{self._prefix}-{_name(shape.id)}"
        if name in self._taken:
            return ""
        self._taken.add(name)
        return f' id="{name}"'

    def _refer(self, what: Pattern | Rect) -> str:
        """A reference to a pattern or clip, which is defined on first use."""
        kind = what.name if isinstance(what, Pattern) else "clip"
        name = self._shared.setdefault(what, f"{self._prefix}-{kind}-{len(self._shared) + 1}")
        return f"url(#{name})"

    def _area(self, shape: Circle | Box | Polygon) -> Attributes:
        """Id, fill and outline."""
        if isinstance(shape.fill, Pattern):
            fill = f' fill="{self._refer(shape.fill)}"'
        else:
            fill = _paint("fill", shape.fill) if shape.fill else ' fill="none"'
        outline = _stroke(shape.stroke, shape.width, shape.dash) if shape.stroke else ""
        return f"{self._id(shape)}{fill}{outline}"

    def _circle(self, shape: Circle) -> None:
        place = f' cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.r)}"'
        self._element("circle", place + self._area(shape))

    def _box(self, shape: Box) -> None:
        radius = min(shape.radius, shape.w / 2, shape.h / 2)
        corners = f' rx="{number(radius)}"' if radius else ""
        self._element("rect", _rect(shape) + corners + self._area(shape))

    def _polygon(self, shape: Polygon) -> None:
        self._element("polygon", _points(shape.points) + self._area(shape))

    def _path(self, shape: Line | Polyline, points: tuple[Point, ...]) -> None:
        shaft, outline = _points(strokes.shaft(points, shape.arrow)), _stroke(shape.stroke, shape.width, shape.dash)
        self._element("polyline", f'{self._id(shape)}{shaft} fill="none"{outline}')
        if shape.arrow and len(points) > 1 and points[-1] != points[-2]:
            head = _points(strokes.arrowhead(points[-2], points[-1], shape.arrow))
            self._element("polygon", head + _paint("fill", shape.stroke))

    def _text(self, shape: Text) -> None:
        down = fonts.CAP_HEIGHT / 2 * shape.size if shape.baseline == "middle" else 0.0
        x, y = number(shape.x), number(shape.y)
        turn = f' transform="rotate({number(shape.angle)} {x} {y})"' if shape.angle else ""
        weight = ' font-weight="bold"' if shape.weight == "bold" else ""
        anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
        look = (
            f' x="{x}" y="{number(shape.y + down)}"{turn}'
            f' font-family="{_FONTS[shape.family]}" font-size="{number(shape.size)}"{weight}{anchor}'
            ' xml:space="preserve"'
        )
        if shape.halo:  # a text of its own beneath: not every program knows the order of painting
            self._element("text", f'{look} aria-hidden="true"{_halo(shape.halo, shape.size)}', shape.text)
        self._element("text", self._id(shape) + look + _paint("fill", shape.ink), shape.text)

    def _image(self, shape: Image) -> None:
        """The file itself, so that the drawing needs no other."""
        data = b64encode(Path(shape.file).read_bytes()).decode()
        self._element("image", f'{self._id(shape)}{_rect(shape)} href="data:image/png;base64,{data}"')

    def _mark(self, shape: Mark) -> None:
        self._open(shape)
        for part in marks.parts(shape, self._theme):
            self.write(part)
        self.lines.append("</g>")

    def _group(self, shape: Group) -> None:
        clip = f' clip-path="{self._refer(shape.clip)}"' if shape.clip else ""
        self._open(shape, clip + (f' opacity="{number(shape.opacity)}"' if shape.opacity < 1 else ""))
        for part in shape.shapes:
            self.write(part)
        self.lines.append("</g>")

    def _open(self, shape: Mark | Group, attributes: Attributes = "") -> None:
        moved = f' transform="translate({number(shape.x)} {number(shape.y)})"' if shape.x or shape.y else ""
        self.lines.append(f"<g{self._id(shape)}{moved}{attributes}>")


@lru_cache(maxsize=1024)
def _paint(role: str, colour: Colour) -> Attributes:
    """A colour for "fill" or "stroke"; opacity apart, because not every reader knows eight digits."""
    alpha = rgba(colour)[3]
    return f' {role}="{colour[:7]}"' + (f' {role}-opacity="{number(alpha / 255)}"' if alpha < 255 else "")


@lru_cache(maxsize=1024)
def _stroke(colour: Colour, width: float, dash: Dash) -> Attributes:
    dashes = f' stroke-dasharray="{" ".join(map(number, dash))}"' if dash else ""
    return f'{_paint("stroke", colour)} stroke-width="{number(width)}"{dashes} stroke-linejoin="round"'


def _halo(colour: Colour, size: float) -> Attributes:
    return _paint("fill", colour) + _stroke(colour, HALO * size, ())


def _rect(shape: Box | Image | Rect) -> Attributes:
    x, y, w, h = map(number, (shape.x, shape.y, shape.w, shape.h))
    return f' x="{x}" y="{y}" width="{w}" height="{h}"'


def _points(points: Iterable[Point]) -> Attributes:
    return f' points="{" ".join([f"{number(x)},{number(y)}" for x, y in points])}"'


def _clip(box: Rect, name: str) -> str:
    return f'<clipPath id="{name}"><rect{_rect(box)}/></clipPath>'


def _pattern(pattern: Pattern, name: str) -> str:
    """One period of the pattern."""
    side = number(pattern.pitch)
    ground = f'<rect width="{side}" height="{side}" fill="{pattern.ground}"/>'
    pieces = (f'<polygon{_points(piece)} fill="{pattern.ink}"/>' for piece in strokes.tile(pattern.name, pattern.pitch))
    size = f'width="{side}" height="{side}" patternUnits="userSpaceOnUse"'
    return f'<pattern id="{name}" {size}>{ground}{"".join(pieces)}</pattern>'
