"""The client's side of Sigma and Non-End-to-End: whoever has the votes of a majority of the replicas may enter.

A request has a ticket (clock, client, attempt): the smaller is the older, and the older goes first.
"""

from algorithms.engine.process import Parameter, when
from algorithms.peer_to_peer.base import PeerProcess


class Quorum(PeerProcess):
    backoff = Parameter(5.0, "mean of the random time before I give way when nobody has a majority", low=0)
    patience = Parameter(50.0, "how long I believe that another has a majority before I give way all the same", low=0)

    def setup(self):
        self.clock = 0  # the highest clock seen in any ticket
        self.ticket = None  # of my request
        self.voted = {}  # replica: for whose ticket it votes, as far as it has told me

    def acquire(self):
        self.clock += 1
        self.ticket = (self.clock, self.id, 0)
        self.voted = {}
        for replica in range(self.replicas):
            self.ask(replica)  # I ask all replicas, by way of the overlay

    def ask(self, replica):
        """Send my request on its way; I am the first whom it passes."""
        raise NotImplementedError

    def give_way(self):
        """YIELD: give votes back, and ask for them again."""
        raise NotImplementedError

    def answered(self, replica, ticket, owner):
        """The replica has told me, about that request of mine, for whom it votes."""
        self.clock = max(self.clock, owner[0])
        if self.wants and ticket == self.ticket:
            self.voted[replica] = owner
            if len(self.voted) == self.replicas and not self.has_majority():
                self.undecided()  # all have answered, and I have no majority

    @when(lambda self: self.wants and self.has_majority())
    def won(self):
        self.cancel_timer("rest")
        self.enter()  # a majority votes for me

    def undecided(self):
        owners = list(self.voted.values())
        decided = any(owners.count(owner) >= self.majority() for owner in owners)
        self.set_timer("rest", self.patience if decided else self.random.exponential(self.backoff))

    def on_rest(self):
        self.give_way()

    def has_majority(self):
        return len(self.my_votes()) >= self.majority()

    def my_votes(self):
        """The replicas that vote for me."""
        return [replica for replica, owner in self.voted.items() if owner == self.ticket]

    def waiting_for(self):
        if not self.wants:
            return ()
        return {owner[1] for owner in self.voted.values() if owner != self.ticket}
