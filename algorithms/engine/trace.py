"""The trace of a run: all its records, and the start of each step.

The first record of a step is the event that caused it, the others are its effects: messages sent (the message of a
DELIVER record has arrived if it is the *first* of a step, and has been sent if it is an effect), entries, losses.

A long run need not store its whole trace: folds read it a chunk at a time, and then it is forgotten.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from algorithms.engine.events import Record


class Trace:
    """The `records` of all stored steps in one list; step k (from 0) begins at `starts[k - forgotten]`.

    `read` is the number of steps that any reader (`fold.Fold`) has read; `cuts` lists, in order, the steps after which
    the trace was truncated since.
    """

    __slots__ = ("cuts", "forgotten", "read", "records", "starts")

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.starts: list[int] = []
        self.forgotten = 0  # number of first steps that are no longer stored
        self.read = 0
        self.cuts: list[int] = []

    def __len__(self) -> int:
        """The number of steps, including the forgotten ones."""
        return self.forgotten + len(self.starts)

    def step(self, k: int) -> list[Record]:
        """The records of step k: the event, then its effects."""
        place = self._place(k)
        end = self.starts[place + 1] if place + 1 < len(self.starts) else len(self.records)
        return self.records[self.starts[place] : end]

    def records_of(self, first: int, last: int) -> list[Record]:
        """The records of all steps k with first ≤ k < last."""
        end = self.starts[self._place(last)] if last < len(self) else None
        return self.records[self.starts[self._place(first)] : end]

    def event(self, k: int) -> Record:
        """The event that caused step k."""
        return self.records[self.starts[self._place(k)]]

    def steps(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, list[Record]]]:
        """(k, records of step k) for first ≤ k < last."""
        return self.steps_at(range(first, len(self) if last is None else last))

    def steps_at(self, steps: Iterable[int]) -> Iterator[tuple[int, list[Record]]]:
        """(k, records of step k) for each of these steps; faster than `step` for each."""
        records, starts, forgotten = self.records, self.starts, self.forgotten
        newest = len(starts) - 1
        for k in steps:
            place = k - forgotten
            if place < 0:
                raise IndexError(f"step {k} has been forgotten")
            yield k, records[starts[place] : starts[place + 1] if place < newest else None]

    def steps_until(self, time: float) -> int:
        """The number of steps at or before `time`."""
        return self.forgotten + bisect_right(self.starts, time, key=lambda start: self.records[start][0])

    def truncate(self, k: int) -> None:
        """Remove all but the first k steps."""
        if k < len(self):
            place = self._place(k)
            del self.records[self.starts[place] :]
            del self.starts[place:]
            if k < self.read:
                self.cuts.append(k)
                self.read = k

    def forget(self) -> None:
        """Drop all steps so far; only their number is remembered."""
        self.forgotten = len(self)
        self.records.clear()
        self.starts.clear()

    def _place(self, k: int) -> int:
        if k < self.forgotten:
            raise IndexError(f"step {k} has been forgotten")
        return k - self.forgotten


def are_alike(one: list[Record], other: list[Record]) -> bool:
    """Whether two lists of records agree, even if messages carry objects without equality."""
    return one == other or _ADDRESS.sub("", repr(one)) == _ADDRESS.sub("", repr(other))


_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
