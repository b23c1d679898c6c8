"""Tasks without a question: to look, to watch, to intervene, and to explain."""

from __future__ import annotations

from dataclasses import dataclass, replace

from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from lessons.asking.moments import Condition
from lessons.task import Task


@dataclass(frozen=True)
class LookTask(Task):
    """Read, and look at what is pointed at."""


@dataclass(frozen=True)
class RunTask(Task):
    """Watch the run up to a moment."""

    kind = "run"

    until: Condition = Condition("end", True)
    speed: int = 0
    jump: bool = False

    def finish(self, run: Timeline) -> None:
        self.reach(run, "until", self.until)


@dataclass(frozen=True)
class ActTask(Task):
    """Intervene in the run, then watch it up to a moment."""

    kind = "act"

    do: Event = Event(0.0, "request")
    until: Condition = Condition("end", True)

    def finish(self, run: Timeline) -> None:
        run.act(replace(self.do, at=run.simulation.now))
        self.reach(run, "until", self.until)


@dataclass(frozen=True)
class ExplainTask(Task):
    """Explain it to a neighbour; the last step."""

    kind = "explain"
