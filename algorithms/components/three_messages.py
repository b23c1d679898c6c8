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
    attempt: int  # which of the sender's offers it is


class Acknowledgement(Message):
    token: Message
    attempt: int


class Commitment(Message):
    token: Message
    attempt: int


LOOKS = {Offer: "ask", Acknowledgement: "grant", Commitment: "token"}


class ThreeMessages(Process):
    answer_time = Parameter(2.5, "how long I wait for an acknowledgement or a commitment: a round trip", low=0)
    identifiers = Parameter(65_536, "after so many attempts their numbers come again; with 1 all are alike", low=1)

    def setup(self):
        self.tokens = deque()  # the tokens that I am to hand over; the first is on offer
        self.receiver = None  # whom I offer it to
        self.attempt = 0  # the number of my latest offer
        self.accepted = None  # (sender, attempt) of the offer that I have acknowledged, until its commitment comes

    def hand_over(self, token):
        self.tokens.append(token)
        if len(self.tokens) == 1:
            self.offer()

    def offer(self):
        self.attempt = (self.attempt + 1) % self.identifiers
        self.receiver = self.owner.next_hop()
        self.set_timer("no_acknowledgement", self.answer_time)
        self.send(Offer(self.tokens[0], self.attempt), to=self.receiver)  # I offer my token, and keep it for now

    def on_offer(self, offer, sender):
        if self.accepted is not None and not self.replaces(offer, sender):
            return  # I wait for another commitment: whoever offers this one will try again
        self.accepted = (sender, offer.attempt)
        self.set_timer("no_commitment", self.answer_time)
        self.send(Acknowledgement(offer.token, offer.attempt), to=sender)  # I am ready to take it

    def replaces(self, offer, sender):
        giver, attempt = self.accepted
        later = (offer.attempt - attempt) % self.identifiers  # numbers go round: more than half way is earlier
        return sender == giver and 0 < later <= self.identifiers // 2

    def on_acknowledgement(self, acknowledgement, sender):
        if not self.tokens or acknowledgement != Acknowledgement(self.tokens[0], self.attempt):
            return  # too late: I have given that attempt up
        self.cancel_timer("no_acknowledgement")
        self.send(Commitment(self.tokens.popleft(), self.attempt), to=self.receiver)  # now it is theirs, or lost
        if self.tokens:
            self.offer()

    def on_no_acknowledgement(self):
        self.offer()  # no answer in time: the token is still mine, and I try again

    def on_commitment(self, commitment, sender):
        if self.accepted != (sender, commitment.attempt):
            self.destroy_token()  # too late: I have given it up, and the token is lost
            return
        self.accepted = None
        self.cancel_timer("no_commitment")
        self.owner.on_token(commitment.token, sender)  # now I hold the token

    def on_no_commitment(self):
        self.accepted = None  # no commitment in time: I shall not hold this token

    def recovered(self):
        self.accepted = None
        if self.tokens:
            self.offer()  # nobody has a commitment for my token: it is still mine, and I offer it again


class WithoutIdentifier(ThreeMessages):
    """All attempts look the same, as the report's text has it: an answer to one passes for an answer to the next."""

    identifiers = Parameter(1, "with 1 all attempts are alike", low=1)
