"""Non-End-to-End (Muhammad, Cheema, Gupta, 2005): requests wait where they meet the path of an earlier one.

2h + 1 messages for a replica h hops away, none for a local one. Where the paper leaves a gap, this file fills it: a
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
    holder: Ticket  # the ticket that the replica votes for, as far as the sender knows


class Release(Routed):
    ticket: Ticket  # I do not need your vote any more
    requests: tuple = field(repr=False)  # the tickets that have waited on the way here


class Yield(Routed):
    ticket: Ticket = field(repr=False)  # I give the vote for it back …
    again: Ticket  # … and ask for one for this ticket
    requests: tuple = field(repr=False)  # the tickets that have waited on the way here
    asks = "again"


class NonEndToEnd(OnPaths, Yielding, PeerProcess):
    votes = "entries"

    def on_request(self, request, sender):
        replica, ticket = request.replica, request.ticket
        self.clock = max(self.clock, ticket[0])
        if self.is_broken(replica):
            self.give_up(replica)
        if replica in self.entries:
            self.queue.add((replica, ticket))  # somebody came before: the request waits here
            self.tell(replica, ticket)
        elif self.arrived(request):
            self.entries[replica] = (ticket, sender, None)
            self.tell(replica, ticket)  # I vote for the first who asks
        elif (hop := self.next_hop(replica)) is not None:
            self.entries[replica] = (ticket, sender, hop)

    def give_up(self, replica):
        """The path that I am on is broken: those that wait behind its holder go on."""
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
        for replica in self.replicas_of(resource):
            self.on_yield(Yield(replica, old, again, ()), self.id)  # all requests shall come before the replicas

    def on_yield(self, message, sender):
        replica, again = message.replica, message.again
        following, waiting = self.clean_up(message)
        onward = Yield(replica, message.ticket, again, waiting)
        if following is not None:
            self.send(onward, to=following)
        elif self.arrived(onward):
            self.merge(replica, (*waiting, again))  # the oldest gets the vote, whoever that is
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
            self.merge(release.replica, waiting)  # of all who have waited on the way, the oldest gets the vote

    def clean_up(self, release):
        """Forget the ticket; if it was the holder, those that wait behind it go on, with those from before.

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
        """At the replica: queue the requests up, and vote for the oldest if the vote is free."""
        self.queue.update((replica, ticket) for ticket in requests)
        if replica not in self.entries and requests:
            oldest = min(requests)
            self.queue.remove((replica, oldest))
            self.entries[replica] = (oldest, self.id, None)
            self.tell(replica, oldest)

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
    cost=Cost("Σ(2h + [h > 0])", lambda n: 0, None, "over the replicas, h hops away, if nobody else asks"),
    badge="clock",
)
