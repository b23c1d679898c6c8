"""What happened: all records of a run, and where each step begins.

The first record of a step is the event that caused it, the others are its effects: messages sent (a DELIVER
record as the *first* of a step has arrived, as an effect it has been sent), entries, losses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from algorithms.engine.events import Record


class Trace:
    """`records` of all steps in one row; step k (from 0) begins at `starts[k]`."""

    __slots__ = ("records", "starts")

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.starts: list[int] = []

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self.starts)

    def step(self, k: int) -> list[Record]:
        """The records of step k: the event, then its effects."""
        end = self.starts[k + 1] if k + 1 < len(self.starts) else len(self.records)
        return self.records[self.starts[k] : end]

    def event(self, k: int) -> Record:
        """The event that caused step k."""
        return self.records[self.starts[k]]

    def steps(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, list[Record]]]:
        """(k, records of step k) for first ≤ k < last."""
        for k in range(first, len(self) if last is None else last):
            yield k, self.step(k)

    def steps_until(self, time: float) -> int:
        """How many steps happened at or before `time`."""
        return bisect_right(self.starts, time, key=lambda start: self.records[start][0])

    def truncate(self, k: int) -> None:
        """Keep the first k steps only."""
        if k < len(self):
            del self.records[self.starts[k] :]
            del self.starts[k:]
