"""Shapes for a web page: each once, with all that is drawn, as the page's own program expects them."""

from __future__ import annotations

import json
import math
import re
from itertools import product

import pytest

from tests.support.sources import ROOT
from visual.drawing import marks, strokes, svg
from visual.drawing.encoding import ANCHORS, KINDS, Pool, ShapeStream, Writer
from visual.drawing.shapes import Box, Circle, Group, Image, Line, Mark, Pattern, Polygon, Polyline, Rect, Text
from visual.drawing.theme import load

DRAW = (ROOT / "assets" / "web" / "draw.js").read_text("utf-8")
SHAPES = [
    Circle(1, 2, 3, "#112233"),
    Line(0, 0, 5.004, 7, "#112233", arrow=4),
    Polyline(((0, 0), (1, 1), (2, 0)), "#112233", dash=(4, 2)),
    Polygon(((0, 0), (1, 1), (2, 0)), Pattern("hatch", "#000000", "#FFFFFF")),
    Box(0, 0, 10, 4, "#112233", radius=9),
    Text(1, 2, "P3", 15, "#112233", "bold", "mono", "middle", halo="#FFFFFF", angle=90),
    Mark(5, 5, "ask", "request", 12, toward=30),
]


def test_a_shape_has_the_number_of_its_kind_and_its_values():
    pool = Pool(load("light"))
    values = [pool.values[number] for number in pool.picture(SHAPES)]
    assert [KINDS[value[0]] for value in values] == ["circle", "path", "path", "polygon", "box", "text", "group"]
    assert values[1] == [1, [0, 0, 5, 7], "#112233", 2, [], 4]
    assert values[3][2] == ["hatch", "#000000", "#FFFFFF", 11]
    assert values[4][5] == 2, "half of the smaller side"
    assert values[5][:3] == [4, "P3", 1]
    assert values[5][7:] == [1, 1, ANCHORS.index("middle"), "#FFFFFF", 90]
    assert values[6][1:3] == [5, 5], "a message moves as a whole"
    json.dumps(values)


def test_equal_shapes_are_kept_once():
    pool = Pool(load("light"))
    first = pool.picture([*SHAPES, *SHAPES])
    assert first[: len(SHAPES)] == first[len(SHAPES) :]
    count = len(pool.values)
    moved = [Group(tuple(SHAPES), x=7.0), Circle(1.0, 2.0, 3.001, "#112233")]
    assert pool.picture(moved)[1] == first[0], "the same to a tenth of a pixel"
    assert len(pool.values) == count + 1


def test_a_group_with_a_key_is_known_by_it_and_brings_its_extent():
    pool = Pool(load("light"))
    (number,) = pool.picture([Group((Circle(10, 10, 4, "#112233", None),), x=3, key="lights")])
    assert pool.values[number][:6] == [5, 3, 0, None, 1.0, [6, 6, 8, 8]]
    assert pool.picture([Group((), x=3, key="lights")]) == [number], "its shapes are not looked at again"
    (other,) = pool.picture([Group((Circle(10, 10, 4),), clip=Rect(0, 0, 5, 5), key="lights")])
    assert pool.values[other][5] == [0, 0, 5, 5]
    (plain,) = pool.picture([Group((Circle(10, 10, 4),))])
    assert pool.values[plain][5] is None


def seen(kept: dict[int, list], shapes: list) -> list[str]:
    """The texts that a page draws, which knows these groups."""
    texts: list[str] = []
    for shape in shapes:
        kind = KINDS[shape[0]]
        texts += [shape[1]] if kind == "text" else []
        texts += seen(kept, shape[6]) if kind == "group" else []
        texts += seen(kept, [kept[shape[1]]]) if kind == "kept" else []
    return texts


def test_a_page_knows_every_group_that_it_is_asked_to_draw():
    """Also those in a panel that outlives the messages it was sent with, when it is drawn anew after a long time."""
    stream, kept = ShapeStream(load("light")), {}
    for k in range(700):
        mark = Mark(k, 5, "ask", f"label {k}", 12, toward=float(7 * k))
        panel = Group((Text(0, 0, "legend", 9, "#112233"), Mark(0, 0, "grant", "sample", 12, toward=30)), key="panel")
        fresh, gone, draw = stream.picture([panel, Group((mark, Mark(9, 9, "token", "always", 12)), x=3.0)])
        for number in gone:
            del kept[number]
        kept.update(fresh)
        assert seen(kept, draw) == ["legend", "sample", mark.label, "always"]
    assert len(kept) < 800, "what has not been drawn for long is forgotten"


def test_a_message_of_a_stream_is_where_it_is_by_itself():
    theme, stream, kept = load("light"), ShapeStream(load("light")), {}
    for form, toward in product(("pill", "dot"), (None, 0.0, 33.0, 190.0)):
        mark = Mark(100.26, 50.04, "announce", "ok", 12, form, toward)
        fresh, _, draw = stream.picture([mark])
        kept.update(fresh)
        assert draw == stream.picture([mark])[2], "the same once it is known"
        *arrow, (_, number, x, y) = draw
        assert (x, y) == (100.3, 50)
        assert kept[number][6] == Writer(theme).encoded(marks.body(mark, theme))
        assert len(arrow) == (toward is not None)
        for _, number, x, y in arrow:
            assert math.dist((x, y), (100.26 + marks.arrow_start(mark)[0], 50.04 + marks.arrow_start(mark)[1])) < 0.1
            x, y = kept[number][6][0][1][2:]
            assert math.dist((x, y), marks.arrow(mark, theme)[2:4]) < 0.05 * mark.size


def test_an_image_is_refused():
    with pytest.raises(KeyError):
        Pool(load("light")).picture([Image(0, 0, 1, 1, "plot.png")])


def test_what_is_half_way_and_what_is_not():
    pool = Pool(load("light"))

    def at(x: float, label: str = "ok"):
        return pool.picture([SHAPES[0], Mark(x, 0, "ask", label, 12)])

    assert pool.distance_from_straight(at(0), at(10), at(5)) == 0
    assert pool.distance_from_straight(at(0), at(10), at(8)) == pytest.approx(3)
    assert pool.distance_from_straight(at(0), at(10), at(5, "no")) == float("inf")
    assert pool.distance_from_straight(at(0), at(10), at(5)[:1]) == float("inf")


def test_the_page_draws_with_the_same_measures():
    """The numbers in draw.js that Python has, too."""
    found = {name: float(value) for name, value in re.findall(r"\b([A-Z]+) = ([\d.]+)[,;]", DRAW)}
    assert found["HALO"] == svg.HALO
    assert found["SPREAD"] == strokes._ARROW_SPREAD
    tiles = re.search(r"const TILES = \{(.*?)\n\};", DRAW, re.S)
    assert tiles
    assert set(re.findall(r"^  (\w+):", tiles[1], re.M)) == {"hatch", "backhatch", "crosshatch", "dots", "bars"}
    ways = re.search(r"const WAYS = \[(.*?)\n\];", DRAW, re.S)
    assert ways
    assert len(re.findall(r"^  \(p, g, ", ways[1], re.M)) == len(KINDS)
