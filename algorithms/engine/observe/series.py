"""Series: counts and measurements that can be queried for any step of the run.

A series only grows at its end, so that bisection finds its value after k steps, wherever the window jumps in a run.
Steps are counted as by `Timeline.step`: an event of step 1 counts once 1 step has been executed. All series can be
truncated to a step, and can forget their past; after that they answer only for steps to come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import ceil, fsum
from typing import Any, Generic, NamedTuple, TypeVar

Value = TypeVar("Value")

_NEAR = 0.02  # share of all samples up to which insertion or removal is cheaper than sorting again


class Series:
    """Values recorded by step."""

    def truncate(self, step: int) -> None:
        """Remove all values after `step`."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop the past, except for what later steps need."""
        raise NotImplementedError


class Tally(Series):
    """Counts by category. `steps[category].append(step)` counts one more."""

    def __init__(self) -> None:
        self.steps: defaultdict[Any, list[int]] = defaultdict(list)
        self._forgotten: dict[Any, int] = {}

    def at(self, step: int) -> dict[Any, int]:
        """Category -> its count after `step` steps, if not 0."""
        counts = {category: self.count(category, step) for category in (*self._forgotten, *self.steps)}
        return {category: count for category, count in counts.items() if count}

    def count(self, category: Any, step: int) -> int:
        """The count of one category after `step` steps."""
        steps = self.steps.get(category)
        return self._forgotten.get(category, 0) + (bisect_right(steps, step) if steps else 0)

    def truncate(self, step: int) -> None:
        for steps in self.steps.values():
            del steps[bisect_right(steps, step) :]

    def forget(self) -> None:
        for category, steps in self.steps.items():
            self._forgotten[category] = self._forgotten.get(category, 0) + len(steps)
        self.steps.clear()


class Level(Series):
    """A number that changes with time, and the time spent at each value."""

    def __init__(self, value: int) -> None:
        self.steps = [0]
        self.times = [0.0]
        self.values = [value]
        # value -> the steps at which it changed, and the total time spent at it by then
        self._spent: defaultdict[int, tuple[list[int], list[float]]] = defaultdict(lambda: ([0], [0.0]))

    @property
    def value(self) -> int:
        """The latest value."""
        return self.values[-1]

    def set(self, step: int, time: float, value: int) -> None:
        """Change the value from this step and time on. Within one step the last change counts."""
        if self.steps[-1] == step:
            self.values[-1] = value
            return
        if self.values[-1] == value:
            return
        steps, spent = self._spent[self.values[-1]]
        steps.append(step)
        spent.append(spent[-1] + (time - self.times[-1]))
        self.steps.append(step)
        self.times.append(time)
        self.values.append(value)

    def at(self, step: int) -> int:
        """The value after `step` steps."""
        return self.values[self._place(step)]

    def shares(self, step: int, time: float) -> dict[int, float]:
        """Value -> time spent at it from 0 to `time`, after `step` steps."""
        place = self._place(step)
        now = self.values[place]
        spent = {now: 0.0}
        for value, (steps, sums) in self._spent.items():
            spent[value] = sums[bisect_right(steps, step) - 1]
        spent[now] += time - self.times[place]
        return {value: spent[value] for value in sorted(spent) if spent[value] > 0 or value == now}

    def curve(self, step: int, since: float = 0.0, buckets: int | None = None) -> list[tuple[float, int]]:
        """The change points (time, value from then on) from `since` on; the first may lie before it.

        With `buckets`, at most two points for each of that many equal intervals: the highest and the last.
        """
        end = self._place(step) + 1
        first = min(max(0, bisect_right(self.times, since) - 1), end - 1)
        points = list(zip(self.times[first:end], self.values[first:end], strict=True))
        return points if buckets is None or len(points) <= 2 * buckets else _thinned(points, buckets)

    def truncate(self, step: int) -> None:
        end = self._place(step) + 1
        del self.steps[end:], self.times[end:], self.values[end:]
        for steps, spent in self._spent.values():
            end = bisect_right(steps, step)
            del steps[end:], spent[end:]

    def forget(self) -> None:
        del self.steps[:-1], self.times[:-1], self.values[:-1]
        for steps, spent in self._spent.values():
            steps[:], spent[:] = [0], spent[-1:]

    def _place(self, step: int) -> int:
        return bisect_right(self.steps, step) - 1


class Sums(Series):
    """Several sums that grow together."""

    def __init__(self, width: int) -> None:
        self._steps = [0]
        self._sums: list[tuple[int, ...]] = [(0,) * width]

    def add(self, step: int, amounts: Iterable[int]) -> None:
        """Add an amount to each sum."""
        sums = tuple(map(int.__add__, self._sums[-1], amounts))
        if self._steps[-1] == step:
            self._sums[-1] = sums
        else:
            self._steps.append(step)
            self._sums.append(sums)

    def at(self, step: int) -> tuple[int, ...]:
        """The sums after `step` steps."""
        return self._sums[bisect_right(self._steps, step) - 1]

    def truncate(self, step: int) -> None:
        end = bisect_right(self._steps, step)
        del self._steps[end:], self._sums[end:]

    def forget(self) -> None:
        self._steps[:], self._sums[:] = [0], self._sums[-1:]


class Log(Series, Generic[Value]):
    """Values in the order of their steps."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.values: list[Value] = []
        self._forgotten = 0  # number of first values whose steps are forgotten

    def add(self, step: int, value: Value) -> None:
        """Append a value."""
        self.steps.append(step)
        self.values.append(value)

    def count(self, step: int) -> int:
        """The number of values after `step` steps."""
        return self._forgotten + bisect_right(self.steps, step)

    def of(self, step: int) -> list[Value]:
        """The values of one step."""
        return self.values[self.count(step - 1) : self.count(step)]

    def at(self, step: int) -> list[Value]:
        """All values after `step` steps."""
        return self.values[: self.count(step)]

    def truncate(self, step: int) -> None:
        end = self.count(step)
        del self.values[end:], self.steps[end - self._forgotten :]

    def forget(self) -> None:
        self._forgotten = len(self.values)
        self.steps.clear()


class Spread(NamedTuple):
    """The distribution of a number of durations; all None if there are none.

    p95 is the smallest duration that at least 95 % do not exceed.
    """

    samples: int
    mean: float | None
    median: float | None
    p95: float | None
    max: float | None


class Samples(Log[float]):
    """Durations and their distribution."""

    def __init__(self) -> None:
        super().__init__()
        self._sorted: list[float] = []  # a prefix of the values, sorted: a cache

    def spread(self, step: int) -> Spread:
        """The distribution of the durations after `step` steps."""
        count = self.count(step)
        if not count:
            return Spread(0, None, None, None, None)
        ordered = self._in_order(count)
        median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
        return Spread(count, fsum(ordered) / count, median, ordered[ceil(0.95 * count) - 1], ordered[-1])

    def histogram(self, step: int, width: float, classes: int) -> list[int]:
        """The number of durations in each of `classes` classes of this `width`, from 0.

        The last class includes all longer durations.
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
    """Pending requests by requester, served in the order in which they were made."""

    def __init__(self) -> None:
        self._opened: defaultdict[Value, list[int]] = defaultdict(list)  # requester -> steps of its requests
        self._times: defaultdict[Value, list[float]] = defaultdict(list)
        self._closed: defaultdict[Value, list[int]] = defaultdict(list)

    def open(self, requester: Value, step: int, time: float) -> None:
        """Add a request."""
        self._opened[requester].append(step)
        self._times[requester].append(time)

    def close(self, requester: Value, step: int) -> float:
        """Serve the oldest request of a requester; returns its time."""
        time = self._times[requester][len(self._closed[requester])]
        self._closed[requester].append(step)
        return time

    def void(self, requester: Value, step: int) -> None:
        """Void all requests of a requester."""
        closed = self._closed[requester]
        closed += [step] * (len(self._opened[requester]) - len(closed))

    def oldest(self, requester: Value) -> float | None:
        """The time of the requester's oldest pending request; None if there is none."""
        closed = len(self._closed[requester])
        return self._times[requester][closed] if closed < len(self._times[requester]) else None

    def waiting(self, requester: Value) -> int:
        """The number of pending requests of a requester."""
        return len(self._opened[requester]) - len(self._closed[requester])

    def at(self, step: int) -> dict[Value, float]:
        """Requester -> time of its oldest request pending after `step` steps."""
        oldest = {}
        for requester, opened in self._opened.items():
            closed = bisect_right(self._closed[requester], step)
            if closed < bisect_right(opened, step):
                oldest[requester] = self._times[requester][closed]
        return oldest

    def truncate(self, step: int) -> None:
        for requester, steps in self._opened.items():
            end = bisect_right(steps, step)
            del steps[end:], self._times[requester][end:]
            del self._closed[requester][bisect_right(self._closed[requester], step) :]

    def forget(self) -> None:
        for requester, closed in self._closed.items():
            del self._opened[requester][: len(closed)], self._times[requester][: len(closed)]
            closed.clear()


def all_series(owner: object) -> Iterable[Series]:
    """The series among an object's attributes."""
    return (value for value in vars(owner).values() if isinstance(value, Series))


def _thinned(points: list[tuple[float, int]], buckets: int) -> list[tuple[float, int]]:
    """The first point, and the highest and last of `buckets` equal intervals."""
    start, width = points[0][0], (points[-1][0] - points[0][0]) / buckets or 1.0
    result = [points[0]]
    highest = last = None
    bucket = 0
    for point in points[1:]:
        place = min(buckets - 1, int((point[0] - start) / width))
        if place != bucket or highest is None or last is None:
            result += _in_turn(highest, last)
            bucket, highest = place, point
        elif point[1] > highest[1]:
            highest = point
        last = point
    return result + _in_turn(highest, last)


def _in_turn(highest: tuple[float, int] | None, last: tuple[float, int] | None) -> list[tuple[float, int]]:
    if highest is None or last is None:
        return []
    return [highest] if highest is last else [highest, last]
