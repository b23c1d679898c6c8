"""Where messages fly: beside the straight way between two nodes, on the right of its direction.

So A→B and B→A keep apart. A lane begins and ends where the message's outline would touch the node's circle. Where the
way is too short for that, the lane is further aside, as far as it takes for the message to pass beside the nodes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from algorithms.engine.events import DUE, KIND, LOST, SENT, Record
from visual.drawing import marks
from visual.drawing.shapes import Mark, Point
from visual.scene.graph.layout import Way
from visual.scene.options import Measures

_INNERMOST = 0.4  # a lane's ends keep to the outer parts of the way, up to this share of it from either node
_ASIDE_PILL, _ASIDE_DOT = 0.55, 0.7  # from the way to the lane, in ems of the label


class Reach(NamedTuple):
    """From the middle of a message to its outline, in the direction of its way and beside it."""

    along: float
    across: float


class Lane(NamedTuple):
    """A lane as its beginning and the vector to its end."""

    x: float
    y: float
    dx: float
    dy: float

    def at(self, part: float) -> Point:
        """The point with that part of the lane behind it."""
        return self.x + self.dx * part, self.y + self.dy * part


def lane(way: Way, reach: Reach, sizes: Measures) -> Lane:
    """The lane of something that reaches so far from its middle."""
    x, y, ux, uy, length = way
    touching = sizes.radius + reach.along
    inset = min(touching, _INNERMOST * length)
    aside = (_ASIDE_PILL if sizes.pills else _ASIDE_DOT) * sizes.label
    if sizes.pills and inset < touching:
        aside = max(aside, (sizes.radius + reach.across) * math.sqrt(1 - (inset / touching) ** 2))
    free = length - 2 * inset
    return Lane(x + ux * inset - uy * aside, y + uy * inset + ux * aside, ux * free, uy * free)


def progress(entry: Record, t: float) -> float:
    """The part of its way that a message has behind it at time t: (t − sent) / (due − sent), within 0 and 1."""
    sent, due = entry[SENT], due_of(entry)
    return min(max((t - sent) / (due - sent), 0.0), 1.0) if due > sent else 1.0


def due_of(entry: Record) -> float:
    """When a message arrives, or would arrive if it were not doomed."""
    return float(entry[DUE] if entry[KIND] == LOST else entry[0])


def reach_of(label: str, way: Way, sizes: Measures) -> Reach:
    """How far a message with that label reaches on that way."""
    if not sizes.pills:
        return Reach(0.7 * sizes.label, 0.7 * sizes.label)
    box = marks.extent(Mark(0, 0, "ask", label, sizes.label))
    _, _, ux, uy, _ = way
    along = min(box.w / 2 / abs(ux) if ux else math.inf, box.h / 2 / abs(uy) if uy else math.inf)
    return Reach(along, (box.w - box.h) / 2 * abs(uy) + box.h / 2)
