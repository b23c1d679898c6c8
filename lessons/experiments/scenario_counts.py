"""The counts of any scenario after its warm-up, for sweeps over nodes, parameters and seeds."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.authoring.failures import StallDetector, guard_run
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Counters, Meters, jain
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import is_promised
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from lessons.laboratory.lab import Figures

STEPS = 20_000  # between two looks at whether the time goes on


def counts(seed: int, scenario: str, warm_up: float = 0.0) -> Figures:
    """The counts between `warm_up` and the end of the scenario in that text, under that seed.

    For elections they are those of the whole run. The properties are watched from the start.
    """
    tables = scenario_file.parse(scenario, "scenario")
    if own_file.is_file(tables["algorithm"]):
        own_file.trust(tables["algorithm"])  # the person who started the sweep has agreed
    built = replace(scenario_file.loads(scenario), seed=seed)
    run = catalog.simulation(built)
    meters, monitors = Meters(built, run.algorithm), Monitors(built, run.algorithm)
    _run_on(run, meters, monitors, warm_up)
    before, turns = meters.at(run.steps, warm_up), meters.turns
    first = len(turns.waiting.values), len(turns.handing_over.values)
    _run_on(run, meters, monitors, built.until)
    after = meters.at(run.steps, built.until)
    verdicts = monitors.at(monitors.steps, built.until)
    broken = sum(v.status == BROKEN for name, v in verdicts.items() if is_promised(run.algorithm, name))
    figures = _elections(after) if after.elections else _entries(meters, before, after, first, built, warm_up)
    return {"messages": after.messages - before.messages, **figures, "broken": broken}


def _run_on(run: Simulation, meters: Meters, monitors: Monitors, until: float) -> None:
    stall, more = StallDetector(run), True
    with guard_run(run):
        while more:
            before = run.steps
            run_and_forget(run, (meters, monitors), until, before + STEPS)
            more = run.steps == before + STEPS
            stall.check()


def _entries(
    meters: Meters, before: Counters, after: Counters, first: tuple[int, int], scenario: Scenario, since: float
) -> dict[str, Any]:
    """The cost and the service of entries between two moments."""
    time = scenario.until - since
    entries = [b - a for a, b in zip(before.entries_per_node, after.entries_per_node, strict=True)]
    charged, counted = (
        after.charges.messages - before.charges.messages,
        after.counted_entries - before.counted_entries,
    )
    waiting, handing_over = meters.turns.waiting.values[first[0] :], meters.turns.handing_over.values[first[1] :]
    busy = sum(spent - before.concurrency.get(count, 0.0) for count, spent in after.concurrency.items() if count)
    return {
        "entries": sum(entries),
        "messages_per_entry": charged / counted if counted else None,
        "waiting_time": sum(waiting) / len(waiting) if waiting else None,
        "waiting_time_median": median(waiting) if waiting else None,
        "waiting_time_max": max(waiting, default=None),
        "synchronisation_delay": sum(handing_over) / len(handing_over) if handing_over else None,
        "entries_per_time": sum(entries) / time,
        "utilisation": busy / time,
        "fairness": jain([entries[node] for node in after.requesters]),
    }


def _elections(counters: Counters) -> dict[str, Any]:
    """The cost and the duration of the elections of a run."""
    assert counters.elections is not None
    return {
        "elections": counters.elections.finished,
        "messages_per_election": counters.elections.messages_per_election,
        "turnaround": counters.elections.turnaround.mean,
        "turnaround_max": counters.elections.turnaround.max,
    }
