"""Small pictures of scenarios at a telling moment, made one at a time so that no frame waits for many."""

from __future__ import annotations

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.carrier import system_of
from algorithms.engine.demand import at_load
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Poisson
from visual.shapes import Box, Group, Mark, Rect, Shape, Text
from visual.theme import load

STEPS = 2_000  # of the run, at most: the picture shows what has come of it by then
LEAST_TEXT = 0.085  # of a picture's height: smaller letters are left out, nobody can read them

Wanted = tuple[str, tuple[int, int], str]  # scenario, size in pixels, theme


class Thumbnails:
    """Keeps the pictures; those that are missing are made by `make_one`, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.made = 0
        self._kept: dict[Wanted, tuple[Shape, ...]] = {}
        self._missing: list[Wanted] = []

    @property
    def is_waiting(self) -> bool:
        """Whether a picture that was asked for is still missing."""
        return bool(self._missing)

    def of(self, scenario: str, box: Rect, theme: str) -> tuple[Shape, ...]:
        """The picture of a scenario in that box; its empty ground if it is not made yet."""
        wanted = (scenario, (round(box.w), round(box.h)), theme)
        shapes = self._kept.get(wanted)
        if shapes is None:
            if wanted not in self._missing:
                self._missing.append(wanted)
            return (Box(*box, load(theme).paper),)
        return (Group(shapes, box.x, box.y, Rect(0, 0, box.w, box.h), key=("thumbnail", *wanted)),)

    def make_one(self) -> None:
        """Make the picture that has been missing for longest."""
        if self._missing:
            wanted = self._missing.pop(0)
            self._kept[wanted] = _picture(*wanted)
            self.made += 1


def _picture(name: str, size: tuple[int, int], theme: str) -> tuple[Shape, ...]:
    """The graph of the run; only its ground where the scenario makes no sense."""
    from visual.scene.picture import Still, still, telling_time  # the first frame does without

    ground = Box(0, 0, *size, load(theme).paper)
    look = Still(size, theme, "graph", legend=False, caption=False, reopen=False)
    try:
        scenario = scenario_of(name)
        timeline = catalog.timeline(scenario)
        moment = telling_time(scenario)
        timeline.seek_time(moment, STEPS)
    except BadInput:
        return (ground,)
    moment = min(moment, timeline.simulation.next_time() or moment)
    return (ground, *_legible(still(timeline, moment, look).shapes, LEAST_TEXT * size[1]))


def scenario_of(name: str) -> Scenario:
    """The scenario of a name or file, or a usual run of an algorithm. BadInput if there is none."""
    if not catalog.is_known(name) or name in scenario_file.names():
        return scenario_file.load(scenario_file.find(name))
    algorithm = catalog.find(name)
    if system_of(algorithm):  # its rules say who has something to send
        return Scenario(name)
    if algorithm.paced_by:
        return at_load(Scenario(name), catalog.simulation(Scenario(name)), 0.5)
    return Scenario(name, load=Poisson(rate=0.1))


def _legible(shapes: tuple[Shape, ...], least: float) -> tuple[Shape, ...]:
    """The shapes without letters that are too small, nor the boxes they are in; messages by their glyph alone."""
    too_small = [shape for shape in shapes if isinstance(shape, Text) and shape.size < least]
    kept: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            kept.append(shape._replace(shapes=_legible(shape.shapes, least), key=None))
        elif isinstance(shape, Mark):
            kept.append(shape._replace(label="", size=least, form="dot", toward=None))
        elif isinstance(shape, Box) and any(_is_in(text, shape) for text in too_small):
            continue
        elif shape not in too_small:
            kept.append(shape)
    return tuple(kept)


def _is_in(text: Text, box: Box) -> bool:
    return box.x <= text.x <= box.x + box.w and box.y <= text.y <= box.y + box.h
