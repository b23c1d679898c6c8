"""Checks an algorithm's own invariants after each step of a run."""

from __future__ import annotations

from algorithms.engine.observe.invariants import holds, in_transit
from algorithms.engine.observe.verdicts import Breach
from algorithms.engine.simulation import Simulation


class StateMonitor:
    """Checks an algorithm's own invariants after each step of a run."""

    def __init__(self, simulation: Simulation) -> None:
        self.first: dict[str, Breach] = {}  # name of each violated invariant -> its first breach
        self._run = simulation

    def check(self) -> list[Breach]:
        """The invariants violated in the current state. Crashed processes have none."""
        run = self._run
        up = [process for process in run.processes if not run.is_gone(process.id)]
        own = run.algorithm.invariants.items()
        failing = [name for name, invariant in own if not holds(invariant, up, lambda: in_transit(run))]
        breaches = [Breach(name, run.steps, run.now, f"{name} does not hold") for name in failing]
        for breach in breaches:
            self.first.setdefault(breach.monitor, breach)
        return breaches

    def run(self, steps: int) -> dict[str, Breach]:
        """Run up to `steps` steps in total, checking after each; returns `first`."""
        while self._run.steps < steps and self._run.step():
            self.check()
        return self.first
