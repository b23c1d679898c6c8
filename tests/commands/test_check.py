"""`mutoscope check`: what it prints and writes, and what it says to nonsense and to Ctrl-C."""

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


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """The object that --json prints."""
    assert main(["check", *words, "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out)


def test_the_object_tells_what_was_looked_at_and_what_was_found(capsys):
    told = checked(capsys, "token-ring", "--losses", "1")
    seconds, size = told.pop("seconds"), told.pop("bytes_per_state")
    assert told == {
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


def test_the_counterexample_is_a_run_to_play_where_one_wants_it(capsys):
    told = checked(capsys, "ricart-agrawala", "--variant", "current-clock", "--nodes", "2", "-o", "both-inside.toml")
    assert told["counterexample"] == "both-inside.toml"
    scenario = scenario_file.load("both-inside.toml")
    assert (scenario.title, len(scenario.events)) == ("Safety: broken after 6 moves", 6)


def test_where_nothing_breaks_no_file_is_written(capsys):
    assert checked(capsys, "centralized", "--nodes", "2")["counterexample"] is None
    assert not list(Path().iterdir())


def test_options_reach_the_checker(capsys):
    assert checked(capsys, "bully", "--crashes", "1", "--nodes", "2")["properties"]["E1"] == "broken"
    assert checked(capsys, "bully", "--crashes", "1", "--nodes", "2", "--synchronous")["properties"]["E1"] == "holds"
    assert checked(capsys, "bully", "--timeouts", "0", "--nodes", "2")["properties"]["E1"] == "holds"
    assert checked(capsys, "chang-roberts", "--param", "ids=[9,4,7]")["properties"]["E2"] == "holds"
    assert checked(capsys, "token-ring", "--duplicates", "1")["properties"]["ME1"] == "broken"
    assert checked(capsys, "ricart-agrawala", "--nodes", "2", "--resets", "1")["properties"]["no error"] == "broken"
    few = checked(capsys, "ricart-agrawala", "--requests", "2", "--max-states", "100")
    assert (few["complete"], few["requests"], 100 <= few["states"] < 120) == (False, 2, True)
    ring = ("ring-election", "--requests", "2", "--nodes", "2")
    assert [checked(capsys, *ring, *more)["states"] for more in ([], ["--unordered"])] == [1758, 1631]


def test_the_text_says_what_was_assumed_what_holds_and_how_the_rest_breaks(capsys):
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


def test_what_was_not_seen_in_the_first_states_is_not_called_broken(capsys):
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
def test_nonsense_gets_one_sentence(words, sentence, capsys):
    assert main(["check", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.count("\n") == 1


def test_ctrl_c_prints_what_is_known_so_far():
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
    told = json.loads(out)
    assert (process.returncode, err) == (130, b"")
    assert told["complete"] is False
    assert told["states"] > 10
    assert told["properties"]["ME1"] == "holds"
