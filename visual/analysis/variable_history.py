"""What the variables of one node have been along the run: worked out on a run of its own, a slice at a time."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.authoring.failures import guard_run
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.events import TIME, affected_nodes
from algorithms.engine.scenario import Event
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from visual.analysis.slices import steps_of_slice
from visual.words.names import full_text

FORGETFUL = 20_000  # steps after which the run of its own lets go of its trace


class ValueChange(NamedTuple):
    """What a variable is from some step on: `step` steps had been executed, the last of them at `time`."""

    step: int
    time: float
    value: str


class VariableHistory:
    """The changes of each variable of a node, as far as `reached`: so many steps of the timeline's branch.

    It begins anew when what was done by hand before that has changed.
    """

    def __init__(self, timeline: Timeline, node: int) -> None:
        self.node = node
        self._timeline = timeline
        self._begin()

    def _begin(self) -> None:
        timeline = self._timeline
        self.changes: dict[str, list[ValueChange]] = {}
        self.reached = 0
        self._run = Simulation(timeline.scenario, timeline.algorithm, timeline.branch.interventions)

    def work(self, seconds: float) -> bool:
        """Go on for about so many seconds; whether there was anything to do."""
        self._heed()
        stop = wall_clock() + seconds
        before, frontier = self.reached, self._timeline.frontier
        slice_of_steps = steps_of_slice(self._timeline.scenario.nodes)
        try:
            with guard_run(self._run):
                while self.reached < frontier and wall_clock() < stop:
                    self._read(min(self.reached + slice_of_steps, frontier))
        except BadInput:  # an algorithm that does something else when it is executed again has no past to look at
            self.reached = frontier
        return self.reached > before

    def _heed(self) -> None:
        """Take over what has been done by hand; what lies before it need not be read again."""
        new, old = self._timeline.branch.interventions, tuple(self._run.interventions)
        if self.reached > self._timeline.frontier or _first_difference(new, old) < self.reached:
            self._begin()
        else:
            self._run.interventions = list(new)

    def _read(self, goal: int) -> None:
        """Read the steps up to `goal`: variables change only in the node's own, and by what is done to a run."""
        trace, run, nodes = self._timeline.trace, self._run, len(self._run.processes)
        for step in range(self.reached, goal):
            event = trace.event(step)
            if self.node in affected_nodes(event, nodes):
                run.run(steps=step + 1)
                self._note(step + 1, event[TIME])
        self.reached = goal
        if len(run.trace.starts) > FORGETFUL:
            run.trace.forget()

    def _note(self, step: int, time: float) -> None:
        for name, value in vars(self._run.processes[self.node]).items():
            words = full_text(value)
            known = self.changes.setdefault(name, [])
            if not known or known[-1].value != words:
                known.append(ValueChange(step, time, words))


def _first_difference(one: tuple[Event, ...], other: tuple[Event, ...]) -> float:
    """The step of the first intervention that only one of the two has; infinite if they are the same."""
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    return min((events[common].step or 0 for events in (one, other) if common < len(events)), default=float("inf"))
