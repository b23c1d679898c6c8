"""Results worked out of one run, cached for as long as their owner shows that run."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, TypeVarTuple

from algorithms.engine.events import Record
from algorithms.engine.simulation import Simulation


class Moment:
    """The state of a run after some steps, by default its present one: the same whenever the same record led to it.

    A step that is executed again after its trace was cut leaves a new record, and so makes another moment. Between two
    steps nothing in a run changes.
    """

    __slots__ = ("event", "run")

    def __init__(self, run: Simulation, steps: int | None = None) -> None:
        done = run.steps if steps is None else steps
        self.run = run
        self.event: Record | None = run.trace.event(done - 1) if done > run.trace.forgotten else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.run is other.run and self.event is other.event

    def __hash__(self) -> int:
        return hash((id(self.run), id(self.event)))


_LATEST = 4  # results of each function: the states between which somebody steps to and fro

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class RunCache:
    """The latest results of functions of one run.

    Nothing outside it holds on to a run: a window has one beside each run's timeline, a single picture makes its own,
    and with the cache go the run and all that was worked out of it.
    """

    def __init__(self, run: Simulation) -> None:
        self.run = run
        self._cached: dict[Callable[..., Any], Callable[..., Any]] = {}

    def get(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The value of `function(*arguments)`, worked out only if it is not among its latest.

        The function is pure, or a class whose objects read the run step by step. The arguments are hashable.
        """
        cached = self._cached.get(function)
        if cached is None:
            cached = self._cached[function] = lru_cache(maxsize=_LATEST)(function)
        result: Result = cached(*arguments)
        return result
