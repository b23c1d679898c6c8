"""Shapes without a display: their bounds, the shape under the pointer, the measures of text."""

import itertools
import math

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from visual.drawing import fonts, marks, strokes
from visual.drawing.picking import MARK_TARGET, bounds, contains, pick
from visual.drawing.shapes import FAMILIES, Box, Circle, Group, Line, Mark, Polygon, Polyline, Rect, Text
from visual.drawing.theme import load

FONTS = list(itertools.product(("sans", "mono"), ("normal", "bold")))
WORDS = st.text("abcdefghij klmno PQRSTU 0123,. Δγτ⊥⊕∅→≤", max_size=60)


@pytest.mark.parametrize(("family", "weight"), FONTS)
def test_widths_are_those_another_reader_finds_in_the_font(family, weight):
    font = TTFont(fonts.path(family, weight))
    units, metrics = font["head"].unitsPerEm, font["hmtx"]
    for code, glyph in font.getBestCmap().items():
        if code <= 0xFFFF:
            assert fonts.width(chr(code), units, family, weight) == metrics[glyph][0]
    lacking = "\U0001f600" if 0x1F600 not in font.getBestCmap() else "\u4e00"
    assert fonts.width(lacking, units, family, weight) == metrics[".notdef"][0]


@given(WORDS, st.sampled_from((9, 18, 36.5)))
def test_width_adds_up_and_grows_with_the_size(text, size):
    assert fonts.width(text, size) == pytest.approx(sum(fonts.width(letter, size) for letter in text))
    assert fonts.width(text, 2 * size) == pytest.approx(2 * fonts.width(text, size))


@given(WORDS, st.floats(20, 400))
def test_shortened_text_fits_and_is_not_shorter_than_needed(text, room):
    shown = fonts.shorten(text, room, 16)
    assert fonts.width(shown, 16) <= room
    if shown != text:
        kept = shown.removesuffix("…")
        assert shown.endswith("…")
        assert text.startswith(kept)
        assert fonts.width(text, 16) > room
        rest = text[len(kept) :].lstrip(" ,;:")
        most = 8 if text[len(kept) : len(kept) + 1] in tuple(" ,;:") else 0  # letters of the next word may be left out
        more = text[: len(text) - len(rest) + most + 1]
        assert fonts.width(more + "…", 16) > room


@pytest.mark.parametrize(
    ("text", "shown", "more"),
    [
        ("A process asks all others before it enters.", "A process asks all others…", 12),
        ("variants: keeps, forgets to ask", "variants: keeps, forgets…", 12),
        ("a Donaudampfschiffahrtsgesellschaft", "a Donaudampfschiffahrtsg…", 1),
    ],
)
def test_a_text_is_cut_between_words_but_for_a_long_word(text, shown, more):
    """There is room for `more` pixels: for a few letters of the next word."""
    assert fonts.shorten(text, fonts.width(shown, 16) + more, 16) == shown


@given(WORDS, st.floats(20, 400))
def test_wrapped_text_fits_and_keeps_every_letter_in_order(text, room):
    lines = fonts.wrap(text, room, 16)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(fonts.fits(line, room, 16) for line in lines)


def test_wrapping_breaks_inside_a_word_only_where_it_must():
    assert fonts.wrap("a deferred reply is not a refusal", 130, 16) == ["a deferred reply", "is not a refusal"]
    assert len(fonts.wrap("incomprehensibilities", 100, 16)) == 2


def test_shrunk_text_fits_down_to_a_least_size():
    size = fonts.shrink("a deferred reply", 80, 20, 5)
    assert fonts.width("a deferred reply", size) == pytest.approx(80)
    assert fonts.shrink("a deferred reply", 80, 20, 16) == 16
    assert fonts.shrink("a", 80, 20, 5) == 20


@given(WORDS, st.floats(20, 400))
def test_shrunk_text_is_not_shortened_by_a_rounding(text, room):
    assert fonts.shorten(text, room, fonts.shrink(text, room, 40, 0.1)) == text


BOUNDED = [
    (Circle(10, 20, 5, "#000000"), Rect(5, 15, 10, 10)),
    (Circle(10, 20, 5, None, "#000000", 4), Rect(3, 13, 14, 14)),
    (Line(0, 0, 30, 40, "#000000", 2), Rect(-1, -1, 32, 42)),
    (Line(0, 0, 30, 0, "#000000", 2, arrow=10), Rect(-5, -5, 40, 10)),
    (Polyline(((0, 0), (5, 8), (9, 1)), "#000000", 2), Rect(-1, -1, 11, 10)),
    (Polygon(((0, 0), (5, 8), (9, 1)), "#000000"), Rect(0, 0, 9, 8)),
    (Box(1, 2, 3, 4, "#000000", "#000000", 2), Rect(0, 1, 5, 6)),
    (Group((Circle(0, 0, 5, "#000000"), Circle(9, 0, 1, "#000000")), 100, 200), Rect(95, 195, 15, 10)),
    (Group((Circle(0, 0, 5, "#000000"),), 100, 200, Rect(0, 0, 50, 2)), Rect(100, 200, 5, 2)),
    (Group(()), Rect(0, 0, 0, 0)),
]


@pytest.mark.parametrize(("shape", "expected"), BOUNDED, ids=lambda value: type(value).__name__)
def test_bounds(shape, expected):
    assert bounds(shape) == expected


@given(st.sampled_from(("start", "middle", "end")), st.sampled_from(("baseline", "middle")))
def test_text_is_bounded_around_its_anchor(anchor, baseline):
    text = Text(100, 50, "reply 4,1", 20, "#000000", anchor=anchor, baseline=baseline)
    x, y, w, h = bounds(text)
    assert (w, h) == pytest.approx((fonts.width("reply 4,1", 20), 20))
    assert x == pytest.approx({"start": 100, "middle": 100 - w / 2, "end": 100 - w}[anchor])
    middle_of_capitals = y + 0.76 * 20 - fonts.CAP_HEIGHT * 20 / 2
    assert middle_of_capitals == pytest.approx(50 if baseline == "middle" else 50 - fonts.CAP_HEIGHT * 20 / 2)


def test_turned_text_is_bounded_where_it_is_turned_to():
    level = bounds(Text(0, 0, "reply", 20, "#000000"))
    upright = bounds(Text(0, 0, "reply", 20, "#000000", angle=90))
    assert (upright.w, upright.h) == pytest.approx((level.h, level.w))
    assert upright.y == pytest.approx(0)


MARKS = st.builds(
    Mark,
    x=st.floats(-500, 500),
    y=st.floats(-500, 500),
    family=st.sampled_from(FAMILIES),
    label=st.sampled_from(("", "ask 4,1", "acknowledgement 12,345")),
    size=st.floats(8, 40),
    form=st.sampled_from(("pill", "dot")),
    toward=st.none() | st.floats(0, 359),
)


@given(MARKS)
def test_bounds_of_a_message_are_those_of_its_parts(mark):
    left, top, w, h = bounds(Group(marks.body(mark, load("light")), mark.x, mark.y))
    x, y, width, height = bounds(mark)
    beyond = (left - x, top - y, x + width - left - w, y + height - top - h)
    assert all(-0.01 * mark.size <= side <= 0.35 * mark.size for side in beyond)


@given(MARKS.filter(lambda mark: mark.toward is not None))
def test_arrow_leaves_the_message_in_its_direction_and_keeps_clear_of_its_label(mark):
    theme = load("light")
    *_, line = (part for part in marks.parts(mark, theme) if isinstance(part, Line))
    angle = math.radians(mark.toward)
    assert math.atan2(line.y2, line.x2) == pytest.approx(math.atan2(math.sin(angle), math.cos(angle)), abs=1e-6)
    assert math.hypot(line.x2, line.y2) > math.hypot(line.x1, line.y1)
    if mark.form == "pill":
        assert abs(line.y1) <= mark.size * 1.001
    elif mark.label:
        (label,) = (part for part in marks.body(mark, theme) if isinstance(part, Text))
        assert line.x2 * (bounds(label).x + bounds(label).w / 2) <= 1e-6


@given(MARKS, st.floats(-MARK_TARGET / 2, MARK_TARGET / 2), st.floats(-MARK_TARGET / 2, MARK_TARGET / 2))
def test_a_message_is_hit_within_its_target_however_small_it_is(mark, dx, dy):
    assert pick([mark._replace(id="m")], mark.x + dx * 0.99, mark.y + dy * 0.99, reach=0) == "m"


def test_topmost_shape_is_picked():
    disc, box = Circle(0, 0, 10, "#000000", id="disc"), Box(-5, -5, 40, 10, "#000000", id="box")
    assert pick([disc, box], 0, 0) == "box"
    assert pick([box, disc], 0, 0) == "disc"
    assert pick([box, disc], 30, 0) == "box"


def test_shapes_without_an_id_are_looked_through():
    disc, cover = Circle(0, 0, 10, "#000000", id="disc"), Box(-50, -50, 100, 100, "#000000")
    assert pick([disc, cover], 0, 0) == "disc"


def test_what_is_covered_wins_over_what_is_near():
    small, large = Circle(12, 0, 2, "#000000", id="near"), Circle(0, 0, 9, "#000000", id="under")
    assert pick([large, small], 8, 0, reach=6) == "under"
    assert pick([large, small], 9.6, 0, reach=6) == "near"
    assert pick([large, small], 9.4, 0, reach=6) == "under"
    assert pick([large, small], 30, 0, reach=6) == ""


def test_thin_lines_are_hit_from_both_sides():
    lines = [Line(0, 0, 100, 100, "#000000", 1, id="a"), Polyline(((0, 50), (50, 50), (50, 90)), "#000000", 1, id="b")]
    assert pick(lines, 72, 78, reach=6) == "a"
    assert pick(lines, 20, 46, reach=6) == "b"
    assert pick(lines, 54, 80, reach=6) == "b"
    assert pick(lines, 20, 43, reach=6) == ""


def test_polygon_is_hit_inside_and_not_in_its_bay():
    horseshoe = Polygon(((0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (10, 10), (10, 30), (0, 30)), "#000000", id="u")
    assert pick([horseshoe], 5, 25, reach=0) == "u"
    assert pick([horseshoe], 15, 25, reach=0) == ""
    assert pick([horseshoe], 15, 5, reach=0) == "u"


def test_group_moves_owns_and_clips_what_is_in_it():
    inner = Group((Circle(0, 0, 10, "#000000"), Circle(40, 0, 10, "#000000", id="own")), 10, 0)
    outer = Group((inner,), 100, 50, clip=Rect(0, -5, 100, 10), id="outer")
    assert pick([outer], 110, 50) == "outer"
    assert pick([outer], 150, 50) == "own"
    assert pick([outer], 110, 57) == ""
    assert pick([outer], 10, 0) == ""


@given(st.floats(0, 300), st.tuples(st.floats(1, 20), st.floats(1, 20)))
def test_dashes_cover_their_share_of_a_path(length, dash):
    path = ((0.0, 0.0), (length / 2, 0.0), (length / 2, length / 2))
    drawn = sum(math.dist(a, b) for piece in strokes.dashes(path, dash) for a, b in itertools.pairwise(piece))
    periods, rest = divmod(length, sum(dash))
    assert drawn == pytest.approx(periods * dash[0] + min(rest, dash[0]), abs=1e-6)


def test_dashes_keep_joints():
    path = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    assert list(strokes.dashes(path, (14.0, 2.0))) == [
        ((0.0, 0.0), (10.0, 0.0), (10.0, 4.0)),
        ((10.0, 6.0), (10.0, 10.0)),
    ]
    assert list(strokes.dashes(path, ())) == [path]


def test_arrowhead_ends_at_the_tip_and_covers_the_end_of_the_shaft():
    tip, left, right = strokes.arrowhead((0, 0), (100, 0), 10)
    assert tip == (100, 0)
    assert {left[0], right[0]} == {90}
    assert left[1] == -right[1]
    assert 90 < strokes.shaft(((0, 0), (100, 0)), 10)[-1][0] < 100


@given(st.floats(0, 40))
def test_rounded_outline_stays_inside_its_box_and_touches_every_side(radius):
    path = strokes.box_path(10, 20, 60, 30, radius)
    assert path[0] == pytest.approx(path[-1])
    assert all(contains(Rect(9.999, 19.999, 60.002, 30.002), x, y) for x, y in path)
    xs, ys = zip(*path, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((10, 70, 20, 50))


def test_a_word_is_broken_after_its_dashes_before_it_is_broken_anywhere():
    room = fonts.width("Agrawala", 20.0) + 1
    assert fonts.wrap("Ricart–Agrawala", room, 20.0) == ["Ricart–", "Agrawala"]
