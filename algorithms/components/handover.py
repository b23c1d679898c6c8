"""Hand-over along a ring against receipt: a neighbour that sends none in time is taken for dead and left out.

A message goes on as long as its receiver lives. If a receipt is merely late, the message goes on twice.
"""

from collections import deque

from algorithms.engine.process import Message, Parameter, Process


class Receipt(Message):
    """I have what you handed over."""


class Back(Message):
    """I am alive: leave me out no longer."""


LOOKS = {Receipt: "grant", Back: "announce"}


class Handover(Process):
    receipt_time = Parameter(2.5, "how long I wait for a receipt: a round trip", low=0)

    def setup(self):
        self.purged = set()  # whom I take for dead
        self.pending = deque()  # what I have handed over without a receipt yet, oldest first
        self.receiver = None  # to whom

    def successor(self):
        ring = ((self.id + k) % self.size for k in range(1, self.size))
        return next((process for process in ring if process not in self.purged), self.id)

    def hand_over(self, message):
        if not self.pending:
            self.receiver = self.successor()
            self.set_timer("no_receipt", self.receipt_time)
        self.pending.append(message)
        if self.receiver != self.id:  # if I am alone, it comes round when the time is up
            self.send(message, to=self.receiver)  # I hand it to my next neighbour alive

    def acknowledge(self, sender):
        self.send(Receipt(), to=sender)  # I have it

    def on_receipt(self, receipt, sender):
        if self.pending and sender == self.receiver:
            self.pending.popleft()  # it has arrived
        if self.pending:
            self.set_timer("no_receipt", self.receipt_time)
        else:
            self.cancel_timer("no_receipt")

    def on_no_receipt(self):
        if self.receiver != self.id:
            self.suspect(self.receiver)  # no receipt in time: I take my neighbour for dead
            self.purged.add(self.receiver)
        self.receiver = self.successor()
        for message in self.pending:
            self.send(message, to=self.receiver)  # the next one gets it instead
        self.set_timer("no_receipt", self.receipt_time)

    def on_back(self, back, sender):
        self.purged.discard(sender)  # it lives again

    def recovered(self):
        self.purged = set()
        self.pending = deque()  # whether it arrived I shall not learn any more
        self.announce()

    def announce(self):
        self.send(Back(), to=set(range(self.size)) - {self.id})  # I tell everybody that I am alive
