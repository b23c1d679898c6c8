"""What a node on an overlay stands for, in the words of the picture: place, replicas, ticket and votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from algorithms.engine.observe.resource_names import of_resource
from visual.analysis.moment import Moment
from visual.analysis.overlay_state import parts_of_circle, sights
from visual.words.names import naming, ticket_text, ticket_words


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
    names = naming(run)
    votes = {vote.replica: ticket_words(vote.ticket) for vote in seen.votes if vote.node == node}
    for replica in (replica for replica in seen.replicas if replica.node == node):
        voting = f"votes for {votes.get(replica.number, 'nobody')}" if replica.is_known else "unknown"
        gloss = "this node answers for its key" + ("" if replica.is_known else ", and waits for its state")
        yield Told(names.replica(replica.number), voting, gloss)
    for claim in (claim for claim in seen.claims if claim.node == node):
        which, ticket = of_resource(claim.resource, names.several), process.ticket.get(claim.resource)
        if ticket is not None:
            yield Told(f"asks as{which}", ticket_words(ticket), f"its ticket, {ticket_text(ticket)} in the picture")
        if not claim.inside:
            won = process.my_votes(claim.resource)
            which_ones = f": {', '.join(map(names.replica, won))}" if won else ""
            mine = f"{len(won)} of {process.replicas}{which_ones}"
            yield Told(f"votes won{which}", mine, f"{process.majority()} are a majority")
    for queue in (queue for queue in seen.queues if queue.node == node):
        which = of_resource(queue.resource, names.several) if queue.replica is None else ""
        place = "for the token" if queue.replica is None else f"for {names.replica(queue.replica)}"
        yield Told(f"queue{which}", ", ".join(queue.waiting), f"who waits here {place}, the first in front")
