"""A state of a run that can be recognised again, so that what depends on it alone is worked out once."""

from __future__ import annotations

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
