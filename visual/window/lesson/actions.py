"""Actions of a lesson: open it, choose and answer, go on and back, and see where a wrong answer leads.

Before a class a remote control alone does for a lecture: question, votes, answer, proof, next. Nothing is marked there.
"""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.errors import count_words
from algorithms.engine.events import TIME
from lessons.asking import moments
from lessons.asking.parting import parting_of, rival_of
from lessons.attempt import Attempt
from lessons.fresh import instance_of
from lessons.reading import curriculum
from lessons.reading.reading import find
from lessons.task import ARRANGE, CHOOSE, TOGGLE, Task
from lessons.tasks.challenges import ChallengeTask, allowance_of
from lessons.tasks.experiments import ExperimentTask
from lessons.tasks.ordering import OrderTask
from lessons.tasks.predicting import PredictTask, QuizTask
from lessons.tasks.repairing import RepairTask
from lessons.tasks.watching import ActTask, ExplainTask, RunTask
from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.compare import compare, end_comparison
from visual.window.desk import Desk
from visual.window.diagram.scrolling import page
from visual.window.intents import Rival
from visual.window.lesson import proof
from visual.window.memory import progress
from visual.window.pages.choose import ADVERSE, KINDS, pick_number, schedule
from visual.window.playback import playing
from visual.window.run_actions import begin_run
from visual.window.state import DiagramView, Field, GalleryMemory, Interface, ListFilter, OpenGallery, Selection

GATED = "Answer first, or skip the question with Shift+S."
CHOOSE_FIRST = "Choose an option first: its number, or a click."
MOVE_FIRST = "Move a line first: choose it, then Ctrl+↑ or Ctrl+↓."
_LETTERED = 0.8  # of the diagram's width, for the events with letters
USUAL, BESIDE_KNOWLEDGE, BESIDE_CHOICES = 0.85, 0.76, 0.5  # shares of the column for the card


@handles(intents.open_lesson)
def open_lesson(interface: Interface, desk: Desk, name: str) -> Interface:
    """Open a lesson of the course, or one from a file, where it was left, in place of the present run."""
    news = progress.put_aside(progress.path())
    interface = _begin(interface, desk, progress.resumed(progress.load(progress.path()), Attempt(find(name))))
    return interface.say(news, 8.0) if news else interface


@handles(intents.practise)
def practise(interface: Interface, desk: Desk, value: None) -> Interface:
    """Begin the next instance of the lesson, with fresh data."""
    if desk.lesson is None:
        return interface
    lesson = desk.lesson.lesson
    if lesson.fresh is None:
        return interface.say("This lesson has no fresh instances.")
    return _begin(interface, desk, Attempt(instance_of(find(lesson.name), lesson.instance + 1)))


def _begin(interface: Interface, desk: Desk, attempt: Attempt) -> Interface:
    desk.lesson = attempt
    interface = interface.without(OpenGallery).with_display(page="run", only_local=False)
    return show_step(interface, desk)


@handles(intents.end_lesson)
def end_lesson(interface: Interface, desk: Desk, value: None) -> Interface:
    """Close the lesson; its run stays, and can go on."""
    desk.lesson = None
    desk.front.gate, desk.front.allowance, desk.front.due_timers = None, None, lambda: None
    interface = replace(interface, pages=interface.pages._replace(events=ListFilter()))
    return interface.focused().with_display(lesson_share=0.0, only_local=False)


def show_step(interface: Interface, desk: Desk) -> Interface:
    """Show the run of the present step at its moment, stopped there while a question is open."""
    attempt = desk.lesson
    assert attempt is not None
    task, run = attempt.step.task, desk.front
    if desk.is_pair:
        interface = end_comparison(interface, desk)
    run.gate = None
    run.open(attempt.lesson.scenarios[task.scenario])
    interface = begin_run(interface, desk)
    run.seek(attempt.moment)
    _set_gate(desk, attempt)
    is_challenge = isinstance(task, ChallengeTask)
    if isinstance(task, ChallengeTask):
        run.allowance = allowance_of(task)
        run.due_timers = lambda: attempt.hunt.due(run.timeline)
    if is_challenge or desk.is_manual:
        interface = schedule(interface, desk, is_challenge)
    view = task.view if task.view in ("both", "graph", "space-time") else interface.display.view
    is_local = task.view == "local"
    share = BESIDE_CHOICES if is_challenge else BESIDE_KNOWLEDGE if is_local else USUAL
    if isinstance(task, ExperimentTask) or (isinstance(task, PredictTask) and task.ask == "rules"):
        share = 1.0  # for the curve, or the rules
    elif interface.display.presenting and isinstance(task, OrderTask | RepairTask | QuizTask):
        share = 1.0  # for the many options, or long ones
        view = "space-time" if isinstance(task, OrderTask) else view  # which has the letters
    interface = interface.with_display(
        page="choose" if is_challenge else "run", view=view, only_local=is_local, lesson_share=share
    )
    selection = Selection("node", task.node) if task.node is not None else None
    pages = interface.pages._replace(events=ListFilter(_not_allowed(task)))
    interface = replace(interface, selection=selection, pages=pages, diagram=_diagram(interface, desk, attempt))
    return playing.settle(interface.with_playback(playing=False, speed=0).focused("lesson."), desk)


def _diagram(interface: Interface, desk: Desk, attempt: Attempt) -> DiagramView:
    """The diagram: of a step whose events have letters, only the time from the first to the last of them."""
    usual = interface.diagram._replace(zoom=1.0, start=None)
    times = [desk.front.timeline.trace.event(step)[TIME] for step in attempt.lettered]
    if not times or usual.logical:
        return usual
    length = max(times[-1] - times[0], desk.front.flight) / _LETTERED
    return usual._replace(zoom=page(interface, desk) / length, start=max(0.0, times[0] - 0.1 * length))


def _not_allowed(task: Task) -> frozenset[str]:
    """The kinds of events that may not be picked in a challenge."""
    if not isinstance(task, ChallengeTask):
        return frozenset()
    hidden = {kind for choice, kind in KINDS.items() if choice not in task.allow}
    return frozenset(hidden if set(task.allow) - set(KINDS) else hidden | {ADVERSE})


def _set_gate(desk: Desk, attempt: Attempt) -> None:
    task = attempt.step.task
    goal = moments.find(attempt.run, task.until) if isinstance(task, RunTask) else None
    desk.front.gate = attempt.moment if attempt.is_open else goal
    desk.front.gate_words = GATED if attempt.is_open else ""


# ---- answering ---------------------------------------------------------------------------------------------


@handles(intents.choose_option)
def choose_option(interface: Interface, desk: Desk, place: int) -> Interface:
    """Choose an option; Enter answers with it. Chosen again, it is the answer."""
    attempt = desk.lesson
    if attempt is not None and isinstance(attempt.step.task, ChallengeTask):
        return pick_number(interface, desk, place + 1)
    if attempt is None or not attempt.is_open or place >= len(attempt.options):
        return interface
    if place == attempt.struck:
        return interface.say("That one is wrong, as the hint says.")
    if interface.display.presenting:
        return interface.focused(f"lesson.{place}")
    if attempt.way == TOGGLE:
        attempt.toggle(place)
    elif attempt.way == CHOOSE and interface.pointer.focus == f"lesson.{place}":
        return answer(interface, desk, None)
    return interface.focused(f"lesson.{place}")


@handles(intents.focus_option)
def focus_option(interface: Interface, desk: Desk, by: int) -> Interface:
    """Point at the next option, or the one before."""
    attempt = desk.lesson
    if attempt is None or not attempt.is_open:
        return perform(interface, desk, intents.select_next_node() if by > 0 else intents.select_previous_node())
    place = _focused(interface)
    to = 0 if place is None else (place + by) % len(attempt.options)
    return interface.focused(f"lesson.{to}")


def _focused(interface: Interface) -> int | None:
    """The place of the option pointed at."""
    _, _, place = interface.pointer.focus.partition("lesson.")
    return int(place) if place.isdigit() else None


@handles(intents.move_line)
def move_line(interface: Interface, desk: Desk, by: int) -> Interface:
    """Move the line pointed at up or down, where lines must be arranged."""
    attempt, place = desk.lesson, _focused(interface)
    if attempt is None or not attempt.is_open or attempt.way != ARRANGE:
        return interface
    if place is None:
        return interface.say("Choose a line first: its number, or a click.")
    return interface.focused(f"lesson.{attempt.move(place, by)}")


@handles(intents.answer)
def answer(interface: Interface, desk: Desk, value: None) -> Interface:
    """Answer with the chosen option; the run may then go on."""
    attempt = desk.lesson
    if attempt is None or not attempt.is_open:
        return interface
    place = _focused(interface)
    if not attempt.options:
        return interface.say("The measurement is not ready yet.")
    if attempt.is_untouched or (attempt.way == CHOOSE and place is None):
        return interface.say(MOVE_FIRST if attempt.way == ARRANGE else CHOOSE_FIRST)
    attempt.answer(place or 0)
    return _answered(interface, desk, attempt)


def _answered(interface: Interface, desk: Desk, attempt: Attempt) -> Interface:
    """Let the run go on after an answer."""
    has_more = attempt.decision + 1 < len(attempt.parts)
    desk.front.gate = attempt.moment + attempt.is_node if attempt.is_node or has_more else None
    desk.front.gate_words = ""
    if attempt.is_node:  # what the node does is shown at once
        desk.front.seek(attempt.moment + 1)
    return playing.settle(interface.focused("lesson."), desk)


@handles(intents.hint)
def hint(interface: Interface, desk: Desk, value: None) -> Interface:
    """Take a hint, which costs a quarter of the points."""
    attempt = desk.lesson
    if attempt is None:
        return interface
    if not attempt.hint():
        return interface.say(
            "There is no further hint." if attempt.is_open else "There is no question to give a hint for."
        )
    return interface.say("A hint costs a quarter of the points.")


@handles(intents.show_answer)
def show_answer(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the answer, which then earns no points."""
    attempt = desk.lesson
    if attempt is None or not attempt.is_open or not attempt.options:
        return interface.say("There is no question to answer.") if attempt else interface
    attempt.show_answer()
    return _answered(interface, desk, attempt)


@handles(intents.skip_step)
def skip_step(interface: Interface, desk: Desk, value: None) -> Interface:
    """Leave the present step out, which is recorded."""
    if desk.lesson is None:
        return interface
    desk.lesson.skip()
    return show_step(interface, desk)


@handles(intents.lesson_on)
def lesson_on(interface: Interface, desk: Desk, value: None) -> Interface:
    """Answer, watch, or go on to the next step, whatever comes next."""
    attempt = desk.lesson
    if attempt is None:
        return interface
    task, run = attempt.step.task, desk.front
    is_lecture = interface.display.presenting
    if attempt.is_open and is_lecture:
        return shown(interface, desk, _focused(interface))
    if attempt.is_open:
        return answer(interface, desk, None)
    if (end := proof.end_of_proof(desk, attempt)) is not None:
        return proof.play_proof(interface, desk, end)
    if isinstance(task, RunTask) and run.gate is not None and run.timeline.step < run.gate:
        return _watch(interface, desk, task)
    if isinstance(task, ActTask) and not (is_lecture and not proof.has_acted(desk, task)):
        if not proof.has_acted(desk, task):
            return interface.say("First make the intervention that the lesson asks for, or skip it (Shift+S).")
        run.gate = moments.find(run.timeline, task.until)
        if run.gate is not None and run.timeline.step < run.gate:
            return interface.with_playback(playing=True, speed=0)
    if isinstance(task, ChallengeTask) and not attempt.is_solved and not is_lecture:
        is_reached, is_new = attempt.has_reached_goal(run.timeline), attempt.step.id not in attempt.marks
        if is_reached is None and is_new:
            return interface.say("The checker is still working out whether that is enough.")
        if not is_reached and is_new:
            return interface.say("The goal is not reached yet. Undo (Ctrl+Z, or in the menu) takes a move back.")
        if is_reached:
            attempt.solve(proof.moves_made(desk))
            return interface.say(f"Reached in {count_words(proof.moves_made(desk), 'move')}.")
    if isinstance(task, ExplainTask):
        return _leave(interface, desk, attempt)
    was = attempt.at
    attempt.forward()
    if attempt.at == was and attempt.asked is not None:  # the node's next decision
        run.gate = attempt.moment
        run.gate_words = GATED
        run.seek(attempt.moment)
        return playing.settle(interface.focused("lesson."), desk)
    return show_step(interface, desk)


def _leave(interface: Interface, desk: Desk, attempt: Attempt) -> Interface:
    """Close a lesson at its end and show the gallery at the next one; before a class, stay."""
    if interface.display.presenting:
        return interface.say("This is the last step of the lesson.")
    following = curriculum.lesson_after(attempt.lesson.name)
    card = list(curriculum.lessons()).index(following) if following else 0
    interface = end_lesson(interface, desk, None).over(OpenGallery("lessons"))
    return replace(interface, gallery=GalleryMemory("lessons", card))


def _watch(interface: Interface, desk: Desk, task: RunTask) -> Interface:
    """Play to the end of the step, or jump there, also while it plays."""
    if (task.jump or interface.playback.playing) and desk.front.gate is not None:
        desk.front.seek(desk.front.gate)
        return playing.settle(interface.paused(), desk)
    return interface.with_playback(playing=True, speed=task.speed)


@handles(intents.lesson_back)
def lesson_back(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the step before, as it is asked; before a class, the state before this one."""
    attempt, is_lecture = desk.lesson, interface.display.presenting
    if attempt is None:
        return interface
    before = back_within(interface, desk, attempt) if is_lecture else None
    if before is not None:
        return before
    if attempt.at == 0:
        return interface.say("This is the first step.")
    attempt.go_to(attempt.at - 1)
    interface = show_step(interface, desk)
    return at_end_of_step(interface, desk, attempt) if is_lecture else interface


@handles(intents.cannot_be_done)
def cannot_be_done(interface: Interface, desk: Desk, value: None) -> Interface:
    """Answer that the challenge cannot be solved."""
    attempt = desk.lesson
    if attempt is None or not isinstance(attempt.step.task, ChallengeTask) or attempt.step.id in attempt.marks:
        return interface
    is_right = attempt.claim_impossible()
    if is_right is None:
        return interface.say("The checker has not tried everything yet.")
    if is_right:
        return interface.say("That is right: the checker has tried everything, and it cannot be done.")
    par = attempt.par.moves if attempt.par and attempt.par.moves else 0
    return interface.say(f"It can be done, in {count_words(par, 'move')}. Try it, or go on.")


@handles(intents.see_where)
def see_where(interface: Interface, desk: Desk, value: None) -> Interface:
    """Put the wrong algorithm beside the run, at the step where the two part; or end the comparison."""
    attempt = desk.lesson
    if desk.is_pair:
        return end_comparison(interface, desk)
    if attempt is not None and attempt.example is not None:
        if not desk.front.leave_example():
            desk.front.visit(attempt.example)
        return playing.settle(interface.paused().focused("lesson."), desk)
    if attempt is None or attempt.verdict is None or attempt.verdict.rival is None:
        return interface.say("There is no other algorithm that would answer so.")
    rule, name = attempt.verdict.rival
    scenario = desk.front.scenario
    rival = rival_of(scenario, rule, name)
    parting = parting_of(scenario, rival)
    desk.front.gate = None
    interface = compare(interface, desk, Rival(rival, note=name))
    return playing.seek(interface, desk, parting.time if parting else desk.now).focused("lesson.")


def shown(interface: Interface, desk: Desk, chosen: int | None) -> Interface:
    """Show the answer, and why the option pointed at is wrong."""
    attempt = desk.lesson
    if attempt is None:
        return interface
    attempt.reveal(chosen)
    return at_part(interface, desk, attempt)


def at_part(interface: Interface, desk: Desk, attempt: Attempt) -> Interface:
    """Show the run where the present question stops it, or right after a node's decision."""
    desk.front.gate = attempt.moment + (attempt.is_node and attempt.verdict is not None)
    desk.front.gate_words = "PageDown shows the answer." if attempt.is_open else ""
    desk.front.seek(desk.front.gate)
    if attempt.verdict is not None and not attempt.is_node:
        desk.front.gate = None
    return playing.settle(interface.paused().focused("lesson."), desk)


def back_within(interface: Interface, desk: Desk, attempt: Attempt) -> Interface | None:
    """The state before this one in the same step: the proof, the answer, the question; None at its beginning."""
    run, task = desk.front, attempt.step.task
    is_proved = bool(proof.proof_lines(attempt)) and not attempt.is_node
    if attempt.verdict is not None and is_proved and run.timeline.step > attempt.moment:
        return at_part(interface, desk, attempt)
    if attempt.verdict is not None:
        attempt.ask_again()
        return at_part(interface, desk, attempt)
    if attempt.decision:
        attempt.ask_again(attempt.decision - 1)
        return shown(interface, desk, None)
    if isinstance(task, RunTask | ActTask) and run.timeline.step > attempt.moment:
        run.seek(attempt.moment)
        return playing.settle(interface.paused().focused("lesson."), desk)
    return None


def at_end_of_step(interface: Interface, desk: Desk, attempt: Attempt) -> Interface:
    """The last state of the step that is shown: its answer and proof, or the end of what is watched."""
    run = desk.front
    if attempt.is_open:
        if attempt.parts:
            attempt.ask_again(len(attempt.parts) - 1)
        interface = shown(interface, desk, None)
        end = proof.end_of_proof(desk, attempt)
        if end is not None:
            run.gate, run.gate_words = end, ""
            run.seek(end)
    elif isinstance(attempt.step.task, RunTask) and run.gate is not None:
        run.seek(run.gate)
    return playing.settle(interface.paused().focused("lesson."), desk)


# ---- votes -------------------------------------------------------------------------------------------------


@handles(intents.edit_votes)
def edit_votes(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open a field for the votes of the class: a number for each option."""
    if desk.lesson is None or not desk.lesson.is_question:
        return interface.say("There is no question to vote on: PageDown goes on.")
    return interface.over(Field("", 0, takes=intents.take_votes))


@handles(intents.take_votes)
def take_votes(interface: Interface, desk: Desk, words: str) -> Interface:
    """Draw the votes beside the options; a second round stands beside the first. Nothing is kept."""
    attempt, parts = desk.lesson, words.replace(",", " ").split()
    if attempt is None or not parts:
        return interface
    if not all(part.isdigit() for part in parts) or len(parts) > len(attempt.options):
        return interface.say(f"Expected at most {len(attempt.options)} numbers, such as “12 30 5 2”; got “{words}”.")
    attempt.vote(tuple(min(int(part), 9999) for part in parts))
    return interface.focused("lesson.")
