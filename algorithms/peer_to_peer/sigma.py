"""Sigma (Lin, Lian, Chen, Zhang, IPTPS 2004): replicas vote, and each keeps a queue, the oldest request first.

2h + 1 messages for a replica h hops away, none for a local one. If no client has a majority, all yield.
"""

from algorithms.engine.process import Algorithm, Cost
from algorithms.peer_to_peer.base import UPKEEP, PeerProcess, Request, Response, Routed
from algorithms.peer_to_peer.quorum import Voter, Yielding
from algorithms.peer_to_peer.tickets import Ticket


class Yield(Routed):
    ticket: Ticket  # I give the vote for it back, and ask for it again
    asks = "ticket"


class Release(Routed):
    ticket: Ticket  # I do not need your vote any more


class Sigma(Voter, Yielding, PeerProcess):
    def on_request(self, request, sender):
        if self.arrived(request):
            self.clock = max(self.clock, request.ticket[0])
            if request.replica in self.vote:
                self.keep(request)  # I have voted: the request waits here
                self.tell(request.replica, request.ticket)
            else:
                self.vote_for(request.replica, request.ticket)  # I vote for the first who asks

    def keep(self, request):
        self.queue.add((request.replica, request.ticket))

    def vote_for(self, replica, ticket):
        self.vote[replica] = ticket
        self.tell(replica, ticket)

    def tell(self, replica, ticket):
        self.send(Response(replica, ticket, self.vote[replica]), to=ticket[1])

    def on_response(self, response, sender):
        self.clock = max(self.clock, response.owner[0])
        if self.awaits(response.replica, response.ticket):
            self.answered(response.replica, response.ticket, response.owner)

    def give_way(self, resource):
        for replica in self.my_votes(resource):
            del self.voted[replica]
            self.on_yield(Yield(replica, self.ticket[resource]), self.id)  # others may need it: I ask for it again

    def on_yield(self, message, sender):
        if self.arrived(message):
            self.keep(message)
            self.free(message.replica, message.ticket)  # the oldest gets the vote, whoever that is
            if self.vote[message.replica] != message.ticket:
                self.tell(message.replica, message.ticket)

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket), self.id)

    def on_release(self, release, sender):
        if self.arrived(release):
            self.queue.discard((release.replica, release.ticket))
            self.free(release.replica, release.ticket)

    def free(self, replica, ticket):
        """A vote for that ticket is free for the oldest that waits; one for another ticket is not."""
        if self.vote.get(replica, ticket) == ticket:
            self.vote.pop(replica, None)
            waiting = [waits for at, waits in self.queue if at == replica]
            if waiting:
                oldest = min(waiting)
                self.queue.remove((replica, oldest))
                self.vote_for(replica, oldest)

    def take_in(self, replica, state):
        super().take_in(replica, state)
        self.queue |= {(replica, ticket) for ticket in state[1]}


ALGORITHM = Algorithm(
    name="sigma",
    title="Sigma",
    summary="On an overlay, the replicas of a resource vote and keep queues; a majority of votes lets a process in.",
    source="S.-D. Lin, Q. Lian, M. Chen, Z. Zhang, IPTPS 2004, as in M. Muhammad, A. Cheema, I. Gupta, 2005",
    process=Sigma,
    looks={Request: "ask", Response: "grant", Yield: "deny", Release: "announce", **UPKEEP},
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost("Σ(2h + [h > 0])", lambda n: 0, None, "over the replicas, h hops away, if nobody else asks"),
    badge="clock",
)
