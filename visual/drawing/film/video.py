"""Videos: H.264 in MP4 and VP9 in WebM. Each segment begins with a whole picture and has an encoder of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import av
import numpy
from av.codec.context import Flags

from visual.drawing.film import FilmShape
from visual.drawing.film.frame import TILE, FilmFrame, Pixels, Tiles

CODECS = {
    "mp4": ("libx264", {"preset": "superfast", "crf": "20", "bf": "0", "subq": "0", "threads": "1"}),
    "webm": ("libvpx-vp9", {"deadline": "realtime", "cpu-used": "8", "crf": "32", "b": "0", "threads": "1"}),
}  # one thread: the same input gives the same file
_HD = 1  # BT.709, in the numbers of the standard: players assume it for high definition
_LIMITED = 1  # brightness from 16 to 235


class EncodedPart(NamedTuple):
    """What an encoder has made of a frame; the times are in ticks."""

    content: bytes
    pts: int
    dts: int
    is_whole: bool  # whether it needs no part before it


def encode(kind: str, frames: Iterable[FilmFrame], shape: FilmShape, first_tick: int) -> list[EncodedPart]:
    """The encoded frames of a segment."""
    name, options = CODECS[kind]
    encoder: Any = av.CodecContext.create(name, "w")
    _describe(encoder, shape)
    encoder.options = options
    encoder.flags |= Flags.global_header
    packets = [packet for picture in _pictures(frames, shape, first_tick) for packet in encoder.encode(picture)]
    packets += encoder.encode(None)
    return [EncodedPart(bytes(packet), packet.pts, packet.dts, packet.is_keyframe) for packet in packets]


def write(kind: str, target: str, segments: Iterable[list[EncodedPart]], shape: FilmShape) -> None:
    """Write the encoded frames to a file."""
    name, options = CODECS[kind]
    with av.open(target, "w", format=kind) as container:
        stream: Any = container.add_stream(name, rate=shape.fps, options=options)
        _describe(stream.codec_context, shape)
        stream.time_base = Fraction(1, shape.fps)
        for segment in segments:
            for content, pts, dts, is_whole in segment:
                packet = av.Packet(content)
                packet.pts, packet.dts, packet.duration, packet.is_keyframe = pts, dts, 1, is_whole
                packet.time_base, packet.stream = Fraction(1, shape.fps), stream
                container.mux_one(packet)


def _describe(encoder: Any, shape: FilmShape) -> None:
    encoder.width, encoder.height = shape.size
    encoder.pix_fmt = "yuv420p"
    encoder.time_base, encoder.framerate = Fraction(1, shape.fps), shape.fps
    encoder.colorspace = encoder.color_primaries = encoder.color_trc = _HD
    encoder.color_range = _LIMITED


def _pictures(frames: Iterable[FilmFrame], shape: FilmShape, first_tick: int) -> Iterator[av.VideoFrame]:
    """The frames in the colours of video, one for each tick; only what changes is converted."""
    picture: Any = av.VideoFrame(*shape.size, "yuv420p")
    width, height = shape.size
    tick, planes = first_tick, _Planes()
    for pixels, changed, ticks in frames:
        planes.convert(pixels, changed)
        rows = numpy.flatnonzero(changed.any(axis=1))
        first, after = (TILE * int(rows[0]), min(TILE * int(rows[-1] + 1), height)) if len(rows) else (0, 0)
        for plane, own, half in zip(picture.planes, planes.values, (1, 2, 2), strict=True):
            lines = numpy.frombuffer(plane, numpy.uint8).reshape(-1, plane.line_size)
            part = slice(first // half, after // half)
            lines[part, : width // half] = own[part, : width // half]
        for _ in range(ticks):
            picture.pts = tick
            tick += 1
            yield picture


class _Planes:
    """The three planes of a picture: luma, and blue and red chroma of each square of 2 × 2 pixels.

    ITU-R BT.709, with numbers from 16 to 235, and 240 for the colours.
    """

    def __init__(self) -> None:
        self.values: tuple[Any, ...] = ()

    def convert(self, pixels: Pixels, changed: Tiles) -> None:
        """Convert the changed tiles."""
        if not self.values:
            height, width = pixels.shape
            sides = ((height, width), (height // 2, width // 2), (height // 2, width // 2))
            self.values = tuple(numpy.zeros(side, numpy.uint8) for side in sides)
        tiles = _tiles(pixels, TILE)[changed]
        red, green, blue = ((tiles >> shift & 0xFF).astype(numpy.int32) for shift in (16, 8, 0))
        _tiles(self.values[0], TILE)[changed] = (47 * red + 157 * green + 16 * blue + 4224) >> 8
        red, green, blue = (
            colour[:, ::2, ::2] + colour[:, 1::2, ::2] + colour[:, ::2, 1::2] + colour[:, 1::2, 1::2]
            for colour in (red, green, blue)
        )
        _tiles(self.values[1], TILE // 2)[changed] = (112 * blue - 26 * red - 86 * green + 131584) >> 10
        _tiles(self.values[2], TILE // 2)[changed] = (112 * red - 102 * green - 10 * blue + 131584) >> 10


def _tiles(plane: Any, side: int) -> Any:
    """A view of the plane as rows of square tiles."""
    height, width = plane.shape
    return plane.reshape(height // side, side, width // side, side).swapaxes(1, 2)
