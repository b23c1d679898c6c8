"""The signs of an overlay's picture for the legend: which are on screen, and how each looks."""

from __future__ import annotations

from collections.abc import Iterator

from algorithms.engine.observe.resource_names import resource_name
from visual.analysis.moment import Moment
from visual.analysis.overlay_routes import routes
from visual.analysis.overlay_state import overlay_state
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Box, Group, Line, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.overlay.client_styles import MOST, chosen, resource_colour
from visual.scene.overlay.overlay_picture import key_mark
from visual.scene.overlay.paths import loose_votes, pointed
from visual.words.names import naming

WORDS = {
    "key": "replica’s key",
    "replica": "replica, vote",
    "waits": "waits there",
    "route": "route",
    "path": "quorum set",
    "vote": "vote won",
    "next": "Next",
    "previous": "Previous",
}
"""Sign -> its words in the legend, in the order in which they stand there."""


def on_screen(cache: RunCache, selected: str) -> list[str]:
    """The signs that the picture at that moment has."""
    there = set(_there(cache, chosen(cache, selected).resources))
    return [sign for sign in WORDS if sign in there]


def _there(cache: RunCache, resources: tuple[int, ...]) -> Iterator[str]:
    seen = cache.get(overlay_state, Moment(cache.run)).about(resources)
    yield from ("key", "replica")
    if seen.queues:
        yield "waits"
    if seen.paths:
        yield "path"
    if loose_votes(seen):
        yield "vote"
    if any(kept.following is not None for kept in pointed(seen)):
        yield "next"
    if any(kept.previous != kept.node for kept in pointed(seen)):
        yield "previous"
    if any(route.resource in resources for route in routes(cache)):
        yield "route"


def resources(cache: RunCache, selected: str, *, widest: bool = False) -> Iterator[tuple[str, str]]:
    """The numbers of the resources that are drawn, where there are several, and words; of too many, why these.

    The `widest` that this can come to in a run tells how much room it needs.
    """
    names, found = naming(cache.run), chosen(cache, selected)
    count: int = cache.run.processes[0].resources
    if not names.several:
        return
    for resource in range(min(MOST, count)) if widest else found.resources:
        yield str(resource), f"resource {names.resource(resource)}"
    if found.why:
        yield "", f"{MOST if widest else len(found.resources)} of {count}: {found.why}"


def resource(number: str, size: float, theme: Theme) -> list[Shape]:
    """The mark of a resource around (0, 0); without a number an ellipsis, for those that are not drawn."""
    if not number:
        return [Text(0, 0, "…", size, theme.ink, "bold", "sans", "middle", "middle")]
    colour = resource_colour(int(number), theme)
    letters = Text(0, 0, resource_name(int(number)), 0.7 * size, theme.paper, "bold", "mono", "middle", "middle")
    return [Box(-0.75 * size, -0.55 * size, 1.5 * size, 1.1 * size, colour, radius=0.25 * size), letters]


def drawn(sign: str, size: float, theme: Theme) -> list[Shape]:
    """The sign around (0, 0)."""
    stroke, half = size / 7, 0.75 * size
    colour = theme.requesters[0]
    if sign == "key":
        return [key_mark((0.0, 0.0), theme, size)]
    if sign in ("replica", "waits"):
        fill, ink, edge = (theme.ink, theme.paper, None) if sign == "replica" else (theme.card, theme.ink, theme.edge)
        box = Box(-half, -0.55 * size, 2 * half, 1.1 * size, fill, edge, stroke, 0.25 * size)
        return [
            box,
            Text(0, 0, "R0" if sign == "replica" else "P1", 0.7 * size, ink, "bold", "mono", "middle", "middle"),
        ]
    if sign in ("path", "vote"):
        high = (1.0 if sign == "path" else 0.45) * size
        if theme.name == "print":
            return [Box(-half, -high / 2, 2 * half, high, None, theme.ink, 0.5 * stroke, high / 2)]
        return [Group((Box(-half, -high / 2, 2 * half, high, colour, radius=high / 2),), opacity=0.3)]
    if sign == "route":
        return [Line(-half, 0, half, 0, colour, stroke, arrow=0.5 * size)]
    dash = () if sign == "next" else (0.7 * stroke, 1.3 * stroke)
    return [Line(-half, 0, half, 0, theme.ink, 0.7 * stroke, dash, arrow=0.5 * size)]
