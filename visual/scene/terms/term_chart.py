"""Which rule was applied at which node, step after step: what a space-time diagram is for a rewriting system.

Each step is the number of its rule on the line of its node. A node that has something to send has a hatched bar, the
one with the token a solid one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from algorithms.engine.events import APPLIED, KIND, NODE, RULE, TERM, TIME, Record
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriting import PHI, State, System, node_in
from algorithms.engine.simulation import Simulation
from visual.drawing import fonts
from visual.drawing.shapes import Box, Line, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.space_time import bars
from visual.scene.space_time.bars import Bar
from visual.scene.space_time.diagram import axis, playhead
from visual.scene.space_time.frame import Frame
from visual.words.names import node_name


def chart(run: Simulation, frame: Frame, t: float, theme: Theme) -> list[Shape]:
    """The shapes, back to front."""
    records = list(_records(run, frame))
    return [
        *_lines(frame, theme),
        *bars.drawn(frame, _bars(run, frame, records, t), theme),
        *axis(frame, theme),
        *playhead(frame, run, t, theme),
        *(shape for record in records for shape in _number(record, record is records[-1], frame, theme)),
    ]


def _lines(frame: Frame, theme: Theme) -> list[Shape]:
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


def _records(run: Simulation, frame: Frame) -> Iterator[Record]:
    """The rules applied in the frame's stretch of time, up to the present step, and the one before them."""
    first = max(run.trace.steps_until(frame.span.start) - 1, run.trace.forgotten)
    for k in range(first, run.steps):
        record = run.trace.step(k)[-1]
        if record[KIND] == APPLIED and record[TIME] <= frame.span.end:
            yield record


def _bars(run: Simulation, frame: Frame, records: list[Record], t: float) -> list[Bar]:
    """For each node when it has something to send and when it holds the token."""
    system = system_of(run.algorithm)
    if system is None:
        return []
    terms: list[tuple[float, State]] = [(record[TIME], record[TERM]) for record in records]
    if not records or records[0][TIME] > frame.span.start:
        terms.insert(0, (frame.span.start, system.initial(run.scenario.nodes)))
    ends = [*(time for time, _ in terms[1:]), t]
    found = [
        Bar(node, state, time, end)
        for (time, term), end in zip(terms, ends, strict=True)
        for node, state in _states(system, term)
    ]
    return sorted(_joined(found), key=lambda bar: bar.state == "inside")


def _states(system: System, term: State) -> Iterator[tuple[int, str]]:
    parts = dict(zip(system.components, term, strict=True))
    yield from ((node, "wanting") for node, data in parts["Q"] if data[0][0] != PHI)
    if isinstance(parts.get("T"), int):
        yield node_in(parts["T"]), "inside"


def _joined(found: list[Bar]) -> list[Bar]:
    """One bar for what goes on over several steps."""
    whole: dict[tuple[int, str], list[Bar]] = {}
    for bar in found:
        row = whole.setdefault((bar.node, bar.state), [])
        if row and row[-1].end == bar.start:
            row[-1] = row[-1]._replace(end=bar.end)
        else:
            row.append(bar)
    return [bar for row in whole.values() for bar in row]


def _number(record: Record, is_last: bool, frame: Frame, theme: Theme) -> list[Shape]:
    """The number of a rule in a box on the line of its node, off the node's name; that of the present step is lit."""
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
