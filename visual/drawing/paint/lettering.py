"""Text as pygame surfaces, letter by letter.

Every letter stands where the font's own advances put it, to a quarter of a pixel, so a line is exactly as
wide as `fonts.width` says; letters are hinted upright only, which keeps them crisp. A letter is rasterised
once for each size and colour; a new label then costs a few blits.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import pygame
import pygame.freetype

from visual.drawing import fonts
from visual.drawing.theme import rgba

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
