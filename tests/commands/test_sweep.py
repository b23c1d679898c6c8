"""`mutoscope sweep`: counts as in the runs, Student's intervals, and finished runs are never repeated."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import mean

import pytest

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.engine.events import DELIVER, ENTER, KIND, NODE, REQUEST, SENDER, TIME
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed, Load, Poisson
from lessons.experiments.scenario_counts import counts
from lessons.laboratory import grid, sweep
from visual.command_line import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, with an empty store of results."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache" / name))
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # a sweep sets it for its workers: it ends with the test
    monkeypatch.chdir(tmp_path)
    return tmp_path


def swept(capsys, *words: str) -> list[dict]:
    assert main(["sweep", *words, "--jobs", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_ricart_agrawala_costs_2_n_minus_1_at_every_size_and_seed(here, capsys):
    words = ("ricart-agrawala", "--nodes", "2,3..5", "--seeds", "1..3", "--load", "closed:10", "--until", "200")
    found = swept(capsys, *words, "-o", "counts.csv")
    assert [(row["point"], row["estimates"]["messages_per_entry"]["mean"]) for row in found] == [
        ({"nodes": nodes}, 2 * (nodes - 1)) for nodes in (2, 3, 4, 5)
    ]
    with Path("counts.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["nodes"], line["seed"]) for line in lines] == [(n, s) for n in "2345" for s in "123"]
    assert [float(line["waiting_time"]) for line in lines] == [
        run["waiting_time"] for row in found for run in row["runs"]
    ]


@pytest.mark.parametrize("load", [Closed(think=5.0), Poisson(rate=0.1)])
def test_what_is_counted_after_the_warm_up_is_what_the_trace_has_after_it(load: Load):
    scenario = Scenario("centralized", nodes=4, until=120.0, load=load)
    found = counts(7, scenario_file.dumps(scenario), warm_up=40.0)
    run = catalog.simulation(Scenario("centralized", nodes=4, until=120.0, load=load, seed=7))
    run.run(until=120.0)
    asked: dict[int, float] = {}
    waits, messages = [], 0
    for _, (event, *effects) in run.trace.steps():
        if event[KIND] == REQUEST:
            asked.setdefault(event[NODE], event[TIME])
        for record in effects:
            messages += record[KIND] == DELIVER and record[SENDER] != record[NODE] and event[TIME] > 40.0
            if record[KIND] == ENTER:
                since = asked.pop(record[NODE], None)
                waits += [record[TIME] - since] if since is not None and record[TIME] > 40.0 else []
    assert found["messages"] == messages
    assert found["entries"] == sum(record[KIND] == ENTER and record[TIME] > 40.0 for record in run.trace.records)
    if isinstance(load, Closed):  # with an open load, a request may follow while the one before it waits
        assert found["waiting_time"] == pytest.approx(mean(waits))
        assert found["waiting_time_max"] == pytest.approx(max(waits))
    assert found["broken"] == 0


def test_a_broken_promise_is_counted(capsys):
    words = ["ricart-agrawala", "--variant", "neither-defers", "--nodes", "3", "--load", "closed:2", "--until", "60"]
    assert main(["run", *words, "--json"]) == 1
    monitors = json.loads(capsys.readouterr().out)["monitors"].values()
    broken = sum(monitor["status"] == "broken" and monitor["promised"] for monitor in monitors)
    assert swept(capsys, *words, "--seeds", "1")[0]["runs"][0]["broken"] == broken > 0


def test_the_interval_is_student_s():
    found = grid.estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.mean, found.runs) == (3.0, 5)
    assert found.half_width == pytest.approx(1.9634, abs=1e-3)  # 2.776 · 1.5811 / √5
    assert grid.estimate([2.0]).half_width is None
    large = [float(k % 2) for k in range(62)]  # t with 61 degrees of freedom is 1.9996
    assert grid.estimate(large).half_width == pytest.approx(1.9996 * 0.50408 / 62**0.5, rel=1e-3)


def test_finished_runs_are_never_repeated(here, capsys, monkeypatch):
    words = ["token-ring", "--nodes", "3", "--load", "closed:5", "--until", "50"]
    first = swept(capsys, *words, "--seeds", "1..2")
    executed = []
    monkeypatch.setattr(
        sweep, "_execute", lambda runs, jobs: ((executed.append(r.seed), (r, r.figures()))[1] for r in runs)
    )
    assert swept(capsys, *words, "--seeds", "1..2") == first
    assert executed == []
    larger = swept(capsys, *words, "--seeds", "1..3")
    assert executed == [3]
    assert larger[0]["runs"][:2] == first[0]["runs"]


def test_a_changed_file_is_run_again(here, capsys, monkeypatch):
    monkeypatch.setattr(own_file, "_loaded", {})
    shipped = Path(own_file.__file__).parents[1] / "mutual_exclusion/ricart_agrawala.py"
    Path("mine.py").write_text(shipped.read_text("utf-8"), "utf-8")
    words = ["./mine.py", "--nodes", "3", "--seeds", "1", "--load", "closed:5", "--until", "50"]
    assert swept(capsys, *words)[0]["estimates"]["messages_per_entry"]["mean"] == 4
    text = shipped.read_text("utf-8")
    for right, more in (
        ("class Reply(", 'class Hello(Message):\n    """Nothing."""\n\n\n'),
        ("    def on_request", "    def on_hello(self, hello, sender):\n        pass\n\n"),
        ("        self.send(Request(self.stamp)", "        self.send(Hello(), to=self.peers)\n"),
    ):
        text = text.replace(right, more + right, 1)
    Path("mine.py").write_text(text, "utf-8")
    own_file._loaded.clear()
    assert swept(capsys, *words)[0]["estimates"]["messages_per_entry"]["mean"] == 6


def test_parameters_make_a_grid_and_the_plot_has_a_line_for_each(here, capsys):
    words = ("voting", "--nodes", "8,9", "--param", "coordinators=3,5", "--seeds", "1..2", "--until", "40")
    found = swept(capsys, *words, "--load", "closed:20", "--plot", "votes")
    assert [row["point"] for row in found] == [{"nodes": n, "coordinators": c} for n in (8, 9) for c in (3, 5)]
    drawn = Path("votes.svg").read_text("utf-8")
    assert all(words in drawn for words in ("coordinators=3", "coordinators=5", "nodes", "2 seeds"))
    assert Path("votes.png").stat().st_size > 5_000


def test_elections_are_counted_as_elections(here, capsys):
    found = swept(
        capsys, "chang-roberts", "--nodes", "3", "--seeds", "1..2", "--load", "poisson:0.01", "--until", "400"
    )
    assert {"elections", "messages_per_election", "turnaround"} <= found[0]["estimates"].keys()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["token-ring", "--seeds", "5..1"], "--seeds: expected a range like 1..20"),
        (["token-ring", "--seeds", "a"], "--seeds: expected whole numbers"),
        (["token-ring", "--seeds", "1,1"], "--seeds: expected different values"),
        (["token-ring", "--seed", "1"], "--seed: expected --seeds in a sweep"),
        (["token-ring", "--nodes", "4,1"], "--nodes: expected a number of nodes from 2"),
        (["token-ring", "--warm-up", "60"], "--warm-up: expected a time from 0 to below 60"),
        (["bully", "--warm-up", "6"], "--warm-up: elections are counted over the whole run"),
        (["token-ring", "-o", "x.txt"], "-o: expected a name that ends in .csv or .json"),
        (["token-ring", "--metric", "entres", "--seeds", "1", "--until", "9"], '--metric: unknown count "entres"'),
        (["system-search"], "system-search: a rewriting system has rules to count"),
        (["token-ring", "--nodes", "2..500", "--seeds", "1..900"], "449,100 runs; expected at most"),
        (["toke-ring"], "unknown scenario"),
    ],
)
def test_a_mistake_is_reported_in_a_sentence(capsys, words, sentence):
    assert main(["sweep", *words, "--jobs", "1"]) == 2
    assert sentence in capsys.readouterr().err


# ---- run ---------------------------------------------------------------------------------------------------


def test_json_lines_are_the_same_object_in_one_line(capsys):
    assert main(["run", "token-ring", "--json"]) == 0
    whole = capsys.readouterr().out
    assert main(["run", "token-ring", "--json-lines"]) == 0
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    assert json.loads(line) == json.loads(whole)


@pytest.mark.parametrize(
    ("command", "expect", "code"),
    [
        (["run", "uncoordinated", "--load", "saturated"], None, 0),  # promises no ME1
        (["run", "uncoordinated", "--load", "saturated"], "ME1", 1),
        (["run", "uncoordinated", "--load", "saturated"], "ME2", 0),
        (
            ["run", "token-ring", "--load", "saturated", "--patience", "0.5"],
            "ME2,ME1",
            3,
        ),
        (["check", "uncoordinated", "--nodes", "2", "-o", "c.toml"], "ME1", 1),
        (["check", "uncoordinated", "--nodes", "2", "-o", "c.toml"], "ME2", 0),
        (["run", "token-ring"], "ME9", 2),
        (["check", "token-ring", "--nodes", "2"], "ME9", 2),
    ],
)
def test_the_exit_code_is_about_what_is_expected(capsys, command, expect, code):
    assert main([*command, *(["--expect", expect] if expect else [])]) == code
