"""The frame of a space-time diagram: which stretch of time, whose lines, and where its moments and processes are.

Everything is worked out with time to the right and then, where time is to go downwards, turned about the diagonal;
only texts and what else has to stay upright are placed on the screen by `on_screen`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from visual.analysis.logical_time import LogicalTimes
from visual.drawing import fonts
from visual.drawing.shapes import Box, Circle, Line, Point, Polygon, Polyline, Rect, Shape
from visual.words import node_name

_LEAST_TEXT, _LEAST_SMALL = 16.0, 15.0  # logical pixels: 15 are 11 pixels in a window of 1280x720
_LEADING = 1.05  # from one name to the next below it, in ems of capitals and figures


class Span(NamedTuple):
    """A stretch of time."""

    start: float
    end: float

    @staticmethod
    def around(t: float, length: float) -> Span:
        """A span of that length with t in its middle half; it turns over like a page, and does not creep."""
        page = math.floor(t / (length / 2) - 0.5)
        start = max(0.0, page * length / 2)
        return Span(start, start + length)

    @property
    def length(self) -> float:
        """How much time it is."""
        return self.end - self.start


@dataclass(frozen=True)
class Plan:
    """How a diagram is laid out. With `depths` its axis is logical time, otherwise real time.

    `lanes` are the processes that have a line, in order; by default all have one. With `down` time goes downwards.
    Names may become as small as `least`, in logical pixels, so that all lines have one.
    """

    logical_times: LogicalTimes | None = None
    lanes: tuple[int, ...] | None = None
    down: bool = False
    least: float = _LEAST_TEXT

    def place(self, step: int, time: float) -> float:
        """Where on the axis the events of that step are, which happens at that time."""
        return time if self.logical_times is None else float(self.logical_times.of_step(step))


PLAIN = Plan()


@dataclass(frozen=True)
class Frame:
    """Times to the right, processes downwards in id order, names on the left, an axis below; or turned about."""

    rect: Rect  # on the screen
    span: Span
    nodes: int
    scale: float
    plan: Plan = PLAIN

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        """The processes that have a line."""
        return tuple(range(self.nodes)) if self.plan.lanes is None else self.plan.lanes

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {node: row for row, node in enumerate(self.lanes)}

    @cached_property
    def _area(self) -> Rect:
        """The rectangle before it is turned about."""
        x, y, w, h = self.rect
        return Rect(y, x, h, w) if self.plan.down else self.rect

    @cached_property
    def text(self) -> float:
        """The size of the processes' names, where they have room enough."""
        return min(18 * self.scale, max(min(self.rect.h, self.rect.w) / 14, _LEAST_TEXT * self.scale))

    @cached_property
    def name(self) -> float:
        """The size of the names: smaller, but legible, where all of them fit beside each other only so."""
        fitting = self.row / _LEADING
        too_small = fitting < min(self.text, self.plan.least * self.scale)
        return self.text if self.plan.down or too_small else min(self.text, fitting)

    @cached_property
    def small(self) -> float:
        """The size of numbers on the axis and of what is written along messages."""
        return max(0.78 * self.text, _LEAST_SMALL * self.scale)

    @cached_property
    def _name_width(self) -> float:
        return fonts.width(node_name(max(self.lanes, default=0)), self.text, weight="bold")

    @cached_property
    def left(self) -> float:
        """Where the span begins."""
        names = 1.2 * self.text if self.plan.down else self._name_width
        return self._area.x + names + 1.4 * self.text

    @cached_property
    def right(self) -> float:
        """Where it ends."""
        return self._area.x + self._area.w - self.text

    @cached_property
    def row(self) -> float:
        """The distance of two lines."""
        return max(self.bottom - self.top, 1.0) / max(len(self.lanes), 1)

    @cached_property
    def top(self) -> float:
        """The upper end of the first row."""
        return self._area.y + (4.6 if self.plan.down else 1.3) * self.text

    @cached_property
    def bottom(self) -> float:
        """The lower end of the last row."""
        return self._area.y + self._area.h - (1.3 if self.plan.down else 2.1) * self.text

    @cached_property
    def axis(self) -> float:
        """Where the axis is: below the rows; where time goes downwards, at the left of the columns."""
        return self.top if self.plan.down else self.bottom

    @cached_property
    def stroke(self) -> float:
        """The width of ordinary lines."""
        return max(min(2.2 * self.scale, self.row / 8), 0.75)

    @cached_property
    def every(self) -> int:
        """Of so many processes one has its name written."""
        needed = self._name_width + 0.5 * self.text if self.plan.down else _LEADING * self.name
        return max(1, math.ceil(round(needed / self.row, 6)))

    def x(self, time: float) -> float:
        """The place of a moment, kept inside the span."""
        x = self.left + (time - self.span.start) * self._pace
        return self.left if x < self.left else self.right if x > self.right else x

    @cached_property
    def _pace(self) -> float:
        """Pixels for a unit of time."""
        return (self.right - self.left) / self.span.length

    def moment(self, x: float, y: float) -> float:
        """The moment at a point of the screen."""
        along = y if self.plan.down else x
        return self.span.start + self.span.length * (along - self.left) / max(self.right - self.left, 1.0)

    def has(self, node: int) -> bool:
        """Whether a process has a line."""
        return node in self._rows

    def y(self, node: int) -> float:
        """The height of a process's line. KeyError if it has none."""
        return self.top + (self._rows[node] + 0.5) * self.row

    def on_screen(self, x: float, y: float) -> Point:
        """A point where it is on the screen."""
        return (y, x) if self.plan.down else (x, y)

    def turned(self, shapes: list[Shape]) -> list[Shape]:
        """The shapes, which are no texts, where they are on the screen."""
        return [_turned(shape) for shape in shapes] if self.plan.down else shapes

    def ticks(self) -> list[float]:
        """Round moments in the span, about one for each finger's breadth."""
        most = max(2.0, (self.right - self.left) / ((3 if self.plan.down else 6) * self.text))
        step = 10 ** math.ceil(math.log10(self.span.length / most))
        step = next((step / d for d in (5, 2) if self.span.length / (step / d) <= most), step)
        step = max(step, 1.0) if self.plan.logical_times else step
        first = math.ceil(self.span.start / step)
        return [k * step for k in range(first, math.floor(self.span.end / step) + 1)]


def _turned(shape: Shape) -> Shape:
    """A shape mirrored at the diagonal."""
    match shape:
        case Line():
            return shape._replace(x1=shape.y1, y1=shape.x1, x2=shape.y2, y2=shape.x2)
        case Box():
            return shape._replace(x=shape.y, y=shape.x, w=shape.h, h=shape.w)
        case Circle():
            return shape._replace(x=shape.y, y=shape.x)
        case Polygon() | Polyline():
            return shape._replace(points=tuple((y, x) for x, y in shape.points))
    raise TypeError(f"{shape} cannot be turned about")
