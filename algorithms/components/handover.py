"""Acknowledged hand-over along a ring: a neighbour that does not acknowledge in time is assumed crashed and skipped.

A message arrives if its receiver is up. If an acknowledgement is merely late, the message goes on twice.
"""

from collections import deque

from algorithms.engine.process import Message, Parameter, Process


class Acknowledgement(Message):
    """Acknowledges what was handed over."""


class Back(Message):
    """Says that the sender is alive and is not to be skipped any longer."""


LOOKS = {Acknowledgement: "grant", Back: "announce"}


class Handover(Process):
    acknowledgement_time = Parameter(2.5, "how long it waits for an acknowledgement: a round trip", low=0)

    def setup(self):
        self.purged = set()  # processes that it assumes have crashed, and skips
        self.pending = deque()  # messages to hand over; the first awaits its acknowledgement
        self.receiver = None  # the process that it has handed the first one to
        self.giver = None  # the process that last handed something to it

    def successor(self):
        ring = ((self.id + k) % self.size for k in range(1, self.size))
        return next((process for process in ring if process not in self.purged), self.id)

    def hand_over(self, message):
        self.pending.append(message)
        if len(self.pending) == 1:
            self.hand_over_first()
        else:
            pass  # it will pass this on when its successor has acknowledged the message before it

    def hand_over_first(self):
        self.receiver = self.successor()
        # If it is alone, the message comes back to it when the time is up.
        if self.receiver != self.id:
            self.send(self.pending[0], to=self.receiver)
        self.set_timer("acknowledgement_timeout", self.acknowledgement_time)

    def acknowledge(self, sender):
        self.giver = sender
        self.send(Acknowledgement(), to=sender)

    def on_acknowledgement(self, acknowledgement, sender):
        self.purged.discard(sender)
        if self.pending and sender == self.receiver:
            self.pending.popleft()
            self.cancel_timer("acknowledgement_timeout")
            if self.pending:
                self.hand_over_first()  # it hands over the next message

    def on_acknowledgement_timeout(self):
        if self.receiver == self.id:
            self.send(self.pending[0], to=self.id)
        else:
            self.suspect(self.receiver)
            self.purged.add(self.receiver)
            self.hand_over_first()  # it skips P{receiver} from now on

    def keeps(self, message):
        first = 0 if self.receiver == self.id else 1  # the message before it is in transit
        return message in list(self.pending)[first:]

    def on_back(self, back, sender):
        self.purged.discard(sender)  # it takes P{sender} to be alive

    def recovered(self):
        self.purged = set()
        self.pending = deque()
        self.send(Back(), to=set(range(self.size)) - {self.id})  # it tells every other process that it is alive

    def announce(self):
        if self.giver is not None:
            self.send(Back(), to=self.giver)
