"""Messages in flight. Where one is, is a pure function of the time t: f = (t − sent) / (due − sent) of its lane.

A lane runs beside the straight way between two nodes, on the right of its direction, so that A→B and B→A keep apart.
It begins and ends where the message's pill would touch the node's circle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Literal, cast

from algorithms.engine.events import DELIVER, DUE, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, Record
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual import marks
from visual.scene import glyphs
from visual.scene.layout import Layout, Way
from visual.scene.nodes import present_event
from visual.scene.options import Measures, Options, measures
from visual.scene.words import message_label, message_stamp
from visual.shapes import Family, Group, Line, Mark, Point, Shape
from visual.theme import Theme

_LOOK_BACK = 1_000  # steps in which to look for messages just lost
_LINGER = 0.8  # how long a lost message's trail stays, in mean delays
_SHORTEST = 0.4  # a lane's ends stay apart by this part of the way at least, each from the middle of the way


def in_flight(run: Simulation) -> Iterator[Record]:
    """The entries of the messages that are on their way, those that are doomed included, in no order."""
    for entry in chain(run.queue.heap, run.queue.lane):
        if entry[KIND] <= LOST and entry[SENDER] != entry[NODE]:
            yield entry


def progress(entry: Record, t: float) -> float:
    """The part of its way that a message has behind it at time t."""
    sent, due = entry[SENT], entry[DUE] if entry[KIND] == LOST else entry[0]
    return min(max((t - sent) / (due - sent), 0.0), 1.0) if due > sent else 1.0


def messages(run: Simulation, t: float, layout: Layout, theme: Theme, options: Options) -> list[Mark]:
    """One mark for each message in flight at time t."""
    sizes, ways = measures(layout, theme, options), layout.ways
    form: Literal["pill", "dot"] = "pill" if sizes.pills else "dot"
    pointing = options.arrows and not sizes.crowd
    families: dict[type[Message], Family] = {}
    found = []
    for entry in in_flight(run):
        message, way = entry[MESSAGE], ways[entry[SENDER], entry[NODE]]
        family = families.get(type(message)) or families.setdefault(type(message), family_of(type(message), run))
        label = label_of(message, family, sizes)
        x, y = _place(way, progress(entry, t), sizes, _reach(way, label, sizes))
        toward = math.degrees(math.atan2(way[3], way[2])) if pointing else None
        found.append(Mark(x, y, family, label, sizes.label, form, toward, f"message:{entry[SEQ]}"))
    return found


def label_of(message: Message, family: Family, sizes: Measures) -> str:
    """Type and stamp; in less room the stamp, and in a crowd nothing, unless it is a token."""
    if sizes.pills or family == "token":
        return message_label(message)
    return "" if sizes.crowd else message_stamp(message)


def place(layout: Layout, sizes: Measures, entry: Record, t: float) -> Point:
    """Where a message is at time t."""
    way = layout.ways[entry[SENDER], entry[NODE]]
    label = message_label(entry[MESSAGE]) if sizes.pills else ""
    return _place(way, progress(entry, t), sizes, _reach(way, label, sizes))


def _reach(way: Way, label: str, sizes: Measures) -> float:
    """From a message's middle to its edge in the direction of its flight."""
    if not sizes.pills:
        return 0.7 * sizes.label
    box = marks.extent(Mark(0, 0, "ask", label, sizes.label))
    _, _, ux, uy, _ = way
    return min(box.w / 2 / abs(ux) if ux else math.inf, box.h / 2 / abs(uy) if uy else math.inf)


def _place(way: Way, part: float, sizes: Measures, reach: float) -> Point:
    """The point at that part of the lane."""
    x, y, ux, uy, length = way
    inset = min(sizes.radius + reach, _SHORTEST * length)
    along = inset + (length - 2 * inset) * part
    aside = (0.55 if sizes.pills else 0.7) * sizes.label
    return x + ux * along - uy * aside, y + uy * along + ux * aside


def family_of(message: type[Message], run: Simulation) -> Family:
    """The family of a class of messages on the picture."""
    looks = run.algorithm.looks
    return cast(Family, next((looks[base] for base in message.__mro__ if base in looks), "ask"))


# ---- what is not in flight any more ------------------------------------------------------------------------


def just_lost(run: Simulation, t: float) -> list[Record]:
    """The LOST records of the last moments before t."""
    since = t - _LINGER * run.scenario.network.delay.mean
    found: list[Record] = []
    for k in range(run.steps - 1, max(run.trace.forgotten, run.steps - _LOOK_BACK) - 1, -1):
        records = run.trace.step(k)
        if records[0][0] < since:
            break
        found += (record for record in records if record[KIND] == LOST and record[SENDER] != record[NODE])
    return found


def lost_trails(run: Simulation, t: float, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """For each message just lost its trail, ending in a dot and a ✕, fading away."""
    sizes = measures(layout, theme, options)
    linger = _LINGER * run.scenario.network.delay.mean or 1.0
    return [
        Group(
            tuple(_trail(record, layout, theme, sizes)), opacity=1 - 0.7 * min(1.0, max(0.0, (t - record[0]) / linger))
        )
        for record in just_lost(run, t)
    ]


def _trail(record: Record, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    way = layout.ways[record[SENDER], record[NODE]]
    reach = 0.5 * sizes.label
    start, end = _place(way, 0.0, sizes, reach), _place(way, progress(record, record[0]), sizes, reach)
    dash = (sizes.stroke, 2.5 * sizes.stroke)
    return [
        Line(*start, *end, theme.fault, 0.8 * sizes.stroke, dash),
        *glyphs.cross(end, 0.45 * sizes.label, theme.fault, sizes.stroke),
    ]


def arrival(run: Simulation, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The way of the message that the present step has delivered."""
    event = present_event(run)
    if event is None or event[KIND] != DELIVER or event[SENDER] == event[NODE]:
        return []
    sizes = measures(layout, theme, options)
    way = layout.ways[event[SENDER], event[NODE]]
    start, end = _place(way, 0.0, sizes, 0.0), _place(way, 1.0, sizes, 0.0)
    return [Line(*start, *end, theme.accent, sizes.stroke, arrow=4 * sizes.stroke)]
