"""The graph picture as facts about its shapes: places of messages, looks of nodes, cached groups and highlights."""

from __future__ import annotations

import json
import math
from itertools import combinations
from random import Random

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, NODE, SENDER, SENT, SEQ
from algorithms.engine.process import Algorithm, Message, MutexProcess
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Poisson, Request, Saturated, Script
from tests.benchmarks import scene
from tests.support.shapes import AREA, flat, graph_shapes, ids, marks, placed, texts
from visual.analysis.run_cache import RunCache
from visual.drawing.picking import bounds, overlap, pick
from visual.drawing.shapes import Arc, Circle, Group, Line, Mark, Polygon, Rect, Shape, Text
from visual.drawing.theme import NAMES, load
from visual.narration.node_facts import GROWN, all_facts
from visual.scene.graph.layout import Layout, arrange
from visual.scene.graph.legend import entries, legend
from visual.scene.graph.links import SUSPICION
from visual.scene.graph.messages import Reach, family_of, lane, reach_of
from visual.scene.graph.nodes import look_of
from visual.scene.graph.nodes import nodes as drawn_nodes
from visual.scene.options import PLAIN, Options, measures
from visual.words import message_label, message_type

LIGHT = load("light")
JITTER = Network(delay=Uniform(0.8, 1.2))


def ricart_agrawala(nodes: int = 5, events: tuple[Event, ...] = (), **more: object) -> Timeline:
    scenario = Scenario("ricart-agrawala", nodes=nodes, seed=7, network=JITTER, load=Closed(think=3.0), events=events)
    return catalog.timeline(scenario if not more else Scenario(**{**vars(scenario), **more}))


IN_MOTION = Options(arrows=False)


def node(shapes: list[Shape], number: int) -> Group:
    return next(s for s in shapes if isinstance(s, Group) and s.id == f"node:{number}")


# ---- messages ----------------------------------------------------------------------------------------------


def test_a_message_has_that_part_of_its_lane_behind_it_that_time_says() -> None:
    """Also where it gives way, which it does across its lane."""
    timeline = ricart_agrawala(nodes=4)
    layout, checked = arrange(timeline.simulation, AREA), 0
    sizes = measures(layout, LIGHT, Options())
    for step in range(1, 60):
        timeline.seek(step)
        run = timeline.simulation
        for entry in run.queue.between_processes():
            way = layout.link_lines[entry[SENDER], entry[NODE]]
            there = lane(way, reach_of(message_label(entry[4]), way, sizes), sizes)
            for part in (0.0, 0.25, 0.5, 1.0):
                t = entry[SENT] + part * (entry[0] - entry[SENT])
                mark = marks(graph_shapes(timeline, t, IN_MOTION))[f"message:{entry[SEQ]}"]
                length = math.hypot(there.dx, there.dy)
                behind = ((mark.x - there.x) * there.dx + (mark.y - there.y) * there.dy) / length
                assert behind == pytest.approx(part * length)
                checked += 1
    assert checked > 100


def test_a_lane_leads_from_the_senders_rim_to_the_receivers_and_keeps_to_its_right() -> None:
    timeline = ricart_agrawala(nodes=5)
    layout = arrange(timeline.simulation, AREA)
    sizes = measures(layout, LIGHT, Options())
    for a, b in combinations(range(5), 2):
        for sender, receiver in ((a, b), (b, a)):
            way = layout.link_lines[sender, receiver]
            there = lane(way, Reach(30, 30), sizes)
            (sx, sy), (rx, ry) = layout.places[sender], layout.places[receiver]
            assert math.dist((there.x, there.y), (sx, sy)) >= layout.radius
            assert math.dist(there.at(1.0), (rx, ry)) >= layout.radius
            for part in (0.0, 1.0):
                x, y = there.at(part)
                assert (rx - sx) * (y - sy) - (ry - sy) * (x - sx) > 0  # y grows downwards: positive is right
    assert lane(layout.link_lines[0, 1], Reach(30, 30), sizes).at(0.5) != pytest.approx(
        lane(layout.link_lines[1, 0], Reach(30, 30), sizes).at(0.5)
    )


def test_every_message_in_flight_has_one_mark_with_its_own_id() -> None:
    network = Network(delay=Uniform(0.5, 1.5), duplicate=0.3, fifo=False, loss=0.1)
    timeline = catalog.timeline(Scenario("token-ring", nodes=6, seed=2, network=network))
    for step in range(0, 80):
        timeline.seek(step)
        flying = [f"message:{entry[SEQ]}" for entry in timeline.simulation.queue.between_processes()]
        shown = [shape.id for shape in graph_shapes(timeline) if isinstance(shape, Mark)]
        assert sorted(shown) == sorted(flying)
        assert len(set(shown)) == len(shown)


def test_a_mark_says_type_and_stamp_in_the_look_of_its_family() -> None:
    timeline = ricart_agrawala(nodes=3, load=Script(requests=(Request(0, 1),)))
    timeline.seek(2)
    shown = marks(graph_shapes(timeline))
    assert {(mark.label, mark.family, mark.form) for mark in shown.values()} == {("request 1,1", "ask", "pill")}
    timeline.seek(3)
    assert "reply" in {mark.label for mark in marks(graph_shapes(timeline)).values()}


def test_a_message_that_is_held_up_waits_at_its_receiver() -> None:
    timeline = ricart_agrawala(nodes=3, load=Script(requests=(Request(0, 1),)))
    timeline.seek(2)
    due = max(entry[0] for entry in timeline.simulation.queue.between_processes())
    assert marks(graph_shapes(timeline, due)) == marks(graph_shapes(timeline, due + 5))


def test_two_copies_on_one_lane_are_side_by_side() -> None:
    event = Event(0.3, "duplicate", node=1, to=0)
    timeline = ricart_agrawala(nodes=3, load=Script(requests=(Request(0, 1),)), events=(event,))
    timeline.seek_time(0.3)
    pair = [
        m
        for e in timeline.simulation.queue.between_processes()
        if e[NODE] == 0
        for m in [marks(graph_shapes(timeline))[f"message:{e[SEQ]}"]]
    ]
    assert len(pair) == 2
    assert math.dist(pair[0][:2], pair[1][:2]) >= 2 * pair[0].size


def test_pairs_on_one_lane_move_without_jumps() -> None:
    timeline = ricart_agrawala(nodes=5)
    before: dict[str, Mark] = {}
    moment, fastest = 0.0, 0.0
    timeline.seek(1)
    while timeline.simulation.now < 12:
        ahead = timeline.simulation.next_time()
        while ahead is not None and moment < ahead:
            now = marks(graph_shapes(timeline, moment, IN_MOTION))
            for name in now.keys() & before.keys():
                fastest = max(fastest, math.dist(now[name][:2], before[name][:2]))
            before, moment = now, moment + 0.02
        timeline.forward()
    assert 5 < fastest < 25  # pixels in 0.02 units of time: a lane is crossed in about 1


def test_pills_pass_behind_nodes_and_dots_of_a_crowd_in_front() -> None:
    few, many = ricart_agrawala(nodes=5), ricart_agrawala(nodes=60)
    for timeline, behind in ((few, True), (many, False)):
        timeline.seek(20)
        shapes = graph_shapes(timeline)
        flying = [i for i, s in enumerate(shapes) if isinstance(s, Mark)]
        circles = [i for i, s in enumerate(shapes) if isinstance(s, Group) and "node:1" in ids(s)]
        assert (max(flying) < min(circles)) if behind else (min(flying) > max(circles))
        assert {shapes[i].form for i in flying} == {"pill" if behind else "dot"}  # type: ignore[union-attr]


def test_arrows_show_the_direction_of_flight_in_stills_only() -> None:
    timeline = ricart_agrawala(nodes=3, load=Script(requests=(Request(0, 0),)))
    timeline.seek(2)
    layout = arrange(timeline.simulation, AREA)
    for entry in timeline.simulation.queue.between_processes():
        (x1, y1), (x2, y2) = layout.places[entry[SENDER]], layout.places[entry[NODE]]
        mark = marks(graph_shapes(timeline))[f"message:{entry[SEQ]}"]
        assert mark.toward == pytest.approx(math.degrees(math.atan2(y2 - y1, x2 - x1)), abs=15)
    assert {mark.toward for mark in marks(graph_shapes(timeline, options=Options(arrows=False))).values()} == {None}


def test_a_lost_message_leaves_a_trail_with_a_cross_for_a_moment() -> None:
    timeline = ricart_agrawala(
        nodes=3, load=Script(requests=(Request(0, 1),)), events=(Event(0.5, "drop", node=1, to=0),)
    )
    timeline.seek_time(0.5)
    assert timeline.simulation.trace.event(timeline.step - 1)[KIND] != DELIVER

    def trails(t: float) -> list[Group]:
        return [
            s
            for s in graph_shapes(timeline, t)
            if isinstance(s, Group) and any(isinstance(c, Line) and c.dash for c in s.shapes)
        ]

    (fresh,), (old,) = trails(0.5), trails(0.5 + 0.7)
    assert all(shape.stroke == LIGHT.fault for shape in fresh.shapes if isinstance(shape, Line))
    assert len(fresh.shapes) == 3  # a dashed line, and the two strokes of the cross
    assert fresh.opacity > old.opacity > 0
    assert not trails(0.5 + 0.9)
    layout, line = arrange(timeline.simulation, AREA), fresh.shapes[0]
    assert isinstance(line, Line)
    sizes = measures(layout, LIGHT, Options())
    there = lane(layout.link_lines[1, 0], Reach(0.5 * sizes.label, 0.5 * sizes.label), sizes)
    record = next(r for r in timeline.trace.step(timeline.step - 1) if r[KIND] != DELIVER and len(r) == 8)
    assert (line.x2, line.y2) == pytest.approx(there.at((0.5 - record[SENT]) / (record[7] - record[SENT])))


def test_the_head_of_the_way_just_flown_is_outside_the_rings_of_its_receiver() -> None:
    timeline, inside = ricart_agrawala(nodes=3), 0
    for step in range(1, 40):
        timeline.seek(step)
        for way in (s for s in graph_shapes(timeline) if isinstance(s, Line) and s.stroke == LIGHT.accent):
            receiver = timeline.trace.event(step - 1)[NODE]
            node = next(s for s in graph_shapes(timeline) if isinstance(s, Group) and s.id == f"node:{receiver}")
            rings = [s.r + s.width / 2 for s in node.shapes if isinstance(s, Circle)]
            assert math.hypot(way.x2 - node.x, way.y2 - node.y) >= max(rings)
            inside += len(rings) > 1
    assert inside


def test_the_message_just_delivered_leaves_its_way_lit() -> None:
    timeline = ricart_agrawala(nodes=3)
    for step in range(1, 30):
        timeline.seek(step)
        event = timeline.trace.event(step - 1)
        ways = [s for s in graph_shapes(timeline) if isinstance(s, Line) and s.stroke == LIGHT.accent]
        assert len(ways) == (event[KIND] == DELIVER and event[SENDER] != event[NODE])
        facts = all_facts(RunCache(timeline.simulation))
        assert [seen.node for seen in facts if seen.lit == "acts"] == ([event[NODE]] if event[NODE] >= 0 else [])
        assert [seen.node for seen in facts if seen.lit == "sent"] == (
            [event[SENDER]] if event[KIND] == DELIVER else []
        )


# ---- nodes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", NAMES)
def test_states_differ_in_fill_ring_and_word(theme: str) -> None:
    timeline = ricart_agrawala(
        nodes=5,
        load=Script(requests=(Request(1, 0), Request(1.2, 1)), hold=Fixed(3.0)),
        events=(Event(4, "crash", node=3), Event(4, "pause", node=4)),
    )
    timeline.seek_time(4.5)
    shapes = graph_shapes(timeline, theme=theme)
    states = {seen.state: seen.node for seen in all_facts(RunCache(timeline.simulation))}
    assert set(states) == {"idle", "wanting", "inside", "crashed", "paused"}
    looks = {}
    for state, number in states.items():
        parts = node(shapes, number).shapes
        rings = [part for part in parts if isinstance(part, Circle)]
        looks[state] = (rings[0].fill, (rings[0].width, rings[0].dash, len(rings)), load(theme).states[state].word)
        assert any(text.startswith(looks[state][2]) for text in texts(parts))
    for one, other in combinations(looks.values(), 2):
        assert all(a != b for a, b in zip(one, other, strict=True))
    crosses = [
        s for s in node(shapes, states["crashed"]).shapes if isinstance(s, Line) and s.stroke == load(theme).fault
    ]
    assert len(crosses) == 2


def test_a_node_shows_name_clock_queue_and_backlog() -> None:
    events = tuple(Event(at, "request", node=1) for at in (2.0, 2.1))
    timeline = ricart_agrawala(
        nodes=3, load=Script(requests=(Request(0, 0), Request(0.1, 1), Request(0.2, 2))), events=events
    )
    timeline.seek_time(2.3)
    shapes = graph_shapes(timeline)
    shown = texts(node(shapes, 0).shapes)
    process = timeline.simulation.processes[0]
    assert process.deferred == {1, 2}
    assert {"P0", "IN CS", str(process.clock), "deferred", "P1", "P2"} <= set(shown)
    assert "+2" in texts(node(shapes, 1).shapes)


def test_the_head_of_a_queue_is_outlined_and_long_queues_are_counted() -> None:
    scenario = Scenario("centralized", nodes=9, seed=1, load=Saturated())
    timeline = catalog.timeline(scenario)
    timeline.seek_time(1.5)
    queue = list(timeline.simulation.processes[0].queue)
    parts = node(graph_shapes(timeline), 0).shapes
    bold = [s.text for s in parts if isinstance(s, Text) and s.family == "mono" and s.weight == "bold"]
    assert len(queue) > 5
    assert bold == [f"P{queue[0]}"]
    assert f"+{len(queue) - 4}" in texts(parts)


@pytest.mark.parametrize(
    ("do", "victim", "polygons", "words"),
    [
        ("pause", 2, 1, "has the token"),
        ("lose-token", 2, 1, "has lost it, unawares"),
        ("duplicate-token", 2, 2, "has two, unawares"),
        ("crash", 1, 1, "took the token with it"),
    ],
)
def test_who_holds_the_token_and_what_has_become_of_it(do: str, victim: int, polygons: int, words: str) -> None:
    load = Script(requests=(Request(0, 1),), hold=Fixed(5.0))
    timeline = catalog.timeline(Scenario("token-ring", nodes=4, load=load, events=(Event(1.5, do, node=victim),)))
    timeline.seek_time(2.0)
    run = timeline.simulation
    assert run.processes[1].holding()
    diamonds = [s for s in node(graph_shapes(timeline), 1).shapes if isinstance(s, Polygon)]
    assert len(diamonds) == polygons
    assert words in {entry.words for entry in entries(RunCache(run), run.now, LIGHT)}
    crossed = [s for s in node(graph_shapes(timeline), 1).shapes if isinstance(s, Line)]
    assert len(crossed) == 2 * (do in ("lose-token", "crash"))
    assert not [s for s in node(graph_shapes(timeline), 0).shapes if isinstance(s, Polygon)]


def test_belief_is_drawn_on_who_believes_and_the_crown_on_who_takes_itself_for_the_leader() -> None:
    timeline = catalog.timeline(Scenario("bully", nodes=4, seed=1, load=Script(requests=(Request(0, 1),))))
    timeline.seek_time(30)
    shapes = graph_shapes(timeline)
    assert [seen.is_leader for seen in all_facts(RunCache(timeline.simulation))] == [False, False, False, True]
    for number in range(3):
        assert "P3" in texts(node(shapes, number).shapes)
    assert texts(node(shapes, 3).shapes).count("P3") == 1  # its own name


def test_a_suspicion_is_on_the_suspecting_end_of_the_way() -> None:
    crash = (Event(10, "crash", node=0),)
    scenario = Scenario("centralized", variant="detecting", nodes=4, seed=1, load=Closed(think=5.0), events=crash)
    timeline = catalog.timeline(scenario)
    timeline.seek_time(16)
    run, layout = timeline.simulation, arrange(timeline.simulation, AREA)
    believed = {(seen.node, other) for seen in all_facts(RunCache(run)) for other in seen.suspects}
    assert believed == {(2, 0), (3, 0)}
    signs = [s for s in flat(graph_shapes(timeline)) if isinstance(s, Text) and s.text == SUSPICION]
    assert len(signs) == 2
    for sign in signs:
        owner = min(range(4), key=lambda i: math.dist(layout.places[i], (sign.x, sign.y)))
        assert (owner, 0) in believed
    assert "suspects a crash" in {entry.words for entry in entries(RunCache(run), run.now, LIGHT)}


def test_a_selected_node_has_a_ring_around_it() -> None:
    timeline = ricart_agrawala(nodes=3)
    plain, chosen = graph_shapes(timeline), graph_shapes(timeline, options=Options(selected="node:2"))
    assert node(plain, 1) == node(chosen, 1)
    extra = set(node(chosen, 2).shapes) - set(node(plain, 2).shapes)
    assert [(ring.r > arrange(timeline.simulation, AREA).radius, ring.stroke) for ring in extra] == [
        (True, LIGHT.accent)
    ]  # type: ignore[union-attr]


def test_the_key_of_a_node_changes_exactly_with_what_is_seen_of_it() -> None:
    timeline = ricart_agrawala(nodes=5, events=(Event(6, "crash", node=4), Event(9, "recover", node=4)))
    kept: dict[object, tuple[Shape, ...]] = {}
    changes = 0
    for step in range(0, 90):
        timeline.seek(step)
        for number in range(5):
            group = node(graph_shapes(timeline), number)
            assert kept.setdefault(group.key, group.shapes) == group.shapes
        changes = len(kept)
    assert len(set(kept.values())) == len(kept)
    assert 20 < changes < 200


def test_what_is_shown_does_not_depend_on_what_was_shown_before() -> None:
    timeline, fresh = ricart_agrawala(nodes=4), ricart_agrawala(nodes=4)
    for step in (30, 12, 31, 12, 0, 45):
        timeline.seek(step)
        graph_shapes(timeline)
    timeline.seek(20)
    timeline.act(Event(0, "crash", node=1))
    timeline.undo()
    timeline.act(Event(0, "crash", node=2))
    timeline.seek(24)
    fresh.seek(20)
    fresh.act(Event(0, "crash", node=2))
    fresh.seek(24)
    assert graph_shapes(timeline) == graph_shapes(fresh)


class Ping(Message):
    pass


class Caller(MutexProcess):
    """Asks the next process, and counts how often it reaches nobody."""

    def setup(self) -> None:
        self.missed = 0

    def acquire(self) -> None:
        self.send(Ping(), to=(self.id + 1) % self.size)

    def on_ping(self, ping: Ping, sender: int) -> None:
        pass

    def unreached(self, message: Message, to: int) -> None:
        self.missed += 1


def test_who_learns_that_nobody_was_reached_is_seen_so() -> None:
    algorithm = Algorithm("caller", "Caller", "", "", Caller, looks={Ping: "ask"}, badge="missed")
    asked = Script(requests=(Request(1.0, 0), Request(1.5, 2)))
    scenario = Scenario("caller", nodes=4, load=asked, events=(Event(0.5, "crash", node=1),))
    timeline = Timeline(scenario, algorithm)
    timeline.seek(4)  # both are on their way
    cache = RunCache(timeline.simulation)
    before = all_facts(cache)[0]
    timeline.seek(6)
    assert timeline.simulation.processes[0].missed == 1
    assert all_facts(cache)[0].badge != before.badge


@pytest.mark.parametrize("name", [name for name in catalog.by_name() if not name.startswith("system-")])
def test_what_is_seen_on_the_way_is_what_is_seen_afresh(name: str) -> None:
    events = (Event(9, "crash", node=2), Event(15, "recover", node=2), Event(20, "lose-token"))
    scenario = Scenario(name, nodes=6, load=Closed(think=8.0), events=events)
    timeline, dice = catalog.timeline(scenario), Random(name)
    cache = RunCache(timeline.simulation)
    for _ in range(25):
        timeline.seek(max(0, timeline.step + dice.choice((1, 1, 2, 5, -1, -4))))
        fresh = catalog.timeline(scenario)
        fresh.seek(timeline.step)
        assert all_facts(cache) == all_facts(RunCache(fresh.simulation))


# ---- channels, picking, legend -----------------------------------------------------------------------------


def test_cut_links_are_drawn_as_cut() -> None:
    timeline = ricart_agrawala(nodes=4, events=(Event(1, "cut", node=0, to=2), Event(5, "heal")))
    for t, cut in ((0.5, False), (1.5, True), (5.5, False)):
        timeline.seek_time(t)
        lines = [s for s in flat(graph_shapes(timeline)) if isinstance(s, Line)]
        (link,) = [line for line in lines if line.id == "link:0-2"]
        assert bool(link.dash) == cut
        assert len({line.id for line in lines if line.id}) == 6


def test_the_channels_are_one_group_kept_from_frame_to_frame() -> None:
    timeline = ricart_agrawala(nodes=6)
    first = graph_shapes(timeline)[0]
    timeline.seek(25)
    assert isinstance(first, Group)
    assert first.key is not None
    assert graph_shapes(timeline)[0] == first


def test_nodes_and_messages_can_be_picked() -> None:
    timeline = ricart_agrawala(nodes=3, load=Script(requests=(Request(0, 1),)))
    timeline.seek(2)
    shapes, layout = graph_shapes(timeline, 0.4), arrange(timeline.simulation, AREA)
    assert [pick(shapes, *place) for place in layout.places] == ["node:0", "node:1", "node:2"]
    for name, mark in marks(shapes).items():
        assert pick(shapes, mark.x, mark.y) == name


def test_the_legend_lists_what_a_run_always_shows_and_what_is_unusual_now() -> None:
    timeline = ricart_agrawala(nodes=4, events=(Event(4, "crash", node=3), Event(7, "cut", node=0, to=1)))
    for step in range(0, 70, 3):
        timeline.seek(step)
        run = timeline.simulation
        found = list(entries(RunCache(run), run.now, LIGHT))
        states = {seen.state for seen in all_facts(RunCache(run))}
        assert {entry.which for entry in found if entry.sign == "state"} == states | {"idle", "wanting", "inside"}
        kinds = {type(entry[4]) for entry in run.queue.between_processes()}
        listed = {entry.words: entry.which for entry in found if entry.sign == "message"}
        assert {message_type(kind): family_of(kind, run) for kind in kinds}.items() <= listed.items()
        assert ("cut" in {entry.sign for entry in found}) == bool(run.post.channels.cut)
        written = texts([legend(RunCache(run), run.now, LIGHT)])
        assert [words for words in written if words != "7"] == [entry.words for entry in found]  # "7" is a sample


def test_the_legend_explains_requests_that_wait_behind_another_while_there_are_any() -> None:
    timeline = catalog.timeline(Scenario("token-ring", nodes=4, seed=1, load=Poisson(rate=0.2)))
    told = set()
    for step in range(0, 60, 4):
        timeline.seek(step)
        waits = any(map(timeline.simulation.applications.backlog, range(timeline.scenario.nodes)))
        words = [entry.words for entry in entries(RunCache(timeline.simulation), timeline.simulation.now, LIGHT)]
        assert ("more requests" in words) == waits
        told.add(waits)
    assert told == {False, True}


def test_the_legend_explains_what_waits_at_a_paused_node_while_there_is_anything() -> None:
    timeline = ricart_agrawala(nodes=4, events=(Event(4, "pause", node=3),))
    told = set()
    for step in range(0, 60, 4):
        timeline.seek(step)
        waits = bool(timeline.simulation.inboxes.get(3))
        words = [entry.words for entry in entries(RunCache(timeline.simulation), timeline.simulation.now, LIGHT)]
        assert ("waits meanwhile" in words) == waits
        told.add(waits)
    assert told == {False, True}


def test_a_crowd_has_names_beside_its_tiny_nodes() -> None:
    timeline = catalog.timeline(Scenario("token-ring", nodes=200, seed=1, load=Saturated()))
    timeline.seek_time(21.5)
    names = [s for s in flat(graph_shapes(timeline)) if isinstance(s, Text) and s.text.startswith("P")]
    assert {"P0", "P40", "P100"} <= {name.text for name in names}
    inside = {f"P{p.id}" for p in timeline.simulation.processes if p.inside}
    assert inside
    assert inside <= {name.text for name in names if name.weight == "bold"}
    regular = [bounds(name) for name in names if name.weight == "normal"]
    for a, b in combinations(regular, 2):
        assert a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y


def test_few_nodes_are_all_named_though_large_text_has_no_room_in_them() -> None:
    timeline, area, options = ricart_agrawala(nodes=5), Rect(0, 0, 850, 180), Options(scale=3.0)
    timeline.seek(25)
    assert not measures(arrange(timeline.simulation, area), LIGHT, options).name
    names = [s for s in flat(graph_shapes(timeline, options=options, area=area)) if isinstance(s, Text)]
    boxes = [bounds(name) for name in names if name.text in {f"P{node}" for node in range(5)}]
    assert len(boxes) == 5
    assert not any(all(overlap(one, other)[2:]) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("width", [500, 2000])
def test_who_has_a_longer_time_out_than_before_is_marked_however_small(width: int) -> None:
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("wandering-token-overload")))
    timeline.seek(1200)
    run = timeline.simulation
    facts = all_facts(RunCache(run))
    grown = {f"node:{seen.node}" for seen in facts if seen.badge.endswith(GROWN)}
    drawn = drawn_nodes(facts, arrange(run, Rect(0, 0, width, 0.6 * width)), load("light"), PLAIN)
    with_arrow = {
        group.id
        for group in drawn
        for shape in group.shapes
        if (isinstance(shape, Text) and "↑" in shape.text) or (isinstance(shape, Polygon) and len(shape.points) == 7)
    }
    assert 0 < len(grown) < len(drawn)
    assert with_arrow == grown
    assert any(entry.sign == "badge" for entry in entries(RunCache(run), run.now, load("light")))


def test_presenting_sizes_are_for_the_last_row() -> None:
    for height in (720, 1080, 2160):
        timeline = ricart_agrawala(nodes=5)
        timeline.seek(25)
        run = timeline.simulation
        layout: Layout = arrange(run, Rect(0, 0, height * 16 / 9, height * 0.86))
        sizes = measures(layout, LIGHT, Options(scale=height / 1080, presenting=True))
        assert sizes.name >= 0.044 * height
        assert sizes.badge >= 0.044 * height
        assert sizes.label >= 0.033 * height
        assert sizes.chip >= 0.033 * height, "a queue is what the lesson is about"
        assert sizes.word >= 0.022 * height
        assert sizes.stroke >= 3 * height / 1080


@pytest.mark.parametrize(
    ("height", "scale", "is_inside"), [(300, 0.75, True), (300, 1.0, False), (300, 1.5, False), (500, 2.0, False)]
)
def test_larger_text_stands_beside_circles_that_have_no_room(height: int, scale: float, is_inside: bool) -> None:
    timeline = ricart_agrawala(nodes=5)
    timeline.seek(25)
    run, area = timeline.simulation, Rect(0, 0, 1.5 * height, height)
    sizes = measures(arrange(run, area), LIGHT, Options(scale=scale))
    shapes = graph_shapes(timeline, options=Options(scale=scale), area=area)
    nodes = [shape for shape in shapes if isinstance(shape, Group) and shape.id.startswith("node:")]
    for node in nodes:
        found = {shape.text: box for shape, box in placed((node,)) if isinstance(shape, Text)}
        word = next(box for text, box in found.items() if text in ("idle", "waiting", "IN CS"))
        assert area.y <= word.y
        others = [box for other in nodes for shape, box in placed((other,)) if isinstance(shape, Text) and box != word]
        assert not any(all(overlap(word, other)[2:]) for other in others)
    assert (sizes.word if is_inside else sizes.outer_word) >= 11 * scale


def test_a_node_that_takes_no_part_is_an_outline() -> None:
    assert look_of("absent", LIGHT).word == "absent"
    assert look_of("absent", LIGHT).ring != look_of("idle", LIGHT).ring


@pytest.mark.bench
def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    scene.main(["--tiny"])
    result = json.loads(capsys.readouterr().out)
    assert set(result["10"]) == {"still_ms", "step_ms", "bare_ms", "x_bare"}


# ---- elections ---------------------------------------------------------------------------------------------


def election(name: str, time: float) -> list[Shape]:
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(name)))
    timeline.seek_time(time)
    return graph_shapes(timeline, time)


def test_the_roles_of_an_election_have_words_looks_and_rings() -> None:
    """At 6.5 of the scenario P4 is down, P1, P2 and P3 wait for answers for 2.5, and P0 knows of nothing."""
    shapes = election("bully-two-crashes", 6.5)
    words = [texts(node(shapes, number).shapes)[1] for number in range(5)]
    assert words == ["follower", "answers?", "answers?", "answers?", "crashed"]
    left = {text.text for text in shapes if isinstance(text, Text)}
    assert left == {"1.0", "2.0"}  # asked at 5.0 and 6.0
    rings = [shape for shape in shapes if isinstance(shape, Arc) and shape.stroke == LIGHT.pending]
    assert sorted(ring.share for ring in rings) == [pytest.approx(share) for share in (0.4, 0.8, 0.8)]  # of 2.5
    looks = [look_of(role, LIGHT) for role in ("idle", "follower", "answers?", "awaiting coordinator", "leader")]
    assert len({(look.fill, look.ring_style) for look in looks}) == len(looks)


def test_a_number_of_its_own_is_in_the_circle_and_not_in_the_badge() -> None:
    timeline = catalog.timeline(scenario_file.load(scenario_file.find("ring-election-numbers")))
    timeline.seek_time(6.0)
    shapes = graph_shapes(timeline, 6.0)
    assert [texts(node(shapes, number).shapes) for number in (0, 7)] == [["P0: 17", "electing"], ["P7: 33", "idle"]]
    assert {fact.badge for fact in all_facts(RunCache(timeline.simulation))} == {""}


def test_the_rows_of_a_legend_do_not_come_and_go_along_an_election() -> None:
    seen = set()
    for time in (0.0, 4.5, 6.5, 12.0, 30.0):
        timeline = catalog.timeline(scenario_file.load(scenario_file.find("bully-two-crashes")))
        timeline.seek_time(time)
        run = timeline.simulation
        seen.add(
            tuple(e.words for e in entries(RunCache(run), time, LIGHT) if e.which != "crashed" and e.sign != "lost")
        )
    assert len(seen) == 1
    assert {"waiting for answers", "waiting for the coordinator", "timeout: time left"} <= set(*seen)
