"""Pictures as surfaces and as PNG files in memory; needs no display."""

import io
from collections.abc import Iterable

import pygame

from visual.drawing.paint import raster
from visual.drawing.paint.painter import Painter
from visual.drawing.shapes import Colour, Shape
from visual.drawing.theme import Theme, rgba


def render(
    shapes: Iterable[Shape], size: tuple[float, float], theme: Theme, scale: float, background: Colour | None
) -> pygame.Surface:
    """The picture on a new surface, `scale` pixels to a logical one; without a background it is transparent."""
    width, height = (round(length * scale) for length in size)
    if background:
        surface = pygame.Surface((width, height))
        surface.fill(rgba(background))
    else:
        surface = raster.blank(width, height, theme.paper)
    Painter(theme, scale).draw(surface, shapes)
    return surface


def png(surface: pygame.Surface) -> bytes:
    """The surface as a PNG file."""
    file = io.BytesIO()
    pygame.image.save(surface, file, "picture.png")
    return file.getvalue()
