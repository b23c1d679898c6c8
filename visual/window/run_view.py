"""One run in the window: its timeline, the results read from it, and the commands on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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
from algorithms.engine.scenario import Event, Marker, Scenario, restarting
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Load, Poisson
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.studies import steps_of_slice
from visual.scene.options import FLIGHT, MOST_DRAWN
from visual.window.subset import among

if TYPE_CHECKING:
    from algorithms.engine.check.moves import Move
    from algorithms.engine.observe.line_trace import Execution
    from visual.analysis.ledger import Ledger


Result = TypeVar("Result")

YOU_CHOOSE = "Pick the next event: press its number, or click a line or a message. Shift+J returns to automatic."
PAST_END = "Shift+End continues past the end."
BEFORE_FIRST_STEP = "Nothing has happened yet. Press play (Space) or step (→)."
MOST_STEPS = 300_000  # steps of one run in the window: more would fill the memory of a small machine
SEARCH_TIME = 0.03  # seconds of a search for something notable
MOST_EXECUTIONS = 50  # cached steps with the lines that ran in them


class Snapshot(NamedTuple):
    """A run that can be shown again as it was."""

    scenario: Scenario
    path: Path | None
    timeline: Timeline
    saved_interventions: tuple[Event, ...]  # those that a file holds
    ledger: Ledger | None = None


class RunView:
    """A view of one run. `revision` grows with every change of it."""

    def __init__(self, scenario: Scenario, path: Path | None = None) -> None:
        self.revision = 0
        self.is_automatic = True  # the earliest event happens next; otherwise a person picks it
        self.whose_choice = YOU_CHOOSE  # what is said while the run waits for that person
        self.is_continued = False  # past the scenario's end
        self.previous: Snapshot | None = None  # the run that a counter-example has replaced
        self._sentence: str | None = None  # about the last step, once it has been asked for
        self._reveals = True  # whether one sees what an algorithm would have done that a person has played
        self._known_end: tuple[object, ...] = ()  # the run, up to its end, as it was when that was reached
        self.gate: int | None = None  # the step beyond which the run does not go
        self.gate_words = ""  # why, in a sentence
        self.allowance: Mapping[str, int | None] | None = None  # kind of choice -> how often a challenge allows it
        self.due_timers: Callable[[], Collection[tuple[int, str | None]] | None] = lambda: None  # all that may expire
        self.note = ""  # its difference from the run beside it, in a few words
        self.open(scenario, path)

    def open(self, scenario: Scenario, path: Path | None = None) -> None:
        """Start a fresh run of the scenario. Raises BadInput if its algorithm is unknown."""
        self.is_automatic = True  # a manual scheduler was for the previous run
        self.allowance, self.due_timers = None, lambda: None
        self._begin(scenario, path)
        self.previous = None

    def _begin(self, scenario: Scenario, path: Path | None) -> None:
        if scenario.nodes > MOST_DRAWN:
            raise BadInput(f"expected at most {MOST_DRAWN:,} nodes in the window, got {scenario.nodes:,}")
        timeline, self.is_continued = catalog.timeline(scenario), False
        self._show(Snapshot(scenario, path, timeline, timeline.branch.interventions))

    def visit(self, example: Scenario) -> None:
        """Show the end of a counter-example's run; `leave_example` returns to the present one."""
        before = self.previous or Snapshot(
            self.scenario, self.path, self.timeline, self.saved_interventions, self._ledger
        )
        self._begin(example, None)
        self.previous = before
        self.seek_time(example.until)

    def leave_example(self) -> bool:
        """Return to the run before the counter-example; False if there is none."""
        if self.previous is None:
            return False
        self._show(self.previous)
        self.previous = None
        return True

    def _show(self, run: Snapshot) -> None:
        self.scenario, self.path, self.timeline, self.saved_interventions, self._ledger = run
        self.system = system_of(self.timeline.algorithm)  # of rewriting; None for any other algorithm
        self.cache = self._ledger.cache if self._ledger else RunCache(self.timeline.simulation)
        self._failure: tuple[str, int, BadInput] | None = None  # branch, step before it, and the error
        self._executions: dict[Moment, Execution] = {}  # moment -> the lines that ran right before it
        if not self.is_automatic and not self.timeline.frontier and self.gate != 0:  # the launch, and choices
            steps = (event.steps_before for event in self.saved_interventions)
            self._attempt(partial(self.timeline.seek, max(steps, default=0) + 1))
        self._count_move(True)

    # ---- reading -------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The algorithm's title and variant."""
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
        """The time of the next step; None if none happens by itself."""
        upcoming = self.simulation.next_time()
        if upcoming is None or upcoming > self.end or self.is_at_gate or self.failure or self.waits_for_person:
            return None
        return upcoming

    @property
    def end(self) -> float:
        """The time at which the run stops: the scenario's end, or a person's last intervention after it."""
        if self.is_continued or not self.is_automatic:
            return inf
        interventions = self.timeline.branch.interventions
        last = interventions[-1].at if interventions and interventions[-1].by_hand else 0.0
        return max(self.scenario.until, last)

    @property
    def has_ended(self) -> bool:
        """Whether the next event is beyond the end."""
        upcoming = self.simulation.next_time()
        return upcoming is not None and upcoming > self.end

    @property
    def is_at_gate(self) -> bool:
        """Whether a lesson keeps the run from going on."""
        return self.gate is not None and self.timeline.step >= self.gate

    @property
    def waits_for_person(self) -> bool:
        """Whether the run waits for a person to pick the next event."""
        timeline = self.timeline
        return not self.is_automatic and 0 < timeline.step == timeline.frontier and not timeline.forgotten

    @property
    def quiescence(self) -> str:
        """The reason why nothing happens by itself."""
        if self.is_at_gate:
            return self.gate_words
        from visual.narration.waiting import quiescence_sentence  # the first frame does without

        if self.has_ended and not self.failure:
            return f"The scenario ends at {self.end:g}. {PAST_END}"
        return self.failure or (self.whose_choice if self.waits_for_person else quiescence_sentence(self.simulation))

    @property
    def failure(self) -> str:
        """The error that stops the run here, in a sentence; "" if it can go on."""
        failing = self._failing
        return str(failing) if failing else ""

    @property
    def _failing(self) -> BadInput | None:
        """The error that stops the run here; a failed query of the present state counts too."""
        here = (self.timeline.branch.name, self.timeline.step)
        if self._failure and self._failure[:2] == here:
            return self._failure[2]
        unanswered = self.simulation.query_error
        if isinstance(unanswered, Failure) and unanswered.step == self.timeline.step:
            return unanswered
        return None

    @property
    def last_step(self) -> int:
        """The step beyond which the window does not go: its limit, or a lesson's gate."""
        return MOST_STEPS if self.gate is None else min(self.gate, MOST_STEPS)

    @property
    def reached(self) -> float:
        """The time of the last executed step of this branch."""
        trace = self.timeline.trace
        return float(trace.event(len(trace) - 1)[TIME]) if len(trace) else 0.0

    @property
    def is_end_known(self) -> bool:
        """Whether all steps up to the run's end have been executed."""
        timeline = self.timeline
        here = (timeline, timeline.branch.interventions, self.end, timeline.frontier)
        if timeline.step == timeline.frontier and timeline.step and self.next_time is None:
            self._known_end = here
        return self._known_end == here

    @property
    def horizon(self) -> float:
        """The right end of the timeline: the run's end; beyond the scenario's, doubled until it covers the branch."""
        end = max(self.scenario.until if self.end == inf else self.end, 1.0)
        while end < max(self.reached, self.timeline.branch.end):
            end *= 2
        return end

    @property
    def pace(self) -> float:
        """Units of time per second at speed 1x, slow enough to follow a message."""
        return self.flight / FLIGHT

    @property
    def flight(self) -> float:
        """A message's mean delay; 1 where messages take no time."""
        return self.scenario.network.flight

    @property
    def ledger(self) -> Ledger:
        """The counters and monitors along the run."""
        if self._ledger is None:
            from visual.analysis.ledger import Ledger  # the first frame does without

            self._ledger = Ledger(self.timeline, self.cache)
        return self._ledger

    @property
    def sentence(self) -> str:
        """The caption of the last step, or the reason why the run cannot go on."""
        if self._sentence is None and not self.failure:
            self._sentence = self._step_sentence(self.timeline.step)
        return self.failure or self._sentence or ""

    def _step_sentence(self, step: int) -> str:
        if step == 0:
            return BEFORE_FIRST_STEP
        from visual.narration.steps import step_sentence  # the first frame does without

        said = step_sentence(self.timeline, step - 1, self.execution, self._reveals)
        return " ".join([said, *(breach.caption() for breach in self.ledger.breaches)])

    @property
    def execution(self) -> Execution:
        """The lines that ran in the last step, or the line that fails.

        None for a step that a person decided, until what the algorithm would have done is revealed.
        """
        from algorithms.engine.observe.line_trace import ExecutedLine, Execution  # the first frame does without
        from visual.narration.steps import execution_of, played_event

        step, failing = self.timeline.step, self._failing
        if isinstance(failing, Failure) and failing.location:
            return Execution((ExecutedLine(*failing.location[:3]),))
        if not self._reveals and step and played_event(self.timeline, step - 1):
            return Execution()
        present = Moment(self.simulation)
        if present not in self._executions and step:
            self._remember(execution_of(self.timeline, step - 1))
        return self._executions.get(present, Execution())

    def _remember(self, ran: Execution) -> None:
        """Cache the lines of the last step, to which an undo returns."""
        self._executions[Moment(self.simulation)] = ran
        if len(self._executions) > MOST_EXECUTIONS:
            del self._executions[next(iter(self._executions))]

    def message(self, serial: int) -> Record | None:
        """The message in transit with that serial number."""
        return self.simulation.post.find(serial)

    # ---- moving --------------------------------------------------------------------------------------------

    def forward(self, watch: bool = False) -> bool:
        """Move one step forward; False at the end of the run, or of the steps that the window allows.

        With `watch`, trace its lines for the panels, which otherwise execute it once more for that.
        """
        if self.timeline.step >= self.last_step or self.waits_for_person or self.has_ended:
            return False
        if watch:
            return self._move_and_trace(self.timeline.forward)
        return self._count_move(self._attempt(self.timeline.forward))

    def back(self) -> bool:
        """Move one step back; False at the beginning."""
        return self._count_move(self._attempt(self.timeline.back))

    def seek(self, step: int) -> None:
        """Show the state after `step` steps."""
        last = self.last_step if self.is_automatic else self.timeline.branch.length
        self._attempt(lambda: self.timeline.seek(max(0, min(step, last))))
        self._count_move(True)

    def seek_time(self, time: float, seconds: float = inf) -> bool:
        """Move towards the state at `time`, or at the end, for about `seconds` of wall time; True on arrival."""
        stop, time = wall_clock() + seconds, min(time, self.end)
        while True:
            before = self.timeline.step
            most = self.last_step if self.is_automatic else self.timeline.branch.length
            budget = min(steps_of_slice(self.scenario.nodes), most - self.timeline.frontier)
            self._attempt(partial(self.timeline.seek_time, time, budget))
            self.ledger.keep_up()
            self._count_move(True)
            upcoming = self.next_time
            if upcoming is None or upcoming > time or self.timeline.step in (before, self.last_step):
                return True
            if wall_clock() >= stop:
                return False

    def recall(self, seconds: float) -> bool:
        """Execute forgotten steps of the branch again for about `seconds`; False if there are none."""
        stop, before = wall_clock() + seconds, self.timeline.frontier
        while self._attempt(partial(self.timeline.recall, steps_of_slice(self.scenario.nodes))):
            self.ledger.keep_up()
            if wall_clock() >= stop:
                break
        return self._count_move(self.timeline.frontier > before)

    def seek_notable(self, direction: int) -> bool:
        """Move to the nearest entry or intervention before (-1) or after (+1) the present step.

        Forwards it may execute new steps, for SEARCH_TIME. False if there is none.
        """
        notable = self.ledger.notable(self.timeline.step, direction)
        if notable is not None:
            self.seek(notable + 1)
            return True
        if direction < 0:
            return False
        self.seek(self.timeline.frontier)
        stop = wall_clock() + SEARCH_TIME
        while wall_clock() < stop and self.forward():
            if self.ledger.notable(self.timeline.step - 1, 1) is not None:
                return True
        return False

    # ---- acting --------------------------------------------------------------------------------------------

    def check_gate(self) -> None:
        """BadInput while the run must stay as it is: until a lesson's question is answered."""
        if self.gate is not None and self.gate_words:
            raise BadInput(self.gate_words)

    def act(self, do: str, time: float | None = None, **fields: Any) -> None:
        """Apply an intervention now, or at `time` before the next step; in the past it opens a branch."""
        self.check_gate()
        if not self.may(do, fields.get("node")):
            raise BadInput("The challenge does not allow that, or no more of it.")
        self._intervene(Event(max(self.now, time or 0.0), do, **fields))

    def reset(self, time: float, node: int) -> None:
        """Restart a node without memory before the next step: two interventions, and one move of a challenge."""
        if not self.may("reset"):
            raise BadInput("The challenge does not allow that, or no more of it.")
        for event in restarting(node, max(self.now, time)):
            self._intervene(event)

    def _intervene(self, event: Event) -> None:
        self._failure = None
        self._move_and_trace(lambda: self.timeline.act(event))

    def may(self, do: str, node: int | None = None) -> bool:
        """Whether a challenge still allows that kind of choice; without a challenge all are allowed.

        Requests are counted for each `node`, other choices in total.
        """
        if self.allowance is None:
            return True
        from lessons.tasks.challenges import may_move  # only in a challenge

        return may_move(self.allowance, self._moves(), do, node)

    def _moves(self) -> list[Move]:
        """The moves made by hand."""
        from algorithms.engine.check.run_moves import moves_of  # only in a challenge

        return moves_of(self.timeline)

    def mark(self, marker: Marker) -> None:
        """Add a marker to the run; saving keeps it in the file."""
        markers = sorted((*self.scenario.markers, marker), key=lambda marker: marker.at)
        self.scenario = replace(self.scenario, markers=tuple(markers))
        self.revision += 1

    def reveal(self, reveals: bool) -> None:
        """Let caption and source of a step that a person has decided say what the algorithm would have done, or not."""
        self._reveals = reveals
        self._count_move(True)

    def set_manual(self, is_manual: bool) -> None:
        """Let a person pick the next event from now on, or the clock."""
        self.is_automatic = not is_manual
        if is_manual and not self.timeline.frontier and self.gate != 0:
            self._attempt(self.timeline.forward)  # the launch is nobody's choice
        self._count_move(True)

    def go_to_branch(self, name: str) -> None:
        """Show another branch at the present step, or at the last common one; `recall` continues."""
        self._attempt(lambda: self.timeline.go_to(name))
        self._count_move(True)

    def delete_branch(self, name: str) -> None:
        """Delete a branch; its parent takes the place of the present one."""
        self._attempt(lambda: self.timeline.delete(name))
        self._count_move(True)

    def restore_branch(self) -> str | None:
        """Restore the branch deleted last, if nothing has been done since; its name."""
        name = self._attempt(self.timeline.restore)
        self._count_move(bool(name))
        return name if isinstance(name, str) else None

    def rename_branch(self, name: str) -> None:
        """Rename the present branch; the name must be free."""
        self.timeline.rename(name)
        self._failure = self._failure and (name, *self._failure[1:])
        self._count_move(True)

    def undo(self) -> bool:
        """Undo the last intervention made by hand; False if there is none."""
        self._failure = None  # what happens next is another run's future
        moves = self._moves() if self.allowance is not None else ()
        if moves and moves[-1].do == "reset":  # the recovery, and then the crash
            self._attempt(self.timeline.undo)
        return self._count_move(self._attempt(self.timeline.undo))

    def restart(self, seed: int | None = None) -> None:
        """Start the scenario again, optionally with another seed."""
        self._begin(self.scenario if seed is None else replace(self.scenario, seed=seed), self.path)

    def choose_algorithm(self, name: str, variant: str | None = None) -> None:
        """Start a fresh run of another algorithm under the same load and network."""
        self.open(with_algorithm(self.simulation, name, variant))

    def choose_nodes(self, nodes: int) -> None:
        """Start a fresh run with another number of nodes, without the events of removed ones."""
        common = among(self.scenario, range(min(nodes, self.scenario.nodes)))
        names = common.names if len(common.names) == nodes else ()
        self.open(replace(common, nodes=nodes, names=names, edges=None, title=""))

    def change_load(self, load: Load, time: float) -> None:
        """Let requests come by `load` from now on."""
        self.act("load", time, load=load)

    def _attempt(self, move: Callable[[], Result]) -> Result | bool:
        """Move; if the algorithm fails on the way, stay before that step and record the error."""
        try:
            with guard_timeline(self.timeline):
                return move()
        except BadInput as error:
            self._failure = (self.timeline.branch.name, self.timeline.step, error)
            self._count_move(True)
            return False

    def _move_and_trace(self, move: Callable[[], object]) -> bool:
        """Move one step, and trace its lines for the panels."""
        from algorithms.engine.observe.line_trace import execution_in  # the first frame does without

        before = self.timeline.step
        ran = self._attempt(partial(execution_in, self.timeline, move))
        has_moved = self._count_move(self.timeline.step > before)
        if has_moved and not isinstance(ran, bool):
            self._remember(ran)
        return has_moved

    def _count_move(self, has_moved: bool) -> bool:
        if has_moved:
            self.revision += 1
            self._sentence = None
        return has_moved


_USUAL_RATE = 0.1  # requests per node and unit of time, after an algorithm without requests
_USUAL_LOAD = 0.5  # offered load, likewise


def with_algorithm(run: Simulation, name: str, variant: str | None = None) -> Scenario:
    """The run's scenario for another algorithm: the same nodes, seed, load and network.

    A rewriting system has fewer nodes and no load. Nor has an algorithm that sets its own pace: its parameter is
    chosen to offer the same load.
    """
    scenario, load, other = run.scenario, run.scenario.load, catalog.find(name)
    if system_of(other):
        scenario, load = among(scenario, range(min(scenario.nodes, MOST_NODES_IN_TERM))), Load()
    elif other.paced_by:
        load = Load()
    elif system_of(run.algorithm) or run.algorithm.paced_by:
        load = Poisson(rate=_USUAL_RATE)
    adapted = replace(
        scenario, algorithm=name, variant=variant, title="", load=load, parameters={}, topology=None, edges=None
    )
    if other.paced_by:
        return at_load(adapted, catalog.simulation(adapted), offered_load(run) or _USUAL_LOAD)
    return adapted
