"""Non-End-to-End (Muhammad, Cheema, Gupta, 2005): requests wait where they meet the path of an earlier one.

2h + 1 messages for a replica h hops away, none for one that is here. Where the paper leaves a gap, this file fills it:
a RELEASE frees its own ticket's vote only, every attempt has a ticket of its own, and all who have no majority YIELD,
to all replicas.
"""

from dataclasses import field

from algorithms.engine.process import Algorithm, Cost, Message
from algorithms.peer_to_peer.quorum import Quorum
from algorithms.peer_to_peer.tickets import Replica, Ticket


class Request(Message):
    replica: Replica
    ticket: Ticket  # (clock, client, attempt): the smaller is the older, and the older goes first
    asks = "ticket"


class Grantreq(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # the request that this answers
    holder: Ticket  # the ticket that the replica votes for, as far as the sender knows


class Release(Message):
    replica: Replica
    ticket: Ticket  # I do not need your vote any more
    requests: tuple = field(repr=False)  # the tickets that have waited on the way here


class Yield(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # I give the vote for it back …
    again: Ticket  # … and ask for one for this ticket
    requests: tuple = field(repr=False)  # the tickets that have waited on the way here
    asks = "again"


class NonEndToEnd(Quorum):
    waits = "queue"
    votes = paths = "holder"

    def setup(self):
        super().setup()
        self.holder = {}  # the replica list; replica: the ticket it votes for, or the first that passed me
        self.queue = set()  # (replica, ticket): the requests that wait here, behind the holder

    def ask(self, replica):
        self.on_request(Request(replica, self.ticket), self.id)

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        self.clock = max(self.clock, ticket[0])
        if replica in self.holder:
            self.queue.add((replica, ticket))  # somebody came before: the request waits here
            self.tell(replica, ticket)
        else:
            self.holder[replica] = ticket
            if self.arrived(request):
                self.tell(replica, ticket)  # I vote for the first who asks

    def tell(self, replica, ticket):
        self.send(Grantreq(replica, ticket, self.holder[replica]), to=ticket[1])

    def on_grantreq(self, grantreq, sender):
        self.answered(grantreq.replica, grantreq.ticket, grantreq.holder)

    def give_way(self):
        old = self.ticket
        clock, _, attempt = old
        self.ticket = (clock, self.id, attempt + 1)
        self.voted = {}
        for replica in range(self.replicas):
            self.on_yield(Yield(replica, old, self.ticket, ()), self.id)  # all requests shall come before the replicas

    def on_yield(self, message, sender):
        replica = message.replica
        waiting = self.clean_up(message)
        if self.arrived(Yield(replica, message.ticket, message.again, waiting)):
            self.merge(replica, (*waiting, message.again))  # the oldest gets the vote, whoever that is
            if self.holder[replica] != message.again:
                self.tell(replica, message.again)

    def release(self):
        for replica in range(self.replicas):
            self.on_release(Release(replica, self.ticket, ()), self.id)  # my path gives way, and the replica its vote

    def on_release(self, release, sender):
        waiting = self.clean_up(release)
        if self.arrived(Release(release.replica, release.ticket, waiting)):
            self.merge(release.replica, waiting)  # of all who have waited on the way, the oldest gets the vote

    def clean_up(self, release):
        """Forget the ticket; if it was the holder, those that wait behind it go on, with those from before."""
        replica, ticket = release.replica, release.ticket
        self.queue.discard((replica, ticket))
        if self.frees(replica, ticket):
            del self.holder[replica]
            behind = {(at, waits) for at, waits in self.queue if at == replica}
            self.queue -= behind
            return (*release.requests, *sorted(waits for _, waits in behind))
        return release.requests

    def frees(self, replica, ticket):
        return self.holder.get(replica) == ticket

    def merge(self, replica, requests):
        """At the replica: queue the requests up, and vote for the oldest if the vote is free."""
        self.queue.update((replica, ticket) for ticket in requests)
        if replica not in self.holder and requests:
            oldest = min(requests)
            self.queue.remove((replica, oldest))
            self.holder[replica] = oldest
            self.tell(replica, oldest)


ALGORITHM = Algorithm(
    name="non-end-to-end",
    title="Non-End-to-End",
    summary="On an overlay, requests wait where they meet the path of an earlier one; replicas vote.",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005",
    process=NonEndToEnd,
    looks={Request: "ask", Grantreq: "grant", Yield: "deny", Release: "announce"},
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost("Σ(2h + [h > 0])", lambda n: 0, None, "over the replicas, h hops away, if nobody else asks"),
    badge="clock",
)
