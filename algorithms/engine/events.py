"""Records: tuples that are queue entry, trace record and source of the animation.

Every record starts (time, seq, kind, node). What follows depends on the kind:

    DELIVER    message, sender, sent        the message arrives (at `time`); also recorded when it is sent
    LOST       message, sender, sent, due   the message is lost; it would have arrived at `due`
    TIMER      name                         a timer expires
    REQUEST    resource                     the application wants the critical section (or an election)
    LEAVE      resource                     the stay in the critical section ends
    FAULT      event                        an event of the scenario or an intervention: a `scenario.Event`
    LAUNCH                                  the first step of every run: all processes are launched
    HELD       entry                        an entry has reached a paused process, and waits there
    ENTER      resource                     the process enters the critical section
    RESUMED    resource                     a recovered process finds itself still inside
    ELECTED    leader, term                 the process now believes that `leader` is the leader, in that term: 0
                                            where there are none
    CREATED                                 the process creates a token
    DESTROYED                               the process destroys a token
    SUSPECTED  suspect                      the process suspects, rightly or not, that `suspect` has crashed
    APPLIED    rule, bound, term            a rule of a rewriting system was applied at the node: its number,
                                            its variables as (name, term), and the resulting term

The last seven are always effects of a step; LEAVE is one if a node leaves for good while it is inside. A message
keeps its `seq`, its serial number, for life. Each resource has its own critical section; most algorithms guard only
one, number 0.
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
KINDS = (  # names, by number
    *("deliver", "lost", "timer", "request", "leave", "fault", "launch", "held"),
    *("enter", "resumed", "elected", "created", "destroyed", "suspected", "applied"),
)

TIME, SEQ, KIND, NODE = range(4)  # indices common to all records
MESSAGE, SENDER, SENT, DUE = range(4, 8)  # further indices in DELIVER and LOST
RULE, BOUND, TERM = range(4, 7)  # further indices in APPLIED
LEADER, LEADERS_TERM = 4, 5  # further indices in ELECTED
RESOURCE = 4  # a further index in REQUEST, LEAVE, ENTER and RESUMED


def node_of(step: list[Record]) -> int:
    """The node of a step: that of its event or, in a rewriting system, that of its rule."""
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
    """Entries in order of (time, seq): a heap, and a lane for entries that are added in order anyway.

    Messages with equal delays are due in the order of their sending. They go into the lane, a deque, at a fraction of a
    heap's cost. The earlier of the two first entries comes next.
    """

    __slots__ = ("heap", "lane")

    def __init__(self) -> None:
        self.heap: list[Record] = []
        self.lane: deque[Record] = deque()  # only ever appended to in order of (time, seq)

    def push(self, entry: Record) -> None:
        """Add an entry."""
        heappush(self.heap, entry)

    def pop(self, until: float = inf) -> Record | None:
        """Remove and return the next entry; None if there is none up to and including `until`."""
        heap, lane = self.heap, self.lane
        if lane and (not heap or lane[0] < heap[0]):
            return lane.popleft() if lane[0][0] <= until else None
        return heappop(heap) if heap and heap[0][0] <= until else None

    def peek(self) -> Record | None:
        """The next entry, not removed; None if the queue is empty."""
        if self.lane and (not self.heap or self.lane[0] < self.heap[0]):
            return self.lane[0]
        return self.heap[0] if self.heap else None

    def remove(self, unwanted: Callable[[Record], bool]) -> list[Record]:
        """Remove all entries for which `unwanted` is true, and return them in order."""
        entries = self.entries()
        removed = [entry for entry in entries if unwanted(entry)]
        if removed:
            self.restore([entry for entry in entries if not unwanted(entry)])
        return removed

    def take(self, entry: Record) -> None:
        """Remove one entry, which must be in the queue."""
        entries = self.entries()
        del entries[bisect_left(entries, entry)]
        self.restore(entries)

    def __iter__(self) -> Iterator[Record]:
        """All entries, in no particular order."""
        return chain(self.heap, self.lane)

    def __len__(self) -> int:
        return len(self.heap) + len(self.lane)

    def entries(self) -> list[Record]:
        """All entries, in order."""
        return sorted(self)

    def in_transit(self) -> Iterator[Record]:
        """The messages in transit, including those to be lost (LOST), in no particular order."""
        return (entry for entry in self if entry[KIND] in (DELIVER, LOST))

    def between_processes(self) -> Iterator[Record]:
        """The messages in transit to another process, in no particular order."""
        return (entry for entry in self if entry[KIND] in (DELIVER, LOST) and entry[SENDER] != entry[NODE])

    def restore(self, entries: list[Record]) -> None:
        """Replace the contents by these entries, which must be in order."""
        self.heap[:] = entries  # a sorted list is a heap
        self.lane.clear()
