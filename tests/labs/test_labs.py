"""The laboratory: results independent of the number of jobs, resuming after Ctrl-C, and failing rows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from textwrap import fill

import pytest

from lessons.laboratory import catalog, plots, sweep, tables
from lessons.laboratory.lab import Case, Lab, LabReport, LabRow, Results, Topic, around, around_mean, of_mean, row
from lessons.laboratory.sweep import Run, Store
from lessons.labs import p2p_figure_5, report_systems
from tests.support.dice import CALLS, dice
from tests.support.kit import for_each, heed_ctrl_c
from visual.command_line import main

ROOT = Path(__file__).parents[2]


CASES = {"six": Case(dice, {"sides": 6}), "ten": Case(dice, {"sides": 10})}
SEEDS = range(1, 6)


def rows_of(results: Results) -> list[LabRow]:
    return [row("points", [figures["points"] for figures in results["six"]], 3, band=around(2.5, 2.5))]


def plot_of(results: Results):
    figure, [axes] = plots.panels(1, "Points")
    plots.measured(axes, [1, 2], [[1, 1.2], [2, 2.2]], "measured")
    plots.published(axes, [1, 2], [1, 2])
    axes.legend()
    return figure


LAB = Lab(
    "dice",
    "Dice",
    Topic.LECTURE,
    "How do they fall?",
    "Points.",
    "nobody",
    CASES,
    5,
    2,
    rows_of,
    plot_of,
    "They fall as they fall.",
)
LOST_IN_ONE_RUN = (63, 69, 90, 74, 75, 62)  # double entries: Sigma, seeds 1 to 5; Non-End-to-End, seed 1


# ---- sweeps ------------------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_number_of_jobs(tmp_path):
    one = sweep.sweep(CASES, SEEDS, Store(tmp_path / "one"), jobs=1)
    two = sweep.sweep(CASES, SEEDS, Store(tmp_path / "two"), jobs=2)
    assert json.dumps(one) == json.dumps(two)
    kept = [sorted((path.name, path.read_bytes()) for path in (tmp_path / n).rglob("*.json")) for n in ("one", "two")]
    assert kept[0] == kept[1]


def test_cached_runs_are_not_repeated(tmp_path):
    store = Store(tmp_path)
    CALLS.clear()
    first = sweep.sweep(CASES, SEEDS, store)
    assert dict.fromkeys(SEEDS, 2) == CALLS
    again = sweep.sweep(CASES, range(1, 8), store)
    assert {**dict.fromkeys(SEEDS, 2), 6: 2, 7: 2} == CALLS
    assert again["six"][:5] == first["six"]


def test_incomplete_runs_and_those_of_another_program_are_not_cached(tmp_path, monkeypatch):
    run, store = Run(CASES["six"], 1), Store(tmp_path)
    store.put(run, run.figures())
    assert store.get(run) == {"points": 7919 % 6, "by": {"1": 1}}
    [kept] = tmp_path.rglob("*.json")
    kept.write_text('{"points": ')
    assert store.get(run) is None
    store.put(run, run.figures())
    monkeypatch.setattr(sweep, "program", lambda: "another")
    assert store.get(run) is None


def test_progress_rises_to_1(tmp_path):
    shares: list[float] = []
    sweep.sweep(CASES, SEEDS, Store(tmp_path), show=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


SCRIPT = """
import sys
from lessons.laboratory.lab import Case
from lessons.laboratory.sweep import Store, sweep
from pathlib import Path
from tests.support.dice import slow
results = sweep({"slow": Case(slow, {"notes": sys.argv[2]})}, range(1, 9), Store(Path(sys.argv[1])), jobs=2)
print([figures["seed"] for figures in results["slow"]])
"""


def test_after_ctrl_c_a_second_start_resumes_the_first(tmp_path):
    notes = tmp_path / "notes"
    words = [sys.executable, "-c", SCRIPT, str(tmp_path / "store"), str(notes)]
    first = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed_ctrl_c)
    while len(list((tmp_path / "store").rglob("*.json"))) < 3:
        assert first.poll() is None, first.stderr.read()
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: to the program and to its workers
    assert first.wait(timeout=30) != 0
    kept = len(list((tmp_path / "store").rglob("*.json")))
    assert 3 <= kept < 8
    before = len(notes.read_text().split())
    for name in ("token", "algorithms", "visual"):  # the workers import nothing from the folder in which they start
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this file is not part of the program')")
    elsewhere = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    words.insert(1, "-P")
    second = subprocess.run(words, **elsewhere, capture_output=True, text=True, check=True)
    assert second.stdout.strip() == str(list(range(1, 9)))
    assert len(notes.read_text().split()) - before == 8 - kept


INTERRUPTED = """
import sys
from lessons.laboratory.lab import Case
from tests.support.dice import slow
from visual.commands.measuring import measured
try:
    measured({"slow": Case(slow, {"notes": sys.argv[1]})}, range(1, 999), 2, None)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("signals", [[signal.SIGINT] * 3, [signal.SIGTERM]], ids=["ctrl-c", "terminate"])
def test_an_interrupted_lab_ends_in_one_sentence_and_leaves_nothing(tmp_path, signals):
    notes, cache = tmp_path / "notes", {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-c", INTERRUPTED, str(notes)]
    lab = subprocess.Popen(
        words, cwd=ROOT, env=cache, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed_ctrl_c
    )
    while not notes.exists():
        assert lab.poll() is None, lab.stderr.read()
        time.sleep(0.02)
    for number in signals:
        os.killpg(lab.pid, number) if number == signal.SIGINT else lab.send_signal(number)
        time.sleep(0.05)
    told = lab.stderr.read().decode()
    sentence, *more = told.splitlines()
    assert sentence == "mutoscope: finished runs are kept; the same command resumes from here"
    assert all("resource_tracker" in line or line.startswith("  ") for line in more), "it ends at once, and tidies up"
    assert lab.wait(timeout=30) in (130, -signal.SIGINT)  # the latter if Ctrl-C comes again at the very end
    assert not list(Path("/dev/shm").glob(f"*{lab.pid}*"))
    until = time.monotonic() + 10
    while has_processes(lab.pid):
        assert time.monotonic() < until
        time.sleep(0.05)


def has_processes(session: int) -> bool:
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return False
    return True


# ---- answers -----------------------------------------------------------------------------------------------


def test_a_row_holds_if_the_measured_figure_lies_in_its_band():
    assert row("x", [1.0, 3.0], 2, band=(1.5, 2.5)).holds is True
    assert row("x", [1.0, 3.0], 2, band=(2.1, 2.5)).holds is False
    assert row("x", [1.0, 3.0]).holds is None
    assert row("x", [1.0, 3.0]).sd == pytest.approx(2**0.5)
    assert row("x", [1.0]).sd is None


def test_the_band_of_a_mean_is_four_standard_errors():
    assert of_mean(15_000, 15_000, runs=100) == (9_000, 21_000)
    assert of_mean(15_000, 15_000, runs=25) == (3_000, 27_000)


def test_a_band_meant_for_many_runs_is_wider_for_fewer_by_their_standard_error():
    assert around_mean(100, 35, sd=20, runs=10, meant=10) == around_mean(100, 35, sd=20, runs=30, meant=10) == (65, 135)
    low, high = around_mean(100, 35, sd=20, runs=1, meant=10)
    assert (low, high) == pytest.approx((100 - 35 - 80 * (1 - 10**-0.5), 100 + 35 + 80 * (1 - 10**-0.5)))


def test_single_runs_of_figure_5_with_lost_state_lie_in_a_band_meant_for_ten():
    """A run takes a minute, so the figures are written here."""
    for one in LOST_IN_ONE_RUN:
        assert p2p_figure_5.lost({"Sigma, state lost": [{"breaches": one}]}, "Sigma").holds


def test_the_band_around_a_printed_figure_is_wider_for_fewer_runs():
    assert report_systems.near(1000, 0.03, sd=60, runs=report_systems.SEEDS) == (970, 1030)
    assert report_systems.near(1000, 0.03, sd=60, runs=1) == pytest.approx((773.8, 1226.2), abs=0.1)


def test_only_rows_with_a_band_decide_whether_a_report_holds():
    inside, beside = LabRow("a", 1, 1.0, band=(0, 2)), LabRow("b", 1, 5.0, holds=False, note="not reproducible")
    assert LabReport(LAB, 1, (inside, beside)).holds
    assert not LabReport(LAB, 1, (inside, LabRow("c", 1, 5.0, band=(0, 2)))).holds


def test_a_report_as_json_and_markdown():
    report = LabReport(
        LAB, 5, (LabRow("points", 3, 1234.5, 0.25, (0, 2000), note="so"), LabRow("b", "few", 0.5, holds=False))
    )
    told = report.as_json()
    assert list(told) == ["lab", "title", "question", "source", "seeds", "rows"]
    assert told["rows"][0] == {
        "name": "points",
        "published": 3,
        "measured": 1234.5,
        "sd": 0.25,
        "band": (0, 2000),
        "holds": True,
        "note": "so",
    }
    assert "| points | 3 | 1,234.50 ± 0.25 | 0 … 2,000 | in range | so |" in tables.as_markdown(report)


def test_the_terminal_s_table_is_aligned_and_lists_each_note_once():
    long = "a note that several rows share and that is too long to stand beside any of them, so that it is wrapped here"
    rows = (
        LabRow("points", 3, 1234.5, 0.25, (0, 2000), note="so"),
        LabRow("few", "few", 0.5, note=long),
        LabRow("b", 1, 2, note=long),
    )
    assert tables.as_text(LabReport(replace(LAB, parameters={"sides": 6}), 5, rows)).splitlines() == [
        "Dice",
        "How do they fall?",
        "nobody; 5 seeds; sides = 6",
        "",
        "        published         measured   expected   verdict",
        "points          3  1,234.50 ± 0.25  0 … 2,000  in range  [1]",
        "few           few              0.5          –         –  [2]",
        "b               1                2          –         –  [2]",
        "",
        "[1] so",
        "[2] a note that several rows share and that is too long to stand beside any of them, so that it is",
        "    wrapped here",
        "",
        *fill(tables.COLUMNS, tables.WIDTH).splitlines(),
        "",
        "They fall as they fall.",
    ]


@pytest.mark.parametrize(
    ("value", "sd", "words"),
    [
        (202_006.2, 53.22, "202,006 ± 53"),
        (41.43, 11.06, "41 ± 11"),
        (7.996, 3.102, "8.0 ± 3.1"),
        (0.79983, 1.187e-05, "0.799830 ± 0.000012"),
        (4.0, 0.0, "4 ± 0"),
    ],
)
def test_a_spread_has_two_digits_and_its_number_the_same_precision(value, sd, words):
    assert tables.with_spread(value, sd) == words


def test_plots_are_reproducible_byte_for_byte(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        plots.write(plot_of, {}, tmp_path / folder, "dice")
    for name in ("dice.png", "dice.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "measured" in (tmp_path / "a" / "dice.svg").read_text(encoding="utf-8")


# ---- the labs there are ------------------------------------------------------------------------------------

WANTED = {
    *("report-table-1", "report-table-3", "report-table-4", "report-table-5", "report-figure-1"),
    *("journal-figure-2", "journal-figure-3", "journal-figure-4", "journal-figure-5"),
    *("three-message-passing", "adaptation", "contradictions"),
}


def test_the_wandering_token_s_labs_are_in_the_catalogue():
    assert set(catalog.by_name()) >= WANTED


def test_labs_are_listed_by_topic_and_figure_9_before_figure_10():
    labs = catalog.by_name().values()
    assert [topic for topic, _ in groupby(lab.topic for lab in labs)] == list(Topic)
    names = [lab.name for lab in labs]
    assert names.index("memo-figure-9") < names.index("memo-figure-10")


@for_each(lab=catalog.by_name().values())
def test_a_lab_asks_one_question_and_explains_its_picture(lab):
    assert lab.question.endswith("?")
    assert lab.question.count("?") == 1
    assert 60 < len(lab.picture) < 400


@for_each(name=sorted(WANTED))
def test_a_lab_states_its_source_and_conclusions(name):
    lab = catalog.find(name)
    assert lab.source.startswith("A. Ciuffoletti")
    assert len(lab.paragraph) > 200
    assert lab.quick_seeds <= lab.seeds
    for case in lab.cases.values():
        json.dumps(dict(case.settings))  # becomes part of the name of what is kept


# ---- the command -------------------------------------------------------------------------------------------


@pytest.fixture
def own_lab(monkeypatch, tmp_path):
    """Make the dice the only lab, with a cache of its own."""
    monkeypatch.setattr(catalog, "by_name", lambda: {"dice": LAB})
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))


def test_the_command_prints_a_table_or_one_json_object(own_lab, capsys):
    assert main(["lab", "dice", "--jobs", "1"]) == 0
    assert "They fall as they fall." in capsys.readouterr().out
    assert main(["lab", "dice", "--quick", "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["lab"], told["seeds"], told["rows"][0]["holds"]) == ("dice", 2, True)
    assert main(["lab", "dice", "--seeds", "3", "--jobs", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seeds"] == 3


def test_a_row_outside_its_band_gives_exit_code_1(own_lab, monkeypatch):
    beyond = replace(LAB, rows=lambda results: [LabRow("points", 3, 9.0, band=(0, 5))])
    monkeypatch.setattr(catalog, "by_name", lambda: {"dice": beyond})
    assert main(["lab", "dice", "--jobs", "1"]) == 1


def test_the_command_writes_table_and_plot(own_lab, tmp_path):
    folder = tmp_path / "new" / "folder"
    assert main(["lab", "dice", "--jobs", "1", "-o", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["dice.json", "dice.md", "dice.png", "dice.svg"]
    assert json.loads((folder / "dice.json").read_text(encoding="utf-8"))["lab"] == "dice"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["dicee"], "unknown lab 'dicee'; did you mean dice?"),
        ([], "lab: expected the name of a lab; mutoscope lab --list shows all"),
        (["dice", "--seeds", "0"], 'argument --seeds: expected a whole number of at least 1, got "0"'),
        (["dice", "-o", "/dev/null/x"], "/dev/null/x: cannot create this folder"),
        (["dice", "--cluster", "tcp://127.0.0.1:1"], "--cluster: no scheduler answers at tcp://127.0.0.1:1"),
    ],
)
def test_a_wrong_command_line_is_reported_in_one_sentence(own_lab, monkeypatch, capsys, words, sentence):
    if "--cluster" in words:
        pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
        monkeypatch.setattr("lessons.laboratory.cluster.PATIENCE", "1s")
    assert main(["lab", *words]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mutoscope: {sentence}")


def test_list_prints_every_lab(capsys):
    assert main(["lab", "--list"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [words[0] for words in lines if words[0] in catalog.by_name()] == list(catalog.by_name())
    assert main(["lab", "--list", "--json"]) == 0
    assert {lab["lab"] for lab in json.loads(capsys.readouterr().out)} == set(catalog.by_name())


def test_a_cluster_gives_the_same_figures(tmp_path):
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    from lessons.laboratory.cluster import on_cluster

    here = sweep.sweep(CASES, SEEDS, Store(tmp_path / "here"))
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, on_cluster(cluster.scheduler_address):
        there = sweep.sweep(CASES, SEEDS, Store(tmp_path / "there"), jobs=-1)
    assert there == here


def test_without_the_extra_a_cluster_is_refused_with_the_install_command(own_lab, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["lab", "dice", "--cluster", "local"]) == 2
    assert 'python -m pip install "mutoscope[cluster]"' in capsys.readouterr().err
