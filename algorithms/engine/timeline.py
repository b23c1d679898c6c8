"""Time travel: checkpoints and re-execution, seek, step back, branches, undo. Knows no algorithm.

A timeline shows one branch of a run at one step of it. The branch's trace reaches up to its frontier, the last
step ever executed; going back restores a checkpoint and executes again from there. Doing something in the past
opens a new branch, and the old future stays as a branch with a name.

Of the branches that are not shown no trace is kept. Back on one of them its future is unknown at first, and is
executed again a stretch at a time while the present is looked at: `recall`.

What is executed again is compared with what is known. An algorithm that has drawn from Python's own `random`, or looked
at a clock, is told so, and the run goes on from a state that agrees with the trace: whatever a step raises, no timeline
is left between two states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TypeVar

from algorithms.engine.branches import Branch, Deleted
from algorithms.engine.checkpoint import Saved, restore, save
from algorithms.engine.errors import SAME_EACH_TIME, Endless, Misuse
from algorithms.engine.gc_pause import NO_COLLECTION
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.trace import Trace, are_alike

EVERY = 400  # steps between two checkpoints
FAR = 20  # steps that are worth a checkpoint where they end: whoever looks back there often does so again

Found = TypeVar("Found")


class WentDifferently(Misuse):
    """A step, counted from 0, has come to something else when it was executed again."""

    def __init__(self, step: int) -> None:
        super().__init__(f"step {step + 1} went differently when it was executed again; {SAME_EACH_TIME}")


class Timeline:
    """A run that can be looked at, and acted in, at any of its steps.

    `simulation` is the state at the present `step`; `trace` the steps of the present branch up to its
    frontier, `len(trace)`. A step counter of k means that k steps have been executed.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm, every: int = EVERY) -> None:
        self.scenario = scenario
        self.algorithm = algorithm.of(scenario.variant)
        self.every = every
        events = sorted((e for e in scenario.events if e.step is not None), key=lambda e: e.step or 0)
        self.simulation = Simulation(scenario, algorithm, events)
        self.branches = {"main": Branch("main", tuple(events))}
        self.branch = self.branches["main"]
        self._deleted: list[Deleted] = []
        self._deeds = 0  # how many things have been done by hand and not been undone
        self.branch.checkpoints.append(save(self.simulation))

    @property
    def trace(self) -> Trace:
        """All steps of the present branch that have ever been executed."""
        return self.simulation.trace

    @property
    def step(self) -> int:
        """How many steps lie behind the state that is shown."""
        return self.simulation.steps

    @property
    def frontier(self) -> int:
        """How many steps of the present branch have been executed since it was gone to."""
        return len(self.trace)

    @property
    def forgotten(self) -> int:
        """How many steps beyond the frontier have been executed before: `recall` executes them again."""
        return max(0, self.branch.length - self.frontier)

    @property
    def names(self) -> set[str]:
        """The names of all branches, those included that were deleted and may come back."""
        return {*self.branches, *(deleted.branch.name for deleted in self._deleted)}

    # ---- going there ---------------------------------------------------------------------------------------

    def forward(self) -> bool:
        """One step on; False if nothing will ever happen again."""
        before = self.step
        self.seek(before + 1)
        return self.step > before

    def back(self) -> bool:
        """One step back; False at the beginning."""
        if self.step == 0:
            return False
        self.seek(self.step - 1)
        return True

    def seek(self, step: int) -> None:
        """Show the state after `step` steps, executing new ones if need be (fewer if the run ends)."""
        with NO_COLLECTION:
            self._seek(step)

    def _seek(self, step: int) -> None:
        self._run_again(min(step, self.frontier))
        if step > self.step:
            self._run_on(step, inf)

    def seek_time(self, time: float, budget: float = inf) -> None:
        """Show the state at `time`: after all steps at or before it, but execute no more than `budget` new ones."""
        behind = self.trace.steps_until(time)
        if behind < self.frontier:
            self.seek(behind)
        else:
            self.seek(self.frontier)
            self._run_on(self.frontier + budget, time)

    def look_back(self, step: int, look: Callable[[], Found]) -> Found:
        """What `look` finds at a step that the trace holds; the present stays, also where that step is not reached.

        WentDifferently, or Misuse, if it is not.
        """
        present, frontier = save(self.simulation, self.branch.nearest(self.step)), self.frontier
        try:
            self._execute_again(step)
            return look()
        finally:
            self.trace.truncate(frontier)
            restore(self.simulation, present)

    def repeat(self) -> None:
        """While looking back: execute one of the steps that the trace holds once more."""
        self._execute_again(self.step + 1)

    # ---- acting --------------------------------------------------------------------------------------------

    def act(self, event: Event) -> None:
        """Do something now. In the past this opens a branch; the old future stays under its name."""
        done = replace(event, step=self.step, at=max(event.at, self.simulation.now), by_hand=True)
        kept = tuple(e for e in self.branch.interventions if (e.step or 0) < self.step)
        if self.step < self.branch.length or len(kept) < len(self.branch.interventions):
            self._fork((*kept, done))
        else:
            self._set_interventions((*kept, done))
        self._deeds += 1
        self.branch.visited = save(self.simulation, self.branch.nearest(self.step))  # one looks at what the deed did
        self._run_on(self.step + 1, inf)

    def undo(self) -> bool:
        """Take back the latest thing done by hand on this branch, and show the moment before it.

        Where that moment has been forgotten, the last one before it that is known.
        """
        if not any(e.by_hand for e in self.branch.interventions):
            return False
        last = max(i for i, e in enumerate(self.branch.interventions) if e.by_hand)
        deed = self.branch.interventions[last]
        step = deed.step or 0
        self.seek(min(step, self.frontier))
        parent = self.branches.get(self.branch.parent or "")
        if parent is not None and self.branch.fork == step:
            self.go_to(parent.name)
        else:
            self.trace.truncate(step)
            self.branch.cut(step, min(deed.at, self.branch.end))
            self._set_interventions(self.branch.interventions[:last])
        self._deeds -= 1
        return True

    def go_to(self, name: str) -> None:
        """Show the branch of that name, at the present step or the last that both have. KeyError if there is none.

        What has been executed on it beyond the steps that both have is forgotten, and waits for `recall`.
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
        """Execute again up to so many of the steps that are forgotten; the present stays. False if there are none."""
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
        self.branch.visited = save(self.simulation, present)  # where the next stretch begins
        restore(self.simulation, present)
        return True

    def rename(self, name: str) -> None:
        """Give the present branch another name. ValueError if a branch has it already."""
        if name in self.names:
            raise ValueError(f"there is a branch {name!r} already")
        before = self.branch.name
        for branch in (*self.branches.values(), *(deleted.branch for deleted in self._deleted)):
            if branch.parent == before:
                branch.parent = name
        self.branch.name = name
        self.branches = {branch.name: branch for branch in self.branches.values()}

    def delete(self, name: str) -> None:
        """Forget a branch until it is restored. Its children are its parent's then, which is shown if the branch was.

        ValueError if it is the first of all, which the others leave.
        """
        branch = self.branches[name]
        if branch.parent is None:
            raise ValueError(f"the others leave {name!r}")
        was_shown = branch is self.branch
        if was_shown:
            self.go_to(branch.parent)
        children = [child for child in self.branches.values() if child.parent == name]
        self._deleted.append(Deleted(branch, [(child, child.fork) for child in children], was_shown, self._deeds))
        del self.branches[name]
        for child in children:
            child.parent, child.fork = branch.parent, min(child.fork, branch.fork)

    def restore(self) -> str | None:
        """Bring back the branch that was deleted, if that is what was done last: its name, otherwise None."""
        if not self._deleted or self._deleted[-1].deeds < self._deeds:
            return None
        deleted = self._deleted.pop()
        branch = deleted.branch
        self.branches[branch.name] = branch
        for child, fork in deleted.adopted:
            child.parent, child.fork = branch.name, fork
        if deleted.was_shown:
            self.go_to(branch.name)
        return branch.name

    # ---- within --------------------------------------------------------------------------------------------

    def _run_again(self, step: int) -> None:
        """Show a step that the trace holds already."""
        try:
            self._execute_again(step)
        except WentDifferently:
            self._fall_back(step)
            raise
        except BaseException:
            self._fall_back(self.step - 1)
            raise

    def _execute_again(self, step: int) -> None:
        """Come to a step that the trace holds already, from where we are or from the nearest checkpoint.

        The step right after the present one is always executed: somebody may be watching what runs in it. The trace
        grows meanwhile, and is cut back.
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
        except BaseException as error:  # it did not fail before
            raise WentDifferently(self.step - 1) from error

    def _compare(self, first: int, step: int, frontier: int) -> None:
        """WentDifferently if the steps from `first` to `step` are not those that the trace has beyond the frontier."""
        trace, beyond = self.trace, frontier - first
        if self.step == step and trace.records_of(first, step) == trace.records_of(frontier, step + beyond):
            return
        for k in range(first, step):
            if k == self.step or not are_alike(trace.step(k), trace.step(k + beyond)):
                raise WentDifferently(k)

    def _fall_back(self, step: int) -> None:
        """Something has failed: show the state after so many steps, and forget what was known beyond it.

        Where they come to something else when they are executed again, that is the course of the run from now on.
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

    def _start_over(self, saved: Saved) -> None:
        """Show a state that was kept; no branch relies any longer on what came after it."""
        restore(self.simulation, saved)
        self.trace.truncate(saved.steps)
        for branch in (*self.branches.values(), *(deleted.branch for deleted in self._deleted)):
            branch.cut_checkpoints(saved.steps)

    def _run_on(self, step: float, time: float) -> None:
        """Execute new steps up to `step` and `time`, leaving checkpoints."""
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
        """How many first steps the present branch and another have in common."""
        mine, theirs = self.branch.interventions, other.interventions
        shared = 0
        while shared < min(len(mine), len(theirs)) and mine[shared] == theirs[shared]:
            shared += 1
        next_ones = [e[shared].step or 0 for e in (mine, theirs) if shared < len(e)]
        return min([*next_ones, self.branch.length, other.length])

    def _new_name(self) -> str:
        number, taken = 1, self.names
        while f"branch {number}" in taken:
            number += 1
        return f"branch {number}"
