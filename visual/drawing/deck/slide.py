"""Slides as values, and as pictures: a title, a picture that is in the same place on all of them, and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from visual.drawing import fonts
from visual.drawing.export import Picture
from visual.drawing.shapes import Group, Rect, Shape, Text
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
