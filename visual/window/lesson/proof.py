"""The proof of an answer: the steps that decide it, as sentences, and playing the run up to the last of them."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, log2
from typing import NamedTuple

from algorithms.engine.check.run_moves import moves_of
from lessons.asking import copies
from lessons.attempt import Attempt
from lessons.tasks.decisions import Decision
from lessons.tasks.predicting import PredictTask
from lessons.tasks.watching import ActTask
from visual.narration.steps import step_sentence
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.playback import playing
from visual.window.run_actions import begin_run
from visual.window.state import Interface

MOST_LINES = 3
LONGEST = 12.0  # seconds to play a proof; a longer one is played faster


class ProofLine(NamedTuple):
    """A step that decides an answer: the number of steps after it, its time, and what happens in it."""

    step: int
    time: float
    words: str


def proof_lines(attempt: Attempt) -> tuple[ProofLine, ...]:
    """The steps that decide the present answer, the first ones and the last; none while the question is open."""
    if attempt.verdict is None:
        return ()
    if isinstance(attempt.asked, Decision):
        return _lines(attempt, attempt.at, (attempt.asked.step + 1,))
    if not isinstance(attempt.step.task, PredictTask):
        return ()
    steps = tuple(sorted({step for step in attempt.entry.evidence if step > 0}))
    return _lines(attempt, attempt.at, steps if len(steps) <= MOST_LINES else (*steps[: MOST_LINES - 1], steps[-1]))


@lru_cache(maxsize=4)
def _lines(attempt: Attempt, at: int, steps: tuple[int, ...]) -> tuple[ProofLine, ...]:
    """The sentences, from a copy of the run: the learner's own may have gone another way."""
    run, found = copies.copy_of(attempt.run), []
    for step in steps:
        copies.seek(run, step)
        if run.step == step:
            found.append(ProofLine(step, run.simulation.now, step_sentence(run, step - 1)))
    return tuple(found)


def end_of_proof(desk: Desk, attempt: Attempt) -> int | None:
    """The step up to which the proof can still be played; None if it is on screen, or there is none."""
    run, lines = desk.front, proof_lines(attempt)
    if not lines or has_intervened(desk) or desk.is_pair or run.timeline.step >= lines[-1].step:
        return None
    return lines[-1].step


def play_proof(interface: Interface, desk: Desk, step: int) -> Interface:
    """Play to the end of the proof; while that is going on, jump there."""
    run, goal = desk.front, max(proof_lines(desk.lesson)[-1].time, 0.0) if desk.lesson else 0.0
    run.gate, run.gate_words = step, ""
    if interface.playback.playing or interface.display.reduced_motion:
        run.seek(step)
        return playing.settle(interface.paused(), desk)
    seconds = (goal - run.now) / run.pace
    return interface.with_playback(playing=True, speed=max(0, ceil(log2(max(seconds, 1.0) / LONGEST))))


@handles(intents.see_proof)
def see_proof(interface: Interface, desk: Desk, step: int) -> Interface:
    """Show the lesson's run right after a step of the proof."""
    attempt, run = desk.lesson, desk.front
    if attempt is None or attempt.verdict is None:
        return interface
    if has_intervened(desk):  # it may have gone another way
        run.open(attempt.lesson.scenarios[attempt.step.task.scenario])
        interface = begin_run(interface, desk)
    run.gate, run.gate_words = max(step, run.gate or 0), ""
    run.seek(step)
    return playing.settle(interface.paused().focused("lesson."), desk)


def has_intervened(desk: Desk) -> bool:
    """Whether the learner has intervened in the run."""
    return any(event.by_hand for event in desk.front.timeline.branch.interventions)


def has_acted(desk: Desk, task: ActTask) -> bool:
    """Whether the learner has made the intervention that the step asks for."""
    wanted = task.do
    events = (event for event in desk.front.timeline.branch.interventions if event.by_hand)
    return any(event.do == wanted.do and wanted.node in (None, event.node) for event in events)


def moves_made(desk: Desk) -> int:
    """The number of moves that the learner has made in a challenge."""
    return len(moves_of(desk.front.timeline))
