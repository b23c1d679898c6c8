"""The space-time diagram as facts about its shapes, checked against the trace it is drawn from."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, ELECTED, ENTER, KIND, LEAVE, LOST, NODE, REQUEST, SENDER, SENT, SEQ, TIME
from algorithms.engine.observe.causes import causal_past
from algorithms.engine.observe.fold import Fold
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Request, Script
from tests.support.space_time import AREA, arrows, layer
from visual.analysis.run_cache import RunCache
from visual.analysis.spells import SpellObserver, term_observers
from visual.drawing.picking import bounds, pick
from visual.drawing.shapes import Box, Circle, Group, Line, Pattern, Polygon, Shape, Text
from visual.drawing.theme import load
from visual.scene.options import Options
from visual.scene.space_time.diagram import space_time
from visual.scene.space_time.frame import Frame, Span

LIGHT = load("light")


def run_of(
    algorithm: str = "ricart-agrawala", nodes: int = 5, events: tuple[Event, ...] = (), **more: object
) -> Timeline:
    chosen = {"network": Network(delay=Uniform(0.8, 1.2)), "load": Closed(think=4.0), **more}
    return catalog.timeline(Scenario(algorithm, nodes=nodes, seed=7, events=events, **chosen))  # type: ignore[arg-type]


def drawn(timeline: Timeline, span: Span, t: float | None = None, selected: str = "") -> list[Shape]:
    run = timeline.simulation
    fold = Fold(timeline.scenario, timeline.algorithm)
    lives = SpellObserver(fold.situation)
    fold.observe([lives, *term_observers(lives.spells, timeline.algorithm)])
    fold.advance(run.trace)
    moment = run.now if t is None else t
    return space_time(RunCache(run), lives.spells, span, moment, AREA, LIGHT, Options(selected=selected))


def test_a_receive_is_later_than_its_send_and_both_are_on_the_right_lines() -> None:
    timeline = run_of()
    timeline.seek_time(20)
    span = Span(0, 20)
    frame, lines = Frame(AREA, span, 5, 1.0), arrows(drawn(timeline, span))
    arrived = [e for k in range(len(timeline.trace)) for e in [timeline.trace.event(k)] if e[KIND] == DELIVER]
    assert len(arrived) > 70
    for event in arrived:
        line = lines[event[SEQ]]
        assert line.x1 < line.x2
        assert line.arrow > 0
        ends = (frame.x(event[SENT]), frame.y(event[SENDER]), frame.x(event[TIME]), frame.y(event[NODE]))
        assert (line.x1, line.y1, line.x2, line.y2) == pytest.approx(ends)


def test_lines_are_in_id_order_from_top_to_bottom() -> None:
    timeline = run_of(nodes=4)
    names = [s for s in layer(drawn(timeline, Span(0, 10))) if isinstance(s, Text) and s.text.startswith("P")]
    assert [name.text for name in sorted(names, key=lambda name: name.y)] == ["P0", "P1", "P2", "P3"]


def test_bars_are_the_times_inside_and_the_times_of_wanting() -> None:
    timeline = run_of()
    timeline.seek_time(30)
    span = Span(0, 30)
    frame = Frame(AREA, span, 5, 1.0)
    asked: dict[int, float] = {}
    entered: dict[int, float] = {}
    expected = set()
    for _, records in timeline.trace.steps():
        for record in records:
            time, node = record[TIME], record[NODE]
            if record[KIND] == REQUEST:
                asked[node] = time
            elif record[KIND] == ENTER:
                expected.add(("wanting", node, round(frame.x(asked[node]), 1), round(frame.x(time), 1)))
                entered[node] = time
            elif record[KIND] == LEAVE:
                expected.add(("inside", node, round(frame.x(entered[node]), 1), round(frame.x(time), 1)))
    found = set()
    for bar in (s for s in layer(drawn(timeline, span)) if isinstance(s, Box)):
        node = round((bar.y + bar.h / 2 - frame.top) / frame.row - 0.5)
        state = "wanting" if isinstance(bar.fill, Pattern) else "inside"
        assert isinstance(bar.fill, Pattern) or bar.fill == LIGHT.states["inside"].fill
        found.add((state, node, round(bar.x, 1), round(bar.x + bar.w, 1)))
    assert expected <= found
    assert len(found - expected) <= 10  # those still open


def test_a_crash_ends_the_line_with_a_cross() -> None:
    timeline = run_of("uncoordinated", events=(Event(6, "crash", node=4), Event(11, "recover", node=4, memory=False)))
    span = Span(0, 20)
    frame = Frame(AREA, span, 5, 1.0)
    for t, pieces in ((5.0, 1), (9.0, 1), (15.0, 2)):
        timeline.seek_time(t)
        lines = [s for s in layer(drawn(timeline, span)) if isinstance(s, Line)]
        own = sorted((s.x1, s.x2) for s in lines if s.id == "node:4")
        crosses = [s for s in lines if s.stroke == LIGHT.fault and abs((s.y1 + s.y2) / 2 - frame.y(4)) < 1]
        assert len(own) == pieces
        if t > 6:
            assert own[0] == pytest.approx((frame.x(0), frame.x(6)))
            assert sum((s.x1 + s.x2) / 2 == pytest.approx(frame.x(6)) for s in crosses) == 2
        if t > 11:
            assert own[1][0] == pytest.approx(frame.x(11))


def test_a_lost_message_ends_on_its_way_in_a_cross() -> None:
    timeline = run_of("token-ring", nodes=4, events=(Event(2.5, "lose-token"),), load=Script(), network=Network())
    timeline.seek_time(4)
    span = Span(0, 10)
    frame = Frame(AREA, span, 4, 1.0)
    record = next(r for k in range(len(timeline.trace)) for r in timeline.trace.step(k) if r[KIND] == LOST)
    line = arrows(drawn(timeline, span))[record[SEQ]]
    assert line.dash
    assert line.stroke == LIGHT.fault
    assert line.x2 == pytest.approx(frame.x(2.5))
    assert line.y2 == pytest.approx((frame.y(2) + frame.y(3)) / 2)


def test_two_overlapping_bars_are_joined_by_a_bracket_and_the_word() -> None:
    requests = (Request(1.0, 0), Request(1.4, 2), Request(5.0, 1))
    timeline = run_of("ricart-agrawala", nodes=3, variant="neither-defers", load=Script(requests=requests))
    timeline.seek_time(12)
    shapes = list(layer(drawn(timeline, Span(0, 12))))
    frame = Frame(AREA, Span(0, 12), 3, 1.0)
    second = sorted(r[TIME] for _, records in timeline.trace.steps() for r in records if r[KIND] == ENTER)[1]
    (bracket,) = [s for s in shapes if isinstance(s, Line) and s.stroke == LIGHT.fault and s.x1 == s.x2]
    assert bracket.x1 == pytest.approx(frame.x(second))
    assert sorted((bracket.y1, bracket.y2)) == pytest.approx([frame.y(0), frame.y(2)])
    assert "breach" in [s.text for s in shapes if isinstance(s, Text)]


def test_without_an_overlap_there_is_no_bracket() -> None:
    timeline = run_of()
    timeline.seek_time(30)
    shapes = list(layer(drawn(timeline, Span(0, 30))))
    assert not [s for s in shapes if isinstance(s, Line) and s.stroke == LIGHT.fault]
    assert "breach" not in [s.text for s in shapes if isinstance(s, Text)]


def test_a_new_leader_is_crowned_on_its_own_line() -> None:
    timeline = run_of("bully", nodes=4, load=Script(requests=(Request(1.0, 0),)))
    timeline.seek_time(15)
    frame = Frame(AREA, Span(0, 15), 4, 1.0)
    won = {
        (r[TIME], r[NODE])
        for _, records in timeline.trace.steps()
        for r in records
        if r[KIND] == ELECTED and r[4] == r[NODE]
    }
    crowns = [s for s in layer(drawn(timeline, Span(0, 15))) if isinstance(s, Polygon) and len(s.points) == 7]
    assert won
    assert len(crowns) == len(won)
    for crown, (time, node) in zip(sorted(crowns), sorted(won), strict=True):
        box = bounds(crown)
        assert box.x + box.w / 2 == pytest.approx(frame.x(time))
        assert frame.y(node) - frame.row / 2 < box.y + box.h < frame.y(node)


def test_labels_lie_along_their_messages_never_upside_down_and_apart() -> None:
    timeline = run_of(nodes=4)
    timeline.seek_time(14)
    shapes = drawn(timeline, Span(0, 14))
    labels = [s for s in layer(shapes) if isinstance(s, Text) and s.text.startswith(("request", "reply"))]
    slopes = [math.degrees(math.atan2(s.y2 - s.y1, s.x2 - s.x1)) for s in arrows(shapes).values()]
    assert len(labels) > 5
    for label in labels:
        assert abs(label.angle) < 73, "a head can be tilted that far"
        assert min(abs(label.angle - slope) for slope in slopes) < 1e-6
    for one, other in combinations(map(bounds, labels), 2):
        across = one.x < other.x + other.w and other.x < one.x + one.w
        assert not (across and one.y < other.y + other.h and other.y < one.y + one.h)


def test_what_lies_ahead_is_pale_and_what_is_in_the_air_has_come_as_far_as_now() -> None:
    timeline = run_of(nodes=3)
    timeline.seek_time(20)
    timeline.seek_time(8)
    span, t = Span(0, 20), timeline.simulation.now + 0.01
    frame, shapes = Frame(AREA, span, 3, 1.0), drawn(timeline, span, t)
    playhead = frame.x(t)
    solid = [s for s in layer(shapes) if isinstance(s, Line) and s.id.startswith("message:")]
    ahead = [s for s in layer(shapes, pale=True) if isinstance(s, Line) and s.id.startswith("message:")]
    assert max(line.x2 for line in solid) <= playhead + 1e-6
    assert min(line.x1 for line in ahead) >= frame.x(timeline.simulation.now) - 1e-6
    flying = [e[SEQ] for e in sorted(timeline.simulation.queue.in_transit())]
    tips = {s.id: s.x for s in layer(shapes) if isinstance(s, Circle) and s.id.startswith("message:")}
    assert tips == {f"message:{seq}": pytest.approx(playhead) for seq in flying}
    assert [s.points[2][0] for s in layer(shapes) if isinstance(s, Polygon)] == [playhead]


def test_nothing_is_drawn_outside_the_rectangle() -> None:
    timeline = run_of(nodes=6, events=(Event(6, "crash", node=4),))
    timeline.seek_time(40)
    for span in (Span(0, 40), Span(10, 14), Span(35, 60)):
        for shape in (*layer(drawn(timeline, span)), *layer(drawn(timeline, span), pale=True)):
            box = bounds(shape)
            assert AREA.x - 1 <= box.x
            assert box.x + box.w <= AREA.x + AREA.w + 1
            assert AREA.y - 1 <= box.y
            assert box.y + box.h <= AREA.y + AREA.h + 1


def test_an_event_can_be_picked() -> None:
    timeline = run_of(nodes=3)
    timeline.seek_time(10)
    shapes = drawn(timeline, Span(0, 10))
    frame = Frame(AREA, Span(0, 10), 3, 1.0)
    event = timeline.trace.event(12)
    assert pick(shapes, frame.x(event[TIME]), frame.y(event[NODE])) == "event:12"


def test_the_causal_past_is_what_can_be_reached_backwards() -> None:
    timeline = run_of(nodes=4)
    timeline.seek_time(12)
    trace = timeline.trace
    sent_in = {r[SEQ]: k for k, records in trace.steps() for r in records[1:] if r[KIND] == DELIVER}
    for step in (15, 30, len(trace) - 1):
        todo, reached = [step], set()
        while todo:
            k = todo.pop()
            if k in reached:
                continue
            reached.add(k)
            event = trace.event(k)
            earlier = [j for j in range(k) if trace.event(j)[NODE] == event[NODE]]
            todo += earlier[-1:]
            if event[KIND] == DELIVER:
                todo.append(sent_in[event[SEQ]])
        found = causal_past(trace, step, 0)
        assert found.steps == reached
        assert found.messages == {trace.event(k)[SEQ] for k in reached if trace.event(k)[KIND] == DELIVER}
    lit = arrows(drawn(timeline, Span(0, 12), selected=f"event:{step}"))
    assert {seq for seq, line in lit.items() if line.stroke == LIGHT.accent} == found.messages


def test_three_hundred_processes_and_a_long_time_are_bars_only() -> None:
    timeline = run_of("token-ring", nodes=300, network=Network(), load=Closed(think=50.0))
    timeline.seek_time(600)
    shapes = drawn(timeline, Span(0, 600))
    assert not arrows(shapes)
    assert sum(isinstance(s, Box) for s in layer(shapes)) > 100
    names = [s for s in layer(shapes) if isinstance(s, Text) and s.text.startswith("P")]
    assert 5 < len(names) < 30
    boxes = sorted((bounds(name) for name in names), key=lambda box: box.y)
    assert all(a.y + a.h <= b.y + 1 for a, b in pairwise(boxes))


def test_a_page_turns_and_does_not_creep() -> None:
    spans = [Span.around(t / 10, 20) for t in range(0, 1000)]
    assert len(set(spans)) < 12
    for t, span in enumerate(spans):
        assert span.start <= t / 10 <= span.end
        assert span.start == 0 or span.start + 4.9 <= t / 10 <= span.end - 4.9


def test_ticks_are_round_and_not_too_many() -> None:
    for start, length in ((0, 16), (0, 1), (1000, 37), (0, 6e5), (3.2, 0.01)):
        frame = Frame(AREA, Span(start, start + length), 5, 1.0)
        ticks = frame.ticks()
        assert 3 <= len(ticks) <= 14
        steps = {round((b - a) / 10 ** math.floor(math.log10(b - a) + 1e-9), 6) for a, b in pairwise(ticks)}
        assert steps <= {1, 2, 5}


# ---- terms -------------------------------------------------------------------------------------------------


def bands_at(t: float, after: float = 0.0) -> tuple[list[tuple[float, float, str]], list[str]]:
    """The bands of the split votes as (beginning, end, colour), in units of time, and the words above them."""
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("split-votes")))
    timeline.seek_time(after)
    timeline.seek_time(t)
    span = Span(0.0, 32.0)
    shapes = drawn(timeline, span, t)
    frame = Frame(AREA, span, 5, 1.0)
    pale = shapes[0].shapes if isinstance(shapes[0], Group) else ()
    boxes = [box for box in pale if isinstance(box, Box)]
    words = [shape.text for shape in shapes if isinstance(shape, Text) and shape.text.startswith("term")]
    return [(frame.moment(b.x, 0.0), frame.moment(b.x + b.w, 0.0), b.fill or "") for b in boxes], words


def test_terms_are_bands_from_the_first_request_of_a_vote_and_change_their_colour_with_the_leader():
    """P3 stands at 10.252 in term 1, P1 at 20.910 in term 2, and has its third vote at 22.910."""
    without, led = LIGHT.states["wanting"].fill, LIGHT.states["inside"].fill
    assert bands_at(5.0) == ([], [])
    bands, words = bands_at(30.0)
    assert words == ["term 1", "term 2"]
    assert [fill for *_, fill in bands] == [without, without, led]
    edges = [place for start, end, _ in bands for place in (start, end)]
    assert edges == pytest.approx([10.252, 20.91, 20.91, 22.91, 22.91, 30.0], abs=0.01)


def test_going_back_takes_the_bands_of_later_terms_away():
    assert bands_at(15.0, after=30.0) == bands_at(15.0)
    assert bands_at(15.0)[1] == ["term 1"]
