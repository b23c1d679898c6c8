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
    following: int = field(repr=False)  # I leave that path: you are beside each other now


UPKEEP = {**base.UPKEEP, Relink: "announce"}


class OnPaths:
    """For processes that keep a replica list."""

    paths = "entries"

    mend = Parameter(True, "whether who leaves joins the ends of the paths that it was on; otherwise they are broken")

    def setup(self):
        super().setup()
        self.entries = {}  # replica: (owner's ticket, previous node, next node) of the path that I am on

    def is_entered(self, replica, ticket):
        return replica in self.entries and self.entries[replica][0] == ticket

    def is_broken(self, replica):
        """Whether I am on a path to the replica, but not at its end, and a node beside me on it is gone."""
        _, previous, following = self.entries.get(replica, (None, None, None))
        return following is not None and not self.members.present.issuperset({previous, following})

    def cross_out(self, replica, ticket):
        """Forget that path; the next node on it, or None if that is not known or I am its end."""
        return self.entries.pop(replica)[2] if self.is_entered(replica, ticket) else None

    def leaving(self):
        if self.mend:
            self.join_ends()
        super().leaving()

    def join_ends(self):
        for replica, (ticket, previous, following) in sorted(self.entries.items()):
            after = self.dht.responsible(self.key(replica)) if following is None else following
            if previous != self.id != after:
                self.send(Relink(replica, ticket, previous, after), to={previous, after})  # the path closes behind me

    def on_relink(self, relink, sender):
        replica, ticket = relink.replica, relink.ticket
        if self.is_entered(replica, ticket):
            _, previous, following = self.entries[replica]
            if self.id == relink.previous and following == sender:
                after = None if relink.following == self.id else relink.following
                self.entries[replica] = (ticket, previous, after)  # what came after it comes after me
            elif self.id == relink.following and previous == sender:
                self.entries[replica] = (ticket, relink.previous, following)  # what came before it comes before me

    def take_out(self, replica, heir):
        if replica in self.entries:
            self.entries[replica] = (*self.entries[replica][:2], heir)  # the path's end is there now
        return super().take_out(replica, heir)
