"""Lamport, CACM 21(7), 1978: every process keeps the queue of all requests, ordered by logical clocks.

3(N−1) messages per entry. An acknowledgement is not a permission: it tells the requester that its sender has no older
request in transit. That needs FIFO channels, and clocks that every message advances.

Nobody starves, which is condition III of the paper: once a request has arrived everywhere, all later ones have a
larger timestamp.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Variant, all_of, exactly, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller one is older and goes first


class Ack(Message):
    stamp: tuple  # (clock, id) of its sender, later than the request that it answers


class Release(Message):
    stamp: tuple  # (clock, id) of its sender, which has left


class Lamport(MutexProcess):
    def setup(self):
        self.clock = 0  # Lamport clock: later than every message received
        self.stamp = None  # timestamp (clock, id) of its pending request, if any
        self.queue = ()  # the timestamps of all pending requests that it knows of, its own among them, oldest first
        self.awaiting = set()  # processes from which it has received nothing later than its request

    def acquire(self):
        self.clock += 1
        self.stamp = self.reading()
        self.enqueue(self.stamp)
        self.awaiting = set(self.peers)
        self.send(Request(self.stamp), to=self.peers)  # its request {stamp} joins its own queue and goes to all others

    def on_request(self, request, sender):
        self.hear(request, sender)
        self.enqueue(request.stamp)
        self.acknowledge(request, sender)

    def acknowledge(self, request, sender):
        self.send(Ack(self.reading()), to=sender)  # it acknowledges the request, which joins its queue

    def on_ack(self, ack, sender):
        self.hear(ack, sender)

    def on_release(self, release, sender):
        self.hear(release, sender)
        self.dequeue(sender)  # it removes P{sender}'s request

    def hear(self, message, sender):
        # IR2(b): the clock becomes later than the message
        self.clock = max(self.clock, message.stamp[0] + 1)
        if self.stamp and message.stamp > self.stamp:
            self.awaiting.discard(sender)

    @when(lambda self: self.wants and not self.awaiting and self.queue[0] == self.stamp)
    def first_of_all(self):
        self.enter()  # its request is the oldest in its queue, and all others have sent something later

    def release(self):
        self.dequeue(self.id)
        self.stamp = None
        self.tell_all()

    def tell_all(self):
        self.clock += 1
        self.send(Release(self.reading()), to=self.peers)  # it tells all others that it has left

    def reading(self):
        return (self.clock, self.id)

    def enqueue(self, stamp):
        self.queue = tuple(sorted((*self.queue, stamp)))

    def dequeue(self, owner):
        self.queue = tuple(stamp for stamp in self.queue if stamp[1] != owner)

    def waiting_for(self):
        return all_of(self.awaiting, Ack) if self.awaiting else self.older_requests()

    def older_requests(self):
        return all_of({owner for clock, owner in self.queue if (clock, owner) < self.stamp}, Release)

    def keeps_waiting(self, other):
        if self.stamp in other.queue and self.stamp < other.stamp:
            return f"has an older request: {self.stamp} is older than {other.stamp}"
        return ""


class Lazy(Lamport):
    def acknowledge(self, request, sender):
        if self.stamp and self.stamp > request.stamp:
            return  # it queues the request; its own later request {stamp} serves as the acknowledgement
        super().acknowledge(request, sender)


class Hasty(Lamport):
    @when(lambda self: self.wants and self.queue[0] == self.stamp)
    def first_of_all(self):
        self.enter()  # its request is the first in its own queue

    def waiting_for(self):
        return self.older_requests()


class NoTieBreak(Lamport):
    @when(lambda self: self.wants and not self.awaiting and self.queue[0][0] == self.stamp[0])
    def first_of_all(self):
        self.enter()  # no request in its queue has an earlier clock than {stamp[0]}


class Clockless(Lamport):
    @when(lambda self: self.wants and not self.awaiting and self.queue[0] == self.stamp)
    def first_of_all(self):
        self.enter()  # its request is the oldest in its queue, and all others have acknowledged it

    def hear(self, message, sender):
        if isinstance(message, Request):
            self.clock = max(self.clock, message.stamp[0])
        if isinstance(message, Ack):
            self.awaiting.discard(sender)

    def acknowledge(self, request, sender):
        self.send(Ack(()), to=sender)  # it acknowledges the request, but without a clock; the request joins its queue

    def tell_all(self):
        self.send(Release(()), to=self.peers)  # it tells all others that it has left, but not its clock


def inside_is_the_oldest(processes):
    stamps = [process.stamp for process in processes if process.stamp]
    return all(process.stamp == min(stamps) for process in processes if process.inside)


ALGORITHM = Algorithm(
    name="lamport",
    title="Lamport's queue",
    summary="Every process keeps a queue of all requests; the oldest enters when everyone has sent something later.",
    source="L. Lamport, Time, clocks, and the ordering of events in a distributed system, CACM 21(7), 1978",
    process=Lamport,
    looks={Request: "ask", Ack: "grant", Release: "announce"},
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=exactly("3(N−1)", lambda n: 3 * (n - 1)),
    badge="clock",
    chips="queue",
    promises=("ME1", "ME2", "ME3", "fair liveness"),
    explanation=(
        "A process that wants to enter sends a timestamped request to all others. Every process puts all requests into "
        "a queue, ordered by timestamp, and acknowledges each. A process enters when its own request is the first in "
        "its queue and it has received something later than its request from every other process: since channels "
        "are FIFO, no older request can then be in transit to it. When it leaves, it tells all others, which remove "
        "its request. Every message advances the clocks, so requests are served in happened-before order."
    ),
    symbols={
        "(clock, id)": "a timestamp: the Lamport clock and the number of the process; the smaller one is older",
        "N": "the number of processes",
    },
    invariants={"the oldest is inside": inside_is_the_oldest},
    variants={
        "lazy": Variant(
            Lazy,
            "Does not acknowledge a request while its own later one is pending, which serves as the acknowledgement.",
            cost=Cost(
                "2(N−1) … 3(N−1)",
                lambda n: 2 * (n - 1),
                lambda n: 3 * (n - 1),
                "one acknowledgement fewer for each pair of requests that cross",
            ),
        ),
        "hasty": Variant(
            Hasty,
            "Enters as soon as its request is the first in its own queue, while an older one may be in transit to it.",
            breaks=("ME1",),
        ),
        "no-tie-break": Variant(
            NoTieBreak, "Compares clocks only, so two requests with equal clocks are both first.", breaks=("ME1",)
        ),
        "clockless": Variant(
            Clockless,
            "Acknowledgements and releases carry no clock: mutual exclusion holds, but the order of requests does not.",
            breaks=("ME3",),
        ),
    },
)
