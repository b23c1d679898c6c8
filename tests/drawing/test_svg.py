"""Pictures as files: SVG that other programs understand, PNG of the right size, and never half a file."""

import errno
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pygame
import pytest

from tests.support.slides import picture as slide
from tests.support.svg_sample import picture, text_of
from visual.drawing import export
from visual.drawing.export import Picture, encode
from visual.drawing.svg import number
from visual.drawing.theme import NAMES, load
from visual.scene.still import CROPS

SVG = "{http://www.w3.org/2000/svg}"


def parsed(a_picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(text_of(a_picture))


def test_numbers_are_short_and_never_minus_zero():
    numbers = (1, 0.5, -0.001, 2 / 3, 1e-9, 1234567.891, 100)
    assert [number(value) for value in numbers] == ["1", "0.5", "0", "0.67", "0", "1234567.89", "100"]


def test_same_picture_same_bytes():
    script = "from tests.support.svg_sample import picture, text_of; print(text_of(picture()), end='')"
    quiet = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1", "PYTHONUTF8": "1"}
    for seed in ("1", "2"):
        command = [sys.executable, "-c", script]
        result = subprocess.run(command, capture_output=True, check=True, env={**quiet, "PYTHONHASHSEED": seed})
        assert result.stdout.decode("utf-8") == text_of(picture())


def test_size_title_and_description_are_there():
    root = parsed(picture())
    assert root.get("viewBox") == "0 0 300 270"
    assert (root.get("width"), root.get("height")) == ("300", "270")
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert (title.text, description.text) == ("Two <ask>", "P0 & P1")
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]


def test_text_stays_text():
    texts = [e.text for e in parsed(picture()).iter(f"{SVG}text") if e.get("aria-hidden") is None]
    assert texts == ["P0 < P1 & →", "ask 4,1", "clipped", "ask 4,1"]


def test_a_halo_is_a_text_of_its_own_below_the_letters():
    """Programs that do not know paint-order, such as LibreOffice, would paint a stroke over the letters."""
    assert "paint-order" not in text_of(picture())
    texts = list(parsed(picture()).iter(f"{SVG}text"))
    (place,) = [place for place, element in enumerate(texts) if element.get("aria-hidden") == "true"]
    halo, letters = texts[place : place + 2]
    assert (halo.text, halo.get("stroke"), halo.get("id")) == (letters.text, "#FFFFFF", None)
    assert letters.get("stroke") is None
    assert all(halo.get(name) == letters.get(name) for name in ("x", "y", "transform", "font-size", "font-weight"))


def test_ids_are_unique_begin_with_the_name_and_are_all_there():
    root = parsed(picture())
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    parts = [re.fullmatch(r"two-ask-[0-9a-f]{8}-([\w-]+)", name) for name in ids]
    assert all(parts)
    assert {"node-0", "edge", "group", "message-4"} <= {part[1] for part in parts if part}


def test_pictures_of_the_same_moment_have_no_id_in_common():
    """On one page, each would otherwise be filled with the patterns of the first."""
    texts = [encode(slide("deferred-reply", crop, theme=name), "svg") for crop in CROPS for name in NAMES]
    ids = [name for text in texts for name in set(re.findall(rb' id="([^"]*)"', text))]
    assert len(set(ids)) == len(ids) > 100


def test_what_is_referred_to_is_defined():
    text = text_of(picture())
    referred = set(re.findall(r"url\(#([^)]*)\)", text))
    defined = {element.get("id") for element in ElementTree.fromstring(text).find(f"{SVG}defs")}
    assert referred == defined
    assert len(defined) == 3  # two patterns, one of them used twice, and one clip


def test_names_that_begin_with_a_digit_still_make_ids():
    assert parsed(picture(name="3 nodes")).find(f"{SVG}title").get("id").startswith("p3-nodes-")


def test_colours_with_alpha_are_written_apart():
    circle = next(c for c in parsed(picture()).iter(f"{SVG}circle") if (c.get("id") or "").endswith("-node-1"))
    assert (circle.get("fill"), circle.get("fill-opacity")) == ("#0072B2", "0.5")
    assert circle.get("stroke-dasharray") == "6 4"


def test_without_a_background_nothing_is_laid_under():
    def rectangles(background):
        return [r for r in parsed(picture(background=background)).iter(f"{SVG}rect") if r.get("width") == "300"]

    assert len(rectangles("#FFFFFF")) == 1
    assert rectangles(None) == []


@pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="rsvg-convert is not installed")
@pytest.mark.parametrize("theme", NAMES)
def test_svg_and_png_show_the_same_picture(theme, tmp_path):
    drawn = picture(theme=load(theme), background=load(theme).paper)
    export.save(drawn, str(tmp_path / "a.svg"))
    subprocess.run(["rsvg-convert", str(tmp_path / "a.svg"), "-o", str(tmp_path / "a.png")], check=True)
    ours = pygame.image.load(io.BytesIO(export.encode(drawn, "png")))
    theirs = pygame.image.load(tmp_path / "a.png")
    # averaged over 5x5 pixels, because soft edges differ and a pattern may begin elsewhere
    one, other = (
        pygame.image.tobytes(pygame.transform.smoothscale(surface, (60, 54)), "RGB") for surface in (ours, theirs)
    )
    unlike = sorted(abs(a - b) for a, b in zip(one, other, strict=True))
    assert unlike[len(unlike) * 95 // 100] <= 40
    assert sum(unlike) / len(unlike) <= 6


@pytest.mark.parametrize("scale", export.SCALES)
def test_png_has_exactly_scale_times_the_pixels(scale, tmp_path):
    target = tmp_path / "a.png"
    export.save(picture(), str(target), scale)
    assert pygame.image.load(target).get_size() == (300 * scale, 270 * scale)


def test_png_is_transparent_where_nothing_is_drawn_if_asked():
    surface = pygame.image.load(io.BytesIO(export.encode(picture(background=None), "png")))
    assert surface.get_at((5, 5)).a == 0
    assert surface.get_at((250, 25)) == pygame.Color("#F6F6F4")
    assert export.encode(picture(), "png") == export.encode(picture(), "png")


@pytest.mark.parametrize("scale", [0, 5, -1])
def test_other_scales_are_refused(scale, tmp_path):
    with pytest.raises(ValueError, match=f"scale {scale}: expected a whole number from 1 to 4"):
        export.save(picture(), str(tmp_path / "a.png"), scale)
    assert list(tmp_path.iterdir()) == []


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a\.bmp: a picture is written as \.png, \.svg or \.pdf"):
        export.save(picture(), str(tmp_path / "a.bmp"))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "a.svg"
    target.write_text("old")

    def full_disk(path, mode):
        with open(path, mode) as file:
            file.write(b"<svg")
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pathlib.Path.open", full_disk)
        with pytest.raises(OSError, match="no space left"):
            export.save(picture(), str(target))
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_svg_needs_no_pygame():
    script = "import sys; from visual.drawing import export; print('pygame' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
