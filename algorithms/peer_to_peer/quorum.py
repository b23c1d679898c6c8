"""The client's side: whoever has the votes of a majority of a resource's replicas may enter.

A request has a ticket (clock, client, attempt): the smaller is the older, and the older goes first.
"""

from algorithms.engine.process import Parameter
from algorithms.peer_to_peer.base import PeerProcess


class Client(PeerProcess):
    backoff = Parameter(5.0, "mean of the random time before I give way when nobody has a majority", low=0)

    def setup(self):
        super().setup()
        self.clock = 0  # the highest clock seen in any ticket
        self.ticket = {}  # resource: the ticket of my request for it
        self.voted = {}  # replica: for whose ticket it votes, as far as it has told me

    def acquire(self, resource):
        self.clock += 1
        self.ask_all(resource, (self.clock, self.id, 0))

    def ask_all(self, resource, ticket):
        self.ticket[resource] = ticket
        self.forget_votes(resource)
        for replica in self.replicas_of(resource):
            self.ask(replica, ticket)  # I ask all replicas, by way of the overlay

    def ask(self, replica, ticket):
        """Send my request on its way; I am the first whom it passes."""
        raise NotImplementedError

    def answered(self, replica, ticket, owner):
        """The replica has told me, about that request of mine, for whom it votes."""
        resource = self.resource_of(replica)
        self.voted[replica] = owner
        if len(self.my_votes(resource)) >= self.majority():
            self.win(resource)  # a majority votes for me
        elif all(other in self.voted for other in self.replicas_of(resource)):
            self.lose(resource)  # all have answered, and I have no majority

    def awaits(self, replica, ticket):
        """Whether that is the ticket with which I want the replica's resource now."""
        resource = self.resource_of(replica)
        return resource in self.wants and self.ticket.get(resource) == ticket

    def my_votes(self, resource):
        """The replicas that vote for me."""
        return [k for k in self.replicas_of(resource) if k in self.voted and self.is_mine(resource, self.voted[k])]

    def is_mine(self, resource, owner):
        return owner == self.ticket[resource]

    def forget_votes(self, resource):
        for replica in self.replicas_of(resource):
            self.voted.pop(replica, None)

    def has_chosen(self, resource):
        """The ticket for which a majority votes; None if there is no such ticket."""
        owners = [self.voted[replica] for replica in self.replicas_of(resource)]
        owner = max(owners, key=owners.count)
        return owner if owners.count(owner) >= self.majority() else None

    def waiting_for(self):
        wanted = [replica for replica in self.voted if self.resource_of(replica) in self.wants]
        return {self.voted[replica][1] for replica in wanted} - {self.id}


class Quorum(Client):
    """A client of Sigma and of Non-End-to-End: without a majority it gives way, and asks again."""

    patience = Parameter(50.0, "how long I believe that another has a majority before I give way all the same", low=0)

    def win(self, resource):
        self.cancel_rest(resource)
        self.enter(resource)

    def lose(self, resource):
        decided = self.has_chosen(resource) is not None
        self.set_rest(resource, self.patience if decided else self.random.exponential(self.backoff))

    def on_rest(self, resource=0):
        self.give_way(resource)

    def give_way(self, resource):
        """YIELD: give votes back, and ask for them again."""
        raise NotImplementedError
