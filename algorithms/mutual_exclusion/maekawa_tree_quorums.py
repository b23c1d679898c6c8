"""Tree quorums that survive crashes: D. Agrawal, A. El Abbadi, ACM TOCS 9(1), 1991, with Maekawa's votes.

The processes form a binary tree, and a quorum is a path from the root to a leaf. A crashed process on it is replaced by
two paths, one from each of its children, so any two quorums still intersect. About log₂ N processes at best, (N+1)/2 at
worst. While nobody has crashed, the root decides alone: it is a coordinator at a higher price.
"""

from algorithms.components.quorums import tree
from algorithms.engine.process import Parameter, Variant
from algorithms.mutual_exclusion.maekawa import Maekawa, Release, Request


class TreeQuorums(Maekawa):
    quorums = Parameter("tree", "which quorums: tree", fits=lambda value, nodes: value == "tree")

    def setup(self):
        super().setup()
        self.crashed = set()  # processes that its present request has not reached
        self.polled = set(self.quorum)  # all those that it has asked for their votes

    def acquire(self):
        self.quorum = tree(self.id, self.size)
        self.crashed = set()
        self.polled = set(self.quorum)
        super().acquire()

    def unreached(self, message, to):
        if self.wants and isinstance(message, Request):
            self.crashed.add(to)
            self.replace(tree(self.id, self.size, self.crashed))

    def replace(self, quorum):
        if quorum is None:
            return  # P{crashed} have crashed, and no quorum is left without them
        self.quorum = quorum
        added = set(quorum) - self.polled
        self.polled |= added
        self.tell_all(Request(self.stamp), added)  # P{crashed} has crashed: it asks P{added} instead

    def release(self):
        self.stamp = None
        self.votes = set()
        self.tell_all(Release(), self.polled)  # it releases the votes of all that it has asked


VARIANTS = {
    "maekawa": {
        "tree-quorums": Variant(
            TreeQuorums,
            "Quorums are paths in a tree; two paths, one from each child, replace a process that has crashed.",
            assumes=("reliable", "FIFO", "crashes only while nobody waits or is inside"),
        )
    }
}
