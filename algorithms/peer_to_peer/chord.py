"""Chord (Stoica, Morris, Karger, Kaashoek, Balakrishnan, SIGCOMM 2001): fingers that halve the remaining distance.

About ½·log2 N hops. The node at a key's place, or the first after it, is responsible for the key.
"""

from algorithms.peer_to_peer.overlay import Overlay, clockwise


class Chord(Overlay):
    def responsible(self, key):
        return self.at(self.rank(key))

    def neighbours(self, node):
        own = self.rank(self.places[node])
        return [self.at(own + k) for k in range(1, self.others_known() + 1)]  # its successors

    def finger(self, node, i):
        """A node at a distance from 2^i to below 2^(i+1); in convergent tables the first."""
        return self.entry(node, self.places[node] + 2**i, 2**i)

    def long_hop(self, node, key):
        place = self.places[node]
        left = clockwise(place, key)
        for i in reversed(range(left.bit_length())):
            finger = self.finger(node, i)
            if finger is not None and clockwise(place, self.places[finger]) < left:
                return finger  # the farthest finger before the key
        return self.neighbours(node)[-1]  # random fingers may all lie beyond the key; its successors do not
