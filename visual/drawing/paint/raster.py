"""Smooth drawing of single shapes on a pygame surface, in surface pixels and one opaque colour at a time.

Small things are drawn four times as large and averaged (`mask`). Long slanted lines are pygame's
anti-aliased lines, stacked to the exact width. Straight edges of boxes and upright or level lines fall on
whole pixels, for crispness. A transparent surface must be filled with a colour of alpha 0 that suits its
edges before it is drawn on.

A picture moved by whole pixels looks the same, although sums of fractions are rounded differently from place to place:
lines run between points of a fine grid, and a number slightly below a whole one counts as that.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import pygame

from visual.drawing import strokes
from visual.drawing.picking import overlap
from visual.drawing.shapes import Colour, Pattern, Point, Rect
from visual.drawing.theme import rgba

Place = Callable[[Point], Point]

TO_GRID = 3.0 * 2**41
"""Added and taken away again, this rounds to 1024ths of a pixel, the grid: numbers so large have no finer ones."""
_HAIR = 1 / 2048  # pixels: half the grid
HALF = 0.5 + _HAIR
"""The floor of a number and this is the nearest whole one; halves go up, also those that rounding has left smaller."""
_MANY = 4  # factor, each way, by which a small shape is drawn larger before it is averaged
_LARGE = 500_000  # surface pixels from which a shape is drawn only half as large
_SMALL = 4096  # surface pixels up to which joined lines are drawn that way
_CURVE = 24  # points from which a path is a curve, whose single lines need not be exact
_BORDER = 1 / _MANY  # pygame's polygons include their border, which makes them so much wider
_JOINT = 2.5  # width from which the joints of a slanted line are rounded


def nearest(value: float) -> int:
    """The nearest whole number; see `HALF`."""
    return math.floor(value + HALF)


def blank(width: int, height: int, colour: Colour) -> pygame.Surface:
    """A transparent surface whose soft edges will lean towards that colour."""
    surface = pygame.Surface((max(width, 1), max(height, 1)), pygame.SRCALPHA, 32)
    surface.fill((*rgba(colour)[:3], 0))
    return surface


def mask(
    box: Rect, colour: Colour, draw: Callable[[pygame.Surface, Place, int], None]
) -> tuple[pygame.Surface, int, int]:
    """The smooth image of what `draw` paints within the box, with the position of its corner.

    `draw` gets an enlarged surface, the function that maps a point to it, and the factor of enlargement.
    """
    left, top = math.floor(box.x + _HAIR), math.floor(box.y + _HAIR)
    width, height = math.ceil(box.x + box.w - _HAIR) - left, math.ceil(box.y + box.h - _HAIR) - top
    x, y = left - _HAIR, top - _HAIR
    many = _MANY if width * height < _LARGE else _MANY // 2
    large = blank(width * many, height * many, colour)

    def place(point: Point) -> Point:
        return math.floor((point[0] - x) * many), math.floor((point[1] - y) * many)

    draw(large, place, many)
    return pygame.transform.smoothscale(large, (max(width, 1), max(height, 1))), left, top


@lru_cache(maxsize=512)
def disc(radius: float, colour: Colour, hole: float = 0.0) -> pygame.Surface:
    """A disc, or a ring around a hole of that radius, in the middle of a square surface of even side."""
    side = 2 * math.ceil(radius)
    large = blank(side * _MANY, side * _MANY, colour)
    middle = (side * _MANY // 2, side * _MANY // 2)
    pygame.draw.circle(large, rgba(colour), middle, round(radius * _MANY))
    if hole > 0:
        pygame.draw.circle(large, (*rgba(colour)[:3], 0), middle, round(hole * _MANY))
    return pygame.transform.smoothscale(large, (side, side))


def _line(surface: pygame.Surface, colour: Colour, a: Point, b: Point, width: float) -> None:
    """A straight line with flat ends."""
    if a == b:
        return
    if _level(a, b):
        _bar(surface, colour, a, b, width)
    elif width < _JOINT:
        _stack(surface, colour, a, b, width)
    elif math.dist(a, b) <= 4 * width:
        polygon(surface, colour, strokes.quad(a, b, width - _BORDER))
    else:
        near, far = on_grid((strokes.along(a, b, width), strokes.along(b, a, width)))
        _stack(surface, colour, near, far, width)
        for end, other in ((a, b), (b, a)):
            polygon(surface, colour, strokes.quad(end, strokes.along(end, other, 2 * width), width - _BORDER))


def path(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width: float) -> None:
    """Joined lines between points of the grid; joints are rounded where they are slanted, square where they are not."""
    if len(points) == 2:
        _line(surface, colour, points[0], points[1], width)
        return
    box = _box_of(points, width)
    if box.w * box.h <= _SMALL:
        _small_path(surface, colour, points, width, box)
    elif len(points) > _CURVE:
        _curve(surface, colour, points, width)
    else:
        _angular_path(surface, colour, points, width)


def _angular_path(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width: float) -> None:
    """Few long lines: each of its exact width."""
    last = len(points) - 2
    for i, (a, b) in enumerate(itertools.pairwise(points)):
        if _level(a, b):
            before = strokes.along(a, b, -width / 2) if i else a
            beyond = strokes.along(b, a, -width / 2) if i < last else b
            _bar(surface, colour, before, beyond, width)
        else:
            _line(surface, colour, a, b, width)
    if width >= _JOINT:
        _joints(surface, colour, points, width)


def _curve(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width: float) -> None:
    """Many short lines: each the nearest whole number of pixels wide across its flatter axis; see `_stack`."""
    ink, draw, hypot = rgba(colour), pygame.draw.aaline, math.hypot
    for (x1, y1), (x2, y2) in itertools.pairwise(points):
        across, down = abs(x2 - x1), abs(y2 - y1)
        if across and down:
            is_flat = across >= down
            whole = round(width * hypot(across, down) / (across if is_flat else down)) or 1
            off = (whole - 1) // 2 - whole / 2
            dx, dy = (-0.5, off) if is_flat else (off, -0.5)
            draw(surface, ink, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), whole)
        elif across or down:
            a, b = (x1, y1), (x2, y2)
            _bar(surface, colour, strokes.along(a, b, -width / 2), strokes.along(b, a, -width / 2), width)
    if width >= _JOINT:
        _joints(surface, colour, points, width)


def _small_path(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width: float, box: Rect) -> None:
    def draw(large: pygame.Surface, place: Place, many: int) -> None:
        for a, b in itertools.pairwise(points):
            if a != b:
                side = strokes.quad(a, b, width - _BORDER)
                pygame.draw.polygon(large, rgba(colour), [place(point) for point in side])
        for a, b, c in zip(points, points[1:], points[2:], strict=False):
            if not strokes.is_smooth(a, b, c):
                pygame.draw.circle(large, rgba(colour), place(b), width * many / 2)

    drawn, left, top = mask(box, colour, draw)
    surface.blit(drawn, (left, top))


def _joints(surface: pygame.Surface, colour: Colour, points: Sequence[Point], width: float) -> None:
    """Discs where slanted lines meet."""
    joint = disc(width / 2, colour)
    half = joint.get_width() / 2
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        if not (_level(a, b) and _level(b, c)) and not strokes.is_smooth(a, b, c):
            surface.blit(joint, (nearest(b[0] - half), nearest(b[1] - half)))


def polygon(surface: pygame.Surface, colour: Colour, points: Sequence[Point]) -> None:
    """A filled polygon."""
    drawn, left, top = polygon_mask(points, colour, Rect(*surface.get_clip()))
    surface.blit(drawn, (left, top))


def polygon_mask(
    points: Sequence[Point], colour: Colour, within: Rect | None = None
) -> tuple[pygame.Surface, int, int]:
    """A filled polygon as a surface with the place of its corner; only the part `within`."""

    def draw(large: pygame.Surface, place: Place, many: int) -> None:
        pygame.draw.polygon(large, rgba(colour), [place(point) for point in points])

    box = _box_of(points, 0.0)
    return mask(overlap(box, within) if within else box, colour, draw)


def rounded(surface: pygame.Surface, colour: Colour, box: pygame.Rect, radius: int) -> None:
    """A filled rectangle with rounded corners."""
    radius = min(radius, box.w // 2, box.h // 2)
    if radius <= 0:
        surface.fill(rgba(colour), box)
        return
    surface.fill(rgba(colour), (box.x + radius, box.y, box.w - 2 * radius, box.h))
    for x in (box.x, box.right - radius):
        surface.fill(rgba(colour), (x, box.y + radius, radius, box.h - 2 * radius))
    _corners(surface, disc(radius, colour), box, radius)


def frame(surface: pygame.Surface, colour: Colour, box: pygame.Rect, radius: int, width: int) -> None:
    """The outline of a rectangle with rounded corners, `width` pixels inwards from the box's edge."""
    radius = min(radius, box.w // 2, box.h // 2)
    for y in (box.y, box.bottom - width):
        surface.fill(rgba(colour), (box.x + radius, y, box.w - 2 * radius, width))
    inset = max(radius, width)
    for x in (box.x, box.right - width):
        surface.fill(rgba(colour), (x, box.y + inset, width, box.h - 2 * inset))
    if radius > 0:
        _corners(surface, disc(radius, colour, max(radius - width, 0)), box, radius)


def _corners(surface: pygame.Surface, round_thing: pygame.Surface, box: pygame.Rect, radius: int) -> None:
    """The quarters of a disc or ring in the corners of the box."""
    for x, source_x in ((box.x, 0), (box.right - radius, radius)):
        for y, source_y in ((box.y, 0), (box.bottom - radius, radius)):
            surface.blit(round_thing, (x, y), (source_x, source_y, radius, radius))


def patterned(shape: pygame.Surface, pattern: Pattern, scale: float) -> pygame.Surface:
    """The pattern wherever the shape is opaque."""
    tile = _tile(pattern, max(4, round(pattern.pitch * scale)))
    filled = pygame.Surface(shape.get_size(), pygame.SRCALPHA, 32)
    side = tile.get_width()
    places = itertools.product(range(0, shape.get_width(), side), range(0, shape.get_height(), side))
    filled.fblits([(tile, place) for place in places])
    alpha_only = shape.copy()
    alpha_only.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)
    filled.blit(alpha_only, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return filled


@lru_cache(maxsize=64)
def _tile(pattern: Pattern, side: int) -> pygame.Surface:
    """One period of a pattern."""
    n = side * _MANY
    large = pygame.Surface((n, n), pygame.SRCALPHA, 32)
    large.fill(rgba(pattern.ground))
    for piece in strokes.tile(pattern.name, n):
        pygame.draw.polygon(large, rgba(pattern.ink), piece)
    return pygame.transform.smoothscale(large, (side, side))


def fade(surface: pygame.Surface, alpha: int) -> None:
    """Make everything on a transparent surface more transparent; alpha 255 changes nothing."""
    surface.fill((255, 255, 255, alpha), special_flags=pygame.BLEND_RGBA_MULT)


def on_grid(points: Iterable[Point]) -> list[Point]:
    """The points on the grid of 1024ths of a pixel, so that moving them by whole pixels changes nothing else."""
    return [(x + TO_GRID - TO_GRID, y + TO_GRID - TO_GRID) for x, y in points]


def _level(a: Point, b: Point) -> bool:
    return a[0] == b[0] or a[1] == b[1]


def _bar(surface: pygame.Surface, colour: Colour, a: Point, b: Point, width: float) -> None:
    """An upright or level line on whole pixels."""
    thick = max(1, nearest(width))
    if a[1] == b[1]:
        left, right = sorted((nearest(a[0]), nearest(b[0])))
        surface.fill(rgba(colour), (left, nearest(a[1] - thick / 2), right - left, thick))
    else:
        top, bottom = sorted((nearest(a[1]), nearest(b[1])))
        surface.fill(rgba(colour), (nearest(a[0] - thick / 2), top, thick, bottom - top))


def _stack(surface: pygame.Surface, colour: Colour, a: Point, b: Point, width: float) -> None:
    """A slanted line as one or two of pygame's, which are a whole number of pixels thick across the flatter axis."""
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
    is_flat = across >= down
    height = max(width * math.hypot(across, down) / (across if is_flat else down), 1.0)
    whole = math.floor(height + 0.12)
    rest = max(height - whole, 0.0)
    # two lines over each other blend: their soft edges together are a quarter of a pixel wider than one's
    shift = max(rest - 0.25, 0.0) / 0.75
    ink = rgba(colour)
    for move in (-shift / 2, shift / 2) if rest > 0.12 else (0.0,):
        # pygame counts rows, not their edges, and puts a line of several rows around the given one
        off = (move + TO_GRID - TO_GRID) - whole / 2 + (whole - 1) // 2
        dx, dy = (-0.5, off) if is_flat else (off, -0.5)
        pygame.draw.aaline(surface, ink, (a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), whole)


def _box_of(points: Sequence[Point], width: float) -> Rect:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    left, top = min(xs) - width / 2, min(ys) - width / 2
    return Rect(left, top, max(xs) + width / 2 - left, max(ys) + width / 2 - top)
