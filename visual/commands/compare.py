"""Compare the algorithms of a family: the lecture's table, claimed vs. measured values, and its contradictions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from algorithms.bad_input import BadInput
from lessons.experiments.lecture import (
    LEAST,
    MOST,
    TABLES,
    AlgorithmClaims,
    ClaimCheck,
    LectureTable,
    Spread,
    as_plain,
    compare,
)

EXAMPLES = """\
  mutoscope compare --family mutual-exclusion
  mutoscope compare --family election --nodes 10 --json"""

HEADINGS = {
    "delay": "delay (message times)",
    "messages": "messages",
    "time": "time, timeouts included",
}
NAME, WIDTH = 16, 30  # characters of a row's name, and of one claim with its measurement
LINE = 110  # characters of a line of remarks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--family", required=True, metavar="NAME", help=", ".join(TABLES).replace(", ", " or "))
    parser.add_argument(
        "--nodes", type=int, default=8, metavar="N", help=f"number of processes, {LEAST} to {MOST} (default: 8)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    if arguments.family not in TABLES:
        raise BadInput(f"--family: expected one of {', '.join(TABLES)}, got {arguments.family!r}")
    if not LEAST <= arguments.nodes <= MOST:
        raise BadInput(f"--nodes: expected a number from {LEAST} to {MOST}, got {arguments.nodes}")
    table = compare(arguments.family, arguments.nodes)
    print(json.dumps(as_plain(table), ensure_ascii=False, indent=2) if arguments.json else _text(table))
    return 0


def _text(table: LectureTable) -> str:
    parts = (_grid(table), _notes(table), _contradictions(table))
    return "\n\n".join("\n".join(part) for part in parts)


def _grid(table: LectureTable) -> Iterator[str]:
    columns = list(table.rows[0].cells)
    yield f"{table.family.replace('-', ' ')}, n = {table.nodes}: claimed by the slides → measured"
    yield ""
    yield f"{'':{NAME}}" + "".join(f"{HEADINGS[column]:{WIDTH}}" for column in columns) + "problem"
    for row in table.rows:
        cells = "".join(f"{_cell(row.cells[column]):{WIDTH}}" for column in columns)
        yield f"{row.title:{NAME}}{cells}{row.problem}"


def _cell(cell: ClaimCheck) -> str:
    measured = _spread(cell.measured)
    if not cell.claimed:
        return measured
    return f"{cell.claimed} → {measured} {'✓' if cell.holds else '✗'}"


def _spread(spread: Spread) -> str:
    low, high = spread
    if low == high:
        return f"{low:g}"
    return f"{low:g} … {'∞' if high is None else f'{high:g}'}"


def _notes(table: LectureTable) -> Iterator[str]:
    for row in table.rows:
        yield from _remarks(row)


def _remarks(row: AlgorithmClaims) -> Iterator[str]:
    lines = [line for remark in (row.note, row.effect) for line in wrap(remark, LINE - NAME)]
    for name, line in zip_longest([row.title], lines, fillvalue=""):
        yield f"{name:{NAME}}{line}"


def _contradictions(table: LectureTable) -> Iterator[str]:
    yield "Where the slides contradict themselves or leave something out:"
    for contradiction in table.contradictions:
        yield f"  · {contradiction}"
