"""Ricart & Agrawala, CACM 24(1), 1981: permission from everyone, 2(N−1) messages per entry.

Its promise of order (ME3) is the textbook's. With three processes and two requests each it does not hold by
happened-before: a reply follows requests that its sender knows of, but carries no clock.

Nobody starves, as the paper proves: once a request has arrived everywhere, all later ones have a larger timestamp.
"""

from algorithms.engine.process import Algorithm, Message, MutexProcess, all_of, exactly, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller one is older and goes first


class Reply(Message):
    """Permission to enter: the sender has no older request."""


class RicartAgrawala(MutexProcess):
    def setup(self):
        self.clock = 0  # Lamport clock: the highest seen in any request
        self.stamp = None  # timestamp (clock, id) of its pending request, if any
        self.awaiting = set()  # processes whose reply it still needs
        self.deferred = set()  # processes that it will reply to when it leaves

    def acquire(self):
        self.clock += 1
        self.stamp = (self.clock, self.id)
        self.awaiting = set(self.peers)
        self.send(Request(self.stamp), to=self.peers)  # it asks every other process for permission

    def on_request(self, request, sender):
        self.clock = max(self.clock, request.stamp[0])
        if not self.stamp:
            self.send(Reply(), to=sender)  # it replies at once: it is not competing
        elif self.goes_before(request):
            self.defer(request, sender)
        else:
            self.give_way(request, sender)

    def defer(self, request, sender):
        self.deferred.add(sender)  # it defers its reply: its own {stamp} is older than {request.stamp}

    def give_way(self, request, sender):
        self.send(Reply(), to=sender)  # it replies at once: {request.stamp} is older than its own {stamp}

    def goes_before(self, request):
        return self.stamp < request.stamp

    def on_reply(self, reply, sender):
        self.awaiting.remove(sender)

    @when(lambda self: self.wants and not self.awaiting)
    def all_replied(self):
        self.enter()  # all replies are in

    def release(self):
        self.stamp = None
        self.send(Reply(), to=self.deferred)  # it replies to P{deferred}, which it kept waiting
        self.deferred = set()

    def waiting_for(self):
        return all_of(self.awaiting, Reply)

    def keeps_waiting(self, other):
        if other.id not in self.deferred or self.id not in other.awaiting:
            return ""
        comparison = f": {self.compared_with(other)}" if self.goes_before(other) else ""
        return f"has deferred its reply to P{other.id}{comparison}"

    def compared_with(self, other):
        return f"{self.stamp} is older than {other.stamp}"


ALGORITHM = Algorithm(
    name="ricart-agrawala",
    title="Ricart–Agrawala",
    summary="A process asks all others and enters when all have replied; the older of two requests goes first.",
    source="G. Ricart, A. K. Agrawala, CACM 24(1), 1981",
    process=RicartAgrawala,
    looks={Request: "ask", Reply: "grant"},
    assumes=("reliable", "nobody crashes"),
    cost=exactly("2(N−1)", lambda n: 2 * (n - 1)),
    badge="clock",
    chips="deferred",
    promises=("ME1", "ME2", "ME3", "fair liveness"),
    explanation=(
        "A process that wants to enter sends a timestamped request to every other process and waits for all replies. "
        "A process that is not competing replies at once. One that is competing, or inside, compares timestamps: if "
        "its own request is older, it defers its reply until it leaves; otherwise it replies. Timestamps come from "
        "Lamport clocks, with the process's number to break ties, so of two requests exactly one is older and only "
        "one process can have all replies."
    ),
    symbols={"(clock, id)": "a timestamp: the Lamport clock and the number of the process; the smaller one is older"},
)
