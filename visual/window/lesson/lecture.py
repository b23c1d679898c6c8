"""A lesson before a class: question, votes, answer, proof, next, by a remote control alone. Nothing is marked."""

from __future__ import annotations

from lessons.attempt import Attempt
from lessons.tasks.watching import ActTask, RunTask
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.lesson import proof
from visual.window.playback import playing
from visual.window.state import Field, Interface


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
