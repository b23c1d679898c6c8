"""A run ends where its scenario does, and play stops at markers and breaches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from algorithms import scenario_file
from algorithms.engine.events import NODE, SENDER
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.interfaces import changed
from visual.drawing.shapes import Text
from visual.window import intents
from visual.window.actions import perform
from visual.window.diagram.scrolling import span_of
from visual.window.inputs import Key, Tick
from visual.window.pages.plot_kinds import reach
from visual.window.panel import View
from visual.window.playback.transport import _step_words, speed_words
from visual.window.run_view import RunView
from visual.window.screen import Screen
from visual.window.state import FASTEST, UNBOUND, Interface
from visual.window.update import update


def scenario_of(name: str, **changes: object) -> Scenario:
    return replace(scenario_file.load(scenario_file.find(name)), **changes)


def screen_of(name: str, **changes: object) -> Screen:
    return Screen(desk_of(scenario_of(name, **changes)))


def played(screen: Screen, interface: Interface, ticks: int = 600) -> Interface:
    """The interface once it has stopped playing."""
    for _ in range(ticks):
        interface = update(interface, screen, Tick(0.1))
        if not interface.playback.playing:
            return interface
    raise AssertionError("it plays on")


@pytest.mark.parametrize("speed", [1, FASTEST, UNBOUND])
@pytest.mark.parametrize("name", ["wandering-token-overload", "token-in-flight"])
def test_a_run_ends_where_its_scenario_ends(name, speed):
    screen = screen_of(name, until=12.5)
    interface = played(screen, changed(Interface(), playing=True, speed=speed))
    run = screen.desk.front
    assert interface.playback.time == 12.5
    assert run.now <= 12.5 < run.simulation.next_time()
    assert "ends at 12.5" in interface.notice.words
    assert "Shift+End" in interface.notice.words


def test_no_way_forward_leads_past_the_end_but_the_key_that_says_so():
    screen = screen_of("token-in-flight", until=12.5)
    interface = Interface()
    for chord in ("End", "Right", "Right", "PageDown", "9", "End"):
        interface = update(update(interface, screen, Key(chord)), screen, Tick(1.0))
        assert max(interface.playback.time, screen.desk.now) <= 12.5
    interface = update(interface, screen, Key("Shift+End"))
    assert "past" in interface.notice.words
    for _ in range(60):
        interface = update(interface, screen, Tick(0.1))
    assert interface.playback.playing
    assert screen.desk.now > 12.5
    interface = update(interface, screen, Key("R"))
    assert screen.desk.front.end == 12.5, "a run that starts again ends again"


def test_two_runs_end_together():
    screen = screen_of("token-in-flight", until=12.5)
    screen.desk.join(RunView(scenario_of("lost-token", until=12.5)))
    interface = played(screen, changed(Interface(), playing=True, speed=UNBOUND))
    assert interface.playback.time == 12.5
    assert all(run.now <= 12.5 for run in screen.desk.runs)


def test_what_a_person_did_past_the_end_can_be_played_again():
    run = RunView(scenario_of("token-in-flight", until=12.5))
    run.is_continued = True
    run.seek_time(20.0)
    run.act("crash", node=0)
    again = RunView(scenario_file.saved_run(run.timeline))
    assert again.end == run.timeline.branch.interventions[-1].at == 20.0 or again.end > 12.5


@pytest.mark.parametrize("speed", [0, FASTEST, UNBOUND])
@pytest.mark.parametrize("way", ["presenting", "stops"])
def test_play_stops_at_markers_and_at_breaches(speed, way):
    screen = screen_of("lost-token")
    markers = sorted({marker.at for marker in screen.desk.markers})
    interface, stops = changed(Interface(), speed=speed, **{way: True}), []
    while True:
        interface = played(screen, changed(interface, playing=True))
        words = interface.notice.words if interface.notice else ""
        at_marker = interface.playback.time in markers
        if "Deadlock" in words:
            break
        if at_marker and "fails at" not in words:
            assert ("Stopped" in words) == (way == "stops"), "the header has the name while presenting"
        stops.append((interface.playback.time, words))
    assert [time for time, _ in stops if time in markers] == markers
    assert [words for _, words in stops if "fails at" in words]


def test_play_runs_through_markers_otherwise():
    screen = screen_of("lost-token")
    assert screen.desk.markers
    interface = played(screen, changed(Interface(), playing=True, speed=UNBOUND))
    assert "marker" not in interface.notice.words


def test_the_number_of_steps_is_told_once_the_end_is_known():
    screen = screen_of("deferred-reply")
    desk = screen.desk

    def words() -> str:
        return _step_words(View(Interface(), desk, desk.front, None, None))

    desk.seek_step(8)
    assert words() == "step 8"
    played(screen, changed(Interface(), playing=True, speed=UNBOUND))
    last = desk.front.timeline.frontier
    assert words() == f"step {last} of {last}"
    perform(Interface(), desk, intents.seek_step(8))
    assert words() == f"step 8 of {last}"
    perform(changed(Interface(), selection="node:1"), desk, intents.request())
    assert words() == "step 9", "another branch, whose end is not known"


@pytest.mark.parametrize("name", ["deferred-reply", "binary-search-64", "wandering-token-overload", "lost-token"])
def test_the_diagram_ends_with_the_run(name):
    desk = screen_of(name).desk
    until = desk.front.scenario.until
    for time in (0.0, 0.3 * until, until):
        desk.seek_time(min(time, 60.0))
        span = span_of(changed(Interface(), time=min(time, 60.0)), desk)
        assert 0 <= span.start < span.end <= until


def test_compared_runs_and_plots_have_the_axis_of_the_diagram():
    desk = screen_of("deferred-reply").desk
    desk.join(RunView(scenario_of("lost-token", until=16.0)))
    for time in (2.0, 9.0, 15.5):
        desk.seek_time(time)
        interface = changed(Interface(), time=time, width=1920, height=1080)
        assert span_of(interface, desk) == (0.0, reach(desk.front, time)) == (0.0, 16.0)
        frames = [Screen(desk).diagram_at(interface, x, 700).span for x in (100, 1000)]
        assert frames[0] == frames[1]


def test_the_diagram_shows_those_who_act_and_their_messages():
    screen = screen_of("binary-search-64")
    screen.desk.seek_time(32.9)
    interface = changed(Interface(), time=32.9, width=1920, height=1080)
    run = screen.desk.front.simulation
    trace = screen.desk.front.timeline.trace
    acting = {trace.event(step)[NODE] for step in range(run.steps - 3, run.steps)}
    flying = {node for entry in run.queue.between_processes() for node in (entry[SENDER], entry[NODE])}
    assert acting | flying <= set(screen.diagram_at(interface, 100, 900).lanes)


def test_speeds_between_eight_times_and_as_fast_as_it_can():
    assert [speed_words(speed) for speed in range(3, UNBOUND + 1)] == ["8×", "16×", "32×", "64×", "max"]


@pytest.mark.parametrize("name", ["endless-election", "deferred-reply"])
def test_caption_and_halo_are_about_the_same_step(name):
    """Steps at one moment, and steps 44 ms apart, once had the halo of one and the caption of another."""
    screen = screen_of(name)
    desk, singles = screen.desk, 0
    interface = changed(Interface(), width=1920, height=1080, playing=True)
    while interface.playback.playing and interface.playback.time < 48:
        before = desk.front.timeline.step
        interface = update(interface, screen, Tick(1 / 60))
        if desk.front.timeline.step == before + 1:
            singles += 1
            words = [shape.text for shape in screen.panel(interface, "transport").shapes if isinstance(shape, Text)]
            assert desk.sentence.startswith(words[0].rstrip("… "))
    assert singles > 15
