"""What the picture of a run on an overlay has beside nodes and messages."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.faults import ABSENT
from visual.picking import bounds
from visual.scene.facts import Facts
from visual.scene.layout import Layout
from visual.scene.moment import Moment
from visual.scene.options import Options, measures
from visual.scene.overlay import paths
from visual.scene.overlay.cards import cards
from visual.scene.overlay.dial import dial, keys
from visual.scene.overlay.looks import Looks, card_size
from visual.scene.overlay.sights import sights
from visual.scene.overlay.trails import newest, routes
from visual.scene.ring import MOST_NODES
from visual.shapes import Shape
from visual.theme import Theme


class Additions(NamedTuple):
    """What goes beneath the nodes, what beside them, and the nodes that are drawn at all."""

    beneath: list[Shape]
    beside: list[Shape]
    drawn: list[Facts]


def additions(moment: Moment, facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> Additions:
    """The circle, routes, paths, votes and queues at that moment."""
    run, seen, found = moment.run, sights(moment), newest(routes(moment))
    looks, sizes, size = Looks(run, theme), measures(layout, theme, options), card_size(theme, options)
    gone = frozenset(node for node, state in run.down.items() if state == ABSENT)
    marks = [bounds(mark) for mark in keys(seen.replicas, layout, theme.name, size)]
    involved = {node for path in seen.paths for node in path.nodes} | {replica.node for replica in seen.replicas}
    involved |= {node for route in found for hop in (*route.made, *route.now) for node in (hop.sender, hop.receiver)}
    return Additions(
        beneath=[
            *dial(seen.replicas, gone, layout, theme.name, options),
            *paths.bands(seen, looks, layout, theme, sizes),
            *paths.pointers(seen, layout, theme, sizes),
            *paths.trails(found, looks, layout, theme, sizes),
        ],
        beside=[
            *paths.route_names(found, looks, layout, theme, sizes, marks, size),
            *cards(seen, facts, looks, layout, theme, options),
        ],
        drawn=[_plain(fact) for fact in facts if len(facts) <= MOST_NODES or _matters(fact, involved)],
    )


def _plain(fact: Facts) -> Facts:
    """Without its queue, which is on a card, and without its corner, which is part of its tickets."""
    return fact._replace(chips=(), badge="")


def _matters(fact: Facts, involved: set[int]) -> bool:
    return fact.node in involved or fact.selected or bool(fact.lit) or fact.state != "idle"
