"""What happened: all records of a run, and where each step begins.

The first record of a step is the event that caused it, the others are its effects: messages sent (a DELIVER
record as the *first* of a step has arrived, as an effect it has been sent), entries, losses.

A long run need not keep it all: whoever folds the trace reads it a chunk at a time, and it forgets what has been read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from algorithms.engine.events import Record


class Trace:
    """`records` of all steps that are kept, in one row; step k (from 0) begins at `starts[k - forgotten]`.

    Those who read along (`fold.Fold`) note in `read` how far anybody has come, and find in `cuts`, in order, the
    steps after which what they had read was cut off.
    """

    __slots__ = ("cuts", "forgotten", "read", "records", "starts")

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.starts: list[int] = []
        self.forgotten = 0  # how many first steps are not kept any more
        self.read = 0
        self.cuts: list[int] = []

    def __len__(self) -> int:
        """How many steps there are, the forgotten ones included."""
        return self.forgotten + len(self.starts)

    def step(self, k: int) -> list[Record]:
        """The records of step k: the event, then its effects."""
        place = self._place(k)
        end = self.starts[place + 1] if place + 1 < len(self.starts) else len(self.records)
        return self.records[self.starts[place] : end]

    def records_of(self, first: int, last: int) -> list[Record]:
        """The records of the steps k with first ≤ k < last, in one row."""
        end = self.starts[self._place(last)] if last < len(self) else None
        return self.records[self.starts[self._place(first)] : end]

    def event(self, k: int) -> Record:
        """The event that caused step k."""
        return self.records[self.starts[self._place(k)]]

    def steps(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, list[Record]]]:
        """(k, records of step k) for first ≤ k < last."""
        return self.those(range(first, len(self) if last is None else last))

    def those(self, steps: Iterable[int]) -> Iterator[tuple[int, list[Record]]]:
        """(k, records of step k) for each of these steps, quicker than one by one."""
        records, starts, forgotten = self.records, self.starts, self.forgotten
        newest = len(starts) - 1
        for k in steps:
            place = k - forgotten
            if place < 0:
                raise IndexError(f"step {k} has been forgotten")
            yield k, records[starts[place] : starts[place + 1] if place < newest else None]

    def steps_until(self, time: float) -> int:
        """How many steps happened at or before `time`."""
        return self.forgotten + bisect_right(self.starts, time, key=lambda start: self.records[start][0])

    def truncate(self, k: int) -> None:
        """Keep the first k steps only."""
        if k < len(self):
            place = self._place(k)
            del self.records[self.starts[place] :]
            del self.starts[place:]
            if k < self.read:
                self.cuts.append(k)
                self.read = k

    def forget(self) -> None:
        """Let all steps go that there are so far; only how many they were is remembered."""
        self.forgotten = len(self)
        self.records.clear()
        self.starts.clear()

    def _place(self, k: int) -> int:
        if k < self.forgotten:
            raise IndexError(f"step {k} has been forgotten")
        return k - self.forgotten


def are_alike(one: list[Record], other: list[Record]) -> bool:
    """Whether the records say the same; messages may carry objects that have no equality of their own."""
    return one == other or _ADDRESS.sub("", repr(one)) == _ADDRESS.sub("", repr(other))


_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
