"""A picture with every kind of shape in it, to be written as SVG and PNG."""

from __future__ import annotations

from visual.drawing import export
from visual.drawing.export import Picture
from visual.drawing.shapes import FAMILIES, Box, Circle, Group, Line, Mark, Pattern, Polygon, Polyline, Rect, Text
from visual.drawing.theme import load

HATCH = Pattern("hatch", "#E69F00", "#FFFFFF")
SHAPES = (
    Circle(60, 60, 30, HATCH, "#000000", 3, id="node 0"),
    Circle(160, 60, 30, "#0072B280", "#0072B2", 5, (6, 4), id="node 1"),
    Line(95, 60, 125, 62, "#000000", 2, arrow=10, id="edge"),
    Polyline(((20, 120), (60, 120), (60, 150), (110, 150)), "#D55E00", 3),
    Polygon(((130, 110), (190, 120), (150, 160)), Pattern("dots", "#000000", "#FFFFFF", 6), "#000000"),
    Box(210, 20, 80, 40, "#F6F6F4", "#1A1A1A", 2, 8, id="card"),
    Text(250, 40, "P0 < P1 & →", 14, "#1A1A1A", "bold", anchor="middle", baseline="middle"),
    Text(220, 90, "ask 4,1", 14, "#0072B2", halo="#FFFFFF", angle=12),
    Group(
        (Box(0, 0, 100, 100, HATCH), Text(5, 15, "clipped", 12, "#000000", family="mono")),
        210,
        120,
        Rect(0, 0, 60, 30),
        0.5,
        id="group",
    ),
    *(Mark(40 + 50 * i, 200, family, "", 14, id=f"message {i}") for i, family in enumerate(FAMILIES)),
    Mark(80, 240, "ask", "ask 4,1", 14, toward=30, id="node 0"),
)


def picture(**changes) -> Picture:
    plain = {"shapes": SHAPES, "size": (300, 270), "theme": load("light"), "name": "two ask", "title": "Two <ask>"}
    return Picture(**{**plain, "background": "#FFFFFF", "description": "P0 & P1", **changes})


def text_of(a_picture: Picture) -> str:
    return export.encode(a_picture, "svg").decode("utf-8")
