"""What processes on an overlay have in common: their places, the replicas' keys, and the way there, hop by hop.

A routed message names the replica that it is for, and each process on the way sends it on to its next hop. Answers go
straight to whom they are for. All processes work out the same overlay from the parameters.
"""

from functools import lru_cache

from algorithms.engine.process import MutexProcess, Parameter
from algorithms.peer_to_peer.chord import Chord
from algorithms.peer_to_peer.overlay import CIRCLE, TABLES, identifier
from algorithms.peer_to_peer.pastry import Pastry

OVERLAYS = ("chord", "pastry")
WIDTHS = (1, 2, 4, 8)  # the bits of a Pastry digit that divide an identifier evenly


@lru_cache(maxsize=32)
def overlay_of(kind, size, placement, near, tables, b):
    """The overlay of `size` processes at the places that the seed `placement` gives them."""
    places = {node: identifier(placement, "node", node) for node in range(size)}
    near = min(near, size - 1)
    return Chord(places, near, tables, placement) if kind == "chord" else Pastry(places, near, tables, placement, b)


class PeerProcess(MutexProcess):
    votes = "vote"  # for the picture: my variable with the ticket that each replica here votes for …
    paths = None  # … with the owner's ticket, or that, the node before and the node after me on its path, by replica …
    waits = None  # … and with the (replica, ticket) that wait here

    replicas = Parameter(3, "how many replicas vote on the resource", low=1)
    overlay = Parameter("chord", "chord or pastry", fits=lambda kind, nodes: kind in OVERLAYS)
    near = Parameter(1, "how many neighbours on the circle each knows: successors, or leaves on each side", low=1)
    b = Parameter(2, "how many bits a digit of Pastry's has: 1, 2, 4 or 8", fits=lambda b, nodes: b in WIDTHS)
    tables = Parameter("convergent", "convergent or random routing tables", fits=lambda kind, nodes: kind in TABLES)
    placement = Parameter(1, "the seed of the places on the circle")
    resource = Parameter("resource", "the name of the resource: the places of its keys follow from it")

    @property
    def dht(self):
        """The overlay that I am on."""
        return overlay_of(self.overlay, self.size, self.placement, self.near, self.tables, self.b)

    def key(self, replica):
        """The replica's key: the keys of one resource lie at equal distances round the circle."""
        return (identifier(self.placement, self.resource) + replica * CIRCLE // self.replicas) % CIRCLE

    def next_hop(self, replica):
        """My next hop towards the replica; None if it is here."""
        return self.dht.next_hop(self.id, self.key(replica))

    def arrived(self, message):
        """Whether the replica that the message is for is here; if not, the message goes one hop on."""
        hop = self.next_hop(message.replica)
        if hop is not None:
            self.send(message, to=hop)
        return hop is None

    def majority(self):
        """How many replicas have to vote for me."""
        return self.replicas // 2 + 1
