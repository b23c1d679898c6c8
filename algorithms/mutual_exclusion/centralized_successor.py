"""A silent coordinator is replaced by election, and the lock service continues.

The successor knows neither the queue nor who is inside. It starts afresh, and may let in a second process.
"""

from collections import deque

from algorithms.components import failure_detector
from algorithms.election import bully
from algorithms.election.bully import Bully
from algorithms.engine.process import Message, Part, Variant, any_of, when
from algorithms.mutual_exclusion.centralized import Centralized
from algorithms.mutual_exclusion.centralized_variants import THREE_AND_SIGNS_OF_LIFE, WatchesCoordinator


class Electing(WatchesCoordinator, Centralized):
    election = Part(Bully)

    @when(lambda self: self.election.leader not in (None, self.coordinator))
    def new_coordinator(self):
        self.coordinator = self.election.leader
        self.granted = None
        self.queue = deque()
        if self.coordinator == self.id:
            self.take_over()
        if self.wants:
            self.acquire()

    @when(lambda self: self.coordinator in self.detector.suspected and not self.election.electing)
    def coordinator_is_silent(self):
        self.election.start()

    def take_over(self):
        """Start as coordinator, with an empty queue and nobody inside."""

    def acquire(self):
        if self.coordinator is not None:
            super().acquire()

    def on_grant(self, grant, sender):
        if sender != self.coordinator:
            pass  # it ignores the grant: P{sender} is no longer its coordinator
        elif not self.wants:
            pass  # it ignores the grant: it is no longer waiting
        else:
            super().on_grant(grant, sender)

    def release(self):
        if self.coordinator is not None:
            super().release()

    def waiting_for(self):
        if self.coordinator is None:
            return any_of(self.peers, bully.Coordinator, note="it knows no coordinator yet")
        return super().waiting_for()

    def recovered(self):
        self.coordinator = None  # another process may have taken over
        self.election.recovered()


LOOKS: dict[type[Message], str] = {**failure_detector.LOOKS, **bully.ALGORITHM.looks}
VARIANTS = {
    "centralized": {
        "electing-unsafe": Variant(
            Electing,
            "An election replaces a silent coordinator; the new one does not know who is inside.",
            breaks=("ME1",),
            looks=LOOKS,
            topology="complete",
            assumes=("reliable", "synchronous", "only the coordinator crashes, with nobody inside"),
            cost=THREE_AND_SIGNS_OF_LIFE,
        )
    }
}
