"""The space-time diagram: logical time, directions, choice of lines, scrolling, zooming, going to an event."""

from __future__ import annotations

import itertools
from functools import partial
from math import inf

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, HELD, KIND, LOST, NODE, SEQ, TIME
from algorithms.engine.observe.causes import causal_future, causal_past
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.screens import check_draws
from tests.support.shapes import flat
from tests.support.space_time import AREA, arrows, layer
from visual.analysis.ledger import Ledger
from visual.analysis.logical_time import LogicalTimes
from visual.analysis.run_cache import RunCache
from visual.drawing.picking import bounds
from visual.drawing.shapes import Circle, Line, Shape, Text
from visual.drawing.theme import load
from visual.scene.options import Options
from visual.scene.space_time.diagram import space_time
from visual.scene.space_time.frame import Frame, Plan, Span
from visual.scene.space_time.process_selection import MOST, select_processes
from visual.window import arrangement, intents
from visual.window.actions import perform
from visual.window.diagram.scrolling import span_of
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Key, Motion, Press, Release, Tick, Wheel
from visual.window.screen import Screen
from visual.window.state import DiagramView, Interface
from visual.window.update import update

LIGHT = load("light")
FAULTS = (Event(6.0, "crash", node=4), Event(9.0, "pause", node=1), Event(12.0, "resume", node=1))


def run_of(algorithm: str = "ricart-agrawala", nodes: int = 5, until: float = 20.0, **more: object) -> Timeline:
    chosen = {"network": Network(Uniform(0.8, 1.2)), "load": Closed(think=4.0), **more}
    timeline = catalog.timeline(Scenario(algorithm, nodes=nodes, seed=7, **chosen))  # type: ignore[arg-type]
    timeline.seek_time(until)
    return timeline


def depths_of(timeline: Timeline) -> LogicalTimes:
    logical_times = LogicalTimes(len(timeline.simulation.processes))
    logical_times.follow(timeline.trace)
    return logical_times


def diagram_shapes(timeline: Timeline, span: Span, plan: Plan, selected: str = "") -> list[Shape]:
    ledger, now = Ledger(timeline), timeline.simulation.now
    return space_time(ledger.cache, ledger.spells, span, now, AREA, LIGHT, Options(selected=selected), plan)


# ---- logical time ------------------------------------------------------------------------------------------


def longest_chains(timeline: Timeline) -> dict[int, int]:
    """Step -> the length of the longest happened-before chain that ends with it, by a naive algorithm."""
    trace = timeline.trace
    sent_in: dict[int, int] = {}
    for k, records in trace.steps():
        for record in records[1:]:
            if record[KIND] in (DELIVER, LOST):
                sent_in.setdefault(record[SEQ], k)  # a delayed message is recorded anew
    found = {0: 0}
    for k in range(1, len(trace)):
        event = trace.event(k)
        if event[KIND] in (LOST, HELD) or event[NODE] < 0:
            continue
        before = [found[j] for j in found if trace.event(j)[NODE] == event[NODE] or j == 0]
        if event[KIND] == DELIVER:
            before.append(found[sent_in[event[SEQ]]])
        found[k] = 1 + max(before)
    return found


@pytest.mark.parametrize("events", [(), FAULTS], ids=["no faults", "faults"])
@pytest.mark.parametrize("algorithm", ["ricart-agrawala", "token-ring", "voting"])
def test_logical_time_is_the_longest_chain_of_causes(algorithm, events):
    timeline = run_of(algorithm, events=events)
    logical_times, expected = depths_of(timeline), longest_chains(timeline)
    assert len(expected) > 20
    assert {k: logical_times.of_step(k) for k in expected} == expected
    assert logical_times.steps(0, 1e9) == sorted(expected)
    assert logical_times.steps(3, 7) == sorted(k for k, depth in expected.items() if 3 <= depth <= 7)
    assert logical_times.count(3, 7) == len(logical_times.steps(3, 7))


def test_logical_time_follows_a_trace_that_was_cut_and_grew_anew():
    timeline = run_of()
    logical_times = depths_of(timeline)
    timeline.seek_time(9.0)
    timeline.act(Event(9.0, "crash", node=2))
    timeline.seek_time(25.0)
    logical_times.follow(timeline.trace)
    fresh = depths_of(timeline)
    for k in range(len(timeline.trace)):
        assert logical_times.of_step(k) == fresh.of_step(k)
        serial = timeline.trace.event(k)[SEQ]
        assert logical_times.received_in(serial) == fresh.received_in(serial)
    assert logical_times.steps(0, 1e9) == fresh.steps(0, 1e9)


def test_in_logical_time_every_arrow_goes_forward_and_bars_keep_their_order():
    timeline = run_of(until=15.0)
    plan = Plan(depths_of(timeline))
    lines = arrows(diagram_shapes(timeline, Span(0, 60), plan))
    assert len(lines) > 40
    assert all(line.x2 > line.x1 for line in lines.values())
    arrived = [timeline.trace.event(k) for k in range(len(timeline.trace)) if timeline.trace.event(k)[KIND] == DELIVER]
    frame = Frame(AREA, Span(0, 60), 5, 1.0, plan)
    for event in arrived:
        step = plan.logical_times.received_in(event[SEQ])
        assert lines[event[SEQ]].x2 == pytest.approx(frame.x(plan.logical_times.of_step(step)))


def test_the_causal_future_is_the_set_of_events_reachable_forwards():
    timeline = run_of(nodes=4)
    trace = timeline.trace
    for step in (3, 20, 50):
        related = causal_future(trace, step, len(trace)).steps
        back = {
            k
            for k in range(step, len(trace))
            if trace.event(k)[NODE] >= 0 and step in causal_past(trace, k, step).steps
        }
        assert related == back


def test_the_past_of_an_event_is_solid_and_its_future_is_dashed():
    timeline = run_of(nodes=4)
    timeline.seek_time(10.0)
    step = timeline.step - 1
    trace = timeline.trace
    lines = arrows(diagram_shapes(timeline, Span(0, 20), Plan(), f"event:{step}"))
    before, after = causal_past(trace, step, 0).messages, causal_future(trace, step, len(trace)).messages
    assert before
    assert after
    for serial, line in lines.items():
        is_highlighted = serial in before or serial in after
        assert (line.stroke == LIGHT.accent) == is_highlighted
        assert bool(line.dash) == (serial in after)


# ---- directions and lines ----------------------------------------------------------------------------------


def test_the_downward_diagram_is_the_other_mirrored_at_the_diagonal():
    timeline = run_of(until=12.0)
    span = Span(0, 12)
    lines = arrows(diagram_shapes(timeline, span, Plan(down=True)))
    frame = Frame(AREA, span, 5, 1.0, Plan(down=True))
    assert set(lines) == set(arrows(diagram_shapes(timeline, span, Plan())))
    for k in range(len(timeline.trace)):
        event = timeline.trace.event(k)
        if event[KIND] == DELIVER:
            end = (lines[event[SEQ]].x2, lines[event[SEQ]].y2)
            assert end == pytest.approx((frame.y(event[NODE]), frame.x(event[TIME])))
            assert lines[event[SEQ]].y2 > lines[event[SEQ]].y1


@pytest.mark.parametrize("logical", [False, True])
@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("nodes", [2, 5, 30])
def test_shapes_stay_inside_names_apart_and_labels_legible(logical, down, nodes):
    timeline = run_of(nodes=nodes, until=16.0, events=(Event(6.0, "crash", node=1),))
    timeline.seek_time(10.0)
    plan = Plan(depths_of(timeline) if logical else None, None, down)
    span = Span(2, 18)
    shapes = [shape for pale in (False, True) for shape in layer(diagram_shapes(timeline, span, plan, "event:9"), pale)]
    for shape in shapes:
        box = bounds(shape)
        assert AREA.x - 1 <= box.x, shape
        assert box.x + box.w <= AREA.x + AREA.w + 1, shape
        assert AREA.y - 1 <= box.y, shape
        assert box.y + box.h <= AREA.y + AREA.h + 1, shape
    names = [bounds(s) for s in shapes if isinstance(s, Text) and s.id.startswith("node:")]
    assert names
    for one, other in itertools.combinations(names, 2):
        assert (
            one.x + one.w <= other.x
            or other.x + other.w <= one.x
            or one.y + one.h <= other.y + 1
            or (other.y + other.h <= one.y + 1)
        )
    assert all(-90 <= s.angle < 90 for s in shapes if isinstance(s, Text))


def test_among_many_processes_those_involved_have_lines():
    timeline = run_of("binary-search-token", nodes=64, until=40.0, load=Poisson(rate=0.01), network=Network())
    run, trace, span = timeline.simulation, timeline.trace, Span(24, 48)
    step = next(k for k in range(timeline.step - 1, 0, -1) if trace.event(k)[KIND] == DELIVER)
    for selected in ("", "node:17", f"event:{step}"):
        lanes = select_processes(RunCache(run), span, selected)
        assert len(lanes) == MOST
        assert list(lanes) == sorted(set(lanes))
    assert 17 in select_processes(RunCache(run), span, "node:17")
    assert trace.event(step)[NODE] in select_processes(RunCache(run), span, f"event:{step}", 4)
    related = causal_past(trace, step, trace.steps_until(24)).steps
    near = [trace.event(k)[NODE] for k in sorted(related, reverse=True)[:4]]
    assert set(near) <= set(select_processes(RunCache(run), span, f"event:{step}", 8))
    lines = [
        s for s in layer(diagram_shapes(timeline, span, Plan(lanes=lanes))) if isinstance(s, Line) and "node:" in s.id
    ]
    assert {int(line.id[5:]) for line in lines} == set(lanes)
    assert select_processes(RunCache(run_of(nodes=5).simulation), Span(0, 10), "") == (0, 1, 2, 3, 4)


def test_a_process_inside_or_waiting_has_a_line_however_long():
    timeline = run_of("centralized", nodes=40, until=60.0, load=Closed(think=900.0, hold=Fixed(300.0)))
    run = timeline.simulation
    busy = {process.id for process in run.processes if process.busy()}
    assert 1 < len(busy) <= 8
    assert busy <= set(select_processes(RunCache(run), Span(run.now - 1, run.now + 20), "", 8))


def test_the_choice_of_lines_does_not_depend_on_earlier_views():
    timeline = run_of("centralized", nodes=60, until=20.0, load=Closed(think=300.0))

    def change_the_past() -> None:
        timeline.seek(timeline.step - 14)
        timeline.act(Event(0, "request", node=3))
        timeline.seek_time(62.0)

    cache = RunCache(timeline.simulation)
    for move in (*(partial(timeline.seek_time, t) for t in (25.0, 27.0, 40.0, 60.0)), change_the_past):
        move()
        afresh = catalog.timeline(timeline.scenario)
        for event in timeline.branch.interventions:
            afresh.seek(event.step)
            afresh.act(event)
        afresh.seek(timeline.frontier)
        now = timeline.simulation.now
        for span in (Span(10.0 * (now // 10), now + 5), Span(now - 20, now + 20)):
            for selected, most in itertools.product(("", "node:7"), (4, 8, 16)):
                expected = select_processes(RunCache(afresh.simulation), span, selected, most)
                assert select_processes(cache, span, selected, most) == expected


def test_coarse_spells_keep_the_states_of_a_busy_process():
    timeline = run_of("token-ring", nodes=4, until=4_000.0, load=Closed(think=4.0), network=Network())
    spells = Ledger(timeline).spells
    for node in range(4):
        exact = spells.between(node, 0.0, 4_000.0, timeline.step)
        coarse = spells.coarse_between(node, 0.0, 4_000.0, timeline.step, 100)
        assert len(exact) > 1_000
        assert len(coarse) <= 100
        assert {spell.state for spell in coarse} <= {spell.state for spell in exact}
        assert "inside" in {spell.state for spell in coarse}
        assert all(one.end == other.start for one, other in itertools.pairwise(coarse))


@pytest.mark.parametrize("since", [0.0, 7.0, 811.3, 2_000.0, 3_999.0])
def test_coarse_spells_do_not_depend_on_the_start_of_the_interval(since):
    timeline = run_of("token-ring", nodes=4, until=4_000.0, load=Closed(think=4.0), network=Network())
    spells, logical_times = Ledger(timeline).spells, depths_of(timeline)
    for node, axis, end in itertools.product(range(4), (None, logical_times), (4_000.0, 900.0)):
        whole, part = (
            [s for s in spells.coarse_between(node, 0.0, end, timeline.step, 100, axis, begin) if s.end > since]
            for begin in (-inf, min(since, end))
        )
        assert [s._replace(start=max(s.start, since)) for s in part] == [
            s._replace(start=max(s.start, since)) for s in whole
        ]


# ---- clicks, wheel and keys --------------------------------------------------------------------------------


def opened(view: str = "both", **more: object) -> tuple[Interface, Screen]:
    scenario = Scenario("ricart-agrawala", nodes=5, seed=7, load=Closed(think=4.0), network=Network(Uniform(0.8, 1.2)))
    screen = Screen(desk_of(scenario))
    interface = interface_of(1920, 1080, view=view, **more)  # type: ignore[arg-type]
    return perform(interface, screen.desk, intents.seek_step(120)), screen


def test_the_legend_explains_the_bars_on_screen():
    screen = Screen(desk_of(Scenario("ricart-agrawala", nodes=5, seed=7, load=Closed(think=4.0), network=Network())))
    explained = []
    for step in (1, 120):
        interface = perform(interface_of(1920, 1080, view="space-time"), screen.desk, intents.seek_step(step))
        words = {shape.text for shape in screen.panel(interface, "strip").shapes if isinstance(shape, Text)}
        explained.append(words & {"waiting", "in the critical section"})
    assert explained == [set(), {"waiting", "in the critical section"}]


def test_the_legend_explains_the_terms_of_an_election_and_no_critical_section():
    screen = Screen(desk_of(scenario_file.load(scenario_file.find("split-votes"))))
    explained = []
    for time in (5.0, 15.0, 30.0):
        screen.desk.front.seek_time(time)
        interface = interface_of(1920, 1080, view="space-time", time=time)
        words = {shape.text for shape in flat(screen.panel(interface, "strip").shapes) if isinstance(shape, Text)}
        explained.append(
            words & {"term without a leader", "term with its leader", "waiting", "in the critical section"}
        )
    assert explained == [set(), {"term without a leader"}, {"term without a leader", "term with its leader"}]


def middle(interface: Interface) -> tuple[float, float]:
    region = arrangement.panes(interface, False)[0].strip
    return region.x + region.w / 2, region.y + region.h / 2


def event_at(screen: Screen, interface: Interface, step: int) -> tuple[float, float]:
    """The place of an event in the window."""
    frame, trace = screen.diagram_at(interface, *middle(interface)), screen.desk.front.timeline.trace
    place = frame.plan.place(step, trace.event(step)[TIME])
    return frame.on_screen(frame.x(place), frame.y(trace.event(step)[NODE]))


@pytest.mark.parametrize("view", ["both", "space-time"])
@pytest.mark.parametrize(
    "diagram", [DiagramView(), DiagramView(logical=True), DiagramView(down=True), DiagramView(True, True)]
)
def test_a_click_on_an_event_goes_there_and_highlights_its_causes(view, diagram):
    interface, screen = opened(view, diagram=diagram)
    interface = changed(interface, diagram=diagram)
    trace = screen.desk.front.timeline.trace
    step = max(k for k in range(100) if trace.event(k)[KIND] == DELIVER and k not in (0,))
    at = event_at(screen, interface, step)
    found = screen.under_in_diagram(interface, *at)
    assert found.startswith("event:")
    interface = update(interface, screen, Press(*at))
    interface = update(interface, screen, Release(*at))
    assert interface.selected_id == found
    assert screen.desk.front.timeline.step == int(found[6:]) + 1
    strip = next(shown for shown in screen.panels(interface) if shown.name == "strip")
    highlighted = [s for s in all_of(strip.group.shapes) if isinstance(s, Circle) and s.fill == LIGHT.accent]
    assert len(highlighted) > 3


def all_of(shapes):
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from all_of(shape.shapes)
        else:
            yield shape


def test_the_wheel_zooms_around_the_pointer():
    interface, screen = opened("space-time")
    x, y = middle(interface)
    for notches in (1.0, 3.0, -2.0):
        before = screen.diagram_at(interface, x, y)
        interface = update(interface, screen, Wheel(x, y, notches))
        after = screen.diagram_at(interface, x, y)
        assert (after.span.length < before.span.length) == (notches > 0)
        assert after.moment(x, y) == pytest.approx(before.moment(x, y))
    interface = update(interface, screen, Wheel(x, y, 100.0))
    assert span_of(interface, screen.desk).length == pytest.approx(2.0)
    interface = update(interface, screen, Wheel(x, y, -200.0))
    assert span_of(interface, screen.desk).length == pytest.approx(2 * screen.desk.front.horizon)
    interface = update(interface, screen, Key("Z"))
    assert interface.diagram == DiagramView()


def test_the_diagram_can_be_dragged_and_comes_back_when_the_run_goes_on():
    interface, screen = opened("space-time")
    interface = update(interface, screen, Key("*"))
    x, y = middle(interface)
    y -= 3  # between two lines
    before = span_of(interface, screen.desk)
    empty = next(x for x in range(int(x), 1200) if not screen.under_in_diagram(interface, x, y))
    interface = update(interface, screen, Press(empty, y))
    interface = update(interface, screen, Motion(empty + 400, y))
    interface = update(interface, screen, Release(empty + 400, y))
    after = span_of(interface, screen.desk)
    assert after.start < before.start
    assert after.length == pytest.approx(before.length)
    for _ in range(4):
        interface = update(interface, screen, Key("<"))
    assert span_of(interface, screen.desk).start == 0.0
    span = span_of(interface, screen.desk)
    assert not span.start <= interface.playback.time <= span.end
    interface = update(interface, screen, Key("Right"))
    for _ in range(20):
        interface = update(interface, screen, Tick(0.1))
    span = span_of(interface, screen.desk)
    assert span.start <= interface.playback.time <= span.end


def test_keys_zoom_and_scroll_and_the_menu_turns_it_about():
    interface, screen = opened("space-time")
    length = span_of(interface, screen.desk).length
    interface = update(interface, screen, Key("*"))
    assert span_of(interface, screen.desk).length < length
    interface = update(interface, screen, Key("/"))
    assert span_of(interface, screen.desk).length == pytest.approx(length)
    start = span_of(interface, screen.desk).start
    interface = update(interface, screen, Key(">"))
    assert span_of(interface, screen.desk).start > start
    for entry, field in ((1, "logical"), (3, "down"), (5, "everybody")):
        interface = perform(interface, screen.desk, intents.open_menu("diagram"))
        interface = perform(interface, screen.desk, intents.choose_entry(entry))
        assert getattr(interface.diagram, field)
        check_draws(interface, screen)


def test_an_event_that_no_longer_exists_is_deselected():
    interface, screen = opened()
    interface = perform(interface, screen.desk, intents.go_to_event(100))
    assert interface.selected_id == "event:100"
    interface = perform(interface, screen.desk, intents.seek_step(20))
    assert interface.selected_id == "event:100"
    interface = perform(interface, screen.desk, intents.intervene(("crash", (("node", 2),))))
    assert interface.selected_id == ""


def test_the_card_of_an_event_states_its_facts():
    for view in ("both", "space-time"):
        interface, screen = opened(view)
        interface = perform(interface, screen.desk, intents.go_to_event(60))
        cards = next(shown for shown in screen.panels(interface) if shown.name == "cards")
        words = " ".join(shape.text for shape in all_of(cards.group.shapes) if isinstance(shape, Text))
        assert "Event 61" in words
        assert f"causal depth = {screen.desk.front.ledger.logical_times.of_step(60)}" in words
        causes = len(causal_past(screen.desk.front.timeline.trace, 60, 0).steps) - 1
        assert f"causes = {causes}" in words


def test_a_lost_message_is_not_an_event_of_a_process():
    timeline = run_of("token-ring", events=(Event(2.5, "lose-token"),), network=Network())
    logical_times, trace = depths_of(timeline), timeline.trace
    lost = [k for k in range(len(trace)) if trace.event(k)[KIND] == LOST]
    assert not set(lost) & set(logical_times.steps(0, 1e9))


def test_only_tokens_are_dashed_by_their_lives():
    asking = run_of("ricart-agrawala", until=12.0)
    assert all(not line.dash for line in arrows(diagram_shapes(asking, Span(0, 12), Plan())).values())


@pytest.mark.parametrize("height", [720, 1080, 2160])
def test_a_presented_diagram_is_legible_in_the_last_row(height):
    interface, screen = opened("space-time", presenting=True)
    interface = changed(interface, width=height * 16 // 9, height=height, presenting=True, selection="event:60")
    strip = next(shown for shown in screen.panels(interface) if shown.name == "strip")
    texts = [shape for shape in all_of(strip.group.shapes) if isinstance(shape, Text)]
    names = [text for text in texts if text.id.startswith("node:")]
    labels = [text for text in texts if text.text.startswith(("request", "reply"))]
    assert names
    assert labels
    assert min(text.size for text in names) >= 0.044 * height
    assert min(text.size for text in labels) >= 0.033 * height
    assert min(text.size for text in texts) >= 0.022 * height


# ---- the end -----------------------------------------------------------------------------------------------


def test_an_ended_election_shows_how_it_ended_and_who_had_crashed() -> None:
    desk = desk_of(scenario_of("bully-two-crashes"))
    screen, interface = Screen(desk), interface_of(1280, 720, view="space-time")
    interface = update(interface, screen, Key("End"))
    while interface.playback.goal is not None:
        interface = update(interface, screen, Tick(0.2))
    span = span_of(interface, desk)
    assert span.start < desk.front.now < interface.playback.time <= span.end
    frame = screen.diagram_at(interface, 600, 300)
    options = Options(frame.scale)
    shapes = layer(
        space_time(
            desk.front.cache, desk.front.ledger.spells, span, interface.playback.time, frame.rect, LIGHT, options
        )
    )
    at_edge = [line for line in shapes if isinstance(line, Line) and LIGHT.fault in line and line.x1 < frame.left]
    before = {event.node for event in desk.front.scenario.events if event.do == "crash" and event.at < span.start}
    assert {min(frame.lanes, key=lambda node: abs(frame.y(node) - line.y1)) for line in at_edge} == before != set()
