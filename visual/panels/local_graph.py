"""The graph as one node knows it: itself, its channels, the messages of the last thing that happened at it.

All others are outlines: whatever they do, the node does not see it.
"""

from __future__ import annotations

import math

from algorithms.engine.simulation import Simulation
from visual.insight.knowledge import Knowledge, Letter
from visual.scene.facts import Facts
from visual.scene.lanes import lane, reach_of
from visual.scene.layout import Layout
from visual.scene.messages import family_of, label_of
from visual.scene.nodes import nodes
from visual.scene.options import Measures, Options, measures
from visual.scene.words import naming
from visual.shapes import Group, Line, Mark, Shape
from visual.theme import Theme

_COMING, _GOING = 0.8, 0.55  # the part of its lane that a message has behind it where it is drawn


def local_graph(known: Knowledge, run: Simulation, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The shapes, back to front. Of the run only its algorithm's looks are used."""
    sizes = measures(layout, theme, options)
    count = layout.graph.nodes
    facts = [known.facts if node == known.node else Facts(node, "unknown") for node in range(count)]
    own = [_line(layout, known.node, peer, theme, sizes) for peer in known.peers]
    drawn = nodes(facts, layout, theme, options)
    return [Group(tuple(own)), *_letters(known, run, layout, sizes), *drawn]


def _line(layout: Layout, node: int, peer: int, theme: Theme, sizes: Measures) -> Line:
    return Line(*layout.places[node], *layout.places[peer], theme.edge, sizes.edge)


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
