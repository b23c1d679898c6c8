"""A lab's report as text: aligned for a terminal, and as Markdown for a file."""

from __future__ import annotations

import re
from math import floor, log10
from textwrap import fill

from algorithms.engine.errors import count_words
from lessons.laboratory.lab import Band, LabReport, LabRow

HEADINGS = ("", "published", "measured", "expected", "verdict")
NONE = "\N{EN DASH}"  # in place of a published value or of an expected range
COLUMNS = (
    f"published: the value or claim of the paper ({NONE}: it gives none). measured: the mean of the runs ± the "
    "standard deviation of one run. expected: the range in which a correct program lies, wider for fewer runs. "
    "verdict: in range or out of range; where there is no range, whether the paper's claim holds."
)
WIDTH = 100  # of running text on a terminal
TIE = "\N{NO-BREAK SPACE}"


def as_text(report: LabReport) -> str:
    """Format for a terminal: the table, its notes, each once, and the lab's conclusions."""
    notes = list(dict.fromkeys(row.note for row in report.rows if row.note))
    marks = {"": "", **{note: f"[{place}]" for place, note in enumerate(notes, 1)}}
    table = _aligned([(*HEADINGS, ""), *((*cells_of(row), marks[row.note]) for row in report.rows)])
    below = "\n".join(_wrapped(f"{marks[note]} {note}", "    ") for note in notes)
    head = f"{report.lab.title}\n{_wrapped(report.lab.question)}\n{_wrapped(_origin(report))}"
    parts = (head, table, below, _wrapped(COLUMNS), _wrapped(report.lab.paragraph))
    return "\n\n".join(part for part in parts if part)


def _aligned(lines: list[tuple[str, ...]]) -> str:
    """Align cells in columns: names to the left, figures to the right, marks of notes last."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = ([line[0].ljust(widths[0]), *map(str.rjust, line[1:-1], widths[1:-1]), line[-1]] for line in lines)
    return "\n".join("  ".join(cells).rstrip() for cells in aligned)


def _wrapped(text: str, indent: str = "") -> str:
    """Wrap running text, without a break inside "x = 1" and "5 %"."""
    tied = re.sub(r" ([=<>]) | (?=%)", lambda found: found[0].replace(" ", TIE), text)
    return fill(tied, WIDTH, subsequent_indent=indent).replace(TIE, " ")


def as_markdown(report: LabReport) -> str:
    """Format for a file that has the plot beside it."""
    lab = report.lab
    headings = [*HEADINGS, "note"]
    lines = [headings, ["---", *["---:"] * 3, "---", "---"], *([*cells_of(row), row.note] for row in report.rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    plot = f"![{lab.title}: published and measured]({lab.name}.svg)\n\n{lab.picture}"
    parts = (f"# {lab.title}", lab.question, _origin(report), table, COLUMNS, plot, lab.paragraph)
    return "\n\n".join(parts) + "\n"


def number(value: float) -> str:
    """Format a number for a table: integers from 100 up, four digits below."""
    if value != value or abs(value) == float("inf"):
        return str(value)
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def with_spread(value: float, sd: float) -> str:
    """Format a number and its standard deviation to the same place, that of the deviation's second digit."""
    if not sd:
        return f"{number(value)} ± 0"
    places = max(0, 1 - floor(log10(sd)))
    return f"{value:,.{places}f} ± {sd:,.{places}f}"


def cells_of(row: LabRow) -> tuple[str, str, str, str, str]:
    """Format a row's cells, in the order of the headings."""
    published = NONE if row.published is None else row.published
    return (
        row.name,
        published if isinstance(published, str) else number(published),
        number(row.measured) if row.sd is None else with_spread(row.measured, row.sd),
        NONE if row.band is None else _band(row.band),
        _verdict(row),
    )


def _verdict(row: LabRow) -> str:
    if row.holds is None:
        return NONE
    if row.band is not None:
        return "in range" if row.holds else "out of range"
    return "claim holds" if row.holds else "claim fails"


def _band(band: Band) -> str:
    low, high = map(number, band)
    return low if low == high else f"{low} … {high}"


def _origin(report: LabReport) -> str:
    """The origin of the figures: the paper, the number of runs, and their constants."""
    runs = "every case once" if report.lab.seeds == 1 else count_words(report.seeds, "seed")
    constants = ", ".join(f"{name} = {number(value)}" for name, value in report.lab.parameters.items())
    return f"{report.lab.source}; {runs}" + (f"; {constants}" if constants else "")
