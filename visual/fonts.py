"""DejaVu Sans and DejaVu Sans Mono: where they are, how wide a text is, and how to make it fit.

The fonts come with matplotlib and are found without importing it. Widths are sums of the advances written
in the font (its `hmtx` table), so they need no display, are the same on every machine, and grow in
proportion to the size.
"""

import struct
from functools import cache, lru_cache
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

_FILES = {
    ("sans", "normal"): "DejaVuSans.ttf",
    ("sans", "bold"): "DejaVuSans-Bold.ttf",
    ("mono", "normal"): "DejaVuSansMono.ttf",
    ("mono", "bold"): "DejaVuSansMono-Bold.ttf",
}
_ELLIPSIS = "…"


@cache
def path(family: FontFamily = "sans", weight: Weight = "normal") -> Path:
    """The font file; FileNotFoundError with a plain sentence where matplotlib does not bring it."""
    spec = find_spec("matplotlib")
    folders = spec.submodule_search_locations if spec else None
    if folders:
        file = Path(folders[0], "mpl-data", "fonts", "ttf", _FILES[family, weight])
        if file.is_file():
            return file
    raise FileNotFoundError(
        f"{_FILES[family, weight]} not found: it comes with matplotlib, please install that"
    )


def width(text: str, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> float:
    """Width of one line in pixels when the em is `size` pixels."""
    return _ems(text, family, weight) * size


@lru_cache(maxsize=8192)
def _ems(text: str, family: FontFamily, weight: Weight) -> float:
    advances = _advances(family, weight)
    return sum(advances.of(character) for character in text)


def fits(text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal") -> bool:
    """Whether the line is at most `room` pixels wide."""
    return width(text, size, family, weight) <= room


def shorten(
    text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal"
) -> str:
    """The text, or as much of its beginning as fits into `room` pixels together with an ellipsis."""
    if fits(text, room, size, family, weight):
        return text
    kept = len(text)
    while kept and not fits(text[:kept].rstrip() + _ELLIPSIS, room, size, family, weight):
        kept -= 1
    return text[:kept].rstrip() + _ELLIPSIS


def wrap(
    text: str, room: float, size: float, family: FontFamily = "sans", weight: Weight = "normal"
) -> list[str]:
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


def _broken(word: str, room: float, size: float, family: FontFamily, weight: Weight) -> list[str]:
    """The word in pieces that fit, at least one character each."""
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


class _Advances(NamedTuple):
    """Advance per character in ems; `missing` for characters that the font lacks."""

    by_character: dict[str, float]
    missing: float

    def of(self, character: str) -> float:
        return self.by_character.get(character, self.missing)


@cache
def _advances(family: FontFamily, weight: Weight) -> _Advances:
    data = path(family, weight).read_bytes()
    tables = _tables(data)
    (units_per_em,) = struct.unpack_from(">H", data, tables["head"] + 18)
    (metrics,) = struct.unpack_from(">H", data, tables["hhea"] + 34)
    advances = [
        struct.unpack_from(">H", data, tables["hmtx"] + 4 * i)[0] / units_per_em for i in range(metrics)
    ]
    by_character = {
        chr(code): advances[min(glyph, metrics - 1)] for code, glyph in _glyphs(data, tables["cmap"]).items()
    }
    return _Advances(by_character, advances[0])


def _tables(data: bytes) -> dict[str, int]:
    """Where each table of a TrueType file begins."""
    (count,) = struct.unpack_from(">H", data, 4)
    entries = (struct.unpack_from(">4s4xI", data, 12 + 16 * i) for i in range(count))
    return {tag.decode("ascii"): offset for tag, offset in entries}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Code point to glyph number, from the subtable of format 4 (the Basic Multilingual Plane)."""
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    starts = [cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * i)[0] for i in range(count)]
    start = next(s for s in starts if struct.unpack_from(">H", data, s)[0] == 4)
    (doubled,) = struct.unpack_from(">H", data, start + 6)
    segments = doubled // 2
    ends_at, begins_at = start + 14, start + 16 + doubled
    deltas_at, ranges_at = begins_at + doubled, begins_at + 2 * doubled
    glyphs = {}
    for i in range(segments):
        end, begin, delta, offset = (
            struct.unpack_from(">H", data, at + 2 * i)[0] for at in (ends_at, begins_at, deltas_at, ranges_at)
        )
        for code in range(begin, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = struct.unpack_from(">H", data, ranges_at + 2 * i + offset + 2 * (code - begin))
            if glyph or not offset:
                glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs
