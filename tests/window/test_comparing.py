"""Two runs on one clock: each is what it would be alone, they keep step, and both fit into the window."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace

import pytest

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.engine.events import KIND, NODE, REQUEST, TIME
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, Marker, Network, Scenario
from algorithms.engine.workload import Closed, Load, Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.random_inputs import check_invariants, random_input
from tests.support.screens import SIZES, check_draws, check_texts, is_inside, meet, placed_texts, pressed
from visual.command_line import main
from visual.drawing.picking import middle_of, overlap
from visual.drawing.shapes import Box, Rect, Text
from visual.drawing.theme import load
from visual.scene.options import FLIGHT
from visual.window import arrangement, compare, intents
from visual.window.actions import perform
from visual.window.compare import rival_menu, rows
from visual.window.desk import Desk
from visual.window.diagram.scrolling import span_of
from visual.window.inputs import Key, Press, Tick
from visual.window.intents import Rival
from visual.window.run_view import RunView
from visual.window.screen import Screen
from visual.window.state import UNBOUND, Interface
from visual.window.update import update

RING = Scenario("token-ring", nodes=5, seed=7, load=Poisson(rate=0.1), network=Network(Uniform(0.5, 1.5)))
SCRIPTED = replace(RING, network=Network(), events=(Event(6.0, "lose-token"), Event(9.0, "crash", node=2)))


def beside(scenario: Scenario = RING, name: str = "ricart-agrawala") -> tuple[Interface, Screen]:
    desk = desk_of(scenario)
    compare.join(desk, compare.find_rival(desk.front, name))
    return interface_of(1920, 1080), Screen(desk)


def records_of(run: RunView) -> list:
    return [run.timeline.trace.step(k) for k in range(run.timeline.step)]


def alone(run: RunView) -> list:
    """The first steps of the same run outside a comparison."""
    timeline = catalog.timeline(run.scenario)
    timeline.seek(run.timeline.step)
    return [timeline.trace.step(k) for k in range(timeline.step)]


def check_together(desk: Desk) -> None:
    """Check that no run is ahead of the other, and that both are as they would be alone."""
    now = desk.now
    for run in desk.runs:
        assert run.next_time is None or run.next_time >= now - 1e-12
        assert records_of(run) == alone(run)


# ---- one clock ---------------------------------------------------------------------------------------------


def test_steps_come_in_one_order_and_back_is_the_way_forward_came():
    _, screen = beside()
    desk = screen.desk
    states = [tuple(run.timeline.step for run in desk.runs)]
    times = []
    for _ in range(120):
        assert desk.forward()
        states.append(tuple(run.timeline.step for run in desk.runs))
        times.append(desk.now)
        assert sum(states[-1]) == sum(states[-2]) + 1
    assert times == sorted(times)
    assert min(states[-1]) > 10
    check_together(desk)
    for before in reversed(states[:-1]):
        assert desk.back()
        assert tuple(run.timeline.step for run in desk.runs) == before
    assert not desk.back()


@pytest.mark.parametrize("front", [0, 1])
def test_seeking_a_step_of_one_run_takes_the_other_along(front):
    _, screen = beside()
    desk = screen.desk
    order = [tuple(run.timeline.step for run in desk.runs)]
    for _ in range(150):
        desk.forward()
        order.append(tuple(run.timeline.step for run in desk.runs))
    desk.place = front
    for step in (0, 1, 7, 20, 3):
        desk.seek_step(step)
        present = tuple(r.timeline.step for r in desk.runs)
        assert present[front] == step
        assert present in order, "a state on the way of stepping"
        check_together(desk)


def test_every_move_through_time_moves_both_runs():
    interface, screen = beside()
    desk = screen.desk
    dice = random.Random(3)
    for _ in range(60):
        chord = dice.choice(["Right", "Left", "5", "2", "Home", "PageDown", "PageUp", "Space", "+", "O"])
        interface = update(interface, screen, Key(chord))
        for _ in range(5):
            interface = update(interface, screen, Tick(0.05))
        if interface.playback.goal is None:
            check_together(desk)
            assert interface.playback.time >= desk.now - 1e-9


def test_the_highest_speed_keeps_two_runs_together():
    interface, screen = beside()
    interface = changed(interface, playing=True, speed=UNBOUND)
    for _ in range(6):
        interface = update(interface, screen, Tick(0.016))
    check_together(screen.desk)
    assert all(run.timeline.step > 20 for run in screen.desk.runs)


@pytest.mark.parametrize("seed", range(4))
def test_two_runs_stay_together_under_random_actions(seed):
    dice = random.Random(seed)
    interface, screen = beside(name=dice.choice(["ricart-agrawala", "voting", "lost-token"]))
    for count in range(200):
        given = random_input(dice, interface)
        if isinstance(given, Key) and given.chord in ("A", "Esc", "Ctrl+O"):  # these end it
            continue
        interface = changed(update(interface, screen, given), wishes=())
        check_invariants(interface, screen.desk)
        if interface.playback.goal is None and screen.desk.is_pair and count % 10 == 0:
            check_together_in_time(screen.desk)
            check_draws(interface, screen)


def test_the_same_requests_reach_both_algorithms():
    _, screen = beside()
    desk = screen.desk
    desk.seek_time(40.0)
    asked = [[(r[0][TIME], r[0][NODE]) for r in records_of(run) if r[0][KIND] == REQUEST] for run in desk.runs]
    assert asked[0]
    assert asked[0] == asked[1]


def test_the_sentence_is_that_of_the_run_that_moved():
    _, screen = beside()
    for _ in range(40):
        screen.desk.forward()
        mover, sentence = screen.desk.last_mover, screen.desk.sentence
        same = len({(run.now, run.sentence) for run in screen.desk.runs}) == 1
        assert sentence == f"{'In both' if same else mover.name}: {mover.sentence}"


@pytest.mark.parametrize("aim", [(0, 1), (0,), (1,)])
def test_the_sentence_names_the_run_of_an_intervention(aim):
    interface, screen = beside()
    screen.desk.aim = aim
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    pressed(interface, screen, "Down", "C")
    names = {(0, 1): "In both", (0,): "Token ring", (1,): "Ricart–Agrawala"}
    assert screen.desk.sentence == f"{names[aim]}: P0 crashes."


# ---- manual scheduling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("front", [0, 1])
def test_a_person_schedules_the_front_run_and_the_other_keeps_up(front):
    interface, screen = beside()
    desk = screen.desk
    interface = perform(interface, desk, intents.seek_tenth(2))
    interface = pressed(interface, screen, *["O"] * front, "Shift+J")
    mine, other = desk.runs[front], desk.runs[1 - front]
    assert [run.is_automatic for run in desk.runs] == [place != front for place in (0, 1)]
    assert (interface.mode(screen.desk.is_manual), interface.display.page) == ("picking", "choose")
    for _ in range(5):
        steps, done = mine.timeline.step, intervention_counts(screen)
        interface = pressed(interface, screen, "1")
        assert mine.timeline.step == steps + 1
        assert intervention_counts(screen)[front] == done[front] + 1
        assert intervention_counts(screen)[1 - front] == 0
        assert other.next_time is None or other.next_time >= mine.now
        assert interface.playback.time == desk.now == mine.now
    assert records_of(other) == alone(other)
    interface = pressed(interface, screen, "O")
    assert interface.mode(screen.desk.is_manual) != "picking", "the clock schedules the other run"
    interface = pressed(interface, screen, "O")
    assert interface.mode(screen.desk.is_manual) == "picking"


def test_while_one_run_is_scheduled_by_hand_the_other_continues():
    interface, screen = beside()
    desk = screen.desk
    interface = pressed(perform(interface, desk, intents.seek_tenth(2)), screen, "Shift+J")
    step, interface = desk.runs[0].timeline.step, changed(interface, reduced_motion=True)
    for _ in range(12):
        interface = pressed(interface, screen, "Right")
    assert desk.runs[0].timeline.step == step
    moment = desk.runs[1].now
    interface = pressed(interface, screen, "1")
    assert desk.runs[0].now >= moment
    assert interface.playback.time == desk.now
    interface = pressed(interface, screen, *["Right"] * 12, "Shift+J")
    assert desk.runs[0].timeline.step > step + 1, "the clock catches up"
    check_together_in_time(desk)


def test_both_runs_can_wait_for_a_person_and_the_window_says_so():
    interface, screen = beside()
    interface = pressed(perform(interface, screen.desk, intents.seek_tenth(2)), screen, "Shift+J", "O", "Shift+J")
    assert not any(run.is_automatic for run in screen.desk.runs)
    interface = pressed(changed(interface, notice=None), screen, "Right")
    assert "Pick the next event" in interface.notice.words
    interface = pressed(interface, screen, "A", "Esc")
    assert not screen.desk.is_pair


# ---- local views -------------------------------------------------------------------------------------------


def test_runs_that_differ_elsewhere_look_alike_to_one_node():
    desk = desk_of(Scenario("ricart-agrawala", nodes=4, load=Load()))
    desk.front.seek(1)
    desk.front.act("request", node=1)
    compare.join(desk, compare.branch(desk.front, desk.front.timeline.branch))
    desk.seek_time(0.0)
    desk.runs[1].act("crash", node=3)
    screen = Screen(desk)
    interface = interface_of(1280, 720, selection="node:1", only_local=True)
    panels = {shown.name: shown.panel for shown in screen.panels(interface)}
    assert {"local", "local1", "title0", "title1", "localside"} <= panels.keys()
    texts = [[text.words for text in placed_texts(panels[name].shapes, panes)] for name, panes in drawn_in(interface)]
    assert texts[0] == texts[1]
    assert "only what P1 knows" in texts[0]


def drawn_in(interface: Interface) -> list:
    panes = arrangement.panes(interface, True)
    return [(name, pane.graph) for name, pane in zip(("local", "local1"), panes, strict=True)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("name", "front"), [("ricart-agrawala", 0), ("lost-token", 1), ("system-s", 0)])
def test_the_local_view_of_two_runs_fits_and_shows_nothing_global(size, name, front):
    interface, screen = beside(replace(RING, nodes=9), name)
    interface = changed(interface, width=size[0], height=size[1], selection="node:4", only_local=True)
    screen.desk.place = front
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    check_texts(interface, screen)
    for place in (0, 1):
        check_banner(interface, screen, place)
    words = [
        text.words for shown in screen.panels(interface) for text in placed_texts(shown.group.shapes, shown.region)
    ]
    assert not any("per entry" in word for word in words)


def check_banner(interface: Interface, screen: Screen, place: int) -> None:
    """Check that the banner with the node's name covers no node."""
    shown = next(shown for shown in screen.panels(interface) if shown.name == ("local", "local1")[place])
    found = list(placed_texts(shown.panel.shapes, shown.region))
    banner = [text.box for text in found if "only what" in text.words]
    assert not any(meet(banner[0], text.box) for text in found if banner and text.words.startswith("P"))


def test_a_run_without_the_node_says_so():
    interface, screen = beside(replace(RING, nodes=9), "lost-token")
    interface = perform(changed(interface, selection="node:8", only_local=True), screen.desk, intents.seek_tenth(1))
    shown = next(shown for shown in screen.panels(interface) if shown.name == "local1")
    assert "There is no P8 in this run." in [text.words for text in placed_texts(shown.group.shapes, shown.region)]


# ---- interventions -----------------------------------------------------------------------------------------


def intervention_counts(screen: Screen) -> list[int]:
    return [len(run.timeline.branch.interventions) for run in screen.desk.runs]


def test_interventions_happen_in_both_runs_or_in_the_one_that_was_chosen():
    interface, screen = beside()
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    interface = pressed(interface, screen, "Down", "C")
    assert [run.simulation.down for run in screen.desk.runs] == [{0: "crashed"}, {0: "crashed"}]
    assert intervention_counts(screen) == [1, 1]
    interface = pressed(interface, screen, "Shift+A", "Down", "Q")
    assert intervention_counts(screen) == [2, 1]
    interface = pressed(interface, screen, "Shift+A", "Down", "C")
    assert intervention_counts(screen) == [2, 2]
    assert screen.desk.runs[0].simulation.down == {0: "crashed"}
    interface = pressed(interface, screen, "Shift+A")
    assert screen.desk.is_pair
    assert (screen.desk.place, screen.desk.aim) == (0, (0, 1))
    check_together_in_time(screen.desk)


def check_together_in_time(desk: Desk) -> None:
    now = desk.now
    assert all(run.next_time is None or run.next_time >= now for run in desk.runs)


def test_undo_takes_back_an_intervention_in_both_runs_at_once():
    interface, screen = beside()
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    interface = pressed(interface, screen, "Down", "C", "Right", "Right")
    interface = changed(interface, glide=None)
    interface = pressed(interface, screen, "Ctrl+Z")
    assert intervention_counts(screen) == [0, 0]
    assert [run.simulation.down for run in screen.desk.runs] == [{}, {}]
    check_together(screen.desk)


def test_going_to_a_branch_of_one_run_leaves_the_other_where_it_is():
    interface, screen = beside()
    interface = pressed(perform(interface, screen.desk, intents.seek_tenth(4)), screen, "2", "Down", "C", "Shift+B")
    moment, steps = interface.playback.time, [run.timeline.step for run in screen.desk.runs]
    interface = perform(interface, screen.desk, intents.go_to_branch("main"))
    assert interface.playback.goal is None
    left, right = screen.desk.runs
    assert (left.simulation.down, right.simulation.down) == ({}, {0: "crashed"})
    assert (interface.playback.time, right.timeline.step) == (moment, steps[1])
    check_together_in_time(screen.desk)
    words = [shape.text for shape in screen.panel(interface, "branches").shapes if isinstance(shape, Text)]
    assert words[1].startswith("These are the branches of the left run")


def test_losing_the_token_concerns_only_the_run_that_has_one():
    interface, screen = beside()
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    pressed(interface, screen, "O", "X")
    assert intervention_counts(screen) == [1, 0]


def test_dropping_a_message_happens_where_it_was_selected():
    interface, screen = beside(replace(RING, load=Closed(think=2.0)))
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    interface = pressed(interface, screen, "O", "Shift+Down", "D")
    assert intervention_counts(screen) == [0, 1]


def test_a_new_seed_a_restart_and_a_number_of_nodes_are_for_both():
    interface, screen = beside()
    interface = perform(interface, screen.desk, intents.seek_tenth(3))
    interface = pressed(interface, screen, "Shift+R")
    assert [run.scenario.seed for run in screen.desk.runs] == [8, 8]
    assert [run.timeline.step for run in screen.desk.runs] == [0, 0]
    perform(interface, screen.desk, intents.choose_nodes(9))
    assert [run.scenario.nodes for run in screen.desk.runs] == [9, 9]


# ---- rivals ------------------------------------------------------------------------------------------------


def test_without_its_faults_nothing_goes_wrong():
    desk = desk_of(SCRIPTED)
    rival = compare.without_faults(desk.front)
    assert rival.scenario.events == ()
    compare.join(desk, rival)
    desk.seek_time(60.0)
    left, right = (run.ledger.counters() for run in desk.runs)
    assert (left.tokens, right.tokens) == (0, 1)
    assert right.entries > left.entries
    assert [run.note for run in desk.runs] == ["with faults", "without faults"]


def test_a_run_without_interventions_is_the_run_before_them():
    desk = desk_of(RING)
    desk.seek_time(5.0)
    desk.front.act("lose-token", 5.0)
    assert compare.has_interventions(desk.front)
    compare.join(desk, compare.without_interventions(desk.front))
    desk.seek_time(30.0)
    assert [run.ledger.counters().tokens for run in desk.runs] == [0, 1]


def test_a_branch_beside_another_is_the_branch():
    desk = desk_of(RING)
    desk.seek_time(20.0)
    desk.front.timeline.seek_time(10.0)
    desk.front.act("crash", 10.0, node=1)
    desk.seek_time(30.0)
    main = desk.front.timeline.branches["main"]
    compare.join(desk, compare.branch(desk.front, main))
    desk.seek_time(30.0)
    plain = catalog.timeline(RING)
    plain.seek_time(30.0)
    assert records_of(desk.runs[1]) == [plain.trace.step(k) for k in range(plain.step)]
    assert [run.note for run in desk.runs] == ["branch 1", "main"]


def test_another_algorithm_meets_the_faults_that_apply_to_it():
    desk = desk_of(SCRIPTED)
    desk.seek_time(12.0)
    desk.front.act("crash", 12.0, node=4)
    rival = compare.another_algorithm(desk.front, "ricart-agrawala").scenario
    assert [(event.do, event.at, event.node) for event in rival.events] == [("crash", 9.0, 2), ("crash", 12.0, 4)]
    own = compare.another_algorithm(desk.front, "token-ring").scenario
    assert [event.do for event in own.events] == ["lose-token", "crash", "crash"]
    assert all(event.step is None for event in own.events)
    assert (rival.seed, rival.load, rival.network) == (SCRIPTED.seed, SCRIPTED.load, SCRIPTED.network)


def test_a_rival_is_an_algorithm_or_a_scenario_of_that_name():
    assert compare.rival_of(RING, "binary-search-token").scenario.algorithm == "binary-search-token"
    assert compare.rival_of(RING, "deferred-reply").path is not None
    with pytest.raises(BadInput, match="unknown scenario"):
        compare.rival_of(RING, "nonesuch")


@pytest.mark.parametrize("algorithm", sorted(catalog.by_name()))
def test_every_algorithm_can_be_put_beside_all_of_its_family(algorithm):
    """Each pair in one order, and the algorithm beside its variants."""
    desk = desk_of(Scenario(algorithm, nodes=5, load=Poisson(rate=0.1)))
    for entry in rival_menu(desk, "algorithm").entries:
        if entry.does and entry.does.value.scenario.algorithm >= algorithm:
            compare.join(desk, entry.does.value)
            desk.seek_time(10.0)
            assert list(rows(desk))
            desk.part()


def test_variants_are_offered_before_other_algorithms():
    entries = rival_menu(desk_of(RING), "algorithm").entries
    headings = [entry.label for entry in entries if not entry.does]
    assert headings == ["Token ring", "others of this family"]
    variants = entries[1 : [entry.label for entry in entries].index(headings[1])]
    assert {entry.label for entry in variants} == {f"… {name}" for name in catalog.find("token-ring").variants}


def test_a_opens_the_menu_and_ends_the_comparison_and_so_does_esc():
    screen = Screen(desk_of(RING))
    interface = perform(Interface(), screen.desk, intents.seek_tenth(3))
    moment = interface.playback.time
    interface = pressed(interface, screen, "A", "Enter", "Enter")
    assert screen.desk.is_pair
    assert interface.playback.time == moment
    check_together(screen.desk)
    interface = pressed(interface, screen, "A")
    assert not screen.desk.is_pair
    interface = pressed(interface, screen, "A", "Enter", "Enter")
    assert screen.desk.is_pair
    interface = pressed(interface, screen, "Esc", "Esc", "Esc")
    assert not screen.desk.is_pair
    assert interface.playback.time == moment


def test_a_selected_node_stays_selected_through_a_comparison():
    screen = Screen(desk_of(RING))
    interface = pressed(Interface(), screen, "Down", "Down", "A", "Enter", "Enter")
    assert (interface.selected_id, screen.desk.place) == ("node:1", 0)
    interface = pressed(interface, screen, "A")
    assert (interface.selected_id, screen.desk.is_pair) == ("node:1", False)
    larger = perform(interface, screen.desk, intents.compare(Rival(replace(RING, nodes=9))))
    larger = changed(pressed(larger, screen, "O"), selection="node:8")
    assert pressed(larger, screen, "A").selected_id == "", "the remaining run has no such node"


def test_opening_something_else_ends_the_comparison():
    interface, screen = beside()
    interface = perform(pressed(interface, screen, "O"), screen.desk, intents.open_scenario("lost-token"))
    assert not screen.desk.is_pair
    assert screen.desk.front.scenario.title.startswith("The token is lost")
    assert screen.desk.front.timeline.step == 0


def test_a_misspelt_file_name_is_reported_in_a_sentence():
    interface, screen = Interface(), Screen(desk_of(RING))
    interface = perform(interface, screen.desk, intents.compare_typed("nonesuch.toml"))
    assert not screen.desk.is_pair
    assert interface.notice is not None
    assert "no such file" in interface.notice.words


# ---- panels ------------------------------------------------------------------------------------------------


def test_the_table_takes_the_left_number_from_the_right_one():
    _, screen = beside()
    screen.desk.seek_time(60.0)
    left, right = (run.ledger.counters() for run in screen.desk.runs)
    found = {row.words: row for row in rows(screen.desk)}
    assert found["messages"].left.words == f"{left.messages:,}"
    assert found["messages"].right.words == f"{right.messages:,}"
    assert found["messages"].difference == f"+{right.messages - left.messages:,}"
    assert found["entries"].difference == f"+{right.entries - left.entries}"
    assert found["waiting time"].difference.startswith("−" if right.waiting_time.mean < left.waiting_time.mean else "+")
    assert found["safety"].left.words == "✓ holds"


MARKED = replace(SCRIPTED, title="The slow one", markers=(Marker(20.0, "late"),), network=Network(Uniform(4.0, 8.0)))


def marked() -> tuple[Interface, Screen]:
    """A pair: at the left without markers and faults, at the right with both and with slower messages."""
    desk = desk_of(RING)
    compare.join(desk, Rival(MARKED))
    screen = Screen(desk)
    return perform(interface_of(1920, 1080), desk, intents.seek_tenth(8)), screen


def marks_of(interface: Interface, screen: Screen) -> tuple[Rect, list[Box]]:
    """The track of the timeline, and its upright marks."""
    panel = next(shown.panel for shown in screen.panels(interface) if shown.name == "transport")
    return panel.widgets[-1].box, [shape for shape in panel.shapes if isinstance(shape, Box) and 2 * shape.w < shape.h]


def test_each_run_has_a_side_of_the_timeline_whichever_is_in_front():
    interface, screen = marked()
    for front in (0, 1):
        interface = perform(interface, screen.desk, intents.bring_to_front(front))
        track, found = marks_of(interface, screen)
        middle = track.y + track.h / 2
        above = [mark for mark in found if mark.y + mark.h < middle]
        below = [mark for mark in found if mark.y > middle]
        assert len(above) + len(below) == len(found)
        fault = load("light").fault
        assert not [mark for mark in above if mark.fill == fault]
        lost = screen.desk.horizon
        at = {round((middle_of(mark)[0] - track.x) / track.w * lost) for mark in below if mark.fill == fault}
        assert {6, 9} <= at, "the token is lost and a node crashes, at the right"


def test_markers_of_both_runs_can_be_reached_and_are_named():
    interface, screen = marked()
    interface = pressed(interface, screen, "PageUp")
    assert interface.playback.time == 20.0
    assert screen.desk.marker(interface.playback.time).name == "late"
    check_together(screen.desk)


def test_both_diagrams_have_one_scale_despite_different_delays():
    interface, screen = marked()
    assert span_of(interface, screen.desk) == (0.0, screen.desk.horizon), "24 delays of 6 would be longer than the runs"
    closer = pressed(interface, screen, "*", "O", "*")
    for width in (1024, 1920):
        right = screen.panel(changed(closer, width=width), "title1")
        assert "The slow one" in [shape.text for shape in right.shapes if isinstance(shape, Text)]
    left, right = (screen.panel(closer, name) for name in ("title0", "title1"))
    assert "The slow one" not in [shape.text for shape in left.shapes if isinstance(shape, Text)]
    assert "The slow one" in [shape.text for shape in right.shapes if isinstance(shape, Text)]


def test_a_run_beside_itself_differs_in_nothing():
    desk = desk_of(RING)
    compare.join(desk, compare.without_faults(desk.front))
    desk.seek_time(60.0)
    assert {row.difference for row in rows(desk)} == {"", "="}


@pytest.mark.parametrize("view", ["both", "graph", "space-time"])
@pytest.mark.parametrize("nodes", [5, 16, 64])
def test_two_runs_have_room_side_by_side(view, nodes):
    interface, screen = beside(replace(RING, nodes=nodes), "binary-search-token")
    beginning = perform(interface, screen.desk, intents.seek_tenth(1))
    for (presenting, selection), size in itertools.product(((False, ""), (False, "node:3"), (True, "")), SIZES):
        interface = changed(
            beginning, width=size[0], height=size[1], view=view, presenting=presenting, selection=selection
        )
        check_texts(interface, screen)
        regions = [region for pane in arrangement.panes(interface, True) for region in pane if region.w and region.h]
        for one, other in itertools.combinations(regions, 2):
            common = overlap(one, other)
            assert common.w * common.h < 1, size
        one, other = arrangement.panes(interface, True)
        assert one.graph.h == other.graph.h, size
        assert abs(one.graph.w - other.graph.w) <= 1, f"halves of an odd number of pixels in {size}"
        words = {
            text.words for shown in screen.panels(interface) for text in placed_texts(shown.group.shapes, shown.region)
        }
        assert "Token ring" in words, size


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("pair", [("token-ring", "ricart-agrawala"), ("sigma", "end-to-end")])
def test_the_legend_of_both_is_a_row_below_them(size, pair):
    interface, screen = beside(replace(RING, algorithm=pair[0]), pair[1])
    interface = changed(interface, width=size[0], height=size[1])
    interface = perform(interface, screen.desk, intents.seek_tenth(2))
    legend = next(shown for shown in screen.panels(interface) if shown.name == "legend")
    found = list(placed_texts(legend.group.shapes, legend.region))
    assert "waiting" in [text.words for text in found]
    assert all(is_inside(text.box, legend.region) for text in found)
    assert all(text.size >= 9 for text in found if text.words == "waiting")
    for one, other in itertools.combinations(found, 2):
        assert not meet(one.box, other.box)


def test_a_click_in_the_right_pane_selects_there_and_brings_that_run_to_the_front():
    interface, screen = beside()
    interface = perform(interface, screen.desk, intents.seek_tenth(3))
    pane = arrangement.panes(interface, True)[1].graph
    found = [
        (x, y)
        for x in range(int(pane.x), int(pane.x + pane.w), 15)
        for y in range(int(pane.y), int(pane.y + pane.h), 15)
        if screen.under(interface, x, y).startswith("node:")
    ]
    assert found
    interface = update(interface, screen, Press(*found[0]))
    assert interface.selected_id.startswith("node:")
    assert screen.desk.front is screen.desk.runs[1]
    counted = next(shown for shown in screen.panels(interface) if shown.name == "lights").panel.widgets
    assert len(counted) == len(screen.desk.runs[1].ledger.verdicts)


# ---- pictures ----------------------------------------------------------------------------------------------


def test_two_runs_in_one_picture(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["shot", "token-ring", "--beside", "ricart-agrawala", "--at", "9", "--size", "1281x720", "-o", "two.svg"]
    assert main(words) == 0
    text = (tmp_path / "two.svg").read_text("utf-8")
    assert 'width="1280"' in text
    assert "Token ring" in text
    assert "Ricart–Agrawala" in text
    names = re.findall(r' id="([^"]*)"', text)
    assert len(names) == len(set(names))
    capsys.readouterr()
    assert main([*words[:4], "--steps", "3..4", "-o", "two-{n}.svg"]) == 2
    assert "--at" in capsys.readouterr().err
    assert main(["shot", "token-ring", "--beside", "nonesuch"]) == 2
    assert "unknown scenario" in capsys.readouterr().err


@pytest.mark.parametrize("delays", [(1.0, 20.0), (20.0, 1.0)])
def test_the_quicker_of_two_networks_sets_the_speed_of_both(delays):
    left, right = (replace(RING, network=Network(Fixed(delay)), load=Load()) for delay in delays)
    desk = desk_of(left)
    compare.join(desk, Rival(right))
    interface, screen = interface_of(playing=True), Screen(desk)
    times = []
    for _ in range(60):
        interface = update(interface, screen, Tick(1 / 60))
        times.append(interface.playback.time)
    assert times[-1] - times[-31] == pytest.approx(0.5 / FLIGHT, rel=0.05)


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1024, 768), (1920, 1080)])
def test_two_runs_of_one_algorithm_can_be_told_apart_also_beside_their_costs(size):
    """Of each run its difference from the other is shown, or at least how it begins."""
    screen = Screen(desk_of(replace(SCRIPTED, load=Closed(think=6.0))))
    desk = screen.desk
    desk.front.seek_time(30.0)
    desk.front.act("request", node=1)
    interface = changed(interface_of(*size), time=desk.front.now)
    interface = perform(interface, desk, intents.compare(compare.without_interventions(desk.front)))
    for place, run in enumerate(desk.runs):
        shown = [shape for shape in screen.panel(interface, f"title{place}").shapes if isinstance(shape, Text)]
        assert any(len(one.text) >= 8 and run.note.startswith(one.text.rstrip("…")) for one in shown), run.note
        assert any("entry" in one.text for one in shown), "and its cost"
        check_texts(interface, screen)
