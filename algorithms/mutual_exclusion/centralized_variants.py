"""Variants of the central coordinator: what waiting processes are told, and how they notice a crash."""

from algorithms.components import failure_detector
from algorithms.components.failure_detector import FailureDetector
from algorithms.engine.process import Cost, Message, Parameter, Part, Variant, when
from algorithms.mutual_exclusion.centralized import Centralized


class Denied(Message):
    """Says that the critical section is busy."""


class Polling(Centralized):
    poll_time = Parameter(2.0, "how long it waits before it asks again", low=0)

    def on_request(self, request, sender):
        if self.granted is None:
            self.grant_to(sender)  # it grants the request at once: it knows of nobody inside
        else:
            self.send(Denied(), to=sender)  # it refuses the request: P{granted}'s release has not arrived

    def on_denied(self, denied, sender):
        self.set_timer("poll", self.poll_time)  # it will ask again in {poll_time} time units

    def on_poll(self):
        self.acquire()

    def keeps_waiting(self, other):
        refused = other.coordinator == self.id and self.granted not in (None, other.id)
        return f"has granted entry to P{self.granted}" if refused else ""


class ToldToWait(Centralized):
    def setup(self):
        super().setup()
        self.queued = False  # whether it knows that its request is queued

    def on_request(self, request, sender):
        is_busy = self.granted is not None
        super().on_request(request, sender)
        if is_busy:
            self.send(Denied(), to=sender)  # it queues the request and says so: P{granted}'s release has not arrived

    def on_denied(self, denied, sender):
        self.queued = True  # it knows that its request is queued

    def on_grant(self, grant, sender):
        self.queued = False
        super().on_grant(grant, sender)


class Impatient(Centralized):
    grant_time = Parameter(
        5.0,
        "how long it waits for a grant before it assumes that the coordinator has crashed",
        low=0,
        timer="grant_timeout",
    )

    def setup(self):
        super().setup()
        self.suspects = False  # whether it assumes that the coordinator has crashed

    def acquire(self):
        super().acquire()
        self.set_timer("grant_timeout", self.grant_time)

    def on_grant_timeout(self):
        self.suspects = True
        self.suspect(self.coordinator)  # no grant has arrived for {grant_time} time units

    def on_grant(self, grant, sender):
        self.cancel_timer("grant_timeout")
        self.suspects = False
        super().on_grant(grant, sender)


class WatchesCoordinator:
    """A mixin before an algorithm with a coordinator: a process that is waiting watches it."""

    detector = Part(FailureDetector)

    @when(lambda self: self.detector.watched != self.to_watch())
    def watch_while_waiting(self):
        self.detector.watch(self.to_watch())

    def to_watch(self):
        return {self.coordinator} if self.wants and self.coordinator not in (None, self.id) else set()

    def recovered(self):
        self.detector.recovered()


class Detecting(WatchesCoordinator, Centralized):
    pass


THREE_AND_SIGNS_OF_LIFE = Cost("3 + 2 per sign of life", lambda n: 3, None, "while nobody crashes")
VARIANTS = {
    "centralized": {
        "polling": Variant(
            Polling,
            "The coordinator refuses instead of queueing, and the process asks again later: fairness is lost.",
            looks={Denied: "deny"},
            cost=Cost("3 + 2 for each refusal", lambda n: 3, None, "for a process other than the coordinator"),
        ),
        "told-to-wait": Variant(
            ToldToWait,
            "The coordinator queues the request and says so: a long queue no longer looks like a crash.",
            looks={Denied: "deny"},
            cost=Cost("3 … 4", lambda n: 3, lambda n: 4, "for a process other than the coordinator"),
        ),
        "impatient": Variant(
            Impatient,
            "A process that waits too long assumes that the coordinator has crashed, even if only the queue is long.",
        ),
        "detecting": Variant(
            Detecting,
            "A waiting process keeps asking the coordinator for a sign of life, to tell a long queue from a crash.",
            looks=failure_detector.LOOKS,
            cost=THREE_AND_SIGNS_OF_LIFE,
        ),
    }
}
