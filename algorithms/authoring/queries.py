"""What a picture asks of a run beside its steps: who holds a token, who waits for whom, what was before.

An author may err there too. Whoever draws goes on without the answer, and `run.unanswered` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from algorithms.authoring.failures import Failure, in_words, unanswered
from algorithms.engine.errors import Misuse, short
from algorithms.engine.process import Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline

Answer = TypeVar("Answer")


def is_holding(run: Simulation, process: Process) -> bool:
    """Whether the process holds a token, as it says."""
    return _answer(run, _holding, process, False)


def awaited(run: Simulation, process: Process) -> set[int]:
    """For whose next step the process waits, as it says; never its own."""
    return _answer(run, _awaited, process, set())


def recollected(timeline: Timeline, look: Callable[[], Answer], otherwise: Answer) -> Answer:
    """What `look` finds in the past of the run, for which steps are executed again; they may fail this time."""
    run = timeline.simulation
    try:
        with in_words(run):
            return look()
    except Failure as failure:
        failure.step = run.steps
        _note(run, failure)
        return otherwise


def _answer(run: Simulation, ask: Callable[[Any], Answer], process: Process, otherwise: Answer) -> Answer:
    if run.unanswered and _is_endless(run.unanswered):
        return otherwise  # the window has stood still once
    try:
        return ask(process)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever an author's own method may do
        _note(run, unanswered(error, run))
        return otherwise


def _note(run: Simulation, failure: Failure) -> None:
    if not _is_endless(run.unanswered):
        run.unanswered = failure


def _is_endless(failure: Exception | None) -> bool:
    return isinstance(failure, Failure) and failure.is_endless


def _holding(process: Process) -> bool:
    return bool(process.holding())


def _awaited(process: Process) -> set[int]:
    answer = process.waiting_for()
    try:
        found = set(answer) - {process.id}
        if all(0 <= other < process.size for other in found):
            return found
    except TypeError:
        pass
    raise Misuse(f"waiting_for of P{process.id} says {short(answer)}; expected numbers of nodes")
