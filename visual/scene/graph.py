"""The graph of a run at time t: channels, nodes with their state, messages in flight.

shapes = graph(timeline.simulation, t, arrange(timeline.simulation, rect), theme, Options(scale=1.0))

Ids for picking: "node:3", "message:117" (its serial number), "link:1-2".
"""

from __future__ import annotations

from algorithms.engine.simulation import Simulation
from visual.scene.layout import Layout
from visual.scene.links import links
from visual.scene.messages import arrival, lost_trails, messages
from visual.scene.nodes import all_facts, lights, nodes
from visual.scene.options import PLAIN, Options, measures
from visual.shapes import Shape
from visual.theme import Theme


def graph(run: Simulation, t: float, layout: Layout, theme: Theme, options: Options = PLAIN) -> list[Shape]:
    """The shapes, back to front. `t` is between the time of the present step and that of the next.

    Pills pass behind nodes, whose names must stay readable; dots in a crowd pass in front, or they could not be seen.
    """
    facts = all_facts(run, options)
    circles: list[Shape] = [*nodes(facts, layout, theme, options)]
    flying: list[Shape] = [*messages(run, t, layout, theme, options)]
    in_front = not measures(layout, theme, options).pills
    return [
        links(run, layout, theme, options),
        *lights(facts, layout, theme, options),
        *arrival(run, layout, theme, options),
        *lost_trails(run, t, layout, theme, options),
        *([*circles, *flying] if in_front else [*flying, *circles]),
    ]
