"""End-to-End read word by word: each gap of the description by itself, and all of them together.

Each class changes the resolved protocol in one place, so that its effect is due to that place alone. They call the
protocol's own methods by name, not by `super()`, so that other variants can borrow theirs.
"""

from algorithms.engine.process import Variant
from algorithms.peer_to_peer.end_to_end import EndToEnd


class BothSteps(EndToEnd):
    def pass_on(self, resource, winner, waiting):
        EndToEnd.pass_on(self, resource, winner, waiting)
        if waiting:
            self.free(resource, winner)  # step 6 and step 7: the votes are free although a token goes on


class Overwriting(EndToEnd):
    def on_i_am_winner(self, message, sender):
        EndToEnd.on_i_am_winner(self, message, sender)
        if self.next_hop(message.replica) is None:
            self.vote[message.replica] = message.ticket  # the winner is my new owner, whoever has my vote


class ResetsAny(EndToEnd):
    def frees(self, replica, ticket):
        return replica in self.vote  # my owner is reset, whoever it is


class LosesEnqueue(EndToEnd):
    def on_enqueue(self, enqueue, sender):
        if enqueue.resource in self.winner:  # who has left knows nothing of a queue
            EndToEnd.on_enqueue(self, enqueue, sender)


class WithoutStamps(EndToEnd):
    def on_response(self, response, sender):
        resource = self.resource_of(response.replica)
        if resource in self.wants and self.ticket[resource] is not None:
            self.answered(response.replica, response.ticket, response.owner)  # an answer is an answer, to whatever

    def is_mine(self, resource, owner):
        return owner[1] == self.id

    def frees(self, replica, ticket):
        return (
            replica in self.vote and self.vote[replica][1] == ticket[1]
        )  # the vote is free, if it was for that client


class OwnerAsksAgain(EndToEnd):
    def stops(self, replica, ticket):
        on_the_way = ticket[1] != self.id and self.next_hop(replica) is not None
        return on_the_way and EndToEnd.stops(self, replica, ticket)  # only intermediate nodes look into their lists

    on_response, is_mine, frees = WithoutStamps.on_response, WithoutStamps.is_mine, WithoutStamps.frees


class AsDescribed(EndToEnd):
    """All of them."""

    pass_on = BothSteps.pass_on
    on_i_am_winner = Overwriting.on_i_am_winner
    frees = ResetsAny.frees
    on_enqueue = LosesEnqueue.on_enqueue
    on_response, is_mine = WithoutStamps.on_response, WithoutStamps.is_mine
    stops = OwnerAsksAgain.stops


VARIANTS = {
    "end-to-end": {
        "as-described": Variant(
            AsDescribed,
            "The description word by word, with all the gaps that the other variants show one by one.",
            breaks=("ME1", "ME2"),
            promises=(),
        ),
        "both-steps": Variant(
            BothSteps,
            "Who leaves sends RELEASE (step 6) and TOKEN (step 7): a replica votes again while the token is in use.",
            breaks=("ME1",),
        ),
        "owner-asks-again": Variant(
            OwnerAsksAgain,
            "Votes are for a client, not for its request: who has passed the token on and asks again still has them.",
            breaks=("ME1",),
        ),
        "overwriting": Variant(
            Overwriting,
            "IAMWINNER overwrites a replica's vote for another, who goes on counting it.",
            breaks=("ME1",),
        ),
        "resets-any": Variant(
            ResetsAny,
            "RELEASE resets a replica's owner, whoever that is: a winner frees the vote that another counts.",
            breaks=("ME1",),
        ),
        "without-stamps": Variant(
            WithoutStamps,
            "RESPONSE does not say which request it answers: one to an old request counts for a new one.",
            breaks=("ME1",),
        ),
        "lost-enqueue": Variant(
            LosesEnqueue,
            "An ENQUEUE that reaches a node which has left is lost, and who sent it waits for ever.",
            breaks=("ME2",),
            promises=("ME1",),
        ),
    }
}
