"""A run of the wandering token (report, N = 150) in the engine, against a plain Python loop.

    python -m tests.benchmarks.wandering [--time 1e6] [--rounds 3]

The loop implements this algorithm alone: arrays for the members' variables, one heap, counters. It has no trace, and
can neither step back nor show anything. It draws the same random numbers, so that a test can compare its tables with
the engine's to the last digit. Both run in turn; medians are printed as one JSON object: {"loop_s", "engine_s",
"lab_s", "engine_x_loop", "lab_x_loop"}, for the loop with its tables, the engine alone, and the engine with the folds
that compute the same tables.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, deque
from heapq import heappop, heappush
from statistics import median
from time import perf_counter

from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.randomness import Stream, key
from lessons.experiments.wandering import REPORT, long_run, simulation

NODES = 150
DSKIP, DOP, DMIN, DMAX, K1, K2 = 1.0, 4.0, 600.0, 1800.0, 1.5, 0.05
ARRIVAL, REST_OVER, OPERATION_OVER, TIMEOUT = range(4)


def loop(seed: int, until: float, nodes: int = NODES) -> tuple[dict[int, float], dict[float, int]]:
    """Tables 3 and 4: time by the number of running operations, and intervals in classes of 500 units."""
    chance = [Stream(key(seed, "algorithm", node)) for node in range(nodes)]
    dgen, started, served = [DMAX] * nodes, [0.0] * nodes, [(0.0, 0)] * nodes
    due = [(DMAX, node) for node in range(nodes)]  # when the timeout of each node expires
    queued = due.copy()  # the expiry that is in the queue: the same, or an earlier one
    waiting: list[deque[tuple[float, int]]] = [deque() for _ in range(nodes)]
    holds = [False] * nodes
    running, since = 0, 0.0
    concurrency: Counter[int] = Counter()
    intervals: Counter[float] = Counter()
    queue: list[tuple] = [(DMAX, node, TIMEOUT, node, None) for node in range(nodes)]
    serial = nodes

    def at(time, what, node, token):
        nonlocal serial
        serial += 1
        heappush(queue, (time, serial, what, node, token))

    def restart_timeout(now, node):
        nonlocal serial
        serial += 1
        due[node] = (now + dgen[node], serial)
        if due[node] < queued[node]:
            queue_timeout(node)

    def queue_timeout(node):
        queued[node] = due[node]
        heappush(queue, (*due[node], TIMEOUT, node, None))

    def operate(now, node, token):
        nonlocal running, since
        started[node], served[node], holds[node] = now, token, True
        concurrency[running] += now - since
        running, since = running + 1, now
        at(now + DOP, OPERATION_OVER, node, token)

    def receive(now, node, token):
        if now - started[node] > DMIN:
            intervals[(now - started[node]) // 500 * 500] += 1
            operate(now, node, token)
        elif served[node] >= token:
            holds[node] = True
            at(now + DSKIP, REST_OVER, node, token)

    def pass_on(now, node, token):
        k = chance[node].below(nodes)
        at(now, ARRIVAL, node if k == nodes - 1 else k + (k >= node), token)  # the last one is the node itself

    pass_on(0.0, 0, (0.0, 0))
    while queue[0][0] <= until:
        now, place, what, node, token = heappop(queue)
        if what == ARRIVAL:
            dgen[node] -= K2 * (dgen[node] - DMAX)
            restart_timeout(now, node)
            if holds[node]:
                waiting[node].append(token)
            else:
                receive(now, node, token)
        elif what == TIMEOUT:
            if queued[node] != (now, place):
                continue  # an earlier expiry has replaced it
            timed_out = due[node] == queued[node]
            if timed_out:
                dgen[node] *= K1
                restart_timeout(now, node)
            queue_timeout(node)
            if timed_out and not holds[node]:
                operate(now, node, (now, node))
        else:
            if what == OPERATION_OVER:
                concurrency[running] += now - since
                running, since = running - 1, now
            pass_on(now, node, token)
            holds[node] = False
            while waiting[node] and not holds[node]:
                receive(now, node, waiting[node].popleft())
    concurrency[running] += until - since
    return dict(concurrency), dict(intervals)


def engine(seed: int, until: float) -> None:
    """The same run in the engine, without measures."""
    run_and_forget(simulation(seed, REPORT, NODES), [], until)


def lab(seed: int, until: float) -> None:
    """The same run in the engine, with the same two tables."""
    long_run(seed, REPORT, NODES, until)


def measure(until: float, rounds: int) -> dict[str, float]:
    """The seconds of each, and the others' ratios to the loop."""
    seconds: dict[str, list[float]] = {"loop": [], "engine": [], "lab": []}
    for seed in range(1, rounds + 1):
        for name, work in (("loop", loop), ("engine", engine), ("lab", lab)):
            begun = perf_counter()
            work(seed, until)
            seconds[name].append(perf_counter() - begun)
    ratios = {
        f"{name}_x_loop": median(a / b for a, b in zip(seconds[name], seconds["loop"], strict=True))
        for name in ("engine", "lab")
    }
    medians = {f"{name}_s": median(times) for name, times in seconds.items()}
    return {name: round(value, 3) for name, value in {**medians, **ratios}.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=1e6, help="how many units of time to run for")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.time, arguments.rounds)))


if __name__ == "__main__":
    main()
