"""Raymond, Information Processing Letters 30(4), 1989: at most k processes inside at a time, 2(N−1) messages per entry.

It is Ricart–Agrawala's algorithm for k entries: N−k replies are enough, since at most k−1 of the others can be inside
without having replied. So replies may come late, when the process has left or asked again, and have to be counted.
"""

from dataclasses import field

from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, Variant, any_of, exactly, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller one is older and goes first


class Reply(Message):
    count: int = field(repr=False)  # how many requests it answers

    def label(self):
        return "" if self.count == 1 else f"to {self.count} requests"


class KEntries(MutexProcess):
    k = Parameter(2, "the number of processes that may be inside at a time", low=1)

    def setup(self):
        self.clock = 0  # Lamport clock: the highest seen in any request
        self.stamp = None  # timestamp (clock, id) of its pending request, if any
        self.owed = [0] * self.size  # owed[i]: the number of replies that Pi still owes it
        self.deferred = [0] * self.size  # deferred[i]: the number of Pi's requests that it will answer when it leaves

    def acquire(self):
        self.clock += 1
        self.stamp = (self.clock, self.id)
        for other in self.peers:
            self.expect(other)
        self.send(Request(self.stamp), to=self.peers)  # it asks every other process for permission

    def expect(self, other):
        self.owed[other] += 1

    def on_request(self, request, sender):
        self.clock = max(self.clock, request.stamp[0])
        if self.inside:
            self.deferred[sender] += 1  # it defers its reply until it leaves
        elif self.wants and self.stamp < request.stamp:
            self.deferred[sender] += 1  # it defers its reply: its own {stamp} is older than {request.stamp}
        else:
            self.send(Reply(1), to=sender)  # it replies at once: it has no older request

    def on_reply(self, reply, sender):
        self.owed[sender] -= reply.count

    def allowing(self):
        """The processes that owe it no reply."""
        return [other for other in self.peers if self.owed[other] <= 0]

    @when(lambda self: self.wants and len(self.allowing()) >= self.size - self.k)
    def enough_replies(self):
        self.enter()  # enough replies are in: {size - k} of {size - 1}

    def release(self):
        self.stamp = None
        waiting = [other for other in self.peers if self.deferred[other]]
        for other in waiting:
            self.send(Reply(self.deferred[other]), to=other)  # it replies to P{waiting}, which it kept waiting
            self.deferred[other] = 0

    def waiting_for(self):
        allowing = self.allowing()
        missing = self.size - self.k - len(allowing)
        return any_of(set(self.peers) - set(allowing), Reply, note=f"it needs {missing} more")

    def keeps_waiting(self, other):
        if not (self.deferred[other.id] and other.owed[self.id] > 0):
            return ""
        comparison = f": {self.stamp} is older than {other.stamp}" if self.stamp < other.stamp else ""
        return f"has deferred its reply to P{other.id}{comparison}"


class TakesLateReplies(KEntries):
    def expect(self, other):
        self.owed[other] = 1


ALGORITHM = Algorithm(
    name="k-entries",
    title="Raymond's k entries",
    summary="Up to k processes may be inside: a process enters when all but k−1 of the others have replied.",
    source="K. Raymond, A distributed algorithm for multiple entries to a critical section, IPL 30(4), 1989",
    process=KEntries,
    looks={Request: "ask", Reply: "grant"},
    at_once="k",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("2(N−1)", lambda n: 2 * (n - 1), "of which 2N−k−1 come before the entry"),
    badge="clock",
    chips="owed",
    explanation=(
        "It works as Ricart and Agrawala's algorithm does, but a process enters when N−k of the others have replied: "
        "the k−1 that have not may be inside. Their replies arrive later, when the process has left or has asked "
        "again, so it counts the replies that each of the others still owes, and a deferred reply says how many "
        "requests it answers. With k = 1 it is Ricart and Agrawala's algorithm."
    ),
    symbols={
        "k": "the number of processes that may be inside at a time",
        "N": "the number of processes",
        "(clock, id)": "a timestamp: the Lamport clock and the number of the process; the smaller one is older",
    },
    variants={
        "takes-late-replies": Variant(
            TakesLateReplies,
            "Does not count: it mistakes a late reply to an earlier request for an answer to the new one.",
            breaks=("ME1",),
        )
    },
)
