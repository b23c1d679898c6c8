"""Runs that cannot go on say so in a sentence; mistakes of the program are not covered up."""

from __future__ import annotations

import pytest

from algorithms import catalog
from algorithms.authoring.failures import STALL_LIMIT, StallDetector, guard_run
from algorithms.bad_input import BadInput
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Saturated


def test_an_algorithm_that_meets_what_it_has_ruled_out_is_named_with_its_assumptions():
    run = catalog.simulation(Scenario("ricart-agrawala", network=Network(duplicate=1.0), load=Saturated()))
    with (
        pytest.raises(
            BadInput,
            match=r"^ricart-agrawala fails in step \d+, in on_reply of P\d: KeyError \d "
            r"\(algorithms/mutual_exclusion/ricart_agrawala.py, line \d+\); it assumes: ",
        ),
        guard_run(run),
    ):
        run.run(until=20)
    assert run.steps == len(run.trace)


def test_a_mistake_of_the_program_stays_one(monkeypatch):
    run = catalog.simulation(Scenario("ricart-agrawala", load=Saturated()))
    monkeypatch.setattr(run, "entered", lambda node, hold: {}[node])
    with pytest.raises(KeyError), guard_run(run):
        run.run(until=20)


def test_time_that_stands_still_is_noticed():
    run = catalog.simulation(Scenario("uncoordinated", nodes=2, load=Saturated(hold=Fixed(0.0))))
    time = StallDetector(run)
    run.run(steps=STALL_LIMIT // 2)
    time.check()
    run.run(steps=STALL_LIMIT + 100)
    with pytest.raises(BadInput, match="time stands still at 0"):
        time.check()


def test_a_run_whose_time_moves_is_left_alone():
    run = catalog.simulation(Scenario("token-ring", nodes=3))
    time = StallDetector(run)
    for _ in range(3):
        run.run(steps=run.steps + STALL_LIMIT)
        time.check()
