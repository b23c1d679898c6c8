"""Every program draws our SVG files as we draw the PNG: slides are shown by many programs, and none is like another."""

from __future__ import annotations

import re
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest

from tests.support.pixels import unlike_inside, unlikeness
from tests.support.renderers import RENDERERS
from tests.support.shapes import placed
from tests.support.slides import picture
from visual.commands.picture_options import PANELS
from visual.drawing.export import Picture, encode
from visual.drawing.shapes import Text
from visual.drawing.theme import NAMES
from visual.scene.still import CROPS

SIZE = (960, 540)
MEAN, CELL = 6.0, 90.0  # the most that the pictures differ, and one cell in a hundred does
WORD = 20.0  # the most that the mean colour within a text's box differs
SLOW = ("Inkscape", "LibreOffice", "Chromium")


@cache
def pictures() -> dict[str, Picture]:
    """Each crop in one theme, and the first crop in every theme."""
    pairs = [*zip((*CROPS, *PANELS), cycle(NAMES), strict=False), *((CROPS[0], theme) for theme in NAMES)]
    return {f"{crop}-{theme}": picture("deferred-reply", crop, size=SIZE, theme=theme) for crop, theme in pairs}


@cache
def own_drawing(name: str) -> bytes:
    return encode(pictures()[name], "png")


@pytest.mark.parametrize("renderer", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in RENDERERS])
def test_every_program_draws_every_crop_and_theme_as_we_do(renderer, tmp_path):
    draw, is_there = RENDERERS[renderer]
    if not is_there:
        pytest.skip(f"{renderer} or the font DejaVu is not installed")
    files = []
    for name, shown in pictures().items():
        files.append(tmp_path / f"{name}.svg")
        files[-1].write_bytes(encode(shown, "svg"))
    draw(files, tmp_path)
    for file in files:
        ours, theirs = own_drawing(file.stem), tmp_path / f"{file.stem}.png"
        mean, cell = unlikeness(ours, theirs)
        assert mean < MEAN, file.stem
        assert cell < CELL, file.stem
        assert not unlike_words(file.stem, theirs), file.stem


def unlike_words(name: str, theirs: Path) -> list[tuple[str, float]]:
    """The texts that look different in a drawing, each with its difference."""
    shown = [(s.text, box) for s, box in placed(pictures()[name].shapes) if isinstance(s, Text) and s.text.strip()]
    unlike = unlike_inside(own_drawing(name), theirs, [box for _, box in shown])
    return [(words, much) for (words, _), much in zip(shown, unlike, strict=True) if much > WORD]


@pytest.mark.skipif(not RENDERERS["librsvg"][1], reason="librsvg or the font DejaVu is not installed")
def test_a_halo_over_its_letters_would_be_seen(tmp_path):
    name = "graph-print"
    good = encode(pictures()[name], "svg").decode()
    pair = re.compile(r"(<text[^\n]*aria-hidden[^\n]*)\n(<text[^\n]*)")
    bad, count = pair.subn(r"\2\n\1", good)
    assert count > 5
    file: Path = tmp_path / f"{name}.svg"
    found = []
    for text in (good, bad):
        file.write_text(text, "utf-8")
        RENDERERS["librsvg"][0]([file], tmp_path)
        found.append(len(unlike_words(name, tmp_path / f"{name}.png")))
    assert found[0] == 0
    assert found[1] > 3
