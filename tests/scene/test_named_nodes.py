"""Names of nodes and one-way cuts, in picture, trace and report."""

from __future__ import annotations

import json
import math

from algorithms import catalog, trace_file
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Request, Script
from tests.support.shapes import AREA, flat, graph_shapes, texts
from visual.commands.run import measure
from visual.drawing import fonts
from visual.drawing.shapes import Line, Shape
from visual.scene.graph.layout import arrange

NAMES = ("Berlin", "Rio de Janeiro, Copacabana", "Oslo", "Roma")
SCENARIO = Scenario("centralized", nodes=4, names=NAMES, until=20.0, load=Script(requests=(Request(1.0, 3),)))


def test_a_name_stands_in_its_circle_under_the_number_and_fits() -> None:
    timeline = catalog.timeline(SCENARIO)
    timeline.seek(3)
    shapes = graph_shapes(timeline)
    written = texts(shapes)
    assert {"P0", "P1", "P2", "P3", "Berlin", "Oslo", "Roma"} <= set(written)
    assert any(text.startswith("Rio") and text.endswith("…") for text in written)
    radius = arrange(timeline.simulation, AREA).radius
    for text in (shape for shape in flat(shapes) if getattr(shape, "text", "") in ("Berlin", "Oslo", "Roma")):
        assert fonts.width(text.text, text.size, weight="bold") <= 2 * radius  # type: ignore[attr-defined]


def test_each_number_of_a_node_in_the_trace_has_the_name_beside_it() -> None:
    run = catalog.simulation(SCENARIO)
    run.run(until=20.0)
    steps = [json.loads(line) for line in trace_file.lines(run.trace, NAMES)]
    records = [record for step in steps for record in (step["event"], *step["effects"])]
    assert any("from" in record for record in records)
    for record in records:
        for key in ("node", "from", "to"):
            assert record.get(f"{key}_name") == (NAMES[record[key]] if key in record else None)
    bare = [{k: v for k, v in record.items() if not k.endswith("_name")} for record in records]
    plain = [json.loads(line) for line in trace_file.lines(run.trace)]
    assert bare == [record for step in plain for record in (step["event"], *step["effects"])]


def test_the_report_says_who_is_who() -> None:
    measured = measure(SCENARIO)
    assert "P0 Berlin, P1 Rio de Janeiro, Copacabana, P2 Oslo, P3 Roma" in measured.report
    assert measured.summary["names"] == list(NAMES)


def lines_between(shapes: list[Shape], link: str) -> list[Line]:
    return [shape for shape in flat(shapes) if isinstance(shape, Line) and shape.id == link]


def test_a_link_cut_in_one_direction_is_broken_before_the_node_that_no_longer_hears() -> None:
    for sender, receiver in ((0, 2), (2, 0)):
        cut = Event(0.0, "cut", node=sender, to=receiver, both=False)
        timeline = catalog.timeline(Scenario("ricart-agrawala", nodes=4, events=(cut,)))
        timeline.seek(2)
        solid, broken = sorted(lines_between(graph_shapes(timeline), "link:0-2"), key=lambda line: bool(line.dash))
        assert broken.dash
        assert not solid.dash
        places = arrange(timeline.simulation, AREA).places
        assert math.dist((broken.x2, broken.y2), places[receiver]) < 1.0
