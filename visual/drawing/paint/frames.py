"""Frames of a film: one picture after the other on the same surface, each with the tiles that have changed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy
import pygame

from visual.drawing.film.frame import TILE, FilmFrame, Tiles, changes
from visual.drawing.paint.painter import Painter
from visual.drawing.shapes import Colour, Shape
from visual.drawing.theme import Theme, rgba


class Frames:
    """Draws the frames of a segment after another; what stays is kept from one picture to the next."""

    def __init__(self, size: tuple[int, int], theme: Theme) -> None:
        width, height = (-(-side // TILE) * TILE for side in size)
        self._surface = pygame.Surface((width, height), depth=32)
        self._painter = Painter(theme)
        self._pixels, self._before = numpy.zeros((2, height, width), numpy.uint32)
        self._is_first = True

    def start(self) -> None:
        """Begin a segment: the next picture counts as changed everywhere."""
        self._is_first = True

    def frame(self, shapes: Iterable[Shape], background: Colour, ticks: int) -> FilmFrame:
        """The picture as a frame that is shown for that number of ticks."""
        self._surface.fill(rgba(background))
        self._painter.draw(self._surface, shapes)
        self._pixels, self._before = self._before, self._pixels
        numpy.copyto(self._pixels, pygame.surfarray.pixels2d(self._surface).T)
        changed: Tiles = changes(self._before, self._pixels)
        changed[:] |= self._is_first
        self._is_first = False
        return FilmFrame(self._pixels, changed, ticks)
