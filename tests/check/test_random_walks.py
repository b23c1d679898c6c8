"""Random runs instead of all: what they find is wrong, in a trail from which nothing can be left out."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from algorithms import catalog
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import BROKEN, NOT_REFUTED
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.properties import ALWAYS, SOMETIMES
from algorithms.engine.check.random_walks import RandomWalks
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.scenario import Scenario
from tests.support.sources import ROOT
from tests.support.state_counts import ROWS, Row, exploration, finished, shared_exploration


def walks_of(row: Row, runs: int) -> RandomWalks:
    """Random runs of the system in a row."""
    explored = exploration(*row[:4])
    return RandomWalks(explored.scenario, catalog.find(row.algorithm), explored.bounds, runs)


BROKEN_ROWS = list({row.algorithm: row for row in ROWS if row.states < 500 and row.broken and row.nodes == 2}.values())


@pytest.mark.parametrize("row", BROKEN_ROWS, ids=lambda row: f"{row.algorithm}-{row.variant}-{row.bounds}")
def test_they_find_what_exploring_finds_and_nothing_else(row):
    """Of small systems 200 runs see all: each broken promise of a state, and each deadlock."""
    report = finished(walks_of(row, 200))
    explored = finished(shared_exploration(*row[:4]))
    for found, known in zip(report.findings, explored.findings, strict=True):
        if found.property.when == SOMETIMES:
            assert found.status in (known.status, "not seen")
        elif found.status == BROKEN:
            assert known.status == BROKEN
            assert len(found.trail.moves) >= len(known.trail.moves)
            assert len(found.trail.moves) <= 2 * len(known.trail.moves) + 2
        elif known.status == BROKEN:
            assert known.property.when != ALWAYS or len(known.trail.moves) > 6
            is_of_futures = known.trail.cycle or known.property.name == "convergence"
            assert known.property.when == ALWAYS or is_of_futures, "a walk sees deadlocks, and no state's other futures"


def test_no_move_of_a_trail_can_be_left_out():
    scenario = Scenario("ricart-agrawala", variant="current-clock", nodes=3)
    walks = RandomWalks(scenario, catalog.find("ricart-agrawala"), Bounds(requests=2), runs=200)
    report = finished(walks)
    trails = [finding.trail for finding in report.findings if finding.trail]
    assert trails
    for trail in trails:
        assert trail.states[-1] in walks.system.after_moves(trail.moves)
        for place in range(len(trail.moves)):
            fewer = trail.moves[:place] + trail.moves[place + 1 :]
            assert trail.states[-1] not in walks.system.after_moves(fewer)
        assert len({*trail.states}) == len(trail.states), "no detour"


@pytest.mark.parametrize("nodes", [4, 6])
def test_a_mutant_is_found_that_is_too_large_to_explore(nodes):
    """Both enter: each asks everybody else, who replies, so 1 + 2 (N - 1) moves for each of the two."""
    algorithm = catalog.find("ricart-agrawala")
    scenario = Scenario("ricart-agrawala", variant="neither-defers", nodes=nodes)
    walks = RandomWalks(scenario, algorithm, Bounds(), runs=200, sought=["ME1"])
    report = finished(walks)
    assert walks.done < 200, "no more runs once it is found"
    safety = next(finding for finding in report.findings if finding.property.name == "ME1")
    assert len(safety.trail.moves) == 2 * (1 + 2 * (nodes - 1))
    example = counterexample_scenario(walks, safety)
    timeline = catalog.timeline(example)
    timeline.seek(10_000)
    monitors = Monitors(example, timeline.algorithm)
    monitors.advance(timeline.trace)
    assert any(breach.monitor == "ME1" for breach in monitors.breaches(timeline.step))


def test_nothing_is_said_to_hold():
    report = finished(RandomWalks(Scenario("ricart-agrawala", nodes=3), catalog.find("ricart-agrawala"), Bounds(), 20))
    statuses = {finding.status for finding in report.findings if finding.property.when != SOMETIMES}
    assert statuses == {NOT_REFUTED}
    assert not report.is_complete
    assert "20 random runs, up to" in report.sentence(report.findings[0])


def test_the_same_seed_gives_the_same_trails_in_every_process(tmp_path):
    words = ["check", "ricart-agrawala", "--variant", "current-clock", "--nodes", "3", "--requests", "2"]
    command = [sys.executable, "-m", "mutoscope", *words, "--random", "50", "--seed", "3", "--exit-zero"]
    found = []
    for number in ("1", "2"):
        folder = tmp_path / number
        folder.mkdir()
        subprocess.run(
            [*command, "-o", f"{folder}{os.sep}"],
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
        )
        found.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert found[0] == found[1]
    assert found[0]
