"""The course: the paths with their lessons in order, and the misconceptions that lessons treat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.scenario_file import read
from algorithms.scenario_format.place import Place, find_file
from algorithms.scenario_format.schema import Name, Tables, Words
from algorithms.scenario_format.tables import read_keys
from lessons.reading.schema import Names

PATHS, MISCONCEPTIONS = "paths.toml", "misconceptions.toml"
NONE = "none"  # for a wrong option that shows no misconception

_PATH = {"name": Name, "title": Words, "words": Words, "lessons": Names}
_MISCONCEPTION = {"title": Words, "words": Words, "treated": Name, "mutants": Names}


class LearningPath(NamedTuple):
    """A sequence of lessons."""

    name: str
    title: str
    words: str
    lessons: tuple[str, ...]


class Misconception(NamedTuple):
    """A wrong idea, what is right instead, the lesson that treats it, and the mutants that behave so."""

    name: str
    title: str
    words: str
    treated: str
    mutants: tuple[str, ...]  # "ricart-agrawala/current-clock"


def folder() -> Path:
    """The folder of the lessons that come with the program."""
    return Path(str(files("lessons"))) / "course"


@cache
def paths() -> tuple[LearningPath, ...]:
    """The paths in their order. BadInput if a lesson is unknown, in two paths or in none."""
    place = Place(PATHS)
    tables = read_keys(read(folder() / PATHS), {"path": Annotated[Tables, Meta(description="tables")]}, place, ["path"])
    found = [
        LearningPath(**read_keys(table, _PATH, place.at("path").at(i), tuple(_PATH)))
        for i, table in enumerate(tables["path"])
    ]
    _check_lessons(found, place)
    return tuple(found)


def _check_lessons(found: list[LearningPath], place: Place) -> None:
    known, seen = names_of_files(), {}
    for i, path in enumerate(found):
        for j, lesson in enumerate(path.lessons):
            here = place.at("path").at(i).at("lessons").at(j)
            here.check_known("lesson", lesson, known)
            if lesson in seen:
                raise here.wrong(f"{lesson} is in two paths")
            seen[lesson] = path.name
    for lesson in known:
        if lesson not in seen:
            raise BadInput(f"lessons/course/{lesson}.md is in no path")


@cache
def names_of_files() -> tuple[str, ...]:
    """The names of the lessons that come with the program, in alphabetical order."""
    return tuple(sorted(file.stem for file in folder().glob("*.md")))


def lessons() -> Iterator[str]:
    """The names of the lessons in the order of the paths."""
    return (lesson for path in paths() for lesson in path.lessons)


def lesson_after(name: str) -> str | None:
    """The lesson that follows in the order of the paths; None after the last, and after a person's own."""
    return next((after for here, after in pairwise(lessons()) if here == name), None)


@cache
def misconceptions() -> dict[str, Misconception]:
    """The misconceptions by name. BadInput if a mutant is unknown."""
    place = Place(MISCONCEPTIONS)
    tables: dict[str, Any] = read(folder() / MISCONCEPTIONS)
    found = {}
    for name, table in tables.items():
        here = place.at(name)
        given = read_keys(table, _MISCONCEPTION, here, tuple(_MISCONCEPTION))
        for i, mutant in enumerate(given["mutants"]):
            _check_mutant(mutant, here.at("mutants").at(i))
        found[name] = Misconception(name, **given)
    return found


def _check_mutant(mutant: str, place: Place) -> None:
    algorithm, _, variant = mutant.partition("/")
    if not catalog.is_known(algorithm):
        raise place.unknown("algorithm", algorithm, catalog.by_name())
    if variant and variant not in catalog.find(algorithm).variants:
        raise place.unknown(f"variant of {algorithm}", variant, catalog.find(algorithm).variants)


def misconception_of(algorithm: str, variant: str | None) -> str:
    """The misconception that a variant shows; "none" if it shows none."""
    wanted = f"{algorithm}/{variant}"
    return next((name for name, entry in misconceptions().items() if wanted in entry.mutants), NONE)


def find(name: str) -> Path:
    """The file of a lesson: one that comes with the program, or a person's own. BadInput if there is none."""
    hint = "mutoscope lesson --list shows all (or name a file)"
    return find_file("lesson", name, folder(), names_of_files(), ".md", hint)
