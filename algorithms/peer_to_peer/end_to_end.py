"""End-to-End (Muhammad, Cheema, Gupta, 2005): the process inside keeps the queue, and passes it on with the token.

3h + 1 messages for a replica h hops away, none for a local one. Where the paper leaves a gap, this file fills it: a
vote is for a ticket, one attempt of one client; the token replaces a RELEASE while any client waits, and the last
holder has the RELEASE sent from where the winner's path begins; late messages follow the token, or are told to RETRY.
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
    ticket: Ticket  # who wants to be in the queue
    owner: Ticket = field(repr=False)  # the winner, as the sender knows
    stopped: tuple = field(repr=False)  # (replica, node): the request for it was stopped there; () if it was not


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
    owner: Ticket  # this ticket is not the owner any more


class EndToEnd(OnPaths, Voter, PeerProcess):
    lines = "queue"

    def setup(self):
        super().setup()
        self.winner = {}  # resource, while its token is mine: the ticket with which it was won
        self.queue = {}  # resource, while its token is mine: the clients waiting for it, in order
        self.successor = {}  # resource: to whom I have passed its token on, unless its way ended here

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        if self.stops(replica, ticket):
            owner, *_ = self.entries[replica]  # I know the owner: no need to go on
            self.send(Enqueue(self.resource_of(replica), ticket, owner, (replica, self.id)), to=owner[1])
        elif self.arrived(request):
            self.vote.setdefault(replica, ticket)  # I vote for the first who asks
            self.send(Response(replica, ticket, self.vote[replica]), to=ticket[1])

    def stops(self, replica, ticket):
        return replica in self.entries and not self.is_broken(replica)

    def on_response(self, response, sender):
        replica, ticket = response.replica, response.ticket
        if self.awaits(replica, ticket):
            self.answered(replica, ticket, response.owner)
        elif response.owner == ticket != self.ticket.get(self.resource_of(replica)):
            self.give_back(replica, ticket)  # a vote for an attempt that I have given up

    def win(self, resource):
        for replica in self.replicas_of(resource):
            self.on_i_am_winner(IAmWinner(replica, self.ticket[resource]), self.id)
        self.take_token(resource, self.ticket[resource], ())  # a majority votes for me

    def lose(self, resource):
        owner = self.has_chosen(resource)
        self.give_votes_back(resource)
        if owner is None:
            self.try_later(resource)  # nobody has a majority: YIELD
        else:
            self.send(Enqueue(resource, self.ticket[resource], owner, ()), to=owner[1])  # another has: I join its queue

    def on_i_am_winner(self, message, sender):
        hop = self.next_hop(message.replica)
        self.entries[message.replica] = (message.ticket, sender, hop)  # I know the owner now, and stop who comes by
        self.arrived(message)

    def on_enqueue(self, enqueue, sender):
        resource, client = enqueue.resource, enqueue.ticket[1]
        if resource in self.winner:
            if client not in (*self.queue[resource], self.id):  # once in the queue is enough
                self.queue[resource] += (client,)  # the token is mine: you are next after those who came before
        elif resource in self.successor:
            self.send(enqueue, to=self.successor[resource])  # the token was mine: follow it
        else:
            self.send(Retry(resource, enqueue.ticket), to=client)  # its way has ended
            if enqueue.stopped:
                replica, node = enqueue.stopped
                self.send(Stale(replica, enqueue.owner), to=node)

    def on_retry(self, retry, sender):
        if retry.resource in self.wants and retry.ticket == self.ticket[retry.resource]:
            self.try_later(retry.resource)

    def on_stale(self, stale, sender):
        self.cross_out(stale.replica, stale.owner)

    def on_token(self, token, sender):
        resource = token.resource
        waiting = tuple(client for client in token.queue if client != self.id)
        if resource in self.wants:
            self.withdraw(resource)
            self.cancel_rest(resource)
            self.take_token(resource, token.winner, waiting)  # the token has come to me
        else:
            self.pass_on(resource, token.winner, waiting)  # I have been served already

    def take_token(self, resource, winner, waiting):
        self.winner[resource], self.queue[resource] = winner, waiting
        self.enter(resource)

    def release(self, resource):
        self.pass_on(resource, self.winner.pop(resource), self.queue.pop(resource))

    def pass_on(self, resource, winner, waiting):
        self.successor.pop(resource, None)
        if waiting:
            self.successor[resource] = waiting[0]
            self.send(Token(resource, winner, waiting[1:]), to=waiting[0])  # the first in the queue is next
        else:
            self.free(resource, winner)  # nobody waits: all votes are free

    def free(self, resource, winner):
        for replica in self.replicas_of(resource):
            self.send(Release(replica, winner), to=winner[1])

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket), self.id)

    def on_release(self, release, sender):
        following = self.cross_out(release.replica, release.ticket)
        if following is not None:
            self.send(release, to=following)  # I clean up, and send it where the winner's message went
        elif self.arrived(release) and self.frees(release.replica, release.ticket):
            del self.vote[release.replica]

    def frees(self, replica, ticket):
        return self.vote.get(replica) == ticket  # the vote is free, if it was for that ticket

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
            self.pass_on(message.resource, message.winner, message.queue)  # who was next is gone

    def holding(self):
        return bool(self.winner)


ALGORITHM = Algorithm(
    name="end-to-end",
    title="End-to-End",
    summary="On an overlay, replicas vote; who is inside keeps the queue, and hands it on with the token.",
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
    cost=Cost("Σ(3h + [h > 0])", lambda n: 0, None, "over the replicas, h hops away, if nobody else asks"),
    badge="clock",
)
