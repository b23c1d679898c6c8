"""The replica list: the paths to replicas that a node is on, and its neighbours on each of them.

A node that leaves joins the ends of its paths. If it does not, or crashes, the path is broken: the nodes beside the gap
stop no more requests, and messages along the path are routed by the overlay from there on.
"""

from dataclasses import field

from algorithms.engine.process import Message, Parameter
from algorithms.peer_to_peer import base
from algorithms.peer_to_peer.tickets import Replica, Ticket


class Relink(Message):
    replica: Replica
    ticket: Ticket
    previous: int = field(repr=False)
    following: int = field(repr=False)  # the sender leaves that path between these two


UPKEEP = {**base.UPKEEP, Relink: "announce"}


class OnPaths:
    """For processes that keep a replica list."""

    paths = "entries"

    mend = Parameter(True, "whether a leaving node joins the ends of its paths; otherwise they stay broken")

    def setup(self):
        super().setup()
        self.entries = {}  # replica: (owner's ticket, previous node, next node) on its path

    def is_entered(self, replica, ticket):
        return replica in self.entries and self.entries[replica][0] == ticket

    def is_broken(self, replica):
        """Whether this node is inside a path to the replica, and a neighbour on it has left."""
        _, previous, following = self.entries.get(replica, (None, None, None))
        return following is not None and not self.members.present.issuperset({previous, following})

    def cross_out(self, replica, ticket):
        """Forget that path; return the next node on it, or None if it is unknown or the path ends here."""
        return self.entries.pop(replica)[2] if self.is_entered(replica, ticket) else None

    def leaving(self):
        if self.mend:
            self.join_ends()
        super().leaving()

    def join_ends(self):
        for replica, (ticket, previous, following) in sorted(self.entries.items()):
            after = self.dht.responsible(self.key(replica)) if following is None else following
            if previous != self.id != after:
                self.send(
                    Relink(replica, ticket, previous, after), to={previous, after}
                )  # it makes P{previous} and P{after} neighbours on its path

    def on_relink(self, relink, sender):
        replica, ticket = relink.replica, relink.ticket
        if self.is_entered(replica, ticket):
            _, previous, following = self.entries[replica]
            if self.id == relink.previous and following == sender:
                after = None if relink.following == self.id else relink.following
                self.entries[replica] = (ticket, previous, after)  # the next node on the path is P{after} now
            elif self.id == relink.following and previous == sender:
                self.entries[replica] = (
                    ticket,
                    relink.previous,
                    following,
                )  # the previous node on the path is P{relink.previous} now

    def take_out(self, replica, heir):
        if replica in self.entries:
            self.entries[replica] = (*self.entries[replica][:2], heir)
        return super().take_out(replica, heir)
