"""What the painter puts on a surface: where it should be, smooth, and the same whether remembered or drawn afresh."""

import json
import math
import os
import subprocess
import sys

import pygame
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.benchmarks import frame
from visual.drawing import fonts
from visual.drawing.paint import Painter, render
from visual.drawing.paint.raster import nearest
from visual.drawing.paint.sprites import Cache
from visual.drawing.picking import bounds, pick
from visual.drawing.shapes import (
    FAMILIES,
    Box,
    Circle,
    Group,
    Image,
    Line,
    Mark,
    Pattern,
    Polygon,
    Polyline,
    Rect,
    Text,
)
from visual.drawing.svg import svg
from visual.drawing.theme import load

SIZE = (160, 120)
ROOMY = (300, 260)  # room for whatever shapes hypothesis makes, moved by 60 pixels: nothing is cut off at an edge
THOROUGH = settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink])
LIGHT = load("light")
INK, PAPER = "#000000", "#FFFFFF"

NUMBERS = st.integers(-10, 130)
COLOURS = st.sampled_from(("#E69F00", "#0072B2", "#1A1A1A", "#009E7380"))
FILLS = st.none() | COLOURS | st.sampled_from((Pattern("hatch", "#E69F00", "#FFFFFF"), Pattern("dots", INK, PAPER, 6)))
STROKES = st.none() | COLOURS
WIDTHS = st.sampled_from((1.0, 1.5, 3.0, 6.0))
DASHES = st.sampled_from(((), (), (6.0, 4.0)))
POINTS = st.tuples(NUMBERS, NUMBERS)
WORDS = st.sampled_from(("", "reply", "ask 4,1", "IN CS"))
SIDES = st.integers(1, 90)


def shapes_of(kind, *fields):
    """Shapes of one kind with its first fields drawn from these; the others keep their defaults."""
    return st.tuples(*fields).map(lambda values: kind(*values))


PLAIN = st.one_of(
    shapes_of(Circle, NUMBERS, NUMBERS, st.integers(1, 40), FILLS, STROKES, WIDTHS, DASHES),
    shapes_of(Line, NUMBERS, NUMBERS, NUMBERS, NUMBERS, COLOURS, WIDTHS, DASHES, st.sampled_from((0.0, 9.0))),
    shapes_of(Polyline, st.lists(POINTS, min_size=2, max_size=30).map(tuple), COLOURS, WIDTHS, DASHES),
    shapes_of(Polygon, st.lists(POINTS, min_size=3, max_size=6).map(tuple), FILLS, STROKES, WIDTHS, DASHES),
    shapes_of(Box, NUMBERS, NUMBERS, SIDES, SIDES, FILLS, STROKES, WIDTHS, st.integers(0, 20), DASHES),
    shapes_of(Text, NUMBERS, NUMBERS, WORDS, st.sampled_from((11.0, 18.5)), COLOURS),
    shapes_of(
        Mark,
        NUMBERS,
        NUMBERS,
        st.sampled_from(FAMILIES),
        WORDS,
        st.just(11.0),
        st.sampled_from(("pill", "dot")),
        st.none() | st.integers(0, 359),
    ),
)


def painted(*shapes, scale=1.0, background=PAPER, size=SIZE) -> pygame.Surface:
    return render(shapes, size, LIGHT, scale, background)


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGBA")


def coverage(surface: pygame.Surface) -> float:
    """The number of pixels of black ink on white, soft edges counted by their share."""
    return sum((255 - value) / 255 for value in pixels(surface)[::4])


def inked(surface: pygame.Surface) -> pygame.Rect:
    """The rectangle of everything that is not white."""
    mask = pygame.mask.from_threshold(surface, PAPER, (1, 1, 1, 255))
    mask.invert()
    boxes = mask.get_bounding_rects()
    return boxes[0].unionall(boxes[1:])


def largest_difference(one: pygame.Surface, other: pygame.Surface) -> int:
    if pixels(one) == pixels(other):
        return 0
    return max(abs(a - b) for a, b in zip(pixels(one), pixels(other), strict=True))


SHOWN = [
    Circle(80, 60, 30, INK),
    Circle(80, 60, 30, None, INK, 5),
    Circle(80, 60, 30, None, INK, 3, (6, 4)),
    Line(20, 30, 140, 100, INK, 4),
    Line(20, 30, 140, 31, INK, 2, arrow=12),
    Line(20, 60, 140, 60, INK, 3),
    Polyline(((20, 30), (60, 90), (70, 40), (140, 40)), INK, 3),
    Polyline(tuple((20 + i, 60 + 30 * math.sin(i / 7)) for i in range(120)), INK, 2),
    Polygon(((20, 30), (140, 50), (60, 100)), INK),
    Polygon(((20, 30), (140, 50), (60, 100)), None, INK, 4),
    Box(20, 30, 100, 50, INK),
    Box(20, 30, 100, 50, None, INK, 3, 12),
    Box(20, 30, 100, 51, None, INK, 2, 25, (7, 4)),
    Box(20, 30, 100, 50, Pattern("bars", INK, "#CCCCCC")),
    Mark(80, 60, "announce", "reply", 15),
]


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("shape", SHOWN, ids=lambda shape: type(shape).__name__)
def test_shapes_fill_their_bounds_and_no_more(shape, scale):
    x, y, w, h = (length * scale for length in bounds(shape))
    box = inked(painted(shape, scale=scale))
    is_line = isinstance(shape, Line | Polyline)
    slack = 2 + scale * max(shape.width, shape.arrow) / 2 if is_line else 2  # bounds allow for ends in any direction
    assert x - 2 <= box.left <= x + slack
    assert y - 2 <= box.top <= y + slack
    assert x + w - slack <= box.right <= x + w + 2
    assert y + h - slack <= box.bottom <= y + h + 2


@pytest.mark.parametrize("width", [1.0, 1.5, 2.0, 3.0, 5.0])
def test_lines_are_as_thick_as_they_should_be_in_every_direction(width):
    for angle in range(0, 360, 17):
        dx, dy = 50 * math.cos(math.radians(angle)), 50 * math.sin(math.radians(angle))
        line = Line(80 - dx, 60 - dy, 80 + dx, 60 + dy, INK, width)
        thickness = coverage(painted(line)) / 100
        allowed = 0.5 if angle == 0 else 0.3  # a level line falls on whole pixels
        assert thickness == pytest.approx(width, abs=allowed), angle


def test_discs_and_rings_have_the_right_area_and_soft_edges():
    disc = painted(Circle(80, 60, 30, INK))
    assert coverage(disc) == pytest.approx(math.pi * 30**2, rel=0.01)
    assert 100 < sum(0 < value < 255 for value in pixels(disc)[::4]) < 400
    ring = painted(Circle(80, 60, 30, None, INK, 4))
    assert coverage(ring) == pytest.approx(math.pi * (32**2 - 28**2), rel=0.02)
    assert ring.get_at((80, 60)) == pygame.Color(PAPER)


def test_dashed_rings_leave_gaps():
    solid, dashed = (coverage(painted(Circle(80, 60, 30, None, INK, 4, dash))) for dash in ((), (6, 6)))
    assert dashed == pytest.approx(solid / 2, rel=0.1)


def test_boxes_are_crisp_and_round_only_at_their_corners():
    box = painted(Box(20, 30, 100, 50, "#E69F00", INK, 2, 10))
    assert [box.get_at((70, y)) for y in (28, 29, 30, 31)] == list(map(pygame.Color, (PAPER, INK, INK, "#E69F00")))
    assert box.get_at((20, 30)) == pygame.Color(PAPER)


def test_neighbouring_boxes_leave_no_gap_at_any_scale():
    halves = Box(10, 10, 33.3, 40, INK), Box(43.3, 10, 50, 40, INK)
    for scale in (1.0, 1.25, 1.7, 2.0):
        surface = painted(*halves, scale=scale)
        row = [surface.get_at((x, round(30 * scale))).r for x in range(round(12 * scale), round(90 * scale))]
        assert not any(row)


def test_patterns_show_ink_and_ground_and_keep_to_the_shape():
    surface = painted(Circle(80, 60, 30, Pattern("hatch", INK, "#E69F00")))
    inside = {tuple(surface.get_at((x, 60)))[:3] for x in range(60, 100)}
    assert {(0, 0, 0), (230, 159, 0)} <= inside
    assert inked(surface).w <= 62


@pytest.mark.parametrize("text", ["reply", "P2 defers P3’s request: (3,2)", "iiiiiiiiiiiiiiiiiiiiiiiii", "Δγτ⊥⊕∅→≤"])
@pytest.mark.parametrize("size", [11, 18, 19.5, 34])
def test_text_is_as_wide_as_measured(text, size):
    between = Text(10, 60, f"|{text}|", size, INK)
    with_bars, bar = (inked(painted(shape, size=(1000, 120))).w for shape in (between, between._replace(text="|")))
    assert with_bars - bar == pytest.approx(fonts.width(f"|{text}", size), abs=1.5)


@pytest.mark.parametrize(("anchor", "middle"), [("start", 120), ("middle", 80), ("end", 40)])
def test_text_stands_at_its_anchor(anchor, middle):
    length = fonts.width("HHHHHH", 18)
    surface = painted(Text(80, 60, "HHHHHH", 18, INK, anchor=anchor, baseline="middle"))
    box = inked(surface)
    assert box.centerx == pytest.approx(80 + (middle - 80) / 40 * length / 2, abs=1.5)
    assert box.centery == pytest.approx(60, abs=1)


def test_turned_text_runs_in_its_direction():
    box = inked(painted(Text(80, 10, "reply 4,1", 18, INK, angle=90)))
    assert box.h == pytest.approx(fonts.width("reply 4,1", 18), abs=4)
    assert box.left >= 74
    assert box.right <= 98


def test_halo_clears_the_lines_under_a_text():
    ground = Box(0, 50, 160, 10, "#E69F00")
    plain = painted(ground, Text(80, 60, "reply", 18, INK, anchor="middle"))
    haloed = painted(ground, Text(80, 60, "reply", 18, INK, anchor="middle", halo=PAPER))
    band = pygame.Rect(0, 51, 160, 8)
    cleared = [pixels(surface.subsurface(band)).count(b"\xff\xff\xff\xff") for surface in (plain, haloed)]
    assert cleared[0] == 0
    assert cleared[1] > 30


@THOROUGH
@given(st.lists(PLAIN, max_size=6), st.lists(PLAIN, max_size=6), st.sampled_from((PAPER, None)))
def test_a_picture_does_not_depend_on_what_was_drawn_before(first, second, background):
    painter = Painter(LIGHT)
    for shapes in (first, second, first):
        surface = render([], SIZE, LIGHT, 1, background)
        painter.draw(surface, shapes)
        assert pixels(surface) == pixels(painted(*shapes, background=background))


AT_45_DEGREES = Line(6, 55, 30, 79, INK, 6.0, arrow=9.0)  # rounding must not decide which end is cut
DASHED = Polygon(((5, 7), (114, 116), (38, 121), (107, 77), (20, 70), (123, 68)), None, INK, 1.5, (6.0, 4.0))
FIVE_DASHES = Polygon(((16.3, 30), (52.3, 78), (100.3, 42)), None, INK, 2.0, (8.0, 4.0))  # to a side of length 60
FOUR_FIFTHS = Line(82, 46, 132, 83.5, INK, 3.0, arrow=12.5)  # its head has a corner on a quarter of a pixel
OVER_THE_EDGE = Mark(4, 12, "grant", "ask 4,1", 15.0, "dot", 328)  # begins left of the first pixel of a kept surface


@THOROUGH
@given(st.lists(PLAIN, max_size=6).map(tuple), st.integers(-20, 20), st.integers(-20, 20))
@example((AT_45_DEGREES,), -6, -10)
@example((DASHED,), -14, 20)
@example((FIVE_DASHES,), -4, 0)
@example((FOUR_FIFTHS,), -20, 0)
@example((OVER_THE_EDGE,), -15, 16)
def test_a_kept_group_looks_as_its_shapes_do(shapes, x, y):
    ground = Box(-60, -60, *ROOMY, "#F6F6F4")
    plain = Group((ground, *shapes), 80 + x, 80 + y, Rect(-60, -60, *ROOMY))
    one, other = (painted(group, size=(340, 300)) for group in (plain, plain._replace(key="kept")))
    assert largest_difference(one, other) <= 20, "pygame's soft lines count in 32 bits, and many may cross in a point"


def test_halves_go_up_wherever_they_are():
    place = -25 * 1.1  # a hair below -27.5, unlike what comes of it farther to the right
    assert {nearest(place + moved) - moved for moved in range(2000)} == {-27}


def test_a_kept_group_is_drawn_from_memory_wherever_it_goes():
    painter, box, disc = Painter(LIGHT), Box(0, 0, 9, 9, INK), Circle(4, 4, 4, INK)
    surfaces = [painted(), painted(), painted()]
    painter.draw(surfaces[0], [Group((box,), 10, 10, key="first")])
    painter.draw(surfaces[1], [Group((disc,), 30, 20, key="first")])
    painter.draw(surfaces[2], [Group((disc,), 30, 20, key="second")])
    assert pixels(surfaces[1]) == pixels(painted(Group((box,), 30, 20)))
    assert pixels(surfaces[2]) == pixels(painted(Group((disc,), 30, 20)))


def test_what_is_patient_comes_with_later_pictures_also_within_what_is_kept():
    painter = Painter(LIGHT)
    discs = [Group((Circle(20 + 40 * i, 20, 9, INK),), key=("disc", i), patient=True) for i in range(3)]
    whole = Group((Box(0, 0, *SIZE, PAPER), *discs), key="whole")
    drawn = []
    while not drawn or painter.is_behind:
        drawn.append(painted())
        painter.draw(drawn[-1], [whole], seconds=1e-9)
        assert len(drawn) <= len(discs), "in every picture there is time for one"
    shares = [coverage(surface) for surface in drawn]
    assert shares == sorted(set(shares))
    assert pixels(drawn[-1]) == pixels(painted(whole))


def test_a_group_larger_than_can_be_kept_is_drawn_all_the_same():
    lines = tuple(Line(0, 100 * i, 5000, 100 * i + 60, INK) for i in range(60))
    assert pixels(painted(Group(lines, key="vast"))) == pixels(painted(*lines))


def test_clip_keeps_a_group_inside_and_ends_with_it():
    disc = Circle(50, 50, 40, INK)
    clipped = Group((disc,), clip=Rect(20, 30, 30, 10))
    surface = painted(clipped, Line(0, 110, 160, 110, INK))
    assert inked(painted(clipped)) == pygame.Rect(20, 30, 30, 10)
    assert surface.get_at((150, 109)) == pygame.Color(INK)


@pytest.mark.parametrize("key", [None, "kept"])
def test_opacity_fades_a_group_as_a_whole(key):
    pair = Circle(60, 60, 30, INK), Circle(80, 60, 30, INK)
    surface = painted(Group(pair, opacity=0.5, key=key))
    assert surface.get_at((70, 60)).r == pytest.approx(128, abs=2)
    assert surface.get_at((45, 60)).r == pytest.approx(128, abs=2)


@pytest.mark.parametrize(
    "shape",
    [
        Circle(80, 60, 30, "#00000080"),
        Polyline(((20, 20), (80, 60), (140, 60), (80, 61)), "#00000080", 12),
        Box(20, 20, 120, 80, "#00000080", None, 2, 10),
        Polygon(((20, 20), (140, 60), (80, 110)), "#00000080"),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_translucent_shapes_are_nowhere_darker_than_their_colour(shape):
    darkest = min(pixels(painted(shape))[::4])
    assert darkest == pytest.approx(127, abs=2)


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
@pytest.mark.parametrize("family", FAMILIES)
def test_families_of_messages_look_different(theme, family):
    def mark(name, form):
        return pixels(render([Mark(80, 60, name, "", 20, form)], SIZE, load(theme), 1, PAPER))

    for other in set(FAMILIES) - {family}:
        for form in ("pill", "dot"):
            one, two = mark(family, form), mark(other, form)
            assert sum(a != b for a, b in zip(one, two, strict=True)) > 300


def test_a_message_points_where_it_flies():
    still = painted(Mark(80, 60, "ask", "", 16))
    for angle, (x, y) in {0: (110, 60), 90: (80, 90), 180: (50, 60), 270: (80, 30)}.items():
        pointing = painted(Mark(80, 60, "ask", "", 16, toward=angle))
        box = inked(pointing)
        assert box.collidepoint(x - 5 * math.cos(math.radians(angle)), y - 5 * math.sin(math.radians(angle)))
        assert box.w + box.h > inked(still).w + inked(still).h + 10


def laid_on_paper(shape) -> pygame.Surface:
    paper = painted(size=ROOMY)
    paper.blit(painted(shape, size=ROOMY, background=None), (0, 0))
    return paper


@pytest.mark.parametrize("shape", [*SHOWN, Text(20, 60, "reply", 18, INK)], ids=lambda shape: type(shape).__name__)
def test_a_transparent_shape_laid_on_paper_is_the_opaque_one(shape):
    assert largest_difference(laid_on_paper(shape), painted(shape, size=ROOMY)) <= 3


@THOROUGH
@given(st.lists(PLAIN, max_size=6))
def test_a_transparent_picture_laid_on_paper_is_nearly_the_opaque_one(shapes):
    group = Group(tuple(shapes), 60, 60)
    one, other = laid_on_paper(group), painted(group, size=ROOMY)
    unlike = [abs(a - b) for a, b in zip(pixels(one), pixels(other), strict=True)]
    assert sum(unlike) / len(unlike) < 0.2  # where soft edges of several colours meet, they mix a little differently


def test_twice_the_scale_is_the_same_picture_drawn_finer():
    small, large = (painted(*SHOWN[:4], Text(20, 20, "reply", 16, INK), scale=scale) for scale in (1, 2))
    assert large.get_size() == (2 * SIZE[0], 2 * SIZE[1])
    halved = pygame.transform.smoothscale(large, SIZE)
    unlike = [abs(a - b) for a, b in zip(pixels(small), pixels(halved), strict=True)]
    assert sum(unlike) / len(unlike) < 3
    assert pixels(pygame.transform.smoothscale(small, large.get_size())) != pixels(large)


@pytest.mark.parametrize("points", [(), ((80, 60),)])
def test_a_line_of_fewer_than_two_points_is_nothing(points):
    line = Polyline(points, INK, 3, (4, 4), 10, id="line")
    assert pixels(painted(line)) == pixels(painted())
    assert pick([line], 80, 60) == ""
    assert svg([line], SIZE, LIGHT, prefix="p", title="t").count("<polygon") == 0


def test_memory_forgets_what_was_not_used_for_long():
    made = []
    kept: Cache[str] = Cache(len, budget=10)

    def get(key):
        return kept.obtain(key, lambda: made.append(key) or key * 4)

    for key in "ababab":
        assert get(key) == key * 4
    assert made == ["a", "b"]
    for key in "cacaca":  # the third starts a new generation, in which "a" is used and "b" is not
        get(key)
    for key in "dedede":
        get(key)
    assert made == ["a", "b", "c", "d", "e"]
    get("b")
    assert made[-1] == "b"
    assert sum(map(len, kept.values())) <= 10


def test_pictures_need_no_display():
    script = (
        "from visual.drawing.paint import render; from visual.drawing.theme import load; import pygame\n"
        "render([], (10, 10), load('light'), 1, '#FFFFFF')\n"
        "print(pygame.display.get_init())"
    )
    hidden = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "SDL_VIDEODRIVER")}
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=hidden, check=True)
    assert result.stdout == "False\n"


@pytest.mark.bench
def test_frame_benchmark_runs(capsys):
    frame.main(["--tiny"])
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["30", "100", "300", "worst", "x_matplotlib_300"]
    assert all(value > 0 for value in result.values())


@pytest.mark.parametrize("name", ["light", "dark", "print"])
def test_a_figure_on_white_takes_the_ground_and_the_inks_of_the_theme(name, tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    theme, file = load(name), tmp_path / "figure.png"
    figure = pygame.Surface((30, 10))
    figure.fill("#FFFFFF")
    figure.fill("#000000", (10, 0, 10, 10))
    figure.fill("#0072B2", (20, 0, 10, 10))
    pygame.image.save(figure, file)
    surface = pygame.Surface((30, 10))
    Painter(theme).draw(surface, [Image(0, 0, 30, 10, str(file))])
    ground, ink, blue = (surface.get_at((x, 5))[:3] for x in (5, 15, 25))
    assert ground == pytest.approx(pygame.Color(theme.card)[:3], abs=2)
    assert abs(sum(ink) - sum(ground)) > 3 * 200
    assert (max(blue) - min(blue) < 3) if name == "print" else (blue[2] > blue[1] > blue[0])
    assert abs(sum(blue) - sum(ground)) > 3 * 60
