"""Numbers as tables: those of the window, in every format, and flat traces whose keys are explained."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
import typst

from algorithms import catalog, scenario_file, trace_file
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.schema import KEYS
from visual.command_line import main
from visual.commands.run import measure
from visual.commands.tables import FORMATS, TABLES, Table, as_csv, as_json, as_latex, as_markdown

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def table(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    assert main(["shot", *words, "-o", "a.csv"]) == 0
    assert capsys.readouterr().out == "a.csv\n"
    return list(csv.DictReader(io.StringIO(Path("a.csv").read_text("utf-8"))))


def ended(name: str) -> Timeline:
    scenario = scenario_file.load(scenario_file.find(name))
    timeline = catalog.timeline(scenario)
    timeline.seek_time(scenario.until)
    return timeline


# ---- counters and waits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["deferred-reply", "lost-token", "coordinator", "bully-worst", "ring-election-list"])
def test_counters_are_those_of_the_report(name, capsys):
    rows = {row["counter"]: row["measured"] for row in table(capsys, name, "--table", "counters")}
    summary = measure(scenario_file.load(scenario_file.find(name))).summary
    assert int(rows["messages"]) == summary["messages"]["total"]
    assert sum(int(n) for words, n in rows.items() if words.startswith("messages: ")) == summary["messages"]["total"]
    if "elections" in summary:
        assert float(rows["messages per election"]) == summary["elections"]["messages_per_election"]
    else:
        assert int(rows["entries"]) == summary["entries"]
        assert float(rows["waiting time: mean"]) == pytest.approx(summary["waiting_time"]["mean"], abs=1e-6)
        assert float(rows["synchronization delay: max"]) == pytest.approx(
            summary["synchronisation_delay"]["max"], abs=1e-6
        )


def test_the_textbooks_formula_is_beside_the_measured_cost(capsys):
    rows = {row["counter"]: row for row in table(capsys, "deferred-reply", "--table", "counters")}
    assert (rows["messages per entry"]["measured"], rows["messages per entry"]["formula"]) == ("8.0", "2(N−1) = 8")


@pytest.mark.parametrize("name", ["deferred-reply", "busy-ring", "coordinator", "p2p-two-resources"])
def test_waits_are_the_requests_of_the_trace(name, capsys):
    rows = table(capsys, name, "--table", "waits")
    timeline = ended(name)
    records = [record for _, step in timeline.trace.steps() for record in step]
    entries = [record for record in records if trace_file.KINDS[record[2]] == "enter"]
    assert [row["node"] for row in rows if row["entered"]] == [f"P{record[3]}" for record in entries]
    waited = [float(row["waited"]) for row in rows if row["waited"]]
    mean = measure(timeline.scenario).summary["waiting_time"]["mean"]
    assert sum(waited) / len(waited) == pytest.approx(mean, abs=1e-5)
    for row in rows:
        times = [float(row[key]) for key in ("requested", "entered", "left") if row[key]]
        assert times == sorted(times)


def test_a_moment_cuts_a_table(capsys):
    rows = table(capsys, "deferred-reply", "--table", "waits", "--at", "5.6")
    assert [(row["node"], row["entered"] != "", row["left"]) for row in rows] == [
        ("P2", True, ""),
        ("P1", False, ""),
        ("P3", False, ""),
    ]
    counters = table(capsys, "deferred-reply", "--table", "counters", "--at", "0")
    assert [row["measured"] for row in counters if row["counter"] == "messages"] == ["0"]


# ---- the formats -------------------------------------------------------------------------------------------

NASTY = Table(
    ("name", "value"),
    [("a|b & 100 % of $x_1 \\ {y} ~ ^ #", 0.1234567), ("−⌈√N⌉ → ∞ ≤", None), ('say "hi", you', 7)],
)
PARTS = Table(("is_event", "fields"), [(True, {"stamp": [2, "P1"]}), (False, [])])


def test_truth_and_values_of_several_parts_are_json_in_every_format():
    """They were strings in JSON, too, where "false" counts as true."""
    assert [tuple(row.values()) for row in json.loads(as_json(PARTS))] == PARTS.rows
    for line, row in zip(list(csv.reader(io.StringIO(as_csv(PARTS))))[1:], PARTS.rows, strict=True):
        assert tuple(map(json.loads, line)) == row
    assert as_markdown(PARTS).splitlines()[1:3] == ["| --- | --- |", '| true | {"stamp": [2, "P1"]} |']
    assert 'true & \\{"stamp": [2, "P1"]\\} \\\\' in as_latex(PARTS)


def test_the_trace_of_a_table_has_the_rows_of_the_flat_trace(capsys):
    assert main(["trace", "deferred-reply", "--flat"]) == 0
    flat = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["shot", "deferred-reply", "--table", "trace", "-o", "a.json"]) == 0
    assert json.loads(Path("a.json").read_text("utf-8")) == flat


def test_every_format_holds_every_cell():
    assert list(csv.reader(io.StringIO(as_csv(NASTY))))[1:] == [
        [str(cell) if cell is not None else "" for cell in row] for row in NASTY.rows
    ]
    assert [tuple(row.values()) for row in json.loads(as_json(NASTY))] == NASTY.rows
    lines = as_markdown(NASTY).splitlines()
    assert lines[1] == "| --- | ---: |"
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    latex = as_latex(NASTY)
    assert latex.startswith("\\begin{tabular}{lr}\n")
    assert latex.count("\\\\\n") == 4
    assert not re.search(r"(?<!\\)[#%_]", latex)


@pytest.mark.parametrize("name", list(TABLES))
@pytest.mark.parametrize("kind", list(FORMATS))
def test_every_table_is_written_in_every_format(name, kind, capsys):
    assert main(["shot", "lost-token", "--table", name, "--until", "9", "-o", f"{{name}}.{kind}"]) == 0
    assert Path(f"lost-token.{kind}").read_text("utf-8").strip()


def test_typst_reads_a_table_as_csv(capsys):
    table(capsys, "deferred-reply", "--table", "waits")
    Path("talk.typ").write_text(
        '#let rows = csv("a.csv")\n#table(columns: rows.first().len(), ..rows.flatten())', "utf-8"
    )
    typst.compile("talk.typ", output="talk.pdf")
    assert Path("talk.pdf").read_bytes().startswith(b"%PDF")


WRONG = [
    (["--table", "count"], ["--table: ", "did you mean counters"]),
    (["--table", "waits", "-o", "a.xls"], ["-o: ", ".csv, .md, .tex, .json"]),
    (["--table", "waits", "--at", "1,2"], ["--at: ", "one moment for a table, got 2"]),
    (["--table", "waits", "--emit", "beamer"], ["--emit: ", "no pictures"]),
    (["--table", "waits", "-o", "no/such/a.csv"], ["no/such/a.csv", "no folder no/such"]),
]


@pytest.mark.parametrize(("words", "parts"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_tables_get_one_sentence_and_no_file(words, parts, capsys):
    assert main(["shot", "equal-stamps", *words]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    for part in parts:
        assert part in printed.err
    assert not list(Path().iterdir())


# ---- flat traces -------------------------------------------------------------------------------------------


def test_flat_and_csv_have_a_row_for_each_event_and_effect(capsys):
    assert main(["trace", "lost-token"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["trace", "lost-token", "--flat"]) == 0
    flat = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["trace", "lost-token", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(flat) == len(rows) == sum(1 + len(step["effects"]) for step in steps)
    assert {tuple(row) for row in flat} == {trace_file.COLUMNS}
    assert tuple(rows[0]) == trace_file.COLUMNS
    for one, other in zip(flat, rows, strict=True):
        for key, value in one.items():
            words = other[key]
            expected = "" if value is None else words if isinstance(value, dict | bool) else str(value)
            assert words == expected
            if isinstance(value, dict):
                assert json.loads(words) == value
    assert [row["step"] for row in flat if row["is_event"]] == [step["step"] + 1 for step in steps]


@pytest.mark.parametrize(
    ("language", "arrow", "cross", "ends"),
    [("mermaid", "->>", "-x", ("sequenceDiagram", "")), ("plantuml", " -> ", " ->x ", ("@startuml", "@enduml"))],
)
def test_a_sequence_diagram_has_an_arrow_for_each_arrival_and_a_bar_for_each_stay(language, arrow, cross, ends, capsys):
    assert main(["trace", "coordinator-crash", "--flat"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["trace", "coordinator-crash", "--diagram", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    lost = {(row["step"], row["sender"]) for row in rows if row["kind"] == "lost"}
    arrived = [row for row in rows if row["kind"] == "arrives" and (row["step"], row["sender"]) not in lost]
    assert lost
    assert arrived
    assert [line.partition(":")[0] for line in lines if arrow in line] == [
        f"P{row['sender']}{arrow}P{row['receiver']}" for row in arrived
    ]
    assert sum(cross in line for line in lines) == sum(row["kind"] == "lost" for row in rows)
    assert sum(line.startswith("activate") for line in lines) == sum(row["kind"] == "enter" for row in rows)
    assert sum(line.startswith("deactivate") for line in lines) == sum(line.startswith("activate") for line in lines)
    assert lines[0] == ends[0]
    assert not ends[1] or lines[-1] == ends[1]


def test_every_key_of_a_trace_is_explained():
    page = (ROOT / "docs" / "trace.md").read_text("utf-8")
    explained = set(re.findall(r"`([a-z_]+)`", page))
    met: set[str] = {*trace_file.COLUMNS, *KEYS[Event]}
    runs = ("bully-worst", "split-votes", "rules-binary-search", "ftp-subscribers", "wandering-token-lost")
    for name in ("coordinator-crash", *runs):
        timeline = ended(name)
        for line in map(json.loads, trace_file.lines(timeline.trace)):
            met |= line.keys()
            for record in (line["event"], *line["effects"]):
                met |= {record["kind"], *record}
    assert met <= explained
    assert {*trace_file.KINDS, "send", "arrives"} <= explained
