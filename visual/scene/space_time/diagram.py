"""The space-time diagram: one line per process in id order, time to the right, a receive always later than its send.

shapes = space_time(RunCache(run), spells, Span(0, 20), t, rect, theme, options)

Steps after the present one that have been executed before are drawn pale. Ids for picking: "event:41" (a step),
"message:117", "node:3" (a process's line). The causal past and the causal future of a selected event are lit. A
`Plan` turns the diagram about, shows logical time, or leaves processes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from algorithms.engine.events import APPLIED, ELECTED, HELD, KIND, LOST, NODE, RULE, TERM, TIME, Record
from algorithms.engine.faults import harms
from algorithms.engine.observe.causes import NO_CAUSES, Causes, causal_future, causal_past
from algorithms.engine.observe.rivals import rivals_of
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriting import PHI, State, System, node_in
from algorithms.engine.simulation import Simulation
from visual.analysis.flights import UNKNOWN, MessageFlight, before_step, flights, in_logical_time
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.spells import Spells
from visual.drawing import fonts, icons
from visual.drawing.picking import bounds, meet
from visual.drawing.shapes import Box, Circle, Group, Line, Polygon, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import leader_variable
from visual.scene.options import PLAIN, Options
from visual.scene.space_time import arrows, bars
from visual.scene.space_time.bars import Bar, present
from visual.scene.space_time.diagram_legend import term_bands, term_numbers
from visual.scene.space_time.frame import PLAIN as PLAIN_PLAN
from visual.scene.space_time.frame import Frame, Plan, Span
from visual.words import node_name

MOST_STEPS = 3_000
"""In one diagram; beyond, only the bars are drawn."""

_MOST_DOTS = 800
_TOGETHER = 32  # shapes in one cached group
_SLANTED = 8  # slanted labels in one cached group, each of which takes long to draw
_MOST_BRACKETS = 12
_PALE = 0.3
_FLIGHTS = 16.0  # mean delays that a page is long, where much happens
_RECENT = 24  # steps before the present one that a page should show


def page(run: Simulation, t: float) -> Span:
    """A span around t in which enough happens, short enough to tell messages apart where possible.

    Long after the last event it is long enough to include it.
    """
    length = _FLIGHTS * run.scenario.network.flight
    first = max(run.trace.forgotten, run.steps - _RECENT)
    back = run.now - run.trace.event(first)[TIME] if first < run.steps else 0.0
    while 0.6 * length < back:
        length *= 2
    while run.now < Span.around(t, length).start:
        length *= 2
    return Span.around(t, length).within(max(run.scenario.until, t))


def space_time(
    cache: RunCache,
    spells: Spells,
    span: Span,
    t: float,
    rect: Rect,
    theme: Theme,
    options: Options = PLAIN,
    plan: Plan = PLAIN_PLAN,
) -> list[Shape]:
    """The shapes, back to front. `spells` and the plan's logical times cover the run's whole trace.

    `t` is not before the present step. The span is in the units of the axis.
    """
    run = cache.run
    frame = Frame(rect, span, len(run.processes), options.scale, plan)
    if system_of(run.algorithm):
        return _term_chart(run, frame, t, theme)
    last = len(run.trace) if options.ahead else run.steps
    now, lit, letters = Moment(run), options.selected, options.letters
    at_step = cache.get(_diagram_at_step, now, Moment(run, last), spells, frame, theme.name, lit, letters)
    terms = spells.terms.at(run.steps)
    return [
        *term_bands(frame, terms, run.steps, t, theme),
        *at_step.ahead,
        *at_step.lines,
        *bars.bar_shapes(frame, _grown(frame, run, at_step.open_bars, t), theme),
        *at_step.fixed,
        *arrows.in_transit(frame, at_step.flying, t, theme, options.selected),
        *(playhead(frame, run, t, theme) if options.cursor else ()),
        *term_numbers(frame, terms, theme),
        *at_step.breaches,
    ]


class DiagramAtStep(NamedTuple):
    """The parts of a diagram that stay the same until the next step."""

    ahead: list[Group]
    lines: list[Shape]
    fixed: list[Shape]
    breaches: list[Group]  # in front of the line of the present, where they begin
    open_bars: list[Bar]
    flying: list[MessageFlight]


def _diagram_at_step(
    now: Moment,
    last: Moment,
    spells: Spells,
    frame: Frame,
    theme_name: str,
    selected: str,
    letters: tuple[tuple[int, str], ...] = (),
) -> DiagramAtStep:
    """The diagram at the moment `now`, with the steps ahead up to the moment `last`."""
    run, theme = now.run, load(theme_name)
    lives = bars.visible_lives(frame, spells, run.steps)
    state_bars = bars.bars_of(lives)
    exact = all(bars.tells_apart(frame, spells, node, run.steps) for node in frame.lanes)
    steps = steps_in(run, frame.span, frame.plan)
    ended, flying, coming = _parted(run, frame, steps)
    causes = _causes(selected, run, steps)
    ahead = [] if last == now else _ahead(frame, spells, run, coming, causes, theme)
    lit = [flight for flight in coming if causes.has(flight.record)]
    brackets = _brackets(frame, state_bars if exact else [], run, theme)
    lines, crowns = bars.lines(frame, lives, theme), _crowns(frame, run, steps, theme)
    occupied = [bounds(shape) for shape in (*brackets, *lines) if isinstance(shape, Text)] + [*map(bounds, crowns)]
    dots = frame.turned(_dots(frame, run, steps, causes, selected, theme))
    covering = [dot for dot in dots if isinstance(dot, Circle)]
    labels = arrows.labels(frame, [*ended, *lit], run, theme, causes, selected, occupied, covering)
    over = [*sorted(ended, key=lambda flight: flight.ended_in), *lit]  # the next to end come last: earlier groups stay
    closed = bars.bar_shapes(frame, [bar for bar in state_bars if not bars.is_open(bar)], theme)
    fixed = [
        *_group([shape for shape in closed if not isinstance(shape, Text)]),
        *_groups(arrows.ended(frame, over, run, theme, causes, selected), patient=True),
        *_groups(labels, _SLANTED, patient=True),
        *_groups(dots),
        *_group([shape for shape in closed if isinstance(shape, Text)]),
        *_group(crowns),
        *_group(frame.turned(_letters(frame, run, letters, theme))),
        *axis(frame, theme),
    ]
    return DiagramAtStep(
        _group(ahead, _PALE), lines, fixed, _group(brackets), [bar for bar in state_bars if bars.is_open(bar)], flying
    )


def _group(shapes: list[Shape], opacity: float = 1.0) -> list[Group]:
    """The shapes as one cached group; no group without shapes."""
    return [_cached_group(tuple(shapes), opacity, False)] if shapes else []


def _groups(shapes: list[Shape], together: int = _TOGETHER, *, patient: bool = False) -> list[Group]:
    """Shapes that grow at the end, in groups of `together`: only the last group is drawn again."""
    return [
        _cached_group(tuple(shapes[first : first + together]), 1.0, patient)
        for first in range(0, len(shapes), together)
    ]


@lru_cache(maxsize=256)
def _cached_group(shapes: tuple[Shape, ...], opacity: float, patient: bool) -> Group:
    """One group for equal shapes, with a key of its own, so that they are not compared in every frame."""
    return Group(shapes, opacity=opacity, key=object(), patient=patient)


def _ahead(
    frame: Frame, spells: Spells, run: Simulation, coming: list[MessageFlight], causes: Causes, theme: Theme
) -> list[Shape]:
    """The steps ahead of the present one, except those lit; without labels, which would be too pale to read."""
    present = {node: bars.present(frame, run, node, run.steps) for node in frame.lanes}
    lives = bars.visible_lives(frame, spells, len(run.trace), present)
    return [
        *bars.bar_shapes(frame, bars.bars_ahead(frame, lives, run, present), theme),
        *frame.turned(bars.crashes(frame, lives, run.now, theme)),
        *arrows.ended(frame, [flight for flight in coming if not causes.has(flight.record)], run, theme, causes, ""),
    ]


def _grown(frame: Frame, run: Simulation, open_bars: list[Bar], t: float) -> list[Bar]:
    """The bars that are still open, up to the moment t."""
    logical = frame.plan.logical_times is not None
    ends = [bar._replace(end=bars.present(frame, run, bar.node, run.steps) if logical else t) for bar in open_bars]
    return [bar for bar in ends if bar.start < bar.end]


def _causes(selected: str, run: Simulation, steps: list[int]) -> Causes:
    """The causes and effects of the selected event within the frame."""
    if not selected.startswith("event:") or not steps:
        return NO_CAUSES
    step = int(selected[6:])
    if not steps[0] <= step < min(len(run.trace), steps[-1] + 1):
        return NO_CAUSES
    return Causes(causal_past(run.trace, step, steps[0]), causal_future(run.trace, step, steps[-1] + 1))


def steps_in(run: Simulation, span: Span, plan: Plan = PLAIN_PLAN) -> list[int]:
    """The steps in the span, in order; none if there are too many to draw."""
    if plan.logical_times is not None:
        many = plan.logical_times.count(*span) > MOST_STEPS
        return [] if many else plan.logical_times.steps(*span)
    first = max(run.trace.steps_until(span.start - 1e-9), run.trace.forgotten)
    last = run.trace.steps_until(span.end)
    return list(range(first, last)) if last - first <= MOST_STEPS else []


def _parted(
    run: Simulation, frame: Frame, steps: list[int]
) -> tuple[list[MessageFlight], list[MessageFlight], list[MessageFlight]]:
    """The messages in the span by the present step: ended, in transit, and sent later."""
    in_span = flights(run.trace, steps, frame.lanes)
    coming = [flight for flight in in_span if flight.sent_in >= run.steps]
    present = [before_step(flight, run.steps) for flight in in_span if flight.sent_in < run.steps]
    if frame.plan.logical_times is not None:
        coming = [in_logical_time(flight, frame.plan.logical_times) for flight in coming]
        present = [in_logical_time(flight, frame.plan.logical_times) for flight in present]
    ended = [flight for flight in present if flight.ended_in != UNKNOWN]
    return ended, [flight for flight in present if flight.ended_in == UNKNOWN], coming


# ---- events ------------------------------------------------------------------------------------------------


def _dots(frame: Frame, run: Simulation, steps: list[int], causes: Causes, selected: str, theme: Theme) -> list[Shape]:
    """A dot for every event of a process up to the present step, and for lit ones after it.

    Causes of the selected event are solid, its effects hollow.
    """
    if len(steps) > _MOST_DOTS or frame.row < 8:
        return []
    shapes: list[Shape] = []
    for k in steps:
        event = run.trace.event(k)
        is_event = event[KIND] not in (LOST, HELD) and frame.has(event[NODE])
        if not is_event or (k >= run.steps and k not in causes.future.steps):
            continue
        x, y = frame.x(frame.plan.place(k, event[TIME])), frame.y(event[NODE])
        shapes += _dot(frame, k, (x, y), harms(event), causes, theme)
        if selected == f"event:{k}":
            shapes.append(Circle(x, y, 4.2 * frame.stroke, None, theme.accent, 1.4 * frame.stroke, id=selected))
    return shapes


def _dot(frame: Frame, k: int, at: tuple[float, float], is_fault: bool, causes: Causes, theme: Theme) -> list[Shape]:
    name, reach, stroke = f"event:{k}", 1.9 * frame.stroke, frame.stroke
    rim = theme.paper if theme.accent == theme.ink else None  # in print the bars are as black as the dots
    if is_fault:
        return [Circle(*at, reach, theme.fault, rim, stroke / 2, id=name)]
    if causes.is_empty:
        return [Circle(*at, reach, theme.ink, rim, stroke / 2, id=name)]
    if k in causes.past.steps:
        return [Circle(*at, 1.3 * reach, theme.accent, rim, stroke / 2, id=name)]
    if k in causes.future.steps:
        return [Circle(*at, 1.3 * reach, theme.paper, theme.accent, 1.3 * stroke, id=name)]
    return [Circle(*at, 0.8 * reach, theme.edge, rim, stroke / 2, id=name)]


def _letters(frame: Frame, run: Simulation, letters: tuple[tuple[int, str], ...], theme: Theme) -> list[Shape]:
    """The letters of events, above their dots; events at one place share a line."""
    places: dict[tuple[float, float], str] = {}
    for k, letter in letters:
        event = run.trace.event(k) if run.trace.forgotten <= k < len(run.trace) else None
        if event is None or not frame.has(event[NODE]):
            continue
        place = frame.x(frame.plan.place(k, event[TIME])), frame.y(event[NODE])
        if frame.rect.x <= place[0] <= frame.rect.x + frame.rect.w:
            places[place] = f"{places[place]} {letter}" if place in places else letter
    size = max(1.15 * frame.text, 13.0)
    return [
        Text(
            x,
            y - 3 * frame.stroke - 0.5 * size,
            words,
            size,
            theme.ink,
            "bold",
            "sans",
            "middle",
            "middle",
            theme.paper,
        )
        for (x, y), words in places.items()
    ]


def _crowns(frame: Frame, run: Simulation, steps: list[int], theme: Theme) -> list[Shape]:
    """A crown where a process becomes leader in its own view."""
    size = min(0.42 * frame.row, 0.9 * frame.text)
    if frame.row < 8 or not leader_variable(run.process_class):
        return []
    crowned = [
        (k, effect)
        for k, records in run.trace.steps_at(k for k in steps if k < run.steps)
        for effect in records[1:]
        if effect[KIND] == ELECTED and effect[4] == effect[NODE] and frame.has(effect[NODE])
    ]
    shapes: list[Shape] = []
    for k, effect in crowned:
        x, y = frame.on_screen(frame.x(frame.plan.place(k, effect[TIME])), frame.y(effect[NODE]))
        shapes += icons.crown((x, y - 0.7 * size), size, theme, 0.6 * frame.stroke)
    return shapes


def _brackets(frame: Frame, state_bars: list[Bar], run: Simulation, theme: Theme) -> list[Shape]:
    """Brackets that join the bars of processes inside together for one resource; the first has the word.

    Only in real time: in logical time bars may overlap although the stays did not.
    """
    if frame.plan.logical_times is not None:
        return []
    inside = sorted((bar for bar in state_bars if bar.state == "inside"), key=lambda bar: (bar.start, bar.node))
    meetings = []
    rivals = rivals_of(run.scenario, run.algorithm)
    latest: list[Bar] = []
    for bar in inside:
        latest = [other for other in latest if other.end > bar.start]
        excluded = rivals.excluding({other.node for other in latest}, bar.node)
        others = [other for other in latest if other.resource == bar.resource and other.node in excluded]
        if others and bar.start >= frame.span.start:
            meetings.append((others[-1], bar))
        latest.append(bar)
    word = "breach" if "ME1" in run.algorithm.promises else "both inside"
    shapes: list[Shape] = []
    for place, (one, other) in enumerate(meetings[:_MOST_BRACKETS]):
        shapes += _bracket(frame, one, other, "" if place else word, theme)
    return shapes


def _bracket(frame: Frame, one: Bar, other: Bar, word: str, theme: Theme) -> list[Shape]:
    x, lip, width = frame.x(other.start), 0.4 * frame.text, 1.6 * frame.stroke
    y1, y2 = sorted((frame.y(one.node), frame.y(other.node)))
    shapes = frame.turned(
        [
            Line(x, y1, x, y2, theme.fault, width),
            Line(x, y1, x + lip, y1, theme.fault, width),
            Line(x, y2, x + lip, y2, theme.fault, width),
        ]
    )
    if word and frame.row > 6:
        beyond = 0 if frame.plan.down else x + lip + fonts.width(word, frame.text, weight="bold") - frame.right
        before = -lip if beyond > frame.text else 1.6 * lip if frame.plan.down else lip  # left of it near the end
        at = frame.on_screen(x + before, (y1 + y2) / 2)
        anchor = "middle" if frame.plan.down else "end" if before < 0 else "start"
        text = Text(*at, word, frame.text, theme.fault_text, "bold", "sans", anchor, "middle", theme.paper)  # type: ignore[arg-type]
        shapes.append(text)
    return shapes


# ---- the axis ----------------------------------------------------------------------------------------------


def axis(frame: Frame, theme: Theme) -> list[Shape]:
    """Round times below the lines, or left of them where time goes downwards."""
    base, tick_end = frame.axis, frame.axis + (-0.35 if frame.plan.down else 0.35) * frame.text
    shapes: list[Shape] = [Line(frame.left, base, frame.right, base, theme.rule, frame.stroke / 2)]
    for tick in frame.ticks():
        x = frame.x(tick)
        shapes.append(Line(x, base, x, tick_end, theme.muted, frame.stroke / 2))
    return [*frame.turned(shapes), *_numbers(frame, theme)]


def _numbers(frame: Frame, theme: Theme) -> list[Text]:
    size = frame.small
    numbers = [(f"{tick:.10g}", frame.x(tick)) for tick in frame.ticks()]
    if frame.plan.down:
        x = frame.axis - 1.0 * frame.text
        return [Text(x, y, words, size, theme.muted, anchor="end", baseline="middle") for words, y in numbers]
    end, y = frame.rect.x + frame.rect.w, frame.axis + 1.3 * frame.text
    return [
        Text(min(x, end - fonts.width(words, size) / 2), y, words, size, theme.muted, anchor="middle")
        for words, x in numbers
    ]


def playhead(frame: Frame, run: Simulation, t: float, theme: Theme) -> list[Shape]:
    """The present time; in logical time the cut between events that have happened and those that have not."""
    if frame.plan.logical_times is not None:
        return _cut(frame, run, theme)
    if not frame.span.start <= t <= frame.span.end:
        return []
    x, y, w = frame.x(t), frame.top, 0.45 * frame.text
    line = Line(x, y, x, frame.bottom, theme.accent, max(1.0, frame.stroke))
    return frame.turned([line, Polygon(((x - w, y - 1.1 * w), (x + w, y - 1.1 * w), (x, y + 0.2 * w)), theme.accent)])


def _cut(frame: Frame, run: Simulation, theme: Theme) -> list[Shape]:
    """A line that crosses each process after its last event, and a ring around the last event of all."""
    points: list[tuple[float, float]] = []
    for node in frame.lanes:
        x, y = frame.x(present(frame, run, node, run.steps)), frame.y(node)
        points += [(x, y - frame.row / 2), (x, y + frame.row / 2)]
    width = max(1.0, frame.stroke)
    dash = (5 * width, 3 * width) if theme.accent == theme.ink else ()  # in print, or it would look like messages
    shapes: list[Shape] = [Polyline(tuple(points), theme.accent, width, dash)]
    event = run.trace.event(run.steps - 1) if run.steps > run.trace.forgotten else None
    if event is not None and event[KIND] != LOST and frame.has(event[NODE]):
        x = frame.x(frame.plan.place(run.steps - 1, run.now))
        shapes.append(Circle(x, frame.y(event[NODE]), 3.6 * frame.stroke, None, theme.accent, frame.stroke))
    return frame.turned(shapes)


# ---- a rewriting system ------------------------------------------------------------------------------------


def _term_chart(run: Simulation, frame: Frame, t: float, theme: Theme) -> list[Shape]:
    """The rules applied, step by step: the space-time diagram of a rewriting system.

    Each step is the number of its rule on the line of its node. A node with something to send has a hatched bar, the
    one with the token a solid one.
    """
    records = list(_applications(run, frame))
    return [
        *_term_lines(frame, theme),
        *bars.bar_shapes(frame, _term_bars(run, frame, records, t), theme),
        *axis(frame, theme),
        *playhead(frame, run, t, theme),
        *_rule_numbers(records, frame, theme),
    ]


def _rule_numbers(records: list[Record], frame: Frame, theme: Theme) -> list[Shape]:
    """The numbers of the rules, the latest first, without those that would lie on a later one."""
    shapes: list[Shape] = []
    for record in reversed(records):
        number = _rule_number(record, record is records[-1], frame, theme)
        if not any(meet(bounds(number[0]), bounds(other)) for other in shapes[::2] if number):
            shapes += number
    return shapes


def _term_lines(frame: Frame, theme: Theme) -> list[Shape]:
    """A line for each node, and its name."""
    level = [Line(frame.left, y, frame.right, y, theme.ink, frame.stroke) for y in map(frame.y, frame.lanes)]
    shapes: list[Shape] = list(frame.turned(list(level)))
    anchor: Literal["middle", "end"] = "middle" if frame.plan.down else "end"
    baseline: Literal["baseline", "middle"] = "baseline" if frame.plan.down else "middle"
    for node in frame.lanes[:: frame.every]:
        x, y = frame.on_screen(frame.left - 0.7 * frame.text, frame.y(node))
        words = node_name(node)
        shapes.append(Text(x, y, words, frame.name, theme.ink, "bold", "sans", anchor, baseline, id=f"node:{node}"))
    return shapes


def _applications(run: Simulation, frame: Frame) -> Iterator[Record]:
    """The rules applied in the frame's span up to the present step, and the one before them."""
    first = max(run.trace.steps_until(frame.span.start) - 1, run.trace.forgotten)
    for k in range(first, run.steps):
        record = run.trace.step(k)[-1]
        if record[KIND] == APPLIED and record[TIME] <= frame.span.end:
            yield record


def _term_bars(run: Simulation, frame: Frame, records: list[Record], t: float) -> list[Bar]:
    """The bars of each node with something to send, or with the token."""
    system = system_of(run.algorithm)
    if system is None:
        return []
    terms: list[tuple[float, State]] = [(record[TIME], record[TERM]) for record in records]
    if not records or records[0][TIME] > frame.span.start:
        terms.insert(0, (frame.span.start, system.initial(run.scenario.nodes)))
    ends = [*(time for time, _ in terms[1:]), t]
    intervals = [
        Bar(node, state, time, end)
        for (time, term), end in zip(terms, ends, strict=True)
        for node, state in _term_states(system, term)
    ]
    return sorted(_joined(intervals), key=lambda bar: bar.state == "inside")


def _term_states(system: System, term: State) -> Iterator[tuple[int, str]]:
    parts = dict(zip(system.components, term, strict=True))
    yield from ((node, "wanting") for node, data in parts["Q"] if data[0][0] != PHI)
    if isinstance(parts.get("T"), int):
        yield node_in(parts["T"]), "inside"


def _joined(intervals: list[Bar]) -> list[Bar]:
    """The bars, joined where a state continues over several steps."""
    whole: dict[tuple[int, str], list[Bar]] = {}
    for bar in intervals:
        row = whole.setdefault((bar.node, bar.state), [])
        if row and row[-1].end == bar.start:
            row[-1] = row[-1]._replace(end=bar.end)
        else:
            row.append(bar)
    return [bar for row in whole.values() for bar in row]


def _rule_number(record: Record, is_last: bool, frame: Frame, theme: Theme) -> list[Shape]:
    """The number of a rule in a box on the line of its node, clear of its name; lit in the present step."""
    if record[TIME] < frame.span.start or record[NODE] not in frame.lanes:
        return []
    size = min(0.8 * frame.text, 0.6 * frame.row)
    width, height = max(fonts.width(record[RULE], size, weight="bold") + 0.7 * size, 1.5 * size), 1.5 * size
    first = frame.left + (height if frame.plan.down else width) / 2
    x, y = frame.on_screen(max(frame.x(record[TIME]), first), frame.y(record[NODE]))
    fill, ink = (theme.accent, theme.on_accent) if is_last else (theme.card, theme.ink)
    return [
        Box(x - width / 2, y - height / 2, width, height, fill, theme.ink, frame.stroke / 2, 0.3 * size, id="rule"),
        Text(x, y, record[RULE], size, ink, "bold", "sans", "middle", "middle"),
    ]
