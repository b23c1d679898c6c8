"""Draws shapes on a pygame surface.

painter = Painter(theme, scale=1.0)
painter.draw(surface, shapes)
"""

from collections.abc import Iterable

import pygame

from visual.shapes import Shape
from visual.theme import Theme


class Painter:
    """Draws for one theme at one scale, and keeps what it may need again: keyed groups, sprites, labels."""

    def __init__(self, theme: Theme, scale: float = 1.0) -> None:
        self.theme = theme
        self.scale = scale

    def draw(self, surface: pygame.Surface, shapes: Iterable[Shape]) -> None:
        """Draw the shapes, back to front, `scale` surface pixels to a logical one, without clearing first."""
        raise NotImplementedError
