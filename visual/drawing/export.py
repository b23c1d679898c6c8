"""Pictures as files: PNG, SVG and PDF. A file is either whole or not there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from algorithms.files import write_whole
from visual.drawing.shapes import Colour, Shape
from visual.drawing.svg import svg
from visual.drawing.theme import Theme

Kind: TypeAlias = Literal["png", "svg", "pdf"]
KINDS: tuple[Kind, ...] = ("png", "svg", "pdf")
SCALES = (1, 2, 3, 4)


@dataclass(frozen=True)
class Picture:
    """Shapes with all it takes to make a file of them.

    `name` begins the ids in an SVG: the scenario's. `title` and `description` are what a screen reader says. Without
    a background the file is transparent. On paper a pixel is `zoom` times 1/96 inch, so that a width is exact.
    """

    shapes: tuple[Shape, ...]
    size: tuple[int, int]
    theme: Theme
    name: str
    title: str
    description: str = ""
    background: Colour | None = None
    zoom: float = 1.0


def encode(picture: Picture, kind: Kind, scale: int = 1) -> bytes:
    """The file's content. A PNG has exactly `scale` times the picture's pixels each way, drawn afresh, not enlarged."""
    if kind == "svg":
        return svg(
            picture.shapes,
            picture.size,
            picture.theme,
            prefix=picture.name,
            title=picture.title,
            description=picture.description,
            background=picture.background,
            zoom=picture.zoom,
        ).encode("utf-8")
    if kind == "pdf":
        return encode_pages([picture])
    # pygame takes a moment to load, and an SVG does without
    from visual.drawing.paint import png, render  # needs pygame-ce

    return png(render(picture.shapes, picture.size, picture.theme, scale, picture.background))


def encode_pages(pictures: Sequence[Picture]) -> bytes:
    """A PDF with a page for each picture. ImportError without ReportLab, which `mutoscope[pdf]` installs."""
    from visual.drawing.pdf import PdfPage, pdf  # an extra

    return pdf([PdfPage(p.shapes, p.size, p.theme, p.title, p.description, p.background, p.zoom) for p in pictures])


def save(picture: Picture, target: str, scale: int = 1) -> None:
    """Write a picture; the format follows from the name. ValueError with one sentence for any other name or scale."""
    if scale not in SCALES:
        raise ValueError(f"scale {scale}: expected a whole number from {SCALES[0]} to {SCALES[-1]}")
    write_whole(target, [encode(picture, kind_of(target), scale)])


def kind_of(target: str) -> Kind:
    """The format that a file name asks for."""
    ending = Path(target).suffix.lower().removeprefix(".")
    for kind in KINDS:
        if kind == ending:
            return kind
    raise ValueError(f"{target}: a picture is written as .png, .svg or .pdf")
