"""A lab's table in words: aligned for a terminal, and as Markdown for a file."""

from __future__ import annotations

from textwrap import fill

from lessons.laboratory.lab import Band, Report, Row

HEADINGS = ("", "published", "measured", "band", "holds?")
WIDTH = 100  # of running text on a terminal


def as_text(report: Report) -> str:
    """For a terminal."""
    cells = [HEADINGS, *map(_cells, report.rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = []
    for line, note in zip(cells, ("", *(row.note for row in report.rows)), strict=True):
        first, *others = line
        text = "  ".join([first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(others, widths[1:], strict=True))])
        lines.append(f"{text}  {note}".rstrip())
    head = f"{report.lab.title}\n{_origin(report)}"
    return "\n\n".join([head, "\n".join(lines), fill(report.lab.paragraph, WIDTH)])


def as_markdown(report: Report) -> str:
    """For a file, with the plot beside it."""
    lab = report.lab
    headings = [*HEADINGS, "note"]
    lines = [headings, ["---", *["---:"] * 3, "---", "---"], *([*_cells(row), row.note] for row in report.rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    plot = f"![{lab.title}: published and measured]({lab.name}.svg)"
    return f"# {lab.title}\n\n{_origin(report)}\n\n{table}\n\n{plot}\n\n{lab.paragraph}\n"


def number(value: float) -> str:
    """A number as a table has it: whole from 100 on, four digits below."""
    if value != value or abs(value) == float("inf"):
        return str(value)
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _cells(row: Row) -> tuple[str, str, str, str, str]:
    published = "" if row.published is None else row.published
    spread = "" if row.sd is None else f" ± {number(row.sd)}"
    return (
        row.name,
        published if isinstance(published, str) else number(published),
        number(row.measured) + spread,
        "" if row.band is None else _band(row.band),
        {True: "yes", False: "no", None: ""}[row.holds],
    )


def _band(band: Band) -> str:
    low, high = map(number, band)
    return low if low == high else f"{low} … {high}"


def _origin(report: Report) -> str:
    """Where the figures come from: the paper, the runs, and their constants."""
    runs = "every case once" if report.lab.seeds == 1 else f"{report.seeds} seeds"
    constants = ", ".join(f"{name} = {number(value)}" for name, value in report.lab.parameters.items())
    return f"{report.lab.source}; {runs}" + (f"; {constants}" if constants else "")
