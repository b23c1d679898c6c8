"""Films as files: MP4 and WebM by PyAV, GIF and WebP by Pillow.

A film is made of segments that do not depend on each other, so that several processes can encode them. The same frames
in the same segments give the same file.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

FilmKind: TypeAlias = Literal["mp4", "webm", "gif", "webp"]
KINDS: tuple[FilmKind, ...] = ("mp4", "webm", "gif", "webp")
NEEDS = {"mp4": "av", "webm": "av", "gif": "PIL", "webp": "PIL"}
"""Format -> the package that writes it."""


class FilmShape(NamedTuple):
    """What all frames of a film have in common: width and height, ticks per second, and the theme's name."""

    size: tuple[int, int]
    fps: int
    theme: str
