"""How what belongs to one client looks: its route, its paths, its votes. Few looks, told apart by dashes too.

Where there are several resources the colour is the resource's, and its letter is written beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.simulation import Simulation
from visual.analysis.overlay_routes import ranks
from visual.analysis.overlay_state import Ticket, client_of
from visual.drawing.shapes import Colour, Dash
from visual.drawing.theme import Theme
from visual.scene.options import Options
from visual.words.names import naming

_DASHES: tuple[Dash, ...] = ((), (5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))  # in widths of the line


class Look(NamedTuple):
    """Colour and dashes of a client."""

    colour: Colour
    dash: Dash

    def dashed(self, width: float) -> Dash:
        """The dashes of a line of that width."""
        return tuple(width * part for part in self.dash)


class Looks:
    """The looks of a run's clients, in the order in which they asked first; the fifth looks like the first."""

    def __init__(self, run: Simulation, theme: Theme) -> None:
        self._ranks = ranks(run)
        self._theme = theme
        self.names = naming(run)

    def of(self, ticket: Ticket, resource: int = 0) -> Look:
        """The look of what that ticket's client has to do with the resource."""
        rank = self._ranks.get(client_of(ticket), client_of(ticket)) % len(_DASHES)
        return Look(self.resource(resource) if self.names.several else self._theme.requesters[rank], _DASHES[rank])

    def resource(self, resource: int) -> Colour:
        """The colour of one of several resources; ink where there is only one."""
        return resource_colour(resource, self._theme) if self.names.several else self._theme.ink


def resource_colour(resource: int, theme: Theme) -> Colour:
    """The colour of one of several resources; the fifth has that of the first, and another letter."""
    return theme.requesters[resource % len(theme.requesters)]


def card_size(theme: Theme, options: Options) -> float:
    """The size of what is written on and outside the circle, in pixels."""
    return (24.0 if options.presenting else 0.9 * theme.sizes.small) * options.scale
