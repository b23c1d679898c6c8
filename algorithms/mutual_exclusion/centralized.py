"""A central coordinator with a queue: request, grant, release. 3 messages per entry.

The coordinator P0 may request as well. It talks to itself without messages, so its own entries cost none.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, MutexProcess, Variant, exactly

COORDINATOR = 0


class Request(Message):
    """May I enter?"""


class Grant(Message):
    """You may enter."""


class Release(Message):
    """I have left."""


class Centralized(MutexProcess):
    def setup(self):
        self.coordinator = COORDINATOR  # whom I ask
        self.granted = None  # coordinator: who may be inside
        self.queue = deque()  # coordinator: who waits, first come first served

    def acquire(self):
        self.send(Request(), to=self.coordinator)  # I ask the coordinator

    def on_request(self, request, sender):
        if self.granted is None:
            self.grant_to(sender)  # nobody is inside: grant at once
        else:
            self.queue.append(sender)  # somebody is inside: the request waits in the queue

    def on_grant(self, grant, sender):
        self.enter()  # the coordinator lets me in

    def release(self):
        self.send(Release(), to=self.coordinator)  # I tell the coordinator that I have left

    def on_release(self, release, sender):
        self.serve_next()

    def serve_next(self):
        self.granted = None  # the critical section is free
        if self.queue:
            self.grant_to(self.queue.popleft())  # the head of the queue is next

    def grant_to(self, process):
        self.granted = process
        self.send(Grant(), to=process)

    def waiting_for(self):
        return (self.coordinator,) if self.wants else ()


class GrantsTwice(Centralized):
    def grant_to(self, process):
        self.send(Grant(), to=process)  # I do not note to whom


ALGORITHM = Algorithm(
    name="centralized",
    title="Central coordinator",
    summary="One coordinator keeps a queue and lets one process in at a time.",
    source="lecture, 'a. A Centralized Algorithm'; Tanenbaum & van Steen, Distributed Systems, 6.3",
    process=Centralized,
    looks={Request: "ask", Grant: "grant", Release: "announce"},
    topology="star",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("3", lambda n: 3, "by another node than the coordinator; its own entries cost 0"),
    chips="queue",
    variants={
        "grants-twice": Variant(
            GrantsTwice, "The coordinator forgets whom it has let in, and lets in the next as well.", breaks=("ME1",)
        ),
    },
)
