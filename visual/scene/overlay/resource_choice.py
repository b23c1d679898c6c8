"""Which of very many resources are drawn: those of what is selected, otherwise those with which most is going on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from algorithms.engine.events import MESSAGE, SEQ
from visual.analysis.moment import Moment
from visual.analysis.overlay_state import MOST_REPLICAS, Sights, sights
from visual.words.names import node_name

MOST = 4
"""So many resources are drawn where there are too many for all of them; as many have a colour of their own."""


class Chosen(NamedTuple):
    """The resources that are drawn, and why only they; nothing where all are."""

    resources: tuple[int, ...]
    why: str = ""


def chosen(moment: Moment, selected: str) -> Chosen:
    """The resources to be drawn at that moment, in order."""
    seen, process = sights(moment), _first(moment)
    if len(seen.replicas) <= MOST_REPLICAS or process.resources == 1:
        return Chosen(tuple(range(process.resources)))
    kind, _, number = selected.partition(":")
    own = _of_selected(moment, seen, kind, int(number)) if kind in ("node", "message") else []
    if own:
        return Chosen(_first_few(own), f"of {node_name(int(number))}" if kind == "node" else "of the message")
    weights = Counter(claim.resource for claim in seen.claims)
    return Chosen(_first_few(sorted(weights, key=lambda resource: (-weights[resource], resource))), "the busiest")


def _of_selected(moment: Moment, seen: Sights, kind: str, number: int) -> list[int]:
    """The resources that a node has to do with, those that it wants or has first; or the one of a message."""
    if kind == "node":
        mine = [claim.resource for claim in seen.claims if claim.node == number]
        return mine or [vote.resource for vote in seen.votes if vote.node == number]
    flying = moment.run.queue.between_processes()
    message: Any = next((entry[MESSAGE] for entry in flying if entry[SEQ] == number), None)
    if hasattr(message, "replica"):
        return [_first(moment).resource_of(message.replica)]
    return [message.resource] if hasattr(message, "resource") else []


def _first_few(resources: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(list(dict.fromkeys(resources))[:MOST]))


def _first(moment: Moment) -> Any:
    return moment.run.processes[0]
