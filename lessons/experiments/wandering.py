"""The runs behind the labs on the wandering token: each a function of a seed that returns plain figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any

from algorithms import catalog
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.observe.fold import Fold, run_and_forget
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.mutual_exclusion import random_access, wandering_token_journal, wandering_token_report
from lessons.experiments.observers import UseHistory, UseTotals, Visits, Walk, spent_at
from lessons.laboratory.lab import Figures

AT_ONCE = Network(delay=Fixed(0.0))  # both papers neglect the time that a token is in transit
REPORT, JOURNAL, RANDOM = "wandering-token-report", "wandering-token-journal", "random-access"
REPORT_BIN, JOURNAL_BIN = 500.0, 100.0  # width of the classes of intervals
CONSTANTS = {  # algorithm -> its parameters as the paper has them
    module.ALGORITHM.name: {name: p.default for name, p in parameters_of(module.ALGORITHM.process).items()}
    for module in (random_access, wandering_token_report, wandering_token_journal)
}
LONG = 3000.0  # an interval that "might mean starvation" (report, section 6)


def long_run(
    seed: int,
    algorithm: str,
    nodes: int,
    until: float,
    variant: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    width: float = REPORT_BIN,
) -> Figures:
    """Concurrency and intervals in a run without losses: tables 1, 3 and 4, the journal's benchmark.

    As in table 4, the start of the run counts as every process's first entry.
    """
    run = simulation(seed, algorithm, nodes, variant, parameters)
    fold = Fold(run.scenario, run.algorithm)
    use = UseTotals(fold.situation, width)
    fold.observe([use])
    run_and_forget(run, [fold], until)
    return use.figures(until)


def transient(
    seed: int,
    nodes: int,
    variant: str | None = None,
    warm_up: float = 10_000.0,
    calm: float = 6_000.0,
    curve: bool = False,
) -> Figures:
    """Lose the only token of a settled system, and measure up to the last instant without a token.

    An instant counts as the last if there is a token throughout the next `calm` units, ten times Δmin.
    """
    run = simulation(seed, REPORT, nodes, variant)
    fold = Fold(run.scenario, run.algorithm)
    history, tokens = UseHistory(fold.situation), Tokens(wandering_token_report.Token)
    fold.observe([history, tokens])
    _read_on(run, fold, warm_up)
    while tokens.level.value != 1:
        run.step()
        fold.advance(run.trace)
    lost = run.now
    run.interventions = [Event(lost, "lose-token", step=run.steps)]
    end = lost
    while run.now < end + calm:
        _read_on(run, fold, run.now + calm / 4)
        end = _last_end_without(tokens, run.now)
    inside = spent_at(history.inside.curve(run.steps), lost, end)
    intervals = [length for time, length in history.intervals.values if lost < time <= end]
    return {
        "duration": end - lost,
        "concurrency": inside,
        "intervals": len(intervals),
        "long_intervals": sum(length > LONG for length in intervals),
        "longest_interval": max(intervals, default=0.0),
        **({"curve": _per_unit(history.inside.curve(run.steps), lost, end)} if curve else {}),
    }


def journal_run(
    seed: int, nodes: int, until: float = 1e5, variant: str | None = None, loss_every: float = 1e4
) -> Figures:
    """The journal's simulation, with a periodic loss of the token: figures 2 to 5.

    Its intervals are those between two downloads: counting those from the start to the first, a quarter of a percent
    more would be below 1200 s.
    """
    losses = (Event(loss_every, "lose-token", every=loss_every),)
    run = simulation(seed, JOURNAL, nodes, variant, events=losses)
    fold = Fold(run.scenario, run.algorithm)
    use, visits = UseTotals(fold.situation, JOURNAL_BIN, first=None), Visits(JOURNAL_BIN)
    history, tokens = UseHistory(fold.situation), Tokens(wandering_token_journal.Token)
    fold.observe([use, visits, history, tokens])
    _read_on(run, fold, until)
    alive = tokens.level.curve(run.steps)
    return {
        **use.figures(until),
        "visits": {place * JOURNAL_BIN: count for place, count in sorted(visits.intervals.items())},
        "tokens": spent_at(alive, 0.0, until),
        **_regenerations(history.generations.values, alive),
        "token_curve": alive,
    }


def walk(seed: int, nodes: int, topology: str, hops: int) -> Figures:
    """Mean hops of an unused token on a graph to return to P0, and to visit every process."""
    never = {"dmin": 1e12, "dmax": 1e12}
    run = simulation(seed, REPORT, nodes, parameters=never, topology=topology)
    fold = Fold(run.scenario, run.algorithm)
    paths = Walk(nodes)
    fold.observe([paths])
    run_and_forget(run, [fold], float(hops))
    degrees = [len(process.peers) + 1 for process in run.processes]  # to stay is one of the ways to go
    return {
        "return": mean(paths.returns),
        "cover": mean(paths.covers),
        "covers": len(paths.covers),
        "return_in_theory": sum(degrees) / degrees[0],
    }


def simulation(
    seed: int,
    algorithm: str,
    nodes: int,
    variant: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    events: tuple[Event, ...] = (),
    topology: str | None = None,
) -> Simulation:
    """A run as in the papers: messages take no time, and without a topology go to any process."""
    return catalog.simulation(
        Scenario(
            algorithm,
            nodes=nodes,
            seed=seed,
            variant=variant,
            parameters=parameters or {},
            network=AT_ONCE,
            events=events,
            topology=topology,
        )
    )


def _read_on(run: Simulation, fold: Fold, until: float) -> None:
    """Run on, discarding the trace as the fold reads it; the fold keeps its snapshots."""
    while run.run(until, run.steps + 20_000):
        fold.advance(run.trace)
        run.trace.forget()


def _last_end_without(tokens: Tokens, now: float) -> float:
    """The end of the last period without a token: `now` if there is none at present."""
    level = tokens.level
    if level.value == 0:
        return now
    return max((until for value, until in zip(level.values, level.times[1:], strict=False) if value == 0), default=0.0)


def _regenerations(generations: list[float], alive: list[tuple[float, int]]) -> Figures:
    """The durations without a token, and the number of tokens generated while there was one."""
    gone = [(since, until) for (since, value), (until, _) in pairwise(alive) if value == 0]
    latencies = [until - since for since, until in gone if since > 0]
    ends = {0.0, *(until for _, until in gone)}  # the first token is made at the start
    needless = [time for time in generations if time not in ends]
    return {"latencies": latencies, "needless_generations": len(needless)}


def _per_unit(curve: list[tuple[float, int]], start: float, end: float) -> list[tuple[float, int]]:
    """A step function between two times, shifted so that `start` becomes 0."""
    return [(max(time, start) - start, value) for time, value in curve if time < end]


# ---- reading the figures of long runs ----------------------------------------------------------------------


def time_at(runs: Sequence[Figures], inside: int) -> list[float]:
    """The time in each run with exactly `inside` processes inside."""
    return [sum(time for k, time in run["concurrency"].items() if int(k) == inside) for run in runs]


def time_from(runs: Sequence[Figures], inside: int) -> list[float]:
    """The time in each run with `inside` processes or more inside."""
    return [sum(time for k, time in run["concurrency"].items() if int(k) >= inside) for run in runs]


def shares(times: Sequence[float], runs: Sequence[Figures]) -> list[float]:
    """Times of runs as shares of their whole durations."""
    return [time / run["time"] for time, run in zip(times, runs, strict=True)]


def counted(runs: Sequence[Figures], what: str, low: float, high: float) -> list[int]:
    """The number of "intervals" or "visits" of each run in the classes from `low` to below `high`."""
    return [sum(n for start, n in run[what].items() if low <= float(start) < high) for run in runs]


def share_below(runs: Sequence[Figures], what: str, limit: float) -> list[float]:
    """The share of "intervals" or "visits" of each run that are shorter than `limit`."""
    below = counted(runs, what, 0.0, limit)
    return [count / sum(run[what].values()) for count, run in zip(below, runs, strict=True)]


# ---- reading the figures of transients ---------------------------------------------------------------------


def durations(runs: Sequence[Figures]) -> list[float]:
    """The duration of each transient."""
    return [run["duration"] for run in runs]


def share_from(runs: Sequence[Figures], inside: int) -> float:
    """The share of the total time with `inside` processes or more inside."""
    return sum(time_from(runs, inside)) / sum(durations(runs))


def share_long(runs: Sequence[Figures]) -> float:
    """The share of all intervals that are longer than `LONG`."""
    return float(sum(run["long_intervals"] for run in runs) / sum(run["intervals"] for run in runs))
