"""The space-time diagram: one line per process in id order, time to the right, a receive always later than its send.

shapes = space_time(run, spells, Span(0, 20), t, rect, theme, options)

What lies after the present step and has been executed before is drawn pale. Ids for picking: "event:41" (a step),
"message:117", "node:3" (a process's line). Of an event that is selected the causal past is lit.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import ceil, inf
from typing import NamedTuple

from algorithms.engine.events import ELECTED, FAULT, HELD, KIND, LOST, NODE, TIME
from algorithms.engine.simulation import Simulation
from visual import fonts
from visual.scene import arrows, glyphs
from visual.scene.causes import NOTHING, Past, past
from visual.scene.flights import UNKNOWN, Flight, flights, undone
from visual.scene.frame import Frame, Span
from visual.scene.lives import Spells
from visual.scene.moment import Moment
from visual.scene.options import PLAIN, Options
from visual.scene.words import node_name
from visual.shapes import Box, Circle, Fill, Group, Line, Pattern, Polygon, Rect, Shape, Text
from visual.theme import Theme, load

_MOST_STEPS = 4_000  # in one diagram; beyond, only the bars are drawn
_MOST_DOTS = 1_200
_MOST_BRACKETS = 12
_PALE = 0.3
_FLIGHTS = 16.0  # mean delays that a page is long, where much happens
_RECENT = 24  # steps before the present one that a page should show


class Bar(NamedTuple):
    """A process in the critical section, or wanting to be, from one moment to another."""

    node: int
    state: str
    start: float
    end: float


def page(run: Simulation, t: float) -> Span:
    """A stretch of time around t in which enough happens, but single messages can be told apart where possible."""
    length = _FLIGHTS * (run.scenario.network.delay.mean or 1.0)
    first = max(run.trace.forgotten, run.steps - _RECENT)
    back = run.now - run.trace.event(first)[TIME] if first < run.steps else 0.0
    while 0.6 * length < back:
        length *= 2
    return Span.around(t, length)


def space_time(
    run: Simulation, spells: Spells, span: Span, t: float, rect: Rect, theme: Theme, options: Options = PLAIN
) -> list[Shape]:
    """The shapes, back to front. `spells` has read the run's whole trace; `t` is not before the present step."""
    frame = Frame(rect, span, len(run.processes), options.scale)
    known = len(run.trace) if options.ahead else run.steps
    still = _still(Moment(run), Moment(run, known), spells, frame, theme.name, options.selected)
    open_bars = [bar._replace(end=t) for bar in still.open_bars if bar.start < t]
    return [
        still.ahead,
        still.lines,
        *_drawn_bars(frame, open_bars, theme),
        still.settled,
        *arrows.in_air(frame, still.flying, t, theme),
        *_playhead(frame, t, theme),
    ]


class Still(NamedTuple):
    """What of a diagram stays the same until the next step."""

    ahead: Group
    lines: Group
    settled: Group
    open_bars: list[Bar]
    flying: list[Flight]


@lru_cache(maxsize=4)
def _still(now: Moment, last: Moment, spells: Spells, frame: Frame, theme_name: str, selected: str) -> Still:
    """The diagram at the moment `now`, with what comes after it up to the moment `last`."""
    run, theme = now.run, load(theme_name)
    bars = _bars(spells, frame, run.steps)
    ended, flying, coming = _parted(run, frame.span)
    lit = _past_of(selected, run, frame)
    key = (now, last, frame, theme_name, selected)
    ahead = [
        *_drawn_bars(frame, _bars_ahead(spells, frame, run), theme),
        *_crashes(frame, spells, run.now, len(run.trace), theme),
        *arrows.settled(frame, coming, theme, NOTHING, ""),
    ]
    if last == now:
        ahead = []
    settled = [
        *_drawn_bars(frame, [bar for bar in bars if bar.end < inf], theme),
        *arrows.settled(frame, ended, theme, lit, selected),
        *_dots(frame, run, lit, theme),
        *_crowns(frame, run, theme),
        *_brackets(frame, bars, run, theme),
        *_axis(frame, theme),
    ]
    return Still(
        Group(tuple(ahead), opacity=_PALE, key=("ahead", *key)),
        Group(tuple(_lines(frame, spells, run, theme)), key=("lines", *key)),
        Group(tuple(settled), key=("settled", *key)),
        [bar for bar in bars if bar.end == inf],
        flying,
    )


def _past_of(selected: str, run: Simulation, frame: Frame) -> Past:
    """The causal past, within the frame, of the event that is selected."""
    if not selected.startswith("event:"):
        return NOTHING
    step, (first, _) = int(selected[6:]), _steps(run, frame.span)
    return past(run.trace, step, first) if first <= step < run.steps else NOTHING


def _steps(run: Simulation, span: Span) -> tuple[int, int]:
    """The first step in the span, and the one after its last; none where there are too many."""
    first = max(run.trace.steps_until(span.start - 1e-9), run.trace.forgotten)
    last = run.trace.steps_until(span.end)
    return (first, last) if last - first <= _MOST_STEPS else (first, first)


def _parted(run: Simulation, span: Span) -> tuple[list[Flight], list[Flight], list[Flight]]:
    """The messages in the span that have ended by the present step, that are on their way, and that come later."""
    found = flights(run.trace, *_steps(run, span))
    coming = [flight for flight in found if flight.sent_in >= run.steps]
    present = [undone(flight, run.steps) for flight in found if flight.sent_in < run.steps]
    ended = [flight for flight in present if flight.ended_in != UNKNOWN]
    return ended, [flight for flight in present if flight.ended_in == UNKNOWN], coming


# ---- processes ---------------------------------------------------------------------------------------------


def _lines(frame: Frame, spells: Spells, run: Simulation, theme: Theme) -> list[Shape]:
    """A line for each process while it takes part, ending in a ✕ where it crashes, and its name."""
    shapes: list[Shape] = []
    for node in range(frame.nodes if frame.row > 4 * frame.stroke else 0):
        y = frame.y(node)
        spells_of_node = spells.between(node, *frame.span, run.steps)
        for down, stretch in groupby(spells_of_node, key=lambda spell: spell.down):
            if down in ("", "paused"):
                alike = list(stretch)
                dash = (2 * frame.stroke, 3 * frame.stroke) if down else ()
                start, end = frame.x(alike[0].start), frame.x(alike[-1].end)
                shapes.append(Line(start, y, end, y, theme.ink, frame.stroke, dash, id=f"node:{node}"))
    return [*shapes, *_crashes(frame, spells, frame.span.start, run.steps, theme), *_names(frame, theme)]


def _crashes(frame: Frame, spells: Spells, since: float, step: int, theme: Theme) -> list[Shape]:
    """A ✕ at the end of each line that has ended, of the ends after `since` and up to that step."""
    reach = min(0.28 * frame.row, 0.5 * frame.text)
    return [
        line
        for node in range(frame.nodes)
        for spell in spells.between(node, *frame.span, step)
        if spell.down == "crashed" and since <= spell.start
        for line in glyphs.cross((frame.x(spell.start), frame.y(node)), reach, theme.fault, 1.5 * frame.stroke)
    ]


def _names(frame: Frame, theme: Theme) -> list[Text]:
    """As many names as fit one below the other."""
    every = max(1, ceil(1.15 * frame.text / frame.row))
    x = frame.left - 0.7 * frame.text
    return [
        Text(
            x, frame.y(node), node_name(node), frame.text, theme.ink, "bold", "sans", "end", "middle", id=f"node:{node}"
        )
        for node in range(0, frame.nodes, every)
    ]


def _bars(spells: Spells, frame: Frame, step: int) -> list[Bar]:
    """The bars in the frame as known after that many steps, those below before those on top."""
    found = [
        Bar(node, spell.state, spell.start, spell.end)
        for node in range(frame.nodes)
        for spell in spells.between(node, *frame.span, step)
        if spell.state != "idle" and spell.down in ("", "paused")
    ]
    return sorted(found, key=lambda bar: bar.state == "inside")


def _bars_ahead(spells: Spells, frame: Frame, run: Simulation) -> list[Bar]:
    """What of the bars lies between the present step and the last that has been executed."""
    last = run.trace.event(len(run.trace) - 1)[TIME] if len(run.trace) > run.steps else run.now
    bars = _bars(spells, frame, len(run.trace))
    cut = [bar._replace(start=max(bar.start, run.now), end=min(bar.end, last)) for bar in bars]
    return [bar for bar in cut if bar.end > bar.start]


def _drawn_bars(frame: Frame, bars: list[Bar], theme: Theme) -> list[Shape]:
    """Wanting is hatched, being inside is a thick solid bar."""
    width = min(1.5 * frame.scale, frame.row / 10)
    outline = theme.ink if frame.row > 6 else None
    shapes: list[Shape] = []
    for bar in bars:
        height = min((0.52 if bar.state == "inside" else 0.36) * frame.row, 1.25 * frame.text)
        height = max(height, min(frame.row, 1.0))
        x, y = frame.x(bar.start), frame.y(bar.node) - height / 2
        w = max(frame.x(bar.end) - x, 1.0)
        shapes.append(Box(x, y, w, height, _fill(bar.state, frame, theme), outline, width, min(2.0, height / 4)))
    return shapes


def _fill(state: str, frame: Frame, theme: Theme) -> Fill:
    fill = theme.states[state].fill
    hatched = state == "wanting" and isinstance(fill, str) and frame.row > 6
    return Pattern("hatch", fill, theme.paper, 9 * frame.scale) if hatched else fill  # type: ignore[arg-type]


# ---- events ------------------------------------------------------------------------------------------------


def _dots(frame: Frame, run: Simulation, lit: Past, theme: Theme) -> list[Shape]:
    """A dot for every event of a process up to the present step."""
    first, last = _steps(run, frame.span)
    last = min(last, run.steps)
    if last - first > _MOST_DOTS or frame.row < 8:
        return []
    events = [(k, run.trace.event(k)) for k in range(first, last)]
    return [
        Circle(
            frame.x(event[TIME]),
            frame.y(event[NODE]),
            1.9 * frame.stroke,
            theme.fault if event[KIND] == FAULT else theme.accent if k in lit.steps else theme.ink,
            id=f"event:{k}",
        )
        for k, event in events
        if event[NODE] >= 0 and event[KIND] not in (LOST, HELD)
    ]


def _crowns(frame: Frame, run: Simulation, theme: Theme) -> list[Shape]:
    """A crown where a process comes to take itself for the leader."""
    first, last = _steps(run, frame.span)
    size = min(0.42 * frame.row, 0.9 * frame.text)
    crowned = [
        effect
        for _, records in run.trace.steps(first, min(last, run.steps))
        for effect in records[1:]
        if effect[KIND] == ELECTED and effect[4] == effect[NODE]
    ]
    if frame.row < 8:
        return []
    return [
        shape
        for effect in crowned
        for shape in glyphs.crown(
            (frame.x(effect[TIME]), frame.y(effect[NODE]) - 0.7 * size), size, theme, 0.6 * frame.stroke
        )
    ]


def _brackets(frame: Frame, bars: list[Bar], run: Simulation, theme: Theme) -> list[Shape]:
    """Where somebody enters while somebody else is inside: their bars joined, the first time with the word."""
    inside = sorted((bar for bar in bars if bar.state == "inside"), key=lambda bar: (bar.start, bar.node))
    meetings = []
    latest: list[Bar] = []
    for bar in inside:
        latest = [other for other in latest if other.end > bar.start]
        if latest and bar.start >= frame.span.start:
            meetings.append((latest[-1], bar))
        latest.append(bar)
    word = "breach" if "ME1" in run.algorithm.promises else "both inside"
    shapes: list[Shape] = []
    for place, (one, other) in enumerate(meetings[:_MOST_BRACKETS]):
        shapes += _bracket(frame, one, other, "" if place else word, theme)
    return shapes


def _bracket(frame: Frame, one: Bar, other: Bar, word: str, theme: Theme) -> list[Shape]:
    x, lip, width = frame.x(other.start), 0.4 * frame.text, 1.6 * frame.stroke
    y1, y2 = sorted((frame.y(one.node), frame.y(other.node)))
    shapes: list[Shape] = [
        Line(x, y1, x, y2, theme.fault, width),
        Line(x, y1, x + lip, y1, theme.fault, width),
        Line(x, y2, x + lip, y2, theme.fault, width),
    ]
    if word and frame.row > 6:
        middle = (y1 + y2) / 2
        shapes.append(
            Text(x + lip, middle, word, frame.text, theme.fault_text, "bold", baseline="middle", halo=theme.paper)
        )
    return shapes


# ---- time --------------------------------------------------------------------------------------------------


def _axis(frame: Frame, theme: Theme) -> list[Shape]:
    """Round moments below the lines."""
    size, y = 0.8 * frame.text, frame.bottom
    shapes: list[Shape] = [Line(frame.left, y, frame.right, y, theme.rule, frame.stroke / 2)]
    for tick in frame.ticks():
        x, text = frame.x(tick), f"{tick:.10g}"
        farthest = frame.rect.x + frame.rect.w - fonts.width(text, size) / 2
        shapes.append(Line(x, y, x, y + 0.35 * frame.text, theme.muted, frame.stroke / 2))
        shapes.append(Text(min(x, farthest), y + 1.3 * frame.text, text, size, theme.muted, anchor="middle"))
    return shapes


def _playhead(frame: Frame, t: float, theme: Theme) -> list[Shape]:
    """Where time is."""
    if not frame.span.start <= t <= frame.span.end:
        return []
    x, y, w = frame.x(t), frame.top, 0.45 * frame.text
    return [
        Line(x, y, x, frame.bottom, theme.accent, max(1.0, frame.stroke)),
        Polygon(((x - w, y - 1.1 * w), (x + w, y - 1.1 * w), (x, y + 0.2 * w)), theme.accent),
    ]
