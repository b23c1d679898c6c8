"""Slides as values and as pictures, and decks of them as files.

A slide has a title, a picture that is in the same place on all of them, and sentences. A PowerPoint file is made by
python-pptx: titles and sentences are text, pictures have alternative texts. An HTML file needs no other file: a slide
a page, turned with the keys or a remote, and to be printed; where a scene plays, a recorded run takes the picture's
place, and without a script all slides stand below each other, each with its notes.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from visual.drawing import fonts
from visual.drawing.export import Picture, encode
from visual.drawing.shapes import Colour, Group, Rect, Shape, Text
from visual.drawing.theme import Theme

SIZE = (1600, 900)
TITLE = Rect(48, 16, 1504, 72)
PICTURE = Rect(0, 92, 1600, 644)
SENTENCES = Rect(48, 740, 1504, 150)
PLAYER = Rect(0, 92, 1600, 808)
"""Where the parts of a slide are, in pixels of a slide of that SIZE."""

TITLE_SIZE, SUBTITLE_SIZE = 44.0, 30.0
LEADING = 1.3  # lines, in ems
_SIZES = (34.0, 31.0, 28.0)  # of sentences: the largest that fits
_SPARE = 0.95  # of the room for a title: other programs have other fonts
_BUTTON = 260  # pixels beside the title for a button that plays the film


class Sentence(NamedTuple):
    """A sentence below the picture."""

    words: str
    is_bold: bool = False


class Movie(NamedTuple):
    """What plays in the place of a picture: the content of an MP4 file, or in a deck as HTML that of a page."""

    content: bytes


@dataclass(frozen=True)
class Slide:
    """A slide. `picture` has the size of PICTURE; a title slide has none. `notes` are for the speaker."""

    title: str
    theme: Theme
    picture: Picture | None = None
    sentences: tuple[Sentence, ...] = ()
    notes: str = ""
    movie: Movie | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Deck:
    """Slides in order."""

    title: str
    slides: tuple[Slide, ...]


class SizedSentence(NamedTuple):
    """A sentence broken into lines that fit between the margins."""

    lines: tuple[str, ...]
    is_bold: bool


def size_of(sentences: tuple[Sentence, ...]) -> float:
    """The largest size at which the sentences fit into their place."""
    for size in _SIZES:
        if sum(len(sentence.lines) for sentence in broken(sentences, size)) * LEADING * size <= SENTENCES.h:
            return size
    return _SIZES[-1]


def broken(sentences: tuple[Sentence, ...], size: float) -> list[SizedSentence]:
    """The sentences, each in lines that fit at that size."""
    return [
        SizedSentence(tuple(fonts.wrap(words, SENTENCES.w, size, weight="bold" if is_bold else "normal")), is_bold)
        for words, is_bold in sentences
    ]


def page(slide: Slide, name: str) -> Picture:
    """The whole slide as a picture; `name` begins its ids."""
    shapes = _title_page(slide) if slide.picture is None else _picture_page(slide, slide.picture)
    words = " ".join(sentence.words for sentence in slide.sentences)
    description = f"{slide.picture.description} {words}" if slide.picture else words
    return Picture(shapes, SIZE, slide.theme, name, slide.title, description.strip(), slide.theme.paper)


def _title_page(slide: Slide) -> tuple[Shape, ...]:
    middle, y = SIZE[0] / 2, 0.42 * SIZE[1]
    size = 1.3 * TITLE_SIZE
    lines = fonts.wrap(slide.title, TITLE.w, size, weight="bold")
    title = [
        Text(middle, y + LEADING * size * i, line, size, slide.theme.ink, "bold", anchor="middle")
        for i, line in enumerate(lines)
    ]
    below = y + LEADING * size * len(lines)
    subtitle = [
        Text(middle, below + 1.5 * SUBTITLE_SIZE * i, words, SUBTITLE_SIZE, slide.theme.muted, anchor="middle")
        for i, (words, _) in enumerate(slide.sentences)
    ]
    return (*title, *subtitle)


def title_of(slide: Slide) -> tuple[str, float]:
    """The title above a picture, in one line, and its size."""
    room = _SPARE * (TITLE.w - (_BUTTON if slide.movie else 0))
    size = fonts.shrink(slide.title, room, TITLE_SIZE, 0.6 * TITLE_SIZE, weight="bold")
    return fonts.shorten(slide.title, room, size, weight="bold"), size


def _picture_page(slide: Slide, picture: Picture) -> tuple[Shape, ...]:
    title, size = title_of(slide)
    em = size_of(slide.sentences)
    y, below = SENTENCES.y, []
    for lines, is_bold in broken(slide.sentences, em):
        for line in lines:
            y += LEADING * em
            below.append(Text(SENTENCES.x, y, line, em, slide.theme.ink, "bold" if is_bold else "normal"))
    return (
        Text(TITLE.x, TITLE.y + TITLE.h / 2, title, size, slide.theme.ink, "bold", baseline="middle"),
        Group(picture.shapes, x=PICTURE.x, y=PICTURE.y),
        *below,
    )


def html(deck: Deck) -> str:
    """The file's content."""
    paper = deck.slides[0].theme.paper
    slides = [_slide(slide, number) for number, slide in enumerate(deck.slides, 1)]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(deck.title)}</title>",
            f"<style>{_STYLE.replace('PAPER', paper)}</style>",
            "</head>",
            "<body>",
            *slides,
            f'<p id="help">{_HELP}</p>',
            f"<script>{_SCRIPT}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _slide(slide: Slide, number: int) -> str:
    picture = page(slide, f"slide-{number}")
    drawing = encode(picture, "svg").decode()
    notes = "".join(f"<p>{escape(line)}</p>" for line in slide.notes.splitlines())
    return "\n".join(
        [
            f'<section id="s{number}" style="background:{slide.theme.paper}">',
            f'<div class="slide">{drawing.strip()}{_film(slide)}</div>',
            f"<aside>{notes}</aside>" if notes else "",
            "</section>",
        ]
    )


def _film(slide: Slide) -> str:
    """The page that plays, in a frame over picture and sentences, and the button that opens it."""
    if slide.movie is None:
        return ""
    left, top, width, height = (
        f"{100 * length / whole:.4g}%" for length, whole in zip(PLAYER, (*SIZE, *SIZE), strict=True)
    )
    content, label = escape(slide.movie.content.decode()), escape(f"Recorded run: {slide.title}")
    place = f"left:{left};top:{top};width:{width};height:{height}"
    frame = f'<iframe title="{label}" style="{place}" data-page="{content}"></iframe>'
    return f'{frame}<button type="button">▶ Play (P)</button>'


_STYLE = """
html, body { margin: 0; background: PAPER; }
section { position: relative; }
.slide { position: relative; width: min(100vw, 177.778vh); margin: 0 auto; line-height: 0; }
.slide svg { width: 100%; height: auto; display: block; }
iframe, button { display: none; }
.one iframe.plays { display: block; position: absolute; border: 0; }
.one button { display: block; position: absolute; right: 3%; top: 2.5%; padding: 0.4em 0.8em;
  font: bold 1.2rem/1.2 Verdana, sans-serif; color: #1A1A1A; background: #FFFFFF; border: 2px solid #1A1A1A;
  border-radius: 0.4em; cursor: pointer; }
aside { max-width: 45em; margin: 0 auto; padding: 0.5em 1em 2em; font: 1.1rem/1.5 Verdana, sans-serif; color: #333; }
#help { font: 0.9rem Verdana, sans-serif; color: #767676; text-align: center; }
.one section { display: none; min-height: 100vh; }
.one section.now { display: flex; flex-direction: column; justify-content: center; }
.one aside, .one #help { display: none; }
.one.told aside { display: block; position: fixed; left: 0; right: 0; bottom: 0; max-width: none;
  padding: 0.5em 2em; background: #FFFFFFF2; border-top: 2px solid #767676; }
@media print {
  @page { size: 13.333in 7.5in; margin: 0; }
  .one section, section { display: block; break-after: page; min-height: 0; }
  .slide { width: 13.333in; }
  aside, .one.told aside, #help, .one iframe.plays, .one button { display: none; }
}
"""

_HELP = "Next slide: → or PageDown. Back: ← or PageUp. Play the run: P. Speaker notes: N. All slides at once: Esc."

_SCRIPT = """
const slides = [...document.querySelectorAll('section')], body = document.body.classList;
let now = Math.max(0, slides.findIndex(s => '#' + s.id === location.hash));
function show(to) {
  slides[now].classList.remove('now');
  stop();
  now = Math.min(Math.max(to, 0), slides.length - 1);
  slides[now].classList.add('now');
  history.replaceState(null, '', '#' + slides[now].id);
}
function stop() {
  for (const film of document.querySelectorAll('iframe.plays')) {
    film.classList.remove('plays');
    film.onload = null;
    film.srcdoc = '';
  }
  focus();
}
function play() {
  const film = slides[now].querySelector('iframe');
  if (!film) return;
  film.classList.add('plays');
  film.srcdoc = film.dataset.page;
  film.onload = () => {
    film.contentWindow.focus();
    film.contentWindow.addEventListener('keydown', press => {  // the other keys are the player's
      const act = press.key === 'Escape' ? stop : press.key.startsWith('Page') && keys[press.key];
      if (!act) return;
      press.stopImmediatePropagation();
      press.preventDefault();
      act();
    }, true);
  };
}
const keys = {
  ArrowRight: () => show(now + 1), PageDown: () => show(now + 1), ' ': () => show(now + 1), Enter: () => show(now + 1),
  ArrowLeft: () => show(now - 1), PageUp: () => show(now - 1), Backspace: () => show(now - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  p: play, n: () => body.toggle('told'), Escape: () => { body.toggle('one'); slides[now].scrollIntoView(); },
};
document.addEventListener('keydown', press => {
  const act = keys[press.key];
  if (!act || press.ctrlKey || press.altKey || press.metaKey) return;
  if (press.target.tagName === 'BUTTON' && [' ', 'Enter'].includes(press.key)) return;
  press.preventDefault();
  act();
});
document.addEventListener('click', click => {
  if (!body.contains('one') || click.target.closest('iframe, aside')) return;
  if (click.target.closest('button')) { play(); return; }
  show(now + (click.clientX < innerWidth / 4 ? -1 : 1));
});
body.add('one');
show(now);
"""


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
