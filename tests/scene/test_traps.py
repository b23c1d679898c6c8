"""What a search leaves on a large ring: traps with their owners, and the way it took."""

from __future__ import annotations

from itertools import pairwise, permutations

from algorithms import catalog, scenario_file
from algorithms.engine.timeline import Timeline
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Polyline, Rect, Text
from visual.drawing.theme import load
from visual.scene.graph.layout import Layout, arrange
from visual.scene.graph.legend import entries
from visual.scene.graph.trails import searches, traps
from visual.scene.options import Options

SCALE = 0.72  # of a window of 1280x720
GRAPH = Rect(0, 60, 713, 373)  # where its graph is


def sixty_four(time: float) -> tuple[Timeline, Layout]:
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("binary-search-64")))
    timeline.seek_time(time)
    return timeline, arrange(timeline.simulation, GRAPH)


def test_every_trap_has_the_number_of_its_owner_inside_the_ring_and_can_be_read() -> None:
    timeline, layout = sixty_four(16.5)
    shapes = traps(Moment(timeline.simulation), layout, load("light"), Options(scale=SCALE))
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    owed = [node for process in timeline.simulation.processes for node in dict.fromkeys(process.traps_for)]
    assert sorted(text.text for text in texts) == sorted(map(str, owed))
    assert all(text.size >= 9 for text in texts)
    (x, y), reach = layout.middle, max(abs(x - layout.middle[0]) for x, _ in layout.places)
    assert all((text.x - x) ** 2 + (text.y - y) ** 2 < reach**2 for text in texts)


def test_traps_of_those_who_wait_still_are_boxed() -> None:
    timeline, layout = sixty_four(25.0)
    run = timeline.simulation
    waiting = {process.id for process in run.processes if process.wants}
    shapes = traps(Moment(run), layout, load("light"), Options(scale=SCALE))
    live = [node for process in run.processes for node in dict.fromkeys(process.traps_for) if node in waiting]
    assert waiting == {27}
    assert sum(isinstance(shape, Box) for shape in shapes) == len(live) > 3


def test_no_box_of_a_trap_covers_the_number_of_another() -> None:
    timeline, layout = sixty_four(19.0)
    shapes = traps(Moment(timeline.simulation), layout, load("light"), Options(scale=SCALE))
    boxed = [(box, text) for box, text in pairwise(shapes) if isinstance(box, Box) and isinstance(text, Text)]
    assert len(boxed) > 10
    for (box, _), (_, number) in permutations(boxed, 2):
        covered = overlap(bounds(box), bounds(number))
        assert min(covered.w, covered.h) <= 2


def test_the_way_of_a_search_halves_what_is_left_from_hop_to_hop() -> None:
    timeline, layout = sixty_four(18.5)
    shapes = searches(Moment(timeline.simulation), layout, load("light"), Options(scale=SCALE))
    lines = {shape.points[0]: shape.points for shape in shapes if isinstance(shape, Polyline)}
    way = [layout.places.index(point) for point in lines[layout.places[61]]]
    hops = [min((b - a) % 64, (a - b) % 64) for a, b in pairwise(way)]
    assert hops == [32, 16, 8, 4, 2][: len(hops)]
    assert len(hops) >= 4


def test_nothing_of_the_kind_without_searches_and_on_small_rings_chips_do() -> None:
    ring = catalog.timeline(scenario_file.load(scenario_file.find("busy-ring")))
    ring.seek(30)
    small = catalog.timeline(scenario_file.load(scenario_file.find("binary-search")))
    small.seek_time(19.0)
    for timeline in (ring, small):
        layout = arrange(timeline.simulation, GRAPH)
        assert not traps(Moment(timeline.simulation), layout, load("light"), Options(scale=SCALE))
    assert searches(Moment(small.simulation), arrange(small.simulation, GRAPH), load("light"), Options(scale=SCALE))


def test_the_legend_explains_the_traps_that_are_there() -> None:
    for time in (16.5, 25.0):
        timeline, layout = sixty_four(time)
        shapes = traps(Moment(timeline.simulation), layout, load("light"), Options(scale=SCALE))
        numbers = {shape.weight for shape in shapes if isinstance(shape, Text)}
        told = {
            entry.which for entry in entries(RunCache(timeline.simulation), time, load("light")) if entry.sign == "trap"
        }
        assert told == {{"bold": "live", "normal": "stale"}[weight] for weight in numbers}
