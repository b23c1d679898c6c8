"""The wandering token under random schedules: the checker cannot try them all, because the token uses the clock.

At every step any pending event may happen next: a message arrives, a stay ends, a timer expires, whatever its delay.
Nothing is lost and no process crashes. The properties that the two papers rely on must hold all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from algorithms import catalog
from algorithms.engine.events import DELIVER, ENTER, KIND, LEAVE, MESSAGE, NODE, SEQ, TIME, TIMER
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load
from tests.support.kit import for_each

NODES, DMIN = 4, 12.0
PARAMETERS = {
    "wandering-token-report": {"dmin": DMIN, "dmax": 3 * DMIN},
    "wandering-token-journal": {"dmin": DMIN, "gamma": NODES * DMIN},
}
WANDERING = sorted(PARAMETERS)
SEEDS = range(6)
STEPS = 1_500  # of each part of a run, with time-outs and without


class Schedule:
    """A run with randomly chosen steps, and its observed tokens and operations."""

    def __init__(self, name: str, variant: str | None, seed: int) -> None:
        self.dice = Random(f"{name} {variant} {seed}")
        scenario = Scenario(
            name, variant=variant, nodes=NODES, seed=seed, load=Load(), parameters=PARAMETERS[name], until=1e9
        )
        self.run: Simulation = catalog.simulation(scenario)
        self.run.run(steps=1)
        self.fold, self.counted = Fold(scenario, self.run.algorithm), Tokens(self.run.algorithm.token)
        self.fold.observe([self.counted])
        self.tokens: list[int] = []  # their number after each step
        self.starts: list[tuple[float, int, bool]] = []  # of operations: time, node, and whether with a new token

    def go_on(self, steps: int, time_outs: bool) -> None:
        """Take `steps` random steps, as long as there are any; without `time_outs` no token is generated."""
        for _ in range(steps):
            choices = [choice for choice in self.choices() if time_outs or choice.get("timer") != "timeout"]
            if not choices:
                break
            weights = [1 if choice.get("timer") == "timeout" else 5 for choice in choices]  # timeouts are rarer
            self.take(*self.dice.choices(choices, weights))

    def choices(self) -> Iterator[dict[str, object]]:
        """All possible next events."""
        for entry in self.run.queue.entries():
            if entry[KIND] == DELIVER:
                yield {"do": "deliver", "message": entry[SEQ]}
            elif entry[KIND] == LEAVE:
                yield {"do": "exit", "node": entry[NODE]}
        for node, timer in self.run.timers.due:
            yield {"do": "fire", "node": node, "timer": timer}

    def take(self, choice: dict[str, object]) -> None:
        run = self.run
        run.interventions = [Event(run.now + self.dice.expovariate(0.5), **choice, step=run.steps)]
        run.step()
        self.fold.advance(run.trace)
        self.tokens.append(self.counted.level.value)
        event, *effects = run.trace.step(run.steps - 1)
        generated = event[KIND] == TIMER and choice["timer"] == "timeout"
        self.starts += [(effect[TIME], effect[NODE], generated) for effect in effects if effect[KIND] == ENTER]

    def stamps(self) -> list[tuple[float, int]]:
        """The stamps of all tokens, held and in transit, in order."""
        flying = [e[MESSAGE] for e in self.run.queue.entries() if e[KIND] == DELIVER]
        held = [token for p in self.run.processes for token in (p.token, *p.waiting) if token is not None]
        return sorted(token.stamp for token in (*flying, *held))


def played(name: str, variant: str | None, seed: int) -> Schedule:
    schedule = Schedule(name, variant, seed)
    schedule.go_on(STEPS, time_outs=True)
    return schedule


class Journey(NamedTuple):
    """A run in three parts: with time-outs, without until one token is left, and without from then on."""

    tokens: list[int]  # their number after each step of the first part
    stamps: list[tuple[float, int]]  # of the tokens after the first part
    starts: list[tuple[float, int, bool]]  # of operations in the first part
    survivors: list[tuple[float, int]]  # the stamps of the tokens after the second part
    users: set[int]  # nodes that start an operation in the third part


@cache
def journey(name: str, seed: int) -> Journey:
    schedule = played(name, None, seed)
    tokens, stamps, starts = list(schedule.tokens), schedule.stamps(), list(schedule.starts)
    schedule.go_on(STEPS, time_outs=False)
    survivors, before = schedule.stamps(), len(schedule.starts)
    schedule.go_on(STEPS // 3, time_outs=False)
    return Journey(tokens, stamps, starts, survivors, {node for _, node, _ in schedule.starts[before:]})


@for_each(seed=SEEDS, name=WANDERING)
def test_the_oldest_token_is_never_removed(name, seed):
    run = journey(name, seed)
    assert max(run.tokens) > 3
    assert min(run.tokens) >= 1
    assert run.stamps[0] == (0.0, 0)  # the very first
    assert len(run.stamps) == run.tokens[-1]


@for_each(seed=SEEDS, name=WANDERING)
def test_without_further_timeouts_only_the_oldest_token_is_left(name, seed):
    run = journey(name, seed)
    assert run.survivors == [(0.0, 0)]
    assert run.users == set(range(NODES))


@for_each(seed=SEEDS, name=WANDERING)
def test_a_token_that_arrives_before_dmin_is_not_used(name, seed):
    last: dict[int, float] = {}
    for time, node, generated in journey(name, seed).starts:
        assert generated or node not in last or time - last[node] > DMIN
        last[node] = time


# ---- readings that do not have these properties --------------------------------------------------------------


def test_figure_2_as_printed_may_remove_the_oldest_token():
    assert any(played("wandering-token-report", "figure-2", seed).stamps()[:1] != [(0.0, 0)] for seed in SEEDS)


def test_without_removal_no_token_ends():
    schedule = played("wandering-token-report", "no-removal", 0)
    assert schedule.tokens == sorted(schedule.tokens)
    assert schedule.tokens[-1] > 20


def test_with_literal_timestamps_no_token_is_used_twice():
    schedule = played("wandering-token-report", "literal-timestamps", 0)
    schedule.go_on(STEPS, time_outs=False)
    before = len(schedule.starts)
    schedule.go_on(STEPS, time_outs=False)
    assert len(schedule.starts) - before < NODES
