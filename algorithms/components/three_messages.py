"""Token passing in three messages (A. Ciuffoletti, The Wandering Token, report, section 4): at most one holder.

The sender offers its token, the receiver acknowledges, the sender commits; only then has the token moved. An offer
that is not acknowledged in time is repeated, perhaps to another neighbour. The token is lost only if a commitment
is lost or late.

The owner of this part names the next receiver in `next_hop()`, has `on_token(token, sender)`, and calls `recovered()`.
"""

from collections import deque

from algorithms.engine.process import Message, Parameter, Process


class Offer(Message):
    token: Message
    attempt: int  # the number of the sender's offer


class Acknowledgement(Message):
    token: Message
    attempt: int


class Commitment(Message):
    token: Message
    attempt: int


LOOKS = {Offer: "ask", Acknowledgement: "grant", Commitment: "token"}


class ThreeMessages(Process):
    answer_time = Parameter(2.5, "how long it waits for an acknowledgement or a commitment: a round trip", low=0)
    identifiers = Parameter(65_536, "number of attempts after which their numbers repeat; with 1, all are alike", low=1)

    def setup(self):
        self.tokens = deque()  # tokens to hand over; the first is on offer
        self.receiver = None  # the process that it offers the first one to
        self.attempt = 0  # the number of its latest offer
        self.accepted = None  # (sender, attempt) of the acknowledged offer, until its commitment comes

    def hand_over(self, token):
        self.tokens.append(token)
        if len(self.tokens) == 1:
            self.offer()

    def offer(self):
        self.attempt = (self.attempt + 1) % self.identifiers
        self.receiver = self.owner.next_hop()
        self.set_timer("acknowledgement_timeout", self.answer_time)
        self.send(
            Offer(self.tokens[0], self.attempt), to=self.receiver
        )  # it offers its token to P{receiver} and keeps it for now

    def on_offer(self, offer, sender):
        if self.accepted is not None and not self.replaces(offer, sender):
            return  # it ignores the offer: it is waiting for a commitment from P{accepted[0]}
        self.accepted = (sender, offer.attempt)
        self.set_timer("commitment_timeout", self.answer_time)
        self.send(Acknowledgement(offer.token, offer.attempt), to=sender)  # it acknowledges the offer

    def replaces(self, offer, sender):
        giver, attempt = self.accepted
        later = (offer.attempt - attempt) % self.identifiers  # numbers repeat: more than half way is earlier
        return sender == giver and 0 < later <= self.identifiers // 2

    def on_acknowledgement(self, acknowledgement, sender):
        if not self.tokens or acknowledgement != Acknowledgement(self.tokens[0], self.attempt):
            return  # it ignores the acknowledgement: that attempt is over
        self.cancel_timer("acknowledgement_timeout")
        self.send(
            Commitment(self.tokens.popleft(), self.attempt), to=self.receiver
        )  # it commits, and gives the token up
        if self.tokens:
            self.offer()

    def on_acknowledgement_timeout(self):
        self.offer()  # it still has the token, and tries again

    def on_commitment(self, commitment, sender):
        if self.accepted != (sender, commitment.attempt):
            self.destroy_token()  # it had stopped waiting for the commitment, so this token is lost
            return
        self.accepted = None
        self.cancel_timer("commitment_timeout")
        self.owner.on_token(commitment.token, sender)  # it now holds the token

    def on_commitment_timeout(self):
        self.accepted = None  # it stops waiting for the token: no commitment has come in time

    def recovered(self):
        self.accepted = None
        if self.tokens:
            self.offer()  # it still has the token, and offers it again


class WithoutIdentifier(ThreeMessages):
    """All attempts look the same, as in the report's text: an answer to one passes for an answer to the next."""

    identifiers = Parameter(1, "with 1, all attempts are alike", low=1)
