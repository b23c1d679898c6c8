"""Text to paste into slides that shows pictures: for Beamer, reveal.js, Marp, Quarto, Typst, Jupyter and Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from algorithms.bad_input import BadInput


class PictureFile(NamedTuple):
    """A picture's file, what the picture shows in words, and its page where one file holds several."""

    file: str
    words: str
    page: int | None = None

    @property
    def path(self) -> str:
        """The file with forward slashes, as all these programs want it."""
        return Path(self.file).as_posix()


def beamer(pictures: Sequence[PictureFile]) -> str:
    """LaTeX: one frame, each picture on the next overlay, within the text of a slide of 16:9 or 4:3."""
    fit = r"width=\textwidth,height=0.85\textheight,keepaspectratio"
    lines = []
    for number, picture in enumerate(pictures, 1):
        overlay = f"<{number}>" if len(pictures) > 1 else ""
        page = "" if picture.page is None else f",page={picture.page + 1}"
        options = f"{fit}{page},alt={{{picture.words.translate(_LATEX)}}}"
        lines.append(f"  \\includegraphics{overlay}[{options}]{{{picture.path}}}")
    return "\n".join([r"\begin{frame}", r"  \centering", *lines, r"\end{frame}"])


_LATEX = str.maketrans({character: f"\\{character}" for character in "#$%&_{}"} | {"\\": "/", "~": "-", "^": ""})


def reveal(pictures: Sequence[PictureFile]) -> str:
    """HTML for reveal.js: a stack of images, each after the first a fragment."""
    kinds = ["", *[' class="fragment"'] * (len(pictures) - 1)]
    lines = [
        f'  <img{kind} src="{escape(picture.path)}" alt="{escape(picture.words)}">'
        for kind, picture in zip(kinds, pictures, strict=True)
    ]
    return "\n".join(['<div class="r-stack">', *lines, "</div>"])


def markdown(pictures: Sequence[PictureFile]) -> str:
    """Markdown: one image after the other."""
    return "\n\n".join(f"![{picture.words.translate(_NO_BRACKETS)}](<{picture.path}>)" for picture in pictures)


_NO_BRACKETS = str.maketrans("[]", "()")


def marp(pictures: Sequence[PictureFile]) -> str:
    """Markdown for Marp: a slide for each picture, as high as a slide has room."""
    return "\n\n---\n\n".join(
        f"![h:560 {picture.words.translate(_NO_BRACKETS)}](<{picture.path}>)" for picture in pictures
    )


def quarto(pictures: Sequence[PictureFile]) -> str:
    """Markdown for Quarto: one image, or a stack in which each after the first is a fragment."""
    kinds = ["", *[".fragment "] * (len(pictures) - 1)]
    lines = [
        f'![](<{picture.path}>){{{kind}fig-alt="{_quoted(picture.words)}"}}'
        for kind, picture in zip(kinds, pictures, strict=True)
    ]
    return lines[0] if len(lines) == 1 else "\n\n".join(["::: {.r-stack}", *lines, ":::"])


def typst(pictures: Sequence[PictureFile]) -> str:
    """Typst: a page for each picture, as large as the page has room."""
    lines = []
    for picture in pictures:
        page = "" if picture.page is None else f", page: {picture.page + 1}"
        fit = f'width: 100%, height: 100%, fit: "contain"{page}, alt: "{_quoted(picture.words)}"'
        lines.append(f'#image("{_quoted(picture.path)}", {fit})')
    return "\n#pagebreak()\n".join(lines)


def _quoted(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"', '\\"')


def jupyter(pictures: Sequence[PictureFile]) -> str:
    """Python for a cell of a notebook. An SVG brings its words along."""
    lines = [
        f"display(SVG(filename={_python(picture.path)}))"
        if picture.path.endswith(".svg")
        else f"display(Image(filename={_python(picture.path)}, alt={_python(picture.words)}))"
        for picture in pictures
    ]
    return "\n".join(["from IPython.display import SVG, Image, display", "", *lines])


def _python(words: str) -> str:
    """The words as a string of Python, in double quotes."""
    return json.dumps(words, ensure_ascii=False)


class Snippet(NamedTuple):
    """How pictures are shown in a format, and the kinds of files that it takes."""

    text: Callable[[Sequence[PictureFile]], str]
    kinds: tuple[str, ...]


SNIPPETS: dict[str, Snippet] = {
    "beamer": Snippet(beamer, ("pdf", "png")),
    "reveal": Snippet(reveal, ("svg", "png")),
    "marp": Snippet(marp, ("svg", "png")),
    "quarto": Snippet(quarto, ("svg", "png")),
    "typst": Snippet(typst, ("svg", "pdf", "png")),
    "jupyter": Snippet(jupyter, ("svg", "png")),
    "markdown": Snippet(markdown, ("svg", "png")),
}


def snippet_of(name: str, kind: str) -> Snippet:
    """The snippet of that name for files of a kind. BadInput if the program cannot show them."""
    snippet = SNIPPETS[name]
    if kind not in snippet.kinds:
        endings = " or ".join(f".{fitting}" for fitting in snippet.kinds)
        raise BadInput(f"--emit: {name} shows no .{kind} files; expected a name that ends in {endings}")
    return snippet
