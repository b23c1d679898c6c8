"""What is worked out beside a run, a slice at a time: the same load under another algorithm, variables along the run.

Each study follows the run that is shown, wherever it goes and whatever is done to it. `work(until)` goes on until that
moment of wall time at most and says whether there was anything to do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_run
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.checkpoint import Checkpoint, restore, save
from algorithms.engine.dispatch import parameters_of, with_parameters
from algorithms.engine.events import TIME, affected_nodes
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.meters import Turns
from algorithms.engine.observe.series import Series
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from visual.words import full_text

_STEPS = 200
_LARGE = 15  # nodes of a system from which one step may be long: it may send to all others


def steps_of_slice(nodes: int) -> int:
    """So many steps of a system with so many nodes."""
    return max(1, _STEPS * _LARGE // max(_LARGE, nodes))


EVERY = 2_000  # steps between two checkpoints of a run that is watched

_TO_NODES = ("crash", "recover", "pause", "resume", "join", "leave")  # what any algorithm's run can suffer


class Studies:
    """The studies of one timeline: `baseline` and `variable` are None where they make no sense, or cannot go on."""

    def __init__(self, timeline: Timeline) -> None:
        algorithm = timeline.algorithm
        self.baseline = BaselineStudy(timeline) if algorithm.baseline and catalog.is_known(algorithm.baseline) else None
        self.variable = VariableStudy(timeline, algorithm.badge) if algorithm.badge else None

    def work(self, seconds: float) -> bool:
        """Go on for so long at most; whether anything has come of it."""
        stop = wall_clock() + seconds
        worked = False
        for name, study in (("baseline", self.baseline), ("variable", self.variable)):
            try:
                if study:
                    with guard_run(study.run):
                        worked = study.work(stop) or worked
            except BadInput:  # an algorithm that does something else when it is executed again has no past to look at
                setattr(self, name, None)
        return worked


class BaselineStudy:
    """The same system with the same load and seed under the algorithm that the run's own is measured against."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._done = timeline.branch.interventions
        self._begin(baseline_of(timeline))

    def _begin(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.reached = 0.0  # the time up to which it is known
        self.run = catalog.simulation(scenario)
        self._fold = Fold(scenario, self.run.algorithm)
        self._turns = Turns(self._fold.situation)
        self._fold.observe([self._turns])

    @property
    def name(self) -> str:
        """What the other algorithm is called."""
        return self.run.algorithm.title

    def work(self, stop: float) -> bool:
        if self._done is not self._timeline.branch.interventions:
            self._done = self._timeline.branch.interventions
            scenario = baseline_of(self._timeline)
            if scenario != self.scenario:
                self._begin(scenario)
        trace, run = self._timeline.trace, self.run
        goal = float(trace.event(len(trace) - 1)[TIME]) if len(trace) else 0.0
        before = self.reached
        steps = steps_of_slice(self.scenario.nodes)
        while self.reached < goal and wall_clock() < stop:
            self.reached = run.now if run.run(until=goal, steps=run.steps + steps) == steps else goal
        self._fold.advance(run.trace)
        return self.reached > before

    def concurrency(self, time: float) -> dict[int, float]:
        """How many were inside -> for how long in all, up to `time`, or as far as it has come."""
        known = min(time, self.reached)
        return self._turns.inside.shares(self.run.trace.steps_until(known), known)


def baseline_of(timeline: Timeline) -> Scenario:
    """The run's scenario for the algorithm it is measured against, which is to offer the same load all along."""
    scenario, algorithm = timeline.scenario, timeline.algorithm
    other = catalog.find(algorithm.baseline or algorithm.name)
    own = with_parameters(algorithm.process, scenario.parameters)
    shared = {name: getattr(own, name) for name in parameters_of(other.process) if hasattr(own, name)}
    slower = _offered(other.process, shared) / _offered(algorithm.process, scenario.parameters)
    pace = {other.paced_by: shared[other.paced_by] * slower} if other.paced_by else {}
    done = chain(scenario.events, (e for e in timeline.branch.interventions if e.by_hand))
    return replace(
        scenario,
        algorithm=other.name,
        variant=None,
        edges=scenario.edges if other.looks else (),  # who sends nothing needs no links
        parameters={**shared, **pace},
        events=tuple(e for event in done for e in _also(event, algorithm, other, slower)),
        markers=(),
    )


def _offered(process: Any, parameters: Mapping[str, Any]) -> float:
    one: Any = with_parameters(process, parameters)()
    return float(one.offered())


def _also(event: Event, algorithm: Algorithm, other: Algorithm, slower: float) -> Iterator[Event]:
    """What an event is in a run of the other algorithm: the same, at its time whatever the step, or nothing."""
    also = replace(event, step=None, by_hand=False)
    if event.do in _TO_NODES:
        yield also
    elif event.do == "tune" and event.parameter == algorithm.paced_by:
        yield replace(also, parameter=other.paced_by, value=event.value * slower)
    elif event.do == "tune" and event.parameter in parameters_of(other.process):
        yield also


class ValueSeries(Series):
    """The values of a variable, and at which step and time it took them."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []
        self.values: list[Any] = []

    def note(self, step: int, time: float, value: Any) -> None:
        """This is its value now."""
        if not self.values or self.values[-1] != value:
            self.steps.append(step)
            self.times.append(time)
            self.values.append(value)

    def at(self, time: float) -> Any:
        """The value at that time."""
        return self.values[max(0, bisect_right(self.times, time) - 1)]

    def truncate(self, step: int) -> None:
        kept = bisect_right(self.steps, step)
        del self.steps[kept:], self.times[kept:], self.values[kept:]


class VariableStudy:
    """What one variable of each process has been along the run: a second run of the same, which is looked at.

    `epoch` counts how often something had to be taken back: what was known before it holds no longer.
    """

    def __init__(self, timeline: Timeline, name: str) -> None:
        self.name = name
        self._timeline = timeline
        self.run = Simulation(timeline.scenario, timeline.algorithm, timeline.branch.interventions)
        self._cuts = len(timeline.trace.cuts)
        self._saved: list[Checkpoint] = [save(self.run)]
        self.epoch = 0
        self.of = [ValueSeries() for _ in self.run.processes]  # by node
        self._look(range(len(self.of)))

    @property
    def reached(self) -> float:
        """The time up to which it is known."""
        return inf if self.run.steps >= self._timeline.frontier else self.run.now

    def work(self, stop: float) -> bool:
        timeline, run = self._timeline, self.run
        self._heed_cuts()
        before = run.steps
        while run.steps < timeline.frontier and wall_clock() < stop:
            for _ in range(min(steps_of_slice(timeline.scenario.nodes), timeline.frontier - run.steps)):
                self._step()
        return run.steps > before

    def _step(self) -> None:
        run = self.run
        run.step()
        self._look(affected_nodes(run.trace.records[run.trace.starts[-1]], len(self.of)))
        if run.steps >= self._saved[-1].steps + EVERY:
            self._saved.append(save(run, self._saved[-1]))
            run.trace.forget()

    def _look(self, nodes: Iterable[int]) -> None:
        run = self.run
        for node in nodes:
            self.of[node].note(run.steps, run.now, vars(run.processes[node]).get(self.name))

    def _heed_cuts(self) -> None:
        """Go back to where the run was cut, if it was, and take up what has been done to it since."""
        trace = self._timeline.trace
        cut = min(trace.cuts[self._cuts :], default=self.run.steps)
        self._cuts = len(trace.cuts)
        self.run.interventions = list(self._timeline.branch.interventions)
        if cut >= self.run.steps:
            return
        while self._saved[-1].steps > cut:
            self._saved.pop()
        restore(self.run, self._saved[-1])
        self.run.trace.forget()
        self.epoch += 1
        for history in self.of:
            history.truncate(self._saved[-1].steps)


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
