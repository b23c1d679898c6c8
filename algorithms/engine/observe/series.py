"""What has been counted and measured, kept so that it can be told for any step of the run.

A series only ever grows at its end, so that its value after k steps is found by bisection and the window can jump
about in a run. Steps are counted as `Timeline.step` does: what step 1 brought about is there once 1 step has been
executed. All series can be cut back to a step, and can forget how they came to be where they are; after that they
only answer for the steps to come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import ceil
from typing import Any, Generic, NamedTuple, TypeVar

Value = TypeVar("Value")

_NEAR = 0.02  # as a share of all samples: so many to put in or take out are cheaper than to sort them all again


class Series:
    """Anything that is kept by step."""

    def truncate(self, step: int) -> None:
        """Take back what came after `step`."""
        raise NotImplementedError

    def forget(self) -> None:
        """Keep what is needed to go on from here, and nothing else."""
        raise NotImplementedError


class Tally(Series):
    """How often each key has come up. `steps[key].append(step)` counts one more."""

    def __init__(self) -> None:
        self.steps: defaultdict[Any, list[int]] = defaultdict(list)
        self._forgotten: dict[Any, int] = {}

    def at(self, step: int) -> dict[Any, int]:
        """Key -> how often it has come up, for those that have."""
        counts = {key: self.count(key, step) for key in (*self._forgotten, *self.steps)}
        return {key: count for key, count in counts.items() if count}

    def count(self, key: Any, step: int) -> int:
        """How often one key has come up."""
        steps = self.steps.get(key)
        return self._forgotten.get(key, 0) + (bisect_right(steps, step) if steps else 0)

    def truncate(self, step: int) -> None:
        for steps in self.steps.values():
            del steps[bisect_right(steps, step) :]

    def forget(self) -> None:
        for key, steps in self.steps.items():
            self._forgotten[key] = self._forgotten.get(key, 0) + len(steps)
        self.steps.clear()


class Level(Series):
    """A number that changes with time, and how much time has been spent at each."""

    def __init__(self, value: int) -> None:
        self.steps = [0]
        self.times = [0.0]
        self.values = [value]
        # value -> the steps at which it was left, and the time that had been spent at it by then
        self._left: defaultdict[int, tuple[list[int], list[float]]] = defaultdict(lambda: ([0], [0.0]))

    @property
    def value(self) -> int:
        """The latest value."""
        return self.values[-1]

    def set(self, step: int, time: float, value: int) -> None:
        """From this step and time on the value is `value`. Within one step the last word counts."""
        if self.steps[-1] == step:
            self.values[-1] = value
            return
        if self.values[-1] == value:
            return
        steps, spent = self._left[self.values[-1]]
        steps.append(step)
        spent.append(spent[-1] + (time - self.times[-1]))
        self.steps.append(step)
        self.times.append(time)
        self.values.append(value)

    def at(self, step: int) -> int:
        """The value after that many steps."""
        return self.values[self._place(step)]

    def shares(self, step: int, time: float) -> dict[int, float]:
        """Value -> how much of the time from 0 to `time` was spent at it, `step` steps having been executed."""
        place = self._place(step)
        now = self.values[place]
        spent = {now: 0.0}
        for value, (steps, sums) in self._left.items():
            spent[value] = sums[bisect_right(steps, step) - 1]
        spent[now] += time - self.times[place]
        return {value: spent[value] for value in sorted(spent) if spent[value] > 0 or value == now}

    def curve(self, step: int, since: float = 0.0, buckets: int | None = None) -> list[tuple[float, int]]:
        """The change points (time, value from then on) from `since` on; the first may lie before it.

        With `buckets`, no more than two for each of so many equal stretches of time: its highest and its last.
        """
        end = self._place(step) + 1
        first = min(max(0, bisect_right(self.times, since) - 1), end - 1)
        points = list(zip(self.times[first:end], self.values[first:end], strict=True))
        return points if buckets is None or len(points) <= 2 * buckets else _thinned(points, buckets)

    def truncate(self, step: int) -> None:
        end = self._place(step) + 1
        del self.steps[end:], self.times[end:], self.values[end:]
        for steps, spent in self._left.values():
            kept = bisect_right(steps, step)
            del steps[kept:], spent[kept:]

    def forget(self) -> None:
        del self.steps[:-1], self.times[:-1], self.values[:-1]
        for steps, spent in self._left.values():
            steps[:], spent[:] = [0], spent[-1:]

    def _place(self, step: int) -> int:
        return bisect_right(self.steps, step) - 1


class Log(Series, Generic[Value]):
    """Things in the order in which they happened."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.values: list[Value] = []
        self._forgotten = 0  # how many of the first are there whatever the step

    def add(self, step: int, value: Value) -> None:
        """One more has happened."""
        self.steps.append(step)
        self.values.append(value)

    def count(self, step: int) -> int:
        """How many have happened."""
        return self._forgotten + bisect_right(self.steps, step)

    def at(self, step: int) -> list[Value]:
        """All that have happened."""
        return self.values[: self.count(step)]

    def truncate(self, step: int) -> None:
        kept = self.count(step)
        del self.values[kept:], self.steps[kept - self._forgotten :]

    def forget(self) -> None:
        self._forgotten = len(self.values)
        self.steps.clear()


class Spread(NamedTuple):
    """How a number of durations are spread; all None where there is none.

    p95 is the smallest duration that at least 95 % do not exceed.
    """

    samples: int
    mean: float | None
    median: float | None
    p95: float | None
    max: float | None


class Samples(Log[float]):
    """Durations, and how they are spread."""

    def __init__(self) -> None:
        super().__init__()
        self._sorted: list[float] = []  # the first so many, in order of size: kept for the next question

    def spread(self, step: int) -> Spread:
        """How those up to that step are spread."""
        count = self.count(step)
        if not count:
            return Spread(0, None, None, None, None)
        ordered = self._in_order(count)
        median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
        return Spread(count, sum(ordered) / count, median, ordered[ceil(0.95 * count) - 1], ordered[-1])

    def histogram(self, step: int, width: float, classes: int) -> list[int]:
        """How many of those up to that step lie in each of so many classes: from 0, from `width`, from twice `width` …

        The last class holds all that are longer.
        """
        ordered = self._in_order(self.count(step))
        ends = [bisect_left(ordered, place * width) for place in range(1, classes)]
        return [end - begin for begin, end in pairwise([0, *ends, len(ordered)])]

    def truncate(self, step: int) -> None:
        self._sorted.clear()
        super().truncate(step)

    def _in_order(self, count: int) -> list[float]:
        ordered, near = self._sorted, max(4, _NEAR * count)
        if 0 <= count - len(ordered) < near:
            for value in self.values[len(ordered) : count]:
                insort(ordered, value)
        elif 0 < len(ordered) - count < near:
            for value in self.values[count : len(ordered)]:
                del ordered[bisect_left(ordered, value)]
        else:
            ordered[:] = sorted(self.values[:count])
        return ordered


class Requests(Series, Generic[Value]):
    """The requests of each asker, closed in the order in which they were made."""

    def __init__(self) -> None:
        self._opened: defaultdict[Value, list[int]] = defaultdict(list)  # by asker: at which steps
        self._times: defaultdict[Value, list[float]] = defaultdict(list)
        self._closed: defaultdict[Value, list[int]] = defaultdict(list)

    def open(self, asker: Value, step: int, time: float) -> None:
        """A request is made."""
        self._opened[asker].append(step)
        self._times[asker].append(time)

    def close(self, asker: Value, step: int) -> float:
        """The oldest request of the asker is served; the time at which it was made."""
        time = self._times[asker][len(self._closed[asker])]
        self._closed[asker].append(step)
        return time

    def void(self, asker: Value, step: int) -> None:
        """All requests of the asker are void."""
        closed = self._closed[asker]
        closed += [step] * (len(self._opened[asker]) - len(closed))

    def oldest(self, asker: Value) -> float | None:
        """The time of the asker's oldest request that is open now; None if none is."""
        closed = len(self._closed[asker])
        return self._times[asker][closed] if closed < len(self._times[asker]) else None

    def waiting(self, asker: Value) -> int:
        """How many requests of the asker are open now."""
        return len(self._opened[asker]) - len(self._closed[asker])

    def at(self, step: int) -> dict[Value, float]:
        """Asker with an open request -> the time of the oldest, after that many steps."""
        found = {}
        for asker, opened in self._opened.items():
            closed = bisect_right(self._closed[asker], step)
            if closed < bisect_right(opened, step):
                found[asker] = self._times[asker][closed]
        return found

    def truncate(self, step: int) -> None:
        for asker, steps in self._opened.items():
            kept = bisect_right(steps, step)
            del steps[kept:], self._times[asker][kept:]
            del self._closed[asker][bisect_right(self._closed[asker], step) :]

    def forget(self) -> None:
        for asker, closed in self._closed.items():
            del self._opened[asker][: len(closed)], self._times[asker][: len(closed)]
            closed.clear()


def all_series(owner: object) -> Iterable[Series]:
    """The series among an object's variables."""
    return (value for value in vars(owner).values() if isinstance(value, Series))


def _thinned(points: list[tuple[float, int]], buckets: int) -> list[tuple[float, int]]:
    """The highest and the last point of each of so many equal stretches of time, and the first of all."""
    start, width = points[0][0], (points[-1][0] - points[0][0]) / buckets or 1.0
    kept = [points[0]]
    highest = last = None
    bucket = 0
    for point in points[1:]:
        place = min(buckets - 1, int((point[0] - start) / width))
        if place != bucket or highest is None or last is None:
            kept += _in_turn(highest, last)
            bucket, highest = place, point
        elif point[1] > highest[1]:
            highest = point
        last = point
    return kept + _in_turn(highest, last)


def _in_turn(highest: tuple[float, int] | None, last: tuple[float, int] | None) -> list[tuple[float, int]]:
    if highest is None or last is None:
        return []
    return [highest] if highest is last else [highest, last]
