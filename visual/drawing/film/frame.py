"""The frames of a film: pixels, and which of them have changed."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy

TILE = 8  # pixels of the side of the squares in which changes are looked for

Pixels: TypeAlias = "numpy.ndarray[tuple[int, int], numpy.dtype[numpy.uint32]]"
"""A picture's rows of pixels, each 0xRRGGBB, with further rows and columns up to a multiple of TILE."""


Tiles: TypeAlias = "numpy.ndarray[tuple[int, int], numpy.dtype[numpy.bool_]]"
"""For each square of TILE × TILE pixels, whether it has changed."""


class FilmFrame(NamedTuple):
    """A frame: its pixels, which tiles differ from the frame before, and the number of ticks for which it is shown.

    The pixels are valid until the next frame is asked for. All tiles of a segment's first frame have changed.
    """

    pixels: Pixels
    changed: Tiles
    ticks: int = 1


def changes(before: Pixels, after: Pixels) -> Tiles:
    """The tiles in which the pictures differ."""
    differ = (before != after).view(numpy.uint64)  # a number for the TILE pixels side by side
    tiles: Tiles = differ.reshape(-1, TILE, differ.shape[1]).any(axis=1)
    return tiles
