"""Text to paste into slides that shows pictures: for Beamer, reveal.js and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from algorithms.bad_input import BadInput


class PictureFile(NamedTuple):
    """A picture's file, and what the picture shows in words."""

    file: str
    words: str


def beamer(pictures: Sequence[PictureFile]) -> str:
    """LaTeX; a series becomes overlays through xmpmulti, which counts from 0 after the last hyphen."""
    first = Path(pictures[0].file)
    if first.suffix == ".svg":
        raise BadInput("--emit: LaTeX shows no SVG; expected a name that ends in .png")
    if len(pictures) == 1:
        return f"\\includegraphics[width=\\textwidth]{{{first.as_posix()}}}"
    stem, hyphen, number = first.stem.rpartition("-")
    if not hyphen or number != "0":
        raise BadInput("--emit: expected -o with -{n} before the ending for Beamer's \\multiinclude")
    options = f"format={first.suffix[1:]},end={len(pictures) - 1},graphics={{width=\\textwidth}}"
    name = first.with_name(stem).as_posix()
    return f"\\usepackage{{xmpmulti}} % in the preamble\n\\multiinclude[<+->][{options}]{{{name}}}"


def reveal(pictures: Sequence[PictureFile]) -> str:
    """HTML for reveal.js: a stack of images, each after the first a fragment."""
    kinds = ["", *[' class="fragment"'] * (len(pictures) - 1)]
    lines = [
        f'  <img{kind} src="{escape(file)}" alt="{escape(words)}">'
        for kind, (file, words) in zip(kinds, pictures, strict=True)
    ]
    return "\n".join(['<div class="r-stack">', *lines, "</div>"])


def markdown(pictures: Sequence[PictureFile]) -> str:
    """Markdown: one image after the other."""
    return "\n\n".join(f"![{words.translate(_NO_BRACKETS)}](<{file}>)" for file, words in pictures)


_NO_BRACKETS = str.maketrans("[]", "()")

SNIPPETS: dict[str, Callable[[Sequence[PictureFile]], str]] = {
    "beamer": beamer,
    "reveal": reveal,
    "markdown": markdown,
}
