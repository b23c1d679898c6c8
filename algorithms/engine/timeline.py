"""Time travel: checkpoints and re-execution, seek, step back, branches, undo. Knows no algorithm.

A timeline is at one step of one branch of a run. The branch's trace ends at its frontier, the last step ever executed;
going back restores a checkpoint and re-executes from there. An intervention in the past opens a new branch, and the
old future remains as a named branch.

Only the current branch has a trace. After a switch to another branch its future is unknown at first; `recall`
re-executes it, a number of steps at a time, while the present is on screen.

Re-executed steps are compared with the trace. An algorithm that uses Python's own `random`, or a clock, is reported,
and the run continues from a state that agrees with the trace: whatever a step raises, no timeline is left between two
states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TypeVar

from algorithms.engine.branches import Branch, DeletedBranch, first_difference
from algorithms.engine.checkpoint import Checkpoint, restore, save
from algorithms.engine.errors import SAME_EACH_TIME, Endless, Misuse
from algorithms.engine.faults import CHOICES
from algorithms.engine.gc_pause import NO_COLLECTION
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.trace import Trace, are_alike

EVERY = 400  # steps between two checkpoints
FAR = 20  # re-executed steps that are worth a checkpoint at their end: users who look back there often do so again

Found = TypeVar("Found")


class WentDifferently(Misuse):
    """A step, counted from 0, gave a different result when it was re-executed."""

    def __init__(self, step: int) -> None:
        super().__init__(f"step {step + 1} went differently when it was executed again; {SAME_EACH_TIME}")


class Timeline:
    """A run that can be inspected, and intervened in, at any of its steps.

    `simulation` is the state at the current `step`; `trace` holds the steps of the current branch up to its
    frontier, `len(trace)`. A step counter of k means that k steps have been executed.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm, every: int = EVERY) -> None:
        self.scenario = scenario
        self.algorithm = algorithm.of(scenario.variant)
        self.every = every
        interventions = scenario.interventions()
        self.simulation = Simulation(scenario, algorithm, interventions)
        self.branches = {"main": Branch("main", interventions)}
        self.branch = self.branches["main"]
        self._deleted: list[DeletedBranch] = []
        self._intervention_count = 0  # interventions by hand, without those undone
        self.branch.checkpoints.append(save(self.simulation))

    @property
    def trace(self) -> Trace:
        """All steps of the current branch up to its frontier."""
        return self.simulation.trace

    @property
    def step(self) -> int:
        """The number of steps before the current state."""
        return self.simulation.steps

    @property
    def frontier(self) -> int:
        """The number of steps of the current branch in the trace."""
        return len(self.trace)

    @property
    def forgotten(self) -> int:
        """The number of steps beyond the frontier that were executed before; `recall` re-executes them."""
        return max(0, self.branch.length - self.frontier)

    @property
    def names(self) -> set[str]:
        """The names of all branches, including deleted ones that may be restored."""
        return {*self.branches, *(deleted.branch.name for deleted in self._deleted)}

    # ---- seeking -------------------------------------------------------------------------------------------

    def forward(self) -> bool:
        """Go one step forward; False if the run is over."""
        before = self.step
        self.seek(before + 1)
        return self.step > before

    def back(self) -> bool:
        """Go one step back; False at the beginning."""
        if self.step == 0:
            return False
        self.seek(self.step - 1)
        return True

    def seek(self, step: int) -> None:
        """Go to the state after `step` steps, or to the end of the run."""
        with NO_COLLECTION:
            self._seek(step)

    def _seek(self, step: int) -> None:
        self._run_again(min(step, self.frontier))
        if step > self.step:
            self._run_on(step, inf)

    def seek_time(self, time: float, budget: float = inf) -> None:
        """Go to the state at `time`, after all steps at or before it; execute at most `budget` new ones."""
        behind = self.trace.steps_until(time)
        if behind < self.frontier:
            self.seek(behind)
        else:
            self.seek(self.frontier)
            self._run_on(self.frontier + budget, time)

    def look_back(self, step: int, look: Callable[[], Found]) -> Found:
        """The result of `look` at a step in the trace; the timeline returns to the current step in any case.

        WentDifferently or Misuse if that step cannot be re-executed.
        """
        present, frontier = save(self.simulation, self.branch.nearest(self.step)), self.frontier
        try:
            self._execute_again(step)
            return look()
        finally:
            self.trace.truncate(frontier)
            restore(self.simulation, present)

    def repeat(self) -> None:
        """Re-execute the next step of the trace, while looking back."""
        self._execute_again(self.step + 1)

    # ---- intervening and branches --------------------------------------------------------------------------

    def act(self, event: Event) -> None:
        """Intervene now. In the past this opens a branch; the old future stays under its name."""
        intervention = replace(event, step=self.step, at=max(event.at, self.simulation.now), by_hand=True)
        earlier = tuple(e for e in self.branch.interventions if e.steps_before < self.step)
        if self.step < self.branch.length or len(earlier) < len(self.branch.interventions):
            self._fork((*earlier, intervention))
        else:
            self._set_interventions((*earlier, intervention))
        self._intervention_count += 1
        if intervention.do in CHOICES:  # whoever picks each step looks at its lines each time
            self.branch.visited = save(self.simulation, self.branch.nearest(self.step))
        self._run_on(self.step + 1, inf)

    def undo(self) -> bool:
        """Undo the latest intervention by hand, and go to the moment before it.

        If that moment is beyond the frontier, go to the frontier. False if there is nothing to undo.
        """
        if not any(e.by_hand for e in self.branch.interventions):
            return False
        last = max(i for i, e in enumerate(self.branch.interventions) if e.by_hand)
        intervention = self.branch.interventions[last]
        step = intervention.steps_before
        self.seek(min(step, self.frontier))
        parent = self.branches.get(self.branch.parent or "")
        if parent is not None and self.branch.fork == step:
            self.go_to(parent.name)
        else:
            self.trace.truncate(step)
            self.branch.cut(step, min(intervention.at, self.branch.end))
            self._set_interventions(self.branch.interventions[:last])
        self._intervention_count -= 1
        return True

    def go_to(self, name: str) -> None:
        """Switch to a branch, at the current step or the last common one. KeyError if it is unknown.

        Its steps beyond the common ones are not in the trace until `recall` re-executes them.
        """
        branch = self.branches[name]
        if branch is self.branch:
            return
        common = self._common_steps(branch)
        self.seek(min(self.step, common))
        self.trace.truncate(common)
        self.branch = branch
        self._set_interventions(branch.interventions)

    def recall(self, steps: int) -> bool:
        """Re-execute up to `steps` forgotten steps, and return to the current one; False if there are none."""
        goal = min(self.frontier + steps, self.branch.length)
        if goal <= self.frontier:
            return False
        present = save(self.simulation)
        try:
            self._run_again(self.frontier)
            self._run_on(goal, inf)
        except BaseException:
            self.seek(min(present.steps, self.frontier))
            raise
        self.branch.visited = save(self.simulation, present)  # where the next call begins
        restore(self.simulation, present)
        return True

    def rename(self, name: str) -> None:
        """Rename the current branch. ValueError if the name is taken."""
        if name in self.names:
            raise ValueError(f"there is a branch {name!r} already")
        before = self.branch.name
        for branch in (*self.branches.values(), *(deleted.branch for deleted in self._deleted)):
            if branch.parent == before:
                branch.parent = name
        self.branch.name = name
        self.branches = {branch.name: branch for branch in self.branches.values()}

    def delete(self, name: str) -> None:
        """Delete a branch, which can be restored. Its parent takes its children, and its place if it is current.

        ValueError if it is the root of all branches.
        """
        branch = self.branches[name]
        if branch.parent is None:
            raise ValueError(f"the others leave {name!r}")
        was_current = branch is self.branch
        if was_current:
            self.go_to(branch.parent)
        children = [child for child in self.branches.values() if child.parent == name]
        forks = [(child, child.fork) for child in children]
        self._deleted.append(DeletedBranch(branch, forks, was_current, self._intervention_count))
        del self.branches[name]
        for child in children:
            child.parent, child.fork = branch.parent, min(child.fork, branch.fork)

    def restore(self) -> str | None:
        """Restore the branch deleted last, unless interventions followed; its name, otherwise None."""
        if not self._deleted or self._deleted[-1].interventions < self._intervention_count:
            return None
        deleted = self._deleted.pop()
        branch = deleted.branch
        self.branches[branch.name] = branch
        for child, fork in deleted.children:
            child.parent, child.fork = branch.name, fork
        if deleted.was_current:
            self.go_to(branch.name)
        return branch.name

    # ---- within --------------------------------------------------------------------------------------------

    def _run_again(self, step: int) -> None:
        """Go to a step in the trace; on an error, fall back to a state that agrees with the trace."""
        try:
            self._execute_again(step)
        except WentDifferently:
            self._fall_back(step)
            raise
        except BaseException:
            self._fall_back(self.step - 1)
            raise

    def _execute_again(self, step: int) -> None:
        """Go to a step in the trace, from here or the nearest checkpoint.

        The step after the current one is always executed: a caller may be tracing it. The trace grows meanwhile, and is
        truncated again.
        """
        if self.step == step:
            return
        nearest = self.branch.nearest(step)
        if not min(nearest.steps, step - 1) <= self.step <= step:
            restore(self.simulation, nearest)
        first, frontier = self.step, self.frontier
        if first == step:
            return
        try:
            self._repeat_steps(step)
            self._compare(first, step, frontier)
        finally:
            self.trace.truncate(frontier)
        if step - first > FAR:
            self.branch.visited = save(self.simulation, nearest)

    def _repeat_steps(self, step: int) -> None:
        try:
            self.simulation.run(steps=step)
        except (Misuse, Endless, KeyboardInterrupt):
            raise
        except BaseException as error:  # a failure that did not occur before
            raise WentDifferently(self.step - 1) from error

    def _compare(self, first: int, step: int, frontier: int) -> None:
        """Raise WentDifferently if the re-executed steps from `first` to `step` differ from the trace.

        They stand in the trace beyond the frontier.
        """
        trace, beyond = self.trace, frontier - first
        if self.step == step and trace.records_of(first, step) == trace.records_of(frontier, step + beyond):
            return
        for k in range(first, step):
            if k == self.step or not are_alike(trace.step(k), trace.step(k + beyond)):
                raise WentDifferently(k)

    def _fall_back(self, step: int) -> None:
        """After an error, go to the state after `step` steps and forget the rest.

        If those steps now give a different result, the run continues from that.
        """
        step = max(0, step)
        nearest = self.branch.nearest(step)
        self.trace.truncate(step)
        restore(self.simulation, nearest)
        try:
            self._execute_again(step)
        except BaseException:
            self._start_over(nearest)
            try:
                self.simulation.run(steps=step)
            except BaseException:
                self._start_over(nearest)
        self.branch.cut(self.step, self.simulation.now)

    def _start_over(self, checkpoint: Checkpoint) -> None:
        """Go to a checkpoint, and invalidate all later ones on all branches."""
        restore(self.simulation, checkpoint)
        self.trace.truncate(checkpoint.steps)
        for branch in (*self.branches.values(), *(deleted.branch for deleted in self._deleted)):
            branch.cut_checkpoints(checkpoint.steps)

    def _run_on(self, step: float, time: float) -> None:
        """Execute new steps up to `step` and `time`, saving checkpoints."""
        checkpoints = self.branch.checkpoints
        while self.step < step:
            goal = min(step, max(checkpoints[-1].steps, self.step) + self.every)
            try:
                self.simulation.run(until=time, steps=goal)
                if self.step >= checkpoints[-1].steps + self.every:
                    checkpoints.append(save(self.simulation, checkpoints[-1]))
            except BaseException:
                self._fall_back(self.step - 1)
                raise
            if self.step < goal:
                break
        if self.frontier >= self.branch.length:
            self.branch.length, self.branch.end = self.frontier, self.simulation.now

    def _fork(self, interventions: tuple[Event, ...]) -> None:
        past = self.step
        checkpoints = [saved for saved in self.branch.checkpoints if saved.steps <= past]
        name = self._new_name()
        self.branches[name] = Branch(
            name, interventions, self.branch.name, past, past, self.simulation.now, checkpoints
        )
        self.branch = self.branches[name]
        self.trace.truncate(past)
        self._set_interventions(interventions)

    def _set_interventions(self, interventions: tuple[Event, ...]) -> None:
        self.branch.interventions = interventions
        self.simulation.interventions = list(interventions)

    def _common_steps(self, other: Branch) -> int:
        """The number of first steps that the current branch and another have in common."""
        shorter = min(self.branch.length, other.length)
        return first_difference(self.branch.interventions, other.interventions, shorter)

    def _new_name(self) -> str:
        number, taken = 1, self.names
        while f"branch {number}" in taken:
            number += 1
        return f"branch {number}"
