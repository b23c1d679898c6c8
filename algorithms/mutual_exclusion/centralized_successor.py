"""The central coordinator may crash: a failure detector notices, an election finds a successor.

The successor does not know who is inside. It asks before it lets anybody in, or breaks mutual exclusion.
"""

from collections import deque

from algorithms.components import failure_detector
from algorithms.election import bully
from algorithms.election.bully import Bully
from algorithms.engine.process import Message, Parameter, Part, Variant, when
from algorithms.mutual_exclusion.centralized_variants import THREE_AND_SIGNS_OF_LIFE, Detecting


class Electing(Detecting):
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
        """I am the coordinator, and start with an empty queue and nobody inside."""

    def acquire(self):
        if self.coordinator is not None:
            super().acquire()

    def on_grant(self, grant, sender):
        if sender == self.coordinator and self.wants:
            super().on_grant(grant, sender)
        else:
            pass  # whoever lets me in is not the coordinator any more

    def release(self):
        if self.coordinator is not None:
            super().release()

    def recovered(self):
        self.coordinator = None  # somebody else may have taken over
        self.election.recovered()


class Inquiry(Message):
    """I am the new coordinator. Are you inside?"""


class Status(Message):
    inside: bool


class Inquiring(Electing):
    inquiry_time = Parameter(2.5, "how long a new coordinator waits for answers: a round trip", low=0)

    def setup(self):
        super().setup()
        self.unheard = set()  # new coordinator: who has not said yet whether it is inside
        self.found = None  # new coordinator: who is inside, as far as I have heard

    def take_over(self):
        self.unheard = set(range(self.size))
        self.found = None
        self.granted = self.id  # until I know who is inside everybody waits
        self.send(Inquiry(), to=self.unheard)  # I ask everybody who is inside
        self.set_timer("inquiry_over", self.inquiry_time)

    def on_inquiry(self, inquiry, sender):
        self.send(Status(self.inside), to=sender)  # I say whether I am inside

    def on_status(self, status, sender):
        if sender in self.unheard:
            self.unheard.remove(sender)
            if status.inside:
                self.found = sender  # this one is inside
            if not self.unheard:
                self.conclude_inquiry()

    def on_inquiry_over(self):
        self.suspect(self.unheard)  # no answer: they must be dead
        self.unheard = set()
        self.conclude_inquiry()

    def conclude_inquiry(self):
        self.cancel_timer("inquiry_over")
        if self.found is None:
            self.serve_next()  # nobody is inside
        else:
            self.granted = self.found  # somebody is inside: its release will come to me

    def on_release(self, release, sender):
        if self.unheard:
            self.found = None  # it was inside, and has left while I was asking
        else:
            super().on_release(release, sender)


VARIANTS = {
    "centralized": {
        "electing-unsafe": Variant(
            Electing,
            "A silent coordinator is replaced by election; the new one does not know who is inside.",
            breaks=("ME1",),
            looks={**failure_detector.LOOKS, **bully.ALGORITHM.looks},
            topology="complete",
            assumes=("reliable", "synchronous", "only the coordinator crashes, with nobody inside"),
            cost=THREE_AND_SIGNS_OF_LIFE,
        ),
        "electing": Variant(
            Inquiring,
            "A silent coordinator is replaced by election; the new one asks who is inside before it lets anybody in.",
            looks={**failure_detector.LOOKS, **bully.ALGORITHM.looks, Inquiry: "ask", Status: "grant"},
            topology="complete",
            assumes=("reliable", "synchronous", "only the coordinator crashes"),
            cost=THREE_AND_SIGNS_OF_LIFE,
        ),
    }
}
