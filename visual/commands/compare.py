"""Compare the algorithms of a family: the lecture's table, claimed vs. measured values, and its contradictions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from textwrap import wrap

from algorithms.bad_input import BadInput
from lessons.experiments.families import SEEDS, Measured, compared, measure
from lessons.experiments.family_plot import plot
from lessons.experiments.lecture import (
    LEAST,
    MOST,
    TABLES,
    AlgorithmClaims,
    ClaimCheck,
    LectureTable,
    as_plain,
    compare,
)
from lessons.laboratory.plots import rendered
from visual.commands.output import kind_of, write
from visual.words import range_words

EXAMPLES = """\
  mutoscope compare --family mutual-exclusion --all
  mutoscope compare --family mutual-exclusion --all -o mutex.svg
  mutoscope compare --family mutual-exclusion
  mutoscope compare --family election --all
  mutoscope compare --family election --nodes 10 --json"""

HEADINGS = {"delay": "delay (message times)", "messages": "messages", "time": "time, timeouts included"}
NAME, WIDTH = 16, 30  # characters of a row's name, and of one claim with its measurement
LINE = 110  # characters of a line of remarks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--family", required=True, metavar="NAME", help=", ".join(TABLES).replace(", ", " or "))
    parser.add_argument(
        "--nodes", type=int, default=8, metavar="N", help=f"number of processes, {LEAST} to {MOST} (default: 8)"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="measure all algorithms of the family instead, and what each loses to a single fault",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="with --all: also plot it to FILE: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    if arguments.family not in TABLES:
        raise BadInput(f"--family: expected one of {', '.join(TABLES)}, got {arguments.family!r}")
    if not LEAST <= arguments.nodes <= MOST:
        raise BadInput(f"--nodes: expected a number from {LEAST} to {MOST}, got {arguments.nodes}")
    if arguments.all:
        return _run_all(arguments)
    if arguments.output:
        raise BadInput("-o: expected --all with it")
    table = compare(arguments.family, arguments.nodes)
    print(json.dumps(as_plain(table), ensure_ascii=False, indent=2) if arguments.json else _text(table))
    return 0


def _run_all(arguments: argparse.Namespace) -> int:
    """Print all algorithms of a family side by side."""
    family = arguments.family.replace("-", " ")
    kind = arguments.output and kind_of(arguments.output, ("svg", "png", "pdf"), "a picture")
    rows = [measure(algorithm, arguments.nodes) for algorithm in compared(family)]
    if kind:
        write(arguments.output, [rendered(lambda: plot(rows, family, arguments.nodes), kind)])
    if arguments.json:
        print(json.dumps({"nodes": arguments.nodes, "rows": list(map(asdict, rows))}, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_all_rows(rows, family, arguments.nodes)))
    return 0


_COLUMNS = (29, 19, 12, 12, 10, 10)  # characters of title, formula, messages and delay alone, both when all ask


_EXPLAINED = {  # family -> the heading of the last number, and what the delays and messages are
    "mutual exclusion": (
        "handover",
        "delay: message times from the request to the entry; handover: from an exit to the next entry",
        "messages: for one entry",
    ),
    "election": (
        "delay",
        "delay: message times from the first call until everyone knows the leader, timeouts included",
        f"messages: for one election; the mean of {SEEDS} runs if it depends on chance",
    ),
}


def _all_rows(rows: list[Measured], family: str, nodes: int) -> Iterator[str]:
    heading, delays, messages = _EXPLAINED[family]
    yield f"{family}, n = {nodes}: measured alone, and when all ask at once"
    yield ""
    yield _padded("", "formula", "messages", "delay", "all ask", heading) + "with two processes, may lose"
    for row in rows:
        alone = range_words(*row.messages_alone), range_words(*row.delay_alone)
        together = f"{row.messages_together:.3g}", f"{row.delay_together:.3g}"
        yield _padded(row.title, row.formula, *alone, *together) + "; ".join(
            f"{fault}: {', '.join(lost)}" for fault, lost in row.lost.items() if lost
        )
    yield ""
    yield delays
    yield f"{messages}; loss: of one message; crash: of one process; overtaking: without FIFO channels"


def _padded(*cells: str) -> str:
    return "".join(f"{cell:{width}} " for cell, width in zip(cells, _COLUMNS, strict=True))


def _text(table: LectureTable) -> str:
    notes = (note for row in table.rows for note in _remarks(row))
    parts = (_grid(table), notes, _contradictions(table))
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
    measured = range_words(*cell.measured)
    if not cell.claimed:
        return measured
    return f"{cell.claimed} → {measured} {'✓' if cell.holds else '✗'}"


def _remarks(row: AlgorithmClaims) -> Iterator[str]:
    lines = [line for remark in (row.note, row.effect) for line in wrap(remark, LINE - NAME)]
    for name, line in zip_longest([row.title], lines, fillvalue=""):
        yield f"{name:{NAME}}{line}"


def _contradictions(table: LectureTable) -> Iterator[str]:
    yield "Where the slides contradict themselves or leave something out:"
    for contradiction in table.contradictions:
        yield f"  · {contradiction}"
