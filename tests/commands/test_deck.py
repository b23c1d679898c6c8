"""Decks: a slide for each moment, pictures in one place with words for them, notes, films, the same bytes twice."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.sources import ROOT
from visual.command_line import main

pptx = pytest.importorskip("pptx")
av = pytest.importorskip("av")

TALK = """
format = 1
title = "Waiting & <more>"
notes = "Welcome."
[[scene]]
scenario = "deferred-reply"
at = 5.2
title = "Two requests meet"
question = "What will P1 reply?"
answer = "Nothing yet."
notes = "Let them guess."
[[scene]]
scenario = "deferred-reply"
at = "marker:the wait"
theme = "dark"
select = 1
film = { speed = 2 }
"""
TITLES = ["Waiting & <more>", "Two requests meet", "Two requests meet", "A deferred reply is not a refusal"]


def deck(folder: Path, name: str, text: str = TALK) -> bytes:
    (folder / "t.toml").write_text(text, encoding="utf-8")
    assert main(["deck", str(folder / "t.toml"), "-o", str(folder / name)]) == 0
    return (folder / name).read_bytes()


@pytest.fixture(scope="module")
def presentation(tmp_path_factory):
    return pptx.Presentation(io.BytesIO(deck(tmp_path_factory.mktemp("deck"), "t.pptx")))


def pictures(slide) -> list:
    return [shape for shape in slide.shapes if shape._element.tag.endswith("}pic")]


def test_each_moment_is_a_slide_and_a_question_one_before_its_answer(presentation):
    assert (presentation.slide_width, presentation.slide_height) == (12_192_000, 6_858_000), "16:9"
    assert [slide.shapes.title.text_frame.text for slide in presentation.slides] == TITLES
    texts = [[s.text_frame.text for s in slide.shapes if s.name == "Sentences"] for slide in presentation.slides]
    assert texts[1:3] == [["What will P1 reply?"], ["What will P1 reply?\nNothing yet."]]
    assert "P2 receives P3's request (2,3)" in texts[3][0], "the caption of the step"


def test_pictures_are_in_the_same_place_with_alternative_texts(presentation):
    shown = [pictures(slide) for slide in presentation.slides]
    assert [len(found) for found in shown] == [0, 1, 1, 1]
    boxes = {(p.left, p.top, p.width, p.height) for (p,) in shown[1:]}
    assert len(boxes) == 1
    words = [p._element.nvPicPr.cNvPr.get("descr") for (p,) in shown[1:]]
    assert all("Ricart–Agrawala" in text and "P2" in text for text in words)
    assert words[0] == words[1] != words[2]


def test_everything_is_inside_the_slide(presentation):
    for slide in presentation.slides:
        for shape in slide.shapes:
            assert min(shape.left, shape.top) >= 0
            assert shape.left + shape.width <= presentation.slide_width
            assert shape.top + shape.height <= presentation.slide_height


def test_notes_tell_the_answer_before_it_is_asked(presentation):
    notes = [s.notes_slide.notes_text_frame.text if s.has_notes_slide else "" for s in presentation.slides]
    assert notes[0] == "Welcome."
    assert notes[1] == notes[2] == "Let them guess.\nAnswer: Nothing yet."
    assert notes[3].startswith("Ask before the marker"), "those of the scenario"


def test_the_film_is_embedded_and_runs_from_the_moment_before(tmp_path):
    content = deck(tmp_path, "t.pptx")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".mp4")]
        film = archive.read(name)
        assert {part.date_time for part in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    with av.open(io.BytesIO(film)) as container:
        frames = sum(1 for _ in container.decode(video=0))
    assert frames == 5, "from 5.2 to 5.6 at 0.1 a frame"
    assert deck(tmp_path, "again.pptx") == content


def test_the_page_needs_nothing_else_and_turns_without_a_script(tmp_path):
    text = deck(tmp_path, "t.html").decode()
    assert deck(tmp_path, "again.html").decode() == text
    assert not re.findall(r'(?:src|href)="(?!data:|#)', text)
    assert not re.search(r"url\((?!#|data:)|@import|https?://(?!www\.w3\.org/)", text)
    sections = re.findall(r"<section.*?</section>", text, re.S)
    titles = [re.search(r"<title[^>]*>(.*?)</title>", section)[1] for section in sections]
    assert titles == [title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for title in TITLES]
    assert ["<iframe" in section for section in sections] == [False, False, False, True]
    for section in sections:
        drawing = re.search(r"<svg.*?</svg>", section, re.S)[0]
        ElementTree.fromstring(drawing)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids)), "each drawing has ids of its own"
    assert "Nothing yet." not in re.sub("<aside>.*?</aside>", "", sections[1], flags=re.S)
    assert "Nothing yet." in sections[2]


def test_a_pdf_has_a_page_for_each_slide_with_its_words_as_text(tmp_path):
    pypdfium2 = pytest.importorskip("pypdfium2")
    content = deck(tmp_path, "t.pdf")
    assert deck(tmp_path, "again.pdf") == content
    pages = list(pypdfium2.PdfDocument(content))
    assert [round(page.get_width() / page.get_height(), 3) for page in pages] == [1.778] * 4
    texts = [page.get_textpage().get_text_range() for page in pages]
    assert [title in text for title, text in zip(TITLES, texts, strict=True)] == [True] * 4
    assert ["Nothing yet." in text for text in texts] == [False, False, True, False]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mutual-exclusion", "-o", "x.key"], "x.key: expected a deck's file that ends in .pptx"),
        (["mutual-exlusion"], "unknown talk 'mutual-exlusion'; did you mean mutual-exclusion?"),
        (["no.toml"], "no.toml: there is no such file"),
        (["late.toml", "-o", "x.html"], "scene 1 (A deferred reply is not a refusal): the run ends before its moment"),
        (
            ["short.toml", "-o", "x.html"],
            "scene 1 (A deferred reply is not a refusal): expected a film that ends after",
        ),
        (["ring.toml"], "ring.toml: expected a talk, with [[scene]] tables"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_no_file(tmp_path, monkeypatch, capsys, words, sentence):
    scene = 'format = 1\ntitle = "T"\n[[scene]]\nscenario = "deferred-reply"\n'
    (tmp_path / "late.toml").write_text(scene + "at = { enters = 3, nth = 4 }")
    (tmp_path / "short.toml").write_text(scene + "at = 5\nfilm = { from = 5 }")
    (tmp_path / "ring.toml").write_text('format = 1\nalgorithm = "token-ring"')
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert main(["deck", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_the_extra_is_declared():
    assert "decks = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
