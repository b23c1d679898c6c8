"""Another algorithm under the same scenario, and the first step in which the two do something different."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from algorithms.authoring.failures import Failure
from algorithms.engine.events import DELIVER, KIND, LAUNCH, MESSAGE, NODE, SENDER, TIME, Record
from algorithms.engine.scenario import Scenario
from lessons.asking import copies


def rival_of(scenario: Scenario, rule: str, name: str) -> Scenario:
    """The same scenario under a variant of its algorithm, or under another algorithm."""
    if rule == "variant":
        return replace(scenario, variant=name)
    planned = tuple(event for event in scenario.events if event.type is None and event.timer is None)
    return replace(scenario, algorithm=name, variant=None, parameters={}, events=planned)


class Parting(NamedTuple):
    """The first step, counted from 1, with another effect. Up to it both runs are the same, step by step."""

    step: int
    time: float


def parting_of(scenario: Scenario, rival: Scenario) -> Parting | None:
    """The step at which two runs part; None if they do the same until the scenario ends."""
    one, other = _Effects(scenario), _Effects(rival)
    while True:
        mine, theirs = one.following(), other.following()
        if mine is None and theirs is None:
            return None
        if mine is None or theirs is None or mine != theirs:
            going = [effects for effects in (one, other) if effects.is_going]
            first = min(going, key=lambda effects: effects.step)
            return Parting(first.step, first.time)


class _Effects:
    """The effects of a run, step by step, without those that change nothing that can be seen."""

    def __init__(self, scenario: Scenario) -> None:
        self._run = copies.start(scenario)
        self.is_going = True
        self.time = 0.0

    @property
    def step(self) -> int:
        return self._run.step

    def following(self) -> tuple[Any, ...] | None:
        """The effects of the next step that has some; None at the end."""
        while self.is_going:
            try:
                self.is_going = copies.forward(self._run)
            except Failure:
                self.is_going = False
            if not self.is_going:
                return None
            records = self._run.trace.step(self._run.step - 1)
            self.time = float(records[0][TIME])
            effects = tuple(sorted((_plain(record) for record in records[1:]), key=repr))
            if effects and records[0][KIND] != LAUNCH:
                return (self.time, *effects)
        return None


def _plain(record: Record) -> tuple[Any, ...]:
    """An effect without times and serial numbers."""
    if record[KIND] == DELIVER:
        return (DELIVER, record[SENDER], record[NODE], repr(record[MESSAGE]))
    return (record[KIND], record[NODE], *map(repr, record[4:]))
