"""`mutoscope check`: its output and files, and its answers to wrong arguments and to Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms import scenario_file
from tests.support.kit import heed_ctrl_c
from visual.command_line import main

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "import sys; from visual.command_line import main; sys.exit(main())"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def check_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """The object printed by --json."""
    assert main(["check", *words, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


def test_json_reports_limits_counts_and_findings(capsys):
    facts = check_json(capsys, "token-ring", "--losses", "1")
    seconds, size = facts.pop("seconds"), facts.pop("bytes_per_state")
    assert facts == {
        "algorithm": "token-ring",
        "variant": None,
        "nodes": 3,
        "requests": 1,
        "faults": {"crashes": 0, "losses": 1, "duplicates": 0, "resets": 0},
        "fifo": True,
        "timers": "at any moment",
        "timeouts": None,
        "states": 135,
        "depth": 11,
        "properties": {
            "ME1": "holds",
            "one token": "broken",
            "no error": "holds",
            "ME2": "broken",
            "entry": "holds",
            "contention": "holds",
        },
        "dead_ends": 8,
        "counterexample": "token-ring-one-token.toml",
        "complete": True,
    }
    assert 0 <= seconds < 60
    assert 100 < size < 1000


def test_the_counterexample_is_written_to_the_given_file(capsys):
    facts = check_json(
        capsys, "ricart-agrawala", "--variant", "current-clock", "--nodes", "2", "-o", "both-inside.toml"
    )
    assert facts["counterexample"] == "both-inside.toml"
    scenario = scenario_file.load("both-inside.toml")
    assert (scenario.title, len(scenario.events)) == ("Safety: broken after 6 moves", 6)


def test_no_file_is_written_if_nothing_fails(capsys):
    assert check_json(capsys, "centralized", "--nodes", "2")["counterexample"] is None
    assert not list(Path().iterdir())


def test_options_reach_the_checker(capsys):
    assert check_json(capsys, "bully", "--crashes", "1", "--nodes", "2")["properties"]["E1"] == "broken"
    assert check_json(capsys, "bully", "--crashes", "1", "--nodes", "2", "--synchronous")["properties"]["E1"] == "holds"
    assert check_json(capsys, "bully", "--timeouts", "0", "--nodes", "2")["properties"]["E1"] == "holds"
    assert check_json(capsys, "chang-roberts", "--param", "ids=[9,4,7]")["properties"]["E2"] == "holds"
    assert check_json(capsys, "token-ring", "--duplicates", "1")["properties"]["ME1"] == "broken"
    assert check_json(capsys, "ricart-agrawala", "--nodes", "2", "--resets", "1")["properties"]["no error"] == "broken"
    few = check_json(capsys, "ricart-agrawala", "--requests", "2", "--max-states", "100")
    assert (few["complete"], few["requests"], 100 <= few["states"] < 120) == (False, 2, True)
    ring = ("ring-election", "--requests", "2", "--nodes", "2")
    assert [check_json(capsys, *ring, *more)["states"] for more in ([], ["--unordered"])] == [1758, 1631]


def test_the_text_states_assumptions_and_findings(capsys):
    assert (
        main(["check", "ring-election", "--variant", "skipping", "--nodes", "2", "--crashes", "1", "--synchronous"])
        == 0
    )
    text = capsys.readouterr().out
    assert "Ring election (skipping): 2 processes, 1 request each, up to 1 crash, FIFO channels" in text
    assert "Timers may run out in their order, and only when no message is on its way." in text
    assert "always      E1        holds   no two processes disagree about who is the leader" in text
    assert "in the end  E2        BROKEN  everybody alive can still come to know the same leader" in text
    assert "moves, the last 3 of which can be repeated for ever: P0 still does not know who leads" in text
    assert text.endswith("counter-example: mutoscope play ring-election-skipping-E2.toml\n")
    assert main(["check", "centralized", "--nodes", "2"]) == 0
    assert "Timers may run out at any moment." in capsys.readouterr().out
    assert main(["check", "bully", "--nodes", "2", "--timeouts", "1"]) == 0
    text = capsys.readouterr().out
    assert "At most 1 timer may run out, at any moment; what more of them would do is left open." in text


def test_a_property_not_yet_seen_is_not_called_broken(capsys):
    assert main(["check", "centralized", "--nodes", "2", "--max-states", "2"]) == 0
    text = capsys.readouterr().out
    assert "Not all states were looked at: what holds does so as far as this went." in text
    assert "sometimes   entry       unseen  somebody is in the critical section" in text
    assert "BROKEN" not in text
    assert main(["check", "ring-election", "--variant", "swallowing", "--nodes", "2"]) == 0
    assert "sometimes   leader    BROKEN  an election has ended" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bullly"], "unknown algorithm 'bullly'; known are, for instance, bully"),
        (["bully", "--variant", "oracel"], '--variant: unknown variant of bully "oracel"; did you mean oracle?'),
        (["bully", "--nodes", "1"], "--nodes: expected 2 to 16 processes, got 1"),
        (["bully", "--nodes", "17"], "--nodes: expected 2 to 16 processes, got 17"),
        (["bully", "--crashes", "-1"], "argument --crashes: expected"),
        (["bully", "--losses", "many"], 'argument --losses: expected a whole number of at least 0, got "many"'),
        (["bully", "--param", "patience=3"], "--param: patience: unknown parameter of bully"),
        (["bully", "--param", "answer_time"], '--param: expected NAME=VALUE, got "answer_time"'),
        (["bully", "--topology", "torus"], '--topology: unknown topology "torus"'),
        (["wandering-token-report"], "wandering-token-report cannot be checked: it acts on"),
        (["uncoordinated", "-o", "nowhere/run.toml"], "nowhere/run.toml: cannot be written"),
        (["uncoordinated", "-o", "-"], '-o: expected a file, got "-"'),
        ([], "the following arguments are required: ALGORITHM"),
    ],
)
def test_wrong_arguments_get_one_sentence(words, sentence, capsys):
    assert main(["check", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


def test_ctrl_c_prints_the_findings_so_far():
    words = ["check", "ricart-agrawala", "--nodes", "4", "--requests", "2", "--json"]
    with subprocess.Popen(
        [*COMMAND, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    facts = json.loads(out)
    assert (process.returncode, err) == (130, b"")
    assert facts["complete"] is False
    assert facts["states"] > 10
    assert facts["properties"]["ME1"] == "holds"
