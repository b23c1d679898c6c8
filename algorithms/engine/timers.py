"""Running timers, with one live queue entry each.

A timer that is postponed keeps its entry, which comes too early and then inserts the right one: dead entries that piled
up made a wandering token ten times slower. A timer that is brought forward needs a new entry at once.
"""

from __future__ import annotations

from heapq import heappush
from math import inf
from typing import TYPE_CHECKING

from algorithms.engine.errors import duration
from algorithms.engine.events import NODE, TIMER, Record

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

Name = tuple[int, str]  # node and name of a timer
SavedTimers = tuple[dict[Name, Record], dict[Name, Record]]


class Timers:
    """The running timers; `due` maps each to the entry with which it will expire."""

    __slots__ = ("_run", "_waiting", "due")

    def __init__(self, run: Simulation) -> None:
        self.due: dict[Name, Record] = {}
        self._waiting: dict[Name, Record] = {}  # the entry of each timer that is in the queue
        self._run = run

    def start(self, node: int, name: str, after: float) -> None:
        """Start a timer of a process, replacing its earlier setting."""
        if not (type(after) is float and 0.0 <= after < inf):
            duration(after, f"sets the timer {name} to")
        run, timer = self._run, (node, name)
        run.seq = seq = run.seq + 1
        self.due[timer] = entry = (run.now + after, seq, TIMER, node, name)
        waiting = self._waiting.get(timer)
        if waiting is None or entry < waiting:
            self._waiting[timer] = entry
            heappush(run.queue.heap, entry)

    def start_again(self, entry: Record) -> None:
        """Requeue the entry of a timer that expired while its process was paused."""
        timer = (entry[3], entry[4])
        self.due[timer] = self._waiting[timer] = entry
        heappush(self._run.queue.heap, entry)

    def cancel(self, node: int, name: str) -> Record | None:
        """Stop a timer; the entry with which it would have expired, None if it was not running."""
        return self.due.pop((node, name), None)

    def cancel_all(self, node: int) -> None:
        """Stop all timers of a node."""
        self.due = {name: entry for name, entry in self.due.items() if name[0] != node}

    def runs_out(self, entry: Record) -> bool:
        """Whether the timer of this entry, just taken from the queue, expires now."""
        name = (entry[3], entry[4])
        due = self.due.get(name)
        if due is entry:
            del self.due[name], self._waiting[name]
            return True
        if self._waiting.get(name) is entry:
            if due is None:
                del self._waiting[name]
            else:
                self._waiting[name] = due
                self._run.queue.push(due)
        return False

    def is_queued(self, entry: Record) -> bool:
        """Whether a queued entry still belongs to its timer: one brought forward leaves its old entry behind."""
        return self._waiting.get(entry[NODE : NODE + 2]) is entry

    def replace(self, entry: Record, moved: Record) -> None:
        """Refer to `moved`, which has replaced `entry` in the queue."""
        name = entry[NODE : NODE + 2]
        for entries in (self.due, self._waiting):
            if entries.get(name) is entry:
                entries[name] = moved

    def save(self) -> SavedTimers:
        """A copy of the present state."""
        return self.due.copy(), self._waiting.copy()

    def restore(self, saved: SavedTimers) -> None:
        """Go back to a saved state, together with the queue."""
        self.due, self._waiting = saved[0].copy(), saved[1].copy()
