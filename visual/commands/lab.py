"""Reproduce a table or figure of a paper: published vs. measured, with a verdict."""

from __future__ import annotations

import argparse
import json
from itertools import groupby
from pathlib import Path

from algorithms.bad_input import BadInput
from lessons.laboratory import catalog, plots, tables
from lessons.laboratory.lab import Lab, LabReport, Results
from visual.commands.argument_types import positive
from visual.commands.measuring import add_worker_arguments, measured
from visual.commands.output import made_folder, write

EXAMPLES = """\
  mutoscope lab --list
  mutoscope lab report-table-3 --quick
  mutoscope lab journal-figure-2 --seeds 10 --json
  mutoscope lab adaptation -o results"""

OUTSIDE = 1  # the exit code if a row is outside its band


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", nargs="?", help="the lab; --list prints the names")
    add("--list", action="store_true", help="list the labs by topic")
    add("--quick", action="store_true", help="quick run: fewer seeds, with wider expected ranges")
    add("--seeds", metavar="K", type=positive, help="number of seeds (default: the lab's own)")
    add_worker_arguments(parser)
    add("--json", action="store_true", help="print one JSON object")
    add(
        "-o",
        "--output",
        metavar="FOLDER",
        help="also write the table (.md, .json) and the plot (.png, .svg) to this folder",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the lab's table; the exit code is 1 if a row with a band falls outside of it."""
    if arguments.list:
        return _list(list(catalog.by_name().values()), arguments.json)
    if arguments.name is None:
        raise BadInput("lab: expected the name of a lab; mutoscope lab --list shows all")
    lab = catalog.find(arguments.name)
    folder = made_folder(arguments.output)
    seeds = lab.seeds_of(arguments.seeds, arguments.quick)
    results = measured(lab.cases, range(1, seeds + 1), arguments.jobs, arguments.cluster)
    return _answer(lab, seeds, results, folder, arguments.json)


def _list(labs: list[Lab], as_json: bool) -> int:
    if as_json:
        print(json.dumps([_entry(x) for x in labs], ensure_ascii=False))
        return 0
    width = max(len(lab.name) for lab in labs)
    for topic, some in groupby(labs, key=lambda lab: lab.topic.value):
        print(f"{topic}:")
        for lab in some:
            print(f"  {lab.name:{width}}  {lab.title}\n  {'':{width}}  {lab.question}\n  {'':{width}}  {lab.source}")
    return 0


def _entry(lab: Lab) -> dict[str, str]:
    return {
        "lab": lab.name,
        "title": lab.title,
        "topic": lab.topic.value,
        "question": lab.question,
        "source": lab.source,
    }


def _answer(lab: Lab, seeds: int, results: Results, folder: Path | None, as_json: bool) -> int:
    report = LabReport(lab, seeds, tuple(lab.rows(results)))
    json_text = json.dumps(report.as_json(), ensure_ascii=False, indent=2)
    print(json_text if as_json else tables.as_text(report))
    if folder is not None:
        _write(report, results, json_text, folder)
    return 0 if report.holds else OUTSIDE


def _write(report: LabReport, results: Results, json_text: str, folder: Path) -> None:
    name = report.lab.name
    write(str(folder / f"{name}.json"), [f"{json_text}\n".encode()])
    write(str(folder / f"{name}.md"), [tables.as_markdown(report).encode()])
    plots.write(report.lab.plot, results, folder, name)
