"""What the picture of a run on an overlay has beside nodes and messages."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from algorithms.engine.faults import ABSENT
from visual.analysis.moment import Moment
from visual.analysis.overlay_routes import newest, routes
from visual.analysis.overlay_state import Claim, sights
from visual.drawing.picking import bounds
from visual.drawing.shapes import Rect, Shape
from visual.drawing.theme import Theme
from visual.narration.node_facts import Facts
from visual.scene.graph.layout import Layout
from visual.scene.graph.ring import MOST_NODES
from visual.scene.options import Options, measures
from visual.scene.overlay import paths
from visual.scene.overlay.cards import cards
from visual.scene.overlay.client_styles import Looks, card_size
from visual.scene.overlay.dial import Keys, dial, keys
from visual.scene.overlay.resource_choice import chosen
from visual.words.names import Naming


class Additions(NamedTuple):
    """What goes beneath the nodes, what beside them, the nodes that are drawn at all, and where keys and names are."""

    beneath: list[Shape]
    beside: list[Shape]
    drawn: list[Facts]
    written: list[Rect]


def additions(moment: Moment, facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> Additions:
    """The circle, routes, paths, votes and queues at that moment."""
    run, resources = moment.run, chosen(moment, options.selected).resources
    seen = sights(moment).about(resources)
    found = newest([route for route in routes(moment) if route.resource in resources])
    looks, sizes, size = Looks(run, theme), measures(layout, theme, options), card_size(theme, options)
    words = _words(moment, looks.names)
    gone = frozenset(node for node, state in run.down.items() if state == ABSENT)
    on_circle = Keys(seen.replicas, resources, looks.names)
    marks = [bounds(mark) for mark in keys(on_circle, layout, theme.name, size)]
    route_names = paths.route_names(found, looks, layout, theme, sizes, marks, size)
    involved = {node for path in seen.paths for node in path.nodes} | {key.node for key in on_circle.named}
    involved |= {node for route in found for hop in (*route.made, *route.now) for node in (hop.sender, hop.receiver)}
    return Additions(
        beneath=[
            *dial(on_circle, gone, layout, theme.name, options),
            *paths.bands(seen, looks, layout, theme, sizes),
            *paths.pointers(seen, layout, theme, sizes),
            *paths.trails(found, looks, layout, theme, sizes),
            *route_names,
        ],
        beside=cards(seen, facts, looks, layout, theme, options),
        drawn=[
            _plain(fact, words.get(fact.node, ""))
            for fact in facts
            if len(facts) <= MOST_NODES or _matters(fact, involved)
        ],
        written=[*marks, *(bounds(name) for name in route_names)],
    )


def _plain(fact: Facts, word: str) -> Facts:
    """Without its queue, which is on a card, and without its corner, which is part of its tickets."""
    return fact._replace(chips=(), badge="", word=word)


def _words(moment: Moment, names: Naming) -> dict[int, str]:
    """Node -> which of several resources it is in the critical section of, or wants: "IN A", "wants B, C"."""
    found: defaultdict[int, list[Claim]] = defaultdict(list)
    for claim in sights(moment).claims if names.several else ():
        found[claim.node].append(claim)
    return {node: _word(claims, names) for node, claims in found.items()}


def _word(claims: list[Claim], names: Naming) -> str:
    inside = [claim for claim in claims if claim.inside]
    letters = ", ".join(names.resource(claim.resource) for claim in inside or claims)
    return f"IN {letters}" if inside else f"wants {letters}"


def _matters(fact: Facts, involved: set[int]) -> bool:
    return fact.node in involved or fact.selected or bool(fact.lit) or fact.state != "idle"
