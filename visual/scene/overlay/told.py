"""What a node on an overlay stands for, in the words of the picture: place, replicas, ticket and votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from visual.scene.moment import Moment
from visual.scene.overlay.sights import parts_of_circle, sights
from visual.scene.words import replica_text, ticket_text


class Told(NamedTuple):
    """A name, its value, and what it means."""

    name: str
    value: str
    gloss: str


def told(moment: Moment, node: int) -> Iterator[Told]:
    """What there is to say about the node at that moment."""
    run, seen = moment.run, sights(moment)
    process = run.processes[node]
    yield Told("place", f"{100 * parts_of_circle(run)[node]:.1f} %", "of the circle of identifiers, from the top")
    votes = {vote.replica: ticket_text(vote.ticket) for vote in seen.votes if vote.node == node}
    for replica in (replica.number for replica in seen.replicas if replica.node == node):
        yield Told(replica_text(replica), f"votes for {votes.get(replica, 'nobody')}", "this node answers for its key")
    for resource, ticket in sorted(process.ticket.items()):
        if ticket is not None and (resource in process.wants or resource in process.inside):
            which = f" for resource {resource}" if process.resources > 1 else ""
            yield Told(f"asks{which} as", ticket_text(ticket), "client and number, as the picture writes a ticket")
            if resource in process.wants:
                mine = f"{len(process.my_votes(resource))} of {process.replicas}"
                yield Told(f"votes won{which}", mine, f"{process.majority()} are a majority")
