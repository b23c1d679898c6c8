"""Make slides of a talk: PowerPoint, HTML or PDF.

Needs no display. Each scene of the talk is a slide with its title, picture and speaker notes, and with a film where the
talk asks for one; a question is asked on a slide of its own before it is answered.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from algorithms import catalog
from algorithms.bad_input import BadInput
from lessons.reading import talks
from lessons.talk import FilmSpan, Scene, Talk, go_to, time_of
from visual.analysis.run_cache import RunCache
from visual.commands.film import film, moments
from visual.commands.output import ProgressBar, kind_of, require_extra, require_pygame_ce, write
from visual.commands.pictures import check_drawable
from visual.drawing.deck import PICTURE, Deck, Movie, Sentence, Slide, html, page, pptx
from visual.drawing.export import Picture, encode_pages
from visual.drawing.theme import load
from visual.scene.still import CROP_OF_VIEW, Still, caption_of, still
from visual.window.run_view import RunView
from visual.window.web.recording import Recording, Values
from visual.window.web.recording import page as recorded_page

EXAMPLES = """\
  mutoscope deck mutual-exclusion -o talk.pptx
  mutoscope deck mutual-exclusion -o talk.html
  mutoscope deck my-talk.toml -o my-talk.pdf"""

DeckKind: TypeAlias = Literal["pptx", "html", "pdf"]
KINDS: tuple[DeckKind, ...] = ("pptx", "html", "pdf")
FPS = 25  # of the films
LONGEST = 45  # mean delays for which a diagram of the whole run is not too dense
MOST_STEPS = 5_000  # of a recorded run
TEXT = 1.2  # times as large as in a presentation, since the picture is not as high as the slide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("talk", metavar="NAME|FILE", help=f"a talk: {', '.join(talks.names())}, or a file (.toml)")
    parser.add_argument("-o", "--output", metavar="FILE", help=f"the deck's file: {_ENDINGS} (default: NAME.pptx)")


_ENDINGS = ", ".join(f".{kind}" for kind in KINDS)


def run(arguments: argparse.Namespace) -> int:
    """Write the deck and print its name."""
    path = talks.find(arguments.talk)
    talk = talks.load(path)
    target = arguments.output or f"{path.stem}.pptx"
    kind = kind_of(target, KINDS, "a deck's file")
    _check_packages(kind, has_films=any(scene.film for scene in talk.scenes))
    deck = deck_of(talk, kind)
    write(target, [_content(deck, kind)])
    print(target)
    return 0


def _check_packages(kind: DeckKind, *, has_films: bool) -> None:
    if kind == "pptx":
        require_pygame_ce()
        require_extra("pptx", "decks", "a deck as .pptx needs")
    if kind == "pdf":
        require_extra("reportlab", "pdf", "a PDF needs")
    if kind == "pptx" and has_films:
        require_extra("av", "films", "the films in this talk need")


def _content(deck: Deck, kind: DeckKind) -> bytes:
    if kind == "pptx":
        return pptx(deck)
    if kind == "pdf":
        return encode_pages([page(slide, f"slide-{number}") for number, slide in enumerate(deck.slides, 1)])
    return html(deck).encode()


# ---- the slides --------------------------------------------------------------------------------------------


def deck_of(talk: Talk, kind: DeckKind) -> Deck:
    """The slides of a talk, with what plays in a deck of that kind. BadInput if a run ends before a scene's moment."""
    names = dict.fromkeys(catalog.find(scene.scenario.algorithm).title for scene in talk.scenes)
    subtitle = Sentence(" · ".join(names))
    slides = [Slide(talk.title, load(talk.scenes[0].theme), sentences=(subtitle,), notes=talk.notes)]
    with ProgressBar("drawing slides") as progress:
        for done, slide in enumerate(_slides(talk, kind), 1):
            progress.show(min(1.0, done / len(talk.scenes)))
            slides.append(slide)
    return Deck(talk.title, tuple(slides))


def _slides(talk: Talk, kind: DeckKind) -> Iterator[Slide]:
    number, make = 0, _MAKERS[kind]
    for _, group in groupby(talk.scenes, key=lambda scene: (scene.name, scene.scenario)):
        scenes = list(group)
        check_drawable(scenes[0].scenario)
        timeline = catalog.timeline(scenes[0].scenario)
        cache, before = RunCache(timeline.simulation), 0.0
        times = [time_of(scene, number + k, timeline) for k, scene in enumerate(scenes, 1)]
        last = max(*times, *(scene.film.end or 0.0 for scene in scenes if scene.film), 0.0)
        for scene, time in zip(scenes, times, strict=True):
            number += 1
            go_to(timeline, scene.at)
            look = _look(scene, last)
            picture, words = still(timeline, time, look, cache), caption_of(timeline, time, cache)
            movie = _movie(scene, scene.film, look, (before, time), number, make) if scene.film and make else None
            yield from _slides_of(scene, picture, words, movie)
            before = time


def _slides_of(scene: Scene, picture: Picture, words: str, movie: Movie | None) -> Iterator[Slide]:
    """The slide of a scene, with `words` about its step; with a question, one that asks and one that answers."""
    theme = load(scene.theme)
    if not scene.question:
        yield Slide(scene.title, theme, picture, (Sentence(words),), scene.notes, movie)
        return
    question = Sentence(scene.question, is_bold=True)
    notes = f"{scene.notes}\nAnswer: {scene.answer}".strip() if scene.answer else scene.notes
    yield Slide(scene.title, theme, picture, (question,), notes, movie)
    if scene.answer:
        yield Slide(scene.title, theme, picture, (question, Sentence(scene.answer)), notes)


def _look(scene: Scene, last: float) -> Still:
    """The look of a scene of a run that is shown up to the time `last`, and its diagram so far, if it is not long."""
    is_short = last <= LONGEST * scene.scenario.network.flight
    return Still(
        size=(int(PICTURE.w), int(PICTURE.h)),
        theme=scene.theme,
        crop=CROP_OF_VIEW[scene.view],
        title="",
        caption="",
        reopen=False,
        selected="" if scene.selected is None else f"node:{scene.selected}",
        presenting=True,
        text=TEXT,
        span=(0.0, 1.05 * last) if is_short and last > 0 else None,
    )


def _movie(
    scene: Scene, span: FilmSpan, look: Still, span_by_default: tuple[float, float], number: int, make: Maker
) -> Movie:
    """What plays in a scene, from the moment before to its own unless the talk says otherwise."""
    pairs = zip((span.start, span.end), span_by_default, strict=True)
    start, end = (usual if given is None else given for given, usual in pairs)
    if start >= end:
        raise BadInput(f"scene {number} ({scene.title}): expected a film that ends after {start:g}, got {end:g}")
    return Movie(make(scene, look, start, end, span.speed))


def _film(scene: Scene, look: Still, start: float, end: float, speed: float) -> bytes:
    """A film of a part of the run, as MP4."""
    shown = moments(scene.scenario, start, end, look, speed=speed, fps=FPS)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        film(str(file), "mp4", scene.scenario, shown, FPS)
        return file.read_bytes()


def _recorded(scene: Scene, look: Still, start: float, end: float, speed: float) -> bytes:
    """A part of the run as a page that plays it."""
    run, values = RunView(scene.scenario), Values(scene.theme)
    recording = Recording(run, values, ((replace(look, moving=True),),))
    for _ in recording.go_on(start, MOST_STEPS, end):
        pass
    if run.failure:
        raise BadInput(run.failure)
    return recorded_page((recording,), values, scene.scenario, run.pace * speed, scene.name, "slide")


Maker: TypeAlias = Callable[[Scene, Still, float, float, float], bytes]
_MAKERS: dict[DeckKind, Maker | None] = {"pptx": _film, "html": _recorded, "pdf": None}
