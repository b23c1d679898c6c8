"""Animations: GIF and WebP. Each picture holds only the rectangle that differs from the one before.

Pillow encodes the pictures. The file around them is assembled here, because Pillow would encode one after the other and
keep all of them in memory. Formats: CompuServe, GIF89a, 1990; Google, WebP Container Specification.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy
from PIL import Image

from visual.drawing.film import FilmShape
from visual.drawing.film.frame import TILE, FilmFrame, Pixels, Tiles
from visual.drawing.theme import load, rgba

FOREVER = 0  # times that it is repeated


class EncodedPicture(NamedTuple):
    """A rectangle's pixels in the format of the file, and the milliseconds for which it is shown."""

    content: bytes
    left: int
    top: int
    width: int
    height: int
    lasts: int


def encode(kind: str, frames: Iterable[FilmFrame], shape: FilmShape, first_tick: int) -> list[EncodedPicture]:
    """The pictures of a segment; ticks without a change make the picture before last longer."""
    encoded: list[EncodedPicture] = []
    tick = first_tick
    for pixels, changed, ticks in frames:
        begins, tick = tick, tick + ticks
        lasts = round(1000 * tick / shape.fps) - round(1000 * begins / shape.fps)
        if not changed.any():
            encoded[-1] = encoded[-1]._replace(lasts=encoded[-1].lasts + lasts)
            continue
        encoded.append(_encoded(kind, pixels, changed, shape, lasts))
    return encoded


def _encoded(kind: str, pixels: Pixels, changed: Tiles, shape: FilmShape, lasts: int) -> EncodedPicture:
    left, top, right, bottom = _around(changed, shape.size)
    part = pixels[top:bottom, left:right]
    content = _as_gif(part, shape.theme) if kind == "gif" else _as_webp(part)
    return EncodedPicture(content, left, top, right - left, bottom - top, lasts)


def write(kind: str, target: str, segments: Iterable[list[EncodedPicture]], shape: FilmShape) -> None:
    """Write the pictures to a file."""
    pictures = (picture for segment in segments for picture in segment)
    with open(target, "wb") as file:
        if kind == "gif":
            for part in _gif_parts(pictures, shape):
                file.write(part)
            return
        file.write(bytes(_HEADERS))  # the headers, which give the length of the rest
        for picture in pictures:
            file.write(_webp_part(picture))
        size = file.tell()
        file.seek(0)
        file.write(_webp_headers(shape, size))


def _around(changed: Tiles, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The left, top, right and bottom of the rectangle around all changed tiles."""
    rows, columns = (numpy.flatnonzero(changed.any(axis=axis)) for axis in (1, 0))
    right, bottom = TILE * int(columns[-1] + 1), TILE * int(rows[-1] + 1)
    return TILE * int(columns[0]), TILE * int(rows[0]), min(right, size[0]), min(bottom, size[1])


# ---- GIF ---------------------------------------------------------------------------------------------------

_SHARES = (1 / 3, 2 / 3)  # of a colour that is mixed with the theme's paper: edges of letters and lines
_RAMP = 16  # shades between ink and paper


def _as_gif(part: Pixels, theme: str) -> bytes:
    """The image data of a GIF file: the size of its codes, and the codes."""
    table, nearest = _palette(theme)
    red, green, blue = (part >> 9) & 0x7C00, (part >> 6) & 0x3E0, (part >> 3) & 0x1F
    image = Image.fromarray(nearest[red | green | blue])
    image.putpalette(table)
    file = io.BytesIO()
    image.save(file, "GIF", optimize=False, interlace=False)
    return _image_data(file.getvalue())


def _image_data(file: bytes) -> bytes:
    """What follows the image descriptor in a GIF file with one picture and a global table of 256 colours."""
    place = 13 + 3 * 256
    while file[place] == 0x21:  # an extension: its kind, and blocks that tell their length
        place += 2
        while file[place]:
            place += 1 + file[place]
        place += 1
    assert file[place] == 0x2C, "an image descriptor"
    has_own_table = file[place + 9] & 0x80
    own = 3 * 2 ** ((file[place + 9] & 7) + 1) if has_own_table else 0
    return file[place + 10 + own : -1]


@lru_cache(maxsize=3)
def _palette(name: str) -> tuple[bytes, Any]:
    """256 colours for a theme, and for each colour, in five bits a channel, the place of the nearest one."""
    theme = load(name)
    own = [rgba(colour)[:3] for colour in dict.fromkeys(re.findall("#[0-9A-Fa-f]{6}", repr(theme)))]
    paper, ink = numpy.array(rgba(theme.paper)[:3]), numpy.array(rgba(theme.ink)[:3])
    ramp = [ink + (paper - ink) * k / _RAMP for k in range(_RAMP)]
    mixed = [paper + (numpy.array(colour) - paper) * share for share in _SHARES for colour in own]
    colours = [tuple(int(channel) for channel in colour) for colour in (*own, *ramp, *mixed)]
    palette = numpy.array(list(dict.fromkeys(colours))[:256], numpy.int32)
    cells = numpy.indices((32, 32, 32)).reshape(3, -1).T * 255 // 31
    far = numpy.stack([((cells - colour) ** 2).sum(axis=1) for colour in palette])
    nearest = far.argmin(axis=0).astype(numpy.uint8)
    for place, (red, green, blue) in reversed(list(enumerate(palette[: len(own)]))):
        nearest[(red >> 3) << 10 | (green >> 3) << 5 | blue >> 3] = place  # the theme's own colours are exact
    return palette.astype(numpy.uint8).tobytes().ljust(3 * 256, b"\0"), nearest


def _gif_parts(pictures: Iterable[EncodedPicture], shape: FilmShape) -> Iterator[bytes]:
    table, _ = _palette(shape.theme)
    yield b"GIF89a" + struct.pack("<HHBBB", *shape.size, 0xF7, 0, 0) + table
    yield b"\x21\xff\x0bNETSCAPE2.0" + struct.pack("<BBHB", 3, 1, FOREVER, 0)
    passed = 0
    for content, left, top, width, height, lasts in pictures:
        passed, before = passed + lasts, passed
        hundredths = round(passed / 10) - round(before / 10)
        yield struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 1 << 2, hundredths, 0, 0)  # it stays, and is drawn over
        yield struct.pack("<BHHHHB", 0x2C, left, top, width, height, 0) + content
    yield b";"


# ---- WebP --------------------------------------------------------------------------------------------------

_LOSSLESS = {"lossless": True, "quality": 40, "method": 2}  # letters stay sharp; the numbers are for effort
_HEADERS = 44  # bytes


def _as_webp(part: Pixels) -> bytes:
    """The chunk with the picture in a WebP file."""
    height, width = part.shape
    rows = numpy.ascontiguousarray(part).tobytes()
    file = io.BytesIO()
    Image.frombytes("RGB", (width, height), rows, "raw", "BGRX").save(file, "WEBP", **_LOSSLESS)
    return file.getvalue()[12:]


def _webp_part(picture: EncodedPicture) -> bytes:
    content, left, top, width, height, lasts = picture
    numbers = (left // 2, top // 2, width - 1, height - 1, lasts)
    frame = b"".join(number.to_bytes(3, "little") for number in numbers) + b"\x02" + content  # drawn over, not mixed
    return b"ANMF" + struct.pack("<I", len(frame)) + frame


def _webp_headers(shape: FilmShape, size: int) -> bytes:
    """The headers of a file of that many bytes."""
    is_animated = 0x02
    extended = struct.pack("<BBH", is_animated, 0, 0) + b"".join((n - 1).to_bytes(3, "little") for n in shape.size)
    animated = struct.pack("<IH", 0xFFFFFFFF, FOREVER)
    chunks = b"VP8X" + struct.pack("<I", len(extended)) + extended + b"ANIM" + struct.pack("<I", 6) + animated
    return b"RIFF" + struct.pack("<I", size - 8) + b"WEBP" + chunks
