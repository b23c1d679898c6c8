"""Frames of a film: one picture after the other on the same surface, each with the tiles that have changed."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from visual.drawing.film.frame import TILE, FilmFrame, Tiles, changes
from visual.drawing.paint.painter import Painter
from visual.drawing.shapes import Colour, Shape
from visual.drawing.theme import Theme, rgba


class Frames:
    """Draws the frames of a segment after another; what stays is kept from one picture to the next."""

    def __init__(self, size: tuple[int, int], theme: Theme) -> None:
        width, height = (-(-side // TILE) * TILE for side in size)
        self._surface, self._before = (pygame.Surface((width, height), depth=32) for _ in range(2))
        self._painter = Painter(theme)
        self._is_first = True

    def start(self) -> None:
        """Begin a segment: the next picture counts as changed everywhere."""
        self._is_first = True

    def frame(self, shapes: Iterable[Shape], background: Colour, ticks: int) -> FilmFrame:
        """The picture as a frame that is shown for that number of ticks."""
        self._surface, self._before = self._before, self._surface
        self._surface.fill(rgba(background))
        self._painter.draw(self._surface, shapes)
        pixels, before = (pygame.surfarray.pixels2d(surface).T for surface in (self._surface, self._before))
        changed: Tiles = changes(before, pixels)
        changed[:] |= self._is_first
        self._is_first = False
        return FilmFrame(pixels, changed, ticks)
