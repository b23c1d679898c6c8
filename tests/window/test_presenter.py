"""The presenter's window: one interface, two pictures; notes, the next stop, the time."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pygame
import pytest

from algorithms.engine.scenario import Marker, Scenario
from algorithms.engine.workload import Saturated
from lessons.asking.moments import Condition
from lessons.talk import Scene, Talk
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import texts
from visual.drawing.shapes import Group, Rect
from visual.window import intents
from visual.window.actions import perform
from visual.window.desk import Desk
from visual.window.inputs import Key, Motion, Press, Release
from visual.window.panel import View
from visual.window.presenting import acts
from visual.window.presenting.actions import Opening, begun
from visual.window.presenting.notes import paragraphs, place_words, time_words
from visual.window.presenting.presenter import (
    NextPicture,
    merged,
    next_stop,
    notes_column,
    presenter_view,
    stage_view,
)
from visual.window.presenting.presenter_window import PresenterWindow
from visual.window.screen import Screen
from visual.window.state import Help, Interface, OpenMenu, PresenterView
from visual.window.update import update

RING = Scenario("token-ring", nodes=4, load=Saturated(), until=30.0, speaker="Begin with the ring.")
ASKED = Marker(7.2, "P2 is next", "Who enters next?", "P2: it is next on the ring.", "Let them vote.")
LATE = Marker(12.4, "late")
MARKED = replace(RING, markers=(ASKED, LATE))


def presented(scenario: Scenario = MARKED, time: float = 0.0) -> tuple[Interface, Desk]:
    desk = desk_of(scenario)
    desk.seek_time(time)
    how = Opening(presenting=True)
    interface = begun(interface_of(1280, 720, time=time), desk, how)
    return replace(interface, presenter=PresenterView(1200, 700)), desk


def view_of(interface: Interface, desk: Desk) -> View:
    return View(interface, desk, desk.front, None, Rect(0, 0, 0, 0))


def test_menus_help_and_notices_are_the_presenters_alone():
    interface, _ = presented()
    told = interface.over(Help()).over(OpenMenu("more")).say("Nobody but the presenter reads this.")
    assert (stage_view(told).overlays, stage_view(told).notice) == ((), None)
    assert presenter_view(told).overlays == told.overlays
    assert stage_view(replace(told, presenter=None)) == replace(told, presenter=None)


def test_a_blank_screen_is_the_audiences_alone():
    interface, desk = presented()
    blank = perform(interface, desk, intents.blank())
    assert stage_view(blank).is_blank
    assert not presenter_view(blank).is_blank
    after = merged(blank, presenter_view(blank), presenter_view(blank))
    assert after.is_blank


def test_the_presenter_sees_all_panels_and_what_is_still_to_come():
    interface, _ = presented(time=ASKED.at)
    view = presenter_view(interface)
    assert not view.display.presenting
    assert view.display.panels >= {"counters", "source", "waiting", "legend"}
    assert view.display.width < interface.presenter.width, "the notes are beside them"


def test_a_click_in_the_presenters_window_selects_on_the_stage_and_changes_no_size():
    interface, desk = presented(time=5.0)
    screen = Screen(desk)
    pointed = replace(interface, presenter=interface.presenter._replace(has_pointer=True))
    for kind in (Motion, Press, Release):
        view = presenter_view(pointed)
        after = update(view, screen, kind(*screen.middle_of(view, 2)))
        pointed = merged(pointed, view, after)
    assert pointed.node == 2
    assert pointed.display == interface.display._replace(panels=interface.display.panels | {"inspector"})
    assert stage_view(pointed).pointer.hover == "", "no hint appears before the audience"


def test_the_next_stop_is_the_next_marker_or_the_first_one_of_the_next_scene():
    interface, desk = presented()
    assert next_stop(view_of(interface, desk)).marker == ASKED
    assert next_stop(view_of(interface.at(7.2), desk)).marker == LATE
    assert next_stop(view_of(interface.at(20.0), desk)) is None
    plain = replace(RING, markers=())
    talk = Talk("two", tuple(Scene(name, plain, Condition("time", t), name) for name, t in (("a", 5.0), ("b", 3.0))))
    desk.talk = acts.RunningTalk(acts.acts_of(talk), "two", 10.0)
    desk.front.open(desk.talk.act.scenario)
    assert next_stop(view_of(interface.at(5.0), desk)).marker.name == "b"
    assert place_words(view_of(interface.at(5.0), desk)) == "stop 1 of 2"


def test_the_picture_of_the_next_stop_does_not_move_the_run():
    interface, desk = presented()
    stop, before = next_stop(view_of(interface, desk)), (desk.front.timeline.step, desk.front.timeline.frontier)
    shapes = NextPicture().shapes(stop, Rect(10, 10, 400, 225), "light")
    assert any(isinstance(shape, Group) for shape in shapes)
    assert "P2" in texts(shapes)
    assert (desk.front.timeline.step, desk.front.timeline.frontier) == before


def test_the_notes_are_those_of_the_moment_with_the_answer_before_it_is_shown():
    interface, desk = presented(time=ASKED.at)
    interface = interface.at(ASKED.at)
    before = dict(paragraphs(view_of(interface, desk)))
    assert before == {"Question": ASKED.question, "Answer, still hidden": ASKED.answer, ASKED.name: ASKED.notes}
    after = dict(paragraphs(view_of(interface.with_presentation(answered=ASKED.at), desk)))
    assert after["Answer"] == ASKED.answer
    assert dict(paragraphs(view_of(interface.at(0.0), desk))) == {"": RING.speaker}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(65, "1:05 elapsed, 8:55 left"), (600, "10:00 elapsed, 0:00 left"), (754, "12:34 elapsed, 2:34 over")],
)
def test_the_time_that_remains_is_counted_from_the_planned_one(seconds, words):
    _, desk = presented()
    assert time_words(desk, seconds) == words.partition(",")[0]
    desk.talk = acts.RunningTalk((acts.Act(MARKED),), minutes=10.0)
    assert time_words(desk, seconds) == words


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
def test_no_text_of_the_column_is_outside_it(size):
    interface, desk = presented(time=ASKED.at)
    interface = replace(interface.at(ASKED.at), presenter=PresenterView(*size))
    column = notes_column(interface, desk, 75, NextPicture())
    shown = texts(column)
    assert {"1:15 elapsed", "stop 1 of 2", "Question", ASKED.question} <= set(shown)
    assert "Next: late" in shown


def test_the_window_is_drawn_and_closed():
    pygame.display.init()
    pygame.display.set_mode((640, 360))
    interface, desk = presented(time=ASKED.at)
    window = PresenterWindow(desk, 0)
    interface = window.fit(interface.at(ASKED.at))
    window.paint(interface, desk, inf)
    surface = window._window.get_surface()
    assert len({tuple(surface.get_at((x, surface.get_height() // 3))) for x in range(0, surface.get_width(), 3)}) > 2
    after = window.updated(interface, Motion(5, 5))
    assert after.presenter.has_pointer
    window.close()


def test_ctrl_p_opens_and_closes_it_and_the_end_of_a_presentation_closes_it_too():
    screen = Screen(desk_of(MARKED))
    interface = update(interface_of(1280, 720), screen, Key("F5"))
    opened = update(interface, screen, Key("Ctrl+P"))
    assert opened.presenter is not None
    assert update(opened, screen, Key("Ctrl+P")).presenter is None
    assert update(opened, screen, Key("F5")).presenter is None
    assert update(opened, screen, Key("E")).display.page == "events", "the presenter's window has the page"
