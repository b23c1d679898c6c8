"""A long step function in few columns: what a plot as wide as the run needs, kept up as the run goes on."""

from __future__ import annotations

from bisect import bisect_right
from math import ceil
from typing import NamedTuple

from algorithms.engine.observe.series import Level


class Column(NamedTuple):
    """The lowest, the highest and the last value in a stretch of time."""

    low: int
    high: int
    last: int


class Columns:
    """The columns of one level over [0, length), `count` of them; only those that have changed are worked out anew.

    Reading on costs as much as what has been added since, however long the run is.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._length = 0.0
        self._columns: list[Column] = []  # all but the last are complete
        self._seen = (0, 0.0)  # of the level: how many change points, and when the last of them was

    def follow(self, level: Level, length: float, end: float) -> list[Column]:
        """The columns up to the time `end`, as far as the level is known."""
        times = level.times
        seen, last = self._seen
        if length != self._length or seen > len(times) or (seen and times[seen - 1] != last):
            self._length, self._columns = length, []
        wide = length / self._count
        reached = min(self._count, max(1, ceil(end / wide)))
        kept = min(max(0, len(self._columns) - 1), reached)
        del self._columns[kept:]
        self._columns += [_column(level, place * wide, min((place + 1) * wide, end)) for place in range(kept, reached)]
        self._seen = (len(times), times[-1])
        return self._columns


def _column(level: Level, start: float, end: float) -> Column:
    first = max(0, bisect_right(level.times, start) - 1)
    last = max(first + 1, bisect_right(level.times, end))
    values = level.values[first:last]
    return Column(min(values), max(values), values[-1])
