"""Whether a run and all that was worked out of it go when nobody shows it any more."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import pytest

from algorithms import catalog
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed
from tests.support.collection import is_collected, pass_over_old_objects
from visual.analysis.ledger import Ledger
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.shapes import Rect, Shape
from visual.drawing.theme import load
from visual.narration.inspection import inspect_node
from visual.narration.local_knowledge import local_knowledge
from visual.scene import term_picture as terms
from visual.scene.graph.layout import arrange
from visual.scene.graph.legend import legend
from visual.scene.graph.links import edges, frames
from visual.scene.graph.run_graph import graph
from visual.scene.options import Options
from visual.scene.space_time.diagram import space_time
from visual.scene.space_time.frame import Plan, Span
from visual.scene.space_time.process_selection import select_processes
from visual.scene.still import CROPS, Still, still

AREA, LIGHT = Rect(0, 0, 1000, 600), load("light")
SELECTED = ("", "node:1", "event:12")


def draw_graph(ledger: Ledger) -> list[Shape]:
    run, cache, found = ledger.timeline.simulation, ledger.cache, []
    layout = arrange(run, AREA)
    for selected in SELECTED:
        options = Options(selected=selected)
        shapes = graph(cache, run.now, layout, LIGHT, options, edges(cache, layout, LIGHT, options))
        found += [*shapes, *frames(cache, layout, LIGHT, options, shapes), legend(cache, run.now, LIGHT, options)]
    local_knowledge(ledger, 1)
    inspect_node(ledger, 1)
    return found


def draw_terms(ledger: Ledger) -> list[Shape]:
    inspect_node(ledger, 1)
    return [shape for place in (None, 0) for shape in terms.picture(ledger.cache, AREA, LIGHT, Options(), place)]


def draw_space_time(ledger: Ledger) -> list[Shape]:
    run, cache, span, found = ledger.timeline.simulation, ledger.cache, Span(0, 20), []
    for selected in SELECTED:
        for logical_times in (None, ledger.logical_times):
            plan = Plan(logical_times, select_processes(cache, span, selected, 4, Plan(logical_times)))
            found += space_time(cache, ledger.spells, span, run.now, AREA, LIGHT, Options(selected=selected), plan)
    return found


def draw_stills(ledger: Ledger) -> list[Shape]:
    timeline, looks = ledger.timeline, [Still(crop=crop) for crop in CROPS]
    pictures = [still(timeline, look=look, cache=cache) for look in looks for cache in (None, ledger.cache)]
    return [shape for picture in pictures for shape in picture.shapes]


def opened(name: str, nodes: int) -> Timeline:
    system = system_of(catalog.find(name))
    timeline = catalog.timeline(Scenario(name, nodes=nodes, **({} if system else {"load": Closed(think=4.0)})))
    timeline.seek(60)
    timeline.seek(40)
    return timeline


@pytest.mark.parametrize(
    ("draw", "name", "nodes"),
    [
        (draw_graph, "ricart-agrawala", 5),
        (draw_graph, "binary-search-token", 60),
        (draw_graph, "end-to-end", 12),
        (draw_terms, "system-search", 3),
        (draw_space_time, "ricart-agrawala", 5),
        (draw_space_time, "end-to-end", 40),
        (draw_space_time, "system-search", 3),
        (draw_stills, "bully", 5),
        (draw_stills, "system-token", 3),
    ],
)
def test_no_picture_keeps_a_run_alive(draw: Callable[[Ledger], list[Shape]], name: str, nodes: int) -> None:
    pass_over_old_objects()
    timeline = opened(name, nodes)
    run, ledger = weakref.ref(timeline.simulation), Ledger(timeline)
    assert draw(ledger)
    del timeline, ledger
    assert is_collected(run)


def test_the_latest_results_are_worked_out_once() -> None:
    cache = RunCache(opened("ricart-agrawala", 3).simulation)
    calls = []

    def count(moment: Moment, number: int) -> int:
        calls.append(number)
        return number

    assert [cache.get(count, Moment(cache.run), number) for number in (1, 2, 1, 2)] == [1, 2, 1, 2]
    assert calls == [1, 2]
    for number in range(10):
        cache.get(count, Moment(cache.run), number)
    assert cache.get(count, Moment(cache.run), 1) == 1
    assert calls.count(1) == 2, "an old result makes room for new ones"
