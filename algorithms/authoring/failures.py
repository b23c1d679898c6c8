"""Runs that cannot go on, in words: an algorithm meets what it has ruled out, or errs, or time stands still."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from traceback import walk_tb
from typing import Any, NamedTuple

from algorithms.authoring.origin import file_of, is_of_an_algorithm, module_of
from algorithms.authoring.watchdog import misuse_of, no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.checkpoint import is_constant
from algorithms.engine.errors import Endless, Misuse, short, words_of
from algorithms.engine.events import DELIVER, KIND, MESSAGE
from algorithms.engine.process import Algorithm, Message, Process, Send
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline, WentDifferently

PATIENCE = 200_000  # steps in which time may stand still, and ten times the number of channels more


class Spot(NamedTuple):
    """A line of an algorithm's file, and what runs there."""

    file: str
    number: int  # from 1
    function: str
    module: str
    process: Process | None  # the one whose method it is

    @property
    def deed(self) -> str:
        """ "in on_reply of P2"."""
        if self.process is None:
            return f"in {self.function.replace('<lambda>', 'a function without a name')}"
        return f"in {self.function.replace('<lambda>', 'a guard')} of P{self.process.id}"

    @property
    def place(self) -> str:
        """ "algorithms/mutual_exclusion/ricart_agrawala.py, line 54"."""
        return f"{file_of(self.module)}, line {self.number}"


class Failure(BadInput):
    """A run cannot go on, since its algorithm fails at that spot."""

    def __init__(self, words: str, spot: Spot | None) -> None:
        super().__init__(words)
        self.spot = spot
        self.step = -1  # after how many steps a question was not answered
        self.is_endless = False  # whether the answer has taken so long that the question is not asked again


@contextmanager
def in_words(run: Simulation) -> Iterator[None]:
    """While the run is executed: an error in the algorithm's own code, not the engine's, becomes a Failure.

    Algorithms say `remove` where the protocol promises that something is there. Under a scenario that breaks their
    assumptions it may not be, and that is no mistake of the program.
    """

    def told(error: BaseException) -> Failure | None:
        if isinstance(error, WentDifferently):
            return Failure(f"{run.algorithm.name}: {error} ({file_of(run.algorithm.process.__module__)})", None)
        failure = _failure(error, run.algorithm, f"fails in step {run.failed_in or run.steps}", _overwritten(run))
        assumed = ", ".join(run.algorithm.assumes) or "nothing"
        return failure and Failure(f"{failure}; it assumes: {assumed}", failure.spot)

    with _telling(told):
        yield


def unanswered(error: BaseException, run: Simulation) -> Failure:
    """The sentence for a question about the present state that the algorithm cannot answer."""
    is_endless = isinstance(error, Endless)
    error = misuse_of(error) if isinstance(error, Endless) else error
    words = _overwritten(run) or words_of(error) or type(error).__name__
    failure = _failure(error, run.algorithm, f"cannot be asked after step {run.steps}", words)
    assert failure is not None
    failure.step, failure.is_endless = run.steps, is_endless
    return failure


@contextmanager
def watched(timeline: Timeline) -> Iterator[None]:
    """The same while a timeline moves; what cannot be sent is told where it is sent, not where it arrives."""
    step, known = timeline.step, timeline.frontier
    with in_words(timeline.simulation):
        try:
            yield
        finally:
            _check_messages(timeline, known if known <= timeline.frontier else step)


def _check_messages(timeline: Timeline, since: int) -> None:
    """Misuse if a step from `since` on sends what is no message, or one that can be changed on its way.

    That step is executed again with a sender that looks, so that the error is where it is made.
    """
    trace, sound = timeline.trace, None
    for step in range(since, len(trace)):
        for record in trace.step(step)[1:]:
            if record[KIND] == DELIVER and record[MESSAGE] is not sound:
                sound = record[MESSAGE]
                if _fault_of(sound):
                    _execute_with_care(timeline, step)


def _execute_with_care(timeline: Timeline, step: int) -> None:
    timeline.seek(step)
    for process in timeline.simulation.processes:
        for sender in (process, *process._parts.values()):
            sender.send = _careful(sender.send)
    timeline.forward()


def _careful(send: Send) -> Send:
    def careful(message: Message, to: int | Iterable[int]) -> None:
        if words := _fault_of(message):
            raise Misuse(words)
        send(message, to)

    return careful


def _fault_of(message: Any) -> str:
    """Why it cannot be sent; empty if it can."""
    if not isinstance(message, Message):
        return f"it sends {short(message)}; expected a message, made from a class like class Request(Message)"
    if not is_constant(message):
        faults = "which can be changed on its way, or is nested too deep"
        return f"it sends {short(message)}, {faults}; expected flat tuples, no lists, sets or dicts"
    return ""


@contextmanager
def while_it(algorithm: Algorithm, how: str) -> Iterator[None]:
    """The same where there is no run: the algorithm "cannot be set up" or "cannot be checked", say."""
    with _telling(lambda error: _failure(error, algorithm, how)):
        yield


@contextmanager
def _telling(told: Callable[[BaseException], Failure | None]) -> Iterator[None]:
    """An error that `told` has a sentence for becomes that Failure; what is told already stays as it is.

    What an algorithm prints goes to the error stream: the output is the program's.
    """
    try:
        with no_endless_call(), redirect_stdout(sys.stderr):
            yield
    except (BadInput, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit, say
        failure = told(error)
        if failure is None:
            raise
        raise failure from error


def _failure(error: BaseException, algorithm: Algorithm, how: str, known: str = "") -> Failure | None:
    """The sentence that says how the algorithm fails; None if it is the engine that does."""
    spot = _spot(error)
    words = known or _words_of(error, algorithm.process.__name__, spot)
    if not words:
        return None
    if spot is None:
        return Failure(f"{algorithm.name} {how}: {words} ({file_of(algorithm.process.__module__)})", None)
    return Failure(f"{algorithm.name} {how}, {spot.deed}: {words} ({spot.place})", spot)


def _words_of(error: BaseException, process: str, spot: Spot | None) -> str:
    """What the algorithm does wrong; empty if it is the engine's mistake."""
    words = words_of(error)
    if isinstance(error, Misuse) or words.startswith((f"{process}.", f"{process} has no ")):
        return words  # no such handler, or one that cannot be called with what there is
    if isinstance(error, RecursionError) and not spot:
        return "what it keeps or sends is nested too deep"
    asks_in_vain = isinstance(error, TypeError | RecursionError)
    if words.startswith(f"{process!r} object") or (spot and (asks_in_vain or not _is_within_engine(error))):
        return f"{type(error).__name__} {words}".rstrip()
    return ""


def _spot(error: BaseException) -> Spot | None:
    """The innermost line of an algorithm's file that leads to the error."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        if is_of_an_algorithm(frame):
            code, process = frame.f_code, frame.f_locals.get("self")
            owner = process if isinstance(process, Process) else None
            return Spot(code.co_filename, number, code.co_name, frame.f_globals["__name__"], owner)
    return None


def _is_within_engine(error: BaseException) -> bool:
    """Whether the error has come about in the engine, on behalf of an algorithm or not."""
    modules = [
        module_of(frame) for frame, _ in walk_tb(error.__traceback__) if module_of(frame).startswith("algorithms.")
    ]
    return bool(modules) and modules[-1].startswith("algorithms.engine.")


def _overwritten(run: Simulation) -> str:
    """A process that has assigned something else to what it is lent, or to its own method; empty if none has."""
    for node, process in enumerate(run.processes):
        if process.id != node or process.size != len(run.processes):
            return f"P{node} changes its own id or size"
        if process._host is not run or not callable(process.send):
            return f"P{node} changes how it reaches the others"
        for name in vars(process):
            if callable(getattr(type(process), str(name), None)):
                return f"P{node} has a variable {name}, which hides the method of that name"
    return ""


class Standstill:
    """Watches that a run's time moves on."""

    def __init__(self, run: Simulation) -> None:
        self._run = run
        self._patience = PATIENCE + 10 * run.scenario.nodes**2
        self._time, self._step = run.now, run.steps

    def check(self) -> None:
        """BadInput if too many steps have been executed since time last moved."""
        run = self._run
        if run.now != self._time:
            self._time, self._step = run.now, run.steps
        elif run.steps - self._step > self._patience:
            raise BadInput(f"time stands still at {run.now:g}: something in the scenario goes on and takes no time")
