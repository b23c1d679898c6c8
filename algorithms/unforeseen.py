"""Runs that cannot go on, in words: an algorithm meets what it has ruled out, or time stands still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

from algorithms.bad_input import BadInput
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE
from algorithms.engine.simulation import Simulation

PATIENCE = 200_000  # steps in which time may stand still, and ten times the number of channels more


@contextmanager
def in_words(run: Simulation) -> Iterator[None]:
    """While the run is executed: an error in the algorithm's own code, not the engine's, becomes BadInput.

    Algorithms say `remove` where the protocol promises that something is there. Under a scenario that breaks their
    assumptions it may not be, and that is no mistake of the program.
    """
    try:
        yield
    except BadInput:
        raise
    except Exception as error:
        words = _of_the_algorithm(error, run)
        if not words:
            raise
        assumed = ", ".join(run.algorithm.assumes) or "nothing"
        raise BadInput(f"{run.algorithm.name} fails in step {run.steps}: {words}; it assumes: {assumed}") from error


def _of_the_algorithm(error: Exception, run: Simulation) -> str:
    """What the algorithm does wrong; empty if it is the engine's mistake."""
    event = run.trace.event(len(run.trace) - 1)
    node = event[NODE]
    if event[KIND] == DELIVER and not 0 <= node < len(run.processes):
        return f"it sends {type(event[MESSAGE]).__name__} to P{node}, and there is no such node"
    if isinstance(error, TypeError) and str(error).startswith(f"{run.process_class.__name__}.on_"):
        return str(error)  # a handler of so many arguments cannot be called
    *_, (frame, _) = walk_tb(error.__traceback__)
    module = str(frame.f_globals["__name__"])
    if not module.startswith("algorithms.") or module.startswith("algorithms.engine"):
        return ""
    who = f"P{node}" if node >= 0 else "a process"
    return f"{type(error).__name__} {error} in {frame.f_code.co_name} of {who}"


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
