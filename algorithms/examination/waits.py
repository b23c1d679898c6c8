"""Whether a process waits for the processes that it names: while they are frozen it must not be served."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from algorithms.authoring.queries import wait_of
from algorithms.engine import checkpoint
from algorithms.engine.applications import is_wanting
from algorithms.engine.events import KIND, MESSAGE, REQUEST, SENDER
from algorithms.engine.process import Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.waits import Wait
from algorithms.engine.workload import Load

MOST_STEPS = 300  # of the run, and of each continuation of it
EVERY = 5  # steps between two moments that are looked at


def untruths(run: Simulation, until: float) -> Iterator[str]:
    """The first false claim of a process about whom it waits for, up to that time, in a sentence; or none."""
    if run.process_class.waiting_for is Process.waiting_for:
        return
    has_waited = has_named = False
    while run.steps < MOST_STEPS and run.now <= until and run.step():
        for process in filter(is_wanting, run.processes):
            wait = wait_of(run, process)
            if run.query_error:
                yield str(run.query_error)
                return
            has_waited, has_named = True, has_named or bool(wait.nodes)
            if run.steps % EVERY == 0 and (words := _untruth(run, process.id, wait)):
                yield words
                return
    if has_waited and not has_named:
        yield "waiting_for() names nobody, although processes wait; expected those whose message they need"


def _untruth(run: Simulation, node: int, wait: Wait) -> str:
    """Why a node's claim is false now; "" if it is true."""
    groups = [set(wait.nodes)] if wait.is_any else [{other} for other in sorted(wait.nodes)]
    for group in filter(None, groups):
        if not _is_heard_from(run, group) and _is_served_without(run, node, group):
            names = " or ".join(f"P{other}" for other in sorted(group))
            said = f"P{node} says at {run.now:g} that it waits for {names}"
            return f"{said}, but it enters without a message from {names}"
    return ""


def _is_heard_from(run: Simulation, group: set[int]) -> bool:
    """Whether something from the group, or a token, is in transit already."""
    token = run.algorithm.token or ()
    return any(e[SENDER] in group or isinstance(e[MESSAGE], token) for e in run.queue.in_transit())


def _is_served_without(run: Simulation, node: int, group: set[int]) -> bool:
    """Whether the node enters while a group is frozen and there are no new requests."""
    with _unchanged(run):
        for other in group:
            run.down.setdefault(other, "paused")
        run.applications.load = Load()
        run.queue.remove(lambda entry: entry[KIND] == REQUEST)
        for _ in range(MOST_STEPS):
            if not run.step():
                return False
            if not is_wanting(run.processes[node]):
                return True
    return False


@contextmanager
def _unchanged(run: Simulation) -> Iterator[None]:
    """Put the run back into its present state at the end of the block."""
    saved = checkpoint.save(run)
    try:
        yield
    finally:
        checkpoint.restore(run, saved)
