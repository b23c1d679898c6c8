"""Save pictures of a run for slides and papers, as PNG, SVG or PDF.

Needs no display. In a series, all pictures have the same size and layout. Without --at and --steps, the picture
shows the first marker, or the middle of the run.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from visual.commands.output import require_extra, require_folder, require_pygame_ce, write
from visual.commands.picture_options import FilePattern, add_look_arguments, files_of, look_of, one_of, whole
from visual.commands.pictures import Instant, PictureOf, instants_of, pictures, pictures_beside, span_of, subject_of
from visual.commands.scenario_options import add_beside_argument, add_scenario_arguments, name_of, scenario_of
from visual.commands.tables import FORMATS, TABLES, write_table
from visual.drawing.export import KINDS, SCALES, Picture, encode, encode_pages
from visual.drawing.theme import load
from visual.scene.still import Still, trimmed

EXAMPLES = """\
  mutoscope shot deferred-reply --at "marker:the wait" -o wait.svg
  mutoscope shot lost-token --at markers --presentation --crop graph -o 'lost-{n}.png' --emit reveal
  mutoscope shot deferred-reply --crop spacetime --from 0 --to 8 --no-cursor --width 84mm --font-size 8pt -o wait.pdf
  mutoscope shot token-ring --at 0..20/0.5 -o every-half.pdf
  mutoscope shot token-ring --beside ricart-agrawala --at 20 -o two.svg
  mutoscope shot deferred-reply --table waits -o waits.tex"""

_PIXELS = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72}  # a pixel is 1/96 inch
_NARROWEST, _WIDEST = 20.0, 2_000.0  # pixels of a picture whose width is given in millimetres or the like
_TIGHT = 0.008  # of the width: the margin of a trimmed picture


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    add_beside_argument(parser)
    which = parser.add_argument_group("moments")
    times = "times, FIRST..LAST/DISTANCE, step:NUMBER, marker:NAME, markers or end; several make a series"
    which.add_argument("--at", metavar="WHEN[,WHEN…]", help=times)
    which.add_argument("--steps", metavar="A..B", help="one picture after each of the steps A to B")
    files = parser.add_argument_group("files")
    files.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="{name} stands for the run's name, {n} for the number in a series, from 0; without {n} the pictures of a "
        "series become the pages of one .pdf; - is the standard output",
    )
    kinds = "|".join(KINDS)
    files.add_argument("--format", metavar=kinds, help="if FILE has no extension (default: png; svg for -)")
    files.add_argument("--scale", metavar="1…4", default="1", help="pixel density of a PNG (default: 1; 2 = retina)")
    files.add_argument("--emit", metavar="FORMAT", help=f"print code to paste into slides: {', '.join(SNIPPETS)}")
    files.add_argument(
        "--table",
        metavar="|".join(TABLES),
        help=f"write numbers instead of a picture, of the whole run or up to --at, as {', '.join(FORMATS)}",
    )
    add_look_arguments(parser)
    part = parser.add_argument_group("for a paper")
    part.add_argument("--from", dest="start", metavar="T", help="where the space-time diagram begins")
    part.add_argument("--to", dest="end", metavar="T", help="where it ends; without --at also the moment shown")
    part.add_argument("--tight", action="store_true", help="cut off empty margins; with --width above and below only")
    part.add_argument(
        "--width", metavar="84mm", help="exact width in mm, cm, in or pt; --size then sets only its shape"
    )
    part.add_argument("--font-size", metavar="8pt", help="size of ordinary text, with --width")


def run(arguments: argparse.Namespace) -> int:
    """Write the pictures, and print their names or the text for slides."""
    scenario = scenario_of(arguments)
    if arguments.table is not None:
        write_table(arguments, scenario)
        return 0
    subject = _subject(arguments)
    look, zoom = _sized(_spanned(look_of(arguments), arguments, scenario), arguments)
    scale = whole("--scale", arguments.scale, SCALES[0], SCALES[-1])
    instants = _instants(arguments, scenario, look)
    target, name = files_of(arguments.output, arguments.format, len(instants)), name_of(arguments)
    snippet = None
    if arguments.emit is not None:
        snippet = snippet_of(one_of("--emit", "format", arguments.emit, tuple(SNIPPETS)), target.format)
    _require(target, name)
    made = [replace(picture, zoom=zoom) for picture in _drawn(scenario, instants, look, subject, arguments)]
    files = [
        PictureFile(target.file(name, n), picture.description, n if target.is_book else None)
        for n, picture in enumerate(made)
    ]
    printout = snippet.text(files) if snippet else "\n".join(dict.fromkeys(file.file for file in files))
    if target.is_book:
        write(files[0].file, [encode_pages(made)])
    else:
        for picture, file in zip(made, files, strict=True):
            write(file.file, [encode(picture, target.format, scale)])
    if target.pattern != "-":
        print(printout)
    return 0


def _instants(arguments: argparse.Namespace, scenario: Scenario, look: Still) -> list[Instant]:
    """The instants that are asked for, by default the end of the diagram's span, or the telling one."""
    if look.span and arguments.at is None and arguments.steps is None:
        return [Instant(time=look.span[1])]
    return instants_of(arguments.at, arguments.steps, scenario)


def _require(target: FilePattern, name: str) -> None:
    """BadInput unless there is all that writing the files takes, so that nothing is drawn in vain."""
    if target.format == "png":
        require_pygame_ce()
    if target.format == "pdf":
        require_extra("reportlab", "pdf", "a PDF needs")
    require_folder(target.file(name, 0))


def _drawn(
    scenario: Scenario, instants: list[Instant], look: Still, subject: PictureOf, arguments: argparse.Namespace
) -> Sequence[Picture]:
    """The pictures of the instants, of one run or of two, cut as is asked for."""
    name = name_of(arguments)
    if arguments.beside is None:
        made = list(pictures(scenario, instants, look, name, subject))
    else:
        from visual.window.compare import rival_of  # one run does without the window

        other = rival_of(scenario, arguments.beside).scenario
        made = list(pictures_beside(scenario, other, instants, look, name))
    if not arguments.tight:
        return made
    return trimmed(made, max(look.pad, _TIGHT * look.size[0]), keeps_width=arguments.width is not None)


def _subject(arguments: argparse.Namespace) -> PictureOf:
    """What the pictures show. BadInput for two runs where only one can be shown."""
    subject = subject_of(arguments)
    if arguments.beside is not None and subject.panel:
        raise BadInput("--beside: expected --crop full, graph or spacetime, which can show two runs")
    if arguments.beside is not None and subject.node is not None:
        raise BadInput("--view: what one node knows is a graph of one run; expected no --beside")
    return subject


def _spanned(look: Still, arguments: argparse.Namespace, scenario: Scenario) -> Still:
    """The look with the span of the diagram. BadInput for options of a diagram that is not in the picture."""
    asked = {
        "--from": arguments.start is not None,
        "--to": arguments.end is not None,
        "--no-cursor": not arguments.cursor,
        "--future": arguments.future is not None,
    }
    options = [option for option, is_asked in asked.items() if is_asked]
    if options and (arguments.crop not in ("full", "spacetime") or arguments.view is not None):
        raise BadInput(
            f"{options[0]}: there is no space-time diagram in this picture; expected --crop spacetime or full"
        )
    if arguments.start is None and arguments.end is None:
        return look
    return replace(look, span=span_of(arguments, scenario))


def _sized(look: Still, arguments: argparse.Namespace) -> tuple[Still, float]:
    """The look at the width on paper that is asked for, and what its pixels have to be enlarged by."""
    if arguments.width is None:
        if arguments.font_size is not None:
            raise BadInput("--font-size: expected --width as well, such as --width 84mm")
        return look, 1.0
    exact = _length("--width", arguments.width)
    if not _NARROWEST <= exact <= _WIDEST:
        raise Place("--width").expected("a width from 6mm to 500mm", arguments.width)
    width = round(exact)
    caption = "" if look.caption is None else look.caption  # a paper has its own
    height = max(1, round(width * look.size[1] / look.size[0]))
    sized = replace(look, size=(width, height), caption=caption, reopen=bool(arguments.origin))
    if arguments.font_size is not None:
        if arguments.text != "1":
            raise BadInput("--font-size: expected either --font-size or --text, got both")
        font = _length("--font-size", arguments.font_size)
        text = font / (load(look.theme).sizes.body * sized.unit)
        if not _SMALLEST_TEXT <= text <= _LARGEST_TEXT:
            least, most = (share * font / text * _POINT for share in (_SMALLEST_TEXT, _LARGEST_TEXT))
            raise Place("--font-size").expected(f"{least:.1f}pt to {most:.0f}pt at this width", arguments.font_size)
        sized = replace(sized, text=text, keeps_text=True)
    return sized, exact / width


_POINT = 72 / 96  # points of a pixel
_SMALLEST_TEXT, _LARGEST_TEXT = 0.5, 6.0  # times the usual size


def _length(option: str, text: str) -> float:
    """ "84mm" -> pixels. BadInput for anything else."""
    match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?)\s*(mm|cm|in|pt)", text)
    if not match:
        raise Place(option).expected("a length such as 84mm, 8.4cm, 3.3in or 8pt", text)
    return float(match[1]) * _PIXELS[match[2]]


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
