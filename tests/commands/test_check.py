"""`mutoscope check`: its output and files, and its answers to wrong arguments and to Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms import catalog, scenario_file
from tests.support.kit import heed_ctrl_c, verdicts, wait_for_work
from visual.command_line import main

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "import sys; from visual.command_line import main; sys.exit(main())"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def check_json(capsys: pytest.CaptureFixture[str], *words: str, code: int | None = None) -> dict[str, object]:
    """The object printed by --json, with the exit code `code` (default: 0, by --exit-zero)."""
    assert main(["check", *words, "--json", *(["--exit-zero"] if code is None else [])]) == (code or 0)
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


def test_json_reports_limits_counts_and_findings(capsys):
    facts = check_json(capsys, "token-ring", "--losses", "1", code=1)
    seconds, size = facts.pop("seconds"), facts.pop("bytes_per_state")
    assert facts == {
        "algorithm": "token-ring",
        "variant": None,
        "nodes": 3,
        "requests": 1,
        "faults": {"crashes": 0, "losses": 1, "duplicates": 0, "resets": 0},
        "cuts": [],
        "fifo": True,
        "timers": "at any moment",
        "timeouts": None,
        "states": 135,
        "reduced": False,
        "depth": 11,
        "random_runs": 0,
        "seed": None,
        "properties": {
            "ME1": "holds",
            "one token": "broken",
            "no error": "holds",
            "ME2": "broken",
            "entry": "holds",
            "contention": "holds",
        },
        "final_states": 8,
        "deadlocks": 7,
        "details": {
            "one token": "the token has been lost",
            "ME2": "P0's request (since 1) can never be served",
        },
        "broken_assumptions": {name: {"reliable": "a message is lost"} for name in ("one token", "ME2")},
        "counterexample": "token-ring-one-token.toml",
        "counterexamples": {"one token": "token-ring-one-token.toml", "ME2": "token-ring-ME2.toml"},
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
    assert [check_json(capsys, *ring, *more)["states"] for more in ([], ["--unordered"])] == [1780, 2388]


def test_the_text_states_assumptions_and_findings(capsys):
    ring = ["check", "ring-election", "--variant", "skipping", "--nodes", "2", "--crashes", "1", "--synchronous"]
    assert main(ring) == 1
    text = capsys.readouterr().out
    assert "Ring election (skipping): 2 processes, 1 request each, up to 1 crash, FIFO channels" in text
    assert "Timers may expire in their order, and only when no message is in transit." in text
    assert "E1        no two processes disagree about who is the leader\n            holds in all " in text
    assert "moves, the last 3 of which can be repeated forever: P0 can never learn who the leader is" in text
    assert "            counter-example: mutoscope play ring-election-skipping-E2.toml\n" in text
    assert main(["check", "centralized", "--nodes", "2"]) == 0
    assert "Timers may expire" not in capsys.readouterr().out, "it sets none"
    assert main(["check", "bully", "--nodes", "2", "--timeouts", "1"]) == 3
    text = capsys.readouterr().out
    assert "At most 1 timer may expire, at any moment; the effect of further timers is left open." in text
    assert "not refuted (some runs are cut short)" in text, "another timer might still inform everyone"


def test_nothing_holds_before_all_states_are_explored(capsys):
    assert main(["check", "centralized", "--nodes", "2", "--max-states", "2"]) == 3
    text = capsys.readouterr().out
    assert "Not all states were explored: “not refuted” means only that no violation was found." in text
    assert "entry       a process is in the critical section\n              not seen (0 moves deep)" in text
    assert "holds" not in text
    assert "BROKEN" not in text
    facts = check_json(capsys, "ricart-agrawala", "--nodes", "4", "--max-states", "500", code=3)
    assert facts["complete"] is False
    assert "holds" not in {facts["properties"][name] for name in ("ME1", "ME2", "ME3", "no error")}
    assert main(["check", "ring-election", "--variant", "swallowing", "--nodes", "2"]) == 1
    assert "leader    an election has ended\n            never happens" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("ricart-agrawala --nodes 2", 0),
        ("ricart-agrawala --nodes 2 --variant neither-defers", 1),
        ("ricart-agrawala --nodes 2 --variant neither-defers --max-states 40", 1),  # found before the limit
        ("ricart-agrawala --nodes 2 --max-states 10", 3),
        ("uncoordinated --nodes 2", 0),  # at most one inside is not promised there
        ("ricart-agrawala --nodes 2 --requests 0", 3),  # nobody enters: nothing has been shown
    ],
)
def test_the_exit_code_says_whether_the_promises_were_kept(words, code, capsys):
    assert main(["check", *words.split()]) == code
    assert main(["check", *words.split(), "--exit-zero"]) == 0


def test_every_broken_property_has_its_own_counterexample_and_none_is_overwritten(capsys):
    duplicates = ("ricart-agrawala", "--nodes", "2", "--requests", "2", "--duplicates", "1")
    first, second = check_json(capsys, *duplicates), check_json(capsys, *duplicates)
    names = {name for name, status in first["properties"].items() if status == "broken"}
    assert names == {"ME1", "ME3", "no error"}
    assert first["counterexamples"]["ME1"] == "ricart-agrawala-ME1.toml"
    assert second["counterexamples"]["no error"] == "ricart-agrawala-no-error-2.toml"
    assert len(list(Path().iterdir())) == 6
    assert first["broken_assumptions"] == {name: {"reliable": "a message is duplicated"} for name in names}
    for name in ("ME1", "ME3"):
        scenario = scenario_file.load(first["counterexamples"][name])
        run = catalog.simulation(scenario)
        run.run(until=scenario.until)
        assert verdicts(run)[name] == "broken"


def test_an_option_chooses_the_counterexample(capsys):
    broken = ("ricart-agrawala", "--nodes", "2", "--requests", "2", "--duplicates", "1")
    assert check_json(capsys, *broken, "--property", "ME1", "-o", "it.toml")["counterexamples"] == {"ME1": "it.toml"}
    assert scenario_file.load("it.toml").title == "Safety: broken after 10 moves"
    assert check_json(capsys, *broken, "-o", "shortest.toml")["counterexamples"] == {"no error": "shortest.toml"}
    facts = check_json(capsys, *broken, "-o", "new/folder/")
    assert sorted(facts["counterexamples"].values()) == sorted(map(str, Path("new/folder").iterdir()))
    assert check_json(capsys, *broken, "--property", "ME2")["counterexamples"] == {}
    assert main(["check", *broken, "--property", "ME7"]) == 2
    assert (
        '--property: unknown property "ME7"; expected one of ME1, ME3, "no error", ME2, entry, contention'
        in capsys.readouterr().err
    )


def test_a_report_is_printed_even_if_its_counterexamples_cannot_be_written(capsys):
    Path("no-folder").touch()
    for output in ("nowhere/run.toml", "no-folder/"):
        assert main(["check", "ricart-agrawala", "--variant", "both-defer", "--nodes", "2", "-o", output]) == 2
        printed = capsys.readouterr()
        assert "BROKEN after 4 moves" in printed.out
        assert f"mutoscope: {output}: cannot be written" in printed.err
        assert printed.err.count("\n") == 1


def test_one_kind_of_message_can_be_lost_or_duplicated(capsys):
    ring = ("token-ring", "--variant", "acknowledged", "--nodes", "2", "--synchronous")
    token, acknowledgement = (
        check_json(capsys, *ring, "--losses", f"{kind}=1")["properties"] for kind in ("token", "Acknowledgement")
    )
    # a token that is lost is sent again; if its acknowledgement is lost, it is sent twice
    assert (token["ME1"], acknowledgement["ME1"]) == ("holds", "broken")
    both = check_json(capsys, *ring, "--losses", "1")
    assert check_json(capsys, *ring, "--losses", "Token=1,Acknowledgement=0")["states"] < both["states"]
    assert check_json(capsys, *ring, "--losses", "1", "--losses", "Acknowledgement=0")["properties"]["ME1"] == "holds"
    replies = check_json(capsys, "ricart-agrawala", "--nodes", "2", "--requests", "2", "--duplicates", "Reply=1")
    requests = check_json(capsys, "ricart-agrawala", "--nodes", "2", "--requests", "2", "--duplicates", "Request=1")
    assert "broken" in {replies["properties"][name] for name in ("ME1", "no error")}
    assert requests["faults"]["duplicates of Request"] == 1


def test_a_link_can_be_cut_in_one_direction(capsys):
    """In a ring of three, the token travels from P0 to P1, never back."""
    against = check_json(capsys, "token-ring", "--cut", "1>0", code=0)
    along = check_json(capsys, "token-ring", "--cut", "0>1", code=1)
    both = check_json(capsys, "token-ring", "--cut", "P0-P1", code=1)
    assert (against["cuts"], along["cuts"], both["cuts"]) == (["1>0"], ["0>1"], ["0-1"])
    assert set(against["properties"].values()) == {"holds"}
    assert along["properties"]["one token"] == both["properties"]["one token"] == "broken"
    assert along["broken_assumptions"]["ME2"] == {"reliable": "a link is cut in one direction"}


def test_a_ring_with_equal_numbers_can_be_checked_and_fails(capsys):
    twins = check_json(capsys, "chang-roberts", "--param", "ids=[5,5,3]", code=1)
    assert (twins["properties"]["E1"], twins["details"]["E1"]) == (
        "broken",
        "P2 believes P0 is the leader, P1 believes P1 is",
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bullly"], "unknown algorithm 'bullly'; did you mean bully?"),
        (["bully", "--variant", "oracel"], '--variant: unknown variant of bully "oracel"; did you mean oracle?'),
        (["bully", "--nodes", "1"], "--nodes: expected 2 to 16 processes, got 1"),
        (["bully", "--nodes", "17"], "--nodes: expected 2 to 16 processes, got 17"),
        (["bully", "--crashes", "-1"], "argument --crashes: expected"),
        (["bully", "--requests", "none"], "expected a whole number, one for each process (0,1,1), or any; got"),
        (["bully", "--losses", "many"], 'argument --losses: expected a whole number of at least 0, got "many"'),
        (["bully", "--param", "patience=3"], "--param: patience: unknown parameter of bully"),
        (["bully", "--param", "answer_time"], '--param: expected NAME=VALUE, got "answer_time"'),
        (["bully", "--topology", "torus"], '--topology: unknown topology "torus"'),
        (["wandering-token-report"], "wandering-token-report cannot be checked: it acts on"),
        (["bully", "--cut", "0>3"], '--cut: expected two of the nodes 0 to 2, like 0-1 or 0>1, got "0>3"'),
        (["bully", "--losses", "Elektion=1"], '--losses: unknown kind of message "Elektion"; did you mean Election?'),
        (["uncoordinated", "-o", "-"], '-o: expected a file, got "-"'),
        ([], "the following arguments are required: NAME|FILE"),
    ],
)
def test_wrong_arguments_get_one_sentence(words, sentence, capsys):
    assert main(["check", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


def test_ctrl_c_prints_the_findings_so_far_and_ends_all_processes():
    words = ["check", "ricart-agrawala", "--nodes", "4", "--requests", "2", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [*COMMAND, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c,
    ) as process:
        wait_for_work(process, 1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    facts = json.loads(out)
    assert (process.returncode, err) == (130, b"")
    assert facts["complete"] is False
    assert facts["states"] > 10
    assert facts["properties"]["ME1"] == "not refuted"


def test_each_process_may_have_its_own_number_of_requests(capsys):
    found = check_json(capsys, "maekawa", "--variant", "as-published", "--nodes", "4", "--requests", "0,1,1,1")
    assert (found["states"], found["complete"], found["properties"]["ME2"]) == (8_432, True, "broken")
    assert found["requests"] == [0, 1, 1, 1]
    alone = check_json(capsys, "ricart-agrawala", "--nodes", "3", "--requests", "0,2,0")
    assert alone["properties"]["contention"] != "holds"
    assert main(["check", "ricart-agrawala", "--nodes", "3", "--requests", "1,1"]) == 2
    assert "expected one number, or one for each of 3 processes, got 2 numbers" in capsys.readouterr().err


def test_a_process_that_starves_is_found_only_if_fair_runs_are_asked_for(capsys):
    system = ("centralized", "--variant", "polling", "--nodes", "2", "--requests", "any")
    assert "fair liveness" not in check_json(capsys, *system)["properties"]
    facts = check_json(capsys, *system, "--fair", "--expect", "fair liveness", code=1)
    assert facts["requests"] is None
    assert facts["properties"]["ME2"] == "holds"
    assert facts["properties"]["fair liveness"] == "broken"
    assert facts["details"] == {"fair liveness": "P0's request (since 1) is never served if this repeats"}
    assert scenario_file.load(facts["counterexample"]).shows == "fair liveness"
    assert main(["check", *system, "--fair", "--exit-zero", "-o", "starved.toml"]) == 0
    printed = capsys.readouterr().out
    assert "2 processes, any number of requests, FIFO channels" in printed
    assert "BROKEN after 9 moves, the last 8 of which can be repeated forever" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("bully", "--fair", "--random", "3"), "--fair: expected no --random"),
        (("system-search", "--fair"), "--fair: expected an algorithm in which processes wait, got system-search"),
    ],
)
def test_fair_runs_need_all_states_and_processes_that_wait(capsys, words, reason):
    assert main(["check", *words]) == 2
    assert reason in capsys.readouterr().err
