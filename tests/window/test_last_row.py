"""Every shipped scenario as the last row of a lecture hall sees it: nothing cut, nothing covered, nothing tiny."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from algorithms import scenario_file
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from lessons.reading import curriculum
from lessons.reading.reading import load as load_lesson
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.legibility import Drawn, Fault, drawn, faults, texts_of
from visual.drawing.shapes import Circle, Group, Rect, Text
from visual.drawing.theme import load
from visual.scene.graph.run_graph import graph
from visual.window import arrangement
from visual.window.desk import Desk
from visual.window.graph.graphs import LayoutCache, View, layout_of, options_of
from visual.window.screen import Screen

SIZES = [(1280, 720), (1920, 1080)]
MANY = 16  # nodes: in a picture of more, names and words cannot all be large
FEW = 10  # … and so many leave room for large words, badges and chips
LIGHT = load("light")
NAMES = scenario_file.names()


def scenarios() -> Iterator[Scenario]:
    """The scenarios of all lessons."""
    for name in curriculum.names_of_files():
        yield from load_lesson(curriculum.find(name)).scenarios.values()


def moments(desk: Desk) -> Iterator[float]:
    """The markers, and two times that nobody has chosen."""
    until = desk.front.scenario.until
    yield from [marker.at for marker in desk.front.scenario.markers] + [0.37 * until, 0.71 * until]


def shipped(name: str) -> Scenario:
    """The scenario of that name."""
    return scenario_file.load(scenario_file.find(name))


def pictures(scenario: Scenario, size: tuple[int, int], **fields: Any) -> Iterator[tuple[list[Drawn], Rect, Desk]]:
    """The graph at each of the moments, its region, and the desk; `fields` are those of the interface."""
    desk = desk_of(scenario)
    if system_of(desk.front.simulation.algorithm) or desk.front.scenario.nodes > MANY:
        return
    layouts = LayoutCache()
    for time in moments(desk):
        desk.front.seek_time(time)
        interface = interface_of(*size, time=time, **fields)
        region = arrangement.panes(interface, False)[0].graph
        view = View(interface, desk, desk.front, arrangement.look_of(interface), region)
        shapes = graph(desk.front.cache, time, layout_of(view, layouts), LIGHT, options_of(view))
        yield list(drawn(shapes, LIGHT)), region, desk


def looked_at(
    shown: Iterable[Scenario], size: tuple[int, int], **display: Any
) -> tuple[int, int, list[tuple[Scenario, Fault]]]:
    """The number of texts in the pictures of scenarios, of those hidden a little by messages, and all other faults."""
    texts, crowding, wrong = 0, 0, list[tuple[Scenario, Fault]]()
    for scenario in shown:
        for everything, region, _ in pictures(scenario, size, **display):
            found = set(faults(everything, region))
            texts += len(texts_of(everything))
            crowding += sum(fault.is_crowding() and fault.kind != "leaves" for fault in found)
            wrong += [(scenario, fault) for fault in found if fault.kind == "leaves" or not fault.is_crowding()]
    return texts, crowding, wrong


@pytest.mark.parametrize("presenting", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_no_text_of_a_graph_is_cut_or_covered(size: tuple[int, int], presenting: bool) -> None:
    names = NAMES[SIZES.index(size) if not presenting else 0 :: 1 if presenting else 2]
    texts, crowding, wrong = looked_at(map(shipped, names), size, presenting=presenting)
    assert not wrong
    assert crowding <= 0.01 * texts, "a message that passes may hide a little, where there are many"
    assert texts > 1500


@pytest.mark.parametrize("size", SIZES)
def test_no_text_of_a_lessons_graph_is_cut_or_covered_in_a_lecture(size: tuple[int, int]) -> None:
    lectures = list(scenarios())[SIZES.index(size) :: 2]
    texts, crowding, wrong = looked_at(lectures, size, presenting=True, lesson_share=0.5)
    assert not wrong
    assert crowding <= 0.02 * texts, "the picture has two fifths of the height only"
    assert texts > 1000


@pytest.mark.parametrize("size", SIZES)
def test_names_words_and_strokes_are_for_the_last_row(size: tuple[int, int]) -> None:
    for name in NAMES:
        for everything, _, desk in pictures(shipped(name), size, presenting=True):
            count = desk.front.scenario.nodes
            texts = [(one, one.shape.size / size[1]) for one in texts_of(everything) if isinstance(one.shape, Text)]
            if count <= FEW:
                small = {(one.shape.text, share) for one, share in texts if share < 0.0285}
                assert not small, name
            named = dict(sorted((one.owner, share) for one, share in texts if _is_name(one)))
            assert min(named.values(), default=1.0) >= 0.0439, name
            assert len(named) == count or desk.front.simulation.algorithm.identity or desk.front.scenario.names, name
            rings = [one.shape for one in everything if isinstance(one.shape, Circle) and one.shape.stroke]
            assert min(ring.width for ring in rings if ring.r > 0.03 * size[1]) >= 2.9, name


def _is_name(one: Drawn) -> bool:
    number = one.owner.removeprefix("node:")
    assert isinstance(one.shape, Text)
    return one.shape.family == "sans" and one.shape.text in (number, f"P{number}")


def legends(scenario: Scenario, **fields: Any) -> Iterator[float]:
    """The smallest text of the legend at each of the moments, as a share of the height."""
    desk = desk_of(scenario)
    screen = Screen(desk)
    for time in moments(desk) if not system_of(desk.front.simulation.algorithm) else ():
        desk.front.seek_time(time)
        interface = interface_of(time=time, presenting=True, **fields)
        (card,) = screen.panel(interface, "legend").shapes
        assert isinstance(card, Group)
        words = [shape.size for shape in card.shapes if isinstance(shape, Text)]
        yield min(words) / interface.display.height


@pytest.mark.parametrize("size", SIZES)
def test_every_word_of_a_legend_is_for_the_last_row(size: tuple[int, int]) -> None:
    width, height = size
    for name in NAMES:
        least = 0.025 if name == "p2p-crowd" else 0.0295  # seven resources, each with signs of its own
        assert min(legends(shipped(name), width=width, height=height), default=1.0) >= least, name


@pytest.mark.parametrize("size", SIZES)
def test_a_lectures_legend_leaves_out_rather_than_shrinks(size: tuple[int, int]) -> None:
    width, height = size
    for scenario in scenarios():
        least = min(legends(scenario, width=width, height=height, lesson_share=0.5), default=1.0)
        is_overlay = scenario.algorithm in ("sigma", "end-to-end", "non-end-to-end")  # whose signs are all in use
        assert least >= (0.019 if is_overlay else 0.025), (scenario.algorithm, scenario.nodes)
