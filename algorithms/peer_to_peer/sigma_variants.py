"""Sigma with clients that poll while they wait, instead of relying on the replicas' queues."""

from algorithms.engine.process import Parameter, Variant
from algorithms.peer_to_peer.base import Response
from algorithms.peer_to_peer.sigma import Sigma


class Polling(Sigma):
    poll_time = Parameter(10.0, "mean time before a waiting client asks again (random, ± half)", low=0)
    routed_answers = Parameter(False, "whether responses are routed through the overlay instead of sent directly")

    def lose(self, resource):
        if self.has_chosen(resource) is None:
            super().lose(resource)
        else:
            self.set_rest(resource, self.poll_time * (0.5 + self.random.random()))

    def on_rest(self, resource=0):
        if self.has_chosen(resource) is None:
            super().on_rest(resource)
        else:
            mine = self.my_votes(resource)
            for replica in (replica for replica in self.replicas_of(resource) if replica not in mine):
                del self.voted[replica]
                self.ask(replica, self.ticket[resource])

    def tell(self, replica, ticket):
        if self.routed_answers:
            self.send_on(Response(replica, ticket, self.vote[replica]))
        else:
            super().tell(replica, ticket)

    def on_response(self, response, sender):
        if response.ticket[1] == self.id:
            super().on_response(response, sender)
        else:
            self.send_on(response)

    def send_on(self, response):
        hop = self.dht.next_hop(self.id, self.dht.places[response.ticket[1]])
        self.send(
            response, to=self.id if hop is None else hop
        )  # the response goes one hop on towards P{response.ticket[1]}


VARIANTS = {"sigma": {"polling": Variant(Polling, "Waiting clients keep asking; the replicas' queues go unused.")}}
