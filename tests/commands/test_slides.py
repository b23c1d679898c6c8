"""The text to paste into slides compiles, shows every picture, and says in words what is on it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest
import typst

from visual.command_line import main
from visual.commands.shot import SNIPPETS, PictureFile

NASTY = r'“Safety” fails: 100 % of [x]_y & <z> \w {q} ~a^b #1 $2 "three" → P1'


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def snippet(capsys: pytest.CaptureFixture[str], form: str, output: str, at: str = "2,3,4") -> str:
    """What `mutoscope shot --emit` prints, beside the pictures that it writes."""
    assert main(["shot", "equal-stamps", "--at", at, "--size", "640x360", "-o", output, "--emit", form]) == 0
    return capsys.readouterr().out


def nasty(kind: str) -> list[PictureFile]:
    """A picture with everything in its words that these programs give a meaning."""
    assert main(["shot", "equal-stamps", "--size", "320x180", "-o", f"my picture_1.{kind}"]) == 0
    return [PictureFile(f"my picture_1.{kind}", NASTY)]


def pages(file: str) -> int:
    return len(pypdfium2.PdfDocument(Path(file)))


# ---- Beamer ------------------------------------------------------------------------------------------------


def beamer(frame: str, ratio: int, name: str = "talk") -> str:
    """Compile a frame; LaTeX's log."""
    preamble = rf"\documentclass[aspectratio={ratio}]{{beamer}}\usepackage[T1]{{fontenc}}\usepackage{{lmodern}}"
    text = f"{preamble}\n\\begin{{document}}\n{frame}\n\\end{{document}}\n"
    Path(f"{name}.tex").write_text(text, "utf-8")
    run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name], capture_output=True)
    assert run.returncode == 0, run.stdout[-2000:]
    return Path(f"{name}.log").read_text("latin-1")


HAS_BEAMER = shutil.which("kpsewhich") and subprocess.run(["kpsewhich", "beamer.cls"], capture_output=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(not HAS_BEAMER, reason="LaTeX with Beamer is not installed")
@pytest.mark.parametrize("ratio", [169, 43])
@pytest.mark.parametrize(("output", "count"), [("wait-{n}.png", 3), ("wait.pdf", 3)])
def test_a_frame_of_beamer_compiles_and_fits_both_formats(ratio, output, count, capsys):
    log = beamer(snippet(capsys, "beamer", output), ratio)
    assert pages("talk.pdf") == count
    assert "Overfull" not in log


@pytest.mark.slow
@pytest.mark.skipif(not HAS_BEAMER, reason="LaTeX with Beamer is not installed")
def test_words_do_not_break_a_frame():
    beamer(SNIPPETS["beamer"].text(nasty("png")), 169)
    assert pages("talk.pdf") == 1


def test_a_frame_has_a_picture_on_each_overlay(capsys):
    text = snippet(capsys, "beamer", "wait-{n}.png")
    assert re.findall(r"\\includegraphics<(\d)>\[.*\]\{(.*)\}", text) == [
        (f"{n + 1}", f"wait-{n}.png") for n in range(3)
    ]
    text = snippet(capsys, "beamer", "wait.pdf")
    assert re.findall(r"\\includegraphics<(\d)>\[.*page=(\d),.*\]\{wait.pdf\}", text) == [
        ("1", "1"),
        ("2", "2"),
        ("3", "3"),
    ]
    assert "<1>" not in snippet(capsys, "beamer", "one.png", "2")
    for words in (text, SNIPPETS["beamer"].text(nasty("png"))):
        plain = re.sub(r"\\[#$%&_{}]", "", words)
        assert plain.count("{") == plain.count("}")
        assert not re.search(r"[#$%&~^]", plain)


# ---- Typst -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["wait-{n}.svg", "wait-{n}.png", "wait.pdf"])
def test_typst_compiles(output, capsys):
    Path("talk.typ").write_text('#set page(paper: "presentation-16-9")\n' + snippet(capsys, "typst", output), "utf-8")
    typst.compile("talk.typ", output="talk.pdf")
    assert pages("talk.pdf") == 3


def test_words_do_not_break_typst():
    Path("talk.typ").write_text(SNIPPETS["typst"].text(nasty("svg")), "utf-8")
    typst.compile("talk.typ", output="talk.pdf")
    assert pages("talk.pdf") == 1


# ---- Markdown, HTML, Python --------------------------------------------------------------------------------


class Images(HTMLParser):
    """Collects the attributes of images."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.found.append(dict(attributes))


def test_reveal_stacks_the_pictures(capsys):
    first, *others = Images(snippet(capsys, "reveal", "wait-{n}.svg")).found
    assert "class" not in first
    assert [image["class"] for image in others] == ["fragment", "fragment"]
    assert all(Path(image["src"]).is_file() and "Ricart–Agrawala" in image["alt"] for image in (first, *others))
    (image,) = Images(SNIPPETS["reveal"].text(nasty("svg"))).found
    assert image["alt"] == NASTY


def test_marp_makes_a_slide_of_each_picture(capsys):
    slides = snippet(capsys, "marp", "wait-{n}.svg").strip().split("\n\n---\n\n")
    assert len(slides) == 3
    for slide in slides:
        match = re.fullmatch(r"!\[h:560 ([^\[\]]+)\]\(<([^<>]+)>\)", slide)
        assert match
        assert "Ricart–Agrawala" in match[1]
        assert Path(match[2]).is_file()
    assert re.fullmatch(r"!\[h:560 [^\[\]]+\]\(<my picture_1.svg>\)", SNIPPETS["marp"].text(nasty("svg")))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("marp"), reason="Marp is not installed")
def test_marp_makes_slides_of_it(capsys):
    Path("talk.md").write_text("---\nmarp: true\n---\n\n" + snippet(capsys, "marp", "wait-{n}.svg"), "utf-8")
    subprocess.run(["marp", "--no-stdin", "talk.md", "-o", "talk.html"], check=True, capture_output=True, timeout=60)
    page = Path("talk.html").read_text("utf-8")
    images = Images(page).found
    assert page.count("<section") == 3
    assert [image["src"] for image in images] == [f"wait-{n}.svg" for n in range(3)]
    assert all(image["style"] == "height:560px;" and "Ricart–Agrawala" in image["alt"] for image in images)


def test_quarto_shows_one_picture_or_a_stack(capsys):
    text = snippet(capsys, "quarto", "wait-{n}.svg")
    assert text.startswith("::: {.r-stack}\n")
    assert text.rstrip().endswith("\n:::")
    found = re.findall(r'^!\[\]\(<(wait-\d.svg)>\)\{(\.fragment )?fig-alt="((?:[^"\\]|\\.)+)"\}$', text, re.M)
    assert [(file, bool(fragment)) for file, fragment, _ in found] == [(f"wait-{n}.svg", n > 0) for n in range(3)]
    assert all("Ricart–Agrawala" in words for *_, words in found)
    one = SNIPPETS["quarto"].text(nasty("svg"))
    words = re.fullmatch(r'!\[\]\(<my picture_1.svg>\)\{fig-alt="((?:[^"\\]|\\.)+)"\}', one)
    assert words
    assert re.sub(r"\\(.)", r"\1", words[1]) == NASTY


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
@pytest.mark.parametrize("form", ["quarto", "marp", "markdown"])
def test_pandoc_reads_the_markdown(form):
    text = SNIPPETS[form].text(nasty("svg"))
    html = subprocess.run(
        ["pandoc", "-t", "html"], input=text.encode(), capture_output=True, check=True
    ).stdout.decode()
    (image,) = Images(html).found
    assert image["src"].replace("%20", " ") == "my picture_1.svg"
    assert "100 % of" in image.get("alt", "") + image.get("fig-alt", "") + image.get("data-fig-alt", "")


@pytest.mark.parametrize(("output", "kind"), [("wait-{n}.svg", "SVG"), ("wait-{n}.png", "Image")])
def test_a_cell_of_a_notebook_displays_the_pictures(output, kind, capsys):
    tree = ast.parse(snippet(capsys, "jupyter", output))
    calls = [call.args[0] for call in ast.walk(tree) if isinstance(call, ast.Call) and call.func.id == "display"]
    shown = [(call.func.id, {k.arg: ast.literal_eval(k.value) for k in call.keywords}) for call in calls]
    assert [name for name, _ in shown] == [kind] * 3
    assert all(Path(options["filename"]).is_file() for _, options in shown)
    assert all("Ricart–Agrawala" in options["alt"] for name, options in shown if name == "Image")
    nodes = ast.walk(ast.parse(SNIPPETS["jupyter"].text(nasty("png"))))
    assert NASTY in [node.value for node in nodes if isinstance(node, ast.Constant)]


@pytest.mark.parametrize("form", list(SNIPPETS))
def test_every_snippet_names_every_breach(form, capsys):
    kind = SNIPPETS[form].kinds[0] if form != "jupyter" else "png"
    words = ["--algorithm", "uncoordinated", "--nodes", "3", "--load", "saturated", "--at", "6", "--until", "9"]
    assert main(["shot", *words, "--size", "320x180", "-o", f"a.{kind}", "--emit", form]) == 0
    assert re.search(r"“Safety” fails at step \d+: .* P\d", capsys.readouterr().out)
