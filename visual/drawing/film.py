"""Films as files: MP4 and WebM by PyAV, GIF and WebP by Pillow. A file is either whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

FilmKind: TypeAlias = Literal["mp4", "webm", "gif", "webp"]
KINDS: tuple[FilmKind, ...] = ("mp4", "webm", "gif", "webp")
NEEDS = {"mp4": "av", "webm": "av", "gif": "PIL", "webp": "PIL"}
"""Format -> the package that writes it."""

_CODECS = {
    "mp4": ("libx264", {"preset": "veryfast", "crf": "20", "threads": "1"}),
    "webm": ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "crf": "32", "b:v": "0", "threads": "1"}),
}  # one thread: the same input gives the same file


class FilmFrame(NamedTuple):
    """A frame: its pixels, three bytes each from the upper left corner, and for how many ticks it is shown."""

    pixels: bytes
    ticks: int = 1


def write_film(target: str, kind: FilmKind, frames: Iterable[FilmFrame], size: tuple[int, int], fps: int) -> None:
    """Write the frames, in order. OSError, with the file's name, if that fails; an interrupt leaves no file."""
    with _whole(target) as temporary:
        if kind in _CODECS:
            _write_video(temporary, kind, frames, size, fps)
        else:
            _write_animation(temporary, kind, frames, size, fps)


@contextmanager
def _whole(target: str) -> Iterator[str]:
    """The name of a temporary file, which takes the target's place once it is complete."""
    path = Path(target)
    temporary = path.parent / f".{path.stem}.{os.getpid()}.part{path.suffix}"
    try:
        yield str(temporary)
        temporary.replace(path)
    except OSError as error:
        error.filename = target
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _write_video(target: str, kind: str, frames: Iterable[FilmFrame], size: tuple[int, int], fps: int) -> None:
    import av
    import numpy

    codec, options = _CODECS[kind]
    with av.open(target, "w", format=kind) as container:
        stream: Any = container.add_stream(codec, rate=fps, options=options)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, fps)
        tick = 0
        for pixels, ticks in frames:
            array = numpy.frombuffer(pixels, numpy.uint8).reshape(size[1], size[0], 3)
            picture = av.VideoFrame.from_ndarray(array, format="rgb24").reformat(format="yuv420p")
            for _ in range(ticks):
                picture.pts = tick
                tick += 1
                container.mux(stream.encode(picture))
        container.mux(stream.encode(None))


def _write_animation(target: str, kind: str, frames: Iterable[FilmFrame], size: tuple[int, int], fps: int) -> None:
    from PIL import Image

    images, lasts = [], []
    for pixels, ticks in frames:
        image = Image.frombytes("RGB", size, pixels)
        images.append(image.quantize(128, dither=Image.Dither.NONE) if kind == "gif" else image)
        lasts.append(round(1000 * ticks / fps))
    first, *others = images
    quality = {"quality": 80, "method": 2} if kind == "webp" else {"optimize": False, "disposal": 1}
    first.save(target, kind.upper(), save_all=True, append_images=others, duration=lasts, loop=0, **quality)
