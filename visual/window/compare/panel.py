"""The table that compares two runs: the figures of each at the same time, and their difference."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

from algorithms.engine.observe.meters import Counters
from algorithms.engine.observe.verdicts import BROKEN, NAMES, OVERDUE, PENDING, Verdict
from visual.drawing import fonts
from visual.drawing.shapes import Colour, Shape, Text
from visual.window.arrangement import short_names
from visual.window.desk import Desk
from visual.window.pages.run import formula_numbers
from visual.window.panel import Panel, View, heading, level_rule
from visual.window.run_view import RunView
from visual.window.side import COMPARED_LINE
from visual.window.widgets import Look

_LEFT_AT, _RIGHT_AT = 0.52, 0.8  # right edges of the columns of both runs, in widths; the difference ends at 1
_TIGHTEST = 0.9  # minimum line height, in usual ones
MINUS = "−"
DIFFERENCE = f"right {MINUS} left"
_BOLD: fonts.Weight = "bold"
_PLAIN: fonts.Weight = "normal"


class Value(NamedTuple):
    """A cell of the table, with its number if the difference of two such numbers has a meaning."""

    words: str
    number: float | None = None
    colour: str = "ink"  # the name of a colour of the theme


class Row(NamedTuple):
    """A line of the table: a measure, with its values in the left run and the right one."""

    words: str
    left: Value
    right: Value
    strong: bool = False
    unit: str = ""  # of the difference

    @property
    def difference(self) -> str:
        """The right value minus the left one, in words; "" if they cannot be subtracted."""
        if self.left.number is None or self.right.number is None:
            return ""
        more = self.right.number - self.left.number
        if abs(more) < 0.05:
            return "="
        exact = float(self.left.number).is_integer() and float(self.right.number).is_integer()
        return f"{'+' if more > 0 else MINUS}{abs(more):,.{0 if exact else 1}f}{self.unit}"


def comparison(view: View) -> Panel:
    """The table, with as many lines as fit."""
    look, region = view.look, view.region
    table, (heads, below) = list(rows(view.desk)), _heads(view)
    room = region.y + region.h - below
    line = max(min(look.px(COMPARED_LINE), room / len(table)), _TIGHTEST * look.px(COMPARED_LINE))
    shapes: list[Shape] = [*heads, level_rule(look, region.x, region.x + region.w, below)]
    for place, row in enumerate(table[: int(room / line + 0.01)]):
        shapes += _row_shapes(view, row, below + (place + 0.5) * line)
    return Panel(tuple(shapes))


def _heads(view: View) -> tuple[list[Shape], float]:
    """The heads of the columns, in one or two lines; and the y coordinate below them."""
    look, region = view.look, view.region
    size, step = look.size("small"), 1.2 * look.size("small")
    room = region.w * (_RIGHT_AT - _LEFT_AT) - look.gap
    names = [_two_lines(name, room, size) for name in short_names(view.desk)]
    names.append(_two_lines(DIFFERENCE, region.w * (1 - _RIGHT_AT) - look.gap, size))
    height = max(look.px(COMPARED_LINE), max(map(len, names)) * step + 0.4 * size)
    last = region.y + height - look.px(COMPARED_LINE) / 2
    shapes: list[Shape] = [heading(look, region.x, last, "compared")]
    inks = (look.theme.ink, look.theme.ink, look.theme.muted)
    for lines, at, ink in zip(names, (_LEFT_AT, _RIGHT_AT, 1.0), inks, strict=True):
        x = region.x + region.w * at
        for above, words in enumerate(reversed(lines)):
            shapes.append(Text(x, last - above * step, words, size, ink, _BOLD, anchor="end", baseline="middle"))
    return shapes, region.y + height


def _two_lines(words: str, room: float, size: float) -> list[str]:
    """Bold words in at most two lines, broken at spaces and hyphens; the second line is shortened to fit."""
    lines = [line.replace("- ", "-") for line in fonts.wrap(words.replace("-", "- "), room, size, weight=_BOLD)]
    return [*lines[:1], fonts.shorten(" ".join(lines[1:]), room, size, weight=_BOLD)] if lines[1:] else lines


def _row_shapes(view: View, row: Row, middle: float) -> list[Shape]:
    look, region = view.look, view.region
    size = look.px(18)
    weight = _BOLD if row.strong else _PLAIN
    room = region.w * (_RIGHT_AT - _LEFT_AT) - look.gap
    names = region.w * _LEFT_AT - min(fonts.width(row.left.words, look.px(18), "mono", "bold"), room) - look.gap
    return [
        Text(
            region.x,
            middle,
            fonts.shorten(row.words, names, size, weight=weight),
            size,
            look.theme.ink,
            weight,
            baseline="middle",
        ),
        _cell(look, region.x + region.w * _LEFT_AT, middle, row.left, room),
        _cell(look, region.x + region.w * _RIGHT_AT, middle, row.right, room),
        _cell(look, region.x + region.w, middle, Value(row.difference), region.w * (1 - _RIGHT_AT) - look.gap),
    ]


def _cell(look: Look, right: float, middle: float, value: Value, room: float) -> Text:
    ink: Colour = getattr(look.theme, value.colour)
    size = fonts.shrink(value.words, room, look.px(18), look.px(12), "mono", "bold")
    words = fonts.shorten(value.words, room, size, "mono", "bold")
    return Text(right, middle, words, size, ink, "bold", "mono", "end", "middle")


# ---- rows --------------------------------------------------------------------------------------


def rows(desk: Desk) -> Iterable[Row]:
    """The lines for the two runs: verdicts first, then costs, then times and shares."""
    left, right = desk.runs
    yield from _verdict_rows(left, right)
    counted = [run.ledger.counters() for run in (left, right)]
    if left.system and right.system:
        applied = [sum(c.rules.values()) for c in counted]
        yield _row("rules applied", [(f"{number:,}", number) for number in applied], strong=True)
        return
    yield _row("messages", [(f"{c.messages:,}", c.messages) for c in counted])
    if all(c.elections is not None for c in counted):
        yield from _election_rows(counted)
        return
    yield _row("per entry", [(_number(c.per_entry), c.per_entry) for c in counted], strong=True)
    yield _textbook_row(left, right)
    yield _row("entries", [(f"{c.entries:,}", c.entries) for c in counted])
    yield _row("waiting time", [(_number(c.waiting_time.mean), c.waiting_time.mean) for c in counted])
    yield _row("longest wait", [(_number(c.waiting_time.max), c.waiting_time.max) for c in counted])
    yield _row("synchronization delay", [(_number(s.mean), s.mean) for s in (c.synchronisation_delay for c in counted)])
    yield _row("time in use", [_share_in_use(c) for c in counted], unit=" %")
    yield _row("fairness (Jain)", [("–" if c.fairness is None else f"{c.fairness:.2f}", None) for c in counted])
    if any(c.tokens is not None for c in counted):
        yield _row("tokens alive", [("–" if c.tokens is None else str(c.tokens), c.tokens) for c in counted])


def _election_rows(counted: list[Counters]) -> Iterable[Row]:
    done = [c.elections for c in counted if c.elections is not None]
    costs = [e.messages_per_election for e in done]
    yield _row("per election", [(_number(cost), cost) for cost in costs], strong=True)
    yield _row("elections over", [(f"{e.finished:,}", e.finished) for e in done])
    yield _row("time per election", [(_number(e.turnaround.mean), e.turnaround.mean) for e in done])


def _row(words: str, cells: list[tuple[str, float | None]], *, strong: bool = False, unit: str = "") -> Row:
    left, right = cells
    return Row(words, Value(*left), Value(*right), strong, unit)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _textbook_row(left: RunView, right: RunView) -> Row:
    """The textbook's messages per entry of both."""
    formulas = [formula_numbers(run.scenario, run.simulation.algorithm) or "–" for run in (left, right)]
    return Row("textbook", Value(formulas[0], colour="muted"), Value(formulas[1], colour="muted"))


def _share_in_use(counted: Counters) -> tuple[str, float | None]:
    """The percentage of time in which the critical section was occupied, with its words."""
    whole = sum(counted.concurrency.values())
    if not whole:
        return "–", None
    share = round(100 * (1 - counted.concurrency.get(0, 0.0) / whole))
    return f"{share} %", share


def _verdict_rows(left: RunView, right: RunView) -> Iterable[Row]:
    """The verdicts of the monitors; a dash where only the other run has that monitor."""
    verdicts = [{verdict.name: verdict for verdict in run.ledger.verdicts} for run in (left, right)]
    names = dict.fromkeys(name for pair in zip_longest(*verdicts) for name in pair if name is not None)
    for name in names:
        yield Row(NAMES.get(name, name), _verdict(verdicts[0].get(name)), _verdict(verdicts[1].get(name)))


def _verdict(verdict: Verdict | None) -> Value:
    if verdict is None:
        return Value("–", colour="muted")
    if verdict.status == BROKEN:
        return Value(f"✕ step {verdict.step}" if verdict.promised else "✕ no promise", colour="fault_text")
    if verdict.status in (PENDING, OVERDUE):
        return Value(f"{len(verdict.nodes) or 'none'} {verdict.status}", colour="pending_text")
    return Value("✓ holds", colour="ok_text") if verdict.promised else Value("✓ no promise", colour="muted")
