"""Pictures as PDF: vectors that look like the PNG, text that can be searched, the same bytes every time."""

from __future__ import annotations

import io
import re
import sys

import pypdfium2
import pytest

from tests.support.pixels import unlike_inside, unlikeness
from tests.support.shapes import placed
from tests.support.slides import picture as shot
from tests.support.svg_sample import picture
from visual.command_line import main
from visual.drawing import export, fonts
from visual.drawing.shapes import Text
from visual.drawing.theme import NAMES, load


def opened(data: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(data)


def rendered(page: pypdfium2.PdfPage, scale: float = 96 / 72) -> bytes:
    """The page as PNG, with a pixel of the picture for each pixel."""
    file = io.BytesIO()
    page.render(scale=scale).to_pil().save(file, "PNG")
    return file.getvalue()


def words(page: pypdfium2.PdfPage) -> str:
    return " ".join(page.get_textpage().get_text_range().split())


def test_same_pictures_same_bytes():
    assert export.encode(picture(), "pdf") == export.encode(picture(), "pdf")


def test_text_is_text_and_comes_with_its_font():
    data = export.encode(picture(), "pdf")
    for text in ("P0 < P1 & →", "ask 4,1", "clipped"):
        assert text in words(opened(data)[0])
    assert re.findall(rb"/FontFile2", data)
    assert set(re.findall(rb"/FontName /[A-Z]{6}\+([\w-]+)", data)) == {
        b"DejaVuSans",
        b"DejaVuSans-Bold",
        b"DejaVuSansMono",
    }
    assert b"/Image" not in data.replace(b"/ImageB", b"").replace(b"/ImageC", b"").replace(b"/ImageI", b"")


def test_a_picture_names_itself():
    document = opened(export.encode(picture(title="Two <ask>", description="P0 & P1"), "pdf"))
    assert (document.get_metadata_value("Title"), document.get_metadata_value("Subject")) == ("Two <ask>", "P0 & P1")


def test_pages_are_as_large_as_their_pictures_on_paper():
    data = export.encode_pages([picture(), picture(size=(600, 200), zoom=1.5)])
    assert [page.get_size() for page in opened(data)] == [(225, 202.5), (675, 225)]


@pytest.mark.parametrize("theme", NAMES)
def test_pdf_and_png_show_the_same_picture(theme):
    for crop in ("full", "spacetime", "plots"):
        drawn = shot("deferred-reply", crop, theme=theme, size=(1280, 720))
        ours, theirs = export.encode(drawn, "png"), rendered(opened(export.encode(drawn, "pdf"))[0])
        mean, most = unlikeness(theirs, ours)
        assert mean < 2, crop
        assert most < 40, crop
        texts = [(shape.text, box) for shape, box in placed(drawn.shapes) if isinstance(shape, Text)]
        unlike = unlike_inside(ours, theirs, [box for _, box in texts])
        assert not [words for (words, _), much in zip(texts, unlike, strict=True) if much > 20], crop
    sample = picture(theme=load(theme), background=load(theme).paper)
    mean, most = unlikeness(rendered(opened(export.encode(sample, "pdf"))[0]), export.encode(sample, "png"))
    assert mean < 4


def test_odd_characters_do_not_break_a_file():
    data = export.encode(shot("deferred-reply", "graph", caption="a\x00b\ud800 𝛼 \N{SNOWMAN} …"), "pdf")
    assert "…" in words(opened(data)[0])


@pytest.mark.parametrize(("output", "pages"), [("a.pdf", [3]), ("a-{n}.pdf", [1, 1, 1])])
def test_a_series_is_pages_of_one_file_or_files(output, pages, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["shot", "equal-stamps", "--at", "2,3,4", "-o", output]) == 0
    files = capsys.readouterr().out.splitlines()
    assert [len(opened((tmp_path / file).read_bytes())) for file in files] == pages
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)


def test_without_reportlab_one_sentence_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert main(["shot", "equal-stamps", "-o", "a.pdf"]) == 2
    assert 'a PDF needs reportlab: python -m pip install "mutoscope[pdf]"' in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_letters_are_where_the_other_formats_have_them():
    """Widths come from the font file in every format: the middle of a text is the middle of its box."""
    page = opened(export.encode(picture(), "pdf"))[0]
    text = page.get_textpage()
    found = text.search("P0 < P1 & →").get_next()
    boxes = [text.get_charbox(found[0] + k) for k in range(found[1])]
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    assert (left + right) / 2 * 96 / 72 == pytest.approx(250, abs=1.0)
    assert (right - left) * 96 / 72 == pytest.approx(fonts.width("P0 < P1 & →", 14, weight="bold"), abs=2.5)
