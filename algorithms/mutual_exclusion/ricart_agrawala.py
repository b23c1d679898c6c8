"""Ricart & Agrawala, CACM 24(1), 1981: permission from everyone, 2(N−1) messages per entry.

Its promise of order (ME3) is the textbook's. With three processes and two requests each it does not hold by
happened-before: a reply follows requests that its sender knows of, but carries no clock.
"""

from algorithms.engine.process import Algorithm, Message, MutexProcess, exactly, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller is the older, and the older wins


class Reply(Message):
    """You may go first, as far as I am concerned."""


class RicartAgrawala(MutexProcess):
    def setup(self):
        self.clock = 0  # highest clock seen in any request
        self.stamp = None  # my pending request, if any
        self.awaiting = set()  # peers whose reply I still need
        self.deferred = set()  # peers I shall answer when I leave

    def acquire(self):
        self.clock += 1
        self.stamp = (self.clock, self.id)
        self.awaiting = set(self.peers)
        self.send(Request(self.stamp), to=self.peers)  # I ask everybody

    def on_request(self, request, sender):
        self.clock = max(self.clock, request.stamp[0])
        if self.stamp and self.goes_before(request):
            self.deferred.add(sender)  # mine is older: answer when I leave
        else:
            self.send(Reply(), to=sender)  # theirs is older, or I want nothing

    def goes_before(self, request):
        return self.stamp < request.stamp

    def on_reply(self, reply, sender):
        self.awaiting.remove(sender)

    @when(lambda self: self.wants and not self.awaiting)
    def all_replied(self):
        self.enter()  # everybody has replied

    def release(self):
        self.stamp = None
        self.send(Reply(), to=self.deferred)  # answer those I kept waiting
        self.deferred = set()

    def waiting_for(self):
        return self.awaiting


ALGORITHM = Algorithm(
    name="ricart-agrawala",
    title="Ricart–Agrawala",
    summary="Ask everybody and wait for every reply; the older request wins.",
    source="G. Ricart, A. K. Agrawala, CACM 24(1), 1981",
    process=RicartAgrawala,
    looks={Request: "ask", Reply: "grant"},
    assumes=("reliable", "nobody crashes"),
    cost=exactly("2(N−1)", lambda n: 2 * (n - 1)),
    badge="clock",
    chips="deferred",
    promises=("ME1", "ME2", "ME3"),
)
