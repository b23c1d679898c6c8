"""A magnifying glass over a picture: the shapes under it, drawn afresh and larger, in a circle."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from visual.drawing.paint.painter import Painter
from visual.drawing.shapes import Shape
from visual.drawing.theme import Theme, rgba


class Lens:
    """Magnifies pictures of one theme; caches what it may need again."""

    def __init__(self, theme: Theme, times: float) -> None:
        self.theme = theme
        self._times = times
        self._painter = Painter(theme, times)

    def draw(self, surface: pygame.Surface, shapes: Iterable[Shape], x: float, y: float, radius: float) -> None:
        """Draw the lens at (x, y): the picture there, magnified around that point."""
        size = round(2 * radius)
        inside = pygame.Surface((size, size), depth=32)
        self._painter.draw_at(inside, shapes, radius - self._times * x, radius - self._times * y)
        round_one = pygame.Surface((size, size), pygame.SRCALPHA)
        pygame.draw.circle(round_one, "white", (radius, radius), radius)
        round_one.blit(inside, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        corner = (round(x - radius), round(y - radius))
        surface.blit(round_one, corner)
        pygame.draw.circle(surface, rgba(self.theme.ink), (round(x), round(y)), radius, max(round(0.03 * radius), 3))
