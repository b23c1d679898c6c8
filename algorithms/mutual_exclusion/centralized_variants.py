"""Variants of the central coordinator: what waiting processes are told, and how they notice a crash."""

from algorithms.components import failure_detector
from algorithms.components.failure_detector import FailureDetector
from algorithms.engine.process import Cost, Message, Parameter, Part, Variant, when
from algorithms.mutual_exclusion.centralized import Centralized


class Denied(Message):
    """Somebody is inside."""


class Polling(Centralized):
    poll_time = Parameter(2.0, "how long I wait before I ask again", low=0)

    def on_request(self, request, sender):
        if self.granted is None:
            self.grant_to(sender)  # nobody is inside: grant at once
        else:
            self.send(Denied(), to=sender)  # somebody is inside: I refuse, and keep no queue

    def on_denied(self, denied, sender):
        self.set_timer("poll", self.poll_time)  # I am refused, and shall ask again

    def on_poll(self):
        self.acquire()


class ToldToWait(Centralized):
    def setup(self):
        super().setup()
        self.queued = False  # I know that I stand in the queue

    def on_request(self, request, sender):
        if self.granted is not None:
            self.send(Denied(), to=sender)
        super().on_request(request, sender)

    def on_denied(self, denied, sender):
        self.queued = True  # the coordinator lives, and will let me in

    def on_grant(self, grant, sender):
        self.queued = False
        super().on_grant(grant, sender)


class Impatient(Centralized):
    grant_time = Parameter(
        5.0, "how long I wait for a grant before I take the coordinator for dead", low=0, timer="no_grant"
    )

    def setup(self):
        super().setup()
        self.suspects = False  # I take the coordinator for dead

    def acquire(self):
        super().acquire()
        self.set_timer("no_grant", self.grant_time)

    def on_no_grant(self):
        self.suspects = True
        self.suspect(self.coordinator)  # I have waited too long: the coordinator must be dead

    def on_grant(self, grant, sender):
        self.cancel_timer("no_grant")
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
            "The coordinator refuses instead of queueing, and the process asks again later: fairness is gone.",
            looks={Denied: "deny"},
            cost=Cost("3 + 2 for each refusal", lambda n: 3, None, "by another node than the coordinator"),
        ),
        "told-to-wait": Variant(
            ToldToWait,
            "The coordinator queues the request and says so: a long queue no longer looks like a crash.",
            looks={Denied: "deny"},
            cost=Cost("3 … 4", lambda n: 3, lambda n: 4, "by another node than the coordinator"),
        ),
        "impatient": Variant(
            Impatient, "Whoever waits too long takes the coordinator for dead, even if only the queue is long."
        ),
        "detecting": Variant(
            Detecting,
            "Whoever waits keeps asking the coordinator for a sign of life: a queue and a crash can be told apart.",
            looks=failure_detector.LOOKS,
            cost=THREE_AND_SIGNS_OF_LIFE,
        ),
    }
}
