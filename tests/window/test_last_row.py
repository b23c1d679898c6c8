"""Every shipped scenario as the last row of a lecture hall sees it: nothing cut, nothing covered, nothing tiny."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from lessons.reading import curriculum
from lessons.reading.reading import load as load_lesson
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.legibility import Drawn, Fault, drawn, faults, texts_of
from tests.support.shapes import Rect
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import Circle, Group, Text
from visual.drawing.theme import load
from visual.narration.node_facts import all_facts
from visual.scene.graph.run_graph import graph
from visual.window import arrangement
from visual.window.graph.graphs import LayoutCache, View, layout_of, options_of
from visual.window.screen import Screen
from visual.window.state import Interface

SIZES = [(1280, 720), (1920, 1080)]
FORMATS = [*SIZES, (1024, 768)]
FEW = 16  # … and so many have large names in their circles
LIGHT = load("light")
NAMES = scenario_file.names()


class Look(NamedTuple):
    """What is seen of a graph at one moment."""

    texts: int = 0
    crowding: int = 0  # texts that a message hides a little
    wrong: tuple[Fault, ...] = ()  # all other faults
    small: frozenset[tuple[str, float]] = frozenset()  # texts below 2.95 % of the height, with their share
    names: tuple[float, ...] = ()  # of the nodes, as shares of the height
    ring: float = math.inf  # the thinnest stroke of a node


class Legend(NamedTuple):
    """What is seen of a legend at one moment."""

    smallest: float  # text
    height: float  # of the window
    places: dict[str, tuple[float, float]]  # of each line of words
    box: Rect

    @property
    def share(self) -> float:
        """The smallest text, as a share of the height."""
        return self.smallest / self.height


class Show:
    """A scenario that is shown in windows of several sizes, from moment to moment."""

    def __init__(self, scenario: Scenario) -> None:
        self.desk = desk_of(scenario)
        self.scenario = scenario
        self.algorithm = self.desk.front.simulation.algorithm
        self.has_graph = system_of(self.algorithm) is None
        self._layouts: dict[object, LayoutCache] = defaultdict(LayoutCache)  # one for each kind of window
        self._screen = Screen(self.desk)

    def moments(self) -> Iterator[float]:
        """The markers, and two times that nobody has chosen. The run is at each in turn."""
        until = self.scenario.until
        for time in [marker.at for marker in self.scenario.markers] + [0.37 * until, 0.71 * until]:
            self.desk.front.seek_time(time)
            yield time

    def look(self, interface: Interface) -> Look:
        """What is seen of the graph."""
        region = arrangement.panes(interface, False)[0].graph
        view = View(interface, self.desk, self.desk.front, arrangement.look_of(interface), region)
        layout, time = layout_of(view, self._layouts[interface.display]), interface.playback.time
        everything = list(drawn(graph(self.desk.front.cache, time, layout, LIGHT, options_of(view)), LIGHT))
        found, height = set(faults(everything, region)), interface.display.height
        crowding = {fault for fault in found if fault.is_crowding() and fault.kind != "leaves"}
        texts = [(one, one.shape.size / height) for one in texts_of(everything) if isinstance(one.shape, Text)]
        rings = [one.shape for one in everything if isinstance(one.shape, Circle) and one.shape.stroke]
        return Look(
            texts=len(texts),
            crowding=len(crowding),
            wrong=tuple(found - crowding),
            small=frozenset((one.shape.text, share) for one, share in texts if share < 0.0295),
            names=tuple(dict(sorted((one.owner, share) for one, share in texts if _is_name(one))).values()),
            ring=min((ring.width for ring in rings if ring.r > 0.03 * height), default=0.0),
        )

    def legend(self, interface: Interface) -> Legend:
        """What is seen of the legend, the letters in its signs included."""
        (card,) = self._screen.panel(interface, "legend").shapes
        assert isinstance(card, Group)
        everything = list(drawn([card], LIGHT))
        assert not list(faults(everything, arrangement.panes(interface, False)[0].graph))
        texts = [shape for shape in card.shapes if isinstance(shape, Text)]
        return Legend(
            smallest=min(shape.size for one in texts_of(everything) if isinstance(shape := one.shape, Text)),
            height=interface.display.height,
            places={shape.text: (round(shape.x, 2), round(shape.y, 2)) for shape in reversed(texts)},
            box=all_bounds([card]),
        )


def _is_name(one: Drawn) -> bool:
    number = one.owner.removeprefix("node:")
    assert isinstance(one.shape, Text)
    return one.shape.family == "sans" and one.shape.text in (number, f"P{number}")


Size = tuple[int, int]


class Seen(NamedTuple):
    """All looks at the shipped scenarios in windows of a size, and at their legends, by name."""

    looks: dict[str, list[Look]]
    legends: dict[str, list[Legend]]
    first: dict[str, Legend]  # before the first step, for each scenario at one of the sizes


@cache
def seen() -> dict[tuple[Size, bool], Seen]:
    """What is seen of every shipped scenario, presented and otherwise, at one moment in one size and at the next in
    the other: both have the same format.
    """
    every: dict[tuple[Size, bool], Seen] = defaultdict(lambda: Seen(defaultdict(list), defaultdict(list), {}))
    for place, name in enumerate(NAMES):
        show, size = Show(scenario_file.load(scenario_file.find(name))), FORMATS[place % 3]
        if show.has_graph:
            every[size, True].first[name] = show.legend(interface_of(*size, presenting=True))
        for number, time in enumerate(show.moments() if show.has_graph else ()):
            wide, other = SIZES[number % 2], SIZES[(place + number) % 2]
            for size, presenting in ((wide, True), (FORMATS[-1], True), (other, False)):
                found = every[size, presenting]
                interface = interface_of(*size, time=time, presenting=presenting)
                if size in SIZES:
                    found.looks[name].append(show.look(interface))
                found.legends[name].append(show.legend(interface))
    return every


@pytest.mark.parametrize("presenting", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_no_text_of_a_graph_is_cut_or_covered(size: Size, presenting: bool) -> None:
    found = [(name, look) for name, looks in seen()[size, presenting].looks.items() for look in looks]
    assert [(name, look.wrong) for name, look in found if look.wrong] == []
    texts = sum(look.texts for _, look in found)
    crowding = sum(look.crowding for _, look in found)
    assert crowding <= 0.01 * texts, "a message that passes may hide a little, where there are many"
    assert texts > 1500


def test_names_words_and_strokes_are_for_the_last_row() -> None:
    every = [seen()[size, True].looks for size in SIZES]
    for name in NAMES:
        scenario = scenario_file.load(scenario_file.find(name))
        is_few, count = scenario.nodes <= FEW, scenario.nodes
        are_named = catalog.find(scenario.algorithm).identity or scenario.names
        for look in (look for looks in every for look in looks[name]):
            assert not look.small, name
            assert not is_few or min(look.names, default=1.0) >= 0.0439, name
            assert not is_few or len(look.names) == count or are_named, name
            assert not is_few or look.ring >= 2.9, name
    assert all(sum(map(bool, looks.values())) > 50 for looks in every)


@pytest.mark.parametrize("size", FORMATS)
def test_every_word_of_a_legend_is_for_the_last_row(size: Size) -> None:
    every = seen()[size, True].legends
    assert len(every) > 50
    assert {name for name, legends in every.items() for legend in legends if legend.share < 0.0295} == set()


@pytest.mark.parametrize("size", SIZES)
def test_words_of_a_legend_are_broken_into_lines_rather_than_made_small(size: Size) -> None:
    every = seen()[size, False].legends
    assert len(every) > 40
    assert {name for name, legends in every.items() for legend in legends if legend.share < 15.5 / 1080} == set()


def test_what_a_legend_explains_before_the_first_step_stays_where_it_is() -> None:
    """Nothing unusual has happened then, but that some may be absent; each scenario at one of the sizes."""
    every = [seen()[size, True] for size in FORMATS]
    firsts = [(name, first, one.legends[name]) for one in every for name, first in one.first.items()]
    assert len(firsts) > 50
    for name, first, others in firsts:
        assert len(first.places) >= 3, name
        assert others, name
        for later in (other.places for other in others):
            moved = {words for words in first.places.keys() & later.keys() if first.places[words] != later[words]}
            assert moved <= {"absent"}, name
            assert len(first.places.keys() - later.keys()) <= 1, name  # a token held


def test_a_lessons_graph_can_be_read_in_a_lecture_and_its_legend_leaves_out_rather_than_shrinks() -> None:
    """Each scenario of a lesson at one of the sizes, its legend at all."""
    texts, crowding = dict.fromkeys(FORMATS, 0), dict.fromkeys(FORMATS, 0)
    for place, scenario in enumerate(_of_lessons()):
        show, where = Show(scenario), (scenario.algorithm, scenario.nodes)
        for time in show.moments() if show.has_graph else ():
            for size in FORMATS:
                interface = interface_of(*size, time=time, presenting=True, lesson_share=0.5)
                assert show.legend(interface).share >= 0.0295, where
                if size == FORMATS[place % 3]:
                    look = show.look(interface)
                    assert not look.wrong, where
                    assert not look.small, where
                    texts[size] += look.texts
                    crowding[size] += look.crowding
    for size in FORMATS:
        assert crowding[size] <= 0.02 * texts[size], "the picture has two fifths of the height only"
        assert texts[size] > 600


def _of_lessons() -> Iterator[Scenario]:
    """The scenarios of all lessons."""
    for name in curriculum.names_of_files():
        yield from load_lesson(curriculum.find(name)).scenarios.values()


@pytest.mark.parametrize("size", FORMATS)
def test_a_sign_of_suspicion_covers_no_word_of_a_state(size: Size) -> None:
    """In a graph that is low, where words are wider than their circles."""
    show = Show(scenario_file.load(scenario_file.find("signs-of-life")))
    suspected = False
    for time in show.moments():
        stage = frozenset({"lights", "counters"})
        assert not show.look(interface_of(*size, time=time, presenting=True, stage=stage)).wrong, time
        suspected |= any(fact.suspects for fact in all_facts(show.desk.front.cache))
    assert suspected
