"""A recorded page read back, without the program that plays it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from itertools import accumulate
from typing import Any, NamedTuple
from xml.etree import ElementTree


class ReadStep(NamedTuple):
    """A step, with its pictures as (time, list of shapes): graph and diagram of the wide page, then of the narrow."""

    pictures: list[list[tuple[float, list[Any]]]]
    time: float
    number: int
    sentence: str
    description: str
    counters: list[list[str]]
    lights: list[list[str]]
    lines: list[Any]


def read_film(page: str) -> dict[str, Any]:
    """What the page plays; the steps of its runs as `ReadStep`."""
    packed = re.search(r'application/octet-stream">([^<]*)<', page)
    assert packed
    film = json.loads(zlib.decompress(base64.b64decode(packed[1]), -15))
    pictures = _pictures(film)
    for run in film["runs"]:
        run["steps"] = _steps(run["steps"], film["texts"], pictures)
    return film


def _shape(number: int, shapes: list[Any]) -> Any:
    shape = shapes[number]
    return [*shape[:-1], [_shape(part, shapes) for part in shape[-1]]] if shape[0] == 5 else shape


def _pictures(film: dict[str, Any]) -> list[list[Any]]:
    found: list[list[int]] = []
    latest = 0
    for distance, back, front, growth in film["pictures"]:
        earlier = found[len(found) - distance] if distance <= len(found) else []
        between = list(accumulate(growth, initial=latest))[1:]
        latest = between[-1] if between else latest
        found.append([*earlier[:back], *between, *earlier[len(earlier) - front :]])
    return [[_shape(number, film["shapes"]) for number in picture] for picture in found]


def _steps(steps: list[Any], texts: list[Any], pictures: list[list[Any]]) -> list[ReadStep]:
    found, latest = [], 0
    for streams, time, number, sentence, *numbers in steps:
        read = []
        for stream in streams:
            moments = []
            for after, by in stream:
                latest += by
                moments.append((time + after, pictures[latest]))
            read.append(moments)
        description, counters, lights, (listing, *light) = (texts[n] for n in numbers)
        lines = [source_of(texts[listing]), *light]
        found.append(ReadStep(read, time, number, sentence, description, cells(counters), cells(lights), lines))
    return found


def cells(markup: str) -> list[list[str]]:
    """The words of each element and the elements in it: rows of a table, or items of a list."""
    return [[part.text or "" for part in row] for row in ElementTree.fromstring(f"<all>{markup}</all>")]


def source_of(markup: str) -> dict[int, str]:
    """The lines of a source, by their numbers."""
    return {int(row.get("data-line", 0)): row.text or "" for row in ElementTree.fromstring(f"<all>{markup}</all>")}


def words_of(shapes: list[Any]) -> list[str]:
    """All texts of a picture, in alphabetical order."""
    found = [shape[1] for shape in shapes if shape[0] == 4]
    return sorted(found + [word for shape in shapes if shape[0] == 5 for word in words_of(shape[-1])])
