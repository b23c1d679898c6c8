"""The circle of identifiers as facts about its shapes: places, keys, routes, quorum sets, pointers, queues."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from random import Random

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, SENT, SEQ, Record
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Poisson
from algorithms.peer_to_peer.overlay import CIRCLE
from tests.support.legibility import contrast
from tests.support.shapes import AREA, flat, graph_shapes, texts
from visual.analysis.ledger import Ledger
from visual.analysis.overlay_state import client_of, overlay_state, routes
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.marks import body
from visual.drawing.picking import bounds, overlap, pick
from visual.drawing.shapes import FAMILIES, Group, Line, Mark, Polygon, Polyline, Rect, Shape, Text
from visual.drawing.theme import NAMES, load
from visual.narration.inspection import inspect_message, inspect_node
from visual.scene.graph.layout import arrange
from visual.scene.graph.legend import entries
from visual.scene.graph.messages import tracks
from visual.scene.graph.placing import MOST_NODES_APART, identifier_circle, pushed_apart, spread_on_circle
from visual.scene.graph.run_graph import graph
from visual.scene.options import PLAIN, Options
from visual.scene.overlay.overlay_picture import cards, key_mark
from visual.scene.overlay.paths import ClientStyles, visible_pointers
from visual.scene.space_time.frame import Span
from visual.scene.space_time.process_selection import select_processes
from visual.words import message_label, message_type

LIGHT = load("light")
PROTOCOLS = ("sigma", "end-to-end", "non-end-to-end")


def figure(number: int, time: float) -> Timeline:
    timeline = catalog.timeline(scenario_file.load(f"assets/scenarios/p2p-figure-{number}.toml"))
    timeline.seek_time(time)
    return timeline


def busy(name: str, nodes: int, time: float = 30.0, events: tuple[Event, ...] = ()) -> Timeline:
    load = Poisson(rate=0.3 / nodes)
    timeline = catalog.timeline(Scenario(name, nodes=nodes, seed=5, until=200.0, load=load, events=events))
    timeline.seek_time(time)
    return timeline


# ---- places ------------------------------------------------------------------------------------------------


def test_nodes_are_apart_in_the_order_of_their_identifiers_and_none_moves_without_need():
    random = Random(1)
    for nodes in (2, 5, 30, 149):
        parts = [random.random() for _ in range(nodes)]
        least = 0.7 / nodes
        seats = spread_on_circle(parts, least)
        order = sorted(range(nodes), key=parts.__getitem__)
        around_it = [*(seats[i] for i in order), seats[order[0]] + 1]
        assert all(after - before >= least - 1e-9 for before, after in pairwise(around_it))
        roomy = [k / nodes + 0.1 / nodes * random.random() for k in range(nodes)]
        assert spread_on_circle(roomy, least) == pytest.approx(roomy)


def test_two_nodes_at_one_place_give_way_by_half_each_also_where_the_circle_closes():
    assert spread_on_circle([0.5, 0.5], 0.1) == pytest.approx([0.45, 0.55])
    assert sorted(place % 1 for place in spread_on_circle([0.99, 0.01], 0.1)) == pytest.approx([0.05, 0.95])


def test_what_is_pushed_apart_stays_as_near_as_it_can():
    assert pushed_apart([0, 0, 0], [1, 2]) == pytest.approx([-4 / 3, -1 / 3, 5 / 3])
    assert pushed_apart([0, 5, 9], [1, 2]) == pytest.approx([0, 5, 9])


@pytest.mark.parametrize("nodes", [1, 3, 30, 150, 500])
def test_each_identifier_is_ticked_where_it_is_on_the_circle(nodes):
    run = busy("sigma", nodes, 0.0).simulation
    layout = arrange(run, AREA)
    ticks = {
        shape.id: shape
        for shape in flat(graph_shapes(busy("sigma", nodes, 0.0)))
        if isinstance(shape, Line) and shape.id.startswith("node:")
    }
    assert len(ticks) == nodes
    places = run.processes[0].dht.places
    for node in range(nodes):
        tick = ticks[f"node:{node}"]
        (true,) = layout.circle.ring.at([places[node] / CIRCLE])
        assert (tick.x1, tick.y1) == pytest.approx(true)


@pytest.mark.parametrize("nodes", [2, 10, 30, 100, MOST_NODES_APART])
def test_no_node_lies_on_another_and_all_are_within_the_picture(nodes):
    layout = arrange(busy("sigma", nodes, 0.0).simulation, AREA)
    for one, other in combinations(layout.places, 2):
        assert math.dist(one, other) > (2.65 if nodes <= 10 else 2.2) * layout.radius  # the rings of two inside, too
    for x, y in layout.places:
        assert AREA.x + layout.radius < x < AREA.x + AREA.w - layout.radius
        assert AREA.y + layout.radius < y < AREA.y + AREA.h - layout.radius


def test_a_circle_in_another_rectangle_is_the_one_laid_out_there():
    run = busy("sigma", 12, 0.0).simulation
    wider = Rect(0, 0, 1600, 900)
    assert arrange(run, AREA).within(wider) == arrange(run, wider)
    assert arrange(run, wider).places == tuple(
        (round(x, 2), round(y, 2)) for x, y in identifier_circle(arrange(run, wider).graph.parts, wider).places
    )


@pytest.mark.parametrize("overlay", ["chord", "pastry"])
def test_keys_are_where_they_hash_to_and_lead_to_the_node_that_answers(overlay):
    scenario = Scenario("end-to-end", nodes=9, parameters={"overlay": overlay, "replicas": 5})
    run = catalog.simulation(scenario)
    process = run.processes[4]
    for replica in overlay_state(Moment(run)).replicas:
        key = process.key(replica.number)
        assert replica.part == key / CIRCLE
        assert process.dht.route(4, key)[-1] == replica.node


# ---- routes ------------------------------------------------------------------------------------------------


def hops_sent(timeline: Timeline, ticket: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Replica, sender and receiver of each message that asks with that ticket, by the present step."""
    return sorted(
        (record[MESSAGE].replica, record[SENDER], record[NODE])
        for _, records in timeline.trace.steps(0, timeline.step)
        for record in records[1:]
        if record[KIND] == DELIVER
        and record[SENDER] != record[NODE]
        and getattr(record[MESSAGE], getattr(type(record[MESSAGE]), "asks", ""), None) == ticket
    )


def hops_drawn(cache: RunCache) -> dict[tuple[int, ...], list[tuple[int, int, int]]]:
    """Ticket -> replica, sender and receiver of each hop of its route."""
    found = routes(cache)
    return {
        r.ticket: sorted((hop.replica, hop.sender, hop.receiver) for hop in (*r.completed, *r.current)) for r in found
    }


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_route_has_the_hops_that_the_request_has_made_and_no_other(name):
    timeline = busy(name, 30, 0.0)
    cache, lit = RunCache(timeline.simulation), 0
    for step in range(1, 220):
        timeline.seek(step)
        for ticket, hops in hops_drawn(cache).items():
            client = timeline.simulation.processes[client_of(ticket)]
            assert client.wants
            assert client.ticket[0] == ticket
            assert hops == hops_sent(timeline, ticket)
        lit += sum(len(route.current) for route in routes(cache))
    assert lit > 100


def test_a_route_goes_out_when_its_request_is_served():
    timeline = figure(1, 14.6)
    cache = RunCache(timeline.simulation)
    assert {client_of(route.ticket) for route in routes(cache)} == {0, 1}
    timeline.seek_time(45.0)
    assert routes(cache) == []


def test_the_same_moment_looks_the_same_however_one_came_to_it():
    timeline = busy("end-to-end", 30, 40.0)
    step = timeline.step
    first = graph_shapes(timeline)
    timeline.seek(step // 2)
    there = graph_shapes(timeline)
    timeline.seek(step)
    assert [*flat(graph_shapes(timeline))] == [*flat(first)]
    fresh = busy("end-to-end", 30, 0.0)
    fresh.seek(step // 2)
    assert [*flat(graph_shapes(fresh))] == [*flat(there)]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_routes_follow_a_branch_and_not_the_future_that_was_cut_off(name):
    cut_off = 0
    for time in (10.0, 20.0, 30.0):
        timeline = busy(name, 30, 60.0)
        cache = RunCache(timeline.simulation)
        before = hops_drawn(cache)
        timeline.seek_time(time)
        asking = set(hops_drawn(cache))
        timeline.act(Event(at=time, do="pause", node=3))
        timeline.seek(timeline.step + 12)
        drawn_now = hops_drawn(cache)
        assert asking & set(drawn_now)
        for ticket, hops in drawn_now.items():
            assert hops == hops_sent(timeline, ticket)
        cut_off += len(set(before) - set(drawn_now))
    assert cut_off


# ---- quorum sets, votes, pointers, queues ------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_who_is_inside_has_a_quorum_set_for_each_replica_along_the_overlay_s_way(number):
    run = figure(number, 14.6).simulation
    seen, owner = overlay_state(Moment(run)), run.processes[8]
    assert owner.inside
    sets = {path.replica: path.nodes for path in seen.paths if client_of(path.ticket) == 8}
    assert sets == {replica: tuple(owner.dht.route(8, owner.key(replica))) for replica in range(3)}
    bands = [
        shape for shape in flat(graph_shapes(figure(number, 14.6))) if isinstance(shape, Polyline) and shape.width > 20
    ]
    layout = arrange(run, AREA)
    for nodes in sets.values():
        assert tuple(layout.places[node] for node in nodes) in [band.points for band in bands]


def test_next_and_previous_point_along_the_quorum_sets():
    seen = overlay_state(Moment(figure(1, 14.6).simulation))
    ways = {pair for path in seen.paths for pair in pairwise(path.nodes)}
    assert {(kept.node, kept.following) for kept in seen.pointers if kept.following is not None} == ways
    assert {(kept.previous, kept.node) for kept in seen.pointers if kept.previous != kept.node} == ways


def test_pointers_of_paths_that_have_not_come_to_their_replica_are_not_drawn():
    seen = overlay_state(Moment(figure(2, 15.6).simulation))
    assert {client_of(kept.ticket) for kept in seen.pointers} > {8}
    assert {client_of(kept.ticket) for kept in visible_pointers(seen)} == {8}


def test_a_vote_is_a_band_from_the_replica_to_whom_it_is_for():
    run = busy("sigma", 12, 40.0).simulation
    layout, seen = arrange(run, AREA), overlay_state(Moment(run))
    ways = [shape.points for shape in flat(graph_shapes(busy("sigma", 12, 40.0))) if isinstance(shape, Polyline)]
    given = [vote for vote in seen.votes if client_of(vote.ticket) != vote.node]
    assert given
    for vote in given:
        assert run.processes[vote.node].vote[vote.replica] == vote.ticket
        assert (layout.places[vote.node], layout.places[client_of(vote.ticket)]) in ways


def test_figure_1_s_queue_is_where_somebody_is_inside_and_figure_2_s_are_along_the_way():
    queues = overlay_state(Moment(figure(1, 16.5).simulation)).queues
    assert [(queue.node, queue.replica, queue.waiting) for queue in queues] == [(8, None, (0, 1))]
    run = figure(2, 16.0).simulation
    queues = overlay_state(Moment(run)).queues
    on_the_way = {node for replica in range(3) for node in run.processes[8].dht.route(8, run.processes[8].key(replica))}
    assert len(queues) > 2
    assert {queue.node for queue in queues} <= on_the_way
    assert "R1" in texts(graph_shapes(figure(2, 16.0)))


@pytest.mark.parametrize("nodes", [10, 30, 100, 500])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_cards_keep_off_each_other_and_within_the_picture(name, nodes):
    run = busy(name, nodes).simulation
    layout, moment = arrange(run, AREA), Moment(run)
    shapes = cards(overlay_state(moment), [], ClientStyles(RunCache(run), LIGHT), layout, LIGHT, Options(scale=0.7))
    boxes = [bounds(shape) for shape in shapes if isinstance(shape, Group)]
    assert len(boxes) >= 3
    for one, other in combinations(boxes, 2):
        assert not all(overlap(one, other)[2:])
    for box in boxes:
        assert AREA.x - 1 <= box.x
        assert box.x + box.w <= AREA.x + AREA.w + 1


# ---- many nodes, few ---------------------------------------------------------------------------------------


def test_of_five_hundred_nodes_only_those_that_matter_are_circles_and_all_can_be_picked():
    timeline = busy("end-to-end", 500)
    shapes, layout = graph_shapes(timeline), arrange(timeline.simulation, AREA)
    circles = {shape.id for shape in shapes if isinstance(shape, Group) and shape.id.startswith("node:")}
    assert 3 <= len(circles) < 100
    for process in timeline.simulation.processes:
        if process.wants or process.inside:
            assert f"node:{process.id}" in circles
    picked = [pick(shapes, *layout.places[node]) for node in range(0, 500, 7)]
    assert all(name.startswith(("node:", "message:")) for name in picked)


def test_a_node_that_has_left_has_no_tick_among_many():
    gone = busy("sigma", 200, 10.0, (Event(at=5.0, do="leave", node=7),))
    ticks = {shape.id for shape in flat(graph_shapes(gone)) if isinstance(shape, Line)}
    assert "node:7" not in ticks
    assert "node:8" in ticks


def test_of_the_keys_of_many_resources_only_places_are_marked_and_what_nobody_asks_for_has_no_card():
    def run_with(resources: int) -> list[Shape]:
        parameters = {"resources": resources}
        return graph_shapes(
            catalog.timeline(Scenario("sigma", nodes=100, load=Poisson(rate=0.0), parameters=parameters))
        )

    assert {"A0", "B0", "B2", "free"} <= set(texts(run_with(2)))
    many = run_with(40)
    assert not {"A0", "AN2", "free"} & set(texts(many))
    assert sum(isinstance(shape, Polygon) for shape in flat(many)) == 120


def test_a_space_time_diagram_of_an_overlay_has_the_lines_that_can_be_told_apart():
    run = busy("sigma", 30).simulation
    lanes = select_processes(RunCache(run), Span(20.0, 40.0), "", 12)
    assert len(lanes) == 12
    assert {process.id for process in run.processes if process.wants or process.inside} <= set(lanes)
    assert select_processes(RunCache(busy("sigma", 12).simulation), Span(20.0, 40.0), "", 12) == tuple(range(12))


# ---- words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROTOCOLS)
def test_labels_name_client_and_replica_and_stay_short(name):
    run = busy(name, 30, 100.0).simulation
    messages = [record[MESSAGE] for record in run.trace.records if record[KIND] == DELIVER]
    assert max(len(message_label(message)) for message in messages) <= 22
    first = messages[0]
    assert message_label(first) == f"request R{first.replica} P{client_of(first.ticket)}·{first.ticket[0]}"


@pytest.mark.parametrize("theme", NAMES)
def test_the_legend_explains_the_circle_s_signs_only_while_they_are_there(theme):
    def words(time: float) -> list[str]:
        run = figure(1, time).simulation
        return [entry.words for entry in entries(RunCache(run), run.now, load(theme)) if entry.sign == "overlay"]

    assert words(0.0) == ["replica’s key", "replica, vote"]
    assert words(14.6) == [
        "replica’s key",
        "replica, vote",
        "waits there",
        "route",
        "quorum set",
        "Next",
        "Previous",
    ]


@pytest.mark.parametrize("nodes", [20, 60])
def test_among_many_nodes_messages_that_look_the_same_share_a_line_of_the_legend(nodes):
    timeline, shared = busy("end-to-end", nodes, 0.0), 0
    for time in range(5, 60, 3):
        timeline.seek_time(time)
        run = timeline.simulation
        kinds = {message_type(type(entry[MESSAGE])) for entry in run.queue.between_processes()}
        listed = [entry for entry in entries(RunCache(run), run.now, LIGHT) if entry.sign == "message"]
        assert {kind for entry in listed for kind in entry.words.split(", ")} == kinds
        styles = {entry.which for entry in listed}
        assert len(listed) == (len(styles) if nodes > 40 else len(kinds))
        shared += len(kinds) > len(styles)
    assert shared


def test_in_print_everything_is_black_on_white():
    for shape in flat(graph_shapes(figure(1, 14.6), theme="print")):
        for colour in (getattr(shape, "stroke", None), getattr(shape, "ink", None)):
            assert colour in (None, "#000000", "#FFFFFF")


def test_keys_have_another_shape_than_any_message():
    theme = load("print")
    glyphs = [shape for family in FAMILIES for shape in body(Mark(0, 0, family, "", 20, "dot"), theme)]
    corners = {len(shape.points) for shape in glyphs if isinstance(shape, Polygon)}
    assert corners
    assert len(key_mark((0.0, 0.0), theme, 20).points) not in corners


def test_each_client_s_name_is_written_in_its_colour():
    timeline = figure(1, 14.6)
    styles = ClientStyles(RunCache(timeline.simulation), LIGHT)
    inks = {shape.text: shape.ink for shape in flat(graph_shapes(timeline)) if isinstance(shape, Text)}
    for route in routes(RunCache(timeline.simulation)):
        client = client_of(route.ticket)
        assert inks[f"P{client}·1"] == styles.of(route.ticket).colour
    assert len({styles.of((1, client)) for client in (8, 0, 1)}) == 3


# ---- the inspector -----------------------------------------------------------------------------------------


def test_the_inspector_tells_of_tickets_and_votes_in_the_picture_s_words():
    timeline = figure(1, 4.5)
    told = {fact.name: fact.value for fact in inspect_node(Ledger(timeline), 8).facts}
    assert told["asks as"] == "P8, stamp 1"
    assert told["votes won"] == "1 of 3: R2"
    replica = next(replica for replica in overlay_state(Moment(timeline.simulation)).replicas if replica.number == 2)
    at_replica = {fact.name: fact.value for fact in inspect_node(Ledger(timeline), replica.node).facts}
    assert at_replica["R2"] == "votes for P8, stamp 1"
    assert at_replica["place"] == f"{100 * arrange(timeline.simulation, AREA).graph.parts[replica.node]:.1f} %"


def test_the_inspector_shows_all_of_a_message_and_what_its_fields_mean():
    run = figure(1, 14.6).simulation
    enqueue = next(entry for entry in run.queue.entries() if type(entry[MESSAGE]).__name__ == "Enqueue")
    facts = inspect_message(enqueue)
    assert facts.title == "enqueue P1·1"
    told = {fact.name: (fact.value, fact.gloss) for fact in facts.facts}
    assert told["ticket"] == ("P1, stamp 1", "the request to be queued")
    assert told["owner"] == ("P8, stamp 1", "the winner, as known to the sender")


@pytest.mark.parametrize("nodes", [10, 100, 500])
def test_the_names_of_routes_and_keys_lie_on_no_other(nodes):
    timeline = busy("sigma", nodes, 40.0)
    names = {f"P{client_of(route.ticket)}·" for route in routes(RunCache(timeline.simulation))} | {"R"}
    inks = {*LIGHT.requesters, LIGHT.ink}
    shapes = [shape for shape in graph_shapes(timeline) if not isinstance(shape, Group) or not shape.id]
    written = {
        shape for shape in flat(shapes) if isinstance(shape, Text) and shape.ink in inks and shape.family == "mono"
    }
    boxes = [bounds(shape) for shape in written if any(shape.text.startswith(name) for name in names)]
    assert len(boxes) > 3
    for one, other in combinations(boxes, 2):
        assert not all(overlap(one, other)[2:])


@pytest.mark.parametrize("name", NAMES)
def test_requesters_can_be_read_on_paper_and_told_apart_without_colour(name):
    theme = load(name)
    for colour in theme.requesters:
        assert contrast(colour, theme.paper) >= 4.5
    styles = ClientStyles(RunCache(figure(1, 14.6).simulation), theme)
    assert len({styles.of((1, client, 0)).dash for client in (8, 0, 1)}) == 3


# ---- labels of messages ------------------------------------------------------------------------------------


def pills(timeline: Timeline, moment: float, options: Options = PLAIN) -> list[Mark]:
    run = timeline.simulation
    shapes = graph(RunCache(run), moment, arrange(run, AREA), LIGHT, options)
    return [shape for shape in shapes if isinstance(shape, Mark) and shape.form == "pill"]


@pytest.mark.parametrize("time", [1.0, 5.0, 7.0, 13.0])
def test_what_a_node_sends_at_once_can_be_read_from_the_beginning(time):
    timeline = figure(1, time)
    sent = [mark for mark in pills(timeline, time) if timeline.simulation.now == time]
    sent = [mark for mark in sent if any(f"message:{entry[SEQ]}" == mark.id for entry in fresh(timeline))]
    assert len(sent) == 3
    for one, other in combinations(sent, 2):
        assert min(overlap(bounds(one), bounds(other))[2:]) < 1


def fresh(timeline: Timeline) -> list[Record]:
    """The messages sent by processes that request or enter the critical section now."""
    run = timeline.simulation
    busy = {process.id for process in run.processes if process.wants or process.inside}
    return [entry for entry in run.queue.between_processes() if entry[SENT] == run.now and entry[SENDER] in busy]


def test_labels_that_are_moved_apart_do_not_jump_and_end_where_their_lanes_end():
    timeline, moving = figure(1, 13.0), Options(arrows=False)
    end = timeline.simulation.next_time()
    moments = [13.0 + (end - 13.0) * k / 200 for k in range(200)]
    before = {mark.id: mark for mark in pills(timeline, moments[0], moving)}
    for moment in moments[1:]:
        now = {mark.id: mark for mark in pills(timeline, moment, moving)}
        assert all(math.dist(now[name][:2], before[name][:2]) < 12 for name in now)
        before = now
    run = timeline.simulation
    flying = tracks(RunCache(run), arrange(run, AREA), LIGHT, moving)
    for track, mark in zip(flying, pills(timeline, end, moving), strict=True):
        assert mark[:2] == pytest.approx((track.x + track.dx, track.y + track.dy), abs=1)
