"""The moments of a run, and results computed from them, cached while their owner shows the run."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, TypeVarTuple

from algorithms.engine.events import Record
from algorithms.engine.simulation import Simulation


class Moment:
    """The state of a run after some steps, by default the present one; a key for results that depend on it alone.

    Two moments are equal if the same record led to them. A step that is re-executed after a cut of the trace leaves
    a new record, and so makes another moment.
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


_LATEST = 4  # results of each function: the states between which a user steps back and forth

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class RunCache:
    """The latest results of functions of one run.

    A window has one beside each run's timeline, and a single picture makes its own. No other cache refers to a run, so
    that the run and its results are freed together with this one.
    """

    def __init__(self, run: Simulation) -> None:
        self.run = run
        self._cached: dict[Callable[..., Any], Callable[..., Any]] = {}

    def get(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The value of `function(*arguments)`, from the cache if it is among the function's latest results.

        The function is pure, or a class whose objects read the run step by step. The arguments must be hashable.
        """
        cached = self._cached.get(function)
        if cached is None:
            cached = self._cached[function] = lru_cache(maxsize=_LATEST)(function)
        result: Result = cached(*arguments)
        return result
