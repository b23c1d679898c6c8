"""DejaVu Sans and DejaVu Sans Mono: their files, the width of a text, and ways to make it fit.

The fonts come with matplotlib and are found without importing it; a web page has them in `assets`. Widths are sums of
the advances written in the font (its `hmtx` table), so they need no display, are the same on every machine, and grow in
proportion to the size.
"""

import io
import re
import struct
from bisect import bisect_left
from functools import cache, lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

FontFamily: TypeAlias = Literal["sans", "mono"]
Weight: TypeAlias = Literal["normal", "bold"]

CAP_HEIGHT = 0.729
"""Height of a capital over the baseline, in ems; both families."""
ASCENT = 0.928
DESCENT = 0.236
LINE_HEIGHT = 1.4
"""Distance of baselines in running text, in ems."""

_FILES: dict[tuple[FontFamily, Weight], str] = {
    ("sans", "normal"): "DejaVuSans.ttf",
    ("sans", "bold"): "DejaVuSans-Bold.ttf",
    ("mono", "normal"): "DejaVuSansMono.ttf",
    ("mono", "bold"): "DejaVuSansMono-Bold.ttf",
}
FACES = tuple(_FILES)
"""Family and weight of all fonts."""

_ELLIPSIS = "…"
_MOST_LETTERS = 8  # of a word that are left out so that a text is not cut within it
_ROUNDING = 1e-6  # pixels: a line shrunk to the room fits into it


@cache
def path(family: FontFamily = "sans", weight: Weight = "normal") -> Path:
    """The font file; FileNotFoundError with a plain sentence where matplotlib does not bring it."""
    own = Path(str(resources.files("assets")), "fonts", _FILES[family, weight])  # in a web page
    if own.is_file():
        return own
    spec = find_spec("matplotlib")
    folders = spec.submodule_search_locations if spec else None
    if folders:
        file = Path(folders[0], "mpl-data", "fonts", "ttf", _FILES[family, weight])
        if file.is_file():
            return file
    raise FileNotFoundError(f"{_FILES[family, weight]} not found: it comes with matplotlib, please install that")


def subset(family: FontFamily, weight: Weight, letters: str, flavour: Literal["woff"] | None) -> bytes:
    """The font file with the glyphs of some letters alone, as WOFF or TrueType."""
    from fontTools import subset as tools  # takes a moment, and only pages need it

    options = tools.Options(flavor=flavour, layout_features=[], hinting=False, drop_tables=["FFTM"])
    font = tools.load_font(str(path(family, weight)), options)
    subsetter = tools.Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    file = io.BytesIO()
    tools.save_font(font, file, options)
    return file.getvalue()


def width(text: str, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> float:
    """Width of one line in pixels when the em is `size` pixels."""
    return _ems(text, family, weight) * size


@lru_cache(maxsize=8192)
def _ems(text: str, family: FontFamily, weight: Weight) -> float:
    return sum(map(_advances(family, weight).__getitem__, text))


def fits(text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> bool:
    """Whether the line is at most `room` pixels wide."""
    return width(text, size, family, weight) <= room + _ROUNDING


def shorten(text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> str:
    """The text, cut to fit into `room` pixels together with an ellipsis: between words, but for a long word."""
    if fits(text, room, size, family, weight):
        return text

    def beginning(length: int) -> str:
        return text[:length].rstrip(" ,;:") + _ELLIPSIS

    def is_too_long(length: int) -> bool:
        return not fits(beginning(length), room, size, family, weight)

    end = bisect_left(range(1, len(text) + 1), True, key=is_too_long)
    space = text.rfind(" ", 0, end + 1)
    return beginning(space if space > 0 and end - space <= _MOST_LETTERS else end)


def wrap(text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> list[str]:
    """Lines of at most `room` pixels, broken at spaces, and inside a word only where it alone is wider."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if fits(longer, room, size, family, weight):
            lines[-1] = longer
            continue
        *full, rest = _broken(word, room, size, family, weight)
        lines[-1:] = [line for line in [lines[-1], *full, rest] if line]
    return lines


def lines(text: str, room: float, size: float, most: int, weight: Weight = "normal") -> list[str]:
    """The text in at most `most` lines, the last one shortened."""
    wrapped = wrap(text, room, size, weight=weight)
    if len(wrapped) <= most:
        return wrapped
    return [*wrapped[: most - 1], shorten(" ".join(wrapped[most - 1 :]), room, size, weight=weight)]


def _joined(parts: list[str], room: float, size: float, family: FontFamily, weight: Weight) -> list[str]:
    """The parts joined into as few lines as possible."""
    joined = [""]
    for part in parts:
        if fits(joined[-1] + part, room, size, family, weight):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def _broken(word: str, room: float, size: float, family: FontFamily, weight: Weight) -> list[str]:
    """The word in pieces that fit: after its dashes if that is enough, otherwise of at least one character each."""
    parts = re.split(r"(?<=[–-])(?=.)", word)
    if len(parts) > 1 and all(fits(part, room, size, family, weight) for part in parts):
        return _joined(parts, room, size, family, weight)
    pieces = [word[0]]
    for character in word[1:]:
        if fits(pieces[-1] + character, room, size, family, weight):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def shrink(
    text: str, room: float, size: float, least: float, family: FontFamily = "sans", weight: Weight = "normal"
) -> float:
    """The largest em up to `size` and not below `least` at which the line fits into `room` pixels."""
    needed = width(text, size, family, weight)
    return size if needed <= room else max(least, size * room / needed)


class _Advances(dict[str, float]):
    """Character -> its advance in one font, in ems, read from the file's tables when first asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        tables = _tables(data)
        (self._units_per_em,) = struct.unpack_from(">H", data, tables["head"] + 18)
        (self._metrics,) = struct.unpack_from(">H", data, tables["hhea"] + 34)
        self._hmtx = tables["hmtx"]
        self._segments = _segments(data, tables["cmap"])

    def __missing__(self, character: str) -> float:
        """The advance; that of the empty box where the font lacks the character."""
        metric = min(self._glyph(ord(character)), self._metrics - 1)
        (advance,) = struct.unpack_from(">H", self._data, self._hmtx + 4 * metric)
        return self.setdefault(character, advance / self._units_per_em)

    def _glyph(self, code: int) -> int:
        segments = self._segments
        at = bisect_left(segments.ends, code)
        if at == len(segments.ends) or code < segments.starts[at]:
            return 0
        glyph, offset = code, segments.offsets[at]
        if offset:
            place = segments.offsets_at + 2 * at + offset + 2 * (code - segments.starts[at])
            (glyph,) = struct.unpack_from(">H", self._data, place)
        return (glyph + segments.deltas[at]) & 0xFFFF if glyph else 0


class _Segments(NamedTuple):
    """Runs of code points in the character map (`cmap`, format 4), as columns; `offsets_at` is in bytes."""

    ends: tuple[int, ...]
    starts: tuple[int, ...]
    deltas: tuple[int, ...]
    offsets: tuple[int, ...]
    offsets_at: int


@cache
def _advances(family: FontFamily, weight: Weight) -> _Advances:
    return _Advances(path(family, weight).read_bytes())


def _tables(data: bytes) -> dict[str, int]:
    """Where each table of a TrueType file begins."""
    (count,) = struct.unpack_from(">H", data, 4)
    entries = (struct.unpack_from(">4s4xI", data, 12 + 16 * i) for i in range(count))
    return {tag.decode("ascii"): offset for tag, offset in entries}


def _segments(data: bytes, cmap: int) -> _Segments:
    """The subtable for the Basic Multilingual Plane."""
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    starts = [cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * i)[0] for i in range(count)]
    start = next(at for at in starts if struct.unpack_from(">H", data, at)[0] == 4)
    (doubled,) = struct.unpack_from(">H", data, start + 6)
    places = [start + 14, *(start + 16 + k * doubled for k in (1, 2, 3))]
    ends, firsts, deltas, offsets = (struct.unpack_from(f">{doubled // 2}H", data, place) for place in places)
    return _Segments(ends, firsts, deltas, offsets, places[3])
