"""Test algorithms of your own: everything that holds for every algorithm, and what an exercise demands.

Each file is tried in a process of its own, which ends after a while whatever the file does. It can do there whatever
you can do: test only what you would also run.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from algorithms.bad_input import BadInput
from algorithms.examination import demands
from algorithms.examination.examiner import FAILED, LIMIT, PASSED, UNDECIDED, Report, examine_all
from algorithms.files import free_path
from algorithms.machine import cores
from visual.commands.argument_types import positive
from visual.commands.exit_codes import BROKEN, KEPT
from visual.commands.exit_codes import UNDECIDED as OPEN
from visual.commands.output import made_folder, write

EXAMPLES = """\
  mutoscope test ./mine.py
  mutoscope test submissions/*.py --against exercise-3.toml --json > marks.json
  mutoscope test ./mine.py -o flaws         # runs that show the flaws, for mutoscope play"""

_MARKS = {PASSED: "✓", FAILED: "✗", UNDECIDED: "?"}
_CODES = {PASSED: KEPT, FAILED: BROKEN, UNDECIDED: OPEN}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="an algorithm's file, or a folder of them")
    add("--against", metavar="SPEC", help="a file of demands, such as promises and costs (see docs/algorithm.md)")
    add("--seconds", metavar="T", type=positive, default=int(LIMIT), help=f"limit for one file (default: {LIMIT:g})")
    add("--jobs", metavar="J", type=positive, default=cores(), help="files at a time (default: the cores)")
    add("--json", action="store_true", help="print one JSON object")
    add("-o", "--output", metavar="FOLDER", help="write a run for each flaw that a run can show")
    parser.epilog = (
        f"{parser.epilog}\n\nexit codes: 0, all files pass; 1, a file fails; 2, bad input; 3, none fails, but not "
        "everything could be tried"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the results for each file; the exit code is that of the worst."""
    files = list(_files(arguments.files))
    spec = Path(arguments.against) if arguments.against else None
    title = demands.read(spec).title if spec else ""
    folder = made_folder(arguments.output)
    reports = []
    for report in examine_all(files, spec, arguments.seconds, arguments.jobs):
        examples = _write_examples(report, folder) if folder else {}
        reports.append(_as_json(report, examples))
        if not arguments.json:
            print("\n".join(_lines(report, examples)), flush=True)
    found = {report["status"] for report in reports}
    if arguments.json:
        print(json.dumps({"title": title, "files": reports}, ensure_ascii=False, indent=2))
    elif len(files) > 1:
        counts = [f"{sum(r['status'] == s for r in reports)} {s}" for s in _MARKS if s in found]
        print(f"\n{len(files)} files: {', '.join(counts)}")
    return next(_CODES[status] for status in (FAILED, UNDECIDED, PASSED) if status in found)


def _files(names: Iterable[str]) -> Iterator[Path]:
    """The files named, and those in the folders named. BadInput if there is none."""
    for name in names:
        path = Path(name)
        found = sorted(path.glob("*.py")) if path.is_dir() else [path]
        if not found:
            raise BadInput(f"{name}: there is no .py file in this folder")
        for file in found:
            if not file.is_file():
                raise BadInput(f"{file}: there is no such file")
            if file.suffix != ".py":
                raise BadInput(f"{file}: expected a file whose name ends in .py")
            yield file


def _write_examples(report: Report, folder: Path) -> dict[str, str]:
    """Write the runs that show flaws: trial -> file."""
    files = {}
    for result in report.results:
        if result.example:
            name = "-".join(filter(None, (Path(report.file).stem, result.property or result.trial))).replace(" ", "-")
            files[result.trial] = str(free_path(folder / f"{name}.toml"))
            write(files[result.trial], [result.example.encode()])
    return files


def _as_json(report: Report, examples: dict[str, str]) -> dict[str, Any]:
    trials = [
        {
            "trial": result.trial,
            "status": result.status,
            "flaws": list(result.words),
            "property": result.property or None,
            "run": examples.get(result.trial),
            "seconds": result.seconds,
        }
        for result in report.results
    ]
    return {"file": report.file, "status": report.status, "trials": trials}


def _lines(report: Report, examples: dict[str, str]) -> Iterator[str]:
    """The report as a text: a line for each trial, and the flaws below it."""
    yield f"{report.file}: {report.status}"
    for result in report.results:
        yield f"  {_MARKS[result.status]} {result.trial}"
        yield from (f"      {words}" for words in result.words)
        if result.trial in examples:
            yield f"      mutoscope play {shlex.quote(examples[result.trial])}"
