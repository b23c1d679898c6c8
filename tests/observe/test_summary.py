"""The object that `run --json` prints: its keys, and that they say what meters and monitors say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.summary import summary
from algorithms.engine.scenario import Event
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Poisson, Request, Script
from tests.support.kit import run

KEYS = [
    *("algorithm", "nodes", "seed", "time", "steps", "entries", "messages", "waiting_time", "synchronisation_delay"),
    *("responsiveness", "concurrency", "entries_per_node", "fairness"),
]


def summed_up(simulation: Simulation, time: float | None = None) -> dict[str, Any]:
    meters = Meters(simulation.scenario, simulation.algorithm)
    monitors = Monitors(simulation.scenario, simulation.algorithm)
    return summary(simulation, meters, monitors, time)


@pytest.mark.parametrize(
    ("name", "more"),
    [("centralized", []), ("token-ring", ["tokens"]), ("bully", ["elections"])],
)
def test_the_keys_are_those_of_the_command_line(name, more):
    found = summed_up(run(name, 3, load=Poisson(rate=0.1) if name != "bully" else None, until=50))
    assert list(found) == [*KEYS, *more, "monitors"]
    assert json.loads(json.dumps(found)) == found


def test_a_small_run_in_numbers():
    """P1 asks the coordinator at time 1, is in from 3 to 4, and its release arrives at 5."""
    simulation = run("centralized", 2, load=Script(requests=(Request(1.0, 1),)))
    durations = dict.fromkeys(("mean", "median", "p95", "max"), 2.0)
    assert summed_up(simulation, 10.0) == {
        "algorithm": "centralized",
        "nodes": 2,
        "seed": 1,
        "time": 10.0,
        "steps": 6,
        "entries": 1,
        "messages": {
            "total": 3,
            "by_type": {"Grant": 1, "Release": 1, "Request": 1},
            "per_entry": 3.0,
            "complete_entries": 1,
            "free_entries": 0,
            "open_requests": 0,
            "open_messages": 0,
        },
        "waiting_time": durations,
        "synchronisation_delay": dict.fromkeys(durations),
        "responsiveness": {"mean": 2.0, "max": 2.0},
        "concurrency": {"0": 9.0, "1": 1.0},
        "entries_per_node": [0, 1],
        "fairness": 1.0,
        "monitors": {
            name: {"status": "holds", "step": None, "time": None, "detail": "", "nodes": [], "promised": name != "ME3"}
            for name in ("ME1", "ME2", "ME3")
        },
    }


def test_a_run_that_has_come_to_its_end_leaves_nothing_pending():
    simulation = run("centralized", 2, Event(0.5, "crash", node=0), load=Script(requests=(Request(1.0, 1),)))
    found = summed_up(simulation, 10.0)["monitors"]["ME2"]
    assert (found["status"], found["time"]) == ("broken", 2.0)
