"""A term rewriting system as a process.

It applies one rule in each unit of time. The application is drawn at random. The intervention `pick` replaces the
random number, and with it the application. So a reduction is a run like any other, with seeking, branches and saved
files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from algorithms.engine.process import Algorithm, Parameter, Process, Variant
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.reductions import Limits, Step, steps_from
from algorithms.engine.rewrite.rewriting import State, System
from algorithms.engine.scenario import Event, Scenario

TIMER = "apply"
INTERVAL = 1.0  # time from one rule to the next
LIMITS = ("requests", "history", "messages")  # the parameters
SMALL = {"requests": 1, "history": 2, "messages": 2}  # limits within which all states can be explored


class Rewriter(Process):
    """Carries the term of a system and applies its rules."""

    system: System
    requests = Parameter(2, "how many data each node has to send", low=0)
    history = Parameter(10, "how many events a history may have", low=1)
    messages = Parameter(0, "how many messages there may be at a time, or 0 for any number", low=0)

    def setup(self) -> None:
        if self.id == CARRIER:
            self.term = self.system.initial(self.size)  # the whole system

    def launch(self) -> None:
        self._schedule()

    def on_apply(self) -> None:
        step = self.random.choice(self.choices())
        self.term = step.after
        self._host.applied(step.node, step.application.rule.number, step.application.bindings, step.after)
        self._schedule()

    def demand(self, resource: int = 0) -> None:
        """Do nothing: a rule of the system gives a node something to send."""

    def choices(self) -> tuple[Step, ...]:
        """All applications of rules to the present term, in the order of the rules."""
        limits = Limits(self.size, self.requests, self.history, self.messages or None)  # type: ignore[arg-type]
        return applicable_steps(self.system, self.term, limits)

    def _schedule(self) -> None:
        if self.id == CARRIER and self.choices():
            self.set_timer(TIMER, INTERVAL)


@lru_cache(maxsize=256)
def applicable_steps(system: System, state: State, limits: Limits) -> tuple[Step, ...]:
    """All applications of rules to a state."""
    return tuple(steps_from(system, state, limits))


def pick(place: int, choices: int) -> Event:
    """The intervention that makes one of the possible choices, at `place` counted from 0."""
    return Event(0.0, "fire", node=CARRIER, timer=TIMER, draws=((place + 0.5) / choices,))


def with_steps(scenario: Scenario, system: System, steps: Sequence[Step], times: Sequence[float]) -> Scenario:
    """The scenario with these steps as interventions, after which no rule is applied."""
    limits = limits_of(scenario)
    events = []
    for k, (step, time) in enumerate(zip(steps, times, strict=True)):
        possible = applicable_steps(system, step.before, limits)
        place = next(place for place, choice in enumerate(possible) if choice.after == step.after)
        events.append(replace(pick(place, len(possible)), at=time, step=k + 1, by_hand=True))
    stop = Event(max(times, default=0.0), "pause", node=CARRIER, step=len(events) + 1, by_hand=True)
    return replace(scenario, events=(*events, stop))


def limits_of(scenario: Scenario) -> Limits:
    """The limits that the scenario's parameters set."""
    values = {name: scenario.parameters.get(name, getattr(Rewriter, name).default) for name in LIMITS}
    return Limits(scenario.nodes, values["requests"], values["history"], values["messages"] or None)


# ---- for the catalogue -------------------------------------------------------------------------------------


def algorithm_of(
    process: type[Rewriter], summary: str, explanation: str = "", symbols: Mapping[str, str] | None = None
) -> Algorithm:
    """The catalogue's entry of a system.

    It has the repaired rules; the printed and the named ones are variants.
    """
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
        explanation=explanation,
        symbols=symbols or {},
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
        numbers = f"rule{'s' * (len(rules) > 1)} {', '.join(rule.number for rule in rules)}"
        yield name, Variant(_with(process, system.variant(name)), f"Uses {numbers} instead of its own.")
    for rule in system.rules:
        if rule.printed:
            printed = _with(process, system.as_printed(rule.number))
            yield f"printed-{rule.number}", Variant(printed, f"Rule {rule.number} as printed. {rule.why}")


def _with(process: type[Rewriter], system: System) -> type[Rewriter]:
    """The process with another system's rules."""
    return type(process.__name__, (process,), {"system": system, "__module__": process.__module__})
