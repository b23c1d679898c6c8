"""What the protocols share: whoever has the votes of a majority of a resource's replicas may enter."""

from dataclasses import field

from algorithms.engine.process import Message, Parameter
from algorithms.peer_to_peer.base import PeerProcess, Routed
from algorithms.peer_to_peer.tickets import Replica, Ticket


class Request(Routed):
    ticket: Ticket  # (clock, client, attempt): the smaller is the older, and the older goes first
    asks = "ticket"


class Answer(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # the request that this answers


class Response(Answer):
    owner: Ticket  # the ticket that the replica votes for


class Client(PeerProcess):
    """The client's side: it asks all replicas, and counts their votes."""

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
        """My request sets out: I am the first whom it passes."""
        self.on_request(Request(replica, ticket), self.id)

    def on_request(self, request, sender):
        """A request for a replica has come to me, who may be on its way or answer for the replica."""
        raise NotImplementedError

    def give_back(self, replica, ticket):
        """Free the vote that the replica may have for that ticket."""
        raise NotImplementedError

    def give_votes_back(self, resource):
        for replica in self.my_votes(resource):
            self.give_back(replica, self.ticket[resource])
        self.forget_votes(resource)

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

    def unreached(self, message, to):
        super().unreached(message, to)
        if isinstance(message, Answer):
            self.give_back(message.replica, message.ticket)  # who asked is gone

    def waiting_for(self):
        wanted = [replica for replica in self.voted if self.resource_of(replica) in self.wants]
        return {self.voted[replica][1] for replica in wanted} - {self.id}


class Voter(PeerProcess):
    """The replica's side in Sigma and End-to-End: each replica here votes for one ticket at a time."""

    def setup(self):
        super().setup()
        self.vote = {}  # replica, if it is here: the ticket it votes for

    def take_out(self, replica, heir):
        return (self.vote.pop(replica, None), *super().take_out(replica, heir))

    def take_in(self, replica, state):
        vote, *_ = state
        if vote is not None:
            self.vote[replica] = vote


class Quorum(Client):
    """In Sigma and Non-End-to-End requests wait in queues; a client without a majority gives way, and asks again."""

    waits = "queue"

    patience = Parameter(50.0, "how long I believe that another has a majority before I give way all the same", low=0)

    def setup(self):
        super().setup()
        self.queue = set()  # (replica, ticket): the requests that wait here

    def unqueued(self, replica):
        """The tickets that wait here for the replica, and do so no longer."""
        waiting = {(at, ticket) for at, ticket in self.queue if at == replica}
        self.queue -= waiting
        return tuple(sorted(ticket for _, ticket in waiting))

    def take_out(self, replica, heir):
        return (self.unqueued(replica),)

    def release(self, resource):
        for replica in self.replicas_of(resource):
            self.give_back(replica, self.ticket[resource])  # I need no vote any more

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
