"""Whole pictures: every algorithm at every size without clipped text, the same bytes every time, and in words."""

from __future__ import annotations

from itertools import combinations

import pytest

from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Request, Script
from tests.support.shapes import clipped, ids, placed
from visual.analysis.run_cache import RunCache
from visual.drawing.export import encode
from visual.drawing.picking import bounds, meet
from visual.drawing.shapes import Box, Circle, Group, Mark, Shape, Text
from visual.drawing.theme import load
from visual.narration.alt_text import alt_text
from visual.scene.still import CROPS, Still, still

NAMES = [algorithm.name for family in catalog.by_family().values() for algorithm in family]
SIZES = [(1024, 768), (1920, 1080), (3840, 2160), (960, 540), (600, 900)]


def timeline_of(name: str, nodes: int = 5, events: tuple[Event, ...] = (), **more: object) -> Timeline:
    network = Network(delay=Uniform(0.8, 1.2))
    chosen = {"load": Closed(think=4.0), "network": network, "seed": 5, "title": "a title that is not short", **more}
    return catalog.timeline(Scenario(name, nodes=nodes, events=events, **chosen))  # type: ignore[arg-type]


def written(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape, _ in placed(shapes) if isinstance(shape, Text)]


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_clipped_in_any_picture_of_any_algorithm(name: str) -> None:
    for nodes in (2, 5, 12):
        timeline = timeline_of(name, nodes, (Event(9, "crash", node=nodes - 1), Event(12, "cut", node=0, to=1)))
        sizes, cache = (SIZES + SIZES)[nodes % 5 :], RunCache(timeline.simulation)
        for step, size in zip((0, 7, 30, 45, 45), sizes, strict=False):  # the launch alone looks like the start
            timeline.seek(step)
            assert not clipped(still(timeline, look=Still(size=size), cache=cache).shapes, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_parts_of_a_picture_do_not_cover_each_other(size: tuple[int, int]) -> None:
    for name, topology, nodes in (
        ("ricart-agrawala", None, 5),
        ("wandering-token-report", "grid", 30),
        ("centralized", None, 20),
    ):
        timeline = timeline_of(name, nodes, topology=topology)
        timeline.seek(40)
        picture = still(timeline, look=Still(size=size))
        groups = {s.id: s for s in picture.shapes if isinstance(s, Group)}
        legend = bounds(groups["legend"])
        circles = [
            b for g in groups.values() if g.id.startswith("node:") for s, b in placed((g,)) if isinstance(s, Circle)
        ]
        assert len(circles) >= nodes
        for box in circles:
            assert not meet(legend, box)
        words = [
            box for shape, box in placed(picture.shapes) if isinstance(shape, Text) and shape.size > 15 * size[1] / 900
        ]
        titles = [box for box in words if box.y < 50 * size[1] / 900]
        for one, other in combinations(titles, 2):
            assert not meet(one, other)


def test_the_same_scenario_gives_the_same_bytes() -> None:
    one, other = (timeline_of("ricart-agrawala") for _ in range(2))
    one.seek(33)
    other.seek(50)
    other.seek(33)
    for crop in CROPS:
        look = Still(size=(640, 360), crop=crop)
        assert encode(still(one, look=look), "svg") == encode(still(other, look=look), "svg")
    assert encode(still(one), "png") == encode(still(other), "png")


def test_a_series_keeps_everything_in_its_place() -> None:
    timeline = timeline_of("ricart-agrawala")
    places = set()
    for step in range(0, 60, 7):
        timeline.seek(step)
        picture = still(timeline)
        nodes = [(s.id, s.x, s.y) for s in picture.shapes if isinstance(s, Group) and s.id.startswith("node:")]
        legend = [(s.x, s.y) for s in picture.shapes if isinstance(s, Group) and s.id == "legend"]
        places.add((tuple(nodes), tuple(legend)))
    assert len(places) == 1


def test_crops_and_parts_can_be_chosen() -> None:
    timeline = timeline_of("ricart-agrawala")
    timeline.seek(30)
    has = {}
    for crop in CROPS:
        shapes = still(timeline, look=Still(crop=crop)).shapes
        assert "waiting" in written(shapes)  # in the legend
        has_graph = any(isinstance(s, Group) and s.id.startswith("node:") for s in shapes)
        has[crop] = (has_graph, any(s.id.startswith("event:") for s, _ in placed(shapes)))
    assert has == {"graph": (True, False), "spacetime": (False, True), "full": (True, True)}
    bare = written(still(timeline, look=Still(crop="graph", legend=False, caption="", reopen=False)).shapes)
    full = written(still(timeline, look=Still(crop="full")).shapes)
    assert not any("seed" in text or " requests " in text or " receives " in text for text in bare)
    assert any(" requests " in text or " receives " in text for text in full)
    assert "ricart-agrawala, 5 nodes · seed 5 · step 30 · time " in " ".join(full)
    assert "a title that is not short" in full
    origin = written(still(timeline, look=Still(origin="wait.toml")).shapes)
    assert any(text == "mutoscope play wait.toml --seed 5 --step 30" for text in origin)


def test_padding_stays_free() -> None:
    timeline = timeline_of("ricart-agrawala")
    timeline.seek(30)
    for _, box in placed(still(timeline, look=Still(size=(1280, 720), pad=60)).shapes):
        assert box.x >= 59
        assert box.x + box.w <= 1221
        assert box.y >= 59
        assert box.y + box.h <= 661


def test_the_ground_is_the_themes_paper_unless_chosen() -> None:
    timeline = timeline_of("token-ring")
    assert still(timeline, look=Still(theme="dark")).background == load("dark").paper
    assert still(timeline, look=Still(background="transparent")).background is None
    assert still(timeline, look=Still(background="#F6F6F4")).background == "#F6F6F4"


def test_long_captions_take_two_lines_and_no_more() -> None:
    timeline = timeline_of("wandering-token-report")
    for step in range(0, 40, 3):
        timeline.seek(step)
        texts = [s for s, _ in placed(still(timeline, look=Still(size=(420, 700))).shapes) if isinstance(s, Text)]
        captions = [s for s in texts if s.weight == "bold" and s.size == pytest.approx(22 * 420 / 1600)]
        assert 1 <= len(captions) <= 2


def test_a_picture_in_words() -> None:
    load_ = Script(requests=(Request(0.0, 1), Request(0.5, 2)))
    timeline = timeline_of("ricart-agrawala", 4, (Event(2.5, "crash", node=3),), load=load_, network=Network())
    timeline.seek_time(0.0)
    said = alt_text(timeline.simulation, 0.3)
    assert said == (
        "Ricart–Agrawala, 4 processes, step 2, time 0.3. "
        "Waiting to enter: P1. Nobody is in the critical section. "
        "In transit: request (1,1) from P1 to P0, "
        "request (1,1) from P1 to P2 and request (1,1) from P1 to P3. No breach."
    )
    timeline.seek_time(2.6)
    said = alt_text(timeline.simulation, 2.6)
    assert "In the critical section: P1. Waiting to enter: P2. Crashed: P3." in said
    assert still(timeline).description == alt_text(timeline.simulation, timeline.simulation.now)


def test_a_breach_is_said() -> None:
    both = Script(requests=(Request(0.0, 1), Request(0.5, 2)))
    timeline = timeline_of("uncoordinated", load=both)
    timeline.seek_time(0.4)
    assert still(timeline).description.endswith("No breach.")
    timeline.seek_time(0.7)
    said = still(timeline).description
    assert "In the critical section: P1 and P2." in said
    assert "“Safety” fails at step 3: " in said


def test_a_crowd_is_counted_not_named() -> None:
    timeline = timeline_of("ricart-agrawala", 30, load=Script(requests=(Request(0.0, 1),)))
    timeline.seek_time(0.1)
    said = alt_text(timeline.simulation, 0.1)
    assert "and 24 more" in said
    assert len(said) < 500


def test_pictures_of_three_hundred_nodes() -> None:
    timeline = timeline_of("ricart-agrawala", 300, load=Closed(think=900.0))
    timeline.seek(1500)
    picture = still(timeline, look=Still(size=(1920, 1080)))
    assert sum(isinstance(shape, Mark) for shape in picture.shapes) > 250
    named = {name for shape in picture.shapes if isinstance(shape, Group) for name in ids(shape)}
    assert sum(name.startswith("node:") for name in named) == 300
    assert any(isinstance(s, Box) for s, _ in placed(picture.shapes))


def test_a_breach_marks_its_nodes_and_is_in_the_caption_of_its_step():
    timeline = catalog.timeline(
        Scenario("uncoordinated", nodes=3, load=Script(requests=(Request(1.0, 0), Request(1.5, 2))))
    )
    fault, texts = load("light").fault, []
    for step in (2, 3):
        timeline.seek(step)
        shapes = still(timeline, look=Still(crop="graph")).shapes
        rings = [shape for shape in shapes if isinstance(shape, Circle) and shape.stroke == fault]
        texts.append(" ".join(shape.text for shape in shapes if isinstance(shape, Text)))
        assert len(rings) == 2 * (step == 3)
    assert "fails" not in texts[0]
    assert "“Safety” fails: P2 enters while P0 is inside." in texts[1]
