"""Numbers of a run as a table, to paste into slides, a paper or a spreadsheet: counters, trace, and waiting times."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from algorithms import catalog, trace_file
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.meters import Counters, Meters
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import resource_name
from algorithms.scenario_format.place import Place
from visual.commands.output import require_folder, write
from visual.commands.picture_options import one_of
from visual.commands.pictures import Instant, go_to, instants_of
from visual.commands.scenario_options import name_of
from visual.words import message_type, node_name

Cell: TypeAlias = str | int | float | dict[str, Any] | list[Any] | None


class Table(NamedTuple):
    """A table: the names of its columns, and its rows; None is an empty cell."""

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]


def write_table(arguments: argparse.Namespace, scenario: Scenario) -> None:
    """Write the table that the arguments ask for, by default of the whole run, and print its name."""
    name = one_of("--table", "table", arguments.table, tuple(TABLES))
    for option in ("beside", "emit", "view", "steps", "format"):
        if getattr(arguments, option) is not None:
            raise Place(f"--{option}").wrong("a table has no pictures; expected --table without it")
    output = arguments.output or f"{{name}}-{name}.csv"
    kind = "md" if output == "-" else Path(output).suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise Place("-o").expected(f"a name that ends in {', '.join(f'.{known}' for known in FORMATS)}", output)
    instants = [Instant(time=scenario.until)] if arguments.at is None else instants_of(arguments.at, None, scenario)
    if len(instants) > 1:
        raise Place("--at").wrong(f"expected one moment for a table, got {len(instants)}")
    file = output.replace("{name}", name_of(arguments))
    require_folder(file)
    timeline = catalog.timeline(scenario)
    go_to(timeline, instants[0])
    time = timeline.simulation.now if instants[0].step is not None else instants[0].time
    write(file, [FORMATS[kind](TABLES[name](timeline, time)).encode()])
    if output != "-":
        print(file)


# ---- the tables --------------------------------------------------------------------------------------------


def counters_table(timeline: Timeline, time: float) -> Table:
    """What the run has cost by then, beside the textbook's formula."""
    from visual.window.pages.run import formula_words  # the panel with the same numbers

    run = timeline.simulation
    meters = Meters(run.scenario, run.algorithm)
    meters.advance(timeline.trace)
    counted, formula = meters.at(timeline.step, time), formula_words(run.scenario, run.algorithm)
    rows: list[tuple[Cell, ...]] = [("messages", counted.messages, "")]
    words = {kind.__name__: message_type(kind) for kind in run.algorithm.looks}
    rows += [(f"messages: {words.get(name, name)}", number, "") for name, number in counted.by_type.items()]
    if counted.rules:
        return Table(_COUNTER, [(f"rule {rule}", number, "") for rule, number in sorted(counted.rules.items())])
    if counted.elections is not None:
        elections = counted.elections
        rows += [("elections over", elections.finished, "")]
        rows += [("messages per election", _rounded(elections.messages_per_election), formula)]
        return Table(_COUNTER, [*rows, ("time per election", _rounded(elections.turnaround.mean), "")])
    rows += [("messages per entry", _rounded(counted.per_entry), formula), ("entries", counted.entries, "")]
    return Table(_COUNTER, [*rows, *_service(counted)])


_COUNTER = ("counter", "measured", "formula")


def _service(counted: Counters) -> Iterator[tuple[Cell, ...]]:
    for name, spread in (
        ("waiting time", counted.waiting_time),
        ("synchronization delay", counted.synchronisation_delay),
    ):
        for kind, value in (
            ("mean", spread.mean),
            ("median", spread.median),
            ("95 %", spread.p95),
            ("max", spread.max),
        ):
            yield f"{name}: {kind}", _rounded(value), ""
    yield "fairness (Jain)", _rounded(counted.fairness), ""
    if counted.tokens is not None:
        yield "tokens alive", counted.tokens, ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


class WaitLog(Observer):
    """Every entry: the node, when it requested, entered and left, and at which resource."""

    def __init__(self, situation: Situation) -> None:
        self.rows: list[list[Any]] = []
        self._here = situation
        self._latest: dict[tuple[int, int], list[Any]] = {}

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self.rows.append([node, self._here.resource, asked, time, None])
        self._latest[self._here.resource, node] = self.rows[-1]

    def on_left(self, step: int, time: float, node: int) -> None:
        if row := self._latest.pop((self._here.resource, node), None):
            row[-1] = time


def waits_table(timeline: Timeline, time: float) -> Table:
    """Every request by then: when it was made, granted and done, and how long it waited."""
    run = timeline.simulation
    fold = Fold(run.scenario, run.algorithm)
    log = WaitLog(fold.situation)
    fold.observe([log])
    fold.advance(timeline.trace)
    pending = fold.situation.requests.at(timeline.step).items()
    still = sorted((since, node, resource) for (resource, node), since in pending)
    several = fold.situation.has_several_resources
    columns = ("node", *(["resource"] * several), "requested", "entered", "left", "waited")
    rows: list[tuple[Cell, ...]] = []
    for node, resource, asked, entered, left in [*log.rows, *([n, r, t, None, None] for t, n, r in still)]:
        waited = None if asked is None or entered is None else entered - asked
        where = [resource_name(resource)] * several
        rows.append((node_name(node), *where, *(_rounded(value) for value in (asked, entered, left, waited))))
    return Table(columns, rows)


def trace_table(timeline: Timeline, time: float) -> Table:
    """Every event by then and each of its effects."""
    run = timeline.simulation
    rows = [row for row in trace_file.rows(timeline.trace) if row["step"] <= run.steps]
    return Table(trace_file.COLUMNS, [tuple(row.values()) for row in rows])


def _plain(cell: Cell) -> str | int | float | None:
    """A cell where all is text; values of several parts, and truth values, are JSON."""
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, bool | dict | list) else cell


TABLES: dict[str, Callable[[Timeline, float], Table]] = {
    "counters": counters_table,
    "trace": trace_table,
    "waits": waits_table,
}

# ---- their formats -----------------------------------------------------------------------------------------


def as_csv(table: Table) -> str:
    """Comma-separated values, with the names of the columns in the first line."""
    return "".join(f"{csv_line(row)}\n" for row in (table.columns, *table.rows))


def csv_line(cells: Sequence[Cell]) -> str:
    """A line of comma-separated values, without its end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(map(_plain, cells))
    return text.getvalue()


def as_markdown(table: Table) -> str:
    """A table of Markdown, numbers to the right."""
    lines = [table.columns, tuple("---:" if is_right else "---" for is_right in _right(table)), *table.rows]
    return "".join(f"| {' | '.join(_text(cell).translate(_NO_PIPES) for cell in line)} |\n" for line in lines)


def as_latex(table: Table) -> str:
    """A tabular of LaTeX, which needs no package."""
    kinds = "".join("r" if is_right else "l" for is_right in _right(table))
    head, *rows = (
        f"{' & '.join(_text(cell).translate(_LATEX) for cell in line)} \\\\" for line in (table.columns, *table.rows)
    )
    lines = [f"\\begin{{tabular}}{{{kinds}}}", "\\hline", head, "\\hline", *rows, "\\hline", "\\end{tabular}"]
    return "\n".join([*lines, ""])


def as_json(table: Table) -> str:
    """A list of objects, one for each row."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _right(table: Table) -> list[bool]:
    """Whether each column has numbers only, and is therefore aligned at the right."""
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.columns)
    return [any(cells) and all(isinstance(_plain(cell), int | float | None) for cell in cells) for cells in columns]


def _text(cell: Cell) -> str:
    return "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(_plain(cell))


_NO_PIPES = str.maketrans({"|": "\\|", "\n": " "})
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "#$%&_{}"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "⌈": "$\\lceil$"}
    | {"⌉": "$\\rceil$", "√": "$\\surd$", "∞": "$\\infty$", "≤": "$\\le$", "→": "$\\to$", "\n": " "}
)

FORMATS: dict[str, Callable[[Table], str]] = {"csv": as_csv, "md": as_markdown, "tex": as_latex, "json": as_json}
