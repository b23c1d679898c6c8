"""A distributed hash table, as the protocols see it: who is responsible for a key, and the next hop towards it.

Nodes and keys have places on one circle of identifiers. What a node knows of the others, its routing table, follows
from the membership and the seed alone; `Pastry` and `Chord` say how. A table is not stored but looked up in the
sorted membership, so that an overlay of 2,000 nodes takes no longer to make than to sort.

Where several nodes could fill a place in a table, `convergent` tables all take the same one, and routes to a key meet
on their way; `random` tables take any.
"""

from bisect import bisect_left
from hashlib import blake2b

BITS = 64  # of an identifier
CIRCLE = 1 << BITS

TABLES = ("convergent", "random")


def identifier(*names):
    """The place on the circle of whatever has these names: a pure function of them, spread evenly."""
    return int.from_bytes(blake2b(repr(names).encode(), digest_size=BITS // 8).digest(), "big")


def clockwise(a, b):
    """How far it is from place a to place b, going up."""
    return (b - a) % CIRCLE


def distance(a, b):
    """How far apart two places are, the shorter way round."""
    return min(clockwise(a, b), clockwise(b, a))


class Overlay:
    """The nodes in `places` (node -> identifier); each knows `near` neighbours on the circle, and its table."""

    def __init__(self, places, near=1, tables="convergent", seed=0):
        self.places = dict(places)
        self.near = near
        self.tables = tables
        self.seed = seed
        self._circle = sorted(self.places, key=self.places.get)  # the nodes, in order of their identifiers
        self._identifiers = [self.places[node] for node in self._circle]

    def responsible(self, key):
        """The node that answers for the key."""
        raise NotImplementedError

    def neighbours(self, node):
        """The nodes beside it on the circle that it knows, the nearest first."""
        raise NotImplementedError

    def long_hop(self, node, key):
        """The next node towards a key that none of the neighbours is responsible for."""
        raise NotImplementedError

    def next_hop(self, node, key):
        """Where a message at `node` goes on its way to the key; None if it has arrived."""
        root = self.responsible(key)
        if root == node:
            return None
        return root if root in self.neighbours(node) else self.long_hop(node, key)

    def route(self, node, key):
        """The nodes that a message from `node` to the key visits, both ends included."""
        visited = [node]
        while (hop := self.next_hop(visited[-1], key)) is not None:
            visited.append(hop)
        return visited

    # ---- for the overlays: the membership in order ---------------------------------------------------------

    def rank(self, place):
        """How many identifiers are below that place: the rank, going round, of the first node at it or after it."""
        return bisect_left(self._identifiers, place)

    def at(self, rank):
        """The node of that rank, going round."""
        return self._circle[rank % len(self._circle)]

    def entry(self, node, start, length):
        """The node within `length` from the place `start` that is in the table of `node`; None if nobody is there."""
        first, last = self.rank(start % CIRCLE), self.rank((start + length) % CIRCLE)
        there = last - first if start % CIRCLE + length < CIRCLE else last + len(self._circle) - first
        if there == 0:
            return None
        return self.at(first + (identifier(self.seed, node, start) % there if self.tables == "random" else 0))
