"""Recorded runs as one HTML file that needs no Python, no other file and no network.

The pictures, sentences and counters are those of the window; `assets/web` has the program that plays them.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib import resources
from itertools import chain, pairwise
from typing import Any

from algorithms.engine.scenario import Marker, Scenario
from visual.drawing import fonts
from visual.drawing.encoding import FAMILIES
from visual.drawing.theme import Theme
from visual.window.web import markup
from visual.window.web.recording import Recording, Values

_COLOURS = (
    *("paper", "chrome", "card", "ink", "muted", "rule", "accent", "on_accent", "lit", "lit_now"),
    *("ok", "ok_text", "pending", "pending_text", "fault", "fault_text"),
)


def page(
    recordings: Sequence[Recording], values: Values, scenario: Scenario, pace: float, origin: str, place: str = "page"
) -> bytes:
    """The file. `scenario` gives the title, the note and the markers; `origin` is the command that makes it again.

    `place` is "page", or "slide" for a page with nothing but the pictures and the sentence, which plays at once.
    """
    title = scenario.title or " and ".join(recording.name for recording in recordings)
    film = _film(recordings, values, pace)
    template = _asset("player.html")
    times = sorted(step.time for recording in recordings for step in recording.steps)
    words = {
        "TITLE": escape(title),
        "NOTE": escape(scenario.notes),
        "MARKERS": markup.markers(_places(scenario.markers, times)),
        "MOST": str(len(times) - 1),
        "RUNS": "\n".join(markup.section(one.name, len(one.sizes[0]), one.has_counters) for one in recordings),
        "ORIGIN": escape(origin),
    }
    letters = "".join(sorted({*template, *film}.union(*words.values())))
    parts = {
        **words,
        "PLACE": place,
        "FONTS": "\n".join(_face(*face, letters) for face in fonts.FACES),
        "COLOURS": _colours(values.theme),
        "STYLE": _asset("player.css"),
        "FILM": b64encode(_deflated(film.encode())).decode(),
        "DRAW": _asset("draw.js"),
        "PLAYER": _asset("player.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda gap: parts[gap[1]], template).encode("utf-8")


def _film(recordings: Sequence[Recording], values: Values, pace: float) -> str:
    """What the page plays, as JSON. Numbers that grow are written as their differences, which pack better."""
    head = {
        "paper": values.theme.paper,
        "pace": pace,
        "end": max(one.end for one in recordings),
        "formats": recordings[0].sizes,
        "runs": [{"name": one.name, "steps": list(_steps(one))} for one in recordings],
        "pictures": list(_pictures(values)),
        "shapes": values.pool.values,
    }
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"texts":[{",".join(values.texts)}]}}'


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
        yield [pictures, *step[1:]]


def _pictures(values: Values) -> Iterator[list[Any]]:
    """The pictures; the earlier one is given by its distance, a shape by that of its number from the one before."""
    latest = 0
    for place, (like, back, front, shapes) in enumerate(values.pictures):
        growth = [number - before for before, number in pairwise([latest, *shapes])]
        yield [place - like, back, front, growth]
        latest = shapes[-1] if shapes else latest


def _places(markers: Iterable[Marker], times: list[float]) -> list[tuple[str, int]]:
    """The markers that the page has, each with the place of the last step up to its time."""
    return [(one.name, bisect(times, one.at) - 1) for one in markers if times[0] <= one.at <= times[-1]]


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
    return f'@font-face {{ font-family: "{FAMILIES[family]}"; font-weight: {weight}; src: {source} }}'
