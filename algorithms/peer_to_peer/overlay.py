"""A distributed hash table for the protocols: the node responsible for a key, and the next hop towards it.

Nodes and keys have places on one circle of identifiers. The routing table of a node is determined by the membership
and the seed alone; `Pastry` and `Chord` say how. A table is not stored but looked up in the sorted membership: an
overlay of 2,000 nodes is made in the time of a sort, and inserting or removing a node repairs all tables.

Where several nodes could fill an entry of a table, `convergent` tables all take the same one, so routes to a key meet;
`random` tables take any.
"""

from bisect import bisect_left, insort
from hashlib import blake2b

BITS = 64  # of an identifier
CIRCLE = 1 << BITS

TABLES = ("convergent", "random")


def identifier(*names):
    """The place on the circle for these names: a pure function of them, spread evenly."""
    return int.from_bytes(blake2b(repr(names).encode(), digest_size=BITS // 8).digest(), "big")


def clockwise(a, b):
    """The distance from place a upwards to place b."""
    return (b - a) % CIRCLE


def distance(a, b):
    """The distance between two places, the shorter way round."""
    return min(clockwise(a, b), clockwise(b, a))


class Overlay:
    """The nodes in `places` (node -> identifier); each knows `near` neighbours on the circle, and its table."""

    def __init__(self, places, near=1, tables="convergent", seed=0):
        self.places = dict(places)  # of absent nodes too, since they may return
        self.near = near
        self.tables = tables
        self.seed = seed
        self._circle = sorted((place, node) for node, place in self.places.items())  # the present nodes
        self._applied = 0  # number of membership changes that are applied
        self._shares = {}  # keys -> node -> the numbers of the keys that it is responsible for

    def keep_up(self, members):
        """Apply the joins and leaves since the last call; at first all nodes are present."""
        if self._applied == len(members.changes):
            return
        for node in members.changes[self._applied :]:
            there = self.has(node)
            if there and node not in members.present:
                del self._circle[self.rank(self.places[node])]
            elif not there and node in members.present:
                insort(self._circle, (self.places[node], node))
        self._applied = len(members.changes)
        self._shares.clear()

    def has(self, node):
        """Whether the node is present."""
        return bool(self._circle) and self.at(self.rank(self.places[node])) == node

    def shares(self, keys):
        """Node -> the numbers of the keys that it is responsible for."""
        if keys not in self._shares:
            self._shares[keys] = shares = {}
            for number, key in enumerate(keys):
                shares.setdefault(self.responsible(key), []).append(number)
        return self._shares[keys]

    def responsible(self, key):
        """The node responsible for the key."""
        raise NotImplementedError

    def neighbours(self, node):
        """The adjacent nodes that a node knows, nearest first."""
        raise NotImplementedError

    def beside(self, node):
        """The two adjacent nodes on the circle."""
        own = self.rank(self.places[node])
        return {self.at(own - 1), self.at(own + 1)} - {node}

    def long_hop(self, node, key):
        """The next node towards a key for which no neighbour is responsible."""
        raise NotImplementedError

    def next_hop(self, node, key):
        """The next hop of a message at `node` towards the key; None if it has arrived."""
        root = self.responsible(key)
        if root == node:
            return None
        return root if root in self.neighbours(node) else self.long_hop(node, key)

    def route(self, node, key):
        """The nodes on the route from `node` to the key, both ends included."""
        visited = [node]
        while (hop := self.next_hop(visited[-1], key)) is not None:
            visited.append(hop)
        return visited

    # ---- for the overlays: the membership in order ---------------------------------------------------------

    def rank(self, place):
        """The number of identifiers below a place: the rank of the first node at or after it."""
        return bisect_left(self._circle, (place, -1))

    def at(self, rank):
        """The node of that rank, modulo the number of nodes."""
        return self._circle[rank % len(self._circle)][1]

    def others_known(self):
        """The number of neighbours known on a side."""
        return min(self.near, len(self._circle) - 1)

    def entry(self, node, start, length):
        """The table entry of `node` for the places `start` to `start + length`; None if no node is there."""
        first, last = self.rank(start % CIRCLE), self.rank((start + length) % CIRCLE)
        there = last - first if start % CIRCLE + length < CIRCLE else last + len(self._circle) - first
        if there == 0:
            return None
        return self.at(first + (identifier(self.seed, node, start) % there if self.tables == "random" else 0))
