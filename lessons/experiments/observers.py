"""What the labs measure in a run: folds over its trace that keep only totals, or what a figure needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from algorithms.engine.events import NODE, TIME, Record
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Level, Log


class UseTotals(Observer):
    """Totals of concurrency, and of the intervals between each process's entries.

    An interval runs from a process's previous entry of any kind to its next entry with a token that it has received:
    an entry with a token of its own making ends no interval. `first` is the time that counts as every process's entry
    before the run; with None the first interval begins at a process's first entry.
    """

    def __init__(self, situation: Situation, width: float, first: float | None = 0.0) -> None:
        self.entries = 0
        self.generations = 0
        self.concurrency: defaultdict[int, float] = defaultdict(float)  # number of processes inside -> for how long
        self.intervals: Counter[int] = Counter()  # length in widths, rounded down -> how often
        self._width = width
        self._here = situation
        self._since = 0.0
        self._inside = 0
        self._last_entry = [first] * situation.nodes
        self._generated = (0, -1)  # step and node of the latest generation of a token

    def on_created(self, step: int, time: float, node: int) -> None:
        self._generated = (step, node)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self._count(time)
        self.entries += 1
        last, self._last_entry[node] = self._last_entry[node], time
        if self._generated == (step, node):
            self.generations += 1
        elif last is not None:
            self.intervals[int((time - last) / self._width)] += 1

    def on_left(self, step: int, time: float, node: int) -> None:
        self._count(time)

    def figures(self, until: float) -> dict[str, Any]:
        """The totals up to the time `until`, the end of the run."""
        self._count(until)
        return {
            "time": until,
            "concurrency": dict(sorted(self.concurrency.items())),
            "intervals": {place * self._width: count for place, count in sorted(self.intervals.items())},
            "entries": self.entries,
            "generations": self.generations,
        }

    def _count(self, time: float) -> None:
        self.concurrency[self._inside] += time - self._since
        self._since = time
        self._inside = len(self._here.inside)


class UseHistory(Observer):
    """Concurrency and intervals over time, for measuring a part of a run that is known only at its end.

    Intervals are as in `UseTotals`; the start of the run counts as every process's first entry.
    """

    def __init__(self, situation: Situation) -> None:
        self.inside = Level(0)
        self.intervals: Log[tuple[float, float]] = Log()  # (when it ends, how long it is)
        self.generations: Log[float] = Log()  # when a token was generated
        self._generated = (0, -1)
        self._here = situation
        self._last_entry = [0.0] * situation.nodes

    def on_created(self, step: int, time: float, node: int) -> None:
        self.generations.add(step, time)
        self._generated = (step, node)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if self._generated != (step, node):
            self.intervals.add(step, (time, time - self._last_entry[node]))
        self._last_entry[node] = time
        self._count(step, time)

    def on_left(self, step: int, time: float, node: int) -> None:
        self._count(step, time)

    def _count(self, step: int, time: float) -> None:
        self.inside.set(step, time, len(self._here.inside))


class Visits(Observer):
    """The times between two arrivals of any token at each process."""

    def __init__(self, width: float) -> None:
        self.intervals: Counter[int] = Counter()  # length in widths, rounded down -> how often
        self._width = width
        self._last: dict[int, float] = {}

    def on_received(self, step: int, record: Record) -> None:
        node, time = record[NODE], record[TIME]
        if node in self._last:
            self.intervals[int((time - self._last[node]) / self._width)] += 1
        self._last[node] = time


class Walk(Observer):
    """The hops that a token takes to return to P0, and to visit every process, repeatedly."""

    def __init__(self, nodes: int) -> None:
        self.returns: list[int] = []
        self.covers: list[int] = []
        self._nodes = nodes
        self._hops = 0
        self._last_return: list[int] = []  # when it was at P0 last, if it was
        self._cover_began = 0
        self._missing = set(range(nodes))

    def on_received(self, step: int, record: Record) -> None:
        self._hops += 1
        node = record[NODE]
        if node == 0:
            self.returns += [self._hops - hop for hop in self._last_return]
            self._last_return[:] = [self._hops]
        self._missing.discard(node)
        if not self._missing:
            self.covers.append(self._hops - self._cover_began)
            self._cover_began = self._hops
            self._missing = set(range(self._nodes)) - {node}


def spent_at(curve: list[tuple[float, int]], start: float, end: float) -> dict[int, float]:
    """Value -> time between `start` and `end` for which a step function (time, value from then on) has it."""
    spent: defaultdict[int, float] = defaultdict(float)
    for (since, value), (until, _) in zip(curve, [*curve[1:], (end, 0)], strict=True):
        spent[value] += max(0.0, min(until, end) - max(since, start))
    return {value: time for value, time in sorted(spent.items()) if time > 0}
