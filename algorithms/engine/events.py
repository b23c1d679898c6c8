"""The tuples that are queue entry, trace record and source of the animation at once, and their queue.

Every record starts (time, seq, kind, node). What follows depends on the kind:

    DELIVER    message, sender, sent        the message arrives (at `time`); recorded at its sending too
    LOST       message, sender, sent, due   it vanishes; it would have arrived at `due`
    TIMER      name                         a timer runs out
    REQUEST    resource                     the application wants the critical section (or an election)
    LEAVE      resource                     the time in the critical section is over
    FAULT      event                        something is done to the run: a `scenario.Event`
    LAUNCH                                  the first step of every run: all processes launch
    HELD       entry                        something reached a paused process, and waits there
    ENTER      resource                     the process enters the critical section
    RESUMED    resource                     a recovered process finds itself still inside
    ELECTED    leader                       the process now takes `leader` for the leader
    CREATED                                 a token comes into being at the process
    DESTROYED                               the process lets a token end
    SUSPECTED  suspect                      the process takes `suspect` for crashed, rightly or not
    APPLIED    rule, bound, term            a rule of a rewriting system was applied at that node of it: its number,
                                            its variables as (name, term), and the term that it led to

The last seven are only ever effects of a step, and LEAVE is one where a node is inside when it goes for good. A
message keeps its `seq`, its serial number, for life. Each resource has a critical section of its own; most algorithms
guard only one, which has the number 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterator
from heapq import heappop, heappush
from itertools import chain
from math import inf
from typing import Any

Record = tuple[Any, ...]

DELIVER, LOST, TIMER, REQUEST, LEAVE, FAULT, LAUNCH, HELD = range(8)
ENTER, RESUMED, ELECTED, CREATED, DESTROYED, SUSPECTED, APPLIED = range(8, 15)
KINDS = (  # their names, by number
    *("deliver", "lost", "timer", "request", "leave", "fault", "launch", "held"),
    *("enter", "resumed", "elected", "created", "destroyed", "suspected", "applied"),
)

TIME, SEQ, KIND, NODE = range(4)  # places common to all records
MESSAGE, SENDER, SENT, DUE = range(4, 8)  # further places in DELIVER and LOST
RULE, BOUND, TERM = range(4, 7)  # further places in APPLIED
RESOURCE = 4  # a further place in REQUEST, LEAVE, ENTER and RESUMED


def node_of(step: list[Record]) -> int:
    """Where a step happens: at the node of its event or, in a rewriting system, where its rule applies."""
    return int(step[-1][NODE] if step[-1][KIND] == APPLIED else step[0][NODE])


def affected_nodes(event: Record, nodes: int) -> Collection[int]:
    """The nodes, out of `nodes`, whose variables may change in the step of that event.

    An intervention or the launch may change any node. A message may change its sender too: it may learn of the failure.
    """
    kind = event[KIND]
    if kind in (FAULT, LAUNCH):
        return range(nodes)
    return (event[NODE], event[SENDER]) if kind in (DELIVER, LOST) else (event[NODE],)


class EventQueue:
    """Entries in order of (time, seq): a heap, and beside it a lane for what is put in in order anyway.

    Messages that all take equally long are due in the order of their sending. They go into the lane, a deque,
    at a fraction of a heap's cost; where both have something, the earlier goes first.
    """

    __slots__ = ("heap", "lane")

    def __init__(self) -> None:
        self.heap: list[Record] = []
        self.lane: deque[Record] = deque()  # only ever appended to in order of (time, seq)

    def push(self, entry: Record) -> None:
        """Put an entry in."""
        heappush(self.heap, entry)

    def pop(self, until: float = inf) -> Record | None:
        """Take out the next entry; None if there is none up to and including `until`."""
        heap, lane = self.heap, self.lane
        if lane and (not heap or lane[0] < heap[0]):
            return lane.popleft() if lane[0][0] <= until else None
        return heappop(heap) if heap and heap[0][0] <= until else None

    def peek(self) -> Record | None:
        """The next entry, left where it is."""
        if self.lane and (not self.heap or self.lane[0] < self.heap[0]):
            return self.lane[0]
        return self.heap[0] if self.heap else None

    def remove(self, unwanted: Callable[[Record], bool]) -> list[Record]:
        """Take out all entries that are unwanted, and return them in order."""
        entries = self.entries()
        removed = [entry for entry in entries if unwanted(entry)]
        if removed:
            self.restore([entry for entry in entries if not unwanted(entry)])
        return removed

    def take(self, entry: Record) -> None:
        """Take out one entry, which is there."""
        entries = self.entries()
        del entries[bisect_left(entries, entry)]
        self.restore(entries)

    def __iter__(self) -> Iterator[Record]:
        """All entries, in no order."""
        return chain(self.heap, self.lane)

    def __len__(self) -> int:
        return len(self.heap) + len(self.lane)

    def entries(self) -> list[Record]:
        """All entries, in order."""
        return sorted(self)

    def in_transit(self) -> Iterator[Record]:
        """The messages in transit, those that will be lost (LOST) included, in no order."""
        return (entry for entry in self if entry[KIND] in (DELIVER, LOST))

    def between_processes(self) -> Iterator[Record]:
        """The messages in transit to another process, in no order."""
        return (entry for entry in self.in_transit() if entry[SENDER] != entry[NODE])

    def restore(self, entries: list[Record]) -> None:
        """Hold exactly these entries, which are in order."""
        self.heap[:] = entries  # a sorted list is a heap
        self.lane.clear()
