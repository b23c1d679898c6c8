"""A complete still picture of a run.

timeline.seek_time(12.4)
picture = still(timeline, 12.4, Still(size=(1280, 720), crop="graph"))
visual.drawing.export.save(picture, "wait.svg")

The same scenario, time and look give the same bytes. The places of nodes, legend and caption depend on scenario and
look only, so that a series of pictures can be turned over like pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.verdicts import Breach
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from visual.analysis.run_cache import RunCache
from visual.analysis.spells import SpellObserver, Spells
from visual.drawing import fonts
from visual.drawing.export import Picture
from visual.drawing.shapes import Colour, Group, Line, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.alt_text import alt_text
from visual.narration.steps import step_sentence
from visual.scene import term_picture as terms
from visual.scene.graph.layout import arrange
from visual.scene.graph.legend import legend, room
from visual.scene.graph.placing import WIDEST
from visual.scene.graph.run_graph import graph
from visual.scene.graph.trails import breach_marks
from visual.scene.options import Options
from visual.scene.space_time.diagram import page, space_time
from visual.scene.space_time.frame import Span

Crop = Literal["graph", "spacetime", "full"]
CROPS: tuple[Crop, ...] = ("graph", "spacetime", "full")

_LONG_AGO = 2.0  # mean delays after which the caption tells when its step was
_ROUND = ("complete", "ring", "star")  # topologies drawn as a ring, which leaves the corners free


@dataclass(frozen=True)
class Still:
    """The look of a picture. Sizes are in pixels; `pad` is left free on all sides.

    `background` defaults to the theme's paper; "transparent" leaves it out. `caption` adds a sentence about the step.
    `reopen` prints scenario, seed and step; `origin`, the scenario's file, makes that line exact. At the size `design`
    text has the size that the theme gives. `letters` stand in the diagram beside the events of these steps.
    `page` is the time span of the space-time diagram; 0 leaves it to the run.
    """

    size: tuple[int, int] = (1280, 720)
    theme: str = "light"
    crop: Crop = "full"
    pad: float = 0.0
    background: Colour = ""
    legend: bool = True
    caption: bool = True
    reopen: bool = True
    origin: str = ""
    arrows: bool = True
    selected: str = ""
    letters: tuple[tuple[int, str], ...] = ()
    design: tuple[int, int] = (1600, 900)
    page: float = 0.0

    @property
    def unit(self) -> float:
        """The number of pixels per logical pixel of the theme."""
        return min(self.size[0] / self.design[0], self.size[1] / self.design[1])


PLAIN = Still()


def still(timeline: Timeline, t: float | None = None, look: Still = PLAIN, cache: RunCache | None = None) -> Picture:
    """The picture of the state that the timeline shows, at time t: by default that of the present step.

    Pictures of one timeline take less work if they share the cache of its run.
    """
    run, theme = timeline.simulation, load(look.theme)
    cache = cache or RunCache(run)
    moment = run.now if t is None else t
    area = Rect(look.pad, look.pad, look.size[0] - 2 * look.pad, look.size[1] - 2 * look.pad)
    title = run.scenario.title or run.algorithm.title
    return Picture(
        shapes=tuple(_Composer(timeline, moment, look, theme, cache).all_of(area)),
        size=look.size,
        theme=theme,
        name=look.origin or title,
        title=f"{title}, step {run.steps}",
        description=alt_text(run, moment, cache.get(_TraceFolds, timeline).breaches(run.steps)),
        background=None if look.background == "transparent" else look.background or theme.paper,
    )


def default_time(scenario: Scenario) -> float:
    """The time shown by default: that of the first marker, or half-way."""
    return scenario.markers[0].at if scenario.markers else scenario.until / 2


class _TraceFolds:
    """The folds over a run's trace for its pictures; the next picture continues where they stopped."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline, self._trace = timeline, timeline.trace
        self._monitors = Monitors(timeline.scenario, timeline.algorithm)
        self._fold = Fold(timeline.scenario, timeline.algorithm)
        self._observer = SpellObserver(self._fold.situation)
        self._fold.observe([self._observer])

    def breaches(self, step: int) -> list[Breach]:
        """The breaches up to that step."""
        self._monitors.advance(self._trace)
        if step == self._timeline.frontier and self._timeline.simulation.is_over():
            self._monitors.finish(self._trace)
        return self._monitors.breaches(step)

    def spells(self) -> Spells:
        """The states of each process over time."""
        self._fold.advance(self._trace)
        return self._observer.spells


class _Composer:
    """Arranges the parts of a picture, taking room from the edges inwards."""

    def __init__(self, timeline: Timeline, t: float, look: Still, theme: Theme, cache: RunCache) -> None:
        self.timeline, self.t, self.look, self.theme, self.cache = timeline, t, look, theme, cache
        self.run = timeline.simulation
        self.options = Options(look.unit, arrows=look.arrows, selected=look.selected, ahead=False, letters=look.letters)

    def all_of(self, area: Rect) -> list[Shape]:
        """The whole picture."""
        shapes: list[Shape] = []
        if self.look.crop == "full":
            shapes += self._header(area)
            area = _without(area, top=60 * self.look.unit)
        if self.look.reopen:
            shapes += self._reopening(area)
            area = _without(area, bottom=30 * self.look.unit)
        if self.look.caption:
            shapes += self._caption(area)
            area = _without(area, bottom=76 * self.look.unit)
        if self.look.crop == "spacetime":
            return [*shapes, *self._space_time(area)]
        if self.look.crop == "full":
            below = round(0.36 * area.h)
            shapes += self._space_time(Rect(area.x, area.y + area.h - below, area.w, below))
            area = _without(area, bottom=below)
        return [*shapes, *self._graph(area)]

    def _header(self, area: Rect) -> list[Shape]:
        unit, theme = self.look.unit, self.theme
        name, size = self.run.algorithm.title, theme.sizes.title * unit
        x, y = area.x + 24 * unit, area.y + 40 * unit
        time = f"t = {round(self.t, 2):g}"
        after = x + fonts.width(name, size, weight="bold") + 0.6 * size
        end = area.x + area.w - 24 * unit
        room = end - after - fonts.width(time, 0.8 * size, "mono") - size
        return [
            Text(x, y, name, size, theme.ink, "bold"),
            Text(after, y, fonts.shorten(self.run.scenario.title, room, 0.8 * size), 0.8 * size, theme.muted),
            Text(end, y, time, 0.8 * size, theme.ink, family="mono", anchor="end"),
        ]

    def _caption(self, area: Rect) -> list[Shape]:
        """The sentence about the step, in at most two lines."""
        size = 22 * self.look.unit
        said = step_sentence(self.timeline, self.timeline.step - 1) if self.timeline.step else "Before the first step."
        said = " ".join([said, *(breach.caption() for breach in self._breaches())])
        if self.timeline.step and self.t > self.run.now + _LONG_AGO * (self.run.scenario.network.delay.mean or 1.0):
            said = f"At t = {round(self.run.now, 2):g}: {said}"
        lines = fonts.lines(said, area.w - 48 * self.look.unit, size, 2, weight="bold")
        top = area.y + area.h - 46 * self.look.unit
        return [
            Text(area.x + 24 * self.look.unit, top + 1.35 * size * i, line, size, self.theme.ink, "bold")
            for i, line in enumerate(lines)
        ]

    def _reopening(self, area: Rect) -> list[Shape]:
        scenario, size = self.run.scenario, 0.85 * self.theme.sizes.small * self.look.unit
        name = Path(scenario.algorithm).name
        line = f"{name}, {scenario.nodes} nodes · seed {scenario.seed} · step {self.run.steps} · time "
        line = reopening(self.look.origin, self.run, self.t) if self.look.origin else f"{line}{round(self.t, 3):g}"
        y = area.y + area.h - 10 * self.look.unit
        return [Text(area.x + 24 * self.look.unit, y, line, size, self.theme.muted)]

    def _graph(self, area: Rect) -> list[Shape]:
        if system_of(self.run.algorithm):
            return terms.picture(self.cache, area, self.theme, self.options)
        gap = 16 * self.look.unit
        card = room(self.cache, self.theme, self.options) if self.look.legend else Rect(0, 0, 0, 0)
        layout = arrange(self.run, self._beside(area, card.w + 2 * gap))
        shapes = graph(self.cache, self.t, layout, self.theme, self.options)
        shapes += breach_marks(self._breaches(), layout, self.theme, self.options)
        if not self.look.legend:
            return shapes
        card_shapes = legend(self.cache, self.t, self.theme, self.options)
        return [*shapes, card_shapes._replace(x=area.x + gap, y=area.y + gap)]

    def _breaches(self) -> list[Breach]:
        """The breaches by the present step."""
        breaches = self.cache.get(_TraceFolds, self.timeline).breaches(self.run.steps)
        return [breach for breach in breaches if breach.step == self.run.steps]

    def _beside(self, area: Rect, width: float) -> Rect:
        """The area for the graph, beside the legend where it would cover the graph."""
        kind = self.run.scenario.topology or self.run.algorithm.topology
        free = (area.w - WIDEST * area.h) / 2 if kind in _ROUND and self.run.scenario.edges is None else 0.0
        return area if not self.look.legend or free >= width else _without(area, left=width)

    def _page(self) -> Span:
        if not self.look.page:
            return page(self.run, self.t)
        return Span.around(self.t, self.look.page).within(max(self.run.scenario.until, self.t))

    def _space_time(self, area: Rect) -> list[Shape]:
        spells = self.cache.get(_TraceFolds, self.timeline).spells()
        inner = _without(area, left=12 * self.look.unit)
        line = Line(area.x, area.y, area.x + area.w, area.y, self.theme.rule, self.theme.sizes.rule * self.look.unit)
        rule = [line] if self.look.crop == "full" else []
        return [
            *rule,
            *space_time(self.cache, spells, self._page(), self.t, inner, self.theme, self.options),
        ]


def reopening(origin: str, run: Simulation, t: float) -> str:
    """The command that shows the run at time t again, between the present step and the next."""
    moment = f"--step {run.steps}" if t <= run.now else f"--at {round(t, 3):g}"
    return f"mutoscope play {origin} --seed {run.scenario.seed} {moment}"


def _without(area: Rect, left: float = 0.0, top: float = 0.0, bottom: float = 0.0) -> Rect:
    """The area without strips at its edges."""
    return Rect(area.x + left, area.y + top, area.w - left, area.h - top - bottom)


_FLIGHTS = 24.0  # mean delays that a page of the space-time diagrams is long


def half(look: Still, *scenarios: Scenario) -> Still:
    """The look of each of two pictures side by side; their diagrams span the same time."""
    (width, height), (design, as_high) = look.size, look.design
    length = _FLIGHTS * max(scenario.network.delay.mean or 1.0 for scenario in scenarios)
    return replace(look, size=(width // 2, height), design=(design // 2, as_high), page=length)


def side_by_side(left: Picture, right: Picture) -> Picture:
    """Two pictures of the same size as one, with a line between them."""
    width, height = left.size
    line = Line(width, 0, width, height, left.theme.rule, left.theme.sizes.rule)
    moved = Group(tuple(_renamed(shape) for shape in right.shapes), x=width)
    return replace(
        left,
        shapes=(*left.shapes, moved, line),
        size=(2 * width, height),
        title=f"{left.title}; beside it {right.title}",
        description=f"Left: {left.description} Right: {right.description}",
    )


def _renamed(shape: Shape) -> Shape:
    """The shape with ids that differ from those of the other run in the same file."""
    named = shape._replace(id=f"beside-{shape.id}") if shape.id else shape
    return named._replace(shapes=tuple(map(_renamed, named.shapes))) if isinstance(named, Group) else named
