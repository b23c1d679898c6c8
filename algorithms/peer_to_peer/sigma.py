"""Sigma (Lin, Lian, Chen, Zhang, IPTPS 2004): replicas vote, and each keeps a queue, oldest request first.

2h + 1 messages for a replica h hops away, none for a local one. If no client has a majority, all yield.
"""

from algorithms.engine.process import Algorithm, Cost
from algorithms.peer_to_peer.base import UPKEEP, PeerProcess, Request, Response, Routed
from algorithms.peer_to_peer.quorum import Voter, Yielding
from algorithms.peer_to_peer.tickets import Ticket


class Yield(Routed):
    ticket: Ticket  # the ticket that gives its vote back and asks again
    asks = "ticket"


class Release(Routed):
    ticket: Ticket  # the ticket whose vote is free


class Sigma(Voter, Yielding, PeerProcess):
    def on_request(self, request, sender):
        if self.arrived(request):
            self.clock = max(self.clock, request.ticket[0])
            if request.replica in self.vote:
                self.keep(request)
                self.tell(
                    request.replica, request.ticket
                )  # its vote is for {vote[request.replica]:ticket}, so it queues the request
            else:
                self.vote_for(request.replica, request.ticket)  # its vote is free, so it votes for P{request.ticket[1]}

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
            self.on_yield(Yield(replica, self.ticket[resource]), self.id)  # it yields its votes and asks for them again

    def on_yield(self, message, sender):
        if self.arrived(message):
            self.keep(message)
            self.free(message.replica, message.ticket)
            if self.vote[message.replica] != message.ticket:
                self.tell(message.replica, message.ticket)

    def give_back(self, replica, ticket):
        self.on_release(Release(replica, ticket), self.id)

    def on_release(self, release, sender):
        if self.arrived(release):
            self.queue.discard((release.replica, release.ticket))
            self.free(release.replica, release.ticket)

    def free(self, replica, ticket):
        """If the vote is for that ticket, it goes to the oldest request that waits here."""
        if self.vote.get(replica, ticket) == ticket:
            self.vote.pop(replica, None)
            waiting = [waits for at, waits in self.queue if at == replica]
            if waiting:
                oldest = min(waiting)
                self.queue.remove((replica, oldest))
                self.vote_for(replica, oldest)  # it votes for {oldest:ticket}, the oldest request in its queue

    def take_in(self, replica, state):
        super().take_in(replica, state)
        self.queue |= {(replica, ticket) for ticket in state[1]}


ALGORITHM = Algorithm(
    name="sigma",
    title="Sigma",
    summary="On an overlay, the replicas of a resource vote and keep queues; a process with a majority enters.",
    source="S.-D. Lin, Q. Lian, M. Chen, Z. Zhang, IPTPS 2004, as in M. Muhammad, A. Cheema, I. Gupta, 2005",
    process=Sigma,
    looks={Request: "ask", Response: "grant", Yield: "deny", Release: "announce", **UPKEEP},
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
towards every replica, hop by hop, and each replica answers directly for which request it votes. A replica whose vote
is taken keeps later requests in a queue, the oldest first. A client with a majority of the votes enters; when it
leaves, it releases its votes, and every replica votes for the oldest request in its queue. If no client has a
majority, the clients yield after a random time: they give their votes back, and the oldest requests receive them.""",
    symbols={
        "P7·2": "a ticket: the request of P7 with clock 2; P7·2.1 is its second attempt",
        "h": "the number of hops on the overlay from a client to a replica",
        "[h > 0]": "1 if the replica is at another node, 0 if it is at the client itself",
        "owner": "the ticket that a replica votes for",
    },
)
