"""Scenario files and saved runs: TOML -> Scenario and back. A file may hold a second run, shown beside the first.

A saved run is the scenario with the interventions as further events, each marked `by_hand = true` and with the step
that it follows: opened again, it gives the same bytes. The format itself is in `scenario_format`.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.bad_input import BadInput
from algorithms.engine.errors import words_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.files import read_text, write_whole
from algorithms.scenario_format.place import Place, find_file, path_words

if TYPE_CHECKING:
    from algorithms.scenario_format.beside import Beside

DEFAULT = "deferred-reply"  # the scenario for a first-time user
MOST_BYTES = 5_000_000  # of a file: reading more takes many seconds
MOST_LEVELS = 20  # of tables and lists within each other
LARGEST = 10**1000  # beyond any number that a key allows
MOST_DOTS = 200  # of a dotted key, which takes time with the square of them
BESIDE = "beside"  # the table of the second run


def load(path: str | Path) -> Scenario:
    """The scenario in a file. BadInput, one sentence, if it cannot be read or makes no sense."""
    path = Path(path)
    return build(read(path), Place(path.name), path.parent)


def load_pair(path: str | Path) -> tuple[Scenario, Beside | None]:
    """The scenario in a file, and its second run if the file has one. BadInput as for `load`."""
    from algorithms.scenario_format.beside import read_beside  # a single run does without

    path, place = Path(path), Place(Path(path).name)
    tables = read(path)
    beside = read_beside(tables[BESIDE], place.at(BESIDE), path.parent) if BESIDE in tables else None
    return build(tables, place, path.parent), beside


def loads(text: str, source: str = "scenario") -> Scenario:
    """The scenario in a text, called `source` in errors; graph files are relative to the working directory."""
    return build(parse(text, source), Place(source), Path())


def save(scenario: Scenario, path: str | Path, beside: Beside | None = None) -> None:
    """Write a scenario, and its second run, to a file: completely or not at all. OSError if that fails."""
    write_whole(path, [dumps(scenario, beside, Path(path).parent).encode()])


def dumps(scenario: Scenario, beside: Beside | None = None, folder: Path | None = None) -> str:
    """The text of a scenario's file in a folder; `loads` reads it back."""
    from algorithms.scenario_format.beside import beside_table  # a single run does without
    from algorithms.scenario_format.writing import scenario_tables, toml

    return toml({**scenario_tables(scenario, folder), **({BESIDE: beside_table(beside, folder)} if beside else {})})


def saved_run(timeline: Timeline) -> Scenario:
    """The timeline's current branch, with its interventions, as a scenario to save."""
    scenario, done = timeline.scenario, timeline.branch.interventions
    planned = tuple(event for event in scenario.events if event.step is None)
    until = max([scenario.until, *(event.at for event in done)])  # what was done later belongs to the run as well
    return replace(scenario, events=(*planned, *done), until=until)


# ---- scenarios that come with the program ------------------------------------------------------------------


def names() -> list[str]:
    """The names of the scenarios that come with the program."""
    return sorted(file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml"))


def find(name: str) -> Path:
    """The file for a scenario's name or a path. BadInput if there is none."""
    return find_file("scenario", name, _folder(), names(), ".toml", "mutoscope list shows all (or name a file)")


def _folder() -> Path:
    return Path(str(files("assets"))) / "scenarios"


# ---- the steps from a file to a scenario -------------------------------------------------------------------


def read(path: Path) -> dict[str, Any]:
    """The tables of a file, unchecked. BadInput if it is not a TOML file."""
    try:
        if (size := path.stat().st_size) > MOST_BYTES:
            raise BadInput(f"{path}: expected at most {MOST_BYTES:,} bytes, got {size:,}")
        text = read_text(path)
    except OSError as error:
        raise BadInput(f"{path_words(path)}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name}: expected text in UTF-8, got other bytes at {error.start}") from None
    return parse(text, path.name)


def parse(text: str, source: str) -> dict[str, Any]:
    """The tables of a text, unchecked. BadInput if it is not TOML."""
    try:
        if any(map(_has_long_key, text.splitlines())):
            raise RecursionError
        tables = tomllib.loads(text)
        _check_values(tables, Place(source))
        return tables
    except RecursionError:
        raise BadInput(f"{source}: nested too deeply; expected at most {MOST_LEVELS} levels") from None
    except ValueError as error:
        raise BadInput(f"{source}: not valid TOML ({words_of(error)})") from None


def _has_long_key(line: str) -> bool:
    """Whether the line has a key, or the name of a table, with very many dots."""
    *keys, _ = line.split("=")
    names = keys or ([line] if line.lstrip().startswith("[") and "," not in line else [])
    return any(name.count(".") > MOST_DOTS for name in names)


def _check_values(value: dict[str, Any] | list[Any], place: Place, keys: tuple[str | int, ...] = ()) -> None:
    """BadInput for a number too long to be printed, at any depth; RecursionError if that is too deep."""
    if len(keys) >= MOST_LEVELS:
        raise RecursionError
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, int) and not -LARGEST < item < LARGEST:
            for outer in (*keys, key):
                place = place.at(outer)
            raise place.wrong("expected a whole number of at most 63 bits, got a larger one")
        if isinstance(item, (dict, list)):
            _check_values(item, place, (*keys, key))


def build(tables: dict[str, Any], place: Place, folder: Path) -> Scenario:
    """The scenario that the tables describe, with every value checked. BadInput if it makes no sense."""
    from algorithms.scenario_format.reading import read_scenario  # msgspec takes 30 ms to import

    return read_scenario({key: value for key, value in tables.items() if key != BESIDE}, place, folder)
