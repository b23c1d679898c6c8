"""End-to-End (Muhammad, Cheema, Gupta, 2005): the process inside keeps the queue and passes it on with the token.

3h + 1 messages for a replica h hops away, none for a local one. This file fills the gaps of the paper: a
vote is for a ticket, one attempt of one client; the token replaces a RELEASE while any client waits, and the last
holder has the RELEASE sent from where the winner's path begins; late messages follow the token, or cause a RETRY.
"""

from dataclasses import field

from algorithms.engine.process import Algorithm, Cost, Message
from algorithms.peer_to_peer.base import PeerProcess, Request, Response, Routed
from algorithms.peer_to_peer.paths import UPKEEP, OnPaths
from algorithms.peer_to_peer.quorum import Voter
from algorithms.peer_to_peer.tickets import Replica, Resource, Ticket


class IAmWinner(Routed):
    ticket: Ticket


class Enqueue(Message):
    resource: Resource
    ticket: Ticket  # the request to be queued
    owner: Ticket = field(repr=False)  # the winner, as known to the sender
    stopped: tuple = field(repr=False)  # (replica, node) where the request was stopped; () if it was not


class Token(Message):
    resource: Resource
    winner: Ticket  # the ticket that the replicas vote for
    queue: tuple = field(repr=False)  # the clients still waiting


class Release(Routed):
    ticket: Ticket


class Retry(Message):
    resource: Resource
    ticket: Ticket


class Stale(Message):
    replica: Replica
    owner: Ticket  # the ticket that is no longer the owner


class EndToEnd(OnPaths, Voter, PeerProcess):
    lines = "queue"

    def setup(self):
        super().setup()
        self.winner = {}  # resource, while its token is here: the ticket that won it
        self.queue = {}  # resource, while its token is here: the clients waiting for it, in order
        self.successor = {}  # resource: the client to which it has passed the token

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        if self.stops(replica, ticket):
            owner, *_ = self.entries[replica]
            enqueue = Enqueue(self.resource_of(replica), ticket, owner, (replica, self.id))
            self.send(enqueue, to=owner[1])  # it stops the request, asking the owner P{owner[1]} to queue it
        elif self.arrived(request):
            vote = self.vote.setdefault(replica, ticket)
            self.send(
                Response(replica, ticket, vote), to=ticket[1]
            )  # the vote of {replica:replica} is for {vote:ticket}

    def stops(self, replica, ticket):
        return replica in self.entries and not self.is_broken(replica)

    def on_response(self, response, sender):
        replica, ticket = response.replica, response.ticket
        if self.awaits(replica, ticket):
            self.answered(replica, ticket, response.owner)
        elif response.owner == ticket != self.ticket.get(self.resource_of(replica)):
            self.give_back(replica, ticket)  # it gives the vote back: it has given that request up

    def win(self, resource):
        for replica in self.replicas_of(resource):
            self.on_i_am_winner(IAmWinner(replica, self.ticket[resource]), self.id)
        self.take_token(resource, self.ticket[resource], ())  # a majority of the replicas votes for it

    def lose(self, resource):
        owner = self.has_chosen(resource)
        self.give_votes_back(resource)
        if owner is None:
            self.try_later(resource)  # no client has a majority, so it gives its votes back and will ask again
        else:
            self.send(
                Enqueue(resource, self.ticket[resource], owner, ()), to=owner[1]
            )  # a majority votes for P{owner[1]}

    def on_i_am_winner(self, message, sender):
        hop = self.next_hop(message.replica)
        self.entries[message.replica] = (message.ticket, sender, hop)  # it notes P{message.ticket[1]} as the owner
        self.arrived(message)

    def on_enqueue(self, enqueue, sender):
        resource, client = enqueue.resource, enqueue.ticket[1]
        if resource in self.winner:
            if client in self.queue[resource]:
                return  # P{client} is in its queue already
            if client != self.id:
                self.queue[resource] += (client,)  # it puts P{client} at the end of its queue
        elif resource in self.successor:
            self.send(
                enqueue, to=self.successor[resource]
            )  # it forwards the message to P{successor[resource]}, after the token
        else:
            self.send(
                Retry(resource, enqueue.ticket), to=client
            )  # it tells P{client} to retry: the token is not to be found
            if enqueue.stopped:
                replica, node = enqueue.stopped
                self.send(Stale(replica, enqueue.owner), to=node)

    def on_retry(self, retry, sender):
        if retry.resource in self.wants and retry.ticket == self.ticket[retry.resource]:
            self.try_later(retry.resource)  # it will ask again after a random time

    def on_stale(self, stale, sender):
        self.cross_out(stale.replica, stale.owner)

    def on_token(self, token, sender):
        resource = token.resource
        waiting = tuple(client for client in token.queue if client != self.id)
        if resource in self.wants:
            self.withdraw(resource)
            self.cancel_rest(resource)
            self.take_token(resource, token.winner, waiting)  # the token has been passed to it
        else:
            self.pass_on(resource, token.winner, waiting)

    def take_token(self, resource, winner, waiting):
        self.winner[resource], self.queue[resource] = winner, waiting
        self.enter(resource)

    def release(self, resource):
        self.pass_on(resource, self.winner.pop(resource), self.queue.pop(resource))

    def pass_on(self, resource, winner, waiting):
        self.successor.pop(resource, None)
        if waiting:
            self.successor[resource] = waiting[0]
            self.send(
                Token(resource, winner, waiting[1:]), to=waiting[0]
            )  # it passes the token on to P{waiting[0]}, the next in the queue
        else:
            self.free(resource, winner)  # the queue is empty, so the votes for {winner:ticket} must be freed

    def free(self, resource, winner):
        for replica in self.replicas_of(resource):
            self.send(Release(replica, winner), to=winner[1])

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket), self.id)

    def on_release(self, release, sender):
        following = self.cross_out(release.replica, release.ticket)
        if following is not None:
            self.send(release, to=following)
        elif self.arrived(release) and self.frees(release.replica, release.ticket):
            del self.vote[
                release.replica
            ]  # the vote of {release.replica:replica} for {vote[release.replica]:ticket} ends

    def frees(self, replica, ticket):
        return self.vote.get(replica) == ticket

    def withdraw(self, resource):
        self.give_votes_back(resource)
        self.ticket[resource] = None

    def try_later(self, resource):
        self.withdraw(resource)
        self.set_rest(resource, self.random.exponential(self.backoff))

    def on_rest(self, resource=0):
        self.acquire(resource)

    def unreached(self, message, to):
        super().unreached(message, to)
        if isinstance(message, Token):
            self.pass_on(message.resource, message.winner, message.queue)

    def holding(self):
        return bool(self.winner)


ALGORITHM = Algorithm(
    name="end-to-end",
    title="End-to-End",
    summary="On an overlay, replicas vote; the process inside keeps the queue and passes it on with the token.",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005",
    process=EndToEnd,
    looks={
        Request: "ask",
        Response: "grant",
        IAmWinner: "announce",
        Enqueue: "ask",
        Token: "token",
        Release: "announce",
        Retry: "deny",
        Stale: "deny",
        **UPKEEP,
    },
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost(
        "Σ(3h + [h > 0])",
        lambda n: 0,
        None,
        "summed over the replicas, each h hops away, without competition; [h > 0] is 0 if h = 0, else 1",
    ),
    badge="clock",
    explanation="""\
Each resource has a few replicas at fixed places of the overlay, and the nodes there vote. A client sends a request
towards every replica, hop by hop, and a replica votes for the first request that arrives. A client with a majority
of the votes is the winner and enters; it announces this along the paths to the replicas, so that later requests are
stopped there and the winner is asked to queue them. On leaving, the winner passes a token with the queue to the
first client in it, and only the last one has the votes released. A client that finds no majority for anybody yields:
it gives its votes back and asks again after a random time.""",
    symbols={
        "P7·2": "a ticket: the request of P7 with clock 2; P7·2.1 is its second attempt",
        "h": "the number of hops on the overlay from a client to a replica",
        "[h > 0]": "1 if the replica is at another node, 0 if it is at the client itself",
        "owner": "the ticket that a replica votes for",
        "replica": "one of the nodes' places that vote on a resource",
        "enqueue": "asks the owner to put a client in its queue",
    },
)
