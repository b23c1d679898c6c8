"""`mutoscope test`: right algorithms pass, each faulty submission fails with its flaw named, and nothing hangs."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.examination import demands
from algorithms.examination.demands import Demands
from algorithms.examination.examiner import trial_results
from tests.support.submissions import FAULTY, RIGHT, TOO_FAR
from visual.command_line import main
from visual.commands.new import template


@pytest.fixture(autouse=True)
def here(nobody_trusted: Path) -> Path:
    return nobody_trusted


def marks(capsys, *words: str) -> tuple[int, dict[str, dict]]:
    """The exit code of the command, and its results by the files' names."""
    code = main(["test", *words, "--json"])
    return code, {Path(mark["file"]).stem: mark for mark in json.loads(capsys.readouterr().out)["files"]}


def flaws(mark: dict) -> str:
    return " | ".join(words for trial in mark["trials"] for words in trial["flaws"])


BY_COMMAND = ("quits", "busy-waiting", "syntax", "never-defers")  # no file, no end, no answer, and a flaw with a run


def test_faulty_submissions_are_marked_by_one_command(here, capsys):
    chosen = [one for one in FAULTY if one.name in BY_COMMAND]
    (here / "submissions").mkdir()
    for submission in chosen:
        (here / "submissions" / f"{submission.name}.py").write_text(submission.text, "utf-8")
    code, found = marks(capsys, "submissions", "-o", "runs")
    assert (code, {*found}) == (1, {*BY_COMMAND})
    assert {mark["status"] for mark in found.values()} == {"failed"}
    assert {one.name: flaws(found[one.name]) for one in chosen if one.words not in flaws(found[one.name])} == {}
    assert [trial["trial"] for trial in found["busy-waiting"]["trials"]] == ["declaration", "own state"], (
        "once is enough"
    )


def test_thirty_faulty_submissions_do_not_pass_and_their_flaws_are_named():
    assert len(FAULTY) >= 30
    for one in FAULTY:
        if one.name not in BY_COMMAND:  # "quits" would end the tests
            found = trials_of(one.text, stem=one.name).values()
            assert {status for status, _ in found} != {"passed"}, one.name
            assert one.words in " | ".join(words for _, words in found), one.name


def trials_of(text: str, demanded: Demands | None = None, stem: str = "one") -> dict[str, tuple[str, str]]:
    """Trial -> its status and its flaws, of a file with that text."""
    file = Path(f"{stem}.py")
    file.write_text(text, "utf-8")
    own_file._loaded.clear()
    results = [result for _, result in trial_results(file, demanded or Demands()) if result]
    return {result.trial: (result.status, " | ".join(result.words)) for result in results}


@pytest.mark.parametrize("base", RIGHT)
def test_what_the_faulty_ones_were_made_from_passes(base):
    assert {status for status, _ in trials_of(RIGHT[base]).values()} == {"passed"}


SHIPPED = (
    *("mutual_exclusion/centralized", "mutual_exclusion/token_ring", "mutual_exclusion/suzuki_kasami"),
    *("mutual_exclusion/voting", "mutual_exclusion/binary_search_token", "election/bully", "election/chang_roberts"),
)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_algorithms_pass_what_holds_for_every_algorithm(name):
    text = (Path(own_file.__file__).parents[1] / f"{name}.py").read_text("utf-8")
    assert {trial: found for trial, found in trials_of(text).items() if found[0] != "passed"} == {}


@pytest.mark.parametrize("one", TOO_FAR, ids=lambda one: one.name)
def test_sending_beyond_the_neighbours_is_a_flaw_on_a_demanded_graph(one):
    assert one.words in trials_of(one.text, Demands(topology=one.base))["own state"][1]
    assert trials_of(RIGHT[one.base], Demands(topology=one.base))["own state"][0] == "passed"


def test_a_run_that_shows_a_flaw_plays_it(here, capsys):
    one = next(one for one in FAULTY if one.name == "grants-at-once")
    Path("mine.py").write_text(one.text, "utf-8")
    code, found = marks(capsys, "mine.py", "-o", "runs")
    trial = next(trial for trial in found["mine"]["trials"] if trial["trial"] == "every interleaving")
    assert (code, trial["property"], trial["run"]) == (1, "ME1", "runs/mine-ME1.toml")
    assert main(["run", trial["run"], "--trust", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["monitors"]["ME1"]["status"] == "broken"


# ---- demands -----------------------------------------------------------------------------------------------

SPEC = """
format = 1
title = "Exercise 3"
family = "mutex"
promises = ["ME1", "ME2", "ME3"]
nodes = [2, 3]
topology = "complete"
cost = { low = "2*(N-1)", high = "2*(N-1)" }
"""


def demanded(text: str) -> Demands:
    Path("spec.toml").write_text(text, "utf-8")
    return demands.read(Path("spec.toml"))


def test_a_teacher_s_demands_are_met_by_the_right_algorithm_only(here):
    spec = demanded(SPEC)
    assert {status for status, _ in trials_of(RIGHT["ricart"], spec).values()} == {"passed"}
    coordinator = trials_of(RIGHT["mutex"], spec)
    assert "does not promise ME3" in coordinator["declaration"][1]
    assert "for P1 alone of 2 processes, one entry costs 3 messages; expected 2, as the exercise says" in str(
        coordinator
    )
    assert "made for election; expected mutual exclusion" in trials_of(RIGHT["election"], spec)["declaration"][1]


def test_fair_liveness_may_be_demanded(here):
    """A coordinator with a queue keeps it, with a stack it does not: of three processes, two can overtake the third."""
    spec = demanded('format = 1\npromises = ["fair liveness"]\nnodes = [3]\nrequests = "any"\n')
    queue = RIGHT["mutex"].replace('("ME1", "ME2")', '("ME1", "ME2", "fair liveness")')
    assert {status for status, _ in trials_of(queue, spec).values()} == {"passed"}
    found = trials_of(queue.replace("pop(0)", "pop()"), spec)["every interleaving"]
    assert found[0] == "failed"
    assert "“fair liveness” fails with 3 processes: P" in found[1]
    assert "does not promise fair liveness" in trials_of(RIGHT["mutex"], spec)["declaration"][1]


def test_demanded_faults_must_be_survived():
    found = trials_of(RIGHT["ricart"], demanded("format = 1\nfaults = { losses = 1 }\n"))["every interleaving"]
    assert found[0] == "failed"
    assert "liveness (ME2) fails with 2 processes" in found[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "spec.toml: format: expected a whole number"),
        ("format = 2", "spec.toml: format: expected 1"),
        ('format = 1\nfamily = "mutx"', 'spec.toml: family: unknown family "mutx"; did you mean mutex?'),
        ('format = 1\npromises = ["ME9"]', "spec.toml: promises[0]: unknown property"),
        ("format = 1\nrequests = -1", 'spec.toml: requests: expected a whole number of at least 0, or "any", got -1'),
        ("format = 1\nnodes = [99]", "spec.toml: nodes[0]: expected 2 to 6 nodes, got 99"),
        ("format = 1\nnode = [2]", 'spec.toml: node: unknown key "node"; did you mean nodes?'),
        ('format = 1\ncost = { low = "import os" }', "spec.toml: cost.low: expected a formula in N"),
        ('format = 1\ncost = { low = "M" }', "spec.toml: cost.low: expected a formula in N"),
        ('format = 1\ncost = { low = "1/(N-2)" }', "spec.toml: cost.low: expected a formula in N"),
        ("format = 1\nfaults = { crashs = 1 }", "unknown key"),
    ],
)
def test_a_mistake_in_the_demands_is_reported_with_its_place(text, words):
    with pytest.raises(BadInput) as error:
        demanded(text)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2*(N-1)", {2: 2, 5: 8}),
        ("3*ceil(sqrt(N))", {4: 6, 5: 9}),
        ("N**2/2 - -1", {2: 3}),
        ("max(1, log2(N))", {2: 1, 8: 3}),
    ],
)
def test_a_formula_has_its_value(text, values):
    assert {nodes: demands.formula(text)(nodes) for nodes in values} == values


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are listed in /proc")
def test_what_a_file_has_started_ends_with_the_test(here, capsys):
    Path("mine.py").write_text(f"{RIGHT['mutex']}\n__import__('subprocess').Popen(['sleep', '321'])\n", "utf-8")
    assert main(["test", "mine.py"]) == 0
    for _ in range(50):  # a process ends soon after it is killed
        if not (left := [pid for pid in Path("/proc").glob("[0-9]*/cmdline") if is_sleeper(pid)]):
            break
        time.sleep(0.1)
    assert left == []


def is_sleeper(file: Path) -> bool:
    with suppress(OSError):  # it has ended meanwhile
        return b"sleep\x00321" in file.read_bytes()
    return False


def test_bad_input_is_reported_before_anything_is_tried(here, capsys):
    Path("empty").mkdir()
    Path("mine.py").write_text("", "utf-8")
    for words, sentence in (
        (["nowhere.py"], "nowhere.py: there is no such file"),
        (["empty"], "empty: there is no .py file in this folder"),
        (["mine.py", "--against", "no.toml"], "no.toml: cannot be read"),
        (["mine.py", "--seconds", "0"], "--seconds"),
    ):
        assert main(["test", *words]) == 2
        assert sentence in capsys.readouterr().err


# ---- templates ---------------------------------------------------------------------------------------------


def test_a_template_is_written_once_and_plays(here, capsys):
    assert main(["new", "lazy-ring", "--family", "ring"]) == 0
    assert "mutoscope play ./lazy_ring.py" in capsys.readouterr().out
    assert "class LazyRing(MutexProcess)" in Path("lazy_ring.py").read_text("utf-8")
    assert main(["run", "./lazy_ring.py"]) == 0
    assert capsys.readouterr().out.startswith("Lazy Ring: 5 nodes")
    assert main(["new", "lazy-ring"]) == 2
    assert "lazy_ring.py: this file exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["No Name"], "small letters"),
        (["x", "--family", "star"], "expected one of mutex"),
        (["x", "-o", "x.txt"], ".py"),
    ],
)
def test_a_wrong_name_or_family_is_refused(capsys, words, sentence):
    assert main(["new", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", ["3-phase", "a", "my-own-algorithm"])
def test_every_name_gives_a_file_that_loads(name):
    assert trials_of(template(name, "mutex"))["declaration"] == ("passed", "")
