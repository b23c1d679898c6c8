"""All states that a term rewriting system reaches within bounds, and whether one system refines another.

    reached = reach(SYSTEM, Limits(nodes=2, requests=1, history=3))
    reached.first(lambda state: not SYSTEM.prefix_property(state))

Breadth first: the way on which a state was first reached is a shortest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from algorithms.engine.rewrite.rewriting import Application, Rule, State, System, World

MOST_STATES = 100_000


@dataclass(frozen=True)
class Limits:
    """What keeps an exploration finite: so many nodes, data of each node, events in a history, messages at a time."""

    nodes: int
    requests: int
    history: int
    messages: int | None = None  # in I and O together; None: any number
    states: int = MOST_STATES


class Step(NamedTuple):
    """One application of a rule, from a state to the next."""

    before: State
    application: Application

    @property
    def after(self) -> State:
        return self.application.after

    @property
    def node(self) -> int:
        return self.application.node


@dataclass(frozen=True)
class Reached:
    """The states reached, each with the step that first led there (None for the initial one), in that order."""

    system: System
    limits: Limits
    states: Mapping[State, Step | None]
    complete: bool  # whether there are no others within the limits

    def first(self, wanted: Callable[[State], bool]) -> State | None:
        """The first such state; None if there is none."""
        return next((state for state in self.states if wanted(state)), None)

    def reduction(self, state: State) -> list[Step]:
        """A shortest way from the initial state to this one."""
        steps = []
        while (step := self.states[state]) is not None:
            steps.append(step)
            state = step.before
        return steps[::-1]

    def steps(self) -> Iterator[Step]:
        """Every step between two of the states."""
        for state in self.states:
            for step in steps_from(self.system, state, self.limits):
                if step.after in self.states:
                    yield step


def reach(system: System, limits: Limits, until: Callable[[State], bool] = lambda state: False) -> Reached:
    """Explore the system from its initial state, as far as the limits allow, or until such a state is found."""
    initial = system.initial(limits.nodes)
    states: dict[State, Step | None] = {initial: None}
    waiting = [initial]
    for state in waiting:
        if len(states) >= limits.states:
            return Reached(system, limits, states, complete=False)
        for step in steps_from(system, state, limits):
            if step.after not in states:
                states[step.after] = step
                if until(step.after):
                    return Reached(system, limits, states, complete=False)
                waiting.append(step.after)
    return Reached(system, limits, states, complete=True)


def steps_from(system: System, state: State, limits: Limits) -> Iterator[Step]:
    """The steps from a state that stay within the limits."""
    for application in system.successors(state, limits.nodes, limits.requests):
        if _within(system, application.after, limits):
            yield Step(state, application)


def _within(system: System, state: State, limits: Limits) -> bool:
    if max(map(len, system.histories(state)), default=0) > limits.history:
        return False
    bags = (part for name, part in zip(system.components, state, strict=True) if name in ("I", "O"))
    return limits.messages is None or sum(map(len, bags)) <= limits.messages


class Reduction:
    """A reduction that is made step by step: which rules apply, apply one, take it back."""

    def __init__(self, system: System, limits: Limits) -> None:
        self.system = system
        self.limits = limits
        self.steps: list[Step] = []

    @property
    def state(self) -> State:
        """The term as it is now."""
        return self.steps[-1].after if self.steps else self.system.initial(self.limits.nodes)

    def choices(self) -> list[Step]:
        """Every way in which a rule applies now."""
        return list(steps_from(self.system, self.state, self.limits))

    def take(self, step: Step) -> None:
        """Apply a rule in one of these ways."""
        self.steps.append(step)

    def back(self) -> Step:
        """Take the last step back."""
        return self.steps.pop()


@dataclass(frozen=True)
class Refinement:
    """One system refines another: each of its steps, mapped, is a sequence of steps of the other, or nothing.

    `by` says for the number of a rule by which rules of the other system, one after the other; or by which else.
    """

    name: str  # what the paper calls the claim
    concrete: System
    abstract: System
    mapping: Callable[[State], State]
    by: Mapping[str, tuple[tuple[str, ...], ...]]

    def unexplained(self, reached: Reached) -> Step | None:
        """The first step of the concrete system that the abstract one cannot follow; None if it can follow all."""
        explained: set[tuple[State, State, str]] = set()
        for step in reached.steps():
            mapped = (self.mapping(step.before), self.mapping(step.after), step.application.rule.number)
            if mapped not in explained:
                if not self._explains(*mapped, reached.limits):
                    return step
                explained.add(mapped)
        return None

    def explanation(self, step: Step, limits: Limits) -> list[Step] | None:
        """The steps of the abstract system that this step comes to; None if it cannot follow."""
        return self._explanation(
            self.mapping(step.before), self.mapping(step.after), step.application.rule.number, limits
        )

    def _explains(self, before: State, after: State, rule: str, limits: Limits) -> bool:
        return self._explanation(before, after, rule, limits) is not None

    def _explanation(self, before: State, after: State, rule: str, limits: Limits) -> list[Step] | None:
        if before == after:
            return []
        ways = (way for numbers in self.by.get(rule, ()) for way in follow(self.abstract, before, numbers, limits))
        return next((way for way in ways if way[-1].after == after), None)


def follow(system: System, state: State, numbers: tuple[str, ...], limits: Limits) -> Iterator[list[Step]]:
    """The ways in which the rules with these numbers can be applied one after the other; there is at least one."""
    world = World(limits.nodes, limits.requests, state)
    for rule in system.rules:
        if rule.number == numbers[0]:
            for step in _distinct(rule, world):
                if len(numbers) == 1:
                    yield [step]
                else:
                    yield from ([step, *rest] for rest in follow(system, step.after, numbers[1:], limits))


def _distinct(rule: Rule, world: World) -> Iterator[Step]:
    """The steps that the rule allows; of those that come to the same, one."""
    found: dict[State, Step] = {}
    for bound in rule.matches(world):
        after = rule.apply(world, bound)
        found.setdefault(after, Step(world.state, Application(rule, tuple(sorted(bound.items())), after)))
    return iter(found.values())
