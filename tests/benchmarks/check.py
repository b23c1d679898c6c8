"""The checker with reduction, against the exploration of every state.

    python -m tests.benchmarks.check [--algorithm ricart-agrawala] [--variant NAME] [--nodes 3] [--rounds 3]

Both explore the same system in turn, each from the first state on. One JSON object is printed: {"states",
"reduced_states", "states_a_second", "x_states", "x_seconds"}; the last two are the states and seconds of the plain
exploration, divided by those of the reduced one. Seconds are of processor time, medians of the rounds.
"""

from __future__ import annotations

import argparse
import json
from statistics import median
from time import process_time

from algorithms.engine.check.explore import STATE_LIMIT, Exploration
from algorithms.engine.check.reduced import ReducedExploration
from tests.support.state_counts import finished, system_of


def measure(system: tuple[str, str | None, int, str], rounds: int) -> dict[str, float]:
    """States and seconds of both."""
    seconds: dict[bool, list[float]] = {False: [], True: []}
    states: dict[bool, int] = {}
    for _ in range(rounds):
        for reduces in (False, True):
            begun = process_time()
            if reduces:
                report = finished(ReducedExploration(*system_of(*system), 10 * STATE_LIMIT, few=0))
            else:
                report = finished(Exploration(*system_of(*system), 10 * STATE_LIMIT))
            seconds[reduces].append(process_time() - begun)
            states[reduces] = report.states
    return {
        "states": states[False],
        "reduced_states": states[True],
        "states_a_second": round(states[False] / median(seconds[False])),
        "x_states": round(states[False] / states[True], 2),
        "x_seconds": round(median(a / b for a, b in zip(seconds[False], seconds[True], strict=True)), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithm", default="ricart-agrawala")
    parser.add_argument("--variant")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--bounds", default="", help="as in tests/support/state_counts.py: requests=2 losses=1")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(json.dumps(measure((given.algorithm, given.variant, given.nodes, given.bounds), given.rounds)))


if __name__ == "__main__":
    main()
