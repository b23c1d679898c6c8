"""A distributed hash table, as the protocols see it: who is responsible for a key, and the next hop towards it.

Nodes and keys have places on one circle of identifiers. What a node knows of the others, its routing table, follows
from the membership and the seed alone; `Pastry` and `Chord` say how. A table is not stored but looked up in the
sorted membership, so that an overlay of 2,000 nodes takes no longer to make than to sort, and to repair all tables
when a node comes or goes is to put it in or take it out.

Where several nodes could fill a place in a table, `convergent` tables all take the same one, and routes to a key meet
on their way; `random` tables take any.
"""

from bisect import bisect_left, insort
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
        self.places = dict(places)  # those of nodes that have gone, and may come back, included
        self.near = near
        self.tables = tables
        self.seed = seed
        self._circle = sorted((place, node) for node, place in self.places.items())  # the nodes that are there
        self._seen = 0  # how many changes of the membership are in
        self._shares = {}  # keys -> which node is responsible for which of them

    def keep_up(self, members):
        """Take in and out who has come and gone since the last time; all nodes take part at first."""
        if self._seen == len(members.changes):
            return
        for node in members.changes[self._seen :]:
            there = self.has(node)
            if there and node not in members.present:
                del self._circle[self.rank(self.places[node])]
            elif not there and node in members.present:
                insort(self._circle, (self.places[node], node))
        self._seen = len(members.changes)
        self._shares.clear()

    def has(self, node):
        """Whether the node is there at present."""
        return bool(self._circle) and self.at(self.rank(self.places[node])) == node

    def shares(self, keys):
        """Node -> the numbers of those among the keys that it is responsible for."""
        if keys not in self._shares:
            self._shares[keys] = shares = {}
            for number, key in enumerate(keys):
                shares.setdefault(self.responsible(key), []).append(number)
        return self._shares[keys]

    def responsible(self, key):
        """The node that answers for the key."""
        raise NotImplementedError

    def neighbours(self, node):
        """The nodes beside it on the circle that it knows, the nearest first."""
        raise NotImplementedError

    def beside(self, node):
        """The nodes next to it on the circle, on both sides."""
        own = self.rank(self.places[node])
        return {self.at(own - 1), self.at(own + 1)} - {node}

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
        return bisect_left(self._circle, (place, -1))

    def at(self, rank):
        """The node of that rank, going round."""
        return self._circle[rank % len(self._circle)][1]

    def others_known(self):
        """How many neighbours on a side there are to know."""
        return min(self.near, len(self._circle) - 1)

    def entry(self, node, start, length):
        """The node within `length` from the place `start` that is in the table of `node`; None if nobody is there."""
        first, last = self.rank(start % CIRCLE), self.rank((start + length) % CIRCLE)
        there = last - first if start % CIRCLE + length < CIRCLE else last + len(self._circle) - first
        if there == 0:
            return None
        return self.at(first + (identifier(self.seed, node, start) % there if self.tables == "random" else 0))
