"""The formats of films, and the file of a film, which is either whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from visual.drawing.film import FilmKind, FilmShape

if TYPE_CHECKING:
    from visual.drawing.film.frame import FilmFrame


class FilmFormat(Protocol):
    """A module that makes films of one format."""

    def encode(self, kind: str, frames: Iterable[FilmFrame], shape: FilmShape, first_tick: int) -> Any:
        """A segment of the film, which begins at `first_tick`, as a value for `write`; it can be sent to a process."""

    def write(self, kind: str, target: str, segments: Iterable[Any], shape: FilmShape) -> None:
        """Write the segments, in order, to a file."""


def format_of(kind: FilmKind) -> FilmFormat:
    """The module that makes films of that kind."""
    from visual.drawing.film import animation, video  # extras

    return video if kind in ("mp4", "webm") else animation


def write_film(target: str, kind: FilmKind, segments: Iterable[Any], shape: FilmShape) -> None:
    """Write encoded segments, in order. OSError, with the file's name, if that fails; an interrupt leaves no file."""
    path = Path(target)
    with _whole(path) as temporary:
        format_of(kind).write(kind, str(temporary), segments, shape)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A temporary file, which takes the path's place once it is complete."""
    temporary = path.parent / f".{path.stem}.{os.getpid()}.part{path.suffix}"
    try:
        yield temporary
        temporary.replace(path)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)
