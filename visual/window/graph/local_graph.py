"""The graph as one node knows it: itself, its channels, the messages of the last thing that happened at it.

All others are outlines: whatever they do, the node does not see it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from algorithms.engine.simulation import Simulation
from visual.drawing.shapes import Box, Group, Line, Mark, Rect, Shape
from visual.drawing.theme import Theme, load
from visual.narration.local_knowledge import Knowledge, Letter
from visual.narration.node_facts import Facts
from visual.scene.graph.lanes import lane, reach_of
from visual.scene.graph.layout import Layout
from visual.scene.graph.messages import family_of, label_of
from visual.scene.graph.nodes import crowd, nodes
from visual.scene.options import Measures, Options, measures
from visual.words.names import naming

_TOGETHER = 60  # channels in a crowd that are drawn in one frame
_COMING, _GOING = 0.8, 0.55  # the part of its lane that a message has behind it where it is drawn


def local_graph(
    known: Knowledge, run: Simulation, layout: Layout, theme: Theme, options: Options, ground: Box
) -> list[Shape]:
    """The shapes, back to front, on that ground. Of the run only its algorithm's looks are used.

    In a crowd messages pass in front of the nodes, as on the graph, and what is behind them is kept with the ground.
    """
    sizes = measures(layout, theme, options)
    letters = _letters(known, run, layout, sizes)
    (own,) = nodes([known.facts], layout, theme, options)
    if sizes.crowd:
        return [_others(known.node, known.peers, layout, theme.name, options, ground), *letters, own]
    others = nodes(_unknown(known.node, layout), layout, theme, options)
    return [_channels(known.node, known.peers, layout, theme, options), *letters, *others, own]


@lru_cache(maxsize=4)
def _others(node: int, peers: tuple[int, ...], layout: Layout, theme_name: str, options: Options, ground: Box) -> Group:
    """The ground, the node's channels and the other nodes; the key is new, and the same for as long as they are."""
    theme = load(theme_name)
    parts = [peers[first : first + _TOGETHER] for first in range(0, len(peers), _TOGETHER)]
    channels = [_channels(node, part, layout, theme, options)._replace(key=("channels", object())) for part in parts]
    outlines = crowd(_unknown(node, layout), layout, theme, options)
    patient = (group._replace(patient=True) for group in (*channels, *outlines))
    return Group((ground, *patient), clip=Rect(ground.x, ground.y, ground.w, ground.h), key=("others", object()))


def _channels(node: int, peers: tuple[int, ...], layout: Layout, theme: Theme, options: Options) -> Group:
    places, width = layout.places, measures(layout, theme, options).edge
    return Group(tuple(Line(*places[node], *places[peer], theme.edge, width) for peer in peers))


def _unknown(node: int, layout: Layout) -> list[Facts]:
    """What the node sees of the other nodes: nothing."""
    return [Facts(other, "unknown") for other in range(layout.graph.nodes) if other != node]


def _letters(known: Knowledge, run: Simulation, layout: Layout, sizes: Measures) -> list[Mark]:
    """What it has received near its end of the way, and so what it has sent."""
    return [
        _mark(letter, run, layout, sizes, _COMING if letter.receiver == known.node else _GOING)
        for letter in known.letters
        if {letter.sender, letter.receiver} <= {known.node, *known.peers}
    ]


def _mark(letter: Letter, run: Simulation, layout: Layout, sizes: Measures, part: float) -> Mark:
    way = layout.ways[letter.sender, letter.receiver]
    family = family_of(type(letter.message), run)
    label = label_of(letter.message, family, naming(run), sizes)
    x, y = lane(way, reach_of(label, way, sizes), sizes).at(part)
    toward = None if sizes.crowd else math.degrees(math.atan2(way[3], way[2]))
    return Mark(x, y, family, label, sizes.label, "pill" if sizes.pills else "dot", toward)
