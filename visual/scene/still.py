"""A complete still picture of a run.

timeline.seek_time(12.4)
picture = still(timeline, 12.4, Still(size=(1280, 720), crop="graph"))
visual.drawing.export.save(picture, "wait.svg")

The same scenario, time and look give the same bytes. The places of nodes, legend and caption depend on scenario and
look only, so that a series of pictures can be turned over like pages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from algorithms.engine.errors import count_words
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.verdicts import Breach
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from visual.analysis.overlay_state import on_overlay
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.spells import SpellObserver, Spells, term_observers
from visual.drawing import fonts
from visual.drawing.export import Picture
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import Colour, Group, Line, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.alt_text import alt_text
from visual.narration.captions import cut
from visual.narration.steps import dated, step_sentence
from visual.scene import term_picture as terms
from visual.scene.graph.layout import LARGEST, LARGEST_PRESENTED, arrange
from visual.scene.graph.legend import entries, legend, lines_of, ordinary, widest
from visual.scene.graph.placing import ring_width
from visual.scene.graph.run_graph import graph
from visual.scene.graph.trails import breach_crosses, breach_rings
from visual.scene.options import FEW_NODES, LEAST_PRESENTED, Options
from visual.scene.space_time.diagram import page, space_time
from visual.scene.space_time.diagram_legend import diagram_legend
from visual.scene.space_time.frame import Span

Crop = Literal["graph", "spacetime", "full"]
CROPS: tuple[Crop, ...] = ("graph", "spacetime", "full")
CROP_OF_VIEW: dict[str, Crop] = {"both": "full", "graph": "graph", "space-time": "spacetime"}
"""The name of a view, as in the window, a talk and a tape -> what a picture of it shows."""

Body: TypeAlias = Callable[[Rect, Theme], Sequence[Shape]]
"""Draws what a picture is about into a rectangle."""

PRESENTED = 1.4
"""How much larger text is in a presentation: the smallest is 3 % of the height."""

_DIAGRAM = 1.78  # how much larger still the text of a presentation's diagram is, for names of 4.4 % of the height
_BELOW, _PRESENTED_BELOW = 0.36, 0.48  # of the height of a full picture, and of a presented one: the diagram
_FOR_BOTH = 270_000  # square logical pixels that graph and diagram of a presented picture need
_WIDE = 2.2  # widths to a height from which a presented picture has the diagram beside the graph
_BESIDE = 0.44  # of the width of such a picture: the graph
_WIDEST_CARD = 0.36  # of the width: a legend beside a graph
_NARROW = 1.6  # widths to a height below which a presented circle has no room for a legend beside its cards
_ROUND = ("complete", "ring", "star")  # topologies drawn as a ring, which leaves the corners free


@dataclass(frozen=True)
class Still:
    """The look of a picture. Sizes are in pixels; `pad` is left free on all sides.

    `background` defaults to the theme's paper; "transparent" leaves it out. `reopen` prints scenario, seed and step;
    `origin`, the scenario's file, makes that line exact. `title` and `caption` are words in place of the usual ones, ""
    for none: by default the names of algorithm and scenario in a full picture, and a sentence about the step.

    At the size `design` text has the size that the theme gives, times `text`, and the legend is not made smaller to fit
    if it `keeps_text`; while `presenting`, text is large enough for the last row of a lecture hall. `selected` is the
    id of a shape. The space-time diagram spans the times `span`, or a `page` of that length, by default one that suits
    the run; `cursor` is its line at the present, and with `ahead` it has the steps that have been executed beyond,
    pale. `letters` stand in it beside the events of these steps. In one of many pictures of a run in motion, `moving`,
    messages in transit keep to their links, and do not move to free room.
    """

    size: tuple[int, int] = (1280, 720)
    theme: str = "light"
    crop: Crop = "full"
    pad: float = 0.0
    background: Colour = ""
    legend: bool = True
    title: str | None = None
    caption: str | None = None
    reopen: bool = True
    origin: str = ""
    arrows: bool = True
    moving: bool = False
    selected: str = ""
    letters: tuple[tuple[int, str], ...] = ()
    design: tuple[int, int] = (1600, 900)
    text: float = 1.0
    keeps_text: bool = False
    presenting: bool = False
    span: tuple[float, float] | None = None
    page: float = 0.0
    cursor: bool = True
    ahead: bool = False

    @property
    def unit(self) -> float:
        """The number of pixels per logical pixel of the theme."""
        return self._fitting * self.text * (PRESENTED if self.presenting else 1.0)

    @property
    def _fitting(self) -> float:
        """The pixels per pixel of the design. In a presentation the height decides, from a format of 4:3 on."""
        width, height = self.design
        return min(self.size[0] / (0.75 * width if self.presenting else width), self.size[1] / height)

    @property
    def largest(self) -> float:
        """The largest radius of a node, as a share of the height of a graph: larger where text is."""
        text = self.text * (PRESENTED if self.presenting else 1.0)
        return min(LARGEST * max(text, 1.0), LARGEST_PRESENTED)

    @property
    def options(self) -> Options:
        """The options for graph and legend."""
        usual = Options(
            self.unit,
            arrows=self.arrows,
            selected=self.selected,
            ahead=self.ahead,
            letters=self.letters,
            cursor=self.cursor,
            shrinks=not self.keeps_text,
        )
        scale = self._fitting * self.text * self.design[1] / 1080
        return replace(usual, scale=scale, presenting=True, least=LEAST_PRESENTED) if self.presenting else usual


PLAIN = Still()


def still(
    timeline: Timeline,
    t: float | None = None,
    look: Still = PLAIN,
    cache: RunCache | None = None,
    body: Body | None = None,
) -> Picture:
    """The picture of the state that the timeline shows, at time t: by default that of the present step.

    Pictures of one timeline take less work if they share the cache of its run. A `body` is drawn in place of graph and
    diagram.
    """
    run, theme = timeline.simulation, load(look.theme)
    cache = cache or RunCache(run)
    moment = run.now if t is None else t
    area = Rect(look.pad, look.pad, look.size[0] - 2 * look.pad, look.size[1] - 2 * look.pad)
    title = run.scenario.title or run.algorithm.title
    return Picture(
        shapes=tuple(_Composer(timeline, moment, look, theme, cache).all_of(area, body)),
        size=look.size,
        theme=theme,
        name=look.origin or title,
        title=f"{title}, step {run.steps}",
        description=alt_text(run, moment, cache.get(_TraceFolds, timeline).breaches(run.steps)),
        background=None if look.background == "transparent" else look.background or theme.paper,
    )


def default_time(scenario: Scenario) -> float:
    """The time shown by default: that of the first marker, or halfway."""
    return scenario.markers[0].at if scenario.markers else scenario.until / 2


def caption_of(timeline: Timeline, t: float, cache: RunCache) -> str:
    """What happened in the present step, when if that is long before time t, and what it breaks."""
    run = timeline.simulation
    sentence = cache.get(_last_step_sentence, timeline, Moment(run))
    return dated(" ".join([sentence, *(breach.caption() for breach in _breaches(timeline, cache))]), run, t)


def _last_step_sentence(timeline: Timeline, _: Moment) -> str:
    """What happened in the last step, which is executed again to find the lines that ran; hence the cache."""
    return step_sentence(timeline, timeline.step - 1) if timeline.step else "Before the first step."


def _breaches(timeline: Timeline, cache: RunCache) -> list[Breach]:
    """The breaches by the present step."""
    step = timeline.simulation.steps
    return [breach for breach in cache.get(_TraceFolds, timeline).breaches(step) if breach.step == step]


class _TraceFolds:
    """The folds over a run's trace for its pictures; the next picture continues where they stopped."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline, self._trace = timeline, timeline.trace
        self._monitors = Monitors(timeline.scenario, timeline.algorithm)

    def breaches(self, step: int) -> list[Breach]:
        """The breaches up to that step."""
        self._monitors.advance(self._trace)
        if step == self._timeline.frontier and self._timeline.simulation.is_over():
            self._monitors.finish(self._trace)
        return self._monitors.breaches(step)

    def spells(self) -> Spells:
        """The states of each process over time."""
        fold, spells = self._of_spells
        fold.advance(self._trace)
        return spells

    @cached_property
    def _of_spells(self) -> tuple[Fold, Spells]:
        """The fold that only diagrams need."""
        fold = Fold(self._timeline.scenario, self._timeline.algorithm)
        observer = SpellObserver(fold.situation)
        fold.observe([observer, *term_observers(observer.spells, self._timeline.algorithm)])
        return fold, observer.spells


class _Composer:
    """Arranges the parts of a picture, taking room from the edges inwards."""

    def __init__(self, timeline: Timeline, t: float, look: Still, theme: Theme, cache: RunCache) -> None:
        self.timeline, self.t, self.look, self.theme, self.cache = timeline, t, look, theme, cache
        self.run = timeline.simulation
        self.options = look.options

    def all_of(self, area: Rect, body: Body | None) -> list[Shape]:
        """The whole picture."""
        look, unit = self.look, self.look.unit
        is_full = look.crop == "full" and body is None
        shapes: list[Shape] = []
        if look.title or (look.title is None and is_full):
            shapes += self._header(area)
            area = _without(area, top=60 * unit)
        if look.reopen:
            shapes += self._reopening(area)
            area = _without(area, bottom=30 * unit)
        if look.caption != "":
            shapes += self._caption(area)
            area = _without(area, bottom=76 * unit)
        has_row = look.legend and self._has_legend_row(area, body)
        if has_row:
            lines, height = self._legend_row(area, body)
            shapes.append(lines)
            area = _without(area, bottom=height)
        if body is None and look.crop != "spacetime":
            is_wide = area.w > _WIDE * area.h and not system_of(self.run.algorithm)
            if is_full and look.presenting and is_wide and self._has_room_for_both(area):
                beside = round(_BESIDE * area.w)
                shapes += [
                    *self._space_time(_without(area, left=beside)),
                    self._rule(area.x + beside, area.y, h=area.h),
                ]
                area = area._replace(w=beside)
            elif is_full and self._has_room_for_both(area):
                below = round((_PRESENTED_BELOW if look.presenting else _BELOW) * area.h)
                area, diagram = _without(area, bottom=below), _without(area, top=area.h - below)
                shapes += [self._rule(diagram.x, diagram.y, w=diagram.w), *self._space_time(diagram)]
            return [*shapes, *self._graph(area, has_legend=look.legend and not has_row)]
        return [*shapes, *(self._space_time(area) if body is None else body(area, self.theme))]

    def _has_room_for_both(self, area: Rect) -> bool:
        """Whether they share a full picture: not while many nodes, cards, a term or half a slide are presented."""
        has_its_own_picture = on_overlay(self.run) or system_of(self.run.algorithm)
        most = 6 if self.run.algorithm.identity else FEW_NODES  # a number beside each name takes room
        fits = self.run.scenario.nodes <= most and area.w * area.h > _FOR_BOTH * self.look.unit**2
        return not self.look.presenting or (fits and not has_its_own_picture)

    def _has_legend_row(self, area: Rect, body: Body | None) -> bool:
        """Whether the legend is at the bottom: where it is about no graph, or would take too much of the width."""
        if body is None and self.look.crop == "spacetime":
            return True
        if system_of(self.run.algorithm):
            return False  # a term explains itself
        if body is not None or (self.look.crop == "full" and self.look.presenting):
            return True
        if self.look.presenting and on_overlay(self.run) and area.w < _NARROW * area.h:
            return True
        return self.look.crop == "graph" and widest(self.cache, self.theme, self.options) > _WIDEST_CARD * area.w

    def _header(self, area: Rect) -> list[Shape]:
        unit, theme = self.look.unit, self.theme
        scenario, size = self.run.scenario, theme.sizes.title * unit
        name, more = (self.run.algorithm.title, scenario.title) if self.look.title is None else (self.look.title, "")
        x, y = area.x + 24 * unit, area.y + 40 * unit
        time = f"t = {round(self.t, 2):g}"
        end = area.x + area.w - 24 * unit
        room = end - x - fonts.width(time, 0.8 * size, "mono") - size
        name = fonts.shorten(name, room, size, weight="bold")
        after = fonts.width(name, size, weight="bold") + 0.6 * size
        less = fonts.shrink(more, room - after, 0.8 * size, 0.69 * size)
        is_said = room - after > min(9 * size, fonts.width(more, less))  # but not the first word or two of it
        more = fonts.shorten(more, room - after, less) if is_said else ""
        return [
            Text(x, y, name, size, theme.ink, "bold"),
            *([Text(x + after, y, more, less, theme.muted)] if more else []),
            Text(end, y, time, 0.8 * size, theme.ink, family="mono", anchor="end"),
        ]

    def _caption(self, area: Rect) -> list[Shape]:
        """The sentence about the step, in at most two lines."""
        usual = self.look.caption is None
        words = caption_of(self.timeline, self.t, self.cache) if usual else self.look.caption or ""
        sizes, width = [share * self.look.unit for share in (22, 21, 20)], area.w - 48 * self.look.unit
        size = next((size for size in sizes if len(fonts.wrap(words, width, size, weight="bold")) <= 2), sizes[-1])
        words = cut(words, lambda some: len(fonts.wrap(some, width, size, weight="bold")) <= 2)
        lines = fonts.lines(words, width, size, 2, weight="bold")
        top = area.y + area.h - 46 * self.look.unit
        return [
            Text(area.x + 24 * self.look.unit, top + 1.35 * size * i, line, size, self.theme.ink, "bold")
            for i, line in enumerate(lines)
        ]

    def _reopening(self, area: Rect) -> list[Shape]:
        scenario, size = self.run.scenario, 0.85 * self.theme.sizes.small * self.look.unit
        name = Path(scenario.algorithm).name
        line = f"{name}, {count_words(scenario.nodes, 'node')} · seed {scenario.seed} · step {self.run.steps} · time "
        line = reopening(self.look.origin, self.run, self.t) if self.look.origin else f"{line}{round(self.t, 3):g}"
        y = area.y + area.h - 10 * self.look.unit
        return [Text(area.x + 24 * self.look.unit, y, line, size, self.theme.muted)]

    def _legend_row(self, area: Rect, body: Body | None) -> tuple[Group, float]:
        """The legend in lines at the bottom of the area, and the height for all signs that the run can have."""
        unit, theme, options, width = self.look.unit, self.theme, self.options, area.w - 48 * self.look.unit
        if body is None and self.look.crop == "spacetime":
            lines = diagram_legend(self.cache, entries(self.cache, self.t, theme, options), width, theme, options)
            high = self.cache.get(_highest_legend, self.cache, width, theme.name, options)
        else:
            lines, high = lines_of((self.cache,), self.t, width, theme, options)
        height = max(64 * unit, max(high, all_bounds(lines.shapes).h) + 20 * unit)
        return lines._replace(x=area.x + 24 * unit, y=area.y + area.h - height / 2), height

    def _graph(self, area: Rect, *, has_legend: bool) -> list[Shape]:
        if system_of(self.run.algorithm):
            return terms.picture(self.cache, area, self.theme, self.options)
        gap = 16 * self.look.unit
        if self.look.largest > LARGEST:  # large text needs more room around the nodes, too
            area = Rect(area.x + gap, area.y + gap, area.w - 2 * gap, area.h - 2 * gap)
        wide = widest(self.cache, self.theme, self.options) if has_legend else 0.0
        beside = self._beside(area, wide + 2 * gap) if has_legend else area
        layout = self.cache.get(arrange, self.run, beside, "", self.look.largest)
        breaches = _breaches(self.timeline, self.cache)
        rings = breach_rings(breaches, layout, self.theme, self.options)
        shapes = graph(self.cache, self.t, layout, self.theme, self.options, rings, moving=self.look.moving)
        shapes += breach_crosses(breaches, layout, self.theme, self.options, shapes)
        if not has_legend:
            return shapes
        most = wide if self.look.presenting else math.inf  # unusual entries have two lines rather
        lines = legend(self.cache, self.t, self.theme, self.options, area.h - 2 * gap, most)
        return [*shapes, lines._replace(x=area.x + gap, y=area.y + gap)]

    def _beside(self, area: Rect, width: float) -> Rect:
        """The area for the graph, beside the legend where it would cover the graph."""
        scenario = self.run.scenario
        kind = scenario.topology or self.run.algorithm.topology
        has_rows = self.look.presenting and bool(self.run.algorithm.rows_of_chips())  # in the corners, too
        is_round = kind in _ROUND and scenario.edges is None and not has_rows
        free = (area.w - ring_width(area, scenario.nodes)) / 2 if is_round else 0.0
        return area if free >= width else _without(area, left=width)

    def _page(self) -> Span:
        if self.look.span is not None:
            return Span(*self.look.span)
        if not self.look.page:
            return page(self.run, self.t)
        return Span.around(self.t, self.look.page).within(max(self.run.scenario.until, self.t))

    def _space_time(self, area: Rect) -> list[Shape]:
        spells = self.cache.get(_TraceFolds, self.timeline).spells()
        inner = _without(area, left=12 * self.look.unit)
        options = replace(self.options, scale=self.look.unit * (_DIAGRAM if self.look.presenting else 1.0))
        return space_time(self.cache, spells, self._page(), self.t, inner, self.theme, options)

    def _rule(self, x: float, y: float, w: float = 0.0, h: float = 0.0) -> Line:
        """A line between graph and diagram, as wide or as high as said."""
        return Line(x, y, x + w, y + h, self.theme.rule, self.theme.sizes.rule * self.look.unit)


def _highest_legend(cache: RunCache, width: float, theme_name: str, options: Options) -> float:
    """The height of the legend of a diagram with all signs that the run can have."""
    theme = load(theme_name)
    return all_bounds(diagram_legend(cache, ordinary(cache, theme, options), width, theme, options).shapes).h


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
    length = _FLIGHTS * max(scenario.network.flight for scenario in scenarios)
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


def trimmed(pictures: Sequence[Picture], margin: float, *, keeps_width: bool = False) -> list[Picture]:
    """The pictures without the margin that is empty on all, cut alike; with `keeps_width` above and below only."""
    width, height = pictures[0].size
    box = all_bounds(shape for picture in pictures for shape in picture.shapes)
    left, right = max(box.x - margin, 0.0), min(box.x + box.w + margin, width)
    top, bottom = max(box.y - margin, 0.0), min(box.y + box.h + margin, height)
    if keeps_width:
        left, right = 0.0, width
    size = math.ceil(right - left), math.ceil(bottom - top)
    return [replace(picture, shapes=(Group(picture.shapes, x=-left, y=-top),), size=size) for picture in pictures]


def _renamed(shape: Shape) -> Shape:
    """The shape with ids that differ from those of the other run in the same file."""
    named = shape._replace(id=f"beside-{shape.id}") if shape.id else shape
    return named._replace(shapes=tuple(map(_renamed, named.shapes))) if isinstance(named, Group) else named
