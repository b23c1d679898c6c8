"""An algorithm in a file anywhere: named by its path, run if it is trusted, loaded again when it is saved."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.screens import check_draws
from visual.command_line import main
from visual.window import intents
from visual.window.action_table import perform
from visual.window.compare import rival_menu
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Dropped, Key, Tick
from visual.window.memory import unsaved
from visual.window.memory.unsaved import Autosave
from visual.window.pages.background_check import Check
from visual.window.screen import Screen
from visual.window.state import Budget, Interface
from visual.window.update import update

SHIPPED = Path(own_file.__file__).parents[1] / "mutual_exclusion/ricart_agrawala.py"
LOAD = ("--load", "closed:3", "--nodes", "4", "--until", "30")
SCENARIO = 'format = 1\nalgorithm = "./mine.py"\nnodes = 3\nload = { kind = "closed", think = 4.0 }\n'


@pytest.fixture
def mine(nobody_trusted: Path) -> Path:
    """A copy of a shipped algorithm in the current folder, which nobody has agreed to run yet."""
    shutil.copy(SHIPPED, nobody_trusted / "mine.py")
    return nobody_trusted / "mine.py"


def save(file: Path, text: str) -> None:
    """Save a file at a later time than before, as an editor does."""
    later = file.stat().st_mtime_ns + 1_000_000
    file.write_text(text, "utf-8")
    os.utime(file, ns=(later, later))


def output(capsys, *words: str) -> str:
    capsys.readouterr()
    assert main(words) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def error(capsys, *words: str) -> str:
    capsys.readouterr()
    assert main(words) == 2
    return capsys.readouterr().err


# ---- commands ----------------------------------------------------------------------------------------------


def test_a_file_runs_as_the_same_algorithm_does_in_the_catalogue(mine, capsys):
    for words in (("run", *LOAD, "--json"), ("why", *LOAD, "--at", "9")):
        command, *rest = words
        assert output(capsys, command, "./mine.py", *rest) == output(capsys, command, "ricart-agrawala", *rest)
    own, shipped = (
        [json.loads(line) for line in output(capsys, "trace", name, *LOAD).splitlines()]
        for name in ("./mine.py", "ricart-agrawala")
    )
    assert own[0].pop("algorithm") == {"file": "mine.py", "digest": own_file.load("mine.py").digest}
    assert own == shipped
    own, shipped = (
        json.loads(output(capsys, "check", name, "--nodes", "2", "--json")) for name in ("mine.py", "ricart-agrawala")
    )
    assert (own["states"], own["properties"]) == (shipped["states"], shipped["properties"])
    output(capsys, "shot", "mine.py", *LOAD, "--at", "9", "-o", "mine.svg")
    assert "mutoscope play mine.py" in Path("mine.svg").read_text("utf-8")


def test_a_file_is_explained_like_an_algorithm_of_the_catalogue(mine, capsys):
    own, shipped = (output(capsys, "list", name) for name in ("./mine.py", "ricart-agrawala"))
    assert own.splitlines()[0] == shipped.splitlines()[0] == "Ricart–Agrawala"
    assert own.partition("YOUR OWN")[0] == shipped.partition("MUTUAL EXCLUSION")[0]


def test_a_file_can_be_compared_with_an_algorithm_of_the_catalogue(mine, capsys):
    output(capsys, "shot", "token-ring", "--beside", "./mine.py", "--at", "9", "-o", "two.svg")
    drawn = Path("two.svg").read_text("utf-8")
    assert "Token ring" in drawn
    assert "Ricart–Agrawala" in drawn


def test_a_mistake_names_the_file_as_it_was_given_and_its_line(mine, capsys):
    text = mine.read_text("utf-8")
    for right, wrong, words, place in (
        ("def setup(self):", "def setup(self)", "mutoscope: mine.py, line LINE: SyntaxError: expected ':'", ""),
        ("self.clock += 1", "self.clok += 1", "in acquire of P", ""),
        ("self.clock += 1", "self.clok += 1", "(mine.py, line LINE)", ""),
        ("ALGORITHM =", "A =", "mutoscope: mine.py: expected ALGORITHM = Algorithm(name=", ""),
        ("import Algorithm", "import Algorythm", "mutoscope: mine.py, line LINE: ImportError", ""),
        ("def on_reply", "def on_repl", "mine.py, line LINE: TypeError: RicartAgrawala has no on_reply", "ALGORITHM ="),
    ):
        own_file._loaded.clear()
        mine.write_text(text.replace(right, wrong, 1), "utf-8")
        line = text[: text.index(place or right)].count("\n") + 1
        assert words.replace("LINE", str(line)) in error(capsys, "run", "mine.py", "--load", "closed:2")
    assert "nowhere.py: there is no such file" in error(capsys, "run", "nowhere.py")
    mine.write_bytes(b"\xff\xfe")
    own_file._loaded.clear()
    assert "mine.py: expected text in UTF-8" in error(capsys, "run", "mine.py")


def test_two_files_of_the_same_name_are_two_algorithms(mine, capsys):
    Path("other").mkdir()
    Path("other/mine.py").write_text(
        mine.read_text("utf-8").replace('title="Ricart–Agrawala"', 'title="Other"'), "utf-8"
    )
    assert "Ricart–Agrawala: " in output(capsys, "run", "mine.py")
    assert "Other: " in output(capsys, "run", "other/mine.py")


def test_other_processes_of_the_program_run_the_file_too(mine, capsys):
    """Those that repeat a run, check in the background, measure and draw films."""
    right = mine.read_text("utf-8")
    mine.write_text(right.replace("(self.clock, self.id)\n", "(self.clock, hash('a'))\n"), "utf-8")
    assert "goes differently in another process" in error(capsys, "run", "mine.py", *LOAD)
    save(mine, right)
    own_file.reload("mine.py")
    check = Check(Scenario(own_file.trust("mine.py"), nodes=2), Budget(nodes=2))
    while check.outcome is None:
        check.receive()
    check.close()
    assert check.outcome.trouble == ""
    assert {result.name: result.status for result in check.outcome.results}["ME1"] == "holds"


# ---- scenarios ---------------------------------------------------------------------------------------------


def test_a_scenario_names_a_file_beside_it_and_runs_it_only_with_trust(mine, tmp_path, monkeypatch, capsys):
    Path("s.toml").write_text(SCENARIO, "utf-8")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    for command in ("run", "trace", "why", "shot", "film"):
        sentence = error(capsys, command, "../s.toml")
        assert sentence.startswith("mutoscope: s.toml: algorithm: it would run the code in ")
        assert "mine.py; add --trust" in sentence
    assert "Ricart–Agrawala: 3 nodes" in output(capsys, "run", "../s.toml", "--trust")


def test_a_saved_run_names_the_file_and_refuses_a_changed_one(mine, tmp_path, capsys):
    own_file.trust("mine.py")
    scenario = scenario_file.loads(SCENARIO)
    scenario_file.save(scenario, "saved.toml")
    text = Path("saved.toml").read_text("utf-8")
    assert 'algorithm = "./mine.py"\n' in text
    assert f'digest = "{own_file.load("mine.py").digest}"\n' in text
    assert scenario_file.load("saved.toml") == scenario
    (tmp_path / "sub").mkdir()
    scenario_file.save(scenario, "sub/saved.toml")
    assert f'algorithm = "{mine.as_posix()}"\n' in Path("sub/saved.toml").read_text("utf-8")
    assert scenario_file.load("sub/saved.toml") == scenario
    save(mine, mine.read_text("utf-8") + "# changed\n")
    own_file.reload("mine.py")
    with pytest.raises(BadInput, match=r"^saved.toml: digest: mine.py has changed since this was saved; restore"):
        scenario_file.load("saved.toml")


def test_counterexamples_of_a_file_open_again(mine, capsys):
    save(mine, mine.read_text("utf-8").replace("return self.stamp < request.stamp", "return False"))
    assert main(["check", "mine.py", "--nodes", "2", "-o", "both.toml"]) == 1
    assert 'algorithm = "./mine.py"' in Path("both.toml").read_text("utf-8")
    capsys.readouterr()
    assert main(["run", "both.toml", "--trust"]) == 1
    assert "ME1                     at most one" in capsys.readouterr().out


# ---- the window --------------------------------------------------------------------------------------------


def opened(name: str = "deferred-reply") -> tuple[Interface, Screen]:
    return Interface().resized(1280, 720), Screen(desk_of(scenario_of(name)))


def test_a_dropped_algorithm_runs(mine):
    interface, screen = opened()
    interface = update(interface, screen, Dropped("mine.py"))
    check_draws(interface, screen)
    assert screen.desk.front.scenario.algorithm == "mine.py"
    assert screen.desk.front.name == "Ricart–Agrawala"


def test_the_window_asks_before_it_runs_the_code_that_a_scenario_names(mine):
    mine.write_text(mine.read_text("utf-8") + '\nopen("ran", "w").close()\n', "utf-8")
    Path("s.toml").write_text(SCENARIO, "utf-8")
    interface, screen = opened()
    asked = update(interface, screen, Dropped("s.toml"))
    check_draws(asked, screen)
    refused = update(asked, screen, Key("Enter"))
    assert refused.menu is None
    assert screen.desk.front.scenario.algorithm == "ricart-agrawala"
    assert not Path("ran").exists()
    agreed = update(update(asked, screen, Key("Down")), screen, Key("Enter"))
    check_draws(agreed, screen)
    assert Path("ran").exists()
    assert screen.desk.front.scenario.algorithm == "mine.py"
    assert screen.desk.front.path == Path("s.toml")


def test_an_unsaved_run_of_a_file_asks_too_and_opens_where_it_was_left(mine, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    interface, screen = opened()
    for input_ in (Dropped("mine.py"), Key("Right"), Key("Down"), Key("C")):
        interface = update(interface, screen, input_)
    Autosave(unsaved.folder()).keep_up(screen.desk)
    (file,) = unsaved.files(unsaved.folder())
    monkeypatch.setenv(own_file.TRUST, "")  # as after a new start
    interface, screen = opened()
    asked = perform(interface, screen.desk, intents.open_unsaved(str(file)))
    check_draws(asked, screen)
    assert screen.desk.front.scenario.algorithm == "ricart-agrawala"
    update(update(asked, screen, Key("Down")), screen, Key("Enter"))
    run = screen.desk.front
    assert run.scenario.algorithm == "mine.py"
    assert "P0 crashes" in run.sentence
    assert run.path is None, "it is still a run that nobody has saved"


def test_a_file_is_compared_with_its_own_variants_and_the_catalogue_algorithms_of_its_kind(mine):
    """Also where its name is that of an algorithm of the catalogue."""
    variant = 'Variant(ALGORITHM.process, "It is the same.")'
    mine.write_text(
        f"{mine.read_text('utf-8')}\nfrom algorithms.engine.process import Variant\n"
        f"VARIANTS = {{ALGORITHM.name: {{'same': {variant}}}}}\n",
        "utf-8",
    )
    interface, screen = opened()
    for input_ in (Dropped("mine.py"), Key("A"), Key("Enter")):
        interface = update(interface, screen, input_)
    check_draws(interface, screen)
    offered = [entry.does for entry in rival_menu(screen.desk, "algorithm").entries if entry.does is not None]
    rivals = [(does.value.scenario.algorithm, does.value.scenario.variant) for does in offered]
    assert rivals[0] == ("mine.py", "same")
    assert {("ricart-agrawala", None), ("token-ring", None), ("lamport", None)} < set(rivals)
    assert not {"bully", "mine.py"} & {name for name, _ in rivals[1:]}
    perform(interface, screen.desk, offered[0])
    assert [run.scenario.algorithm for run in screen.desk.runs] == ["mine.py", "mine.py"]


def test_a_file_that_is_saved_begins_again_with_the_new_code_and_its_lines(mine):
    own_file.trust("mine.py")
    interface, screen = opened("mine.py")
    for _ in range(20):
        interface = update(interface, screen, Key("Right"))
    interface = update(interface, screen, Key("U"))
    interface = update(interface.with_display(stops=True), screen, Key("Space"))
    assert screen.desk.front.timeline.step
    text = mine.read_text("utf-8").replace(
        "self.stamp = (self.clock, self.id)", "self.stamp = (self.clock + 1, self.id)"
    )
    save(mine, text.replace('title="Ricart–Agrawala"', 'title="Mine"'))
    interface = update(interface, screen, Tick(0.1))
    assert interface.notice.words == "mine.py has been saved: the run begins again."
    assert screen.desk.front.now < 1.0
    assert screen.desk.front.name == "Mine"
    assert interface.playback.playing, "the run goes on from the beginning"
    assert interface.display.stops, "and stops where it would have stopped"
    interface = update(interface, screen, Key("Space"))
    for _ in range(6):
        interface = update(update(interface, screen, Key("Right")), screen, Tick(1.0))
        check_draws(interface, screen)
    assert any(process.stamp == (2, process.id) for process in screen.desk.front.simulation.processes)
    lit = [line for line in screen.desk.front.execution.lines if "mine.py" in line.file]
    assert lit


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("def setup(self):", "def setup(self)", "mine.py, line 21: SyntaxError: expected ':'"),
        ("self.clock = 0", "self.clock = 1 / 0", "cannot be set up, in setup of P0: ZeroDivisionError"),
    ],
)
def test_a_mistake_that_is_saved_is_reported_once_and_the_old_run_stays(mine, right, wrong, words):
    own_file.trust("mine.py")
    interface, screen = opened("mine.py")
    for _ in range(5):
        interface = update(interface, screen, Key("Right"))
    step, good = screen.desk.front.timeline.step, mine.read_text("utf-8")
    save(mine, good.replace(right, wrong))
    interface = update(interface, screen, Tick(0.1))
    assert words in interface.notice.words
    assert screen.desk.front.timeline.step == step
    interface = update(interface, screen, Tick(9.0))
    assert interface.notice is None
    check_draws(interface, screen)
    assert update(interface, screen, Key("Right")).notice is None
    save(mine, good)
    assert "begins again" in update(interface, screen, Tick(0.1)).notice.words
