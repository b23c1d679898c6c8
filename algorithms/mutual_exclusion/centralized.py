"""A central coordinator with a queue: request, grant, release. 3 messages per entry.

The coordinator P0 may request as well. It talks to itself without messages, so its own entries cost none.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, MutexProcess, Variant, all_of, exactly

COORDINATOR = 0


class Request(Message):
    """Asks the coordinator for permission to enter."""


class Grant(Message):
    """Permission to enter."""


class Release(Message):
    """Tells the coordinator that the sender has left."""


class Centralized(MutexProcess):
    def setup(self):
        self.coordinator = COORDINATOR  # the process that it asks
        self.granted = None  # coordinator: the process that it has let in
        self.queue = deque()  # coordinator: waiting processes, first come first served

    def acquire(self):
        self.send(Request(), to=self.coordinator)  # it sends its request to the coordinator

    def on_request(self, request, sender):
        if self.granted is None:
            self.grant_to(sender)  # it grants the request at once: it knows of nobody inside
        else:
            self.queue.append(sender)  # it queues the request: P{granted}'s release has not arrived

    def on_grant(self, grant, sender):
        self.enter()

    def release(self):
        self.send(Release(), to=self.coordinator)  # it tells the coordinator

    def on_release(self, release, sender):
        self.serve_next()

    def serve_next(self):
        self.granted = None  # it marks the critical section as free
        if self.queue:
            self.grant_to(self.queue.popleft())  # it grants P{queue[0]}'s request, the first in its queue

    def grant_to(self, process):
        self.granted = process
        self.send(Grant(), to=process)

    def waiting_for(self):
        if self.coordinator == self.id:
            return all_of({self.granted} - {None, self.id}, Release)
        return all_of({self.coordinator}, Grant)

    def keeps_waiting(self, other):
        if other.coordinator != self.id or other.id not in self.queue:
            return ""
        place = f"P{other.id} is number {self.queue.index(other.id) + 1} of {len(self.queue)} in its queue"
        return f"{self.why_busy()}, and {place}"

    def why_busy(self):
        return f"has granted entry to P{self.granted}"


class GrantsTwice(Centralized):
    def grant_to(self, process):
        self.send(Grant(), to=process)  # it grants P{process}'s request, and keeps no record of it


ALGORITHM = Algorithm(
    name="centralized",
    title="Central coordinator",
    summary="A coordinator grants requests one at a time and queues the others.",
    source="lecture, 'a. A Centralized Algorithm'; Tanenbaum & van Steen, Distributed Systems, 6.3",
    process=Centralized,
    looks={Request: "ask", Grant: "grant", Release: "announce"},
    topology="star",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("3", lambda n: 3, "for a process other than the coordinator, whose own entries cost 0"),
    chips="queue",
    explanation=(
        "One process is the coordinator. A process that wants to enter sends it a request and waits for a grant. The "
        "coordinator grants a request at once if the critical section is free; otherwise it queues the request. A "
        "process that leaves sends a release, and the coordinator grants the first request in its queue. This is "
        "cheap and fair, but if the coordinator crashes, nobody can enter, and a waiting process cannot tell a crash "
        "from a long queue."
    ),
    variants={
        "grants-twice": Variant(
            GrantsTwice,
            "The coordinator keeps no record of its grants, so it lets in the next process as well.",
            breaks=("ME1",),
        )
    },
)
