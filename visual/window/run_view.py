"""One run as the window sees it: its timeline, what is read of it, and the commands on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from algorithms import catalog
from algorithms.authoring.failures import Failure, guard_timeline
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.events import TIME, Record
from algorithms.engine.observe.offered_load import at_load, offered_load
from algorithms.engine.rewrite import MOST_NODES_IN_TERM, system_of
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.subset import among
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Load, Poisson
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.studies import steps_of_slice

if TYPE_CHECKING:
    from algorithms.engine.line_trace import Execution
    from visual.analysis.ledger import Ledger


Moved = TypeVar("Moved")

YOU_CHOOSE = "You choose what happens next: a number, a line of the list or a click on a message. Shift+J: the clock."
BEFORE_ALL = "Nothing has happened yet: Space lets it run, → goes one event on."
MOST_STEPS = 300_000  # steps of one run in the window: more would fill the memory of a small machine
PATIENCE = 0.03  # seconds in which something notable has to be found
KNOWN = 50  # steps of which is kept what ran in them
FLIGHT = 0.8  # seconds that an average message flies at speed 1x


class Snapshot(NamedTuple):
    """A run that can be shown again, as it was left."""

    scenario: Scenario
    path: Path | None
    timeline: Timeline
    saved: tuple[Event, ...]  # what has been done by hand and is in a file
    ledger: Ledger | None = None  # what has been read of it already


class RunView:
    """A view of one run. `revision` grows with whatever happens to it."""

    def __init__(self, scenario: Scenario, path: Path | None = None) -> None:
        self.revision = 0
        self.is_automatic = True  # whether what is due first happens first; otherwise a person picks what happens
        self.replaced: Snapshot | None = None  # the run that a counter-example has taken the place of
        self._sentence: str | None = None  # what the last step did, if anybody has asked
        self.note = ""  # what sets it apart from the run beside it, in a few words
        self.open(scenario, path)

    def open(self, scenario: Scenario, path: Path | None = None) -> None:
        """Begin a fresh run of the scenario. BadInput if its algorithm is unknown."""
        self._begin(scenario, path)
        self.replaced = None

    def _begin(self, scenario: Scenario, path: Path | None) -> None:
        timeline = catalog.timeline(scenario)
        self._show(Snapshot(scenario, path, timeline, timeline.branch.interventions))

    def visit(self, example: Scenario) -> None:
        """Show the run of another scenario, at its end; `leave_example` shows the present one again."""
        before = self.replaced or Snapshot(self.scenario, self.path, self.timeline, self.saved, self._ledger)
        self._begin(example, None)
        self.replaced = before
        self.seek_time(example.until)

    def leave_example(self) -> bool:
        """Show the run that was replaced, as it was; False if none was."""
        if self.replaced is None:
            return False
        self._show(self.replaced)
        self.replaced = None
        return True

    def _show(self, run: Snapshot) -> None:
        self.scenario, self.path, self.timeline, self.saved, self._ledger = run
        self.cache = self._ledger.cache if self._ledger else RunCache(self.timeline.simulation)
        self._failure: tuple[str, int, BadInput] | None = None  # branch, step before it, and how the algorithm fails
        self._executions: dict[Moment, Execution] = {}  # what ran in the step that led there, of the latest looked at
        if not self.is_automatic and not self.timeline.frontier:  # what was chosen happens, and before it the launch
            self._attempt(partial(self.timeline.seek, max((event.step or 0 for event in self.saved), default=0) + 1))
        self._moved(True)

    # ---- looking -------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The algorithm's title, and its variant."""
        variant = self.scenario.variant
        return self.simulation.algorithm.title + (f" · {variant}" if variant else "")

    @property
    def simulation(self) -> Simulation:
        """The state at the present step."""
        return self.timeline.simulation

    @property
    def now(self) -> float:
        """The time of the last step that was executed."""
        return self.simulation.now

    @property
    def next_time(self) -> float | None:
        """When the next step happens; None if none ever will of itself."""
        return None if self.failure or self.waits_for_person else self.simulation.next_time()

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to say what happens next."""
        timeline = self.timeline
        return not self.is_automatic and 0 < timeline.step == timeline.frontier and not timeline.forgotten

    @property
    def quiescence(self) -> str:
        """Why nothing happens of itself."""
        from visual.narration.waiting import quiescence_sentence  # the first frame does without

        return self.failure or (YOU_CHOOSE if self.waits_for_person else quiescence_sentence(self.simulation))

    @property
    def failure(self) -> str:
        """Why the run cannot go on from here: the algorithm meets what it has ruled out. Empty if it can."""
        failing = self._failing
        return str(failing) if failing else ""

    @property
    def _failing(self) -> BadInput | None:
        """The same, with the line; a question about the present state that has no answer counts as well."""
        here = (self.timeline.branch.name, self.timeline.step)
        if self._failure and self._failure[:2] == here:
            return self._failure[2]
        unanswered = self.simulation.query_error
        if isinstance(unanswered, Failure) and unanswered.step == self.timeline.step:
            return unanswered
        return None

    @property
    def reached(self) -> float:
        """The time of the last step that has ever been executed on this branch."""
        trace = self.timeline.trace
        return float(trace.event(len(trace) - 1)[TIME]) if len(trace) else 0.0

    @property
    def horizon(self) -> float:
        """The right end of the timeline: until when the scenario runs, doubled as often as it was passed."""
        end = max(self.scenario.until, 1.0)
        while end < max(self.reached, self.timeline.branch.end):
            end *= 2
        return end

    @property
    def pace(self) -> float:
        """Units of time that pass in a second at speed 1x, such that a message's flight can be followed."""
        return self.flight / FLIGHT

    @property
    def flight(self) -> float:
        """How long a message takes on average; one unit of time where they take none."""
        return self.scenario.network.delay.mean or 1.0

    @property
    def ledger(self) -> Ledger:
        """What is counted and watched along the run."""
        if self._ledger is None:
            from visual.analysis.ledger import Ledger  # the first frame does without

            self._ledger = Ledger(self.timeline, self.cache)
        return self._ledger

    @property
    def sentence(self) -> str:
        """What the last step did, or why the run cannot go on."""
        if self._sentence is None and not self.failure:
            self._sentence = self._told(self.timeline.step)
        return self.failure or self._sentence or ""

    def _told(self, step: int) -> str:
        if step == 0:
            return BEFORE_ALL
        from visual.narration.steps import step_sentence  # the first frame does without

        return step_sentence(self.timeline, step - 1, self.execution)

    @property
    def execution(self) -> Execution:
        """Which lines ran in the last step; where the run cannot go on, the line that fails."""
        from algorithms.engine.line_trace import ExecutedLine, Execution  # the first frame does without
        from visual.narration.steps import execution_of

        step, failing = self.timeline.step, self._failing
        if isinstance(failing, Failure) and failing.location:
            return Execution((ExecutedLine(*failing.location[:3]),))
        here = Moment(self.simulation)
        if here not in self._executions and step:
            self._note(execution_of(self.timeline, step - 1))
        return self._executions.get(here, Execution())

    def _note(self, ran: Execution) -> None:
        """That is what ran in the last step: whoever undoes something comes back to it."""
        self._executions[Moment(self.simulation)] = ran
        if len(self._executions) > KNOWN:
            del self._executions[next(iter(self._executions))]

    def message(self, serial: int) -> Record | None:
        """The message in flight with that serial number."""
        return self.simulation.post.find(serial)

    # ---- going there ---------------------------------------------------------------------------------------

    def forward(self, watch: bool = False) -> bool:
        """One step on; False if nothing will ever happen again, or the run is as long as it may get.

        To `watch` is to note what runs in it, of which the panels tell: otherwise it is executed once more for that.
        """
        if self.timeline.step >= MOST_STEPS or self.waits_for_person:
            return False
        if watch:
            return self._watched(self.timeline.forward)
        return self._moved(self._attempt(self.timeline.forward))

    def back(self) -> bool:
        """One step back; False at the beginning."""
        return self._moved(self._attempt(self.timeline.back))

    def seek(self, step: int) -> None:
        """Show the state after so many steps."""
        last = MOST_STEPS if self.is_automatic else self.timeline.branch.length
        self._attempt(lambda: self.timeline.seek(max(0, min(step, last))))
        self._moved(True)

    def seek_time(self, time: float, seconds: float = inf) -> bool:
        """Towards the state at `time`, working for about `seconds` of wall time. True when it is there."""
        stop = wall_clock() + seconds
        while True:
            before = self.timeline.step
            most = MOST_STEPS if self.is_automatic else self.timeline.branch.length
            budget = min(steps_of_slice(self.scenario.nodes), most - self.timeline.frontier)
            self._attempt(partial(self.timeline.seek_time, time, budget))
            self.ledger.keep_up()
            self._moved(True)
            upcoming = self.next_time
            if upcoming is None or upcoming > time or self.timeline.step in (before, MOST_STEPS):
                return True
            if wall_clock() >= stop:
                return False

    def recall(self, seconds: float) -> bool:
        """Execute again, for about so many seconds, what is forgotten of the branch; False if nothing is."""
        stop, before = wall_clock() + seconds, self.timeline.frontier
        while self._attempt(partial(self.timeline.recall, steps_of_slice(self.scenario.nodes))):
            self.ledger.keep_up()
            if wall_clock() >= stop:
                break
        return self._moved(self.timeline.frontier > before)

    def seek_notable(self, direction: int) -> bool:
        """To the nearest step before or after the present one in which somebody enters or something is done to the run.

        Forwards it executes new steps if need be, for a while. False if nothing was found.
        """
        found = self.ledger.notable(self.timeline.step, direction)
        if found is not None:
            self.seek(found + 1)
            return True
        if direction < 0:
            return False
        self.seek(self.timeline.frontier)
        stop = wall_clock() + PATIENCE
        while wall_clock() < stop and self.forward():
            if self.ledger.notable(self.timeline.step - 1, 1) is not None:
                return True
        return False

    # ---- acting --------------------------------------------------------------------------------------------

    def act(self, do: str, time: float | None = None, **fields: Any) -> None:
        """Do something of the table of faults, now or at `time` before the next step; in the past it opens a branch."""
        self._failure = None
        event = Event(max(self.now, time or 0.0), do, **fields)
        self._watched(lambda: self.timeline.act(event))

    def set_manual(self, person: bool) -> None:
        """From now on a person picks what happens next, or the clock does."""
        self.is_automatic = not person
        if person and not self.timeline.frontier:
            self._attempt(self.timeline.forward)  # the launch is nobody's choice
        self._moved(True)

    def go_to_branch(self, name: str) -> None:
        """Show another course of the run, at the present step or the last that both have; `recall` does the rest."""
        self._attempt(lambda: self.timeline.go_to(name))
        self._moved(True)

    def delete_branch(self, name: str) -> None:
        """Forget another course of the run; its parent is shown if it was."""
        self._attempt(lambda: self.timeline.delete(name))
        self._moved(True)

    def restore_branch(self) -> str | None:
        """Bring back the branch that was deleted, if nothing has been done since; its name."""
        name = self._attempt(self.timeline.restore)
        self._moved(bool(name))
        return name if isinstance(name, str) else None

    def rename_branch(self, name: str) -> None:
        """Give the present branch a name that no other has."""
        self.timeline.rename(name)
        self._failure = self._failure and (name, *self._failure[1:])
        self._moved(True)

    def undo(self) -> bool:
        """Take back the last thing done by hand; False if there is none."""
        self._failure = None  # what happens next is another run's future
        return self._moved(self._attempt(self.timeline.undo))

    def restart(self, seed: int | None = None) -> None:
        """A fresh run, under another seed if one is given."""
        self._begin(self.scenario if seed is None else replace(self.scenario, seed=seed), self.path)

    def choose_algorithm(self, name: str, variant: str | None = None) -> None:
        """A fresh run of another algorithm under what was asked of the present one."""
        self.open(with_algorithm(self.simulation, name, variant))

    def choose_nodes(self, nodes: int) -> None:
        """A fresh run with so many nodes; what the scenario says about nodes that are gone is dropped."""
        kept = among(self.scenario, range(min(nodes, self.scenario.nodes)))
        self.open(replace(kept, nodes=nodes, edges=None, title=""))

    def change_load(self, load: Load, time: float) -> None:
        """From now on requests come as `load` says."""
        self.act("load", time, load=load)

    def _attempt(self, move: Callable[[], Moved]) -> Moved | bool:
        """Move, or look back; where the algorithm fails on the way, stay before that step and remember why."""
        try:
            with guard_timeline(self.timeline):
                return move()
        except BadInput as error:
            self._failure = (self.timeline.branch.name, self.timeline.step, error)
            self._moved(True)
            return False

    def _watched(self, move: Callable[[], object]) -> bool:
        """Move one step on, and note what runs in it, of which the panels tell."""
        from algorithms.engine.line_trace import execution_in  # the first frame does without

        before = self.timeline.step
        ran = self._attempt(partial(execution_in, self.timeline, move))
        moved = self._moved(self.timeline.step > before)
        if moved and not isinstance(ran, bool):
            self._note(ran)
        return moved

    def _moved(self, whether: bool) -> bool:
        if whether:
            self.revision += 1
            self._sentence = None
        return whether


_USUAL_RATE = 0.1  # of requests per node, where what was shown before had none
_USUAL_LOAD = 0.5  # of those who enter of their own accord, likewise


def with_algorithm(run: Simulation, name: str, variant: str | None = None) -> Scenario:
    """Another algorithm with as many nodes, the same seed, load and network as that run.

    A rewriting system has fewer nodes and no load. Processes that enter of their own accord have none either:
    they ask for as much of the critical section as was asked for before.
    """
    scenario, load, other = run.scenario, run.scenario.load, catalog.find(name)
    if system_of(other):
        scenario, load = among(scenario, range(min(scenario.nodes, MOST_NODES_IN_TERM))), Load()
    elif other.paced_by:
        load = Load()
    elif system_of(run.algorithm) or run.algorithm.paced_by:
        load = Poisson(rate=_USUAL_RATE)
    kept = replace(
        scenario, algorithm=name, variant=variant, title="", load=load, parameters={}, topology=None, edges=None
    )
    if other.paced_by:
        return at_load(kept, catalog.simulation(kept), offered_load(run) or _USUAL_LOAD)
    return kept
