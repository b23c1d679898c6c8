"""Text and other shapes as small surfaces that can be cached and drawn anywhere.

Every letter stands where the font's own advances put it, to a quarter of a pixel, so a line is exactly as
wide as `fonts.width` says; letters are hinted upright only, which keeps them crisp. A letter is rasterised
once for each size and colour; a new label then costs a few blits.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache
from typing import Generic, NamedTuple, TypeVar

import pygame
import pygame.freetype

from visual.drawing import fonts, strokes
from visual.drawing.paint import raster
from visual.drawing.paint.raster import nearest
from visual.drawing.shapes import Box, Circle, Colour, Fill, Pattern, Point, Rect, Text
from visual.drawing.theme import Theme, rgba

_PHASES = 4
_OVERSAMPLE = 4  # letters are rasterised this much wider and averaged; a multiple of the phases
_TURNED_OVERSAMPLE = 3
_NARROW = 4  # pixels of a rim that is filled place by place
_HALO = 0.14  # of the em


class Sprite(NamedTuple):
    """A picture, and the offset of its corner from the position it is drawn at."""

    surface: pygame.Surface
    dx: int
    dy: int


def label(
    text: str,
    size: float,
    ink: str,
    weight: fonts.Weight = "normal",
    family: fonts.FontFamily = "sans",
    halo: str | None = None,
    angle: float = 0.0,
) -> Sprite:
    """One line of text on a transparent ground, placed by its start on the baseline.

    `angle` turns it about its start, in degrees clockwise.
    """
    styles = [_Style(size, halo, weight, family, swollen=True)] if halo else []
    styles.append(_Style(size, ink, weight, family))
    return _turned(text, styles, angle) if angle % 360 else _level(text, styles)


class _Style(NamedTuple):
    """How letters look; `swollen` ones are as wide as a halo around them."""

    size: float
    ink: str
    weight: fonts.Weight
    family: fonts.FontFamily
    swollen: bool = False


class _Glyph(NamedTuple):
    """A letter as a surface, None for a blank, with the place of its corner and its advance."""

    surface: pygame.Surface | None
    dx: int
    dy: int
    advance: float


def _level(text: str, styles: Sequence[_Style]) -> Sprite:
    """The text in each style over the one before."""
    size, _, weight, family, _ = styles[0]
    pad = _rim(size) + 2
    width = math.ceil(fonts.width(text, size, family, weight)) + 2 * pad
    ascent = math.ceil(fonts.ASCENT * size) + pad
    height = ascent + math.ceil(fonts.DESCENT * size) + pad
    surface = pygame.Surface((width, height), pygame.SRCALPHA, 32)
    surface.fill((*rgba(styles[0].ink)[:3], 0))
    for style in styles:
        surface.fblits(_letters(text, style, pad, ascent))
    return Sprite(surface, -pad, -ascent)


def _turned(text: str, styles: Sequence[_Style], angle: float) -> Sprite:
    """The text in each style over the one before, turned: drawn larger, turned, then averaged.

    Each style separately, because averaging would mix in the colours of transparent pixels.
    """
    under, *over = (_one_turned(text, style, angle) for style in styles)
    for layer in over:
        under.surface.blit(layer.surface, (0, 0))
    return under


def _one_turned(text: str, style: _Style, angle: float) -> Sprite:
    many = _TURNED_OVERSAMPLE
    large, dx, dy = _level(text, [style._replace(size=style.size * many)])
    turned = pygame.transform.rotozoom(large, -angle, 1.0)
    width, height = -(-turned.get_width() // many), -(-turned.get_height() // many)
    padded = pygame.Surface((width * many, height * many), pygame.SRCALPHA, 32)
    padded.fill((*rgba(style.ink)[:3], 0))
    padded.blit(turned, (0, 0))
    middle_x, middle_y = dx + large.get_width() / 2, dy + large.get_height() / 2
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x = middle_x * cos - middle_y * sin - turned.get_width() / 2
    y = middle_x * sin + middle_y * cos - turned.get_height() / 2
    return Sprite(pygame.transform.smoothscale(padded, (width, height)), round(x / many), round(y / many))


def _letters(text: str, style: _Style, x: float, y: int) -> list[tuple[pygame.Surface, tuple[int, int]]]:
    """The letters of a line that starts at x on the baseline y, ready to be blitted."""
    placed = []
    for character in text:
        at = math.floor(x * _PHASES + 0.5)
        glyph = _glyph(character, style, at % _PHASES)
        if glyph.surface:
            placed.append((glyph.surface, (at // _PHASES + glyph.dx, y + glyph.dy)))
        x += glyph.advance
    return placed


@lru_cache(maxsize=8192)
def _glyph(character: str, style: _Style, phase: int) -> _Glyph:
    """One letter, `phase` quarters of a pixel to the right."""
    character = "\ufffd" if "\ud800" <= character <= "\udfff" else character  # of a file's name that is not UTF-8
    advance = fonts.width(character, style.size, style.family, style.weight)
    font, stretched = _font(style.weight, style.family), (style.size * _OVERSAMPLE, style.size)
    box = font.get_rect(character, size=stretched)  # type: ignore[arg-type]
    if not box.w or not box.h:
        return _Glyph(None, 0, 0, advance)
    left = box.x // _OVERSAMPLE - 1
    width = -(-(box.x + box.w) // _OVERSAMPLE) + 2 - left
    wide = pygame.Surface((width * _OVERSAMPLE, box.h), pygame.SRCALPHA, 32)
    colour = rgba(style.ink)
    wide.fill((*colour[:3], 0))
    shift = phase * _OVERSAMPLE // _PHASES - left * _OVERSAMPLE
    font.render_to(wide, (shift, box.y), character, colour, size=stretched)  # type: ignore[arg-type]
    letter = pygame.transform.smoothscale(wide, (width, box.h))
    if not style.swollen:
        return _Glyph(letter, left, -box.y, advance)
    rim = _rim(style.size)
    return _Glyph(_swollen(letter, rim, style.ink), left - rim, -box.y - rim, advance)


def _rim(size: float) -> int:
    """The width of a halo around the letters."""
    return max(1, round(_HALO * size))


def _swollen(letter: pygame.Surface, rim: int, ink: str) -> pygame.Surface:
    """The letter drawn over and over, up to one rim away in every direction."""
    surface = pygame.Surface((letter.get_width() + 2 * rim, letter.get_height() + 2 * rim), pygame.SRCALPHA, 32)
    surface.fill((*rgba(ink)[:3], 0))
    surface.fblits([(letter, (rim + i, rim + j)) for i, j in _within(rim)])
    return surface


def _within(rim: int) -> list[tuple[int, int]]:
    """The offsets up to one rim away; for a wide rim two circles, since letters are thicker than the gaps between."""
    if rim <= _NARROW:
        steps = range(-rim, rim + 1)
        return [(i, j) for i in steps for j in steps if math.hypot(i, j) <= rim + 0.5]
    circles = [(far, math.tau * k / many) for far, many in ((rim / 2, rim), (rim, 3 * rim)) for k in range(many)]
    return [(0, 0), *((round(far * math.cos(turn)), round(far * math.sin(turn))) for far, turn in circles)]


@cache
def _font(weight: fonts.Weight, family: fonts.FontFamily) -> pygame.freetype.Font:
    if not pygame.freetype.get_init():
        pygame.freetype.init()
    font = pygame.freetype.Font(str(fonts.path(family, weight)))
    font.origin = True
    font.pad = False
    return font


# ---- shapes ------------------------------------------------------------------------------------------------


def pixels(sprite: Sprite) -> int:
    """The size of a sprite in memory, in pixels."""
    width, height = sprite.surface.get_size()
    return width * height


def circle(shape: Circle, scale: float) -> Sprite:
    """A circle about its own centre; its position is ignored."""
    radius, width = shape.r * scale, max(shape.width * scale, 1.0)
    outer = radius + (width / 2 if shape.stroke else 0.0)
    middle = math.ceil(outer) + 1
    surface = raster.blank(2 * middle, 2 * middle, shape.stroke or solid(shape.fill))
    if shape.fill:
        _blit_middle(surface, _filled(raster.disc(radius, solid(shape.fill)), shape.fill, scale))
    if shape.stroke and shape.dash:
        for piece in strokes.dashes(strokes.circle_path(middle, middle, radius), scaled(shape.dash, scale)):
            raster.path(surface, shape.stroke, piece, width)
    elif shape.stroke:
        _blit_middle(surface, raster.disc(outer, shape.stroke, max(outer - width, 0.0)))
    return Sprite(surface, -middle, -middle)


def image(file: str, size: tuple[int, int], theme: Theme) -> Sprite:
    """The picture of a PNG file, drawn in colours on white, scaled to `size` and adapted to the theme.

    On dark paper, light and dark are exchanged and hues stay; a theme without colours shows it in greys.
    """
    picture = pygame.transform.smoothscale(pygame.image.load(file).convert_alpha(), size)
    if theme.accent == theme.ink:
        picture = pygame.transform.grayscale(picture)
    elif sum(rgba(theme.paper)[:3]) < sum(rgba(theme.ink)[:3]):
        picture = pygame.transform.hsl(pygame.transform.invert(picture), 180)
        ground = rgba(theme.card)[:3]
        picture.fill([255 - part for part in ground], special_flags=pygame.BLEND_RGB_MULT)
        picture.fill(ground, special_flags=pygame.BLEND_RGB_ADD)
    return Sprite(picture, 0, 0)


def _blit_middle(surface: pygame.Surface, picture: pygame.Surface) -> None:
    inset = (surface.get_width() - picture.get_width()) // 2
    surface.blit(picture, (inset, inset))


def text(shape: Text, scale: float) -> Sprite:
    """A line of text about its anchor; its position is ignored."""
    size = shape.size * scale
    surface, dx, dy = label(shape.text, size, shape.ink, shape.weight, shape.family, shape.halo, shape.angle)
    width = fonts.width(shape.text, size, shape.family, shape.weight)
    right = {"start": 0.0, "middle": -width / 2, "end": -width}[shape.anchor]
    down = fonts.CAP_HEIGHT / 2 * size if shape.baseline == "middle" else 0.0
    cos, sin = math.cos(math.radians(shape.angle)), math.sin(math.radians(shape.angle))
    return Sprite(surface, dx + nearest(right * cos - down * sin), dy + nearest(right * sin + down * cos))


class Edges(NamedTuple):
    """A box on whole surface pixels: outer edge of the outline, radius there, width of the outline or 0."""

    rect: pygame.Rect
    radius: int
    width: int

    @property
    def fill_rect(self) -> pygame.Rect:
        """The fill ends under the middle of the outline and does not shine through its soft corners."""
        inset = self.width // 2
        return self.rect.inflate(-2 * inset, -2 * inset)

    @property
    def fill_radius(self) -> int:
        return max(self.radius - self.width // 2, 0)


def edges(shape: Box, scale: float, left: float, top: float) -> Edges:
    """The edges of a box on a surface whose pixel (left, top) is the picture's origin."""
    width = max(1, nearest(shape.width * scale)) if shape.stroke else 0
    x, y = shape.x * scale + left - width / 2, shape.y * scale + top - width / 2
    right, bottom = nearest(x + shape.w * scale + width), nearest(y + shape.h * scale + width)
    rect = pygame.Rect(nearest(x), nearest(y), right - nearest(x), bottom - nearest(y))
    return Edges(rect, nearest(shape.radius * scale + width / 2) if shape.radius else 0, width)


def is_plain(shape: Box) -> bool:
    """Whether a box can be drawn directly: opaque colours and no dashes."""
    return not shape.dash and all(
        part is None or (isinstance(part, str) and len(part) == 7) for part in (shape.fill, shape.stroke)
    )


def draw_box(surface: pygame.Surface, shape: Box, at: Edges) -> None:
    """Draw a plain box."""
    if shape.fill:
        raster.rounded(surface, solid(shape.fill), at.fill_rect, at.fill_radius)
    if shape.stroke:
        raster.frame(surface, shape.stroke, at.rect, at.radius, at.width)


def box(shape: Box, at: Edges, scale: float) -> Sprite:
    """A box with a pattern, dashes or a translucent colour, by the outer corner of its outline."""
    at = at._replace(rect=pygame.Rect(0, 0, at.rect.w, at.rect.h))
    surface = raster.blank(at.rect.w, at.rect.h, shape.stroke or solid(shape.fill))
    if shape.fill:
        area = surface.copy()
        raster.rounded(area, solid(shape.fill), at.fill_rect, at.fill_radius)
        surface.blit(_filled(area, shape.fill, scale), (0, 0))
    if shape.stroke and shape.dash:
        half = at.width / 2
        size = (at.rect.w - at.width, at.rect.h - at.width)
        outline = strokes.box_path(half, half, *size, max(at.radius - half, 0.0))
        for piece in strokes.dashes(outline, scaled(shape.dash, scale)):
            raster.path(surface, shape.stroke, piece, at.width)
    elif shape.stroke:
        rim = raster.blank(at.rect.w, at.rect.h, shape.stroke)
        raster.frame(rim, shape.stroke, at.rect, at.radius, at.width)
        surface.blit(rim, (0, 0))
    return Sprite(surface, 0, 0)


def polygon_fill(points: Sequence[Point], fill: Fill, scale: float, within: pygame.Rect) -> Sprite:
    """The inside of a polygon given in surface pixels, by the surface's origin; only what is `within`."""
    drawn, left, top = raster.polygon_mask(points, solid(fill), Rect(*within))
    return Sprite(_filled(drawn, fill, scale), left, top)


def _filled(area: pygame.Surface, fill: Fill, scale: float) -> pygame.Surface:
    return raster.patterned(area, fill, scale) if isinstance(fill, Pattern) else area


def solid(fill: Fill | None) -> Colour:
    """A colour that stands for the fill: the ground of a pattern."""
    if fill is None:
        return "#000000"
    return fill.ground if isinstance(fill, Pattern) else fill


def scaled(lengths: tuple[float, ...], scale: float) -> tuple[float, ...]:
    """Lengths in surface pixels."""
    return tuple(length * scale for length in lengths)


V = TypeVar("V")

_AT_ONCE = 8  # values


class Cache(dict[Hashable, V], Generic[V]):
    """Values by key. Once they weigh more than `budget`, those not used since the last time are forgotten.

    `cache.get(key) or cache.obtain(key, make)` is the fast way to a value that is probably there.
    """

    def __init__(self, weigh: Callable[[V], int], budget: int) -> None:
        super().__init__()
        self._weigh = weigh
        self._budget = budget
        self._weight = 0
        self._older: dict[Hashable, V] = {}
        self._leaving: list[V] = []  # forgotten values, freed a few at a time: freeing many surfaces takes long

    def obtain(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of that key, made now if it is missing."""
        value = self.get(key) or self._older.pop(key, None) or make()
        if key not in self:
            self._keep(key, value)
        return value

    def forget(self, key: Hashable) -> None:
        """Forget the value of that key, which is in the cache."""
        self._weight -= self._weigh(self.pop(key))

    def _keep(self, key: Hashable, value: V) -> None:
        weight = self._weigh(value)
        del self._leaving[-_AT_ONCE:]
        if self._weight + weight > self._budget:
            self._leaving += self._older.values()
            self._older = dict(self)
            self.clear()
            self._weight = 0
        self[key] = value
        self._weight += weight
