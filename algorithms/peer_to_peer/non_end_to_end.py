"""Non-End-to-End (Muhammad, Cheema, Gupta, 2005): requests wait where they meet the path of an earlier one.

2h + 1 messages for a replica h hops away, none for a local one. This file fills the gaps of the paper: a
RELEASE frees its own ticket's vote only, every attempt has a ticket of its own, and every client without a majority
sends YIELD to all replicas.
"""

from dataclasses import field

from algorithms.engine.process import Algorithm, Cost
from algorithms.peer_to_peer.base import Answer, PeerProcess, Request, Routed
from algorithms.peer_to_peer.paths import UPKEEP, OnPaths
from algorithms.peer_to_peer.quorum import Yielding
from algorithms.peer_to_peer.tickets import Ticket


class Grantreq(Answer):
    holder: Ticket  # the ticket that the replica votes for, as known to the sender


class Release(Routed):
    ticket: Ticket  # the ticket whose vote is free
    requests: tuple = field(repr=False)  # the tickets that waited along the path so far


class Yield(Routed):
    ticket: Ticket = field(repr=False)  # the ticket whose vote is given back …
    again: Ticket  # … and the one that asks for a vote instead
    requests: tuple = field(repr=False)  # the tickets that waited along the path so far
    asks = "again"


class NonEndToEnd(OnPaths, Yielding, PeerProcess):
    votes = "entries"

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        self.clock = max(self.clock, ticket[0])
        if self.is_broken(replica):
            self.give_up(replica)
        if replica in self.entries:
            self.queue.add((replica, ticket))
            self.tell(replica, ticket)  # it queues the request behind that of P{entries[replica][0][1]}
        elif self.arrived(request):
            self.entries[replica] = (ticket, sender, None)
            self.tell(replica, ticket)  # its vote is free, so it votes for P{ticket[1]}
        elif (hop := self.next_hop(replica)) is not None:
            self.entries[replica] = (ticket, sender, hop)

    def give_up(self, replica):
        """Forget a broken path: the requests that wait behind its holder continue."""
        del self.entries[replica]
        for ticket in self.unqueued(replica):
            self.on_request(Request(replica, ticket), self.id)

    def tell(self, replica, ticket):
        self.send(Grantreq(replica, ticket, self.entries[replica][0]), to=ticket[1])

    def on_grantreq(self, grantreq, sender):
        self.clock = max(self.clock, grantreq.holder[0])
        if self.awaits(grantreq.replica, grantreq.ticket):
            self.answered(grantreq.replica, grantreq.ticket, grantreq.holder)

    def give_way(self, resource):
        clock, _, attempt = old = self.ticket[resource]
        self.ticket[resource] = again = (clock, self.id, attempt + 1)
        self.forget_votes(resource)
        for replica in self.replicas_of(resource):  # it yields its votes and asks every replica again
            self.on_yield(Yield(replica, old, again, ()), self.id)

    def on_yield(self, message, sender):
        replica, again = message.replica, message.again
        following, waiting = self.clean_up(message)
        onward = Yield(replica, message.ticket, again, waiting)
        if following is not None:
            self.send(onward, to=following)
        elif self.arrived(onward):
            self.merge(replica, (*waiting, again))
            if not self.is_entered(replica, again):
                self.tell(replica, again)

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket, ()), self.id)

    def on_release(self, release, sender):
        following, waiting = self.clean_up(release)
        onward = Release(release.replica, release.ticket, waiting)
        if following is not None:
            self.send(onward, to=following)
        elif self.arrived(onward):
            self.merge(release.replica, waiting)

    def clean_up(self, release):
        """Forget the ticket; if it was the holder, the requests that wait behind it go on with the release.

        Returns the next node on the holder's path, and the tickets that go on.
        """
        replica, ticket = release.replica, release.ticket
        self.queue.discard((replica, ticket))
        if not self.frees(replica, ticket):
            return None, release.requests
        following = self.entries.pop(replica)[2]
        return following, (*release.requests, *self.unqueued(replica))

    def frees(self, replica, ticket):
        return self.is_entered(replica, ticket)

    def merge(self, replica, requests):
        """At the replica: queue the requests, and vote for the oldest if the vote is free."""
        self.queue.update((replica, ticket) for ticket in requests)
        if replica not in self.entries and requests:
            oldest = min(requests)
            self.queue.remove((replica, oldest))
            self.entries[replica] = (oldest, self.id, None)
            self.tell(replica, oldest)  # its vote is free, so it votes for {oldest:ticket}, the oldest request here

    def join_ends(self):
        super().join_ends()
        for replica, ticket in sorted(self.queue):
            self.send(Request(replica, ticket), to=self.dht.responsible(self.key(replica)))

    def take_out(self, replica, heir):
        holder, *_ = self.entries.get(replica, (None,))
        return (holder, *super().take_out(replica, heir))

    def take_in(self, replica, state):
        holder, waiting = state
        waiting = (*waiting, *self.unqueued(replica))
        self.entries.pop(replica, None)
        if holder is not None:
            self.entries[replica] = (holder, self.id, None)
        self.merge(replica, waiting)


ALGORITHM = Algorithm(
    name="non-end-to-end",
    title="Non-End-to-End",
    summary="On an overlay, requests wait where they meet the path of an earlier one; replicas vote.",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005",
    process=NonEndToEnd,
    looks={Request: "ask", Grantreq: "grant", Yield: "deny", Release: "announce", **UPKEEP},
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost(
        "Σ(2h + [h > 0])",
        lambda n: 0,
        None,
        "summed over the replicas, each h hops away, without competition; [h > 0] is 0 if h = 0, else 1",
    ),
    badge="clock",
    explanation="""\
Each resource has a few replicas at fixed places of the overlay, and the nodes there vote. A client sends a request
towards every replica, hop by hop. Where a request meets the path of an earlier one for the same replica, it waits
there, and its client is told who is ahead. A client with a majority of the votes enters. When it leaves, its
releases travel the same paths, collect the requests that wait there, and the replica votes for the oldest. If no
client has a majority, the clients yield after a random time, so that the oldest request can win.""",
    symbols={
        "P7·2": "a ticket: the request of P7 with clock 2; P7·2.1 is its second attempt",
        "h": "the number of hops on the overlay from a client to a replica",
        "[h > 0]": "1 if the replica is at another node, 0 if it is at the client itself",
        "grantreq": "tells a client which ticket a replica votes for",
        "holder": "the ticket that a replica votes for",
    },
)
