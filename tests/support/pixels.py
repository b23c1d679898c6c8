"""The difference of two drawings of the same picture, by any two programs."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pygame

from visual.drawing.shapes import Rect

_CELL = 8  # pixels that are averaged each way, because soft edges differ and a pattern may begin elsewhere


def unlikeness(one: bytes | Path, other: bytes | Path) -> tuple[float, float]:
    """The mean difference of two images of one size, and that which one cell in a hundred exceeds, from 0 to 255."""
    surfaces = [_loaded(image) for image in (one, other)]
    width, height = surfaces[0].get_size()
    assert surfaces[1].get_size() == (width, height)
    small = (max(1, width // _CELL), max(1, height // _CELL))
    pixels = [pygame.image.tobytes(pygame.transform.smoothscale(_opaque(s), small), "RGB") for s in surfaces]
    unlike = sorted(abs(a - b) for a, b in zip(*pixels, strict=True))
    return sum(unlike) / len(unlike), float(unlike[len(unlike) * 99 // 100])


def unlike_inside(one: bytes | Path, other: bytes | Path, boxes: Sequence[Rect]) -> list[float]:
    """The difference of the mean colours of two images within each of some boxes, from 0 to 255."""
    surfaces = [_opaque(_loaded(image)) for image in (one, other)]
    return [float(max(abs(a - b) for a, b in zip(*(_mean(s, box) for s in surfaces), strict=True))) for box in boxes]


def _mean(surface: pygame.Surface, box: Rect) -> tuple[int, ...]:
    return pygame.transform.average_color(surface, pygame.Rect(*map(round, box)).clip(surface.get_rect()))[:3]


def _loaded(image: bytes | Path) -> pygame.Surface:
    return pygame.image.load(io.BytesIO(image) if isinstance(image, bytes) else image)


def _opaque(surface: pygame.Surface) -> pygame.Surface:
    """The surface on white, with colours that `smoothscale` can average."""
    ground = pygame.Surface(surface.get_size(), 0, 32)
    ground.fill("white")
    ground.blit(surface, (0, 0))
    return ground
