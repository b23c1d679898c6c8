"""Axes, bars and curves as shapes: the kit of all plots.

chart = Chart(look, region, Axis(0, 2000, unit="time"), Axis(0, 1, share=True), "in the CS", "k_load = 1.0")
shapes = [*chart.frame(), *chart.bars(...), *chart.curve(...)]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from visual.drawing import fonts
from visual.drawing.shapes import (
    Box,
    Circle,
    Colour,
    Dash,
    Fill,
    Line,
    Pattern,
    Point,
    Polygon,
    Polyline,
    Rect,
    Shape,
    Text,
)
from visual.window.widgets import Look

TEXT = 18.0  # logical pixels: 13 pixels in a window of 1280x720
DASHES: Dash = (7.0, 4.0)
HEAD, LEGEND, FOOT = 30.0, 28.0, 30.0  # heights in logical pixels: heading, row of the legend, numbers
_ABOVE, _LEAST_ABOVE = 13.0, 6.0  # logical pixels above the axes: half of the highest number is there
_NEAREST = 62.0  # logical pixels: the least distance of numbers on the level axis
_LEVELS = 34.0  # … and on the upright one


class Axis(NamedTuple):
    """The range and unit of an axis; shares are written as percentages."""

    low: float
    high: float
    unit: str = ""
    share: bool = False
    whole: bool = False  # whether only whole numbers make sense

    def words(self, value: float) -> str:
        """A number as written at the axis."""
        return f"{100 * value:.3g} %" if self.share else number(value)

    def ticks(self, most: float) -> list[float]:
        """Round values from `low` to `high`, at most about that many."""
        step = round_step((self.high - self.low) / max(most, 1.0))
        if self.whole:
            step = max(1.0, step)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


class LegendItem(NamedTuple):
    """A sign of the legend ("bar", "line", "dashes" or "mark") with its words."""

    sign: str
    words: str
    fill: Fill


def number(value: float) -> str:
    """A number in short form: 1500 -> "1,500", 0.25 -> "0.25"."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == round(value) else f"{value:.3g}"


def shares_words(spent: dict[int, float], none: str) -> str:
    """Shares of time with 0, 1 and more: "0: 38 %   1: 62 %   2+: 0 %".

    `spent` is time by number, and `none` the word for 0.
    """
    whole = sum(spent.values())
    if not whole:
        return ""
    more = sum(time for count, time in spent.items() if count > 1)
    parts = ((none, spent.get(0, 0.0)), ("1", spent.get(1, 0.0)), ("2+", more))
    return "   ".join(f"{name}: {100 * time / whole:.0f} %" for name, time in parts)


def round_step(least: float) -> float:
    """The smallest of …, 0.5, 1, 2, 5, 10, … not below `least`."""
    if least <= 0:
        return 1.0
    power = 10 ** math.floor(math.log10(least) + 1e-9)
    return float(next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * (1 - 1e-9)))


def hatch(look: Look) -> Pattern:
    """The fill of bars that a measurement is compared with."""
    theme = look.theme
    return Pattern("hatch", theme.muted, theme.paper, look.px(9))


class Chart:
    """A plot in a region: heading, note, legend, and two axes."""

    def __init__(
        self,
        look: Look,
        region: Rect,
        x: Axis,
        y: Axis,
        title: str,
        note: str = "",
        legend: tuple[LegendItem, ...] = (),
    ) -> None:
        self.look, self.region, self.x_axis, self.y_axis = look, region, x, y
        self._title, self._note, self._legend = title, note, legend
        self._size = look.px(TEXT)
        self._rows = self._legend_rows()
        top = look.px(HEAD) + look.px(LEGEND) * len(self._rows)
        room = region.h - top - look.px(FOOT)
        above = look.px(_ABOVE if room > 4 * self._size else _LEAST_ABOVE)
        top, height = top + above, room - above
        self._levels = y.ticks(height / look.px(_LEVELS))
        left = max((fonts.width(y.words(value), self._size) for value in self._levels), default=0.0) + look.px(10)
        self.area = Rect(region.x + left, region.y + top, region.w - left, height)

    def x(self, value: float) -> float:
        """The position of a value on the level axis, limited to it."""
        return self.area.x + self.area.w * _part(value, self.x_axis)

    def y(self, value: float) -> float:
        """The position of a value on the upright axis, limited to it."""
        return self.area.y + self.area.h * (1 - _part(value, self.y_axis))

    def frame(self, marks: Sequence[tuple[float, str]] | None = None) -> list[Shape]:
        """Heading, legend, levels and axes; `marks` replace the numbers on the level axis."""
        area, theme = self.area, self.look.theme
        shapes: list[Shape] = [*self._heading(), *self._signs()]
        thin = max(1.0, self.look.px(1))
        dots = (thin, self.look.px(5)) if theme.rule == theme.ink else ()  # in print: lines look like curves
        for value in self._levels:
            y = self.y(value)
            shapes.append(Line(area.x, y, area.x + area.w, y, theme.rule, thin, dots))
            words = self.y_axis.words(value)
            shapes.append(self._text(area.x - self.look.px(8), y, words, "end"))
        foot = area.y + area.h
        shapes.append(Line(area.x, foot, area.x + area.w, foot, theme.ink, self.look.rule))
        return [*shapes, *self._numbers(marks)]

    def bars(self, values: Sequence[float], fill: Fill, width: float, left: float = 0.0) -> list[Shape]:
        """Bars at 0, 1, 2, …, with `left` and `width` in steps of the axis."""
        theme = self.look.theme
        outline = theme.ink if isinstance(fill, Pattern) or fill == theme.paper else None
        shapes: list[Shape] = []
        for place, value in enumerate(values):
            x1, x2 = self.x(place + left), self.x(place + left + width)
            if value > 0:
                top = min(self.y(value), self.area.y + self.area.h - 1)
                high = self.area.y + self.area.h - top
                shapes.append(Box(x1, top, x2 - x1, high, fill, outline, self.look.rule))
        return shapes

    def labels(self, values: Sequence[float], words: Sequence[str], centre: float = 0.5) -> list[Shape]:
        """Words above the bars; none if one has no room."""
        room = self.x(1) - self.x(0)
        widest = max((fonts.width(word, self._size) for word in words), default=0.0)
        if widest > room - self.look.px(4):
            return []
        off = 0.75 * self._size
        return [
            self._text(
                self.x(place + centre), max(self.y(value) - off, self.area.y + off / 2), word, "middle", halo=True
            )
            for place, (value, word) in enumerate(zip(values, words, strict=True))
            if word
        ]

    def marks(self, points: Sequence[Point]) -> list[Shape]:
        """Hollow circles at points (value, value), joined by a thin line."""
        placed = tuple((self.x(x), self.y(y)) for x, y in points)
        theme, r = self.look.theme, self.look.px(5)
        line = Polyline(placed, theme.ink, self.look.px(1.5), (self.look.px(4), self.look.px(4)))
        return [line, *(Circle(*at, r, theme.paper, theme.ink, self.look.px(2)) for at in placed)]

    def curve(self, points: Iterable[Point], stroke: Colour, width: float = 3.0, dash: Dash = ()) -> list[Shape]:
        """A curve through points (value, value)."""
        placed = tuple(dict.fromkeys((self.x(x), self.y(y)) for x, y in points))
        lengths = tuple(map(self.look.px, dash))
        return [Polyline(placed, stroke, self.look.px(width), lengths)] if len(placed) > 1 else []

    def stairs(self, steps: Sequence[Point], stroke: Colour, width: float = 3.0, dash: Dash = ()) -> list[Shape]:
        """A step function, given by its change points; `dash` is in logical pixels."""
        return self.curve(_corners(steps), stroke, width, dash)

    def hill(self, steps: Sequence[Point], fill: Fill) -> list[Shape]:
        """The area under a step function."""
        foot = self.area.y + self.area.h
        placed = [(self.x(x), self.y(y)) for x, y in _corners(steps)]
        if len(placed) < 2:
            return []
        return [Polygon(((placed[0][0], foot), *placed, (placed[-1][0], foot)), fill)]

    def now(self, time: float) -> Line:
        """The present moment on a level axis of time."""
        x = self.x(time)
        return Line(x, self.area.y, x, self.area.y + self.area.h, self.look.theme.accent, self.look.px(2))

    def message(self, words: str) -> Text:
        """A sentence in the middle of a plot without data."""
        middle = self.area.x + self.area.w / 2
        text = fonts.shorten(words, self.area.w, self._size)
        return self._text(middle, self.area.y + self.area.h / 2, text, "middle", halo=True)

    # ---- within --------------------------------------------------------------------------------------------

    def _text(self, x: float, y: float, words: str, anchor: str, halo: bool = False) -> Text:
        theme = self.look.theme
        ink = theme.ink if halo else theme.muted
        return Text(
            x,
            y,
            words,
            self._size,
            ink,
            anchor=anchor,  # type: ignore[arg-type]
            baseline="middle",
            halo=theme.paper if halo else None,
        )

    def _heading(self) -> list[Shape]:
        look, region = self.look, self.region
        middle = region.y + look.px(HEAD) / 2
        words = fonts.shorten(self._title, region.w, self._size, weight="bold")
        title = Text(region.x, middle, words, self._size, look.theme.muted, "bold", baseline="middle")
        room = region.w - fonts.width(words, self._size, weight="bold") - look.px(14)
        if not fonts.fits(self._note, room, self._size):
            return [title]
        right = region.x + region.w
        return [title, Text(right, middle, self._note, self._size, look.theme.ink, anchor="end", baseline="middle")]

    def _legend_rows(self) -> list[list[LegendItem]]:
        """The legend in as many rows as it needs."""
        rows: list[list[LegendItem]] = []
        room = 0.0
        for item in self._legend:
            needed = self._sign_width + fonts.width(item.words, self._size)
            if needed > room:
                rows.append([])
                room = self.region.w
            rows[-1].append(item)
            room -= needed + self.look.px(16)
        return rows

    @property
    def _sign_width(self) -> float:
        """The width of a sign with the gap before its words."""
        return 0.8 * self._size + self.look.px(7)

    def _signs(self) -> list[Shape]:
        look, side = self.look, 0.8 * self._size
        shapes: list[Shape] = []
        for place, row in enumerate(self._rows):
            x, y = self.region.x, self.region.y + look.px(HEAD) + look.px(LEGEND) * (place + 0.5)
            for item in row:
                shapes += _sign(item, x, y, side, look)
                words = fonts.shorten(item.words, self.region.x + self.region.w - x - self._sign_width, self._size)
                shapes.append(Text(x + self._sign_width, y, words, self._size, look.theme.ink, baseline="middle"))
                x += self._sign_width + fonts.width(words, self._size) + look.px(16)
        return shapes

    def _numbers(self, marks: Sequence[tuple[float, str]] | None) -> list[Shape]:
        """The numbers on the level axis that have room, and the unit."""
        area, look, axis = self.area, self.look, self.x_axis
        y = area.y + area.h + look.px(FOOT) / 2 + look.px(2)
        right = area.x + area.w
        shapes: list[Shape] = []
        if axis.unit:
            shapes.append(self._text(right, y, axis.unit, "end"))
            right -= fonts.width(axis.unit, self._size) + look.px(12)
        if marks is None:
            marks = [(value, axis.words(value)) for value in axis.ticks(area.w / look.px(_NEAREST))]
        end = self.region.x - look.px(12)
        for value, words in marks:
            half = fonts.width(words, self._size) / 2
            x = max(self.x(value), self.region.x + half)
            if x - half >= end and x + half <= right:
                shapes.append(self._text(x, y, words, "middle"))
                end = x + half + look.px(12)
        return shapes


def _part(value: float, axis: Axis) -> float:
    return min(max((value - axis.low) / (axis.high - axis.low), 0.0), 1.0) if axis.high > axis.low else 0.0


def _corners(steps: Sequence[Point]) -> list[Point]:
    """The corners of a step function."""
    corners = list(steps[:1])
    for (_, before), (time, after) in pairwise(steps):
        corners += [(time, before), (time, after)]
    return corners


def _sign(item: LegendItem, x: float, y: float, side: float, look: Look) -> list[Shape]:
    theme = look.theme
    ink = theme.ink if isinstance(item.fill, Pattern) else item.fill
    if item.sign == "bar":
        outline = theme.ink if isinstance(item.fill, Pattern) else None
        return [Box(x, y - side / 2, side, side, item.fill, outline, look.rule)]
    if item.sign == "mark":
        return [
            Line(x, y, x + side, y, theme.ink, look.px(1.5)),
            Circle(x + side / 2, y, look.px(5), theme.paper, theme.ink, look.px(2)),
        ]
    dash = tuple(map(look.px, DASHES)) if item.sign == "dashes" else ()
    return [Line(x, y, x + side, y, ink, look.px(3), dash)]
