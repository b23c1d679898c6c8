"""Messages and entries counted along the run, the measured cost beside the textbook's formula."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.observe.meters import Counters
from algorithms.engine.observe.resource_names import resource_name
from algorithms.engine.observe.series import Spread
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.shapes import Shape, Text
from visual.window.pages.rules import rules
from visual.window.panel import Panel, View, heading
from visual.window.session import Session
from visual.window.side import LINE, MOST_TYPES
from visual.window.widgets import Look
from visual.words.names import message_type

_MOST_RESOURCES = 4  # whose entries have room beside each other


_MEASURED_AT = 0.56  # where the column of measured values ends, of the width
_SMALLEST = 15.0  # logical pixels of a formula: 11 pixels in a window of 1280x720; what it comes to is left out first


class Row(NamedTuple):
    """A line of the table: what is counted, how much, and what the textbook says."""

    words: str
    measured: str
    formula: str = ""
    strong: bool = False


def counters(view: View) -> Panel:
    """The table of counters; of a rewriting system that of its rules."""
    if system := system_of(view.session.run.algorithm):
        return rules(view, system)
    look, region = view.look, view.region
    theme, size = look.theme, look.px(19)
    left, right = region.x, region.x + region.w
    measured_at = region.x + region.w * _MEASURED_AT
    line = look.px(LINE)
    middle = region.y + line / 2
    small = look.size("small")
    shapes: list[Shape] = [
        heading(look, left, middle, "messages"),
        Text(measured_at, middle, "measured", small, theme.muted, anchor="end", baseline="middle"),
        Text(right, middle, "formula", small, theme.muted, anchor="end", baseline="middle"),
    ]
    for row in _rows(view):
        middle += line
        if middle + line / 2 > region.y + region.h + 1:
            break
        weight: fonts.Weight = "bold" if row.strong else "normal"
        value = fonts.width(row.measured, size, "mono", "bold")
        words = fonts.shorten(row.words, measured_at - value - look.gap - left, size, weight=weight)
        shapes.append(Text(left, middle, words, size, theme.ink, weight, baseline="middle"))
        shapes.append(Text(measured_at, middle, row.measured, size, theme.ink, "bold", "mono", "end", "middle"))
        if row.formula:
            text, shrunk = _fitting(look, row.formula, right - measured_at - look.gap)
            shapes.append(Text(right, middle, text, shrunk, theme.muted, anchor="end", baseline="middle"))
    return Panel(tuple(shapes))


def _fitting(look: Look, formula: str, room: float) -> tuple[str, float]:
    """A formula with what it comes to, or one of the two, whatever has room, and its size."""
    size = fonts.shrink(formula, room, look.px(19), look.px(_SMALLEST))
    words, _, numbers = formula.partition(" = ")
    fitting = [text for text in (formula, words, numbers) if text and fonts.fits(text, room + 1, size)]
    return (fitting or [fonts.shorten(words, room + 1, size)])[0], size


def _rows(view: View) -> list[Row]:
    session = view.session
    algorithm, counted = session.run.algorithm, session.ledger.counters()
    rows = [Row("in all", f"{counted.messages:,}"), *_by_type(algorithm, counted.by_type)]
    if counted.elections is not None:
        done = counted.elections
        rows.append(
            Row(
                "per election",
                _number(done.messages_per_election),
                formula_words(session.scenario.nodes, algorithm),
                True,
            )
        )
        rows.append(Row("elections over", f"{done.finished:,}"))
        rows.append(Row("time per election", _spread(done.turnaround)))
        return rows
    rows.append(Row("per entry", _number(counted.per_entry), formula_words(session.scenario.nodes, algorithm), True))
    rows.append(Row("entries", f"{counted.entries:,}", _by_resource(counted) or _fairness(counted)))
    rows.append(Row("waiting time", _spread(counted.waiting_time), _longest(counted.waiting_time)))
    if counted.tokens is not None:
        rows.append(Row("tokens alive", str(counted.tokens), _token_shares(counted)))
    return rows


def _by_type(algorithm: Algorithm, by_type: dict[str, int]) -> list[Row]:
    """The types that the algorithm declares, in its order; of too many the most frequent so far, the rest together.

    There are always as many rows, and none changes places with another: all that changes is who has one.
    """
    names = {kind.__name__: message_type(kind) for kind in algorithm.looks}
    counts = {name: by_type.get(name, 0) for name in names}
    frequent = sorted(counts, key=lambda name: -counts[name])  # the algorithm's order where they are equal
    own = set(names if len(names) <= MOST_TYPES else frequent[: MOST_TYPES - 1])
    rows = [Row(f"  {words}", f"{counts[name]:,}") for name, words in names.items() if name in own]
    if len(own) == len(names):
        return rows
    others = sum(by_type.values()) - sum(counts[name] for name in own)
    return [*rows, Row("  others", f"{others:,}")]


def formula_words(nodes: int, algorithm: Algorithm) -> str:
    """The textbook's cost, worked out for so many nodes: "2(N−1) = 8"."""
    cost = algorithm.cost
    if cost is None:
        return ""
    low, high = cost.low(nodes), cost.high(nodes) if cost.high else None
    if low != high:
        return cost.formula if high is None else f"{cost.formula} = {low:g} … {high:g}"
    return cost.formula if cost.formula == f"{low:g}" else f"{cost.formula} = {low:g}"


def formula_numbers(nodes: int, algorithm: Algorithm) -> str:
    """What the textbook's cost comes to for so many nodes: "8", "1 … 64"."""
    cost = algorithm.cost
    if cost is None:
        return ""
    low, high = cost.low(nodes), cost.high(nodes) if cost.high else None
    if low == high:
        return f"{low:g}"
    return f"{low:g} … {'∞' if high is None else f'{high:g}'}"


def per_turn(session: Session) -> tuple[str, ...]:
    """What an entry, or an election, has cost so far, in more and in fewer words; nothing before the first."""
    counted = session.ledger.counters()
    elections = counted.elections
    cost = counted.per_entry if elections is None else elections.messages_per_election
    if cost is None:
        return ()
    turn = "entry" if elections is None else "election"
    return f"{cost:,.1f} messages per {turn}", f"{cost:,.1f} per {turn}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _spread(spread: Spread) -> str:
    return _number(spread.mean)


def _longest(spread: Spread) -> str:
    return "" if spread.max is None else f"mean; longest {spread.max:.1f}"


def _fairness(counted: Counters) -> str:
    return "" if counted.fairness is None else f"fairness {counted.fairness:.2f}"


def _by_resource(counted: Counters) -> str:
    """The entries for each of several resources; of many for those that have most."""
    entries = {resource_name(number): resource.entries for number, resource in enumerate(counted.resources)}
    most = sorted(entries, key=lambda name: -entries[name])[:_MOST_RESOURCES]
    named = [f"{name}: {count:,}" for name, count in entries.items() if name in most]
    return "  ".join(named) + ("  …" if len(entries) > len(named) else "")


def _token_shares(counted: Counters) -> str:
    """For how much of the time there were none, and more than one."""
    shares = counted.token_shares or {}
    whole = sum(shares.values())
    if not whole or len(shares) < 2:
        return ""
    return "  ".join(f"{count}: {100 * spent / whole:.0f} %" for count, spent in sorted(shares.items())[:3])
