"""A deck as a PowerPoint file, by python-pptx: titles and sentences are text, pictures have alternative texts."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from visual.drawing.deck.slide import (
    LEADING,
    PICTURE,
    SENTENCES,
    SIZE,
    SUBTITLE_SIZE,
    TITLE,
    TITLE_SIZE,
    Deck,
    Movie,
    Slide,
    size_of,
    title_of,
)
from visual.drawing.export import Picture, encode
from visual.drawing.shapes import Colour, Rect

_WIDTH = 12_192_000  # of a 16:9 slide, in English Metric Units
_UNIT = _WIDTH // SIZE[0]
_POINT = 72 / 914_400 * _UNIT  # points to a pixel
_NARROW = 4 / 3  # times as wide as the 4:3 slides of python-pptx's template
_DENSITY = 2  # pixels of a picture to a pixel of the slide
_DATE = (1980, 1, 1, 0, 0, 0)  # of every part of the file, so that the same deck gives the same bytes


def pptx(deck: Deck) -> bytes:
    """The file's content."""
    from pptx import Presentation  # an extra

    document = Presentation()
    _widen(document)
    document.core_properties.title = deck.title
    document.core_properties.author = ""
    title_slide, title_only = document.slide_layouts[0], document.slide_layouts[1]
    for slide in deck.slides:
        made = document.slides.add_slide(title_slide if slide.picture is None else title_only)
        _fill(made, slide)
    file = io.BytesIO()
    document.save(file)
    return _dated(file)


def _widen(document: Any) -> None:
    """Make the template one of 16:9, with two layouts: for a title and subtitle, and for a title over a picture."""
    document.slide_width, document.slide_height = _WIDTH, _WIDTH * SIZE[1] // SIZE[0]
    for layout in list(document.slide_layouts):
        if layout.name not in ("Title Slide", "Title Only"):
            document.slide_layouts.remove(layout)
    for holder in (*document.slide_layouts, document.slide_master):  # the master last: layouts inherit from it
        for shape in holder.placeholders:
            left, top, width, height = shape.left, shape.top, shape.width, shape.height
            shape.left, shape.width = round(left * _NARROW), round(width * _NARROW)
            shape.top, shape.height = top, height
    _place(document.slide_layouts[1].placeholders[0], TITLE)


def _fill(made: Any, slide: Slide) -> None:
    fill = made.background.fill
    fill.solid()
    fill.fore_color.rgb = _rgb(slide.theme.paper)
    title, size = (slide.title, 1.3 * TITLE_SIZE) if slide.picture is None else title_of(slide)
    _write(made.shapes.title, [(title, True)], size, slide.theme.ink)
    if slide.picture is None:
        subtitle = [(words, False) for words, _ in slide.sentences]
        _write(made.placeholders[1], subtitle, SUBTITLE_SIZE, slide.theme.muted)
    else:
        _show(made, slide.picture, slide.movie)
        box = made.shapes.add_textbox(*_lengths(SENTENCES))
        box.name = "Sentences"
        _write(box, list(slide.sentences), size_of(slide.sentences), slide.theme.ink)
    if slide.notes:
        made.notes_slide.notes_text_frame.text = slide.notes


def _show(made: Any, picture: Picture, movie: Movie | None) -> None:
    image = io.BytesIO(encode(picture, "png", _DENSITY))
    if movie is None:
        shape = made.shapes.add_picture(image, *_lengths(PICTURE))
    else:
        film = io.BytesIO(movie.content)
        shape = made.shapes.add_movie(film, *_lengths(PICTURE), poster_frame_image=image, mime_type="video/mp4")
    shape.name = "Picture" if movie is None else "Film"
    shape._element.nvPicPr.cNvPr.set("descr", picture.description)


def _write(shape: Any, paragraphs: list[tuple[str, bool]], size: float, ink: Colour) -> None:
    """Write paragraphs, each a text and whether it is bold, into a shape; `size` is in pixels of the slide."""
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN  # an extra
    from pptx.util import Pt

    frame = shape.text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    is_title = shape.is_placeholder
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE if is_title else MSO_ANCHOR.TOP
    for i, (words, is_bold) in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if i == 0 else frame.add_paragraph()
        paragraph.text = words
        paragraph.line_spacing = 1.0 if is_title else LEADING / 1.2
        if not is_title or shape.placeholder_format.type == 1:
            paragraph.alignment = PP_ALIGN.LEFT
        font = paragraph.runs[0].font if paragraph.runs else paragraph.font
        font.size, font.bold = Pt(round(size * _POINT, 1)), is_bold
        font.color.rgb = _rgb(ink)


def _place(shape: Any, place: Rect) -> None:
    shape.left, shape.top, shape.width, shape.height = _lengths(place)


def _lengths(place: Rect) -> tuple[int, int, int, int]:
    left, top, width, height = (round(length * _UNIT) for length in place)
    return left, top, width, height


def _rgb(colour: Colour) -> Any:
    from pptx.dml.color import RGBColor  # an extra

    return RGBColor.from_string(colour.lstrip("#"))


def _dated(file: io.BytesIO) -> bytes:
    """The archive with the same date on each of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(file) as parts, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts.infolist():
            archive.writestr(zipfile.ZipInfo(part.filename, _DATE), parts.read(part), zipfile.ZIP_DEFLATED)
    return made.getvalue()
