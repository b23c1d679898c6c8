"""What messages leave behind for a moment: the way of the one just delivered, and the trails of those just lost."""

from __future__ import annotations

from algorithms.engine.events import DELIVER, KIND, LOST, NODE, SENDER, TIME, Record
from algorithms.engine.simulation import Simulation
from visual.scene import glyphs
from visual.scene.lanes import lane, progress
from visual.scene.layout import Layout
from visual.scene.moment import Moment
from visual.scene.options import Measures, Options, measures
from visual.shapes import Group, Line, Shape
from visual.theme import Theme

_LINGER = 0.8  # how long a lost message's trail stays, in mean delays
_MOST_RECORDS = 5_000  # in which to look for losses
_PALEST = 0.3


def just_lost(run: Simulation, t: float) -> list[Record]:
    """The LOST records of the last moments before t, the newest first."""
    trace, since = run.trace, t - _linger(run)
    ahead = run.steps - trace.forgotten
    end = trace.starts[ahead] if ahead < len(trace.starts) else len(trace.records)
    found: list[Record] = []
    for record in reversed(trace.records[max(0, end - _MOST_RECORDS) : end]):
        if record[TIME] < since:  # no effect of an earlier step, but for messages still under way, is later than this
            break
        if record[KIND] == LOST and record[SENDER] != record[NODE]:
            found.append(record)
    return found


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


def _linger(run: Simulation) -> float:
    return _LINGER * run.scenario.network.delay.mean or 1.0


def _trail(record: Record, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    way = lane(layout.ways[record[SENDER], record[NODE]], 0.5 * sizes.label, sizes)
    end = way.at(progress(record, record[TIME]))
    line = Line(way.x, way.y, *end, theme.fault, 0.8 * sizes.stroke, (sizes.stroke, 2.5 * sizes.stroke))
    return [line, *glyphs.cross(end, 0.45 * sizes.label, theme.fault, sizes.stroke)]


def arrival(moment: Moment, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The way of the message that the present step has delivered."""
    event = moment.event
    if event is None or event[KIND] != DELIVER or event[SENDER] == event[NODE]:
        return []
    sizes = measures(layout, theme, options)
    way = lane(layout.ways[event[SENDER], event[NODE]], 0.0, sizes)
    return [Line(way.x, way.y, *way.at(1.0), theme.accent, sizes.stroke, arrow=4 * sizes.stroke)]
