"""How unlike two drawings of the same picture are, whoever drew them."""

from __future__ import annotations

import io
from pathlib import Path

import pygame

_CELL = 8  # pixels that are averaged each way, because soft edges differ and a pattern may begin elsewhere


def unlikeness(one: bytes | Path, other: bytes | Path) -> tuple[float, float]:
    """The mean difference of two images of one size, and that which one cell in a hundred exceeds, from 0 to 255."""
    surfaces = [pygame.image.load(io.BytesIO(image) if isinstance(image, bytes) else image) for image in (one, other)]
    width, height = surfaces[0].get_size()
    assert surfaces[1].get_size() == (width, height)
    small = (max(1, width // _CELL), max(1, height // _CELL))
    pixels = [pygame.image.tobytes(pygame.transform.smoothscale(_opaque(s), small), "RGB") for s in surfaces]
    unlike = sorted(abs(a - b) for a, b in zip(*pixels, strict=True))
    return sum(unlike) / len(unlike), float(unlike[len(unlike) * 99 // 100])


def _opaque(surface: pygame.Surface) -> pygame.Surface:
    """The surface on white, with colours that `smoothscale` can average."""
    ground = pygame.Surface(surface.get_size(), 0, 32)
    ground.fill("white")
    ground.blit(surface, (0, 0))
    return ground
