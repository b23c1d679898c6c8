"""Runs without end: excess is reported beforehand, or as soon as it can be estimated; endless calls are ended."""

from __future__ import annotations

import time

import pytest

from algorithms.authoring import watchdog
from algorithms.engine.errors import Misuse
from visual.command_line import main
from visual.commands import execution

TOO_DENSE = {
    "burst": ("--load burst:1e-9 --until 30", "e11 requests until 30"),
    "poisson": ("--load poisson:1e6 --until 30", "about 2e8 requests until 30"),
    "renewal": ("--load renewal:1e-300 --until 30", "requests until 30"),
    "long": ("--load poisson:0.1 --until 1e9", "about 5e8 requests until 1e+09"),
    "events": ("--load none --until 30 --event", "about 3e10 repeated events until 30"),
}


@pytest.mark.parametrize("case", TOO_DENSE)
@pytest.mark.parametrize("command", ["run", "trace", "shot"])
def test_a_load_that_is_too_dense_is_told_beforehand(command, case, capsys):
    options, words = TOO_DENSE[case]
    event = ["0 heal every=1e-9"] if case == "events" else []
    start = time.process_time()
    at = ["--at", options.split()[3]] if command == "shot" else []
    assert main([command, "token-ring", "--nodes", "5", *options.split(), *event, *at]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "expected at most 1" in said
    assert time.process_time() - start < 2


def test_a_run_whose_length_can_be_estimated_is_not_executed_to_its_limit(monkeypatch, capsys):
    monkeypatch.setattr(execution, "ENOUGH", 20_000)
    assert main(["run", "token-ring", "--nodes", "5", "--load", "none", "--delay", "1e-9", "--until", "30"]) == 2
    said = capsys.readouterr().err
    assert (
        "after 20,000 steps the run is at 1.9999e-05, not at 30: about 3e10 steps; expected at most 100,000,000" in said
    )


ENDLESS = {
    "sleep": "import time; time.sleep(60)",
    "lock": "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()",
    "regular expression": "import re; re.match(r'(a+)+$', 'a' * 40 + 'b')",
    "arithmetic": "x = 10 ** 10 ** 8",
}


@pytest.mark.parametrize("case", ENDLESS)
def test_a_call_that_sleeps_waits_or_computes_without_end_is_ended(case, monkeypatch):
    for name, value in {"PATIENCE": 0.3, "INTERVAL": 0.05, "STUCK": 6}.items():
        monkeypatch.setattr(watchdog, name, value)
    code = compile(ENDLESS[case], "toy.py", "exec")
    with watchdog.no_endless_call():
        time.sleep(0.6)  # the watchdog may still sleep for its usual interval
    with pytest.raises(Misuse, match="does not come to an end"), watchdog.no_endless_call():
        exec(code, {"__name__": "algorithms.mutual_exclusion.toy"})


@pytest.mark.parametrize("topology", ["ring", "star", "tree", "grid", "random"])
@pytest.mark.parametrize("command", ["shot", "play"])
def test_a_system_too_large_for_a_picture_is_told(command, topology, capsys):
    assert main([command, "--algorithm", "centralized", "--topology", topology, "--nodes", "100000"]) == 2
    assert "expected at most 10,000 nodes in" in capsys.readouterr().err
