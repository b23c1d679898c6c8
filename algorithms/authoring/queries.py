"""Queries to an author's processes about tokens, waiting and the past.

They may fail as well. The picture is then drawn without the answer, and `run.query_error` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from algorithms.authoring.failures import Failure, guard_run, query_failure
from algorithms.engine.errors import Misuse, short
from algorithms.engine.process import ElectionProcess, Message, Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.waits import Wait, all_of

Answer = TypeVar("Answer")


def is_holding(run: Simulation, process: Process) -> bool:
    """Whether the process says that it holds a token."""
    return _answer(run, _holding, process, False)


def wait_of(run: Simulation, process: Process) -> Wait:
    """What the process says it waits for, from other nodes."""
    return _answer(run, _wait, process, Wait())


def hold_on(run: Simulation, process: Process, other: Process) -> str:
    """Why the process says that it keeps the other waiting; "" if it does not."""
    return _answer(run, lambda holder: str(holder.keeps_waiting(other)), process, "")


def keeper_of(run: Simulation, process: Process, other: Process) -> int | None:
    """The process that has what `other` waits for from `process`, as that says; None if nobody has."""
    return _answer(run, lambda arbiter: _node(arbiter.kept_by(other)), process, None)


def _node(answer: Any) -> int | None:
    if answer is not None and not isinstance(answer, int):
        raise Misuse(f"kept_by is {short(answer)}; expected the number of a node, or None")
    return answer


def is_request_of(run: Simulation, process: Process, message: Message) -> bool:
    """Whether the process says that a message is about its open request."""
    return _answer(run, lambda asker: bool(asker.carries_my_request(message)), process, False)


def is_heeded(run: Simulation, process: Process, message: Message) -> bool:
    """Whether a message of a kind that the process waits for makes a difference to it."""
    return _answer(run, lambda waiter: bool(waiter.heeds(message)), process, True)


def role_of(run: Simulation, process: Process) -> str:
    """The role of the process in the present election, in its own words; "" for none, or outside elections."""
    return _answer(run, _role, process, "") if isinstance(process, ElectionProcess) else ""


def query_past(timeline: Timeline, step: int, query: Callable[[], Answer], default: Answer) -> Answer:
    """The answer of a query at a past step; `default` if the steps up to it, executed again, fail this time."""
    run = timeline.simulation
    try:
        with guard_run(run):
            return timeline.look_back(step, query)
    except Failure as failure:
        failure.step = run.steps
        _record(run, failure)
        return default


def _answer(run: Simulation, query: Callable[[Any], Answer], process: Process, default: Answer) -> Answer:
    """The answer of a process; `default` if the query fails, or has taken too long before."""
    if run.query_error and _is_endless(run.query_error):
        return default  # the window has been blocked once
    try:
        return query(process)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an author's own method may raise anything
        _record(run, query_failure(error, run))
        return default


def _record(run: Simulation, failure: Failure) -> None:
    if not _is_endless(run.query_error):
        run.query_error = failure


def _is_endless(failure: Exception | None) -> bool:
    return isinstance(failure, Failure) and failure.is_endless


def _holding(process: Process) -> bool:
    return bool(process.holding())


def _role(process: ElectionProcess) -> str:
    role: Any = process.role  # an author's variable of that name says as much
    return str(role() if callable(role) else role or "")


def _wait(process: Process) -> Wait:
    answer = process.waiting_for()
    try:
        wait = answer if isinstance(answer, Wait) else all_of(answer)
        nodes = wait.nodes - {process.id}
        if all(0 <= node < process.size for node in nodes):
            return wait._replace(nodes=nodes)
    except TypeError:
        pass
    raise Misuse(f"waiting_for of P{process.id} says {short(answer)}; expected numbers of nodes")
