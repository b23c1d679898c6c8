"""Queries to an author's processes about tokens, waiting and the past.

They may fail as well. The picture is then drawn without the answer, and `run.query_error` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from algorithms.authoring.failures import Failure, guard_run, query_failure
from algorithms.engine.errors import Misuse, short
from algorithms.engine.process import ElectionProcess, Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline

Answer = TypeVar("Answer")


def is_holding(run: Simulation, process: Process) -> bool:
    """Whether the process says that it holds a token."""
    return _answer(run, _holding, process, False)


def awaited_nodes(run: Simulation, process: Process) -> set[int]:
    """The other nodes that the process says it waits for."""
    return _answer(run, _awaited_nodes, process, set())


def role_of(run: Simulation, process: Process) -> str:
    """The role of the process in the present election, in its own words; "" for none, or outside elections."""
    return _answer(run, _role, process, "") if isinstance(process, ElectionProcess) else ""


def query_past(timeline: Timeline, query: Callable[[], Answer], default: Answer) -> Answer:
    """The answer of a query that executes past steps again; `default` if they fail this time."""
    run = timeline.simulation
    try:
        with guard_run(run):
            return query()
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


def _awaited_nodes(process: Process) -> set[int]:
    answer = process.waiting_for()
    try:
        nodes = set(answer) - {process.id}
        if all(0 <= node < process.size for node in nodes):
            return nodes
    except TypeError:
        pass
    raise Misuse(f"waiting_for of P{process.id} says {short(answer)}; expected numbers of nodes")
