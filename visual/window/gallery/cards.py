"""The cards of the gallery, by section: everything that can be opened."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.process import Algorithm
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
    return (
        *runs,
        *(
            Item(f.name, str(f.parent), _title(f), intents.open_file(str(f)), str(f))
            for f in files
            if os.path.isfile(f)
        ),
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
    titles = [table.get("title") or _algorithm_words(table) for table in (tables, beside) if isinstance(table, dict)]
    return "; beside it, ".join(map(str, titles))


def _algorithm_words(table: dict[str, Any]) -> str:
    """The algorithm of a scenario, and its variant: a substitute for a title."""
    return " · ".join(str(table[key]) for key in ("algorithm", "variant") if key in table)


def with_recent(recent: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The most recent files after that one has been opened; a name that is not UTF-8 cannot be kept."""
    name = os.path.realpath(path)
    if not name.isprintable():
        return recent
    return (name, *(other for other in recent if other != name))[:MOST_RECENT]
