"""Panels on the run as a whole: counters, properties and concurrency."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from algorithms.engine.errors import count_words
from algorithms.engine.observe.invariants import privileges_in
from algorithms.engine.observe.meters import Counters
from algorithms.engine.observe.size import size_of
from algorithms.engine.observe.verdicts import BROKEN, NAMES, NOT_PROMISED, OVERDUE, PENDING, Verdict, title
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import resource_name
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Box, Colour, Rect, Shape, Text
from visual.window import intents
from visual.window.intents import Do
from visual.window.pages.plot_chart import Axis, Chart, hatch, shares_words
from visual.window.pages.rules import rules
from visual.window.panel import Panel, View, heading
from visual.window.run_view import RunView
from visual.window.side import LINE, MOST_TYPES
from visual.window.widgets import Look, Target
from visual.words import message_type, naming, node_name, range_words

_MOST_RESOURCES = 4  # whose entries have room beside each other
_MEASURED_AT = 0.56  # of the width: the right end of the column of measured values
_SMALLEST = 15.0  # logical pixels of a formula, which are 11 pixels in a window of 1280x720


class CounterRow(NamedTuple):
    """A counter with its value and the textbook's formula or a remark."""

    words: str
    measured: str
    formula: str = ""
    strong: bool = False


def counters(view: View) -> Panel:
    """The table of counters, or of rules for a rewriting system."""
    if system := view.run.system:
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
    for row in counter_rows(view.run, view.interface.playback.time):
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
    """As much of a formula and its value as fits, and its size."""
    size = fonts.shrink(formula, room, look.px(19), look.px(_SMALLEST))
    words, _, numbers = formula.partition(" = ")
    shorter = words.rpartition(" ")[0] if " so far for " in words else words  # "8 so far for 2 open"
    fitting = [text for text in (formula, words, numbers, shorter) if text and fonts.fits(text, room + 1, size)]
    return (fitting or [fonts.shorten(words, room + 1, size)])[0], size


def counter_rows(run: RunView, time: float | None = None) -> list[CounterRow]:
    """The counters of a run at a time, from top to bottom; without a time after its last step, no shares of time."""
    algorithm, counted = run.simulation.algorithm, run.ledger.counters(time)
    rows = [CounterRow("total", f"{counted.messages:,}", _open(counted)), *_by_type(algorithm, counted.by_type)]
    if counted.elections is not None:
        elections, formula = counted.elections, formula_words(run.scenario, algorithm)
        return [
            *rows,
            CounterRow("per election", _number(elections.messages_per_election), formula, True),
            CounterRow("elections over", f"{elections.finished:,}"),
            CounterRow("time per election", _number(elections.turnaround.mean)),
        ]
    rows.append(CounterRow("per entry", _number(counted.per_entry), formula_words(run.scenario, algorithm), True))
    rows.append(CounterRow("entries", f"{counted.entries:,}", _by_resource(counted) or _entries_remark(counted)))
    most = counted.waiting_time.max
    longest = "" if most is None else f"mean; longest {most:.1f}"
    rows.append(CounterRow("waiting time", _number(counted.waiting_time.mean), longest))
    if counted.tokens is not None:
        rows.append(CounterRow("tokens alive", str(counted.tokens), "" if time is None else _token_shares(counted)))
    if (privileges := privileges_in(run.simulation)) is not None:
        rows.append(CounterRow("privileges", str(privileges), "in the end: 1"))
    return rows


def _by_type(algorithm: Algorithm, by_type: dict[str, int]) -> list[CounterRow]:
    """A row per message type; of too many, the most frequent and a total.

    The number of rows and their order never change during a run, only which types have a row of their own.
    """
    names = {kind.__name__: message_type(kind) for kind in algorithm.looks}
    counts = {name: by_type.get(name, 0) for name in names}
    frequent = sorted(counts, key=lambda name: -counts[name])  # the algorithm's order where they are equal
    own = set(names if len(names) <= MOST_TYPES else frequent[: MOST_TYPES - 1])
    rows = [CounterRow(f"  {words}", f"{counts[name]:,}") for name, words in names.items() if name in own]
    if len(own) == len(names):
        return rows
    others = sum(by_type.values()) - sum(counts[name] for name in own)
    return [*rows, CounterRow("  others", f"{others:,}")]


def formula_words(scenario: Scenario, algorithm: Algorithm) -> str:
    """The textbook's cost for the scenario's system: "2(N−1) = 8"."""
    cost, numbers = algorithm.cost, formula_numbers(scenario, algorithm)
    if cost is None:
        return ""
    return cost.formula if cost.high is None or cost.formula == numbers else f"{cost.formula} = {numbers}"


def formula_numbers(scenario: Scenario, algorithm: Algorithm) -> str:
    """The value of the textbook's cost for the scenario's system: "8", "1 … 64"."""
    cost = algorithm.cost
    if cost is None:
        return ""
    size = size_of(scenario, algorithm)
    return range_words(cost.low(size), cost.high(size) if cost.high else None)


def per_turn(run: RunView) -> tuple[str, ...]:
    """The mean cost of an entry or election so far, long and short."""
    counted = run.ledger.counters()
    elections = counted.elections
    cost = counted.per_entry if elections is None else elections.messages_per_election
    if cost is None:
        return ()
    turn = "entry" if elections is None else "election"
    return f"{cost:,.1f} messages per {turn}", f"{cost:,.1f} per {turn}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _open(counted: Counters) -> str:
    """The messages that the mean does not count yet."""
    if counted.elections is None:
        messages, number, what = counted.open_messages, counted.open_requests, "open request"
    else:
        elections = counted.elections
        messages, number, what = elections.open_messages, elections.started - elections.complete, "open election"
    if not number:
        return f"{messages:,} for the next entry" if messages else ""
    return f"{messages:,} so far for {count_words(number, what)}"


def _entries_remark(counted: Counters) -> str:
    """The entries that the mean leaves out, or else the fairness."""
    if counted.charges.free and not counted.counts_free:
        return f"{counted.charges.free:,} at no cost: not counted"
    return "" if counted.fairness is None else f"fairness (Jain) {counted.fairness:.2f}"


def _by_resource(counted: Counters) -> str:
    """The entries by resource, of many only the most used."""
    entries = {resource_name(number): resource.entries for number, resource in enumerate(counted.resources)}
    most = sorted(entries, key=lambda name: -entries[name])[:_MOST_RESOURCES]
    named = [f"{name}: {count:,}" for name, count in entries.items() if name in most]
    return "  ".join(named) + ("  …" if len(entries) > len(named) else "")


def _token_shares(counted: Counters) -> str:
    """The shares of time by number of tokens; empty if the number never changed."""
    shares = counted.token_shares or {}
    whole = sum(shares.values())
    if not whole or len(shares) < 2:
        return ""
    return "  ".join(f"{count}: {100 * spent / whole:.0f} %" for count, spent in sorted(shares.items())[:3])


STATUS_ICONS = {PENDING: "dots", OVERDUE: "dots", BROKEN: "cross"}
_ICON_ROOM = 20.0  # logical pixels at the right of a name
_MOST_NAMED = 2  # pending nodes that are named; beyond that their number is given
_NAME_AT, _WORDS_AT, _LINE = 21.0, 43.0, 18.0  # logical pixels from the top to the name and to the status; a line


def lights(view: View) -> Panel:
    """A light per property; a click leads to the breach or an explanation.

    Properties that the algorithm does not promise have a dashed outline.
    """
    return row_of_lights(view, view.run.ledger.verdicts)


def row_of_lights(view: View, verdicts: Sequence[Verdict]) -> Panel:
    """The lights of some properties in one row."""
    look, region = view.look, view.region
    if not verdicts:
        return Panel()
    is_soft = view.run.simulation.algorithm.paced_by is not None
    width = (region.w - (len(verdicts) - 1) * look.gap) / len(verdicts)
    boxes = [Rect(region.x + k * (width + look.gap), region.y, width, region.h) for k in range(len(verdicts))]
    size = _name_size(look, verdicts, boxes[0])
    icon_y = _icon_y(look, verdicts, boxes[0], size)
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, (verdict, box) in enumerate(zip(verdicts, boxes, strict=True)):
        is_share = verdict.name == "ME1" and is_soft
        shapes += _soft(view, box, size) if is_share else _light(look, verdict, box, size, icon_y)
        targets.append(Target(f"lights.{place}", box, _click(view, verdict), _hint(verdict)))
    return Panel(tuple(shapes), tuple(targets))


def _name_size(look: Look, verdicts: Sequence[Verdict], box: Rect) -> float:
    """The size at which all names fit, so that the lights read as one row."""
    room = box.w - 2 * _padding(look, box) - look.px(_ICON_ROOM)
    return min(fonts.shrink(_name(verdict), room, look.px(19), look.px(13), weight="bold") for verdict in verdicts)


def _icon_y(look: Look, verdicts: Sequence[Verdict], box: Rect, size: float) -> float:
    """The distance of the icons from the top, where all have room."""
    room = box.w - 2 * _padding(look, box) - look.px(_ICON_ROOM)
    has_room = all(fonts.width(_name(verdict), size, weight="bold") <= room for verdict in verdicts)
    return look.px(_NAME_AT if has_room else _WORDS_AT + _LINE)


def _name(verdict: Verdict) -> str:
    return NAMES.get(verdict.name, verdict.name)


def _soft(view: View, box: Rect, size: float) -> list[Shape]:
    """The light of soft mutual exclusion: the share of time with overlaps."""
    look, theme = view.look, view.look.theme
    spent = view.run.ledger.counters(view.interface.playback.time).concurrency
    more = sum(time for count, time in spent.items() if count > 1) / (sum(spent.values()) or 1.0)
    pad = _padding(look, box)
    room = box.w - 2 * pad
    small, words = _in_two_lines(look, f"2 or more: {100 * more:.1f} %", room, room)
    return [
        Box(*box, theme.card, theme.ink, look.px(2.5), look.radius),
        Text(box.x + pad, box.y + look.px(_NAME_AT), "in the CS", size, theme.ink, "bold", baseline="middle"),
        *_status_lines(look, words, box, small, theme.ink),
    ]


def _light(look: Look, verdict: Verdict, box: Rect, size: float, icon_y: float) -> list[Shape]:
    theme = look.theme
    line, ink = status_colours(look, verdict)
    dash = () if verdict.promised else (look.px(5), look.px(4))
    pad = _padding(look, box)
    shapes: list[Shape] = [Box(*box, theme.card, line, look.px(2.5), look.radius, dash)]
    name_at = box.y + look.px(_NAME_AT)
    shapes.append(Text(box.x + pad, name_at, _name(verdict), size, theme.ink, "bold", baseline="middle"))
    room = box.w - 2 * pad
    second = room if box.y + icon_y == name_at else room - look.px(_ICON_ROOM)
    small, lines = _in_two_lines(look, words := status_words(verdict), room, second)
    if " ".join(lines) != words and not verdict.promised:  # no room for both: the sign says the status alone
        small, lines = _in_two_lines(look, "not promised", room, second)
    width = look.px(_ICON_ROOM)
    fits = [fonts.width(line, small, weight="bold") <= room - width for line in lines]
    if not all(fits[1:]) and box.y + icon_y != name_at:
        icon_y = look.px(_WORDS_AT) if fits[0] else 0.0  # beside the first line, or nowhere: the words say it alone
    if icon_y:
        icon, x = STATUS_ICONS.get(verdict.status, "tick"), box.x + box.w - pad - look.px(6)
        shapes += icon_shapes(icon, x, box.y + icon_y, look.px(14), line, theme.card)
    return [*shapes, *_status_lines(look, lines, box, small, ink)]


def _status_lines(look: Look, lines: list[str], box: Rect, size: float, ink: Colour) -> list[Text]:
    """The status in lines below the name."""
    left, top = box.x + _padding(look, box), box.y + look.px(_WORDS_AT)
    return [
        Text(left, top + look.px(_LINE * place), line, size, ink, "bold", baseline="middle")
        for place, line in enumerate(lines)
    ]


def _padding(look: Look, box: Rect) -> float:
    return min(look.px(14), 0.09 * box.w)


def _in_two_lines(look: Look, words: str, room: float, second: float) -> tuple[float, list[str]]:
    """The largest size at which the words fit two lines, and the lines."""
    for size in (15.0, 14.0, 13.0, 12.0):
        lines = fonts.wrap(words, room, look.px(size), weight="bold")
        widths = [fonts.width(line, look.px(size), weight="bold") for line in lines]
        if len(lines) <= 2 and all(width <= most for width, most in zip(widths, (room, second), strict=False)):
            break
    return look.px(size), lines[:2]


def status_colours(look: Look, verdict: Verdict) -> tuple[Colour, Colour]:
    """The colours of outline and status."""
    theme = look.theme
    if verdict.status == BROKEN:
        return theme.fault, theme.fault_text
    if verdict.status in (PENDING, OVERDUE):
        return theme.pending, theme.pending_text
    return theme.ok, theme.ok_text


def status_words(verdict: Verdict) -> str:
    """The status in a few words: "P3 overdue", "not promised; broken at step 12"."""
    if verdict.status == BROKEN:
        words = f"broken at step {verdict.step}"
    elif verdict.nodes:
        few = len(verdict.nodes) <= _MOST_NAMED
        words = f"{', '.join(map(node_name, verdict.nodes)) if few else len(verdict.nodes)} {verdict.status}"
    else:
        words = verdict.detail or ("holds so far" if verdict.promised else "holds")
    return words if verdict.promised else f"not promised; {words}"


def _click(view: View, verdict: Verdict) -> Do:
    if verdict.status == BROKEN:
        return intents.go_to_breach((verdict.step or 0, view.desk.named(view.run, verdict.message())))
    if verdict.nodes:
        return intents.select(f"node:{verdict.nodes[0]}")
    return intents.say(verdict.message())


def _hint(verdict: Verdict) -> str:
    waiting = f"; {verdict.sentence()}" if verdict.status == OVERDUE else ""
    promise = "" if verdict.promised else f" ({NOT_PROMISED})"
    return f"{title(verdict.name)}: {verdict.words}{waiting}{promise}"


_DELAYS = 60.0  # the width of the plot in mean message delays
_PRESENT = 0.85  # of the width: the present, once the run is longer than the plot


def concurrency(view: View) -> Panel:
    """The number of processes inside, with more than one highlighted.

    Several resources count together.
    """
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    width = min(max(_DELAYS * run.flight, 1.0), run.horizon)
    start = max(0.0, time - _PRESENT * width)
    points, spent = run.ledger.concurrency_curve(start), run.ledger.counters(time).concurrency
    steps = [*points, (time, points[-1][1])]
    highest = max(2, *(count for _, count in points))
    axes = Axis(start, start + width, "time"), Axis(0, highest + 0.3, whole=True)
    chart = Chart(look, view.region, *axes, "in the CS", shares_words(spent, "0"))
    shapes: list[Shape] = chart.frame()
    foot = chart.area.y + chart.area.h
    is_allowed = run.simulation.algorithm.paced_by or naming(run.simulation).has_several
    fill = hatch(look) if is_allowed else f"{theme.fault}66"
    for (since, count), (until, _) in pairwise(steps):
        if count > 1:
            x, y = chart.x(since), chart.y(count)
            shapes.append(Box(x, y, max(chart.x(until) - x, 1.0), foot - y, fill, None, 0))
    return Panel((*shapes, *chart.stairs(steps, theme.accent, 3.5), chart.now(time)))
