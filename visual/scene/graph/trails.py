"""What stays for a moment: the way of the message just delivered, the trails of those just lost, removed tokens."""

from __future__ import annotations

from algorithms.engine.events import DELIVER, DESTROYED, KIND, LOST, NODE, SENDER, TIME, Record
from algorithms.engine.simulation import Simulation
from visual.analysis.moment import Moment
from visual.drawing import fonts, glyphs
from visual.drawing.shapes import Group, Line, Shape
from visual.drawing.theme import Theme
from visual.scene.graph.chips import tag
from visual.scene.graph.lanes import Reach, lane, progress
from visual.scene.graph.layout import Layout
from visual.scene.graph.node_names import token_text
from visual.scene.options import Measures, Options, measures

_LINGER = 0.8  # how long a lost message's trail stays, in mean delays
_MOST_RECORDS = 5_000  # in which to look for losses
_PALEST = 0.3
_REMOVED = "removed"
_OFF, _HEAD = 4.0, 6.0  # strokes: from a node to the way of what has arrived there, and the head of its arrow


def just_lost(run: Simulation, t: float) -> list[Record]:
    """The LOST records of the last moments before t, the newest first."""
    return [record for record in _recent(run, LOST, t - _linger(run)) if record[SENDER] != record[NODE]]


def just_removed(run: Simulation, t: float) -> list[Record]:
    """The DESTROYED records of the last moments before t, the newest first."""
    return _recent(run, DESTROYED, t - _flight(run))


def _recent(run: Simulation, kind: int, since: float) -> list[Record]:
    """What of that kind has happened since then, backwards from the present step."""
    trace = run.trace
    ahead = run.steps - trace.forgotten
    end = trace.starts[ahead] if ahead < len(trace.starts) else len(trace.records)
    last = trace.records[max(0, end - _MOST_RECORDS) : end]
    return [record for record in reversed(last) if record[KIND] == kind and record[TIME] >= since]


def lost_trails(
    lost: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """For each message just lost its trail, ending in a ✕, fading away."""
    sizes, linger = measures(layout, theme, options), _linger(run)
    age = {record: (t - record[TIME]) / linger for record in lost}
    return [
        Group(tuple(_trail(record, layout, theme, sizes)), opacity=1 - (1 - _PALEST) * min(1.0, max(0.0, age[record])))
        for record in lost
        if age[record] <= 1
    ]


def removals(
    removed: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """Where a token has just been removed, for as long as a message flies: its sign, crossed out, and the word."""
    sizes, shapes = measures(layout, theme, options), []
    for node in {record[NODE]: record for record in removed if t - record[TIME] <= _flight(run)}:
        shapes += _removal(node, layout, theme, sizes, options)
    return shapes


def _removal(node: int, layout: Layout, theme: Theme, sizes: Measures, options: Options) -> list[Shape]:
    """Beside the node, towards the middle of the picture, where there is room."""
    (x, y), (ux, uy) = layout.places[node], layout.inwards(node)
    size = max(sizes.label, token_text(options))
    reach = 0.9 * size
    far = sizes.radius + 2.2 * reach
    at = x + ux * far, y + uy * far
    half = fonts.width(_REMOVED, size, "mono", "bold") / 2 + 0.55 * size
    word = tag((at[0] + (half + 1.5 * reach) * (1 if ux >= 0 else -1), at[1]), _REMOVED, size, theme, sizes)
    sign = glyphs.token(at, reach, "spurious", theme, 0.6 * sizes.stroke)
    return [*sign, *glyphs.cross(at, 1.1 * reach, theme.ink, max(sizes.stroke, 2.0)), *word]


def _linger(run: Simulation) -> float:
    return _LINGER * run.scenario.network.delay.mean or 1.0


def _flight(run: Simulation) -> float:
    return run.scenario.network.delay.mean or 1.0


def _trail(record: Record, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    way = lane(layout.ways[record[SENDER], record[NODE]], Reach(0.5 * sizes.label, 0.5 * sizes.label), sizes)
    end = way.at(progress(record, record[TIME]))
    line = Line(way.x, way.y, *end, theme.fault, 0.8 * sizes.stroke, (sizes.stroke, 2.5 * sizes.stroke))
    return [line, *glyphs.cross(end, 0.45 * sizes.label, theme.fault, sizes.stroke)]


def arrival(moment: Moment, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The way of the message that the present step has delivered, off the rings of both nodes."""
    event = moment.event
    if event is None or event[KIND] != DELIVER or event[SENDER] == event[NODE]:
        return []
    sizes = measures(layout, theme, options)
    way = lane(layout.ways[event[SENDER], event[NODE]], Reach(_OFF * sizes.stroke, 0.0), sizes)
    return [Line(way.x, way.y, *way.at(1.0), theme.accent, sizes.stroke, arrow=_HEAD * sizes.stroke)]
