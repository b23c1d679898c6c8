"""Several resources on one overlay: which is which in words, in the picture, in the diagram and in the legend."""

from __future__ import annotations

from itertools import combinations

import pytest

from algorithms import catalog
from algorithms.engine.events import DELIVER, KIND, MESSAGE, SEQ
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Request, Script, resource_name
from tests.support.legibility import contrast
from tests.support.shapes import AREA, flat, graph_shapes, texts
from visual.analysis.ledger import Ledger
from visual.analysis.overlay_state import overlay_state
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.shapes import Box, Group, Polyline, Rect, Shape, Text
from visual.drawing.theme import NAMES, load
from visual.scene.graph.layout import arrange
from visual.scene.graph.legend import entries
from visual.scene.options import Options
from visual.scene.overlay.paths import MOST, drawn_resources, resource_colour
from visual.scene.space_time.bars import bars_of, visible_lives
from visual.scene.space_time.diagram import space_time
from visual.scene.space_time.frame import Frame, Span
from visual.window.gallery.cards import scenario_of
from visual.words import message_label, naming

LIGHT = load("light")
MANY = 65


def two(time: float) -> Timeline:
    timeline = catalog.timeline(scenario_of("p2p-two-resources"))
    timeline.seek_time(time)
    return timeline


def many(time: float, protocol: str = "sigma") -> Timeline:
    """65 resources, some of which several nodes ask for."""
    requests = [Request(1.0 + 0.1 * k, node=k, resource=(k * k) % 13) for k in range(40)]
    scenario = Scenario(
        protocol,
        nodes=60,
        load=Script(hold=Fixed(8.0), requests=tuple(requests)),
        until=60.0,
        parameters={"resources": MANY, "placement": 3},
    )
    timeline = catalog.timeline(scenario)
    timeline.seek_time(time)
    return timeline


def diagram(timeline: Timeline, rect: Rect = AREA) -> list[Shape]:
    run = timeline.simulation
    return space_time(RunCache(run), Ledger(timeline).spells, Span(0.0, 30.0), run.now, rect, LIGHT)


# ---- words -------------------------------------------------------------------------------------------------


def test_resources_are_lettered():
    assert [resource_name(k) for k in (0, 1, 25, 26, 51, 52, 64, 701, 702)] == [
        *("A", "B", "Z", "AA", "AZ", "BA", "BM", "ZZ", "AAA"),
    ]


@pytest.mark.parametrize("protocol", ["sigma", "end-to-end", "non-end-to-end"])
def test_every_message_says_which_resource_it_is_about(protocol):
    run = many(20.0, protocol).simulation
    process, names = run.processes[0], naming(run)
    sent = {
        record[MESSAGE] for record in run.trace.records if record[KIND] == DELIVER and hasattr(record[MESSAGE], "asks")
    }
    for message in sent:
        resource = process.resource_of(message.replica)
        label = message_label(message, names)
        assert label.split()[1].startswith(resource_name(resource))
        assert label.split()[1] == f"{resource_name(resource)}{message.replica % 3}"
    assert len(sent) > 100


def test_a_breach_names_the_resource_and_one_resource_needs_no_name():
    assert naming(catalog.simulation(Scenario("sigma", nodes=4))).has_several is False
    several = catalog.simulation(Scenario("sigma", nodes=4, parameters={"resources": 2}))
    assert naming(several).replica(5) == "B2"


# ---- the circle --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", NAMES)
def test_each_resource_has_a_letter_and_a_colour_that_its_letters_can_be_read_on(theme):
    look = load(theme)
    assert all(contrast(resource_colour(k, look), look.paper) >= 4.5 for k in range(MOST))
    assert look.fault not in {resource_colour(k, look) for k in range(MOST)} or theme == "print"
    shown = texts(graph_shapes(two(9.0), theme=theme))
    assert {"A0", "A1", "A2", "B0", "B1", "B2"} <= set(shown)


def test_who_is_inside_is_told_with_the_resource():
    shown = texts(graph_shapes(two(9.0)))
    assert {"IN A", "IN B", "wants B"} <= set(shown)


def test_votes_have_the_colour_of_their_resource():
    timeline = two(9.0)
    run = timeline.simulation
    layout = arrange(run, AREA)
    bands = {s.points: s.stroke for s in flat(graph_shapes(timeline)) if isinstance(s, Polyline) and len(s.points) == 2}
    votes = [vote for vote in overlay_state(Moment(run)).votes if vote.node != vote.ticket[1]]
    assert {vote.resource for vote in votes} == {0, 1}
    for vote in votes:
        assert bands[layout.places[vote.node], layout.places[vote.ticket[1]]] == resource_colour(vote.resource, LIGHT)


# ---- the diagram -------------------------------------------------------------------------------------------


def test_two_inside_different_resources_are_no_breach():
    run = two(9.0).simulation
    assert len({(r, p.id) for p in run.processes for r in p.inside}) == 2
    assert "breach" not in texts(diagram(two(9.0)))


def test_bars_have_the_colour_and_the_letter_of_their_resource():
    shapes = [*flat(diagram(two(9.0)))]
    letters = {shape.text: shape.ink for shape in shapes if isinstance(shape, Text)}
    fills = {shape.fill for shape in shapes if isinstance(shape, Box)}
    assert {"A", "B"} <= set(letters)
    assert {resource_colour(0, LIGHT), resource_colour(1, LIGHT)} <= fills


def test_what_a_node_has_to_do_with_two_resources_at_once_is_beside_each_other():
    timeline = two(30.0)
    frame = Frame(AREA, Span(0.0, 30.0), 10, 1.0)
    own = [bar for bar in bars_of(visible_lives(frame, Ledger(timeline).spells, timeline.step)) if bar.node == 6]
    together = [
        (one, other) for one, other in combinations(own, 2) if max(one.start, other.start) < min(one.end, other.end)
    ]
    assert {frozenset((one.resource, other.resource)) for one, other in together} == {frozenset((0, 1))}
    assert all(one.lane != other.lane for one, other in together)
    assert [(bar.resource, bar.state) for bar in sorted(own, key=lambda bar: bar.end)] == [
        (1, "wanting"),
        (1, "inside"),
        (0, "wanting"),
        (0, "inside"),
    ]
    boxes = [shape for shape in flat(diagram(timeline)) if isinstance(shape, Box)]
    row = [box for box in boxes if abs(box.y + box.h / 2 - frame.y(6)) < frame.row / 2]
    for one, other in combinations(row, 2):
        apart = one.y + one.h <= other.y + 0.01 or other.y + other.h <= one.y + 0.01
        assert apart or one.x + one.w <= other.x + 0.01 or other.x + other.w <= one.x + 0.01


# ---- very many ---------------------------------------------------------------------------------------------


def test_of_very_many_resources_the_busiest_are_drawn_and_the_legend_says_so():
    run = many(5.0).simulation
    found = drawn_resources(RunCache(run), "")
    weights = [sum(k in p.wants or k in p.inside for p in run.processes) for k in range(MANY)]
    assert len(found.resources) == MOST
    assert sorted(weights[k] for k in found.resources) == sorted(weights)[-MOST:]
    words = [entry.words for entry in entries(RunCache(run), run.now, LIGHT)]
    assert f"4 of {MANY}: the busiest" in words
    assert {f"resource {resource_name(k)}" for k in found.resources} <= set(words)
    names = {f"{resource_name(k)}0" for k in found.resources}
    others = {f"{resource_name(k)}0" for k in range(MANY)} - names
    keys = {
        shape.text
        for shape in flat([s for s in graph_shapes(many(5.0)) if isinstance(s, Group) and not s.id])
        if isinstance(shape, Text)
    }
    assert names <= keys
    assert not others & keys


def test_the_resources_of_what_is_selected_come_before_the_busiest():
    run = many(5.0).simulation
    node = next(
        p.id for p in run.processes if p.wants and min(p.wants) not in drawn_resources(RunCache(run), "").resources
    )
    found = drawn_resources(RunCache(run), f"node:{node}")
    assert set(found.resources) == run.processes[node].wants | run.processes[node].inside
    assert found.why == f"of P{node}"
    entry = next(entry for entry in run.queue.between_processes() if hasattr(entry[MESSAGE], "replica"))
    of_message = drawn_resources(RunCache(run), f"message:{entry[SEQ]}")
    assert of_message.resources == (entry[MESSAGE].replica // 3,)
    assert any(
        e.words == f"1 of {MANY}: of the message"
        for e in entries(RunCache(run), run.now, LIGHT, Options(selected=f"message:{entry[SEQ]}"))
    )
