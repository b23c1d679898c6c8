"""The frame of a space-time diagram: which stretch of time, and where its moments and processes are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from visual import fonts
from visual.scene.words import node_name
from visual.shapes import Rect


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


@dataclass(frozen=True)
class Frame:
    """Times to the right, processes downwards in id order, names on the left, an axis below."""

    rect: Rect
    span: Span
    nodes: int
    scale: float

    @cached_property
    def text(self) -> float:
        """The size of the processes' names; that of numbers on the axis follows."""
        return min(18 * self.scale, max(self.rect.h / 14, 9 * self.scale))

    @cached_property
    def left(self) -> float:
        """Where the span begins."""
        return self.rect.x + fonts.width(node_name(self.nodes - 1), self.text, weight="bold") + 1.4 * self.text

    @cached_property
    def right(self) -> float:
        """Where it ends."""
        return self.rect.x + self.rect.w - self.text

    @cached_property
    def row(self) -> float:
        """The distance of two lines."""
        return (self.rect.h - 3.4 * self.text) / self.nodes

    @cached_property
    def top(self) -> float:
        """The upper end of the first row."""
        return self.rect.y + 1.3 * self.text

    @cached_property
    def bottom(self) -> float:
        """The lower end of the last row."""
        return self.top + self.row * self.nodes

    @cached_property
    def stroke(self) -> float:
        """The width of ordinary lines."""
        return max(min(2.2 * self.scale, self.row / 8), 0.75)

    def x(self, time: float) -> float:
        """The place of a moment, kept inside the span."""
        return self.left + (self.right - self.left) * min(max(self.part(time), 0.0), 1.0)

    def part(self, time: float) -> float:
        """The part of the span that lies before the moment; outside it below 0 or above 1."""
        return (time - self.span.start) / (self.span.end - self.span.start)

    def y(self, node: int) -> float:
        """The height of a process's line."""
        return self.top + (node + 0.5) * self.row

    def ticks(self) -> list[float]:
        """Round moments in the span, about one for each finger's breadth."""
        length = self.span.end - self.span.start
        most = max(2.0, (self.right - self.left) / (6 * self.text))
        step = 10 ** math.ceil(math.log10(length / most))
        step = next((step / d for d in (5, 2) if length / (step / d) <= most), step)
        first = math.ceil(self.span.start / step)
        return [k * step for k in range(first, math.floor(self.span.end / step) + 1)]
