"""What a command assumes where it is told nothing, and what it makes of a delay of 0 and a byte order mark."""

from __future__ import annotations

import json

import pytest

from algorithms import catalog
from algorithms.authoring.failures import StallDetector
from algorithms.engine.process import MutexProcess
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import LOADS, Saturated
from algorithms.files import read_text
from visual.command_line import main
from visual.commands.scenario_options import LOAD_EXAMPLES

BY_THEMSELVES = [
    algorithm.name
    for algorithm in catalog.by_name().values()
    if issubclass(algorithm.process, MutexProcess) and algorithm.process.offered is not MutexProcess.offered
]


def summary_of(capsys, *words: str) -> dict:
    assert main(["run", *words, "--json", "--exit-zero"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", BY_THEMSELVES)
def test_an_algorithm_that_enters_of_its_own_accord_gets_no_load(name, capsys):
    """With a load its applications would ask on and on, and nothing would come of it."""
    words = ["--algorithm", name, "--nodes", "10", "--until", "5000"]
    assert summary_of(capsys, *words) == summary_of(capsys, *words, "--load", "none")


def test_any_other_algorithm_gets_one(capsys):
    assert summary_of(capsys, "--algorithm", "token-ring")["entries"] > 0


def test_the_help_names_every_load_that_an_option_can_give(capsys):
    main(["run", "--help"])
    assert " ".join(LOAD_EXAMPLES.split()) in " ".join(capsys.readouterr().out.split())
    assert all(kind in LOAD_EXAMPLES for kind in LOADS if kind != "script")  # a script needs a file


def test_messages_may_take_no_time(capsys):
    """Papers neglect delays: a process then waits at most for the stays of others."""
    found = summary_of(capsys, "ricart-agrawala", "--delay", "0", "--load", "closed:50", "--nodes", "3")
    assert found["entries"] > 0
    assert found["monitors"]["ME1"]["status"] == "holds"


def test_messages_that_double_are_not_told_as_a_standstill():
    """300,000 messages may be due at one moment; what they cause is due later."""
    run = catalog.simulation(Scenario("uncoordinated", network=Network(), load=Saturated(hold=Fixed(1.0))))
    detector = StallDetector(run)
    run.run(until=3.0)
    for number in range(300_000):
        run.queue.push((run.now + 1, 10**6 + number, 6, -1))  # launches, which nobody notices
    run.run(steps=run.steps + 1_000)
    detector.check()
    run.run(until=4.0)
    detector.check()


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\n")
    assert read_text(tmp_path / "a.txt") == "one\ntwo\n"
    (tmp_path / "mine.toml").write_bytes(b'\xef\xbb\xbfformat = 1\r\nalgorithm = "bully"\r\nnodes = 4\r\n')
    assert summary_of(capsys, str(tmp_path / "mine.toml"))["nodes"] == 4
