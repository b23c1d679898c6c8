"""Runs that cannot continue say so in one sentence; the program's own mistakes are not hidden."""

from __future__ import annotations

import pytest

from algorithms import catalog
from algorithms.authoring.failures import STALL_LIMIT, StallDetector, guard_run
from algorithms.bad_input import BadInput
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Saturated


def test_a_broken_assumption_is_reported_with_the_assumptions_of_the_algorithm():
    run = catalog.simulation(Scenario("ricart-agrawala", network=Network(duplicate=1.0), load=Saturated()))
    with (
        pytest.raises(
            BadInput,
            match=r"^ricart-agrawala fails in step \d+, in on_reply of P\d: KeyError \d "
            r"\(algorithms/mutual_exclusion/ricart_agrawala.py, line \d+\); "
            r"assumption broken: reliable \(a message is duplicated at \d",
        ),
        guard_run(run),
    ):
        run.run(until=20)
    assert run.steps == len(run.trace)


def test_a_mistake_of_the_program_is_not_turned_into_a_failure(monkeypatch):
    run = catalog.simulation(Scenario("ricart-agrawala", load=Saturated()))
    monkeypatch.setattr(run, "entered", lambda node, hold: {}[node])
    with pytest.raises(KeyError), guard_run(run):
        run.run(until=20)


def test_time_that_stands_still_is_detected():
    run = catalog.simulation(Scenario("uncoordinated", nodes=2, load=Saturated(hold=Fixed(0.0))))
    detector = StallDetector(run)
    run.run(steps=STALL_LIMIT // 2)
    detector.check()
    run.run(steps=STALL_LIMIT + 100)
    with pytest.raises(BadInput, match="time stands still at 0"):
        detector.check()


def test_a_run_whose_time_advances_is_left_alone():
    run = catalog.simulation(Scenario("token-ring", nodes=3))
    detector = StallDetector(run)
    for _ in range(3):
        run.run(steps=run.steps + STALL_LIMIT)
        detector.check()
