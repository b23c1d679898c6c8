"""Small pictures of scenarios at an instructive moment, made in slices so that no frame waits for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from algorithms import catalog, scenario_file
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.observe.offered_load import at_load
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Poisson
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Box, Colour, Group, Line, Mark, Rect, Shape, Text
from visual.drawing.theme import load, over
from visual.scene.options import Options
from visual.window.gallery.cards import SECTIONS, is_loaded, load_cards

STEPS = 2_000  # of the run, at most
SLICE = 100  # of these steps, between two looks at the clock
DESIGN = (1600, 900)  # pixels: the size of a picture whose text has the theme's sizes
LEAST_TEXT = 0.085  # of a picture's height: smaller letters are left out, since nobody can read them

PictureKey = tuple[str, tuple[int, int], str]  # scenario, size in pixels, theme


class Thumbnails:
    """The cached pictures; `go_on` makes the missing ones, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.made = 0
        self._pictures: dict[PictureKey, tuple[Shape, ...]] = {}
        self._missing: list[PictureKey] = []
        self._making: Iterator[tuple[Shape, ...]] | None = None  # of the first that is missing

    @property
    def is_waiting(self) -> bool:
        """Whether a picture that was asked for is still missing."""
        return bool(self._missing)

    def of(self, scenario: str, box: Rect, theme: str) -> tuple[Shape, ...]:
        """The picture of a scenario in that box; an empty ground until it has been made."""
        picture_key = (scenario, (round(box.w), round(box.h)), theme)
        shapes = self._pictures.get(picture_key)
        if shapes is None:
            if picture_key not in self._missing:
                self._missing.append(picture_key)
            return (Box(*box, load(theme).paper),)
        return (Group(shapes, box.x, box.y, Rect(0, 0, box.w, box.h), key=("thumbnail", *picture_key)),)

    def go_on(self, seconds: float) -> None:
        """Work for about that many seconds, for at least a slice and at most to the end of a picture."""
        stop = wall_clock() + seconds
        while self._missing:
            self._making = self._making or _picture(*self._missing[0])
            shapes = next(self._making)
            if shapes:
                self._pictures[self._missing.pop(0)] = shapes
                self._making = None
                self.made += 1
            if shapes or wall_clock() >= stop:
                return


def _picture(name: str, size: tuple[int, int], theme: str) -> Iterator[tuple[Shape, ...]]:
    """The graph of the run, after empty tuples while it is made; an empty ground if the scenario is bad input."""
    from visual.scene.still import default_time  # the gallery's first frame does without

    paper = load(theme).paper
    ground = Box(0, 0, *size, paper)
    yield ()
    try:
        scenario = scenario_of(name)
        yield ()
        timeline = catalog.timeline(scenario)
        moment = default_time(scenario)
        while timeline.step < STEPS:
            yield ()
            before = timeline.step
            with suppress(BadInput), guard_timeline(timeline):  # if it fails, the picture is of the moment before
                timeline.seek_time(moment, SLICE)
            if timeline.step == before:
                break
    except BadInput:
        yield (ground,)
        return
    yield ()
    for shapes in _graph(timeline.simulation, moment, Rect(0, 0, *size), theme):
        yield (ground, *_legible(shapes, LEAST_TEXT * size[1], paper)) if shapes else ()


def _graph(run: Simulation, moment: float, box: Rect, theme_name: str) -> Iterator[Sequence[Shape]]:
    """The graph in that box, after empty tuples while it is made."""
    from visual.scene import term_picture as terms  # the gallery's first frame does without the scene
    from visual.scene.graph.layout import arrange
    from visual.scene.graph.run_graph import graph

    theme, cache = load(theme_name), RunCache(run)
    options = Options(min(box.w / DESIGN[0], box.h / DESIGN[1]), ahead=False)
    if system_of(run.algorithm):
        yield terms.picture(cache, box, theme, options)
        return
    layout = arrange(run, box)
    yield ()
    yield graph(cache, min(moment, run.next_time() or moment), layout, theme, options)


def scenario_of(name: str) -> Scenario:
    """The scenario of a name or file, or one of an algorithm under a moderate load. BadInput if there is none.

    "lesson:NAME" is the scenario of a lesson's first step.
    """
    if name.startswith("lesson:"):
        from lessons.reading.reading import find  # only the gallery's lessons need it

        lesson = find(name.removeprefix("lesson:"))
        return lesson.scenarios[lesson.steps[0].task.scenario]
    if not catalog.is_known(name) or name in scenario_file.names():
        return scenario_file.load(scenario_file.find(name))
    algorithm = catalog.find(name)
    if system_of(algorithm):  # its rules decide which nodes have something to send
        return Scenario(name)
    if algorithm.paced_by:
        return at_load(Scenario(name), catalog.simulation(Scenario(name)), 0.5)
    return Scenario(name, load=Poisson(rate=0.1))


def _legible(shapes: Sequence[Shape], least: float, paper: Colour) -> tuple[Shape, ...]:
    """The shapes without text that is too small to read and the boxes around it; messages become dots.

    Translucent lines become opaque pale ones, since each translucent line would need a layer of its own.
    """
    too_small = [shape for shape in shapes if isinstance(shape, Text) and shape.size < least]
    legible: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            legible.append(shape._replace(shapes=_legible(shape.shapes, least, paper), key=None))
        elif isinstance(shape, Mark):
            legible.append(shape._replace(label="", size=least, form="dot", toward=None))
        elif isinstance(shape, Line):
            legible.append(shape._replace(stroke=over(shape.stroke, paper)))
        elif isinstance(shape, Box) and any(_is_in(text, shape) for text in too_small):
            continue
        elif shape not in too_small:
            legible.append(shape)
    return tuple(legible)


def _is_in(text: Text, box: Box) -> bool:
    return box.x <= text.x <= box.x + box.w and box.y <= text.y <= box.y + box.h


WORK = 0.012  # seconds in a frame


class GalleryWork:
    """The gallery's work in the background: it loads the open section's cards, then makes their pictures."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        self._thumbnails = thumbnails
        self._loading: tuple[str, Iterator[None]] | None = None  # the cards of that section

    @property
    def is_waiting(self) -> bool:
        """Whether there is more to do, which a later frame will show."""
        return self._loading is not None or self._thumbnails.is_waiting

    def go_on(self, section: str) -> None:
        """Work on that section for a part of a frame; "" while the gallery is closed."""
        if section and is_loaded(section) and not self._thumbnails.is_waiting:
            section = next((other for other in SECTIONS if not is_loaded(other)), section)  # for a search
        if not section or is_loaded(section):
            self._loading = None
            self._thumbnails.go_on(WORK)
            return
        if self._loading is None or self._loading[0] != section:
            self._loading = (section, load_cards(section))
        stop = wall_clock() + WORK
        for _ in self._loading[1]:
            if wall_clock() >= stop:
                break
