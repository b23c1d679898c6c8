"""A lesson in the window: its gate holds, keys alone finish it, and every text of its card can be read."""

from __future__ import annotations

import random

import pytest

from algorithms.bad_input import BadInput
from algorithms.engine.events import TIME
from lessons import keys
from lessons.reading import curriculum
from lessons.task import ARRANGE, CHOOSE, TOGGLE, KeyEntry
from lessons.tasks.challenges import ChallengeTask
from lessons.tasks.repairing import RepairKey
from lessons.tasks.watching import ActTask
from tests.support.interfaces import interface_of
from tests.support.legibility import contrast
from tests.support.lesson_windows import after, at_step, opened
from tests.support.random_inputs import random_input
from tests.support.screens import is_inside
from tests.support.shapes import flat
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Circle, Group, Mark, Rect, Text
from visual.window import arrangement, intents
from visual.window.actions import perform
from visual.window.compare import compare
from visual.window.diagram.scrolling import span_of
from visual.window.gallery.cards import items
from visual.window.inputs import Press, Release, Tick, Typed
from visual.window.intents import Rival
from visual.window.lesson.actions import show_step
from visual.window.lesson.pointing import pointing
from visual.window.lesson.proof import has_acted
from visual.window.memory import progress
from visual.window.pages.choose import agenda
from visual.window.panel import View
from visual.window.presenting.notes import paragraphs
from visual.window.update import update
from visual.window.widgets import Scroller

LESSONS = curriculum.names_of_files()


@pytest.fixture(autouse=True)
def no_progress(tmp_path, monkeypatch):
    """Begin without progress, whatever the person who runs the tests has learnt."""
    monkeypatch.setattr(progress, "path", lambda: tmp_path / "lessons.json")


KEYS: dict[tuple[str, str], KeyEntry] = {}  # lesson and step -> what is right there


@pytest.fixture
def shared_keys(monkeypatch):
    """Work out the key of a step of a lesson in the course once for all tests, which takes a quarter of their time."""

    def entry_of(lesson, stage):
        place = lesson.name, stage.step.id
        if place not in KEYS:
            KEYS[place] = keys.entry_of(lesson, stage)
        return KEYS[place]

    monkeypatch.setattr("lessons.attempt.entry_of", entry_of)


def texts(shapes):
    return (shape for shape in flat(shapes) if isinstance(shape, Text))


def words_of(shape):
    return [text.text for text in texts((shape,))]


def right_place(attempt):
    """The place of the right option."""
    key = attempt.entry.right
    if isinstance(key, RepairKey):
        return min(key.right_places())
    return list(attempt.options).index(attempt.asked.right if attempt.asked else getattr(key, "right", key))


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.usefixtures("shared_keys")
def test_keys_alone_lead_to_the_end(name):
    interface, screen = opened(name)
    attempt = screen.desk.lesson
    for _ in range(100):
        if attempt.is_open and attempt.way == ARRANGE:
            for place, item in enumerate(attempt.entry.right.right_order()):
                attempt.move(attempt.order.index(item), place - attempt.order.index(item))
            interface = after(interface, screen, "Enter")
            assert attempt.verdict.is_right, attempt.step.id
        elif attempt.is_open and attempt.way == TOGGLE:
            digits = (str(list(attempt.options).index(place) + 1) for place in attempt.entry.right.past)
            interface = after(interface, screen, *digits, "Enter")
            assert attempt.verdict.is_right, attempt.step.id
        elif attempt.is_open:
            while not attempt.options:  # an experiment that is being measured
                interface = update(interface, screen, Tick(0.1))
            interface = after(interface, screen, str(right_place(attempt) + 1), "Enter")
            assert attempt.verdict.is_right, attempt.step.id
        elif isinstance(attempt.step.task, ChallengeTask):
            interface = after(interface, screen, "Shift+S")
        elif isinstance(attempt.step.task, ActTask) and not has_acted(screen.desk, attempt.step.task):
            do = attempt.step.task.do
            if do.node is not None:
                interface = perform(interface, screen.desk, intents.select(f"node:{do.node}"))
            interface = after(interface, screen, {"crash": "C", "lose-token": "X", "request": "Q"}[do.do])
            interface = interface.focused("lesson.")
        elif attempt.at + 1 == len(attempt.lesson.steps):
            break
        else:
            before = state_of(screen)
            interface = after(interface, screen, "Enter")
            for _ in range(400):
                if not interface.playback.playing:
                    break
                interface = update(interface, screen, Tick(0.1))
            assert state_of(screen) != before or attempt.step.task.kind in ("run", "act")
    assert attempt.at + 1 == len(attempt.lesson.steps)
    graded = [step.id for step in attempt.lesson.graded() if step.task.kind != "challenge"]
    assert all(attempt.marks[id].value == 1.0 for id in graded)
    after(interface, screen, "Enter")
    assert screen.desk.lesson is None
    assert screen.desk.front.gate is None


def labels_of(panel):
    """The size of the numbers beside the options; those in a curve or at bars are further to the right."""
    numbers = [text for text in texts(panel.shapes) if text.text.isdigit() and text.weight == "bold"]
    return {round(text.size, 2) for text in numbers if text.x == min(number.x for number in numbers)}


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.usefixtures("shared_keys")
def test_no_question_and_no_answer_needs_scrolling_in_a_small_window(name):
    """And the letters stay as large as they were, however much is said after a wrong answer."""
    interface, screen = opened(name)
    attempt = screen.desk.lesson
    for place in range(len(attempt.lesson.steps)):
        attempt.go_to(place)
        interface = show_step(interface, screen.desk)
        while attempt.is_open and not attempt.options:  # an experiment that is being measured
            attempt.work(screen.desk.front.timeline)
        before = screen.panel(interface, "lesson")
        panels = [before]
        if attempt.is_open and attempt.way == CHOOSE:
            attempt.answer(0 if right_place(attempt) else 1)
            panels.append(screen.panel(interface, "lesson"))
            assert labels_of(panels[1]) == labels_of(before), attempt.step.id
        for panel in panels:
            for widget in panel.widgets:
                if isinstance(widget, Scroller):
                    assert widget.content <= widget.box.h + 1, attempt.step.id


@pytest.mark.parametrize("seed", range(4))
def test_nothing_makes_the_run_pass_an_open_question(seed):
    """Whatever is pressed, clicked or dragged: while the question is open, no step beyond its moment is executed."""
    interface, screen = opened(LESSONS[0])
    attempt = screen.desk.lesson
    dice = random.Random(seed)
    for _ in range(250):
        moment = attempt.moment
        interface = update(interface, screen, random_input(dice, interface))
        if screen.desk.lesson is not attempt:
            return
        if attempt.is_open and attempt.moment == moment:
            assert screen.desk.front.timeline.frontier <= attempt.moment


def test_a_manual_scheduler_does_not_launch_a_run_beyond_its_gate():
    interface, screen = at_step("repair-it", "compare")
    assert screen.desk.front.gate == 0
    after(interface, screen, "Shift+J", "R")
    assert screen.desk.front.timeline.frontier == 0


def test_an_intervention_waits_for_the_answer():
    interface, screen = opened("deferral")
    interface = after(interface, screen, "C")
    assert "Answer first" in interface.notice.words
    assert not screen.desk.front.timeline.branch.interventions
    after(interface, screen, "1", "Enter", "C")
    assert [event.do for event in screen.desk.front.timeline.branch.interventions] == ["crash"]


def test_a_wrong_answer_leads_to_the_algorithm_that_gives_it():
    interface, screen = opened("deferral")
    attempt = screen.desk.lesson
    attempt.go_to(next(i for i, step in enumerate(attempt.lesson.steps) if step.id == "stays"))
    interface = show_step(interface, screen.desk)
    together = next(i for i, option in enumerate(attempt.options) if option.value == ((1, 3),))
    interface = after(interface, screen, str(together + 1), "Enter")
    assert attempt.verdict.rival == ("variant", "neither-defers")
    interface = after(interface, screen, "Shift+L")
    assert [run.scenario.variant for run in screen.desk.runs] == [None, "neither-defers"]
    assert screen.desk.now == pytest.approx(5.3023, abs=1e-3)  # P1 has received P3's request: one replies, one defers
    after(interface, screen, "Shift+L")
    assert not screen.desk.is_pair


@pytest.mark.parametrize("end", [intents.new_seed, intents.end_lesson])
def test_another_run_or_leaving_ends_the_lesson_and_its_gate(end):
    interface, screen = opened("deferral")
    rival = Rival(screen.desk.front.scenario)
    with pytest.raises(BadInput, match="Answer first"):
        compare(interface, screen.desk, rival)
    interface = perform(interface, screen.desk, end())
    assert screen.desk.lesson is None
    assert interface.display.lesson_share == 0
    interface = after(interface, screen, "Right", "Right")
    assert screen.desk.front.gate is None
    screen.desk.front.act("crash", node=1)
    compare(interface, screen.desk, rival)
    assert screen.desk.is_pair


def test_the_pages_that_tell_keep_silent_until_the_answer():
    interface, screen = opened("deferral", (1920, 1080))
    interface = perform(interface, screen.desk, intents.open_page("check"))
    assert [text.text for text in texts(screen.panel(interface, "check").shapes)] == [
        "This page opens after the answer."
    ]
    interface = perform(interface, screen.desk, intents.choose_option(0))
    interface = perform(interface, screen.desk, intents.answer())
    assert len(list(texts(screen.panel(interface, "check").shapes))) > 3


@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080)])
def test_all_texts_of_the_card_are_inside_it(size, presenting):
    interface, screen = opened("deferral", size, presenting=presenting)
    attempt = screen.desk.lesson
    for place in range(len(attempt.lesson.steps)):
        attempt.go_to(place)
        interface = show_step(interface, screen.desk)
        if attempt.is_open:
            interface = after(interface, screen, "2", "Enter")
        region = arrangement.regions(interface).lesson
        found = list(texts(screen.panel(interface, "lesson").shapes))
        assert len(found) >= 3
        for text in found:
            box = bounds(text)
            assert box.x >= region.x - 1, text.text
            assert box.x + box.w <= region.x + region.w + 1, text.text
            assert box.y + box.h <= region.y + region.h + 1, text.text
            assert text.size >= 9, text.text


def test_the_bar_offers_nothing_that_would_end_the_lesson():
    interface, screen = opened("two-machines")
    names = {widget.id for widget in screen.panel(interface, "header").widgets}
    assert names == {"header.algorithm", "header.faults", "header.theme", "header.help", "header.more"}
    assert "Two cash machines, one account" in [text.text for text in texts(screen.shapes(interface))]
    interface = perform(interface, screen.desk, intents.end_lesson())
    assert "header.seed" in {widget.id for widget in screen.panel(interface, "header").widgets}


def test_options_name_properties_as_the_lights_do():
    interface, screen = opened("two-machines")
    words = " ".join(text.text for text in texts(screen.panel(interface, "lesson").shapes))
    assert "Safety: at most one process" in words
    assert "ME1" not in words


def test_the_gallery_marks_where_to_begin_and_what_comes_next():
    cards = items("lessons", interface_of(1280, 720))
    assert [card.badge for card in cards if card.badge] == ["start here"]
    assert cards[0].badge
    known = progress.Progress(lessons={"two-machines": progress.LessonProgress(passed=True)})
    progress.save(known, progress.path())
    cards = items("lessons", interface_of(1280, 720))
    assert [(card.does.value, card.badge) for card in cards if card.badge] == [("ask-one", "next")]


def waited(interface, screen):
    for _ in range(400):
        if not interface.is_moving:
            break
        interface = update(interface, screen, Tick(0.1))
    return interface


def state_of(screen):
    attempt = screen.desk.lesson
    return attempt.at, attempt.decision, attempt.verdict is not None, screen.desk.front.timeline.step


@pytest.mark.parametrize("name", ["two-machines", "deferral"])
def test_a_remote_alone_leads_through_a_lesson_and_back_and_marks_nothing(name):
    """Question, answer, proof, next; PageUp returns to the same states and pictures; B and "." blank."""
    interface, screen = opened(name, presenting=True)
    attempt, states, pictures = screen.desk.lesson, [], []
    while not states or state_of(screen) != states[-1]:
        states.append(state_of(screen))
        pictures.append(screen.panel(interface, "lesson").shapes)
        assert after(interface, screen, "B").is_blank
        assert after(interface, screen, ".").is_blank
        interface = waited(after(interface, screen, "PageDown"), screen)
    assert attempt.at + 1 == len(attempt.lesson.steps)
    assert any(is_shown for _, _, is_shown, _ in states)
    for state, picture in list(zip(states, pictures, strict=True))[-2::-1]:
        interface = after(interface, screen, "PageUp")
        assert state_of(screen) == state
        if attempt.step.task.kind != "challenge":  # whose par may have been found meanwhile
            assert screen.panel(interface, "lesson").shapes == picture, state
    assert not screen.desk.front.timeline.branch.interventions
    assert not attempt.marks


def test_the_answer_is_held_until_page_down_and_tells_why_the_chosen_one_is_wrong():
    interface, screen = opened("two-machines", presenting=True)
    attempt = screen.desk.lesson
    wrong = next(place for place, option in enumerate(attempt.options) if option != attempt.entry.right)
    interface = after(interface, screen, str(wrong + 1), str(wrong + 1))
    assert attempt.is_open
    interface = after(interface, screen, "PageDown")
    words = " ".join(text.text for text in texts(screen.panel(interface, "lesson").shapes))
    assert "That is wrong." in words
    assert not attempt.marks


def test_the_notes_of_a_step_tell_the_lecturer_what_the_class_may_not_see_yet():
    interface, screen = opened("two-machines", presenting=True)
    attempt = screen.desk.lesson
    view = View(interface, screen.desk, screen.desk.front, arrangement.look_of(interface), arrangement.whole(interface))
    headings = [heading for heading, _ in paragraphs(view)]
    assert headings == [attempt.step.heading, "Answer, still hidden", "Next"]
    assert attempt.step.notes == paragraphs(view)[0][1]
    before = " ".join(text.text for text in texts(screen.shapes(interface)))
    assert attempt.step.notes[:20] not in before
    shown = after(interface, screen, "N")
    words = " ".join(text.text for text in texts(screen.shapes(shown)))
    assert attempt.step.notes[:20] in words
    assert "step 1 of 6" in words
    after(interface, screen, "PageDown")
    assert [heading for heading, _ in paragraphs(view)][1] == "Answer"


def test_votes_stand_beside_the_options_in_two_rounds():
    interface, screen = opened("two-machines", presenting=True)

    def voted(interface, words):
        interface = after(interface, screen, "Enter")
        assert interface.mode() == "typing"
        return after(update(interface, screen, Typed(words)), screen, "Enter")

    interface = voted(voted(interface, "12 30 5"), "2, 40, 5")
    found = [text.text for text in texts(screen.panel(interface, "lesson").shapes)]
    assert {"12 → 2", "30 → 40", "5 → 5"} <= set(found)
    shapes = [*flat(screen.panel(interface, "lesson").shapes)]
    for place, text in enumerate(shapes):
        if isinstance(text, Text):
            at = {
                other: shape
                for other, shape in enumerate(shapes)
                if isinstance(shape, Box) and shape.fill and min(overlap(bounds(shape), bounds(text))[2:]) > 0
            }
            assert all(other < place for other in at), (text.text, "a bar crosses it")
            least = 3.0 if text.weight == "bold" else 4.5
            assert all(contrast(text.ink, box.fill) >= least for box in at.values()), text.text
    interface = voted(interface, "1 2 3 4 5 6 7")
    assert "at most 3 numbers" in interface.notice.words
    interface = voted(interface, "many")
    assert "“many”" in interface.notice.words


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160)])
def test_question_and_options_can_be_read_from_the_last_row(size):
    interface, screen = opened("two-machines", size, presenting=True)
    widgets = screen.panel(interface, "lesson").widgets
    options = [widget.box for widget in widgets if widget.id.removeprefix("lesson.").isdigit()]
    assert len(options) == 3
    for text in texts(screen.panel(interface, "lesson").shapes):
        in_option = any(box.x <= text.x <= box.x + box.w and box.y <= text.y <= box.y + box.h for box in options)
        assert text.size >= (0.033 if in_option else 0.022) * size[1], text.text


@pytest.mark.parametrize(
    ("name", "step"),
    [("before", "past"), ("costs", "queue"), ("bully", "growth"), ("halving", "be-p9"), ("wandering", "adaptation")],
)
def test_a_question_with_much_to_choose_from_is_whole_before_a_class(name, step):
    interface, screen = opened(name, presenting=True)
    attempt = screen.desk.lesson
    attempt.go_to(next(place for place, one in enumerate(attempt.lesson.steps) if one.id == step))
    interface = show_step(interface, screen.desk)
    while not attempt.options:
        attempt.work(screen.desk.front.timeline)
    scrollers = [one for one in screen.panel(interface, "lesson").widgets if isinstance(one, Scroller)]
    assert scrollers
    assert all(one.content <= one.box.h + 1 for one in scrollers)
    assert (interface.display.view == "space-time") == (attempt.step.task.kind == "order"), "it has the letters"


def test_enter_plays_the_proof_before_it_goes_on():
    interface, screen = opened("two-machines")
    attempt = screen.desk.lesson
    interface = after(interface, screen, "1", "Enter")
    last = attempt.entry.evidence[-1]
    assert screen.desk.front.timeline.step < last
    interface = waited(after(interface, screen, "Enter"), screen)
    assert (attempt.at, screen.desk.front.timeline.step) == (0, last)
    after(interface, screen, "Enter")
    assert attempt.at == 1


def test_a_line_of_the_proof_leads_to_its_step():
    interface, screen = opened("two-machines", (1920, 1080))
    step = screen.desk.lesson.entry.evidence[-1]
    assert f"lesson.proof{step}" not in {widget.id for widget in screen.panel(interface, "lesson").widgets}
    interface = after(interface, screen, "2", "Enter")
    (target,) = [widget for widget in screen.panel(interface, "lesson").widgets if widget.id == f"lesson.proof{step}"]
    perform(interface, screen.desk, target.does)
    assert screen.desk.front.timeline.step == step


def test_a_challenge_takes_digits_shows_the_moves_and_only_what_is_allowed():
    interface, screen = opened("two-machines")
    screen.desk.lesson.go_to(2)
    interface = show_step(interface, screen.desk)
    assert screen.desk.lesson.step.task.allow == ("request", "exit")
    page = [text.text for text in texts(screen.panel(interface, "choose").shapes)]
    assert not screen.panel(interface, "tabs").shapes
    assert "what can go wrong" not in page
    interface = after(interface, screen, "1", "2")
    assert "Moves made: 2" in " ".join(text.text for text in texts(screen.panel(interface, "lesson").shapes))
    after(interface, screen, "Enter")
    assert screen.desk.lesson.marks["meet"].value == 1.0


def test_an_act_names_its_node_and_its_key():
    interface, screen = opened("ask-one")
    attempt = screen.desk.lesson
    attempt.go_to(next(i for i, step in enumerate(attempt.lesson.steps) if isinstance(step.task, ActTask)))
    interface = show_step(interface, screen.desk)
    words = " ".join(text.text for text in texts(screen.panel(interface, "lesson").shapes))
    assert "select P0 with ↓, press C, then Enter" in words
    interface = after(interface, screen, "Down", "C")
    assert [event.do for event in screen.desk.front.timeline.branch.interventions] == ["crash"]
    assert "Enter: watch" in [text.text for text in texts(screen.panel(interface, "lesson").shapes)]


def test_the_end_of_a_lesson_leads_to_the_next_one():
    interface, screen = opened("two-machines")
    attempt = screen.desk.lesson
    attempt.go_to(len(attempt.lesson.steps) - 1)
    interface = after(show_step(interface, screen.desk), screen, "Enter")
    assert (interface.section, screen.desk.lesson) == ("lessons", None)
    after(interface, screen, "Enter")
    assert screen.desk.lesson.lesson.name == "ask-one"


def test_a_step_points_at_nodes_until_the_run_goes_on():
    interface, screen = opened("two-machines")
    attempt = screen.desk.lesson
    pointed = screen.panel(interface, "pointing").shapes
    assert [shape.text for shape in pointed if isinstance(shape, Text)] == ["1", "2"]
    places = {screen.middle_of(interface, node) for node in (0, 1)}
    rings = [shape for shape in pointed if isinstance(shape, Circle) and shape.dash]
    assert {(ring.x, ring.y) for ring in rings} == places
    interface = waited(after(interface, screen, "2", "Enter", "Enter"), screen)
    assert attempt.at == 0
    assert not screen.panel(interface, "pointing").shapes, "the run has gone on"


@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("name", ["deferral", "two-machines"])
def test_what_a_step_points_at_can_be_read(name, size, presenting):
    interface, screen = opened(name, size, presenting=presenting)
    graph = [shape for shape in screen.shapes(interface) if isinstance(shape, Group) and shape.id == ""]
    nodes = {shape.id: bounds(shape) for part in graph for shape in part.shapes if shape.id.startswith("node:")}
    pointed = screen.panel(interface, "pointing").shapes
    rings = [place for place, shape in enumerate(pointed) if isinstance(shape, Circle) and shape.dash]
    assert rings
    for place in rings:
        assert bounds(pointed[place + 1]) == nodes[pointed[place + 1].id], "what is written at it is in front"
        assert set(words_of(pointed[place + 1])) & {"idle", "waiting", "IN CS"}
    region = arrangement.regions(interface).graph
    frames = [bounds(shape) for shape in pointed if isinstance(shape, Box)]
    discs = [bounds(shape) for shape in pointed if isinstance(shape, Circle) and not shape.dash]
    for frame in frames:
        assert is_inside(frame, region)
        others = [*nodes.values(), *(disc for disc in discs if disc.x > frame.x)]
        assert not any(all(overlap(frame, other)[2:]) for other in others)


def test_a_step_points_at_a_variable_a_link_and_a_light():
    interface, screen = opened("deferral")
    layout = screen._graphs.layout(interface, screen.desk, 0)
    view = View(interface, screen.desk, screen.desk.front, arrangement.look_of(interface), arrangement.whole(interface))
    light = Rect(900, 500, 100, 50)

    def shapes_of(name):
        return pointing(view, layout, (name,), (("ME1", light),)).shapes

    assert [text.text.partition(" = ")[0] for text in texts(shapes_of("P3.awaiting"))] == ["awaiting"]
    (line,) = shapes_of("P1 → P3")
    assert ((line.x1, line.y1), (line.x2, line.y2)) == (layout.places[1], layout.places[3])
    frame = shapes_of("ME1")
    assert len(frame) == 4
    assert all(side.dash for side in frame)
    assert shapes_of("P9") == shapes_of("P3.nothing") == shapes_of("ME9") == ()


def test_the_message_to_decide_on_is_at_the_node():
    interface, screen = opened("ask-one")
    screen.desk.lesson.go_to(2)
    interface = show_step(interface, screen.desk)
    assert interface.local_node == 0

    def marks():
        return [mark.label for mark in flat(screen.panel(interface, "local").shapes) if isinstance(mark, Mark)]

    assert marks() == ["request"]
    interface = after(interface, screen, "1", "Enter")
    assert "request" in marks(), "the node has received it"


def test_a_challenge_offers_no_more_than_it_allows():
    interface, screen = opened("deferral", (1280, 720))
    attempt = screen.desk.lesson
    attempt.go_to(next(i for i, step in enumerate(attempt.lesson.steps) if step.task.kind == "challenge"))
    from visual.window.lesson.actions import show_step
    from visual.window.pages.choose import agenda

    interface = show_step(interface, screen.desk)
    front = screen.desk.front
    assert {choice.do for choice in agenda(interface, front).usual} == {"request"}
    assert not agenda(interface, front).adverse
    for _ in range(front.scenario.nodes):
        place = next(i for i, choice in enumerate(agenda(interface, front).usual) if choice.do == "request")
        interface = perform(interface, screen.desk, intents.pick(place))
    assert {choice.do for choice in agenda(interface, front).usual} == {"deliver", "fire"}  # all requests are made
    with pytest.raises(BadInput, match="does not allow"):
        front.act("crash", node=1)


def test_a_chosen_option_stays_chosen_while_one_looks_around_with_the_mouse():
    interface, screen = opened("two-machines")
    interface = after(interface, screen, "2")
    for x, y in (screen.middle_of(interface, 1), (600, 200), (1200, 560)):
        interface = update(update(interface, screen, Press(x, y)), screen, Release(x, y))
    after(interface, screen, "Enter")
    assert screen.desk.lesson.verdict.given == screen.desk.lesson.options[1]


def test_a_node_makes_no_more_requests_than_a_challenge_allows():
    interface, screen = at_step("two-machines", "meet")
    interface = after(interface, screen, "1", "1")  # P0 enters and leaves
    assert [dict(choice.fields) for choice in agenda(interface, screen.desk.front).usual] == [{"node": 1}]
    with pytest.raises(BadInput, match="does not allow"):
        screen.desk.front.act("request", node=0)


def test_options_stay_where_they_are_after_the_answer_where_there_is_room():
    interface, screen = opened("two-machines", size=(1920, 1080))

    def places(shown):
        panel = screen.panel(shown, "lesson")
        return [text.y for text in texts(panel.shapes) if text.text in ("1", "2", "3")]

    before = places(interface)
    assert before == places(after(interface, screen, "2", "Enter"))


def test_the_diagram_shows_little_more_than_the_events_with_letters():
    interface, screen = at_step("before", "values")
    run = screen.desk.front.timeline
    times = [run.trace.event(step)[TIME] for step in screen.desk.lesson.lettered]
    span = span_of(interface, screen.desk)
    assert span.start <= times[0] < times[-1] <= span.end
    assert times[-1] - times[0] > 0.7 * span.length
    elsewhere = perform(interface, screen.desk, intents.open_lesson("before"))
    assert span_of(elsewhere, screen.desk).length > 3 * span.length


@pytest.mark.parametrize(
    ("name", "id"),
    [("bully", "growth"), ("costs", "quiet"), ("costs", "queue"), ("costs", "robust"), ("before", "past")],
)
def test_the_answer_can_be_shown_to_every_kind_of_question(name, id):
    interface, screen = at_step(name, id)
    attempt = screen.desk.lesson
    while not attempt.options:
        interface = update(interface, screen, Tick(0.1))
    interface = after(interface, screen, "Shift+M")
    assert "That is the answer." in " ".join(text.text for text in texts(screen.panel(interface, "lesson").shapes))
