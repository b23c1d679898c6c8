"""Parts of a check in another process, so that several cores share the work.

Only reports come back, without states: each process numbers the values of its states in its own way.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from threading import current_thread, main_thread
from typing import Any, NamedTuple

from algorithms.engine.check.explore import CheckReport, Exploration
from algorithms.engine.process import Algorithm

SLICE = 5_000  # states between two reports

Part = Mapping[str, Any]  # the arguments of an exploration, without the algorithm
Guard = Callable[[str], AbstractContextManager[Algorithm]]  # the algorithm of that name, for as long as it is guarded


class PartReport(NamedTuple):
    """What is known of a part. Instead of its states, a trail has the number of its first state among the initial."""

    check: CheckReport
    frontier_size: int
    is_finished: bool
    has_deadlock: bool


@contextmanager
def helper(guard: Guard, parts: Mapping[int, Part]) -> Iterator[Connection]:
    """A process that explores parts, and reports on each by its number. The connection ends early if it fails."""
    context = multiprocessing.get_context("spawn")
    connection, other_end = context.Pipe(duplex=False)
    process = context.Process(target=_explore, args=(other_end, guard, parts), daemon=True)
    with ctrl_c_deferred():
        process.start()
    other_end.close()
    try:
        yield connection
    finally:
        process.terminate()
        process.join()
        connection.close()


def _explore(connection: Connection, guard: Guard, parts: Mapping[int, Part]) -> None:
    with connection, suppress(Exception):  # it is raised again where it can be explained
        for number, part in parts.items():
            with guard(part["scenario"].algorithm) as algorithm:
                exploration = Exploration(algorithm=algorithm, **part)
                while not exploration.is_finished:
                    exploration.advance(SLICE)
                    connection.send((number, report_of(exploration)))


def report_of(part: Exploration) -> PartReport:
    """What is known of a part that this process explores."""
    check, starts = part.report(), list(part.system.initial())
    findings = []
    for finding in check.findings:
        if trail := finding.trail:
            trail = trail._replace(states=(starts.index(trail.states[0]),))
        findings.append(replace(finding, trail=trail))
    check = replace(check, findings=tuple(findings))
    return PartReport(check, part.frontier_size, part.is_finished, part.has_deadlock)


@contextmanager
def ctrl_c_deferred(*start_trackers: Callable[[], object]) -> Iterator[None]:
    """Defer Ctrl-C to the end of the block; processes started in it never see it, since this one stops them.

    Functions that start resource trackers of other libraries are called first. On Windows nothing is deferred.
    """
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # not in a browser

    for start in (resource_tracker.ensure_running, *start_trackers):
        start()  # before the mask, since a tracker that starts unblocks Ctrl-C
    pressed: list[int] = []  # another thread may be told, which has no such mask
    handler = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if pressed:
            signal.raise_signal(signal.SIGINT)
