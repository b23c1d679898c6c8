"""The geometry of a space-time diagram: its span of time, its processes, and their places.

Everything is computed with time to the right; where time goes downwards, shapes are then mirrored at the diagonal.
Only texts and other upright shapes are placed by `on_screen`.
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
    """A span of time, in units of the axis."""

    start: float
    end: float

    @staticmethod
    def around(t: float, length: float) -> Span:
        """A span of that length with t in its middle half; it turns over like a page instead of creeping."""
        page = math.floor(t / (length / 2) - 0.5)
        start = max(0.0, page * length / 2)
        return Span(start, start + length)

    def within(self, end: float) -> Span:
        """The span moved, and if need be shortened, to end with a run that ends then."""
        if self.end <= end or end <= 0:
            return self
        return Span(max(0.0, end - self.length), end)

    @property
    def length(self) -> float:
        """The length of the span."""
        return self.end - self.start


@dataclass(frozen=True)
class Plan:
    """The layout of a diagram. With `logical_times` its axis is logical time, otherwise real time.

    `lanes` are the processes with a line, in order; all by default. With `down`, time goes downwards. Names may shrink
    to `least` logical pixels so that all lines have one.
    """

    logical_times: LogicalTimes | None = None
    lanes: tuple[int, ...] | None = None
    down: bool = False
    least: float = _LEAST_TEXT

    def place(self, step: int, time: float) -> float:
        """The place on the axis of a step that happens at `time`."""
        return time if self.logical_times is None else float(self.logical_times.of_step(step))


PLAIN = Plan()


@dataclass(frozen=True)
class Frame:
    """Time to the right, processes downwards in id order, names on the left, an axis below; or mirrored."""

    rect: Rect  # on the screen
    span: Span
    nodes: int
    scale: float
    plan: Plan = PLAIN

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        """The processes with a line, in order."""
        return tuple(range(self.nodes)) if self.plan.lanes is None else self.plan.lanes

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {node: row for row, node in enumerate(self.lanes)}

    @cached_property
    def _area(self) -> Rect:
        """The rectangle before mirroring."""
        x, y, w, h = self.rect
        return Rect(y, x, h, w) if self.plan.down else self.rect

    @cached_property
    def text(self) -> float:
        """The size of the processes' names where there is enough room."""
        return min(18 * self.scale, max(min(self.rect.h, self.rect.w) / 14, _LEAST_TEXT * self.scale))

    @cached_property
    def name(self) -> float:
        """The size of the names: smaller, but legible, if only so all of them fit."""
        fitting = self.row / _LEADING
        too_small = fitting < min(self.text, self.plan.least * self.scale)
        return self.text if self.plan.down or too_small else min(self.text, fitting)

    @cached_property
    def small(self) -> float:
        """The size of the numbers on the axis and of the labels along messages."""
        return max(0.78 * self.text, _LEAST_SMALL * self.scale)

    @cached_property
    def _name_width(self) -> float:
        return fonts.width(node_name(max(self.lanes, default=0)), self.text, weight="bold")

    @cached_property
    def left(self) -> float:
        """The x of the beginning of the span."""
        names = 1.2 * self.text if self.plan.down else self._name_width
        return self._area.x + names + 1.4 * self.text

    @cached_property
    def right(self) -> float:
        """The x of the end of the span."""
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
        """The y of the axis: below the rows, or left of the columns where time goes downwards."""
        return self.top if self.plan.down else self.bottom

    @cached_property
    def stroke(self) -> float:
        """The width of ordinary lines."""
        return max(min(2.2 * self.scale, self.row / 8), 0.75)

    @cached_property
    def every(self) -> int:
        """The interval of names: every k-th process has one."""
        needed = self._name_width + 0.5 * self.text if self.plan.down else _LEADING * self.name
        return max(1, math.ceil(round(needed / self.row, 6)))

    def x(self, time: float) -> float:
        """The place of a time, clamped to the span."""
        x = self.left + (time - self.span.start) * self._pace
        return self.left if x < self.left else self.right if x > self.right else x

    @cached_property
    def _pace(self) -> float:
        """Pixels per unit of time."""
        return (self.right - self.left) / self.span.length

    def moment(self, x: float, y: float) -> float:
        """The time at a point of the screen."""
        along = y if self.plan.down else x
        return self.span.start + self.span.length * (along - self.left) / max(self.right - self.left, 1.0)

    def has(self, node: int) -> bool:
        """Whether a process has a line."""
        return node in self._rows

    def y(self, node: int) -> float:
        """The height of a process's line. KeyError if it has none."""
        return self.top + (self._rows[node] + 0.5) * self.row

    def on_screen(self, x: float, y: float) -> Point:
        """The place of a point on the screen."""
        return (y, x) if self.plan.down else (x, y)

    def turned(self, shapes: list[Shape]) -> list[Shape]:
        """The shapes, texts excepted, at their places on the screen."""
        return [_turned(shape) for shape in shapes] if self.plan.down else shapes

    def ticks(self) -> list[float]:
        """Round times in the span, about one per finger's breadth."""
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
