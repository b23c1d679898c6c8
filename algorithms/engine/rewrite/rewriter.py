"""A term rewriting system as something that runs: one rule after the other, one in each unit of time.

Chance picks among all the ways in which a rule applies. Whoever wants another one loads the dice: `pick` is the
intervention that does. So a reduction is a run like any other, to be sought, branched, saved and opened again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from algorithms.engine.process import Algorithm, Parameter, Process, Variant
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.reductions import Limits, Step, steps_from
from algorithms.engine.rewrite.rewriting import State, System
from algorithms.engine.scenario import Event, Scenario

TIMER = "apply"
BEAT = 1.0  # units of time from one rule to the next
LIMITS = ("requests", "history", "messages")  # the parameters
SMALL = {"requests": 1, "history": 2, "messages": 2}  # limits within which all states can be looked at


class Rewriter(Process):
    """Carries the term of a system and applies its rules."""

    system: System
    requests = Parameter(2, "how many data each node has to send", low=0)
    history = Parameter(10, "how many events a history may have", low=1)
    messages = Parameter(0, "how many messages there may be at a time, or 0 for any number", low=0)

    def setup(self) -> None:
        if self.id == CARRIER:
            self.term = self.system.initial(self.size)  # all there is

    def launch(self) -> None:
        self._go_on()

    def on_apply(self) -> None:
        step = self.random.choice(self.choices())
        self.term = step.after
        self._host.applied(step.node, step.application.rule.number, step.application.bound, step.after)
        self._go_on()

    def demand(self, resource: int = 0) -> None:
        """Nothing: that a node has something to send is a rule, too."""

    def choices(self) -> tuple[Step, ...]:
        """Every way in which a rule applies now, in the order of the rules."""
        limits = Limits(self.size, self.requests, self.history, self.messages or None)  # type: ignore[arg-type]
        return ways(self.system, self.term, limits)

    def _go_on(self) -> None:
        if self.id == CARRIER and self.choices():
            self.set_timer(TIMER, BEAT)


@lru_cache(maxsize=256)
def ways(system: System, state: State, limits: Limits) -> tuple[Step, ...]:
    """Every way in which a rule applies to that state."""
    return tuple(steps_from(system, state, limits))


def pick(place: int, choices: int) -> Event:
    """The intervention that applies a rule in the `place`-th of so many ways, counted from 0."""
    return Event(0.0, "fire", node=CARRIER, timer=TIMER, draws=((place + 0.5) / choices,))


def recorded(scenario: Scenario, system: System, steps: Sequence[Step], times: Sequence[float]) -> Scenario:
    """The run of these steps from the beginning, at these times, as interventions; after them no rule is applied."""
    limits = limits_of(scenario)
    events = []
    for k, (step, time) in enumerate(zip(steps, times, strict=True)):
        possible = ways(system, step.before, limits)
        place = next(p for p, way in enumerate(possible) if way.after == step.after)
        events.append(replace(pick(place, len(possible)), at=time, step=k + 1, by_hand=True))
    stop = Event(max(times, default=0.0), "pause", node=CARRIER, step=len(events) + 1, by_hand=True)
    return replace(scenario, events=(*events, stop))


def limits_of(scenario: Scenario) -> Limits:
    """The limits that the parameters of a scenario set."""
    values = {name: scenario.parameters.get(name, getattr(Rewriter, name).default) for name in LIMITS}
    return Limits(scenario.nodes, values["requests"], values["history"], values["messages"] or None)


# ---- for the catalogue -------------------------------------------------------------------------------------


def algorithm_of(process: type[Rewriter], summary: str) -> Algorithm:
    """What the catalogue has of a system: the rules as repaired, and as variants those printed and those named."""
    system = process.system
    return Algorithm(
        name=system.name,
        title=system.title,
        summary=summary,
        source=system.source,
        process=process,
        topology="ring",
        assumes=(),
        invariants={"prefix property": _prefixes, **({"one token": _one_token} if system.tokens else {})},
        promises=(),
        variants=dict(_variants(process)),
    )


def _prefixes(processes: list[Rewriter]) -> bool:
    """Whether every history is a prefix of the longest one."""
    carrier = processes[CARRIER]
    return carrier.system.prefix_property(carrier.term)


def _one_token(processes: list[Rewriter]) -> bool:
    """Whether there is exactly one token."""
    carrier = processes[CARRIER]
    return carrier.system.tokens is None or carrier.system.tokens(carrier.term) == 1


def _variants(process: type[Rewriter]) -> Iterator[tuple[str, Variant]]:
    system = process.system
    for name, rules in system.variants.items():
        numbers = ", ".join(rule.number for rule in rules)
        yield name, Variant(_with(process, system.variant(name)), f"Rules {numbers} in the place of its own.")
    for rule in system.rules:
        if rule.printed:
            printed = _with(process, system.as_printed(rule.number))
            yield f"printed-{rule.number}", Variant(printed, f"Rule {rule.number} as it is printed. {rule.why}")


def _with(process: type[Rewriter], system: System) -> type[Rewriter]:
    """The process with another system's rules."""
    return type(process.__name__, (process,), {"system": system, "__module__": process.__module__})
