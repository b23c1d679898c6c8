"""The pages of the column at the right: what they list, what a click or a key on them does, and what they cost."""

from __future__ import annotations

import time

import pytest

from algorithms.engine.events import FAULT, KIND, NODE, SENDER
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Closed, Poisson
from visual.interface.happenings import KINDS, Happenings, Question
from visual.interface.inputs import Key, Press, Release, Wheel
from visual.interface.session import Session
from visual.interface.state import Interface
from visual.interface.update import update
from visual.panels.screen import Screen
from visual.picking import middle_of
from visual.shapes import Group, Shape, Text
from visual.widgets import Scroller, Target

RING = Scenario("token-ring", nodes=4, load=Closed(think=3.0))
RICART = Scenario("ricart-agrawala", nodes=3, load=Closed(think=3.0))


def opened(scenario: Scenario, *chords: str, steps: int = 40) -> tuple[Interface, Screen]:
    """The window after so many steps of a run and some keys."""
    screen = Screen(Session(scenario))
    screen.session.seek(steps)
    return pressed(Interface(1280, 720), screen, *chords), screen


def pressed(interface: Interface, screen: Screen, *chords: str) -> Interface:
    for chord in chords:
        interface = update(interface, screen, Key(chord))
    return interface


def clicked(interface: Interface, screen: Screen, widget: str) -> Interface:
    found = {each.id: each for each in screen.widgets(interface)}[widget]
    point = middle_of(found.box)
    return update(update(interface, screen, Press(*point)), screen, Release(*point))


def words_of(shapes: tuple[Shape, ...]) -> list[str]:
    found = []
    for shape in shapes:
        if isinstance(shape, Text):
            found.append(shape.text)
        elif isinstance(shape, Group):
            found += words_of(shape.shapes)
    return found


def page_words(interface: Interface, screen: Screen) -> str:
    return "\n".join(words_of(screen.panel(interface, interface.page).shapes))


def lines_of(interface: Interface, screen: Screen) -> list[str]:
    """The names of the dense targets of the open page."""
    widgets = screen.panel(interface, interface.page).widgets
    return [widget.id for widget in widgets if isinstance(widget, Target) and widget.dense]


# ---- events ------------------------------------------------------------------------------------------------


def test_the_list_of_events_marks_the_present_one_and_a_click_goes_there():
    interface, screen = opened(RING, "E")
    assert "events.39" in lines_of(interface, screen)
    assert "40 of 40 events" in page_words(interface, screen)
    interface = clicked(interface, screen, "events.31")
    assert screen.session.timeline.step == 32
    assert screen.panel(interface, "events").start == "events.31"


def test_the_list_stays_where_it_is_when_a_line_is_clicked():
    interface, screen = opened(RING, "E", steps=200)
    before = lines_of(interface, screen)
    interface = clicked(interface, screen, before[-8])
    assert lines_of(interface, screen) == before


def test_the_present_event_stays_in_view_and_the_list_still_while_it_is():
    interface, screen = opened(RING, "E", steps=200)
    moved = 0
    for _ in range(60):
        before = lines_of(interface, screen)
        interface = pressed(interface, screen, "Left")
        after = lines_of(interface, screen)
        assert f"events.{screen.session.timeline.step - 1}" in after
        moved += before != after
    assert 0 < moved < 60


def test_arrow_keys_go_through_the_list_and_scroll_it_at_both_ends():
    interface, screen = opened(RING, "E", "Down", steps=200)
    assert interface.focus == "events.199"
    interface = pressed(interface, screen, *["Up"] * 60)
    assert interface.focus == "events.139"
    interface = pressed(interface, screen, *["Down"] * 30, "Enter")
    assert screen.session.timeline.step == 170
    interface = pressed(interface, screen, "Esc", "Down")
    assert interface.selection == "node:0", "after Esc the arrows are the graph's again"


def test_the_wheel_scrolls_until_another_step_is_shown():
    interface, screen = opened(RING, "E", steps=200)
    scroller = next(w for w in screen.panel(interface, "events").widgets if isinstance(w, Scroller))
    for _ in range(30):
        interface = update(interface, screen, Wheel(*middle_of(scroller.box), 1.0))
    assert "events.199" not in lines_of(interface, screen)
    interface = pressed(interface, screen, "Left")
    assert "events.198" in lines_of(interface, screen)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_listed_alone(kind):
    scenario = Scenario("bully", nodes=4, load=Poisson(rate=0.2), events=(Event(3.0, "crash", 3),))
    interface, screen = opened(scenario, "E", steps=300)
    for other in KINDS:
        if other != kind:
            interface = clicked(interface, screen, f"events.{other}")
    alone = screen.session.ledger.happenings(Question(frozenset({kind})))
    assert 1 < len(alone) < 300
    assert f"{len(alone)} of 300 events" in page_words(interface, screen)


def test_events_of_a_node_are_those_at_it_or_by_its_messages():
    interface, screen = opened(RICART, "Down", "Down", "E", steps=120)
    interface = clicked(interface, screen, "events.node")
    trace = screen.session.timeline.trace
    listed = list(screen.session.ledger.happenings(Question(node=1)))
    concerned = [k for k in range(120) if 1 in (trace.event(k)[NODE], (*trace.event(k), -1, -1)[SENDER])]
    assert listed == concerned
    assert f"{len(listed)} of 120 events" in page_words(interface, screen)


@pytest.mark.parametrize("question", [Question(), Question(frozenset({"entries"})), Question(node=1)])
def test_the_index_is_the_same_however_the_run_came_about(question):
    session = Session(RICART)
    session.seek(300)
    before = list(session.ledger.happenings(question))
    session.seek(100)
    session.act("crash", node=0)
    session.seek(250)
    fresh = Happenings()
    fresh.follow(session.timeline.trace)
    assert list(session.ledger.happenings(question)) == list(fresh.steps(question)) != before
    assert session.timeline.trace.event(100)[KIND] == FAULT


def test_a_hundred_thousand_events_cost_a_frame_no_more_than_a_hundred():
    interface, screen = opened(RING, "E", steps=100_000)
    screen.shapes(interface)
    interface = clicked(interface, screen, "events.messages")
    times = []
    for _ in range(15):
        start = time.process_time()
        interface = pressed(interface, screen, "Left")
        screen.panel(interface, "events")
        times.append(time.process_time() - start)
    widgets = screen.panel(interface, "events").widgets
    assert len(widgets) < 40, "only the lines that are seen are built"
    assert sorted(times)[7] < 0.05
