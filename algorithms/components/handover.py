"""Acknowledged hand-over along a ring: a neighbour that does not acknowledge in time is assumed crashed and skipped.

A message arrives as long as its receiver lives. If an acknowledgement is merely late, the message goes on twice.
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
        self.pending = deque()  # what I have to hand over; I wait for the receipt of the first
        self.receiver = None  # to whom I have handed it
        self.giver = None  # who has handed me something last

    def successor(self):
        ring = ((self.id + k) % self.size for k in range(1, self.size))
        return next((process for process in ring if process not in self.purged), self.id)

    def hand_over(self, message):
        self.pending.append(message)
        if len(self.pending) == 1:
            self.hand_over_first()

    def hand_over_first(self):
        self.receiver = self.successor()
        # If I am alone, it comes round when the time is up.
        if self.receiver != self.id:
            self.send(self.pending[0], to=self.receiver)
        self.set_timer("no_receipt", self.receipt_time)

    def acknowledge(self, sender):
        self.giver = sender
        self.send(Receipt(), to=sender)

    def on_receipt(self, receipt, sender):
        self.purged.discard(sender)
        if self.pending and sender == self.receiver:
            self.pending.popleft()
            self.cancel_timer("no_receipt")
            if self.pending:
                self.hand_over_first()  # what I handed over has arrived: now the next

    def on_no_receipt(self):
        if self.receiver == self.id:
            self.send(self.pending[0], to=self.id)
        else:
            self.suspect(self.receiver)
            self.purged.add(self.receiver)
            self.hand_over_first()  # no receipt in time: I take my neighbour for dead, and the next one gets it

    def keeps(self, message):
        first = 0 if self.receiver == self.id else 1  # the one before is on its way
        return message in list(self.pending)[first:]

    def on_back(self, back, sender):
        self.purged.discard(sender)  # it lives again

    def recovered(self):
        self.purged = set()
        self.pending = deque()  # whether it arrived I shall not learn any more
        self.send(Back(), to=set(range(self.size)) - {self.id})  # I tell everybody that I live again

    def announce(self):
        if self.giver is not None:
            self.send(Back(), to=self.giver)
