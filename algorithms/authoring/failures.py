"""Failures of an author's algorithm, each explained in one sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from traceback import walk_tb
from typing import Any, NamedTuple

from algorithms.authoring.origin import file_of, is_algorithm_code, module_of
from algorithms.authoring.watchdog import misuse_of, no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.checkpoint import is_constant
from algorithms.engine.errors import Endless, Misuse, UnfitMessage, short, words_of
from algorithms.engine.events import DELIVER, KIND, MESSAGE
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.promises import assumption_words, broken_assumptions, fault_observer
from algorithms.engine.process import Algorithm, Message, Process, Send
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline, WentDifferently

STALL_LIMIT = 200_000  # steps in which time may stand still, plus ten times the number of channels


class CodeLocation(NamedTuple):
    """A line of an algorithm's file, and the function that runs there."""

    file: str
    number: int  # from 1
    function: str
    module: str
    process: Process | None  # whose method the function is

    @property
    def context(self) -> str:
        """ "in on_reply of P2"."""
        if self.process is None:
            return f"in {self.function.replace('<lambda>', 'a function without a name')}"
        return f"in {self.function.replace('<lambda>', 'a guard')} of P{self.process.id}"

    @property
    def place(self) -> str:
        """ "algorithms/mutual_exclusion/ricart_agrawala.py, line 54"."""
        return f"{file_of(self.module)}, line {self.number}"


class Failure(BadInput):
    """The algorithm fails at a location in its file, so that its run cannot continue.

    The `cause` is an assumption of the algorithm that the run has broken, if there is one.
    """

    def __init__(self, words: str, location: CodeLocation | None, cause: str = "") -> None:
        super().__init__(f"{words}; {cause}" if cause else words)
        self.words = words  # without the cause
        self.cause = cause
        self.location = location
        self.step = -1  # the number of executed steps when a query failed
        self.is_endless = False  # whether a call took so long that it is not repeated


@contextmanager
def guard_run(run: Simulation) -> Iterator[None]:
    """Turn errors in the algorithm's own code into a Failure while the run executes.

    Algorithms say `remove` where the protocol guarantees an element. It may be missing in a scenario that breaks their
    assumptions, and that is no mistake of the program.
    """

    def failure_of(error: BaseException) -> Failure | None:
        if isinstance(error, WentDifferently):
            return Failure(f"{run.algorithm.name}: {error} ({file_of(run.algorithm.process.__module__)})", None)
        failure = _failure(error, run.algorithm, f"fails in step {run.failed_step or run.steps}", _overwritten(run))
        return failure and Failure(failure.words, failure.location, assumption_words(_broken_assumptions(run)))

    with _guard(failure_of):
        yield


def query_failure(error: BaseException, run: Simulation) -> Failure:
    """The failure of a query about the present state that the algorithm cannot answer."""
    is_endless = isinstance(error, Endless)
    error = misuse_of(error) if isinstance(error, Endless) else error
    words = _overwritten(run) or words_of(error) or type(error).__name__
    failure = _failure(error, run.algorithm, f"cannot be asked after step {run.steps}", words)
    assert failure is not None
    failure.step, failure.is_endless = run.steps, is_endless
    return failure


@contextmanager
def guard_timeline(timeline: Timeline) -> Iterator[None]:
    """Guard the run while a timeline moves.

    A bad message is reported where it is sent, not where it arrives.
    """
    step, frontier = timeline.step, timeline.frontier
    with guard_run(timeline.simulation):
        try:
            yield
        finally:
            _check_messages(timeline, frontier if frontier <= timeline.frontier else step)


def _check_messages(timeline: Timeline, since: int) -> None:
    """Misuse if a step from `since` on sends something other than a constant message.

    That step is executed again with a sender that checks, so that the error is raised where it is made.
    """
    trace, checked = timeline.trace, None
    for step in range(since, len(trace)):
        for record in trace.step(step)[1:]:
            if record[KIND] == DELIVER and record[MESSAGE] is not checked:
                checked = record[MESSAGE]
                if _reason_against(checked):
                    _execute_checked(timeline, step)


def _execute_checked(timeline: Timeline, step: int) -> None:
    timeline.seek(step)
    with checked_messages(timeline.simulation):
        timeline.forward()


@contextmanager
def checked_messages(run: Simulation) -> Iterator[None]:
    """Raise UnfitMessage where the run sends something other than a constant message."""
    senders = [sender for process in run.processes for sender in (process, *process._parts.values())]
    unchecked = [sender.send for sender in senders]
    checked = [_checking(send) for send in unchecked]
    for sender, send in zip(senders, checked, strict=True):
        sender.send = send
    try:
        yield
    finally:
        for sender, send, own in zip(senders, checked, unchecked, strict=True):
            if sender.send is send:  # otherwise the algorithm has overwritten it, which is reported
                sender.send = own


def _checking(send: Send) -> Send:
    def checking(message: Message, to: int | Iterable[int]) -> None:
        if words := _reason_against(message):
            raise UnfitMessage(words)
        send(message, to)

    return checking


def _reason_against(message: Any) -> str:
    """Why the message cannot be sent; empty if it can."""
    if isinstance(message, type) and issubclass(message, Message):
        return f"it sends the class {message.__name__}; expected a message, {message.__name__}(…)"
    if not isinstance(message, Message):
        return f"it sends {short(message)}; expected a message, made from a class like class Request(Message)"
    if not is_constant(message):
        faults = "which could be changed in transit or is nested too deeply"
        return f"it sends {short(message)}, {faults}; expected flat tuples, no lists, sets or dicts"
    odd = next(_beyond_a_trace(message), None)
    return f"it sends {type(message).__name__} with {odd}; expected {_IN_A_MESSAGE}" if odd else ""


_IN_A_MESSAGE = "numbers, texts, tuples, frozensets and messages in a message"
_MOST_BITS = 13_000  # of a whole number: with about 4,000 digits it can still be printed


def _beyond_a_trace(value: Any) -> Iterator[str]:
    """The parts of a constant value that no trace can hold, which is written as JSON."""
    match value:
        case Message() | tuple() | frozenset():
            for part in vars(value).values() if isinstance(value, Message) else value:
                yield from _beyond_a_trace(part)
        case int() if value.bit_length() > _MOST_BITS:
            yield "a number of too many digits"
        case str() if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            yield f"the text {value!a:.60}, which is not Unicode"
        case int() | float() | str() | None:
            return
        case _:
            yield f"{short(value)}, of type {type(value).__name__}"


@contextmanager
def guard_algorithm(algorithm: Algorithm, how: str) -> Iterator[None]:
    """Guard an algorithm outside a run: `how` it fails is "cannot be set up", for example."""
    with _guard(lambda error: _failure(error, algorithm, how)):
        yield


@contextmanager
def _guard(failure_of: Callable[[BaseException], Failure | None]) -> Iterator[None]:
    """Turn an error into the Failure that `failure_of` has for it, if any; BadInput passes unchanged.

    What an algorithm prints goes to the error stream, since the output is the program's.
    """
    try:
        with no_endless_call(), redirect_stdout(sys.stderr):
            yield
    except (BadInput, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit, say
        failure = failure_of(error)
        if failure is None:
            raise
        failure.is_endless = isinstance(error.__context__, Endless)
        raise failure from error


def _failure(error: BaseException, algorithm: Algorithm, how: str, reason: str = "") -> Failure | None:
    """The failure of the algorithm as one sentence; None if the mistake is the engine's."""
    location = _location_of(error)
    words = reason or _words_of(error, algorithm.process.__name__, location)
    if not words:
        return None
    if location is None:
        return Failure(f"{algorithm.name} {how}: {words} ({file_of(algorithm.process.__module__)})", None)
    return Failure(f"{algorithm.name} {how}, {location.context}: {words} ({location.place})", location)


def _words_of(error: BaseException, process: str, location: CodeLocation | None) -> str:
    """The algorithm's mistake in words; empty if it is the engine's."""
    words = words_of(error)
    if isinstance(error, Misuse) or words.startswith((f"{process}.", f"{process} has no ")):
        return words  # no such handler, or one with the wrong parameters
    if isinstance(error, RecursionError) and not location:
        return "what it keeps or sends is nested too deep"
    is_bad_call = isinstance(error, TypeError | RecursionError | MemoryError)
    if words.startswith(f"{process!r} object") or (location and (is_bad_call or not _is_within_engine(error))):
        return f"{type(error).__name__} {words}".rstrip()
    return ""


def _location_of(error: BaseException) -> CodeLocation | None:
    """The innermost line of an algorithm's file that leads to the error."""
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        if is_algorithm_code(frame):
            code, process = frame.f_code, frame.f_locals.get("self")
            owner = process if isinstance(process, Process) else None
            return CodeLocation(code.co_filename, number, code.co_name, frame.f_globals["__name__"], owner)
    return None


def _is_within_engine(error: BaseException) -> bool:
    """Whether the error was raised in the engine, on behalf of an algorithm or not."""
    modules = [
        module_of(frame) for frame, _ in walk_tb(error.__traceback__) if module_of(frame).startswith("algorithms.")
    ]
    return bool(modules) and modules[-1].startswith("algorithms.engine.")


def _overwritten(run: Simulation) -> str:
    """A sentence on a process that has overwritten an engine's attribute or a method; or empty."""
    for node, process in enumerate(run.processes):
        if process.id != node or process.size != len(run.processes):
            return f"P{node} changes its own id or size"
        if process._host is not run or not callable(process.send):
            return f"P{node} changes how it reaches the others"
        for name in vars(process).keys() - {"role"}:  # which may be either
            if callable(getattr(type(process), str(name), None)):
                return f"P{node} has a variable {name}, which hides the method of that name"
    return ""


def _broken_assumptions(run: Simulation) -> dict[str, str]:
    """The assumptions that the run has broken, unless it has forgotten its trace."""
    if run.trace.forgotten:
        return {}
    fold = Fold(run.scenario, run.algorithm)
    faults = fault_observer(fold.situation, run.scenario.network)
    fold.observe([faults])
    fold.advance(run.trace)
    return broken_assumptions(run.algorithm, faults.first.values)


class StallDetector:
    """Detects that the time of a run no longer advances."""

    def __init__(self, run: Simulation) -> None:
        self._run = run
        self._limit = STALL_LIMIT + 10 * run.scenario.nodes**2
        self._time, self._last = run.now, run.steps + len(run.queue) + self._limit

    def check(self) -> None:
        """BadInput if too many steps have been executed since time last advanced.

        What was in the queue then may be due now: where messages double, time will go on.
        """
        run = self._run
        if run.now != self._time:
            self._time, self._last = run.now, run.steps + len(run.queue) + self._limit
        elif run.steps > self._last:
            is_instant = run.scenario.network.delay.mean == 0
            what = "messages, which have no delay, are" if is_instant else "something that takes no time is"
            raise BadInput(f"time stands still at {run.now:g}: {what} repeated without end")
