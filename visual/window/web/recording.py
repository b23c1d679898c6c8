"""A run recorded for a web page: at each step its pictures, its sentence, its counters and the lines that ran.

recording = Recording(RunView(scenario), Values("light"))
for time in recording.go_on(0.0, most=1_000): ...
recording.steps

A step has several pictures of the graph if one would not do: between two of them everything moves in a straight
line and at a steady speed. Half-way nothing is then off by more than a pixel, unless the two are an eighth of a step
apart. The page is one HTML file that needs no Python, no other file and no network; `assets/web` has the program that
plays it.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib import resources
from itertools import chain, pairwise
from math import inf
from typing import Any, NamedTuple, TypeAlias

from algorithms.engine.observe.verdicts import BROKEN, NAMES, OVERDUE, PENDING, Verdict
from algorithms.engine.scenario import Scenario
from visual.drawing import fonts
from visual.drawing.encoding import FAMILIES, Numbers, Pool
from visual.drawing.shapes import Rect
from visual.drawing.theme import Theme, load
from visual.narration.alt_text import alt_text
from visual.narration.steps import latest_execution
from visual.scene.source_listing import Listing, ListingPage, page_of, rules_page
from visual.scene.still import Still, still
from visual.window.pages.run import CounterRow, counter_rows, status_words
from visual.window.pages.source import acting_node, with_guards
from visual.window.run_view import RunView

_OFF = 1.0  # pixels: a shape further off its straight line gets one more picture
_HALVINGS = 3  # of a step, at most
_ANYWHERE = Rect(0, 0, 10_000, 10_000)  # of a listing, which the page breaks into lines itself
_PLAIN = Still(crop="graph", caption="", reopen=False, moving=True)


Moments: TypeAlias = list[tuple[float, int]]
"""Times, each with the number of the picture at that time."""


class Format(NamedTuple):
    """The pictures of a page of some width: graph and space-time diagram."""

    graph: Still
    diagram: Still


FORMATS = (  # for wide screens and for phones
    Format(
        replace(_PLAIN, size=(900, 500), design=(1286, 714)),
        replace(_PLAIN, size=(900, 240), design=(1286, 343), crop="spacetime"),
    ),
    Format(
        replace(_PLAIN, size=(390, 390), design=(600, 600), legend=False),
        replace(_PLAIN, size=(390, 240), design=(600, 370), crop="spacetime"),
    ),
)


class RecordedStep(NamedTuple):
    """What the page shows after a step, until the next one.

    `pictures` are, for each format, the moments of each of its pictures, with their numbers.
    `description`, `counters`, `lights` and `lines` are numbers of texts.
    """

    pictures: list[tuple[Moments, ...]]
    time: float
    number: int
    sentence: str
    description: int
    counters: int
    lights: int
    lines: int


class Values:
    """The texts, tables, shapes and pictures of a page, each once, under its number.

    `texts` has the tables as JSON. A picture is stored as its difference from an earlier one: the earlier one's number
    (-1 for none), how many shapes the two have in common at the back and in front, and the shapes between.
    """

    def __init__(self, theme: str) -> None:
        self.theme = load(theme)
        self.pool = Pool(self.theme)
        self.texts: dict[str, int] = {}
        self.pictures: list[tuple[int, int, int, Numbers]] = []
        self._whole: dict[tuple[int, ...], int] = {}

    def number(self, value: Any) -> int:
        """The number of a value of lists, texts and numbers."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return self.texts.setdefault(text, len(self.texts))

    def picture(self, shapes: Numbers, earlier: Numbers) -> int:
        """The number of a picture; `earlier` is one that has been added, or empty."""
        whole = tuple(shapes)
        if whole not in self._whole:
            self._whole[whole] = len(self.pictures)
            back = _common(shapes, earlier)
            front = _common(shapes[back:][::-1], earlier[back:][::-1])
            like = self._whole[tuple(earlier)] if earlier else -1
            self.pictures.append((like, back, front, shapes[back : len(shapes) - front]))
        return self._whole[whole]


def _common(one: Numbers, other: Numbers) -> int:
    """The number of items that two lists have in common at their beginning."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


class Recording:
    """The steps of one run, recorded as they happen.

    A format is the looks of pictures that a page shows at once; the graph is in the first one.
    """

    def __init__(self, run: RunView, values: Values, formats: Sequence[Sequence[Still]] = FORMATS) -> None:
        self._run, self._values = run, values
        self._streams = [[_Stream(run, look, values) for look in one] for one in formats]
        self.sizes = [[look.size for look in one] for one in formats]
        self.steps: list[RecordedStep] = []
        self.end = 0.0  # of the last picture

    @property
    def name(self) -> str:
        """What tells this run apart: its algorithm, with a note where two have the same."""
        title = self._run.simulation.algorithm.title
        return f"{title} ({self._run.note})" if self._run.note else title

    def go_on(self, start: float, most: int, until: float = inf) -> Iterator[float]:
        """Record up to `most` steps between two times, until the scenario ends; gives the time of each."""
        run = self._run
        self._last = min(until, run.end)
        if start >= 0:
            run.seek_time(start)
        self._record()
        while len(self.steps) <= most and (run.next_time or 0.0) <= until and run.forward(watch=True):
            self._record()
            yield run.now

    def _record(self) -> None:
        run, number = self._run, self._values.number
        due = run.next_time
        self.end = max(self._last if due is None else min(due, self._last), run.now)
        self.steps.append(
            RecordedStep(
                list(self._pictures()),
                round(run.now, 3),
                run.timeline.step,
                run.sentence,
                number(alt_text(run.simulation, run.now, run.ledger.breaches)),
                number(counters(counter_rows(run) if self.has_counters else ())),
                number(lights(run.ledger.verdicts)),
                number(self._lines()),
            )
        )

    @property
    def has_counters(self) -> bool:
        """Whether messages are counted: not in a rewriting system."""
        return self._run.system is None

    def _pictures(self) -> Iterator[tuple[Moments, ...]]:
        """The pictures of each format until the next step. Graphs of all formats turn at the same moments."""
        start, end = self._run.now, self.end
        ends = [start, end] if end > start else [start]
        turns = self._streams[0][0].turns(ends)
        for graph, *others in self._streams:
            yield graph.moments(turns), *(one.moments(ends) for one in others)

    # ---- words ---------------------------------------------------------------------------------------------

    def _lines(self) -> list[Any]:
        """The number of the source, its lines that ran, that of the sentence, and the guards with their values."""
        page = self._page()
        listing, light = self._values.number(source(page.listing)), page.light
        return [listing, page.title, sorted(light.ran), light.now, dict(light.guards)]

    def _page(self) -> ListingPage:
        run = self._run
        if not self.has_counters:
            return rules_page(run.simulation, _ANYWHERE, self._values.theme)
        ran = with_guards(run, acting_node(run))
        before = None if ran.lines else latest_execution(run.timeline)
        return page_of(run.simulation.process_class, ran, _ANYWHERE, self._values.theme, before=before)


class _Stream:
    """The pictures of a run that look the same, one after the other."""

    def __init__(self, run: RunView, look: Still, values: Values) -> None:
        self._run, self._values, self._look = run, values, replace(look, theme=values.theme.name)
        self._latest: Numbers = []  # picture that has been kept
        self._step = -1
        self._drawn: dict[float, Numbers] = {}  # time -> picture after this step

    def moments(self, times: list[float]) -> Moments:
        """The pictures at these times, kept; one where they are all the same."""
        found: Moments = []
        for time in times:
            drawn = self._at(time)
            found.append((round(time, 3), self._values.picture(drawn, self._latest)))
            self._latest = drawn
        return found if len({number for _, number in found}) > 1 else found[:1]

    def turns(self, ends: list[float]) -> list[float]:
        """The moments, both ends among them, between which everything goes straight on."""
        return ends if len(ends) < 2 else [ends[0], *self._turns_between(ends[0], ends[1], _HALVINGS)]

    def _turns_between(self, start: float, end: float, halvings: int) -> list[float]:
        """The moments after `start` up to the end."""
        middle = (start + end) / 2
        off = self._values.pool.distance_from_straight(self._at(start), self._at(end), self._at(middle))
        if not halvings or off <= _OFF:
            return [end]
        halves = ((start, middle), (middle, end))
        return [turn for half in halves for turn in self._turns_between(*half, halvings - 1)]

    def _at(self, time: float) -> Numbers:
        if self._step != self._run.timeline.step:
            self._step, self._drawn = self._run.timeline.step, {}
        if time not in self._drawn:
            picture = still(self._run.timeline, time, self._look, self._run.cache)
            self._drawn[time] = self._values.pool.picture(picture.shapes)
        return self._drawn[time]


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
        "MARKERS": markers(
            [(m.name, bisect(times, m.at) - 1) for m in scenario.markers if times[0] <= m.at <= times[-1]]
        ),
        "MOST": str(len(times) - 1),
        "RUNS": "\n".join(section(one.name, len(one.sizes[0]), one.has_counters) for one in recordings),
        "ORIGIN": escape(origin),
    }
    letters = "".join(sorted({*template, *film}.union(*words.values())))
    parts = {
        **words,
        "PLACE": place,
        "FONTS": "\n".join(_face(*face, letters) for face in fonts.FACES),
        "COLOURS": f"{_colours(values.theme)}\n@media print {{ {_colours(load('light'))} }}",
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


def _asset(name: str) -> str:
    return resources.files("assets").joinpath("web", name).read_text("utf-8")


def _colours(theme: Theme) -> str:
    lines = (f"--{name.replace('_', '-')}: {getattr(theme, name)};" for name in _COLOURS)
    return f":root {{ {' '.join(lines)} }}"


def _deflated(data: bytes) -> bytes:
    """Raw deflate, which every browser unpacks."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, memLevel=6)  # short blocks: what they hold differs much
    return packer.compress(data) + packer.flush()


def _face(family: fonts.FontFamily, weight: fonts.Weight, letters: str) -> str:
    """A font face with the letters of the page alone."""
    data = b64encode(fonts.subset(family, weight, letters, "woff")).decode()
    source = f"url(data:font/woff;base64,{data})"
    return f'@font-face {{ font-family: "{FAMILIES[family]}"; font-weight: {weight}; src: {source} }}'


_HUES = {BROKEN: "broken", PENDING: "pending", OVERDUE: "pending"}


_GRAPH = '<canvas role="img"></canvas>'
_DIAGRAM = '<canvas role="img" aria-label="space-time diagram"></canvas>'


def section(name: str, pictures: int, has_counters: bool) -> str:
    """The part of the page for a run with one or two pictures; the player fills it."""
    return f"""<section>
<h2>{escape(name)}</h2>
<div class="pictures">{_GRAPH}{_DIAGRAM * (pictures - 1)}</div>
<div class="side" data-name="{escape(name)}">
<ul class="lights"></ul>
<table{"" if has_counters else " hidden"}>
<thead><tr><th scope="col">messages</th><th scope="col">measured</th><th scope="col">formula</th></tr></thead>
<tbody class="counters"></tbody>
</table>
<div class="source"><h3></h3><pre tabindex="0"><code></code></pre></div>
</div>
</section>"""


def lights(verdicts: Iterable[Verdict]) -> str:
    """The properties with their status."""
    return "".join(map(_light, verdicts))


def _light(verdict: Verdict) -> str:
    look = _HUES.get(verdict.status, "ok") + ("" if verdict.promised else " spare")
    name, status = escape(NAMES.get(verdict.name, verdict.name)), escape(status_words(verdict))
    return f'<li class="{look}"><b>{name}</b><span>{status}</span></li>'


def counters(rows: Iterable[CounterRow]) -> str:
    """The rows of the table of counters; an indented one is part of the total."""
    return "".join(map(_counter, rows))


def _counter(row: CounterRow) -> str:
    look = "strong" if row.strong else "part" if row.words.startswith(" ") else ""
    words, measured, formula = (escape(words.strip()) for words in row[:3])
    return f'<tr class="{look}"><th scope="row">{words}</th><td>{measured}</td><td>{formula}</td></tr>'


def source(listing: Listing) -> str:
    """The lines of a source that are shown, each with its number."""
    numbered = enumerate(listing.lines, listing.first)
    shown = ((number, line) for number, line in numbered if number not in listing.hidden)
    return "".join(f'<span data-line="{number}">{escape(line)}\n</span>' for number, line in shown)


def markers(places: Sequence[tuple[str, int]]) -> str:
    """The buttons of markers, given by name and place."""
    return "".join(f'<button data-place="{place}">{escape(name)}</button>' for name, place in places)
