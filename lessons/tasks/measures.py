"""The measures of experiments and of questions: numbers read off the counters of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from algorithms.engine.events import CREATED, KIND
from algorithms.engine.observe.meters import Counters, Meters
from algorithms.engine.process import Algorithm
from algorithms.engine.timeline import Timeline

GENERATIONS = "generations"  # of tokens
Measure = Callable[[Counters], float | None]


def _share_of(levels: Mapping[int, float] | None, fits: Callable[[int], bool]) -> float | None:
    """The share of time at levels that fit; None if no time has passed."""
    whole = sum(levels.values()) if levels else 0.0
    return sum(time for level, time in levels.items() if fits(level)) / whole if levels and whole else None


MEASURES: dict[str, Measure] = {
    "messages-per-entry": lambda counters: counters.per_entry,
    "messages": lambda counters: counters.messages,
    "entries": lambda counters: counters.entries,
    "fairness": lambda counters: counters.fairness,
    "false-suspicions": lambda counters: counters.false_suspicions,
    "waiting": lambda counters: counters.waiting_time.mean,
    "waiting-max": lambda counters: counters.waiting_time.max,
    "synchronisation-delay": lambda counters: counters.synchronisation_delay.mean,
    "responsiveness": lambda counters: counters.responsiveness.mean,
    "responsiveness-max": lambda counters: counters.responsiveness.max,
    "idle": lambda counters: _share_of(counters.concurrency, lambda inside: inside == 0),
    "alone": lambda counters: _share_of(counters.concurrency, lambda inside: inside == 1),
    "two-or-more": lambda counters: _share_of(counters.concurrency, lambda inside: inside >= 2),
    "more-than-two": lambda counters: _share_of(counters.concurrency, lambda inside: inside > 2),
    "tokens-none": lambda counters: _share_of(counters.token_shares, lambda tokens: tokens == 0),
    "tokens-several": lambda counters: _share_of(counters.token_shares, lambda tokens: tokens > 1),
    "election-messages": lambda counters: counters.elections.messages_per_election if counters.elections else None,
    "election-time": lambda counters: counters.elections.turnaround.mean if counters.elections else None,
    GENERATIONS: lambda counters: None,  # no counter has them: they are read off the trace
}
"""A new measure is one line."""

OF_TOKENS = ("tokens-none", "tokens-several", GENERATIONS)
OF_ELECTIONS = ("election-messages", "election-time")


def trouble_with(name: str, algorithm: Algorithm) -> str:
    """Why an algorithm has no such measure; "" if it has."""
    if name in OF_TOKENS and algorithm.token is None:
        return f'"{name}" needs an algorithm with a token'
    return f'"{name}" needs an election' if name in OF_ELECTIONS and not algorithm.is_election() else ""


def measure(run: Timeline, name: str) -> float:
    """The measure of a run up to its present step; 0 where there is nothing to measure."""
    if name == GENERATIONS:
        return float(sum(record[KIND] == CREATED for step in range(run.step) for record in run.trace.step(step)))
    meters = Meters(run.scenario, run.algorithm)
    meters.advance(run.trace)
    found = MEASURES[name](meters.at(run.step, run.simulation.now))
    return 0.0 if found is None else float(found)
