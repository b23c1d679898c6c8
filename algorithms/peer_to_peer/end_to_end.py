"""End-to-End (Muhammad, Cheema, Gupta, 2005): the queue is kept by whoever is inside, and goes on with the token.

3h + 1 messages for a replica h hops away, none for one that is here. Where the paper leaves a gap, this file fills it:
a vote is for a ticket, one attempt of one client; the token takes the place of a RELEASE while anybody waits; what
comes too late is sent on along the token's way, or told to RETRY.
"""

from dataclasses import field

from algorithms.engine.process import Algorithm, Cost, Message, Parameter, when
from algorithms.peer_to_peer.base import PeerProcess
from algorithms.peer_to_peer.tickets import Replica, Ticket


class Request(Message):
    replica: Replica
    ticket: Ticket  # (attempt, client)
    asks = "ticket"


class Response(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # the request that this answers
    owner: Ticket  # the ticket that the replica votes for


class IAmWinner(Message):
    replica: Replica
    ticket: Ticket


class Enqueue(Message):
    ticket: Ticket  # who wants to be in the queue
    owner: Ticket = field(repr=False)  # the winner, as the sender knows
    stopped: tuple = field(repr=False)  # (replica, node): the request for it was stopped there; () if it was not


class Token(Message):
    winner: Ticket  # the ticket that the replicas vote for
    queue: tuple = field(repr=False)  # the clients still waiting


class Finished(Message):
    winner: Ticket  # your ticket: nobody waits any more, release it


class Release(Message):
    replica: Replica
    ticket: Ticket


class Retry(Message):
    ticket: Ticket


class Stale(Message):
    replica: Replica
    owner: Ticket  # this ticket is not the owner any more


class EndToEnd(PeerProcess):
    paths = "entries"
    backoff = Parameter(5.0, "mean of the random time before I ask again", low=0)

    def setup(self):
        self.attempt = 0
        self.ticket = None  # of my request
        self.voted = {}  # replica: for whose ticket it votes, as it has told me
        self.won = None  # the ticket with which I won last
        self.winner = None  # while the token is mine: the ticket with which it was won
        self.queue = []  # while the token is mine: the clients waiting for it, in order
        self.successor = None  # to whom I have passed the token on; None if its way ended here
        self.vote = {}  # replica, if it is here: the ticket it votes for
        self.entries = {}  # the replica list; replica: (owner's ticket, previous node, next node)

    def acquire(self):
        self.attempt += 1
        self.ticket = (self.attempt, self.id)
        self.voted = {}
        for replica in range(self.replicas):
            self.on_request(Request(replica, self.ticket), self.id)  # I ask all replicas, by way of the overlay

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        if self.stops(request):
            owner = self.entries[replica][0]
            self.send(Enqueue(ticket, owner, (replica, self.id)), to=owner[1])  # I know the owner: no need to go on
        elif self.arrived(request):
            self.vote.setdefault(replica, ticket)  # I vote for the first who asks
            self.send(Response(replica, ticket, self.vote[replica]), to=ticket[1])

    def stops(self, request):
        return request.replica in self.entries

    def on_response(self, response, sender):
        if self.wants and response.ticket == self.ticket:
            self.voted[response.replica] = response.owner
        elif response.owner == response.ticket != self.won:
            self.give_back(response.replica, response.ticket)  # a vote for an attempt that I have given up

    @when(lambda self: self.wants and len(self.my_votes()) >= self.majority())
    def win(self):
        self.won = self.winner = self.ticket
        for replica in range(self.replicas):
            self.on_i_am_winner(IAmWinner(replica, self.ticket), self.id)
        self.enter()  # a majority votes for me

    @when(lambda self: self.wants and len(self.voted) == self.replicas)
    def lose(self):
        owners = list(self.voted.values())
        owner = max(owners, key=owners.count)
        if owners.count(owner) >= self.majority():
            self.give_votes_back()
            self.send(Enqueue(self.ticket, owner, ()), to=owner[1])  # another has a majority: I join its queue
        else:
            self.try_later()  # nobody has a majority: YIELD

    def on_i_am_winner(self, message, sender):
        self.entries[message.replica] = (message.ticket, sender, self.next_hop(message.replica))
        self.arrived(message)

    def on_enqueue(self, enqueue, sender):
        client = enqueue.ticket[1]
        if self.winner is not None:
            if client not in (*self.queue, self.id):
                self.queue.append(client)  # the token is mine: you are next after those who came before
        elif self.successor is not None:
            self.send(enqueue, to=self.successor)  # the token was mine: follow it
        else:
            self.send(Retry(enqueue.ticket), to=client)  # its way has ended
            if enqueue.stopped:
                replica, node = enqueue.stopped
                self.send(Stale(replica, enqueue.owner), to=node)

    def on_retry(self, retry, sender):
        if self.wants and retry.ticket == self.ticket:
            self.try_later()

    def on_stale(self, stale, sender):
        if stale.replica in self.entries and self.entries[stale.replica][0] == stale.owner:
            del self.entries[stale.replica]

    def on_rest(self):
        self.acquire()

    def on_token(self, token, sender):
        waiting = [client for client in token.queue if client != self.id]
        if self.wants:
            self.winner, self.queue = token.winner, waiting
            self.give_votes_back()
            self.ticket = None
            self.cancel_timer("rest")
            self.enter()  # the token has come to me
        else:
            self.pass_on(token.winner, waiting)  # I have been served already

    def release(self):
        self.pass_on(self.winner, self.queue)
        self.winner = None
        self.queue = []

    def pass_on(self, winner, waiting):
        if waiting:
            self.successor = waiting[0]
            self.send(Token(winner, tuple(waiting[1:])), to=self.successor)  # the first in the queue is next
        else:
            self.successor = None
            self.send(Finished(winner), to=winner[1])  # nobody waits: the votes are free

    def on_finished(self, finished, sender):
        for replica in range(self.replicas):
            self.give_back(replica, finished.winner)

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket), self.id)

    def on_release(self, release, sender):
        replica, ticket = release.replica, release.ticket
        owner, _, following = self.entries.get(replica, (None, None, None))
        if owner == ticket:
            del self.entries[replica]  # I clean up, and send it where the winner's message went
        else:
            following = self.next_hop(replica)
        if following is not None:
            self.send(release, to=following)
        elif self.frees(replica, ticket):
            del self.vote[replica]  # the vote is free; one for another ticket is not

    def frees(self, replica, ticket):
        return self.vote.get(replica) == ticket

    def my_votes(self):
        """The replicas that vote for me."""
        return [replica for replica, owner in self.voted.items() if owner == self.ticket]

    def give_votes_back(self):
        for replica in self.my_votes():
            self.give_back(replica, self.ticket)
        self.voted = {}

    def try_later(self):
        self.give_votes_back()
        self.ticket = None
        self.set_timer("rest", self.random.exponential(self.backoff))

    def holding(self):
        return self.winner is not None

    def waiting_for(self):
        return {owner[1] for owner in self.voted.values() if owner != self.ticket} if self.wants else ()


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
        Finished: "announce",
        Release: "announce",
        Retry: "deny",
        Stale: "deny",
    },
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost("Σ(3h + [h > 0])", lambda n: 0, None, "over the replicas, h hops away, if nobody else asks"),
    badge="attempt",
    chips="queue",
)
