"""Writes pictures as the pages of a PDF file: vectors, with text as text in embedded fonts.

Needs ReportLab. There is no date in the file, so its bytes change only when a picture does.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from visual.drawing import fonts, marks, strokes
from visual.drawing.picking import bounds
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
from visual.drawing.svg import HALO
from visual.drawing.theme import Theme, rgba

POINTS = 72 / 96
"""Points of a pixel of the picture."""

_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_STROKED = 1  # the way of drawing letters that outlines them
_NON_ZERO = 1  # overlapping stripes are filled


class PdfPage(NamedTuple):
    """A picture as one page: its shapes, its size in pixels, and the factor by which these are enlarged."""

    shapes: tuple[Shape, ...]
    size: tuple[float, float]
    theme: Theme
    title: str
    description: str
    background: Colour | None = None
    zoom: float = 1.0


def pdf(pages: Sequence[PdfPage]) -> bytes:
    """A complete PDF document, titled as its first page."""
    from reportlab.pdfgen.canvas import Canvas  # an extra

    file = io.BytesIO()
    canvas = Canvas(file, bottomup=0, invariant=1, pageCompression=1, lang="en")
    canvas.setTitle(pages[0].title)
    canvas.setSubject(" ".join(page.description for page in pages))
    for number, page in enumerate(pages):
        factor = POINTS * page.zoom
        width, height = (side * factor for side in page.size)
        canvas.setPageSize((width, height))
        canvas.init_graphics_state()
        canvas.bookmarkPage(f"page-{number}")
        canvas.addOutlineEntry(page.title, f"page-{number}")
        canvas.scale(factor, factor)
        canvas.setLineJoin(1)
        writer = _Writer(canvas, page.theme)
        if page.background:
            writer.write(Box(0, 0, *page.size, page.background))
        for shape in page.shapes:
            writer.write(shape)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


class _Writer(ShapeWriter):
    """Draws shapes on the canvas, each faded by the opacity of the groups around it."""

    def __init__(self, canvas: Any, theme: Theme, opacity: float = 1.0) -> None:
        self._canvas, self._theme, self._opacity = canvas, theme, opacity

    def _ink(self, colour: Colour) -> None:
        red, green, blue, alpha = (part / 255 for part in rgba(colour))
        self._canvas.setFillColorRGB(red, green, blue, alpha * self._opacity)

    def _pen(self, colour: Colour, width: float, dash: Dash = ()) -> None:
        red, green, blue, alpha = (part / 255 for part in rgba(colour))
        self._canvas.setStrokeColorRGB(red, green, blue, alpha * self._opacity)
        self._canvas.setLineWidth(width)
        self._canvas.setDash(list(dash))

    def _area(self, path: Any, shape: Circle | Box | Polygon) -> None:
        """Fill and outline a closed path."""
        if isinstance(shape.fill, Pattern):
            self._ink(shape.fill.ground)
            self._canvas.drawPath(path, stroke=0, fill=1)
            self._pattern(path, shape.fill, bounds(shape))
        elif shape.fill:
            self._ink(shape.fill)
            self._canvas.drawPath(path, stroke=0, fill=1)
        if shape.stroke and shape.width:
            self._pen(shape.stroke, shape.width, shape.dash)
            self._canvas.drawPath(path, stroke=1, fill=0)

    def _pattern(self, path: Any, pattern: Pattern, box: Rect) -> None:
        """The pattern in every square that the path touches, from the same origin as in an SVG."""
        self._canvas.saveState()
        self._canvas.clipPath(path, stroke=0, fill=0)
        self._ink(pattern.ink)
        pieces = strokes.tile(pattern.name, pattern.pitch)
        tiles = self._canvas.beginPath()
        for left, top in _squares(box, pattern.pitch):
            for piece in pieces:
                _outline(tiles, [(x + left, y + top) for x, y in piece])
        self._canvas.drawPath(tiles, stroke=0, fill=1, fillMode=_NON_ZERO)
        self._canvas.restoreState()

    def _circle(self, shape: Circle) -> None:
        path = self._canvas.beginPath()
        path.circle(shape.x, shape.y, shape.r)
        self._area(path, shape)

    def _box(self, shape: Box) -> None:
        path = self._canvas.beginPath()
        if radius := min(shape.radius, shape.w / 2, shape.h / 2):
            path.roundRect(shape.x, shape.y, shape.w, shape.h, radius)
        else:
            path.rect(shape.x, shape.y, shape.w, shape.h)
        self._area(path, shape)

    def _polygon(self, shape: Polygon) -> None:
        self._area(_outline(self._canvas.beginPath(), shape.points), shape)

    def _path(self, shape: Line | Polyline, points: tuple[Point, ...]) -> None:
        if len(points) < 2:
            return
        self._pen(shape.stroke, shape.width, shape.dash)
        shaft = _outline(self._canvas.beginPath(), strokes.shaft(points, shape.arrow), is_closed=False)
        self._canvas.drawPath(shaft, stroke=1, fill=0)
        if shape.arrow and points[-1] != points[-2]:
            self._ink(shape.stroke)
            head = strokes.arrowhead(points[-2], points[-1], shape.arrow)
            self._canvas.drawPath(_outline(self._canvas.beginPath(), head), stroke=0, fill=1)

    def _text(self, shape: Text) -> None:
        words = _CONTROL.sub("\ufffd", shape.text)
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
        left = -share * fonts.width(shape.text, shape.size, shape.family, shape.weight)
        down = fonts.CAP_HEIGHT / 2 * shape.size if shape.baseline == "middle" else 0.0
        self._canvas.saveState()
        self._canvas.translate(shape.x, shape.y)
        if shape.angle:
            self._canvas.rotate(shape.angle)
        self._canvas.setFont(_font(shape.family, shape.weight), shape.size)
        if shape.halo:
            self._pen(shape.halo, HALO * shape.size)
            self._canvas.drawString(left, down, words, mode=_STROKED)
        self._ink(shape.ink)
        self._canvas.drawString(left, down, words, mode=0)
        self._canvas.restoreState()

    def _image(self, shape: Image) -> None:
        self._canvas.saveState()
        self._canvas.translate(shape.x, shape.y + shape.h)
        self._canvas.scale(1, -1)  # its first line is at the top
        self._canvas.drawImage(shape.file, 0, 0, shape.w, shape.h, mask="auto")
        self._canvas.restoreState()

    def _mark(self, shape: Mark) -> None:
        self._within(marks.parts(shape, self._theme), shape.x, shape.y)

    def _group(self, shape: Group) -> None:
        self._within(shape.shapes, shape.x, shape.y, shape.clip, shape.opacity)

    def _within(
        self, shapes: Iterable[Shape], x: float, y: float, clip: Rect | None = None, opacity: float = 1.0
    ) -> None:
        """The shapes, moved, clipped and faded."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        if clip:
            path = self._canvas.beginPath()
            path.rect(*clip)
            self._canvas.clipPath(path, stroke=0, fill=0)
        inner = _Writer(self._canvas, self._theme, self._opacity * opacity)
        for part in shapes:
            inner.write(part)
        self._canvas.restoreState()


def _outline(path: Any, points: Sequence[Point], *, is_closed: bool = True) -> Any:
    """The path, continued along the points."""
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    if is_closed:
        path.close()
    return path


def _squares(box: Rect, side: float) -> Iterator[Point]:
    """The upper left corners of the squares of a grid from (0, 0) that meet a rectangle."""
    columns = range(math.floor(box.x / side), math.ceil((box.x + box.w) / side))
    rows = range(math.floor(box.y / side), math.ceil((box.y + box.h) / side))
    return ((column * side, row * side) for row in rows for column in columns)


def _font(family: fonts.FontFamily, weight: fonts.Weight) -> str:
    """The name of a font, which ReportLab then knows."""
    from reportlab.pdfbase import pdfmetrics  # an extra
    from reportlab.pdfbase.ttfonts import TTFont

    name = fonts.path(family, weight).stem
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, fonts.path(family, weight)))
    return name
