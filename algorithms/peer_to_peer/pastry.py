"""Pastry (Rowstron, Druschel, Middleware 2001): each hop shares one more digit with the key.

About log N hops to the base 2^b, where a digit has b bits. The node nearest to a key is responsible for it.
"""

from algorithms.peer_to_peer.overlay import BITS, Overlay, distance


class Pastry(Overlay):
    def __init__(self, places, near=1, tables="convergent", seed=0, b=2):
        super().__init__(places, near, tables, seed)
        self.b = b

    def responsible(self, key):
        after = self.rank(key)
        return min(self.at(after - 1), self.at(after), key=lambda node: (distance(self.places[node], key), node))

    def neighbours(self, node):
        own = self.rank(self.places[node])
        return [self.at(own + side * k) for k in range(1, self.others_known() + 1) for side in (1, -1)]  # its leaf set

    def digits_shared(self, node, key):
        """The number of leading digits that the node and the key share."""
        return (BITS - (self.places[node] ^ key).bit_length()) // self.b

    def row(self, node, r):
        """Row r of the node's table: nodes that share exactly r leading digits with it."""
        width = BITS - (r + 1) * self.b
        own = self.places[node] >> width
        first = own >> self.b << self.b
        digits = (first + digit for digit in range(2**self.b) if first + digit != own)
        entries = (self.entry(node, digits << width, 2**width) for digits in digits)
        return [entry for entry in entries if entry is not None]

    def long_hop(self, node, key):
        r = self.digits_shared(node, key)
        width = BITS - (r + 1) * self.b
        with_one_more = self.entry(node, key >> width << width, 2**width)
        if with_one_more is not None:
            return with_one_more
        known = [*self.row(node, r), *self.neighbours(node)]  # nobody has one digit more: then as many, but nearer
        return min(
            (other for other in known if self.digits_shared(other, key) >= r),
            key=lambda other: (distance(self.places[other], key), other),
        )
