"""The shorthand of the command line -> the values that a scenario file would have in its place.

    --load poisson:0.1       kind = "poisson", rate = 0.1
    --delay uniform:0.8,1.2  { kind = "uniform", low = 0.8, high = 1.2 }
    --event "15 crash node=2"    at = 15, do = "crash", node = 2

The result is checked like the values of a file, so that both get the same errors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algorithms.engine.workload import LOADS
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import DISTRIBUTIONS, KEYS


def value(word: str, place: Place) -> Any:
    """A number, true, false or list in TOML's notation; any other word is a text."""
    try:
        return tomllib.loads(f"value = {word}")["value"] if "\n" not in word else word
    except (ValueError, RecursionError):
        return word


def topology(word: str, place: Place) -> Any:
    """ "ring" -> "ring"; "campus.graphml" -> a table with that file, relative to the working directory."""
    return {"file": str(Path(word).absolute())} if Path(word).suffix else word


def text(word: str, place: Place) -> str:
    """The word, unchanged."""
    return word


def load(word: str, place: Place) -> Any:
    """ "poisson:0.1" -> a [load] table without its hold."""
    kind, _, rest = word.partition(":")
    if kind == "renewal" and rest:
        return {"kind": kind, "gap": distribution(rest, place.at("gap"))}
    return _by_kind(word, LOADS, "kind of load", place)


def distribution(word: str, place: Place) -> Any:
    """ "2" -> 2; "uniform:0.8,1.2" -> a table."""
    number = value(word, place)
    if not isinstance(number, str):
        return number
    return _by_kind(word, DISTRIBUTIONS, "kind of distribution", place)


def event(word: str, place: Place) -> dict[str, Any]:
    """ "15 crash node=2" -> an [[event]] table."""
    at, *rest = word.split() or [""]
    if not rest:
        raise place.expected('a time, an event and its values, such as "15 crash node=2"', word)
    table = {"at": value(at, place), "do": rest[0]}
    for assignment in rest[1:]:
        key, setting = pair(assignment, place)
        table[key] = load(setting, place.at("load")) if key == "load" else value(setting, place)
    return table


def pair(word: str, place: Place) -> tuple[str, str]:
    """ "dmin=600" -> ("dmin", "600")."""
    key, equals, setting = word.partition("=")
    if not key or not equals:
        raise place.expected("NAME=VALUE", word)
    return key, setting


def _by_kind(word: str, kinds: Mapping[str, type], what: str, place: Place) -> dict[str, Any]:
    """ "kind:1,2" -> a table of that kind, with the values for its keys in order."""
    kind, _, rest = word.partition(":")
    if kind not in kinds:
        raise place.unknown(what, kind, kinds)
    keys = [key for key in KEYS[kinds[kind]] if key != "hold"]
    words = rest.split(",") if rest else []
    if len(words) > len(keys):
        raise place.expected(f"{kind} with at most {len(keys)} value{'s' * (len(keys) != 1)}", word)
    return {"kind": kind, **{key: value(word, place) for key, word in zip(keys, words, strict=False)}}
