"""The interface under update(): thousands of random inputs, and each of its guarantees alone."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from algorithms import scenario_file
from algorithms.engine.events import affected_nodes
from algorithms.engine.faults import FAULTS
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Marker, Network, Scenario
from algorithms.engine.workload import Closed, Load, Request, Saturated, Script
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.random_inputs import SIZES, check_invariants, random_input, refuse_measurement
from tests.support.screens import check_draws, placed_texts, pressed
from visual.analysis.event_index import EventIndex
from visual.drawing.shapes import Rect
from visual.window import intents
from visual.window.actions import perform
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Key, Motion, Press, Release, Resize, SecondaryPress, Tick, Typed, Wheel
from visual.window.lab.measurement import Measurement
from visual.window.menus import contents
from visual.window.playback import playing
from visual.window.playback.playing import REFRESH
from visual.window.run_view import FLIGHT
from visual.window.screen import MOST_DELAY, Screen
from visual.window.state import FASTEST, SLOWEST, UNBOUND, Interface
from visual.window.update import update

SCENARIOS = {
    "ricart-agrawala": Scenario("ricart-agrawala", load=Closed(think=4.0), network=Network(Uniform(0.5, 1.5))),
    "token-ring": Scenario("token-ring", nodes=6, load=Saturated(), markers=(Marker(5.0, "five"), Marker(9.0, "nine"))),
    "centralized": Scenario("centralized", load=Script(requests=(Request(1.0, 2), Request(1.0, 3)))),
}


def screen_of(name: str) -> Screen:
    return Screen(desk_of(SCENARIOS[name]))


def play_with_it(seed: int, inputs: int, draw_every: int = 7) -> None:
    dice = random.Random(seed)
    screen = screen_of(dice.choice(sorted(SCENARIOS)))
    interface = interface_of(*dice.choice(SIZES[:3]))
    for count in range(inputs):
        given = random_input(dice, interface)
        interface = changed(update(interface, screen, given), wishes=())
        check_invariants(interface, screen.desk)
        if count % draw_every == 0:
            check_draws(interface, screen)
        if count % 97 == 0:
            interface = esc_and_space_do_something(interface, screen)
        if screen.desk.front.scenario.nodes > 40:  # more nodes only make the test slow
            interface = perform(interface, screen.desk, intents.choose_nodes(5))


def esc_and_space_do_something(interface: Interface, screen: Screen) -> Interface:
    """Check, from any state, that repeated Esc closes everything, and that Space then plays or pauses."""
    for _ in range(12):
        interface = update(interface, screen, Key("Esc"))
    modes = ("answering", "lecturing") if screen.desk.lesson else ("ordinary", "presenting")
    assert interface.mode(screen.desk.is_manual) in modes
    assert not interface.is_blank
    assert not interface.help
    assert not interface.menu
    assert not interface.selected_id
    played = update(interface, screen, Key("Space"))
    assert played.playback.playing is not interface.playback.playing
    return replace(played, wishes=())


@pytest.mark.parametrize("menu", ["faults", "load", "more"])
@pytest.mark.parametrize("speed", [0, FASTEST, UNBOUND])
def test_time_stands_still_while_a_menu_is_open_and_goes_on_after_it(menu, speed):
    screen = Screen(desk_of(replace(SCENARIOS["token-ring"], until=1e6)))
    interface = perform(interface_of(speed=speed), screen.desk, intents.play_pause())
    for _ in range(20):
        interface = update(interface, screen, Tick(0.1))
    interface = perform(interface, screen.desk, intents.open_menu(menu))
    time = interface.playback.time
    for _ in range(10):
        interface = update(interface, screen, Tick(0.1))
    assert interface.playback.time == time > 0
    interface = update(interface, screen, Key("Esc"))
    assert interface.playback.playing
    for _ in range(3):  # on a busy machine a frame may have a step without any time
        interface = update(interface, screen, Tick(0.1))
    assert interface.playback.time > time


@pytest.mark.parametrize("speed", [0, FASTEST, UNBOUND])
def test_the_ledger_reads_a_played_run_that_no_panel_shows(monkeypatch, speed):
    screen = Screen(desk_of(replace(SCENARIOS["token-ring"], until=1e6)))
    interface = perform(interface_of(speed=speed, chrome_hidden=True), screen.desk, intents.play_pause())
    for _ in range(80):
        interface = update(interface, screen, Tick(0.1))
    assert screen.desk.front.timeline.step > 10
    late = []
    monkeypatch.setattr(EventIndex, "_read", lambda self, step, records: late.append(step))
    screen.desk.front.ledger.keep_up()
    assert not late, "a jump would have to wait for it"


@pytest.mark.parametrize("frames", [60, 20, 6])
def test_no_panel_stays_behind_at_any_frame_rate(frames):
    screen, shown = screen_of("ricart-agrawala"), {}
    interface = perform(interface_of(1920, 1080), screen.desk, intents.play_pause())
    for _ in range(4 * frames):
        interface = update(interface, screen, Tick(1 / frames))
        for panel in screen.panels(interface):
            if panel.version != shown.get(panel.name, (0, 0))[0]:
                shown[panel.name] = (panel.version, interface.clock)
        if interface.clock > 1.0:
            late = {name: interface.clock - when for name, (_, when) in shown.items()}
            assert late["strip"] <= REFRESH + MOST_DELAY + 1 / frames + 1e-6
            assert late["transport"] <= REFRESH + 1 / frames + 1e-6
    assert screen.desk.front.timeline.step > 3


@pytest.mark.parametrize("keys", ["", "V", "F5", "H", "L", "Y", "Ctrl+O", "A Down Enter", "Down", "Ctrl+T"])
@pytest.mark.parametrize("name", ["ricart-agrawala", "p2p-churn", "system-search"])
def test_no_window_size_raises(name, keys):
    screen = screen_of(name) if name in SCENARIOS else Screen(desk_of(scenario_of(name)))
    interface = Interface()
    for chord in ("Right", "Right", *keys.split()):
        interface = update(update(interface, screen, Key(chord)), screen, Tick(0.7))
    for size in itertools.product((1, 2, 64, 320, 3000), repeat=2):
        resized = update(update(interface, screen, Resize(*size)), screen, Tick(0.3))
        check_draws(resized, screen)
        assert resized.display.width >= size[0]
        assert resized.display.height >= size[1]


def test_a_deleted_file_cannot_be_opened_from_the_gallery(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    files = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for file in files:
        scenario_file.save(SCENARIOS["token-ring"], file)
    screen = screen_of("ricart-agrawala")
    interface = interface_of(section="yours", recent=tuple(map(str, files)))
    screen.shapes(interface)
    interface = update(interface, screen, Key("Right"))
    for file in files:
        file.unlink()
        interface = update(interface, screen, Key("Enter"))
        check_draws(interface, screen)
        assert interface.mode(screen.desk.is_manual) in ("browsing", "typing"), "the card that opens a file moved up"
    assert screen.desk.front.scenario == SCENARIOS["ricart-agrawala"]


STANDSTILLS = [
    ((), (), "The run is over: no pending requests, no messages in transit."),
    ((1,), ((0.5, "crash", 4),), "Deadlock: nothing more can happen; P1 waits forever."),
    ((1, 2), ((0.5, "crash", 4),), "Deadlock: nothing more can happen; P1 and P2 wait forever."),
    (range(6), ((0.5, "crash", 5),), "Deadlock: nothing more can happen; 5 nodes wait forever."),
    ((1,), ((0.5, "pause", 4),), "Nothing more can happen until P4 resumes."),
]


@pytest.mark.parametrize(("asks", "faults", "words"), STANDSTILLS)
@pytest.mark.parametrize("goes_on", ["Space", "Right"])
@pytest.mark.parametrize("speed", [0, UNBOUND])
def test_a_deadlock_names_the_waiting_nodes_and_time_stays(asks, faults, words, goes_on, speed):
    load = Script(requests=tuple(Request(1.0, node) for node in asks))
    events = tuple(Event(at, do, node=node) for at, do, node in faults)
    screen = Screen(desk_of(Scenario("ricart-agrawala", nodes=6, load=load, events=events)))
    interface = playing.seek(interface_of(speed=speed), screen.desk, 50.0)
    for given in (Tick(0.1), Key(goes_on), Tick(0.1)):
        interface = update(interface, screen, given)
    assert interface.notice is not None
    assert interface.notice.words == words
    assert interface.playback.time == 50.0
    assert not interface.playback.playing


@pytest.mark.parametrize("seed", range(12))
def test_random_inputs(seed, monkeypatch):
    monkeypatch.setattr(Measurement, "start", refuse_measurement)
    play_with_it(seed, 500)  # 12 times: 6,000 inputs


# ---- playing -----------------------------------------------------------------------------------------------


def run_for(interface: Interface, screen: Screen, seconds: float) -> Interface:
    for _ in range(round(seconds * 60)):
        interface = update(interface, screen, Tick(1 / 60))
    return interface


def test_an_average_message_is_in_transit_for_as_long_as_an_eye_can_follow():
    desk = desk_of(SCENARIOS["ricart-agrawala"])
    assert 0.6 <= desk.front.scenario.network.delay.mean / desk.front.pace == FLIGHT <= 1.0


def test_time_passes_at_the_chosen_speed():
    scenario = Scenario("ricart-agrawala", load=Load(), until=1000.0)
    for speed in range(SLOWEST, FASTEST + 1):
        screen = Screen(desk_of(replace(scenario, load=Script(requests=(Request(500.0, 1),)))))
        interface = changed(Interface(), playing=True, speed=speed)
        interface = run_for(interface, screen, 1.0)
        assert interface.playback.time == pytest.approx(screen.desk.front.pace * 2.0**speed, rel=0.02)


def test_simultaneous_steps_are_shown_one_after_the_other():
    screen = Screen(desk_of(Scenario("ricart-agrawala", nodes=5, load=Script(requests=(Request(0.0, 0),)))))
    interface = changed(Interface(), playing=True)
    arrivals = []
    for _ in range(240):
        before = screen.desk.front.timeline.step
        interface = update(interface, screen, Tick(1 / 60))
        arrivals.append(screen.desk.front.timeline.step - before)
        if interface.playback.time > 1.5:
            break
    assert max(arrivals) == 1, "four requests arrive at time 1, each in a frame of its own"
    assert sum(arrivals) == 6


def test_the_highest_speed_works_in_slices():
    screen = Screen(desk_of(replace(SCENARIOS["ricart-agrawala"], until=1e6)))
    interface = changed(Interface(), playing=True, speed=UNBOUND)
    interface = update(interface, screen, Tick(1 / 60))
    assert screen.desk.front.timeline.step > 50
    assert interface.playback.playing


def test_playing_stops_when_nothing_more_can_happen():
    screen = screen_of("centralized")
    interface = changed(Interface(), playing=True, speed=FASTEST)
    interface = run_for(interface, screen, 10.0)
    assert not interface.playback.playing
    assert screen.desk.front.next_time is None


def test_a_step_glides_to_the_next_event_and_a_second_press_hastens_it():
    screen = screen_of("centralized")
    interface = update(Interface(), screen, Key("Right"))
    assert screen.desk.front.timeline.step == 1, "the launch is due at once"
    interface = update(interface, screen, Key("Right"))
    interface = update(interface, screen, Tick(0.05))
    assert 0.0 < interface.playback.time < 1.0
    assert screen.desk.front.timeline.step == 1
    update(interface, screen, Key("Right"))
    assert screen.desk.front.timeline.step == 3, "the request in transit, and the other one of the same time"
    jumping = changed(Interface(), reduced_motion=True)
    screen = screen_of("centralized")
    for _ in range(2):
        jumping = update(jumping, screen, Key("Right"))
    assert (screen.desk.front.timeline.step, jumping.playback.time) == (2, 1.0)


def test_back_and_forward_return_to_the_same_state():
    screen = screen_of("ricart-agrawala")
    interface = changed(Interface(), reduced_motion=True)
    states = []
    for _ in range(40):
        states.append(repr([vars(p) for p in screen.desk.front.simulation.processes]))
        interface = update(interface, screen, Key("Right"))
    for state in reversed(states):
        interface = update(interface, screen, Key("Left"))
        assert repr([vars(p) for p in screen.desk.front.simulation.processes]) == state


def test_page_keys_go_to_markers_or_without_markers_to_entries():
    screen = screen_of("token-ring")
    interface = Interface()
    for expected in (5.0, 9.0, 9.0):
        interface = update(interface, screen, Key("PageDown"))
        assert interface.playback.time == expected
    assert interface.notice is not None
    interface = update(interface, screen, Key("PageUp"))
    assert interface.playback.time == 5.0
    screen = screen_of("ricart-agrawala")
    interface = update(Interface(), screen, Key("PageDown"))
    assert screen.desk.front.ledger.counters().entries == 1


# ---- interventions -----------------------------------------------------------------------------------------


def test_crash_recover_and_undo_at_the_selected_node():
    screen = screen_of("ricart-agrawala")
    run = screen.desk.front.simulation
    interface = update(Interface(), screen, Key("Down"))
    assert interface.selected_id == "node:0"
    interface = update(interface, screen, Key("C"))
    assert run.down == {0: "crashed"}
    interface = update(interface, screen, Key("C"))
    assert run.down == {}
    update(interface, screen, Key("Ctrl+Z"))
    assert run.down == {0: "crashed"}


def test_acting_in_the_past_opens_a_branch_and_undo_leads_back():
    screen = screen_of("ricart-agrawala")
    timeline = screen.desk.front.timeline
    interface = update(Interface(), screen, Key("5"))
    interface = update(interface, screen, Key("1"))
    interface = update(interface, screen, Key("Down"))
    interface = update(interface, screen, Key("Q"))
    assert len(timeline.branches) == 2
    update(interface, screen, Key("Ctrl+Z"))
    assert timeline.branch.name == "main"


def test_without_a_selection_the_window_says_what_to_do():
    screen = screen_of("ricart-agrawala")
    for chord in ("C", "Q", "D", "S", "X"):
        interface = update(Interface(), screen, Key(chord))
        assert interface.notice is not None
    assert screen.desk.front.timeline.branch.interventions == ()


def test_losing_the_token_and_dropping_a_message():
    screen = screen_of("token-ring")
    interface = update(Interface(), screen, Key("Right"))
    interface = update(interface, screen, Key("X"))
    assert sorted(screen.desk.front.simulation.queue.in_transit()) == []
    screen = screen_of("token-ring")
    interface = update(Interface(), screen, Key("Right"))
    interface = update(interface, screen, Key("Shift+Down"))
    assert interface.selected_id.startswith("message:")
    update(interface, screen, Key("D"))
    assert sorted(screen.desk.front.simulation.queue.in_transit()) == []


def test_a_delivered_message_is_deselected():
    screen = screen_of("token-ring")
    interface = changed(Interface(), reduced_motion=True)
    interface = update(interface, screen, Key("Right"))
    interface = update(interface, screen, Key("Shift+Down"))
    assert interface.selected_id.startswith("message:")
    while screen.desk.front.timeline.frontier < 10:
        interface = update(interface, screen, Key("Right"))
    assert interface.selected_id == ""


def test_playing_goes_on_after_an_intervention():
    screen = screen_of("ricart-agrawala")
    interface = changed(Interface(), playing=True)
    interface = run_for(interface, screen, 1.0)
    interface = update(interface, screen, Key("Down"))
    before = interface.playback.time
    interface = update(interface, screen, Key("C"))
    assert interface.playback.playing
    assert interface.playback.time == screen.desk.front.now == before


def test_on_a_blank_screen_a_key_only_brings_the_picture_back():
    screen = screen_of("ricart-agrawala")
    interface = update(Interface(), screen, Key("B"))
    assert interface.is_blank
    assert screen.widgets(interface) == ()
    shown = update(interface, screen, Key("Space"))
    assert not shown.is_blank
    assert not shown.playback.playing
    clicked = update(interface, screen, Press(700.0, 400.0))
    assert not clicked.is_blank
    assert clicked.selected_id == ""


def test_every_fault_can_be_reached_through_the_menu_by_keyboard_alone():
    reached = set()
    for is_inside, place in itertools.product((False, True), range(20)):
        screen = screen_of("token-ring")
        interface = update(Interface(), screen, Key("1"))
        run = screen.desk.front
        while is_inside and not any(process.inside for process in run.simulation.processes):
            run.forward()  # there is nothing in transit then
        others = [process.id for process in run.simulation.processes if not process.inside]
        for do, node in zip(
            ("crash", "pause") if is_inside else (), others, strict=False
        ):  # there is one to recover, and one to resume
            run.act(do, run.now, node=node)
        interface = perform(interface, screen.desk, intents.open_menu("faults"))
        menu = contents.menu_of(interface, screen.desk)
        if place >= len(menu.choosable()):
            continue
        for _ in range(place):
            interface = update(interface, screen, Key("Down"))
        while interface.menu:
            interface = update(interface, screen, Key("Enter"))
        reached |= {event.do for event in screen.desk.front.timeline.branch.interventions}
    elsewhere = {"load", "tune", "act"}  # in the menu of the load, and in a classroom
    assert reached >= set(FAULTS) - elsewhere - {"fire", "join"}


# ---- the rest of the window --------------------------------------------------------------------------------


def test_help_and_inspector_pause_and_so_does_dragging_the_timeline():
    for act in (intents.help(), intents.select("node:1"), intents.toggle("inspector"), intents.seek_share(0.3)):
        screen = screen_of("ricart-agrawala")
        interface = perform(changed(Interface(), playing=True), screen.desk, act)
        assert not interface.playback.playing


def test_dragging_the_timeline():
    screen = screen_of("ricart-agrawala")
    interface = Interface()
    track = next(w for w in screen.widgets(interface) if w.id == "transport.timeline").box
    middle = track.y + track.h / 2
    interface = update(interface, screen, Press(track.x + track.w / 2, middle))
    half = screen.desk.front.horizon / 2
    assert interface.playback.time == pytest.approx(half, abs=0.1)
    interface = update(interface, screen, Motion(track.x - 50, middle))
    assert (interface.playback.time, screen.desk.front.timeline.step) == (0.0, 0)
    update(interface, screen, Release(track.x - 50, middle))
    assert screen.desk.front.reached == pytest.approx(half, abs=2.0), "the future is still remembered"


def test_typing_a_number_of_nodes():
    screen = screen_of("ricart-agrawala")
    interface = perform(Interface(), screen.desk, intents.open_menu("nodes"))
    for given in (Typed("1"), Typed("2"), Key("Enter")):
        interface = update(interface, screen, given)
    assert screen.desk.front.scenario.nodes == 12
    interface = perform(interface, screen.desk, intents.open_menu("nodes"))
    for given in (Typed("9"), Typed("9"), Typed("9"), Key("Enter")):
        interface = update(interface, screen, given)
    assert screen.desk.front.scenario.nodes == 12
    assert "2 to 300" in interface.notice.words


def test_a_scenario_that_names_missing_nodes_still_opens():
    screen = screen_of("centralized")
    perform(Interface(), screen.desk, intents.choose_nodes(2))
    assert screen.desk.front.timeline.seek(30) is None
    assert screen.desk.front.scenario.load.requests == ()


def test_zooming_keeps_the_point_under_the_pointer_and_never_leaves_the_graph():
    screen = screen_of("ricart-agrawala")
    interface = update(Interface(), screen, Key("Space"))
    at = (400.0, 250.0)
    nearer = update(interface, screen, Wheel(*at, 3.0))
    assert nearer.graph.camera.zoom > 1
    farther = update(nearer, screen, Wheel(*at, -30.0))
    assert farther.graph.camera == Interface().graph.camera
    assert update(nearer, screen, Key("Z")).graph.camera == Interface().graph.camera


def test_a_click_selects_the_node_under_the_pointer():
    screen = screen_of("ricart-agrawala")
    interface = interface_of(1920, 1080)
    found = set()
    for x in range(0, 1280, 20):
        for y in range(80, 640, 20):
            found.add(screen.under(interface, x, y))
    assert {f"node:{n}" for n in range(5)} <= found


# ---- right click, network, scheduling, moved nodes -----------------------------------------------------------


def test_a_right_click_on_a_node_offers_what_makes_sense_there_and_does_it():
    screen = Screen(desk_of(scenario_of("deferred-reply")))
    interface = interface_of(1280, 720, panel_revision=1)
    screen.shapes(interface)
    x, y = screen.middle_of(interface, 3)
    opened = update(interface, screen, SecondaryPress(x, y))
    assert (opened.node, opened.mode()) == (3, "choosing")
    labels = [entry.label for entry in contents.menu_of(opened, screen.desk).entries]
    assert {"crash", "pause", "request now", "history"} <= set(labels)
    assert not {"recover …", "resume", "leave the critical section now"} & set(labels), "it is up and idle"
    crashed = perform(opened, screen.desk, intents.choose_entry(labels.index("crash")))
    assert screen.desk.front.simulation.is_crashed(3)
    again = update(crashed, screen, SecondaryPress(x, y))
    labels = [entry.label for entry in contents.menu_of(again, screen.desk).entries]
    assert "recover …" in labels
    assert not {"crash", "request now", "pause"} & set(labels)


def test_a_crashed_process_cannot_act_and_its_button_says_why():
    screen = Screen(desk_of(scenario_of("bully-two-crashes")))
    interface = perform(interface_of(1280, 720, panel_revision=1), screen.desk, intents.seek_step(7))
    interface = perform(interface, screen.desk, intents.select("node:4"))
    interface = perform(interface, screen.desk, intents.crash_or_recover())
    assert interface.notice.words == (
        "P4 led, and no process can notice its crash by itself: select another node and press Q to start an election."
    )
    (button,) = [w for w in screen.widgets(interface) if w.id == "cards.request"]
    assert button.is_off
    assert button.hint == "P4 has crashed and cannot act: C lets it recover."
    steps = screen.desk.front.timeline.step
    said = perform(interface, screen.desk, intents.request())
    assert (said.notice.words, screen.desk.front.timeline.step) == (button.hint, steps)


def test_the_network_is_chosen_in_a_menu_and_starts_the_run_again():
    screen = Screen(desk_of(scenario_of("deferred-reply")))
    interface = perform(interface_of(), screen.desk, intents.seek_step(9))
    interface = perform(interface, screen.desk, intents.open_menu("network"))
    entries = contents.menu_of(interface, screen.desk).entries
    place = next(at for at, entry in enumerate(entries) if entry.label == "0.1")
    perform(interface, screen.desk, intents.choose_entry(place))
    assert screen.desk.front.scenario.network.loss == 0.1
    assert screen.desk.front.timeline.step < 9


def test_manual_scheduling_and_moved_nodes_end_with_their_run():
    screen = Screen(desk_of(scenario_of("deferred-reply")))
    interface = perform(interface_of(), screen.desk, intents.other_scheduler())
    interface = replace(interface, graph=interface.graph._replace(positions=((3, (0.5, 0.5)),)))
    again = perform(interface, screen.desk, intents.restart())
    assert (screen.desk.is_manual, again.graph.positions) == (True, ((3, (0.5, 0.5)),)), "it is the same run"
    other = perform(again, screen.desk, intents.open_scenario("coordinator"))
    assert (screen.desk.is_manual, other.graph.positions) == (False, ())


def test_choices_that_differ_only_at_their_end_look_different():
    screen = Screen(desk_of(Scenario("system-search", nodes=5)))
    interface = perform(interface_of(1024, 768, scale=1.25), screen.desk, intents.seek_step(60))
    interface = pressed(interface, screen, "Shift+J")
    (page,) = [shown.panel.shapes for shown in screen.panels(interface) if shown.name == "choose"]
    choices = [text.words for text in placed_texts(page, Rect(0, 0, 1024, 768)) if text.words.startswith("rule ")]
    assert [words for words in choices if "…" in words], "some do not fit"
    assert len(set(choices)) == len(choices)


def test_the_next_event_of_a_node_is_executed_in_a_new_run():
    screen = Screen(desk_of(scenario_of("coordinator")))
    interface = perform(interface_of(), screen.desk, intents.select("node:2"))
    perform(interface, screen.desk, intents.next_of_node())
    event = screen.desk.front.timeline.trace.event(screen.desk.front.timeline.step - 1)
    assert 2 in affected_nodes(event, 5)


def test_ctrl_a_selects_the_text_of_a_field():
    screen = Screen(desk_of(scenario_of("coordinator")))
    interface = perform(interface_of(), screen.desk, intents.open_menu("seed"))
    for one in (Key("End"), Key("Ctrl+A"), Typed("7"), Key("Enter")):
        interface = update(interface, screen, one)
    assert screen.desk.front.scenario.seed == 7
