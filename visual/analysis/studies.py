"""Studies of a run, executed in slices on runs of their own: the baseline algorithm, and variables over time.

Each study follows the run on screen through interventions and changes of branch. `work(stop)` continues until that
moment of wall time at the latest, and tells whether there was anything to do.
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
from algorithms.engine.branches import first_difference
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
_LARGE = 15  # nodes; in larger systems a step takes longer, since it may send to all others
_FORGET_AFTER = 20_000  # steps after which the run behind a history drops its trace
EVERY = 2_000  # steps between two checkpoints of the run behind a study

_NODE_FAULTS = ("crash", "recover", "pause", "resume", "join", "leave")  # these suit every algorithm


def steps_of_slice(nodes: int) -> int:
    """Steps to execute between two looks at the clock, so that no frame waits long."""
    return max(1, _STEPS * _LARGE // max(_LARGE, nodes))


class Studies:
    """The studies of one timeline; `baseline` or `variable` is None where it does not apply or has failed."""

    def __init__(self, timeline: Timeline) -> None:
        algorithm = timeline.algorithm
        self.baseline = BaselineStudy(timeline) if algorithm.baseline and catalog.is_known(algorithm.baseline) else None
        self.variable = VariableStudy(timeline, algorithm.badge) if algorithm.badge else None

    def work(self, seconds: float) -> bool:
        """Continue for at most `seconds`; return whether there was progress."""
        stop = wall_clock() + seconds
        worked = False
        for name, study in (("baseline", self.baseline), ("variable", self.variable)):
            try:
                if study:
                    with guard_run(study.run):
                        worked = study.work(stop) or worked
            except BadInput:  # an algorithm that behaves differently when re-executed has no past to study
                setattr(self, name, None)
        return worked


class BaselineStudy:
    """The same system, load and seed under the baseline of the run's algorithm."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._interventions = timeline.branch.interventions
        self._begin(baseline_of(timeline))

    def _begin(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.reached = 0.0  # the time up to which it has been executed
        self.run = catalog.simulation(scenario)
        self._fold = Fold(scenario, self.run.algorithm)
        self._turns = Turns(self._fold.situation)
        self._fold.observe([self._turns])

    @property
    def name(self) -> str:
        """The title of the baseline algorithm."""
        return self.run.algorithm.title

    def work(self, stop: float) -> bool:
        """Continue until `stop`; begin again where interventions have changed the scenario."""
        if self._interventions is not self._timeline.branch.interventions:
            self._interventions = self._timeline.branch.interventions
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
        """Number of processes inside -> total time, up to `time` or to what has been executed."""
        until = min(time, self.reached)
        return self._turns.inside.shares(self.run.trace.steps_until(until), until)


def baseline_of(timeline: Timeline) -> Scenario:
    """The run's scenario under its baseline algorithm, with the same offered load throughout."""
    scenario, algorithm = timeline.scenario, timeline.algorithm
    other = catalog.find(algorithm.baseline or algorithm.name)
    own = with_parameters(algorithm.process, scenario.parameters)
    shared = {name: getattr(own, name) for name in parameters_of(other.process) if hasattr(own, name)}
    ratio = _offered(other.process, shared) / _offered(algorithm.process, scenario.parameters)
    pace = {other.paced_by: shared[other.paced_by] * ratio} if other.paced_by else {}
    done = chain(scenario.events, (e for e in timeline.branch.interventions if e.by_hand))
    return replace(
        scenario,
        algorithm=other.name,
        variant=None,
        edges=scenario.edges if other.looks else (),  # an algorithm without messages needs no links
        parameters={**shared, **pace},
        events=tuple(e for event in done for e in _translated(event, algorithm, other, ratio)),
        markers=(),
    )


def _offered(process: Any, parameters: Mapping[str, Any]) -> float:
    one: Any = with_parameters(process, parameters)()
    return float(one.offered())


def _translated(event: Event, algorithm: Algorithm, other: Algorithm, ratio: float) -> Iterator[Event]:
    """The event for the other algorithm, at the same time instead of the same step; nothing if it has no meaning."""
    timed = replace(event, step=None, by_hand=False)
    if event.do in _NODE_FAULTS:
        yield timed
    elif event.do == "tune" and event.parameter == algorithm.paced_by:
        yield replace(timed, parameter=other.paced_by, value=event.value * ratio)
    elif event.do == "tune" and event.parameter in parameters_of(other.process):
        yield timed


class ValueSeries(Series):
    """The values of a variable, with the step and the time at which it took each."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []
        self.values: list[Any] = []

    def note(self, step: int, time: float, value: Any) -> None:
        """Record the present value, if it is a new one."""
        if not self.values or self.values[-1] != value:
            self.steps.append(step)
            self.times.append(time)
            self.values.append(value)

    def at(self, time: float) -> Any:
        """The value at `time`."""
        return self.values[max(0, bisect_right(self.times, time) - 1)]

    def truncate(self, step: int) -> None:
        count = bisect_right(self.steps, step)
        del self.steps[count:], self.times[count:], self.values[count:]


class VariableStudy:
    """One variable of every process over time, read off a second execution of the run.

    `epoch` counts how often values had to be taken back; anything derived from an earlier epoch is out of date.
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
        """The time up to which the values are complete."""
        return inf if self.run.steps >= self._timeline.frontier else self.run.now

    def work(self, stop: float) -> bool:
        """Continue until `stop`, after going back to a cut of the trace."""
        timeline, run = self._timeline, self.run
        self._follow_cuts()
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

    def _follow_cuts(self) -> None:
        """Go back to where the trace was cut, and take over the interventions made since."""
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


class ValueChange(NamedTuple):
    """A new value of a variable, after `step` steps, the last of them at `time`."""

    step: int
    time: float
    value: str


class VariableHistory:
    """The changes of each variable of one node, over the first `reached` steps of the timeline's branch.

    It begins again when an intervention before `reached` changes.
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
        """Continue for about `seconds`; return whether there was progress."""
        self._follow_interventions()
        stop = wall_clock() + seconds
        before, frontier = self.reached, self._timeline.frontier
        slice_of_steps = steps_of_slice(self._timeline.scenario.nodes)
        try:
            with guard_run(self._run):
                while self.reached < frontier and wall_clock() < stop:
                    self._read(min(self.reached + slice_of_steps, frontier))
        except BadInput:  # an algorithm that behaves differently when re-executed has no past to study
            self.reached = frontier
        return self.reached > before

    def _follow_interventions(self) -> None:
        """Take over the branch's interventions; begin again only if they differ before `reached`."""
        new, old = self._timeline.branch.interventions, tuple(self._run.interventions)
        if self.reached > self._timeline.frontier or first_difference(new, old, self.reached) < self.reached:
            self._begin()
        else:
            self._run.interventions = list(new)

    def _read(self, goal: int) -> None:
        """Read the steps up to `goal`, executing only up to those that may affect the node."""
        trace, run, nodes = self._timeline.trace, self._run, len(self._run.processes)
        for step in range(self.reached, goal):
            event = trace.event(step)
            if self.node in affected_nodes(event, nodes):
                run.run(steps=step + 1)
                self._note(step + 1, event[TIME])
        self.reached = goal
        if len(run.trace.starts) > _FORGET_AFTER:
            run.trace.forget()

    def _note(self, step: int, time: float) -> None:
        for name, value in vars(self._run.processes[self.node]).items():
            text = full_text(value)
            changes = self.changes.setdefault(name, [])
            if not changes or changes[-1].value != text:
                changes.append(ValueChange(step, time, text))
