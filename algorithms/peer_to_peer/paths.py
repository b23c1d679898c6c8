"""The replica list: whose path to which replica I am on, and the nodes before and after me on it.

A node that leaves joins the ends of the paths that it was on. Where that fails, because somebody has crashed, what
follows the path goes by the overlay from there on.
"""

from dataclasses import field

from algorithms.engine.process import Message
from algorithms.peer_to_peer.tickets import Replica, Ticket


class Relink(Message):
    replica: Replica
    ticket: Ticket
    previous: int = field(repr=False)
    following: int = field(repr=False)  # I leave that path: you are beside each other now


class OnPaths:
    """For processes that keep a replica list."""

    paths = "entries"

    def setup(self):
        super().setup()
        self.entries = {}  # replica: (owner's ticket, previous node, next node) of the path that I am on

    def is_entered(self, replica, ticket):
        return replica in self.entries and self.entries[replica][0] == ticket

    def cross_out(self, replica, ticket):
        """Forget that path; the next node on it, or None if that is not known or I am its end."""
        return self.entries.pop(replica)[2] if self.is_entered(replica, ticket) else None

    def leaving(self):
        for replica, (ticket, previous, following) in sorted(self.entries.items()):
            after = self.dht.responsible(self.key(replica)) if following is None else following
            if previous != self.id != after:
                self.send(Relink(replica, ticket, previous, after), to={previous, after})  # the path closes behind me
        super().leaving()

    def on_relink(self, relink, sender):
        replica, ticket = relink.replica, relink.ticket
        if self.is_entered(replica, ticket):
            _, previous, following = self.entries[replica]
            if self.id == relink.previous and following == sender:
                after = None if relink.following == self.id else relink.following
                self.entries[replica] = (ticket, previous, after)  # what came after it comes after me
            elif self.id == relink.following and previous == sender:
                self.entries[replica] = (ticket, relink.previous, following)  # what came before it comes before me
