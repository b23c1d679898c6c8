"""Presenting: from stop to stop by PageDown, questions that hide what is to come, the stage's panels, tools, talks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from algorithms import scenario_file
from algorithms.engine.scenario import Marker, Scenario
from algorithms.engine.workload import Saturated
from lessons.asking.moments import Condition
from lessons.talk import Scene, Talk
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import flat
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import Box, Circle, Group, Shape, Text
from visual.window import keys
from visual.window.inputs import Key, Motion, Press, Release, Tick
from visual.window.memory.saving import save_run
from visual.window.presenting import actions, acts
from visual.window.presenting.questions import hides_future, open_question
from visual.window.screen import Screen
from visual.window.state import Interface, Presentation
from visual.window.update import update

ASKED = Marker(7.2, "P2 is next", "Who enters next?", "P2: it is next on the ring.", "Let them vote.")
RING = Scenario(
    "token-ring", nodes=4, load=Saturated(), until=20.0, markers=(Marker(3.1, "it begins"), ASKED, Marker(12.4, "late"))
)
SIZES = [(1280, 720), (1920, 1080)]


def stage_of(scenario: Scenario = RING, size: tuple[int, int] = (1280, 720)) -> tuple[Interface, Screen]:
    screen = Screen(desk_of(scenario))
    return pressed(interface_of(*size), screen, "F5"), screen


def pressed(interface: Interface, screen: Screen, *chords: str) -> Interface:
    for chord in chords:
        interface = update(interface, screen, Key(chord))
    return interface


def stopped(interface: Interface, screen: Screen) -> Interface:
    """The interface once nothing moves by itself."""
    while interface.is_moving:
        interface = update(interface, screen, Tick(0.05))
    return interface


def texts_of(shapes: Iterable[Shape]) -> list[Text]:
    return [shape for shape in flat(shapes) if isinstance(shape, Text)]


def words_on(interface: Interface, screen: Screen) -> str:
    return " ".join(text.text for text in texts_of(screen.shapes(interface)))


# ---- from stop to stop -------------------------------------------------------------------------------------


def test_page_down_plays_to_the_next_marker_and_a_second_press_jumps():
    interface, screen = stage_of()
    playing = pressed(interface, screen, "PageDown")
    assert playing.playback.playing
    assert playing.playback.time == 0.0
    at_first = stopped(playing, screen)
    assert at_first.playback.time == 3.1
    jumped = pressed(at_first, screen, "PageDown", "PageDown")
    assert (jumped.playback.playing, jumped.playback.time) == (False, 7.2)


def test_a_key_that_is_held_down_does_not_jump():
    interface, screen = stage_of()
    interface = update(pressed(interface, screen, "PageDown"), screen, Key("PageDown", again=True))
    assert interface.playback.time == 0.0


def test_a_question_is_asked_then_answered_then_the_run_goes_on():
    interface, screen = stage_of()
    interface = stopped(pressed(interface, screen, "PageDown", "PageDown", "PageDown", "PageDown"), screen)
    assert open_question(interface, screen.desk) == ASKED
    asked = words_on(interface, screen)
    assert ASKED.question in asked
    assert ASKED.answer not in asked
    assert ASKED.name not in asked, "the name may tell"
    interface = pressed(interface, screen, "PageDown")
    answered = words_on(interface, screen)
    assert {ASKED.question in answered, ASKED.answer in answered, ASKED.name in answered} == {True}
    assert interface.playback.time == ASKED.at
    interface = stopped(pressed(interface, screen, "PageDown"), screen)
    assert interface.playback.time == 12.4
    assert ASKED.question not in words_on(interface, screen)


def test_page_up_asks_again_and_then_goes_back():
    interface, screen = stage_of()
    interface = pressed(interface, screen, "PageDown", "PageDown", "PageDown", "PageDown", "PageDown")
    assert open_question(interface, screen.desk) is None
    interface = pressed(interface, screen, "PageUp")
    assert open_question(interface, screen.desk) == ASKED
    assert pressed(interface, screen, "PageUp").playback.time == 3.1
    assert pressed(interface, screen, "PageUp", "PageUp").playback.time == 0.0


@pytest.mark.parametrize("view", ["graph", "space-time"])
def test_until_the_answer_the_screen_is_the_same_whether_the_future_has_been_executed_or_not(view):
    """An oracle that knows no panel: what is still to come cannot show in a picture that does not change with it."""

    def shapes_at_the_question(*, answered: bool, executed: bool) -> list[Shape]:
        screen = Screen(desk_of(RING))
        if executed:
            screen.desk.seek_time(RING.until)
        screen.desk.seek_time(ASKED.at)
        shown = interface_of(1280, 720, view=view, presenting=True, time=ASKED.at)
        shown = shown.with_presentation(answered=ASKED.at if answered else None)
        assert hides_future(shown, screen.desk) != answered
        drawn = flat(screen.shapes(replace(shown, panel_revision=screen.desk.revision)))
        return [shape for shape in drawn if not (isinstance(shape, Text) and shape.text.startswith("step "))]

    fresh = shapes_at_the_question(answered=False, executed=False)
    assert fresh == shapes_at_the_question(answered=False, executed=True)
    assert fresh != shapes_at_the_question(answered=True, executed=True), "afterwards it may show"


def test_after_the_last_question_the_future_may_be_seen_again():
    interface, screen = stage_of()
    later = interface.at(13.0)
    assert hides_future(interface, screen.desk)
    assert not hides_future(later, screen.desk)
    assert hides_future(pressed(later, screen, "Shift+F"), screen.desk)


# ---- marking moments ---------------------------------------------------------------------------------------


def test_a_marked_moment_is_a_stop_and_is_kept_in_the_file(tmp_path):
    interface, screen = stage_of()
    interface = pressed(interface.at(5.0), screen, "Ctrl+M")
    (marker,) = [marker for marker in screen.desk.markers if marker.at == 5.0]
    assert marker.name in interface.notice.words
    assert "already" in pressed(interface, screen, "Ctrl+M").notice.words
    save_run(replace(interface, folder=str(tmp_path)), screen.desk)
    (file,) = tmp_path.glob("*.toml")
    assert scenario_file.load(file).markers == tuple(sorted((*RING.markers, marker), key=lambda one: one.at))


# ---- the stage ---------------------------------------------------------------------------------------------


def test_f5_is_the_full_screen_as_well_and_its_end_brings_the_window_back():
    interface, screen = stage_of()
    assert (interface.display.presenting, interface.display.full_screen) == (True, True)
    for end in ("F5", "Esc"):
        ended = pressed(interface, screen, end)
        assert (ended.display.presenting, ended.display.full_screen) == (False, False)
    full = pressed(Interface(), screen, "F11", "F5", "F5")
    assert full.display.full_screen


def test_f5_takes_the_full_screen_for_a_presentation_in_a_window():
    """As a talk is opened; presenters press F5 first, and so do remotes."""
    stage, screen = talk_stage()
    stage = stage.with_display(full_screen=False).with_presentation(notes=True)
    full = pressed(stage, screen, "F5")
    assert full == stage.with_display(full_screen=True)
    ended = pressed(full, screen, "F5")
    assert (ended.display.presenting, ended.display.full_screen) == (False, False)


def test_blank_is_black_and_pauses():
    interface, screen = stage_of()
    blank = pressed(interface, screen, "Space", "B")
    (shape,) = screen.shapes(blank)
    assert shape.fill == "#000000"
    assert not blank.playback.playing


@pytest.mark.parametrize("size", SIZES)
def test_panels_on_the_stage_are_for_the_last_row(size):
    interface, screen = stage_of(size=size)
    interface = stopped(pressed(interface, screen, "PageDown", "PageDown", "M", "Shift+L"), screen)
    for name, words in (("stagecounters", "messages"), ("stagelights", "safety")):
        texts = texts_of(screen.panel(interface, name).shapes)
        assert words in " ".join(text.text for text in texts)
        assert min(text.size for text in texts) >= 0.03 * size[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scenario", ["deferred-reply", "bully-two-crashes", "coordinator-crash"])
def test_the_last_row_can_read_states_legend_and_names_of_markers(scenario, size):
    screen = Screen(desk_of(scenario_file.load(scenario_file.find(scenario))))
    for marker in screen.desk.markers:
        screen.desk.seek_time(marker.at)
        interface = pressed(interface_of(*size, time=marker.at), screen, "F5")
        shapes = screen.shapes(interface)
        nodes = [one for one in groups_of(shapes) if one.id.startswith("node:")]
        words = [max(texts_of([node]), key=lambda text: len(text.text)) for node in nodes]
        legend, header = (screen.panel(interface, name).shapes for name in ("legend", "header"))
        (name,) = [text for text in texts_of(header) if text.text == marker.name]
        assert {text.text for text in words} & {"idle", "waiting", "IN CS", "crashed", "follower"}
        for text in (*words, *[text for text in texts_of(legend) if len(text.text) > 2], name):
            assert text.size >= 0.0299 * size[1], text.text
        rings = [shape for node in nodes for shape in node.shapes if isinstance(shape, Circle) and shape.stroke]
        assert min(shape.width for shape in rings if shape.r > 0.03 * size[1]) >= 3.0


def groups_of(shapes: Iterable[Shape]) -> Iterator[Group]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield shape
            yield from groups_of(shape.shapes)


@pytest.mark.parametrize("size", [*SIZES, (1024, 768)])
@pytest.mark.parametrize("answered", [None, 20.5])
def test_a_question_touches_no_mark_or_button_and_no_notice_covers_its_words(size, answered):
    """At the end of the step that breaks an invariant, which has the longest mark."""
    question = "The token has been lost in transit from P2 to P3. Which process notices?"
    answer = "None. To each of them, a lost token looks just like one that is in transit."
    asked = Marker(20.5, "the token is lost", question, answer)
    scenario = replace(scenario_file.load(scenario_file.find("lost-token")), markers=(asked,))
    screen = Screen(desk_of(scenario))
    screen.desk.front.seek_time(20.5)
    for notice in ("“One token” fails at step 26: the token has been lost.", "The talk has ended."):
        interface = interface_of(*size, presenting=True, time=20.5).say(notice).with_presentation(answered=answered)
        bar = screen.panel(interface, "transport")
        (ground,) = [box for box in bar.shapes if isinstance(box, Box) and box.w > 0.9 * size[0] and box.radius]
        bottom, marks = ground.y + ground.h, [s for s in bar.shapes if isinstance(s, Box) and s.w < 8 and s.h > 4]
        assert len(marks) > 5
        assert bottom < min([mark.y for mark in marks] + [widget.box.y for widget in bar.widgets])
        words = [text for text in texts_of(bar.shapes) if text.y < bottom]
        assert " ".join(text.text for text in words) in (
            (question,) if answered is None else (f"{question} {answer}", answer)
        )
        over = all_bounds(screen.panel(interface, "notice").shapes)
        assert all(text.y + 0.62 * text.size < over.y for text in words), "below the descenders"
        assert all(text.y - 0.5 * text.size > ground.y for text in words)


@pytest.mark.parametrize("chord", ["E", "J", "Y", "F6", "Shift+I", "Shift+B", "Shift+C", "Shift+U", "I", "Alt+9"])
def test_a_key_without_effect_on_the_stage_says_so(chord):
    interface, screen = stage_of()
    after = pressed(interface, screen, chord)
    assert after.notice
    assert after.display == interface.display, "nothing changes out of sight"


def test_alt_and_a_digit_select_a_node():
    interface, screen = stage_of()
    assert pressed(interface, screen, "Alt+3").node == 3
    assert "last node is P3" in pressed(interface, screen, "Alt+4").notice.words


# ---- pointing and drawing ----------------------------------------------------------------------------------


def test_the_pen_draws_and_esc_wipes_before_it_ends_the_presentation():
    interface, screen = stage_of()
    interface = pressed(interface, screen, "Shift+D")
    for one in (Press(100, 100), Motion(200, 150), Motion(300, 160), Release(300, 160), Press(10, 10), Release(10, 10)):
        interface = update(interface, screen, one)
    assert [len(stroke) for stroke in interface.presentation.strokes] == [3, 1]
    assert interface.selection is None, "the pen selects nothing"
    wiped = pressed(interface, screen, "Esc")
    assert wiped.presentation == Presentation(began=interface.presentation.began, at=interface.presentation.at)
    assert wiped.display.presenting
    assert not pressed(wiped, screen, "Esc").display.presenting


def test_the_keyboard_draws_one_line_until_the_tool_is_moved():
    interface, screen = stage_of()
    interface = pressed(interface, screen, "Shift+P", "Alt+Shift+Right", "Alt+Shift+Right", "Alt+Down", "Alt+Shift+Up")
    assert [len(stroke) for stroke in interface.presentation.strokes] == [3, 2]


@pytest.mark.parametrize("chord", ["Alt+Left", "Alt+Shift+Down"])
def test_without_a_tool_its_keys_say_which_ones_there_are(chord):
    interface, screen = stage_of()
    assert keys.readable("Shift+P") in pressed(interface, screen, chord).notice.words


# ---- talks -------------------------------------------------------------------------------------------------


def scene(scenario: Scenario, time: float, title: str, **more: object) -> Scene:
    return Scene(scenario.algorithm, scenario, Condition("time", time), title, **more)


PLAIN = replace(RING, markers=())
OTHER = Scenario("centralized", nodes=3, load=Saturated(), until=20.0)
TALK = Talk(
    "two runs",
    (
        scene(PLAIN, 3.0, "first"),
        scene(PLAIN, 6.0, "second", question="Why?", answer="Because.", selected=2),
        scene(OTHER, 4.0, "third", view="graph"),
        scene(OTHER, 2.0, "back in time"),
    ),
)


def talk_stage() -> tuple[Interface, Screen]:
    running = acts.RunningTalk(acts.acts_of(TALK), TALK.title, TALK.minutes)
    interface, screen = stage_of(running.act.scenario)
    screen.desk.talk = running
    return actions.first_stop(interface, screen.desk), screen


def test_a_talk_goes_from_scene_to_scene_by_page_down_alone():
    interface, screen = talk_stage()
    seen = []
    for _ in range(8):
        interface = stopped(interface, screen)
        marker = screen.desk.marker(interface.playback.time)
        asks = open_question(interface, screen.desk)
        seen.append((marker.name, interface.playback.time, asks is not None, interface.node))
        interface = pressed(interface, screen, "PageDown")
    assert seen[:5] == [
        ("first", 3.0, False, None),
        ("second", 6.0, True, 2),
        ("second", 6.0, False, 2),
        ("third", 4.0, False, None),
        ("back in time", 2.0, False, None),
    ]
    assert seen[5:] == [seen[4]] * 3, "after the last scene nothing happens"
    assert interface.notice.words == "The talk has ended."


def test_page_up_comes_back_to_the_scene_before():
    interface, screen = talk_stage()
    for _ in range(4):
        interface = stopped(pressed(interface, screen, "PageDown"), screen)
    back = pressed(interface, screen, "PageUp")
    assert (screen.desk.marker(back.playback.time).name, screen.desk.talk.place) == ("third", 1)
    back = pressed(back, screen, "PageUp")
    assert (screen.desk.marker(back.playback.time).name, screen.desk.talk.place) == ("second", 0)
