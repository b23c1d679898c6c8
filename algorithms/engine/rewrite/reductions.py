"""The reachable states of a term rewriting system, and refinement between systems.

    reachable = reachable_states(SYSTEM, Limits(nodes=2, requests=1, history=3))
    reachable.first(lambda state: not SYSTEM.prefix_property(state))

The search is breadth first, so the reduction on which a state was first reached is a shortest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from algorithms.engine.rewrite.rewriting import Application, Rule, State, System, World

STATE_LIMIT = 100_000


@dataclass(frozen=True)
class Limits:
    """The limits that keep an exploration finite."""

    nodes: int
    requests: int  # data of each node
    history: int  # events in a history
    messages: int | None = None  # at a time, in I and O together; None: any number
    states: int = STATE_LIMIT


class Step(NamedTuple):
    """One application of a rule, from one state to the next."""

    before: State
    application: Application

    @property
    def after(self) -> State:
        return self.application.after

    @property
    def node(self) -> int:
        return self.application.node


@dataclass(frozen=True)
class ReachableStates:
    """The states of a system, in the order of the search.

    Each has the step that first led there. The initial state has None in place of a step.
    """

    system: System
    limits: Limits
    states: Mapping[State, Step | None]
    is_complete: bool  # there are no others within the limits

    def first(self, condition: Callable[[State], bool]) -> State | None:
        """The first state that satisfies the condition; None if no state does."""
        return next((state for state in self.states if condition(state)), None)

    def reduction(self, state: State) -> list[Step]:
        """A shortest reduction from the initial state to this one."""
        steps = []
        while (step := self.states[state]) is not None:
            steps.append(step)
            state = step.before
        return steps[::-1]

    def steps(self) -> Iterator[Step]:
        """All steps between two of the states."""
        for state in self.states:
            for step in steps_from(self.system, state, self.limits):
                if step.after in self.states:
                    yield step


def reachable_states(
    system: System, limits: Limits, until: Callable[[State], bool] = lambda state: False
) -> ReachableStates:
    """Explore the system from its initial state, or until a state satisfies a condition."""
    initial = system.initial(limits.nodes)
    states: dict[State, Step | None] = {initial: None}
    frontier = [initial]
    for state in frontier:
        if len(states) >= limits.states:
            return ReachableStates(system, limits, states, is_complete=False)
        for step in steps_from(system, state, limits):
            if step.after not in states:
                states[step.after] = step
                if until(step.after):
                    return ReachableStates(system, limits, states, is_complete=False)
                frontier.append(step.after)
    return ReachableStates(system, limits, states, is_complete=True)


def steps_from(system: System, state: State, limits: Limits) -> Iterator[Step]:
    """The steps from a state that stay within the limits."""
    for application in system.successors(state, limits.nodes, limits.requests):
        if _is_within(system, application.after, limits):
            yield Step(state, application)


def _is_within(system: System, state: State, limits: Limits) -> bool:
    if max(map(len, system.histories(state)), default=0) > limits.history:
        return False
    bags = (part for name, part in zip(system.components, state, strict=True) if name in ("I", "O"))
    return limits.messages is None or sum(map(len, bags)) <= limits.messages


class Reduction:
    """A reduction made step by step."""

    def __init__(self, system: System, limits: Limits) -> None:
        self.system = system
        self.limits = limits
        self.steps: list[Step] = []

    @property
    def state(self) -> State:
        """The present term."""
        return self.steps[-1].after if self.steps else self.system.initial(self.limits.nodes)

    def choices(self) -> list[Step]:
        """All applications of rules to the present term."""
        return list(steps_from(self.system, self.state, self.limits))

    def take(self, step: Step) -> None:
        """Make one of these steps."""
        self.steps.append(step)

    def back(self) -> Step:
        """Take back the last step."""
        return self.steps.pop()


@dataclass(frozen=True)
class Refinement:
    """A claim that one system refines another.

    Each step of the concrete system maps to a sequence of steps of the abstract one, or to none. `by` has, for the
    number of a rule, the alternatives: sequences of numbers of rules of the other system.
    """

    name: str  # of the claim in the paper
    concrete: System
    abstract: System
    mapping: Callable[[State], State]
    by: Mapping[str, tuple[tuple[str, ...], ...]]

    def unexplained(self, reachable: ReachableStates) -> Step | None:
        """The first step of the concrete system that the abstract one cannot simulate; None if there is none."""
        explained: set[tuple[State, State, str]] = set()
        for step in reachable.steps():
            mapped = (self.mapping(step.before), self.mapping(step.after), step.application.rule.number)
            if mapped not in explained:
                if not self._explains(*mapped, reachable.limits):
                    return step
                explained.add(mapped)
        return None

    def explanation(self, step: Step, limits: Limits) -> list[Step] | None:
        """The steps of the abstract system that simulate this step; None if it cannot simulate it."""
        return self._explanation(
            self.mapping(step.before), self.mapping(step.after), step.application.rule.number, limits
        )

    def _explains(self, before: State, after: State, rule: str, limits: Limits) -> bool:
        return self._explanation(before, after, rule, limits) is not None

    def _explanation(self, before: State, after: State, rule: str, limits: Limits) -> list[Step] | None:
        if before == after:
            return []
        alternatives = self.by.get(rule, ())
        sequences = (steps for numbers in alternatives for steps in follow(self.abstract, before, numbers, limits))
        return next((steps for steps in sequences if steps[-1].after == after), None)


def follow(system: System, state: State, numbers: tuple[str, ...], limits: Limits) -> Iterator[list[Step]]:
    """All sequences of steps that apply the rules with these numbers, at least one, in order."""
    world = World(limits.nodes, limits.requests, state)
    for rule in system.rules:
        if rule.number == numbers[0]:
            for step in _distinct(rule, world):
                if len(numbers) == 1:
                    yield [step]
                else:
                    yield from ([step, *rest] for rest in follow(system, step.after, numbers[1:], limits))


def _distinct(rule: Rule, world: World) -> Iterator[Step]:
    """The steps that the rule allows, one for each state that they lead to."""
    steps: dict[State, Step] = {}
    for bindings in rule.matches(world):
        after = rule.apply(world, bindings)
        steps.setdefault(after, Step(world.state, Application(rule, tuple(sorted(bindings.items())), after)))
    return iter(steps.values())
