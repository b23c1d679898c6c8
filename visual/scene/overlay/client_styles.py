"""The styles of clients, for their routes, paths and votes: few colours, told apart by dashes too.

Where there are several resources the colour is the resource's, with its letter beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from algorithms.engine.events import MESSAGE, SEQ
from algorithms.engine.simulation import Simulation
from visual.analysis.overlay_state import MOST_REPLICAS, OverlayState, Ticket, client_of, client_ranks, overlay_state
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.shapes import Colour, Dash
from visual.drawing.theme import Theme
from visual.scene.graph.layout import Layout
from visual.scene.options import Options, least_text
from visual.words import naming, node_name

_DASHES: tuple[Dash, ...] = ((), (5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))  # in widths of the line


class ClientStyle(NamedTuple):
    """Colour and dashes of a client."""

    colour: Colour
    dash: Dash

    def dashed(self, width: float) -> Dash:
        """The dashes of a line of that width."""
        return tuple(width * part for part in self.dash)


class ClientStyles:
    """The styles of a run's clients, in the order of their first requests; the fifth equals the first."""

    def __init__(self, cache: RunCache, theme: Theme) -> None:
        self._ranks = client_ranks(cache)
        self._theme = theme
        self.names = naming(cache.run)

    def of(self, ticket: Ticket, resource: int = 0) -> ClientStyle:
        """The style of a ticket's client, for a resource."""
        rank = self._ranks.get(client_of(ticket), client_of(ticket)) % len(_DASHES)
        colour = self.resource(resource) if self.names.has_several else self._theme.requesters[rank]
        return ClientStyle(colour, _DASHES[rank])

    def resource(self, resource: int) -> Colour:
        """The colour of one of several resources; ink where there is only one."""
        return resource_colour(resource, self._theme) if self.names.has_several else self._theme.ink


def resource_colour(resource: int, theme: Theme) -> Colour:
    """The colour of one of several resources; the fifth has the colour of the first."""
    return theme.requesters[resource % len(theme.requesters)]


def card_size(layout: Layout, theme: Theme, options: Options) -> float:
    """The size of text on and outside the circle, in pixels."""
    return least_text(layout, options) if options.presenting else 0.9 * theme.sizes.small * options.scale


MOST = 4
"""The number of resources drawn if there are too many for all, and of colours for resources."""


class DrawnResources(NamedTuple):
    """The resources that are drawn, and why only these; no reason if all are."""

    resources: tuple[int, ...]
    why: str = ""


def drawn_resources(cache: RunCache, selected: str) -> DrawnResources:
    """The resources to be drawn at the present step, in order."""
    run, state = cache.run, cache.get(overlay_state, Moment(cache.run))
    process: Any = run.processes[0]
    if len(state.replicas) <= MOST_REPLICAS or process.resources == 1:
        return DrawnResources(tuple(range(process.resources)))
    kind, _, number = selected.partition(":")
    own = _of_selected(run, state, kind, int(number)) if kind in ("node", "message") else []
    if own:
        return DrawnResources(_first_few(own), f"of {node_name(int(number))}" if kind == "node" else "of the message")
    weights = Counter(claim.resource for claim in state.claims)
    return DrawnResources(
        _first_few(sorted(weights, key=lambda resource: (-weights[resource], resource))), "the busiest"
    )


def _of_selected(run: Simulation, state: OverlayState, kind: str, number: int) -> list[int]:
    """The resources that a node claims, otherwise those it votes on; or the resource of a message."""
    if kind == "node":
        mine = [claim.resource for claim in state.claims if claim.node == number]
        return mine or [vote.resource for vote in state.votes if vote.node == number]
    flying = run.queue.between_processes()
    message: Any = next((entry[MESSAGE] for entry in flying if entry[SEQ] == number), None)
    if hasattr(message, "replica"):
        process: Any = run.processes[0]
        return [process.resource_of(message.replica)]
    return [message.resource] if hasattr(message, "resource") else []


def _first_few(resources: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(list(dict.fromkeys(resources))[:MOST]))
