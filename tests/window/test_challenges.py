"""Challenges by hand: the shortest way that the checker sees from where one is leads to the goal, move by move."""

from __future__ import annotations

import pytest

from algorithms.engine.events import MESSAGE, NODE, SENDER
from algorithms.engine.rewrite.rewriting import Application
from algorithms.engine.rewrite.rule_text import sentence
from lessons.reading import curriculum
from lessons.reading.reading import find
from lessons.tasks.challenges import ChallengeTask
from tests.support.lesson_windows import after, at_step
from visual.window import intents
from visual.window.actions import perform
from visual.window.lesson.proof import moves_made
from visual.window.memory import progress
from visual.window.pages.choose import agenda, words_of

CHALLENGES = [
    (name, step.id)
    for name in curriculum.names_of_files()
    for step in find(name).steps
    if isinstance(step.task, ChallengeTask)
]


@pytest.fixture(autouse=True)
def no_progress(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "path", lambda: tmp_path / "lessons.json")


def all_worked_out(screen):
    """Let the checker find out all that it is asked for."""
    attempt, timeline = screen.desk.lesson, screen.desk.front.timeline
    for _ in range(10_000):
        attempt.work(timeline)
        if attempt.par is not None and attempt.hunt.here is not None:
            return
    raise AssertionError("the checker does not end")


def is_move(choice, move) -> bool:
    if isinstance(move, Application):
        return choice.words == sentence(move.rule, move.bindings)
    fields = dict(choice.fields)
    if move.envelope is None:
        return (choice.do, fields.get("node"), fields.get("timer")) == (move.do, move.node, move.timer)
    entry = choice.entry
    if entry is None:
        return False
    return (choice.do, entry[NODE], entry[SENDER], entry[MESSAGE]) == (*move[:3], move.envelope.message)


def made(interface, screen, move):
    """The interface after a move of the checker, picked from what is offered."""
    offered = agenda(interface, screen.desk.front)
    places = range(len(offered.usual) + len(offered.adverse))
    place = next(place for place in places if is_move(offered.choice(place), move))
    return perform(interface, screen.desk, intents.pick(place))


@pytest.mark.parametrize(("name", "step"), CHALLENGES)
def test_the_checkers_moves_lead_to_the_goal_and_no_sooner(name, step):
    interface, screen = at_step(name, step)
    attempt = screen.desk.lesson
    par = worked_out_at_start(screen)
    assert par.is_decided
    if par.moves is None:
        after(interface, screen, "Shift+G")
        assert attempt.marks[step].value == 1.0
        return
    interface = after(interface, screen, "Shift+H")  # so that it looks ahead from wherever the run is
    for left in range(par.moves, 0, -1):
        all_worked_out(screen)
        assert attempt.hunt.here.moves == left
        interface = after(interface, screen, "Enter")
        assert step not in attempt.marks, "the goal is not reached yet"
        interface = made(interface, screen, attempt.hunt.here.first)
    all_worked_out(screen)
    assert attempt.hunt.here.moves == 0
    assert moves_made(screen.desk) == par.moves
    after(interface, screen, "Enter")
    assert attempt.marks[step].value == pytest.approx(0.75)  # for the hint


def worked_out_at_start(screen):
    attempt = screen.desk.lesson
    while attempt.par is None:
        attempt.work(screen.desk.front.timeline)
    return attempt.par


def hint_lines(attempt) -> list[str]:
    from visual.narration.hints import hint_words

    return [hint_words(attempt, level) for level in range(1, attempt.hints + 1)]


def test_hints_say_how_far_it_is_and_then_the_move():
    interface, screen = at_step("find-the-schedule", "clock")
    interface = after(interface, screen, "Shift+H", "Shift+H", "Shift+H")
    attempt = screen.desk.lesson
    all_worked_out(screen)
    assert hint_lines(attempt) == [
        "From here it takes 6 more moves.",
        "Next: a process starts something.",
        "Next: P0 requests the critical section.",
    ]
    interface = after(interface, screen, "1")
    all_worked_out(screen)
    assert hint_lines(attempt)[0] == "From here it takes 5 more moves."
    after(interface, screen, "Ctrl+Z")
    all_worked_out(screen)
    assert hint_lines(attempt)[0] == "From here it takes 6 more moves."


@pytest.mark.parametrize(
    ("name", "step"), [("find-the-schedule", "clock"), ("three-messages", "impatient"), ("searching-by-rules", "two")]
)
def test_a_move_of_a_hint_is_one_line_of_the_list(name, step):
    """So who follows the hints gets there in par."""
    interface, screen = at_step(name, step)
    attempt = screen.desk.lesson
    interface = after(interface, screen, "Shift+H", "Shift+H", "Shift+H")
    for made in range(worked_out_at_start(screen).moves):
        all_worked_out(screen)
        assert attempt.hunt.here.moves == attempt.par.moves - made
        wanted = hint_lines(attempt)[-1].removeprefix("Next: ").removesuffix(".")
        possible = agenda(interface, screen.desk.front)
        offered = [words_of(choice, screen.desk.front) for choice in (*possible.usual, *possible.adverse)]
        assert offered.count(wanted) == 1, (wanted, offered)
        interface = perform(interface, screen.desk, intents.pick(offered.index(wanted)))
    all_worked_out(screen)
    assert attempt.hunt.here.moves == 0


def test_a_dead_end_is_told_with_the_moves_to_take_back():
    """Both have answered each other in turn and gone through: one request each is all there is."""
    interface, screen = at_step("find-the-schedule", "clock")
    attempt = screen.desk.lesson
    interface = after(interface, screen, "Shift+H")
    for do in ("request", "deliver", "deliver", "exit"):
        move = next(c for c in agenda(interface, screen.desk.front).usual if c.do == do)
        place = list(agenda(interface, screen.desk.front).usual).index(move)
        interface = perform(interface, screen.desk, intents.pick(place))
    for _ in range(2000):
        attempt.work(screen.desk.front.timeline)
    assert attempt.hunt.here.moves is None
    assert hint_lines(attempt)[0].startswith(
        f"From here it can no longer be done: take back {attempt.hunt.moves_to_undo} move"
    )


def test_a_restart_without_memory_is_one_move_and_is_undone_as_one():
    interface, screen = at_step("forgotten-votes", "reset")
    front = screen.desk.front
    place = len(agenda(interface, front).usual)
    assert agenda(interface, front).choice(place).do == "reset"
    interface = perform(interface, screen.desk, intents.pick(place))
    assert moves_made(screen.desk) == 1
    assert [event.do for event in front.timeline.branch.interventions] == ["crash", "recover"]
    assert not agenda(interface, front).adverse, "one is all that the challenge allows"
    after(interface, screen, "Ctrl+Z")
    assert moves_made(screen.desk) == 0
    assert not front.timeline.branch.interventions


def test_only_the_timers_that_are_due_are_offered_where_timeouts_are_long_enough():
    """While a message is in transit no timer may expire; then only those with the least time left."""
    interface, screen = at_step("endless", "moment")

    def offered(do):
        return [choice for choice in agenda(interface, screen.desk.front).usual if choice.do == do]

    interface = perform(interface, screen.desk, intents.pick(0))
    assert screen.desk.front.simulation.timers.due, "a timer runs"
    assert offered("deliver")
    assert not offered("fire")
