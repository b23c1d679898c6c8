"""Tools to point with: a pointer, a spotlight, a pen. The magnifier is drawn by the window, from its pixels."""

from __future__ import annotations

from math import cos, pi, sin

from visual.drawing.shapes import Circle, Point, Polygon, Polyline, Shape
from visual.window.panel import Panel, View
from visual.window.state import Interface

POINTER, SPOT, LENS = 0.016, 0.17, 0.2  # shares of the window's height: radii
MAGNIFIED = 2.0  # times, under the magnifier
_PEN = 0.006  # share of the window's height: the width of a line
_DIM = "#000000B0"
_CORNERS = 72  # of the spotlight's edge
_LEAST_MOVE = 0.002  # share of the width or height between two points of a line


def with_tool_at(interface: Interface, x: float, y: float) -> Interface:
    """A copy with the tool at a point of the window."""
    return interface.with_presentation(at=_share(interface, x, y))


def drawn_to(interface: Interface, x: float, y: float, *, begins: bool = False) -> Interface:
    """A copy with a line drawn on to a point of the window, or a new one begun there."""
    strokes, point = interface.presentation.strokes, _share(interface, x, y)
    if begins or not strokes:
        return interface.with_presentation(strokes=(*strokes, (point,)), at=point)
    *_, last = strokes[-1]
    if max(abs(point[0] - last[0]), abs(point[1] - last[1])) < _LEAST_MOVE:
        return interface
    return interface.with_presentation(strokes=(*strokes[:-1], (*strokes[-1], point)), at=point)


def _share(interface: Interface, x: float, y: float) -> Point:
    return x / interface.display.width, y / interface.display.height


def tools(view: View) -> Panel:
    """The lines that have been drawn, and the tool."""
    presentation, region, theme = view.interface.presentation, view.region, view.look.theme
    width = max(_PEN * region.h, 3.0)
    shapes: list[Shape] = []
    for stroke in presentation.strokes:
        points = tuple((x * region.w, y * region.h) for x, y in stroke)
        shapes += _line(points, theme.paper, 1.8 * width) + _line(points, theme.accent, width)
    x, y = presentation.at[0] * region.w, presentation.at[1] * region.h
    if presentation.tool == "spotlight":
        shapes.append(_spotlight(x, y, view))
    if presentation.tool in ("pointer", "pen"):
        radius = POINTER * region.h * (1.0 if presentation.tool == "pointer" else 0.4)
        shapes.append(Circle(x, y, radius, theme.accent, theme.paper, max(0.25 * radius, 3.0)))
    return Panel(tuple(shapes))


def _line(points: tuple[Point, ...], ink: str, width: float) -> list[Shape]:
    """A line with round ends; a dot if it has one point."""
    ends: list[Shape] = [Circle(x, y, width / 2, ink) for x, y in (points[0], points[-1])]
    return [*ends, Polyline(points, ink, width)]


def _spotlight(x: float, y: float, view: View) -> Polygon:
    """The window but for a circle, darkened: an outline that goes round the edge and back along the circle."""
    _, _, w, h = view.region
    angles = [pi / 2 - 2 * pi * place / _CORNERS for place in range(_CORNERS + 1)]
    circle = [(x + SPOT * h * cos(angle), y + SPOT * h * sin(angle)) for angle in angles]
    return Polygon(((x, h), (0, h), (0, 0), (w, 0), (w, h), (x, h), *circle), _DIM)
