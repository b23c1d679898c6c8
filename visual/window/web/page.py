"""Recorded runs as one HTML file that needs no Python, no other file and no network.

The pictures, sentences and counters are those of the window; `assets/web` has the program that plays them.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from itertools import chain, pairwise
from typing import Any

from algorithms.engine.scenario import Marker, Scenario
from visual.drawing import fonts
from visual.drawing.theme import Theme
from visual.window.web.recording import FORMATS, Recording, Values

_COLOURS = (
    *("paper", "chrome", "card", "ink", "muted", "rule", "accent", "on_accent", "lit", "lit_now"),
    *("ok", "ok_text", "pending", "pending_text", "fault", "fault_text"),
)
_FAMILIES: dict[fonts.FontFamily, str] = {"sans": "Mutoscope Sans", "mono": "Mutoscope Mono"}
_WEIGHTS: tuple[fonts.Weight, ...] = ("normal", "bold")


def page(recordings: Sequence[Recording], values: Values, scenario: Scenario, pace: float, origin: str) -> bytes:
    """The file. `scenario` gives the title, the note and the markers; `origin` is the command that makes it again."""
    title = scenario.title or " and ".join(recording.name for recording in recordings)
    film = _film(recordings, values, scenario, pace)
    template = _asset("player.html")
    letters = "".join(sorted({*template, *film, *title, *scenario.notes, *origin}))
    parts = {
        "TITLE": escape(title),
        "NOTE": escape(scenario.notes),
        "ORIGIN": escape(origin),
        "FONTS": "\n".join(_face(family, weight, letters) for family in _FAMILIES for weight in _WEIGHTS),
        "COLOURS": _colours(values.theme),
        "STYLE": _asset("player.css"),
        "FILM": b64encode(_deflated(film.encode())).decode(),
        "DRAW": _asset("draw.js"),
        "PLAYER": _asset("player.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], template).encode("utf-8")


def _film(recordings: Sequence[Recording], values: Values, scenario: Scenario, pace: float) -> str:
    """What the page plays, as JSON. Numbers that grow are written as their differences, which pack better."""
    order = sorted(
        (step.time, place, number) for place, one in enumerate(recordings) for number, step in enumerate(one.steps)
    )
    head = {
        "paper": values.theme.paper,
        "pace": pace,
        "end": max(one.end for one in recordings),
        "formats": [{"graph": one.graph.size, "diagram": one.diagram.size} for one in FORMATS],
        "markers": [_marker(marker, order) for marker in scenario.markers if order[0][0] <= marker.at <= order[-1][0]],
        "order": [place for _, place, _ in order],
        "runs": [_run(one) for one in recordings],
        "pictures": list(_pictures(values)),
        "shapes": values.pool.values,
    }
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"texts":[{",".join(values.texts)}]}}'


def _run(recording: Recording) -> dict[str, Any]:
    return {"name": recording.name, "listings": recording.listings, "steps": list(_steps(recording))}


def _steps(recording: Recording) -> Iterator[list[Any]]:
    """The steps as lists; the moments of a picture count from the step's time, its number from the one before."""
    latest = 0
    for step in recording.steps:
        pictures = []
        for stream in chain.from_iterable(step.pictures):
            moments = []
            for time, number in stream:
                moments.append([round(time - step.time, 3), number - latest])
                latest = number
            pictures.append(moments)
        yield [*step[:-1], pictures]


def _pictures(values: Values) -> Iterator[list[Any]]:
    """The pictures; the earlier one is given by its distance, a shape by that of its number from the one before."""
    latest = 0
    for place, (like, back, front, shapes) in enumerate(values.pictures):
        growth = [number - before for before, number in pairwise([latest, *shapes])]
        yield [place - like, back, front, growth]
        latest = shapes[-1] if shapes else latest


def _marker(marker: Marker, order: list[tuple[float, int, int]]) -> dict[str, Any]:
    """A marker with the place of the last step up to its time."""
    place = max(place for place, (time, _, _) in enumerate(order) if time <= marker.at)
    return {"name": marker.name, "place": place}


def _asset(name: str) -> str:
    return resources.files("assets").joinpath("web", name).read_text("utf-8")


def _colours(theme: Theme) -> str:
    lines = (f"--{name.replace('_', '-')}: {getattr(theme, name)};" for name in _COLOURS)
    return f":root {{ {' '.join(lines)} }}"


def _deflated(data: bytes) -> bytes:
    """Raw deflate, which every browser unpacks."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def _face(family: fonts.FontFamily, weight: fonts.Weight, letters: str) -> str:
    """A font face with the letters of the page alone."""
    data = b64encode(fonts.subset(family, weight, letters, "woff")).decode()
    source = f"url(data:font/woff;base64,{data})"
    return f'@font-face {{ font-family: "{_FAMILIES[family]}"; font-weight: {weight}; src: {source} }}'
