"""End-to-End read word by word: each gap of the description separately, and all of them together.

Each class changes the resolved protocol in one place, so that its effect is due to that place alone. They call the
protocol's own methods by name, not by `super()`, so that other variants can borrow theirs.
"""

from algorithms.engine.process import Variant
from algorithms.peer_to_peer.end_to_end import EndToEnd


class BothSteps(EndToEnd):
    def pass_on(self, resource, winner, waiting):
        EndToEnd.pass_on(self, resource, winner, waiting)
        if waiting:
            self.free(resource, winner)  # it has the votes freed as well, although the token goes on to P{waiting[0]}


class Overwriting(EndToEnd):
    def on_i_am_winner(self, message, sender):
        EndToEnd.on_i_am_winner(self, message, sender)
        if self.next_hop(message.replica) is None:
            self.vote[message.replica] = message.ticket  # it sets its vote to the winner, whatever it was


class ResetsAny(EndToEnd):
    def frees(self, replica, ticket):
        # The release is not compared with the vote.
        return replica in self.vote


class LosesEnqueue(EndToEnd):
    def on_enqueue(self, enqueue, sender):
        if enqueue.resource in self.winner:
            EndToEnd.on_enqueue(self, enqueue, sender)


class WithoutStamps(EndToEnd):
    def on_response(self, response, sender):
        resource = self.resource_of(response.replica)
        if resource in self.wants and self.ticket[resource] is not None:
            self.answered(response.replica, response.ticket, response.owner)

    def is_mine(self, resource, owner):
        return owner[1] == self.id

    def frees(self, replica, ticket):
        return replica in self.vote and self.vote[replica][1] == ticket[1]


class OwnerAsksAgain(EndToEnd):
    def stops(self, replica, ticket):
        on_the_way = ticket[1] != self.id and self.next_hop(replica) is not None
        return on_the_way and EndToEnd.stops(self, replica, ticket)

    on_response, is_mine, frees = WithoutStamps.on_response, WithoutStamps.is_mine, WithoutStamps.frees


class AsDescribed(EndToEnd):
    """All gaps together."""

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
            "The description word by word, with all the gaps that the other variants show separately.",
            breaks=("ME1", "ME2"),
            promises=(),
        ),
        "both-steps": Variant(
            BothSteps,
            "Both RELEASE (step 6) and TOKEN (step 7) are sent: a replica votes again while the token is in use.",
            breaks=("ME1",),
        ),
        "owner-asks-again": Variant(
            OwnerAsksAgain,
            "Votes are for a client, not for its request: a client that has passed the token on still owns them.",
            breaks=("ME1",),
        ),
        "overwriting": Variant(
            Overwriting,
            "IAMWINNER overwrites a replica's vote for another client, which still counts it.",
            breaks=("ME1",),
        ),
        "resets-any": Variant(
            ResetsAny,
            "RELEASE resets a replica's owner without a check: a winner frees a vote that another client counts.",
            breaks=("ME1",),
        ),
        "without-stamps": Variant(
            WithoutStamps,
            "RESPONSE does not say which request it answers: one for an old request counts for a new one.",
            breaks=("ME1",),
        ),
        "lost-enqueue": Variant(
            LosesEnqueue,
            "An ENQUEUE that reaches a process which has left is lost, and its client waits forever.",
            breaks=("ME2",),
            promises=("ME1",),
        ),
    }
}
