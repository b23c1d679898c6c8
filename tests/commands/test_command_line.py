"""The command line: the output of each command, and one sentence with exit code 2 for wrong arguments."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from visual.command_line import COMMANDS, main
from visual.commands import output
from visual.commands.execution import check_length
from visual.commands.output import ProgressBar, bar, require_extra

ROOT = Path(__file__).parents[2]
SHORT = ("--until", "8")
PROGRAM = [sys.executable, "-c", "import sys; from visual.command_line import main; sys.exit(main())"]


def mutoscope(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a separate process."""
    return subprocess.run(
        [*PROGRAM, *words], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False
    )


TRACES = """
import sys
from algorithms import catalog
from visual.command_line import main
for name in sorted(catalog.by_name()):
  for variant in [[], *(["--variant", variant] for variant in sorted(catalog.find(name).variants))]:
    print(name, *variant, flush=True)
    words = ["--nodes", "6", "--until", "20", "--delay", "exponential:1", "--no-fifo", "--loss", "0.02", "--seed", "5"]
    assert main(["trace", "--algorithm", name, *variant, *words]) == 0
"""


# ---- trace -------------------------------------------------------------------------------------------------


def test_traces_do_not_depend_on_hash_seeds(capfdbinary):
    exec(TRACES, {})  # with the hashes of this process
    here = capfdbinary.readouterr().out
    other = subprocess.run(
        [sys.executable, "-c", TRACES],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=False,
    )
    assert (other.returncode, other.stderr) == (0, b"")
    assert here == other.stdout
    assert here.count(b"\n") > 30 * len(catalog.by_name())


def test_a_trace_has_one_object_per_step_with_messages_by_name(capsys):
    assert main(["trace", "equal-stamps"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    request = {"kind": "send", "seq": 3, "message": "Request", "fields": {"stamp": [1, 1]}, "from": 1, "to": 0}
    assert steps[1] == {
        "step": 1,
        "time": 1.0,
        "event": {"kind": "request", "node": 1},
        "effects": [{**request, "due": 2.0}, {**request, "seq": 4, "to": 2, "due": 2.0}],
    }
    assert steps[3]["event"] == {**request, "kind": "deliver", "sent": 1.0}
    assert steps[8]["effects"] == [{"kind": "enter", "node": 1}]


def test_a_trace_contains_the_interventions(capsys):
    assert main(["trace", "lost-token"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    loss = next(step for step in steps if step["event"]["kind"] == "fault")
    assert loss["event"] == {"kind": "fault", "at": 20.5, "do": "lose-token"}
    assert [(effect["kind"], effect["message"]) for effect in loss["effects"]] == [("lost", "Token")]


def test_a_trace_in_a_file_equals_the_printed_one(capsys, tmp_path):
    target = tmp_path / "trace.jsonl"
    assert main(["trace", *SHORT, "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    main(["trace", *SHORT])
    assert target.read_text(encoding="utf-8") == capsys.readouterr().out


# ---- the scenario's values ---------------------------------------------------------------------------------


def trace_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["trace", *words]) == 0
    return capsys.readouterr().out


def test_options_are_equivalent_to_a_file(capsys, tmp_path):
    file = tmp_path / "same.toml"
    file.write_text("""
        format = 1
        algorithm = "token-ring"
        nodes = 8
        seed = 3
        until = 30
        [network]
        delay = { kind = "uniform", low = 0.8, high = 1.2 }
        fifo = false
        loss = 0.01
        [load]
        kind = "poisson"
        rate = 0.1
        hold = { kind = "exponential", mean = 1 }
        [[event]]
        at = 5
        do = "crash"
        node = 2
        [[event]]
        at = 9
        do = "recover"
        node = 2
        memory = false
        [[event]]
        at = 12
        do = "load"
        load = { kind = "burst", every = 7, share = 0.5 }
        [[event]]
        at = 20
        do = "partition"
        groups = [[0, 1], [2, 3]]
        """)
    options = ["--algorithm", "token-ring", "--nodes", "8", "--seed", "3", "--until", "30"]
    options += ["--delay", "uniform:0.8,1.2", "--no-fifo", "--loss", "0.01", "--load", "poisson:0.1"]
    options += ["--hold", "exponential:1", "--event", "5 crash node=2", "--event", "9 recover node=2 memory=false"]
    options += ["--event", "12 load load=burst:7,0.5", "--event", "20 partition groups=[[0,1],[2,3]]"]
    assert trace_of(capsys, *options) == trace_of(capsys, str(file))


def test_an_option_overrides_one_key_of_the_file(capsys):
    other = trace_of(capsys, "busy-ring", "--load", "closed:5")
    rewritten = (scenario_file.find("busy-ring")).read_text().replace('"saturated"', '"closed"\nthink = 5')
    same = scenario_file.loads(rewritten)
    assert same.load.hold.value == 2.0
    run = catalog.simulation(same)
    run.run(same.until)
    assert len(other.splitlines()) == run.steps


def test_an_algorithms_name_is_enough(capsys):
    assert trace_of(capsys, "token-ring", *SHORT) == trace_of(capsys, "--algorithm", "token-ring", *SHORT)


def test_another_algorithm_drops_the_variant_of_the_file(capsys, tmp_path):
    file = tmp_path / "mutant.toml"
    file.write_text('format = 1\nalgorithm = "ricart-agrawala"\nvariant = "impatient"\n')
    assert main(["trace", str(file), "--algorithm", "token-ring", *SHORT]) == 0


# ---- play --------------------------------------------------------------------------------------------------


def test_play_opens_the_window_on_the_file(monkeypatch, tmp_path):
    window = pytest.importorskip("visual.window.app")
    opened = []

    def open_window(scenario, path, *, gallery, beside, step, time, how):
        opened.append((scenario, path, gallery, beside and beside.scenario.algorithm))
        return 0

    monkeypatch.setattr(window, "open_window", open_window)
    file = tmp_path / "mine.toml"
    file.write_text('format = 1\ntitle = "mine"\nalgorithm = "token-ring"\n')
    assert main(["play", str(file)]) == 0
    assert main(["play", "lost-token", "--nodes", "4"]) == 0
    assert main(["play", str(file), "--beside", "ricart-agrawala"]) == 0
    assert main([]) == 0
    assert [(scenario.title, scenario.nodes, *more) for scenario, *more in opened] == [
        ("mine", 5, file, False, None),
        (scenario_file.load(scenario_file.find("lost-token")).title, 4, None, False, None),
        ("mine", 5, file, False, "ricart-agrawala"),
        (scenario_file.load(scenario_file.find(scenario_file.DEFAULT)).title, 5, None, True, None),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":7777"}], ids=["none", "gone"])
def test_without_a_display_the_scenario_runs_and_is_drawn(display, tmp_path):
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    bare = {name: value for name, value in os.environ.items() if name not in shown}
    done = subprocess.run(
        PROGRAM, cwd=tmp_path, env={**bare, **display, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=100
    )
    assert done.returncode == 0
    *_, sentence = done.stderr.decode().splitlines()  # the lines before it are from SDL
    assert sentence == "mutoscope: there is no display for a window, so the scenario runs without one"
    assert "2(N−1) = 8" in done.stdout.decode()
    assert (tmp_path / "mutoscope.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "mutoscope.svg").read_text(encoding="utf-8").endswith("</svg>\n")


@pytest.mark.parametrize("words", [["play"], ["shot", "-o", "a.png"]], ids=" ".join)
@pytest.mark.parametrize(
    ("pygame", "parts"),
    [
        (None, ["need pygame-ce: python -m pip install pygame-ce"]),
        (ModuleType("pygame"), ["plain pygame has overwritten pygame-ce", "pip uninstall -y pygame pygame-ce"]),
    ],
    ids=["missing", "plain"],
)
def test_without_pygame_ce_an_error_says_how_to_install_it(words, pygame, parts, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pygame", pygame)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert all(part in error for part in parts)


def test_a_missing_extra_is_reported_with_its_install_command():
    with pytest.raises(
        BadInput, match=r'^a cluster needs no_such_module: python -m pip install "mutoscope\[cluster\]"$'
    ):
        require_extra("no_such_module", "cluster", "a cluster needs")
    require_extra("json", "cluster", "a cluster needs")


def test_a_hyphen_stands_for_the_standard_output(capsysbinary):
    output.write("-", [b"<svg", b"/>"])
    assert capsysbinary.readouterr().out == b"<svg/>"


# ---- list and help -----------------------------------------------------------------------------------------


def test_list_names_every_algorithm_and_scenario(capsys):
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    for name in [*catalog.by_name(), *scenario_file.names()]:
        assert f"  {name} " in text


def test_list_json_describes_an_algorithm_completely(capsys):
    assert main(["list", "--json"]) == 0
    lists = json.loads(capsys.readouterr().out)
    ring = next(a for a in lists["algorithms"] if a["name"] == "token-ring")
    assert (ring["family"], ring["topology"]) == ("mutual exclusion", "ring")
    assert ring["cost"]["formula"] == "1 … N"
    assert {s["name"] for s in lists["scenarios"]} == set(scenario_file.names())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, capsys):
    assert main([command, "--help"]) == 0
    assert f"  mutoscope {command}" in capsys.readouterr().out


def test_the_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n  {command} " in text for command in COMMANDS)


def test_the_version_is_printed(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("mutoscope ")


# ---- run ---------------------------------------------------------------------------------------------------


def test_run_json_prints_one_object_with_the_counters(capsys):
    words = ["--algorithm", "token-ring", "--nodes", "8", "--load", "poisson:0.1", "--hold", "1", "--delay", "1"]
    assert main(["run", *words, "--until", "1000", "--seed", "3", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert [summary[key] for key in ("algorithm", "nodes", "seed", "time")] == ["token-ring", 8, 3, 1000.0]
    assert summary["messages"]["total"] == summary["messages"]["by_type"]["Token"]
    assert summary["entries"] == sum(summary["entries_per_node"])
    assert sum(summary["concurrency"].values()) == pytest.approx(1000)
    assert summary["monitors"]["ME1"]["status"] == "holds"


def test_run_prints_measurements_beside_the_formula(capsys):
    assert main(["run", "deferred-reply", "--nodes", "7"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "per entry" in line)
    assert line.split() == ["per", "entry", "12.00", "formula:", "2(N−1)", "=", "12"]


def test_run_reports_broken_properties_in_words(capsys):
    assert main(["run", "two-cash-machines"]) == 0
    assert "broken at step 5: P0 enters while P1 is inside" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(catalog.by_name()))
def test_every_algorithm_can_be_run_and_reported(name, capsys):
    assert main(["run", name, "--until", "30"]) == 0
    printed = capsys.readouterr().out
    assert "messages" in printed or "rules applied" in printed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_shows_a_bar_on_a_terminal_and_removes_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("visual.commands.output.wall_clock", iter(range(100)).__next__)
    with ProgressBar("running") as progress:
        progress.show(0.25)
    assert "running" in terminal.getvalue()
    assert " 25 %, " in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_there_is_no_bar_in_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr("visual.commands.output.wall_clock", iter(range(100)).__next__)
    with ProgressBar("running") as progress:
        progress.show(0.25)
    assert capsys.readouterr().err == ""


def test_the_bar_shows_the_time_left():
    assert bar("running", 0.25, 3.0) == f"running {'━' * 8}{'─' * 22}  25 %, 9 s left"


# ---- what is wrong -----------------------------------------------------------------------------------------

WRONG = [
    # (arguments, parts of the one sentence)
    (["rnu"], ["unknown command 'rnu'", "did you mean run?"]),
    (["xyzzy"], ["unknown command 'xyzzy'", "expected one of play, run, trace"]),
    (["demo.toml"], ["unknown command 'demo.toml'", "mutoscope play demo.toml"]),
    (["run", "--nodez", "4"], ["unknown option '--nodez'", "did you mean --nodes?"]),
    (["run", "--nodez=4"], ["unknown option", "did you mean --nodes?"]),
    (["run", "--see", "4"], ["unknown option '--see'", "did you mean --seed?"]),
    (["--nodez", "4"], ["unknown option '--nodez'", "did you mean --nodes?"]),
    (["run", "busy-ring", "idle-ring"], ["unknown argument 'idle-ring'"]),
    (["list", "everything"], ["unknown algorithm 'everything'"]),
    (["run", "--seed"], ["--seed", "expected one argument"]),
    (["run", "busy-rnig"], ["unknown scenario 'busy-rnig'", "busy-ring"]),
    (["run", "nowhere.toml"], ["nowhere.toml", "there is no such file"]),
    (["run", "."], ["unknown scenario '.'"]),
    (["run", ""], ["unknown scenario ''"]),
    (["run", "--algorithm", "token-rnig"], ["--algorithm: ", "did you mean token-ring?"]),
    (["run", "--algorithm", ""], ["--algorithm: ", "expected a name"]),
    (["run", "--variant", "xyz"], ["--variant: ", "unknown variant of ricart-agrawala"]),
    (["run", "--nodes", "x"], ["--nodes: ", "expected a number of nodes", 'got "x"']),
    (["run", "--nodes", "0"], ["--nodes: ", "from 2 to 100000", "got 0"]),
    (
        ["trace", "--duplicate", "0.5"],
        ["ricart-agrawala fails in step ", "KeyError", "in on_reply of P2", "assumption broken: reliable"],
    ),
    (["shot", "--duplicate", "0.5", "-o", "never.svg"], ["ricart-agrawala fails in step "]),
    (["shot", "--duplicate", "0.5", "--steps", "9..30", "-o", "{n}.svg"], ["ricart-agrawala fails in step "]),
    (["run", "--nodes", "-3"], ["--nodes: ", "got -3"]),
    (["run", "--nodes", "2.5"], ["--nodes: ", "got 2.5"]),
    (["run", "--nodes", "[1]"], ["--nodes: ", "got [1]"]),
    (["run", "--nodes", "1\nseed = 2"], ["--nodes: ", "expected a number of nodes"]),
    (["run", "--nodes", "2"], ["deferred-reply.toml: load.requests[0].node: ", "from 0 to 1, got 2"]),
    (["run", "--seed", "1e3"], ["--seed: ", "a whole number", "got 1000.0"]),
    (["run", "--until", "1e308"], ["--until: ", "at most 1e+09"]),
    (["shot", "--at", "1e300"], ["--at: ", "from 0 to 1e+09"]),
    (["shot", "--steps", "999999998..999999999"], ["--steps: expected steps up to 1000000"]),
    (["run", "--until", "0"], ["--until: ", "a time above 0"]),
    (["run", "--until", "nan"], ["--until: ", "got nan"]),
    (["run", "--until", "inf"], ["--until: ", "got inf"]),
    (["run", "--patience", "-1"], ["--patience: ", "got -1"]),
    (["run", "--topology", "rnig"], ["--topology: ", "did you mean ring"]),
    (["run", "--topology", "nowhere.graphml"], ["--topology: file: ", "there is no file"]),
    (["run", "--topology", "picture.png"], ["--topology: file: ", ".graphml", "picture.png"]),
    (["run", "--load", "poison:1"], ["--load: ", "did you mean poisson?"]),
    (["run", "--load", "poisson"], ["--load: rate: ", "got nothing"]),
    (["run", "--load", "poisson:"], ["--load: rate: ", "got nothing"]),
    (["run", "--load", "poisson:x"], ["--load: rate: ", 'got "x"']),
    (["run", "--load", "poisson:-1"], ["--load: rate: ", "got -1"]),
    (["run", "--load", "poisson:1,2"], ["--load: ", "poisson with at most 1 value"]),
    (["run", "--load", "renewal:unifrom:1,2"], ["--load: gap: ", "did you mean uniform?"]),
    (["run", "--load", "saturated:1"], ["--load: ", "saturated with at most 0 values"]),
    (["run", "--load", "burst:20,2"], ["--load: share: ", "got 2"]),
    (["run", "--load", ""], ["--load: ", "unknown kind of load"]),
    (["run", "--hold", "-1"], ["--hold: ", "got -1"]),
    (["run", "--hold", "long"], ["--hold: ", "unknown kind of distribution"]),
    (["run", "--load", "saturated", "--hold", "0"], ["--hold: ", "above 0"]),
    (["run", "token-ring", "--delay", "0"], ["time stands still at 0: messages, which have no delay, are repeated"]),
    (
        ["run", "wandering-token-report", "--load", "closed:5"],
        ["--load: ", "enters of its own accord", "expected none"],
    ),
    (["run", "--algorithm", "token_ring"], ["--algorithm: unknown algorithm", "did you mean token-ring?"]),
    (["run", "token_ring"], ["unknown scenario"]),
    (["run", "--event", "crash"], ["--event"]),
    (["shot", "--at", "61"], ["--at: the run ends at 16, before 61 (--until lets it go on)"]),
    (["shot", "--at", "marker:foo"], ['--at: unknown marker "foo"; expected "the wait"']),
    (["shot", "-o", "nowhere/p.svg"], ["nowhere/p.svg: cannot be written (there is no folder nowhere; create it"]),
    (["run", "--delay", "uniform:2,1"], ["--delay: low: ", "at most high"]),
    (["run", "--delay", "uniform:2"], ["--delay: high: ", "got nothing"]),
    (["run", "--delay", "unifrom:1,2"], ["--delay: ", "did you mean uniform?"]),
    (["run", "--loss", "2"], ["--loss: ", "from 0 to 1, got 2"]),
    (["run", "--loss", "true"], ["--loss: ", "got true"]),
    (["run", "--duplicate", "x"], ["--duplicate: ", 'got "x"']),
    (["run", "--param", "dmin"], ["--param: ", "expected NAME=VALUE"]),
    (["run", "--param", "=3"], ["--param: ", "expected NAME=VALUE"]),
    (["run", "--param", "dmin=600"], ["--param dmin: ", "unknown parameter of ricart-agrawala"]),
    (["run", "--event", ""], ["--event", "a time, an event"]),
    (["run", "--event", "15"], ["--event", "a time, an event"]),
    (["run", "--event", "soon crash node=2"], ['--event "soon crash node=2": at: ', 'got "soon"']),
    (["run", "--event", "15 crahs node=2"], ["--event", "do: ", "did you mean crash?"]),
    (["run", "--event", "15 crash"], ["--event", "node: ", "which crash needs"]),
    (["run", "--event", "15 crash 2"], ["--event", "expected NAME=VALUE", 'got "2"']),
    (["run", "--event", "15 crash node=7"], ["--event", "node: ", "from 0 to 4, got 7"]),
    (["run", "--event", "15 crash nod=2"], ["--event", "nod: ", "did you mean node?"]),
    (["run", "--event", "15 lose-token"], ["--event", "do: ", "ricart-agrawala has none"]),
    (["run", "--event", "15 load load=poison:1"], ["--event", "load: ", "did you mean poisson?"]),
    (["trace", "-o", "no/such/folder/trace.jsonl", *SHORT], ["no/such/folder/trace.jsonl", "cannot be written"]),
    (["trace", "-o", ".", *SHORT], [".", "cannot be written"]),
]


@pytest.mark.parametrize(("words", "parts"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_arguments_get_one_sentence_and_exit_code_2(words, parts, capsys):
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("mutoscope: ")
    assert printed.err.count("\n") == 1
    for part in parts:
        assert part in printed.err


FILES = [
    (b"", "format: expected 1"),
    (b"not toml", "not valid TOML"),
    (b"\xff", "expected text in UTF-8"),
    (b"format = 1\nalgorithm = 'token-ring'\nload = 3\n", 'load: expected a table such as { kind = "closed"'),
    (b"format = 1\nalgorithm = 'token-ring'\n[network]\nlos = 1\n", 'network.los: unknown key "los"'),
]


@pytest.mark.parametrize(("content", "words"), FILES, ids=range(len(FILES)))
@pytest.mark.parametrize("command", ["run", "trace", "play"])
@pytest.mark.parametrize("options", [[], ["--seed", "1"], ["--hold", "1"]], ids=" ".join)
def test_a_wrong_file_gets_one_sentence_from_every_command(command, content, words, options, capsys, tmp_path):
    file = tmp_path / "demo.toml"
    file.write_bytes(content)
    assert main([command, str(file), *options]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"mutoscope: demo.toml: {words}")
    assert printed.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(
    "words", [["trace", "busy-ring"], ["list"], ["run"], ["--help"], ["shot", "-o", "-"]], ids=" ".join
)
def test_a_full_disk_gets_one_sentence(words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, *words], cwd=ROOT, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"mutoscope: the output cannot be written (No space left on device)\n"


def test_a_closed_pipe_causes_no_traceback():
    process = subprocess.Popen(
        [*PROGRAM, "trace", "busy-ring", "--until", "20000"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_a_character_missing_on_the_terminal_causes_no_traceback():
    done = mutoscope("run", "--algorithm", "ricart-agrawala", "--until", "20", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"2(N-1) = 8" in done.stdout


def test_ctrl_c_ends_with_130_and_no_traceback(monkeypatch, capsys):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("algorithms.catalog.simulation", interrupted)
    assert main(["run"]) == 130
    assert capsys.readouterr().err == "mutoscope: stopped\n"


@pytest.mark.parametrize("command", ["run", "trace", "shot"])
def test_an_unreachable_time_gets_one_sentence(command, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "visual.commands.execution.check_length", lambda run, until, most=0: check_length(run, until, most=1_000)
    )
    where = ["--until", "1e6", *(["--at", "1e6", "-o", "p.svg"] if command == "shot" else [])]
    assert main([command, "token-ring", *where]) == 2
    sentence = capsys.readouterr().err
    assert "after 1,000 steps the run is at " in sentence
    assert "not at 1e+06; expected an earlier time" in sentence
