"""The cards of the gallery, by section: everything that can be opened; and their thumbnails.

A thumbnail shows a scenario at an instructive moment; it is made in slices, so that no frame waits for it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.observe.offered_load import at_load
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Poisson
from algorithms.machine import IN_PAGE
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Box, Colour, Group, Line, Mark, Rect, Shape, Text
from visual.drawing.theme import load, over
from visual.scene.options import Options
from visual.window import intents
from visual.window.intents import Do
from visual.window.memory import unsaved
from visual.window.state import Interface

if TYPE_CHECKING:
    from visual.window.memory.progress import Progress

SECTIONS = ("lessons", "scenarios", "algorithms", "labs", "yours")
LEVELS = ("first", "further", "research")
_SYNONYMS = {"mutual exclusion": "mutex", "peer to peer": "mutex", "election": "leader"}  # words for a search
BASIC = ("centralized", "token-ring", "ricart-agrawala", "bully", "ring-election")  # where lectures begin
MOST_WORDS = 110  # characters of a card's sentences
MOST_RECENT = 8  # files in the section "yours"


class Item(NamedTuple):
    """A card of the gallery: title, kind, a sentence, and the intent of choosing it.

    `scenario` is the name or file of the scenario in its picture; "" for a card without a picture. Cards of one
    `heading` stand below it; `terms` are words that find the card without being on it. A `badge` marks where to begin.
    """

    title: str
    kind: str
    words: str
    does: Do
    scenario: str = ""
    heading: str = ""
    terms: str = ""
    badge: str = ""


def items(section: str, interface: Interface) -> tuple[Item, ...]:
    """The cards of one section; with words in the filter, the matches of all sections that are loaded."""
    words = interface.gallery.words.casefold().split()
    if not words:
        return _cards_of(section, interface)
    order = [section, *(other for other in SECTIONS if other != section and is_loaded(other))]
    cards = ((other, item) for other in order for item in _cards_of(other, interface))
    return tuple(item._replace(heading=other) for other, item in cards if _has_words(item, words))


def _cards_of(section: str, interface: Interface) -> tuple[Item, ...]:
    if section == "lessons":
        return tuple(_lesson(item) for item in _lessons())
    if section == "yours":
        return _yours(interface.recent, tuple(unsaved.files(unsaved.folder())))
    return _FIXED[section]() if section else ()  # "" while the gallery is closed


def _has_words(item: Item, words: list[str]) -> bool:
    """Whether all of the words occur on the card or in the name of what it opens, ignoring case."""
    text = f"{item.title} {item.kind} {item.words} {item.heading} {item.does.value} {item.terms}".casefold()
    return all(word in text for word in words)


def is_loaded(section: str) -> bool:
    """Whether the cards of a section are cached."""
    return section not in _FIXED or _FIXED[section].cache_info().currsize > 0


def load_cards(section: str) -> Iterator[None]:
    """Load a section's cards from the files that describe them, one file per iteration."""
    if section == "lessons":
        from lessons.reading import curriculum, reading  # the first frame does without

        for name in curriculum.lessons():
            reading.find(name)
            yield
    elif section == "labs":
        from lessons.laboratory import catalog as labs  # the first frame does without

        yield from labs.read_one_by_one()
    else:
        yield from catalog.read_one_by_one()
        for name in scenario_file.names():
            _tables(name)
            yield
    _FIXED[section]()


def heading(section: str) -> str:
    """The name of a section, with the number of unsaved runs in it."""
    runs = len(unsaved.files(unsaved.folder())) if section == "yours" else 0
    return f"{section} ({runs} not saved)" if runs else section


@cache
def _scenarios() -> tuple[Item, ...]:
    """The scenarios that come with the program, by families, from the first ones to those of research."""
    return tuple(
        _scenario(name, family, level) for family in families() for level in LEVELS for name in family.get(level, ())
    )


def _scenario(name: str, family: dict[str, Any], level: str) -> Item:
    tables = _tables(name)
    algorithm = catalog.by_name()[tables["algorithm"]]
    parts = [algorithm.title, tables.get("variant", "").replace("-", " "), level if level != LEVELS[0] else ""]
    title, words = tables.get("title", name.replace("-", " ")), _gist(tables.get("notes", ""))
    kind, terms = " · ".join(filter(None, parts)), f"{family['words']} {algorithm.summary}"
    return Item(title, kind, words, intents.open_scenario(name), name, family["title"], terms)


def _gist(notes: str) -> str:
    """The first sentences of the notes, as many as a card has room for."""
    first, *others = notes.splitlines() or [""]
    for sentence in others:
        if len(first) + len(sentence) > MOST_WORDS:
            break
        first = f"{first} {sentence}"
    return first


@cache
def families() -> tuple[dict[str, Any], ...]:
    """The families of scenarios in the gallery: title, words for searching, and the names at each level."""
    return tuple(tomllib.loads(resources.files("assets").joinpath("gallery.toml").read_text("utf-8"))["family"])


@cache
def _tables(name: str) -> dict[str, Any]:
    """The tables of a scenario that comes with the program."""
    return scenario_file.read(scenario_file.find(name))


@cache
def _algorithms() -> tuple[Item, ...]:
    return tuple(
        Item(a.title, _variants(a), a.summary, intents.open_scenario(a.name), a.name, family, _SYNONYMS.get(family, ""))
        for family, a in _in_teaching_order()
    )


_VARIANT_LETTERS = 22  # of the names of variants in one line of a card


def _variants(algorithm: Algorithm) -> str:
    """The names of its variants that fit into a line, and the number of the others."""
    names = [name.replace("-", " ") for name in algorithm.variants]
    if not names:
        return "as published"
    ends = list(accumulate(len(name) + 2 for name in names))
    count = max(1, sum(end <= _VARIANT_LETTERS for end in ends))
    more = f" and {len(names) - count} more" if count < len(names) else ""
    return f"variants: {', '.join(names[:count])}{more}"


def _in_teaching_order() -> list[tuple[str, Algorithm]]:
    """Each algorithm with its family: family by family, basic algorithms first."""
    place = {name: number for number, name in enumerate(BASIC)}
    return [
        (family, algorithm)
        for family, algorithms in catalog.by_family().items()
        for algorithm in sorted(algorithms, key=lambda algorithm: place.get(algorithm.name, len(BASIC)))
    ]


@cache
def _lessons() -> tuple[Item, ...]:
    """The lessons of the course, path by path."""
    from lessons.reading import curriculum, reading  # the first frame does without

    found = ((path, reading.find(name)) for path in curriculum.paths() for name in path.lessons)
    return tuple(
        Item(
            lesson.title,
            f"{lesson.minutes} min",
            lesson.steps[0].paragraphs[0].words if lesson.steps[0].paragraphs else "",
            intents.open_lesson(lesson.name),
            f"lesson:{lesson.name}",
            f"{path.title}: {path.words}",
            "learn lesson",
        )
        for path, lesson in found
    )


def _lesson(item: Item) -> Item:
    """The card of a lesson, with the person's progress."""
    from lessons.reading.reading import find  # the first frame does without
    from visual.window.memory import progress  # the first frame does without

    lesson, known = find(str(item.does.value)), _progress(_stamp())
    is_next = lesson.name == progress.recommended(known)
    badge = "" if not is_next else "next" if known.lessons else "start here"
    return item._replace(kind=f"{item.kind} · {progress.words(known, lesson)}", badge=badge)


def _stamp() -> int:
    """The time of the last change of the progress."""
    from visual.window.memory import progress  # the first frame does without

    file = progress.path()
    return file.stat().st_mtime_ns if os.path.isfile(file) else 0


@cache
def _progress(changed: int) -> Progress:
    from visual.window.memory import progress  # the first frame does without

    return progress.load(progress.path())


@cache
def _labs() -> tuple[Item, ...]:
    from lessons.laboratory import catalog as labs  # the first frame does without

    entries = labs.by_name().items()
    return tuple(
        Item(lab.title, lab.source, lab.question, intents.open_lab(name), heading=lab.topic.value)
        for name, lab in entries
    )


_FIXED = {"lessons": _lessons, "scenarios": _scenarios, "algorithms": _algorithms, "labs": _labs}
"""The sections that do not depend on the person's own files."""


def _yours(recent: tuple[str, ...], saves: tuple[Path, ...]) -> tuple[Item, ...]:
    """Unsaved runs, and the files opened most recently."""
    runs = [Item(_when(file), "not saved", _title(file), intents.open_unsaved(str(file)), str(file)) for file in saves]
    files = [Path(name) for name in recent if os.path.isfile(name)]
    places = ["in this browser" if IN_PAGE else str(file.parent) for file in files]
    return (
        *runs,
        *(Item(f.name, at, _title(f), intents.open_file(str(f)), str(f)) for f, at in zip(files, places, strict=True)),
        Item("Open a file …", "", "a scenario, a run that you saved, or an algorithm", intents.open_menu("files")),
    )


def _when(file: Path) -> str:
    """ "token-ring-2026-11-27-170102-4711-1.toml" -> "2026-11-27 17:01, token-ring"."""
    parts = file.stem.rsplit("-", 6)
    if len(parts) < 7:
        return file.name  # not one of the program's own names
    algorithm, year, month, day, clock, _, _ = parts
    return f"{year}-{month}-{day} {clock[:2]}:{clock[2:4]}, {algorithm}"


def _title(file: Path) -> str:
    """The title of a scenario file, or the error in it; an algorithm's file is not run for it."""
    if own_file.is_file(file.name):
        return "an algorithm of your own"
    try:
        return _title_at(file, file.stat().st_mtime_ns)
    except OSError as error:
        return f"{file.name}: cannot be read ({error.strerror})"


@cache
def _title_at(file: Path, changed: int) -> str:
    try:
        tables = scenario_file.read(file)
    except BadInput as error:
        return str(error)
    beside = tables.get(scenario_file.BESIDE)
    named = [table for table in (tables, beside) if isinstance(table, dict)]
    words = (" · ".join(str(table[key]) for key in ("algorithm", "variant") if key in table) for table in named)
    titles = [table.get("title") or other for table, other in zip(named, words, strict=True)]
    return "; beside it, ".join(map(str, titles))


def with_recent(recent: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The most recent files after that one has been opened; a name that is not UTF-8 cannot be kept."""
    name = os.path.realpath(path)
    if not name.isprintable():
        return recent
    return (name, *(other for other in recent if other != name))[:MOST_RECENT]


STEPS = 2_000  # of the run, at most
SLICE = 100  # of these steps, between two looks at the clock
DESIGN = (1600, 900)  # pixels: the size of a picture whose text has the theme's sizes
LEAST_TEXT = 0.085  # of a picture's height: smaller letters are left out, since nobody can read them

PictureKey = tuple[str, tuple[int, int], str]  # scenario, size in pixels, theme


class Thumbnails:
    """The cached pictures; `go_on` makes the missing ones, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.made = 0
        self._pictures: dict[PictureKey, tuple[Shape, ...]] = {}
        self._missing: list[PictureKey] = []
        self._making: Iterator[tuple[Shape, ...]] | None = None  # of the first that is missing

    @property
    def is_waiting(self) -> bool:
        """Whether a picture that was asked for is still missing."""
        return bool(self._missing)

    def of(self, scenario: str, box: Rect, theme: str) -> tuple[Shape, ...]:
        """The picture of a scenario in that box; an empty ground until it has been made."""
        picture_key = (scenario, (round(box.w), round(box.h)), theme)
        shapes = self._pictures.get(picture_key)
        if shapes is None:
            if picture_key not in self._missing:
                self._missing.append(picture_key)
            return (Box(*box, load(theme).paper),)
        return (Group(shapes, box.x, box.y, Rect(0, 0, box.w, box.h), key=("thumbnail", *picture_key)),)

    def go_on(self, seconds: float) -> None:
        """Work for about that many seconds, for at least a slice and at most to the end of a picture."""
        stop = wall_clock() + seconds
        while self._missing:
            self._making = self._making or _picture(*self._missing[0])
            shapes = next(self._making)
            if shapes:
                self._pictures[self._missing.pop(0)] = shapes
                self._making = None
                self.made += 1
            if shapes or wall_clock() >= stop:
                return


def _picture(name: str, size: tuple[int, int], theme: str) -> Iterator[tuple[Shape, ...]]:
    """The graph of the run, after empty tuples while it is made; an empty ground if the scenario is bad input."""
    from visual.scene.still import default_time  # the gallery's first frame does without

    paper = load(theme).paper
    ground = Box(0, 0, *size, paper)
    yield ()
    try:
        scenario = scenario_of(name)
        yield ()
        timeline = catalog.timeline(scenario)
        moment = default_time(scenario)
        while timeline.step < STEPS:
            yield ()
            before = timeline.step
            with suppress(BadInput), guard_timeline(timeline):  # if it fails, the picture is of the moment before
                timeline.seek_time(moment, SLICE)
            if timeline.step == before:
                break
    except BadInput:
        yield (ground,)
        return
    yield ()
    for shapes in _graph(timeline.simulation, moment, Rect(0, 0, *size), theme):
        yield (ground, *_legible(shapes, LEAST_TEXT * size[1], paper)) if shapes else ()


def _graph(run: Simulation, moment: float, box: Rect, theme_name: str) -> Iterator[Sequence[Shape]]:
    """The graph in that box, after empty tuples while it is made."""
    from visual.scene import term_picture as terms  # the gallery's first frame does without the scene
    from visual.scene.graph.layout import arrange
    from visual.scene.graph.run_graph import graph

    theme, cache = load(theme_name), RunCache(run)
    options = Options(min(box.w / DESIGN[0], box.h / DESIGN[1]), ahead=False)
    if system_of(run.algorithm):
        yield terms.picture(cache, box, theme, options)
        return
    layout = arrange(run, box)
    yield ()
    yield graph(cache, min(moment, run.next_time() or moment), layout, theme, options)


def scenario_of(name: str) -> Scenario:
    """The scenario of a name or file, or one of an algorithm under a moderate load. BadInput if there is none.

    "lesson:NAME" is the scenario of a lesson's first step.
    """
    if name.startswith("lesson:"):
        from lessons.reading.reading import find  # only the gallery's lessons need it

        lesson = find(name.removeprefix("lesson:"))
        return lesson.scenarios[lesson.steps[0].task.scenario]
    if not catalog.is_known(name) or name in scenario_file.names():
        return scenario_file.load(scenario_file.find(name))
    algorithm = catalog.find(name)
    if system_of(algorithm):  # its rules decide which nodes have something to send
        return Scenario(name)
    if algorithm.paced_by:
        return at_load(Scenario(name), catalog.simulation(Scenario(name)), 0.5)
    return Scenario(name, load=Poisson(rate=0.1))


def _legible(shapes: Sequence[Shape], least: float, paper: Colour) -> tuple[Shape, ...]:
    """The shapes without text that is too small to read and the boxes around it; messages become dots.

    Translucent lines become opaque pale ones, since each translucent line would need a layer of its own.
    """
    too_small = [shape for shape in shapes if isinstance(shape, Text) and shape.size < least]
    legible: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            legible.append(shape._replace(shapes=_legible(shape.shapes, least, paper), key=None))
        elif isinstance(shape, Mark):
            legible.append(shape._replace(label="", size=least, form="dot", toward=None))
        elif isinstance(shape, Line):
            legible.append(shape._replace(stroke=over(shape.stroke, paper)))
        elif isinstance(shape, Box) and any(
            shape.x <= text.x <= shape.x + shape.w and shape.y <= text.y <= shape.y + shape.h for text in too_small
        ):
            continue
        elif shape not in too_small:
            legible.append(shape)
    return tuple(legible)


WORK = 0.012  # seconds in a frame


class GalleryWork:
    """The gallery's work in the background: it loads the open section's cards, then makes their pictures."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        self._thumbnails = thumbnails
        self._loading: tuple[str, Iterator[None]] | None = None  # the cards of that section

    @property
    def is_waiting(self) -> bool:
        """Whether there is more to do, which a later frame will show."""
        return self._loading is not None or self._thumbnails.is_waiting

    def go_on(self, section: str) -> None:
        """Work on that section for a part of a frame; "" while the gallery is closed."""
        if section and is_loaded(section) and not self._thumbnails.is_waiting:
            section = next((other for other in SECTIONS if not is_loaded(other)), section)  # for a search
        if not section or is_loaded(section):
            self._loading = None
            self._thumbnails.go_on(WORK)
            return
        if self._loading is None or self._loading[0] != section:
            self._loading = (section, load_cards(section))
        stop = wall_clock() + WORK
        for _ in self._loading[1]:
            if wall_clock() >= stop:
                break
