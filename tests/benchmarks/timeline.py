"""The cost of time travel: seeks, checkpoints, and whether the engine slows down as history grows.

    python -m tests.benchmarks.timeline [--steps 100000] [--seeks 400]

A token ring of 100 nodes under Poisson load. Prints one JSON object: {"seek_ms": {"median", "p99", "max"} of seeks to
random steps, "mb_per_1e5_steps" of checkpoints, "slowdown" of a run by its checkpoints, "last_quarter_vs_first" in
steps per second}.
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
from random import Random
from statistics import median, quantiles
from time import perf_counter

from algorithms import catalog
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Poisson

SCENARIO = Scenario("token-ring", nodes=100, load=Poisson(rate=0.001))


def new_timeline(every: int | None = None) -> Timeline:
    """A new run, with checkpoints at the usual distance or every `every` steps."""
    algorithm = catalog.find(SCENARIO.algorithm)
    return Timeline(SCENARIO, algorithm) if every is None else Timeline(SCENARIO, algorithm, every)


def seconds(timeline: Timeline, step: int) -> float:
    """The seconds of a seek to that step."""
    started = perf_counter()
    timeline.seek(step)
    return perf_counter() - started


def seeks(steps: int, count: int) -> dict[str, float]:
    """Milliseconds of seeks to random steps of a run of that length."""
    timeline = new_timeline()
    timeline.seek(steps)
    dice = Random(1)
    times = sorted(1e3 * seconds(timeline, dice.randrange(steps)) for _ in range(count))
    return {"median": round(median(times), 3), "p99": round(quantiles(times, n=100)[98], 3), "max": round(times[-1], 3)}


def checkpoint_megabytes(steps: int) -> float:
    """Memory held by the checkpoints of a run, scaled to 1e5 steps."""
    held = []
    for every in (None, steps + 1):
        tracemalloc.start()
        timeline = new_timeline(every)
        timeline.seek(steps)
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    return round((held[0] - held[1]) / 1e6 * 1e5 / steps, 2)


def slowdown(steps: int, rounds: int = 5) -> float:
    """Time with checkpoints over time without, median of alternated rounds."""
    ratios = [seconds(new_timeline(), steps) / seconds(new_timeline(steps + 1), steps) for _ in range(rounds)]
    return round(median(ratios), 3)


def last_quarter_vs_first(steps: int, rounds: int = 5) -> float:
    """Steps per second in the last quarter of a run over those in the first."""
    ratios = []
    for _ in range(rounds):
        timeline = new_timeline()
        first = seconds(timeline, steps // 4)
        timeline.seek(3 * steps // 4)
        ratios.append(first / seconds(timeline, steps))
    return round(median(ratios), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seeks", type=int, default=400)
    arguments = parser.parse_args()
    print(
        json.dumps(
            {
                "seek_ms": seeks(arguments.steps, arguments.seeks),
                "mb_per_1e5_steps": checkpoint_megabytes(arguments.steps),
                "slowdown": slowdown(arguments.steps),
                "last_quarter_vs_first": last_quarter_vs_first(arguments.steps),
            }
        )
    )


if __name__ == "__main__":
    main()
