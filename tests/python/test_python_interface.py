"""`import mutoscope`: the same results as the command line, and every example of its page runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import mutoscope
from algorithms import trace_file
from algorithms.authoring import own_file
from lessons.laboratory import sweep as stored
from tests.support.kit import for_each
from tests.support.notebook import NOTEBOOK, code_cells, executed, outputs
from tests.support.sources import ROOT
from visual.command_line import main
from visual.commands.new import template

PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")
EXAMPLES = [code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "mutoscope.lab(" not in code]


def test_the_numbers_are_those_of_the_command_line(capsys):
    words = ["run", "ricart-agrawala", "--nodes", "5", "--load", "closed:10", "--until", "100", "--seed", "3", "--json"]
    main([*words, "--exit-zero"])
    printed = json.loads(capsys.readouterr().out)
    run = mutoscope.simulate("ricart-agrawala", nodes=5, load="closed:10", until=100, seed=3)
    assert run.counters["messages"] == printed["messages"]
    assert run.counters["entries"] == printed["entries"]
    assert {name: verdict.status for name, verdict in run.verdicts.items()} == {
        name: monitor["status"] for name, monitor in printed["monitors"].items()
    }


@pytest.fixture
def here(nobody_trusted: Path, monkeypatch) -> Path:
    """A folder to work in, with an algorithm of one's own and an empty store of results."""
    folder = nobody_trusted
    monkeypatch.setattr(stored, "platformdirs", SimpleNamespace(user_cache_dir=lambda name: str(folder / name)))
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # a sweep sets it for its workers: it ends with the test
    (folder / "mine.py").write_text(template("mine", "ring"), "utf-8")
    return folder


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_of_the_page_runs_and_gives_what_it_says(code, here):
    names: dict[str, object] = {"mutoscope": mutoscope}
    for line in code.splitlines():
        source, _, said = line.partition("#")
        if not source.strip():
            continue
        try:
            value = eval(source.strip(), names)
        except SyntaxError:
            exec(source.strip(), names)
            continue
        if said.strip().startswith(("'", "[", "{")) or re.fullmatch(r"[\d.]+", said.strip()):
            assert value == eval(said.strip()), line


def test_a_branch_leaves_the_run_as_it_was():
    run = mutoscope.simulate("deferred-reply")
    before = run.trace()
    crashed = run.branch(at=5.6).act("crash", node=1)
    assert crashed.at(16).state(1) == "crashed"
    assert crashed.verdicts["ME2"].status != "holds"
    assert run.trace() == before
    again = crashed.branch(at=9).act("recover", node=1)
    assert again.at(16).state(1) != "crashed"


def test_a_saved_run_is_the_same_run(tmp_path):
    run = mutoscope.simulate("lost-token").branch(at=12).act("crash", node=2)
    run.save(tmp_path / "x.toml")
    assert mutoscope.load(tmp_path / "x.toml").trace() == run.trace()


def test_rows_are_the_trace_flat():
    run = mutoscope.simulate("coordinator")
    lines = [json.loads(line) for line in trace_file.lines(run._timeline.trace)]
    rows = run.trace()
    assert len(rows) == sum(1 + len(line["effects"]) for line in lines)
    assert len({tuple(row) for row in rows}) == 1, "every row has the same keys"
    first = next(row for row in rows if row["kind"] == "send")
    assert (first["message"], first["sender"], first["receiver"], first["step"]) == ("Request", 1, 0, 2)


def test_a_picture_shows_itself_in_a_notebook():
    picture = mutoscope.simulate("deferred-reply").at(5.6).picture(crop="graph")
    root = ElementTree.fromstring(picture._repr_svg_())
    assert root.tag.endswith("svg")


def test_a_check_gives_the_counter_example_as_a_run():
    checked = mutoscope.check("ricart-agrawala", variant="neither-defers", nodes=2)
    assert checked.is_complete
    assert checked.properties["ME2"].startswith("holds in all")
    assert checked.counterexamples["ME1"].verdicts["ME1"].status == "broken"
    with pytest.raises(TypeError, match="has no bound 'crash'"):
        mutoscope.check("bully", crash=1)


@for_each(
    case=[
        (lambda: mutoscope.simulate("ricart"), "unknown algorithm 'ricart'"),
        (lambda: mutoscope.simulate("bully", nodes=1), "bully: nodes: expected"),
        (lambda: mutoscope.simulate("bully", colour=1), 'unknown key "colour"'),
        (lambda: mutoscope.simulate("token-ring", load="often"), 'unknown kind of load "often"'),
        (lambda: mutoscope.load("nothing.toml"), "nothing.toml: cannot be read"),
        (lambda: mutoscope.simulate("bully").at(3).act("explode"), 'unknown event "explode"'),
        (lambda: mutoscope.lab("nothing"), "nothing"),
        (lambda: mutoscope.simulate("nowhere.py"), "nowhere.py: there is no such file"),
        (lambda: mutoscope.simulate("bully").at(3).state(9), "node: expected a node from 0 to 4, got 9"),
        (
            lambda: mutoscope.simulate("bully").at(3).picture(theme="drak"),
            'theme: unknown theme "drak"; did you mean dark?',
        ),
        (lambda: mutoscope.simulate("bully").at(3).picture(crop="all"), 'crop: unknown crop "all"'),
        (
            lambda: mutoscope.simulate("bully").at(3).picture().save("x.gif"),
            "x.gif: a picture is written as .png, .svg",
        ),
        (
            lambda: mutoscope.check("wandering-token-report"),
            "wandering-token-report cannot be checked: it acts on the time",
        ),
        (lambda: mutoscope.simulate("token-ring", delay=0, until=5), "time stands still"),
        (
            lambda: mutoscope.simulate("ricart-agrawala", load="poisson:900", until=1e6),
            "requests until 1e+06; expected",
        ),
        (lambda: mutoscope.sweep("token-ring", nodes=[1]), "token-ring: nodes: expected"),
        (lambda: mutoscope.test("nowhere.py"), "nowhere.py: there is no such file"),
    ]
)
def test_a_mistake_raises_one_sentence(case):
    call, words = case
    with pytest.raises(mutoscope.BadInput) as error:
        call()
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_sweep_counts_as_the_command_does(here, capsys):
    swept = mutoscope.sweep(
        "token-ring", nodes=[3, 4], seeds=range(1, 4), load="closed:5", until=80, warm_up=10, jobs=1
    )
    words = [
        "--nodes",
        "3,4",
        "--seeds",
        "1..3",
        "--load",
        "closed:5",
        "--until",
        "80",
        "--warm-up",
        "10",
        "--jobs",
        "1",
    ]
    assert main(["sweep", "token-ring", *words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert swept.rows == [{**point["point"], **run} for point in printed for run in point["runs"]]
    for mean, point in zip(swept.means, printed, strict=True):
        assert mean["waiting_time"] == point["estimates"]["waiting_time"]["mean"]
        assert mean["waiting_time_95"] == point["estimates"]["waiting_time"]["half_width_95"]
    figure = swept.plot("waiting_time")
    assert figure.axes[0].get_xlabel() == "nodes"
    assert ElementTree.fromstring(figure._repr_svg_()).tag.endswith("svg")
    assert swept.plot().axes[0].get_ylabel() == "messages per entry"
    with pytest.raises(mutoscope.BadInput, match="did you mean waiting_time"):
        swept.plot("waiting_tim")


def test_a_file_that_a_scenario_names_runs_only_with_trust(here, monkeypatch):
    mutoscope.simulate("./mine.py", nodes=3, load="closed:5").save("run.toml")
    monkeypatch.setenv(own_file.TRUST, "")
    with pytest.raises(mutoscope.BadInput, match="add trust=True if you trust that file"):
        mutoscope.load("run.toml")
    assert mutoscope.load("run.toml", trust=True).scenario.nodes == 3


def test_the_notebook_gives_what_it_shows(here):
    stored_notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    results = executed(stored_notebook)
    pictures = 0
    for number, (cell, result) in enumerate(zip(code_cells(stored_notebook), results, strict=True), start=1):
        assert cell["outputs"] == outputs(result, number), "".join(cell["source"])
        if hasattr(result.value, "_repr_svg_"):
            pictures += ElementTree.fromstring(result.value._repr_svg_()).tag.endswith("svg")
    assert pictures == 2


def test_python_m_mutoscope_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "mutoscope", "list", "--json"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert "ricart-agrawala" in done.stdout


def test_importing_it_loads_no_window():
    code = (
        "import mutoscope, sys; print([name for name in sys.modules if name.startswith(('pygame', 'visual.window'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
    assert Path(mutoscope.__file__).parent.name == "mutoscope"
