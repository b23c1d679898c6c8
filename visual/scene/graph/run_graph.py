"""The graph of a run at time t: channels, nodes with their state, messages in transit.

shapes = graph(RunCache(timeline.simulation), t, arrange(timeline.simulation, rect), theme, Options(scale=1.0))

Ids for picking: "node:3", "message:117" (its serial number), "link:1-2". Whatever changes only with a step is computed
once a step; from frame to frame only the places of the messages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from algorithms.engine.events import Record
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.timers import ShownTimer, shown_timers
from visual.drawing.picking import bounds
from visual.drawing.shapes import Rect, Shape
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts, all_facts
from visual.scene.graph.label_placement import (
    LaneDetours,
    Obstacles,
    Occupied,
    boxes_of,
    give_way,
    hide_covered_label,
    move_to_free_room,
)
from visual.scene.graph.layout import Layout
from visual.scene.graph.links import links, suspicions
from visual.scene.graph.marks_of_variables import edge_ends, pointers, regions
from visual.scene.graph.messages import Track, marks_at, tracks
from visual.scene.graph.nodes import corner_boxes, crowd, lights, names, nodes, token_names
from visual.scene.graph.trails import (
    arrival,
    just_lost,
    just_removed,
    lost_trails,
    removals,
    searches,
    timer_boxes,
    timer_rings,
    traps,
)
from visual.scene.options import PLAIN, Measures, Options, measures

_FEW = 40  # messages; with more, nobody reads all labels


def graph(
    cache: RunCache,
    t: float,
    layout: Layout,
    theme: Theme,
    options: Options = PLAIN,
    beneath: Sequence[Shape] = (),
    *,
    moving: bool = False,
) -> list[Shape]:
    """The shapes, back to front. `t` is between the time of the present step and that of the next.

    Messages and nodes cover the shapes `beneath`. While they are `moving`, no message is moved to free room. Pills pass
    behind nodes, whose names must stay readable; dots in a crowd pass in front, or they would be invisible, and so do
    the tokens, which are large there too.
    """
    run = cache.run
    at_step = cache.get(_graph_at_step, cache, Moment(run), layout, theme.name, options)
    sizes, is_still = at_step.sizes, options.arrows
    flying = give_way(at_step.tracks, marks_at(at_step.tracks, t), at_step.lanes, layout, sizes, is_still=is_still)
    if is_still and not moving and len(flying) <= _FEW:
        links_of = tuple(track.link for track in at_step.tracks)
        flying = move_to_free_room(tuple(flying), links_of, layout, at_step.occupied)
    rings = timer_rings(at_step.timers, t, layout, theme, options)
    trails = [*rings, *lost_trails(at_step.lost, run, t, layout, theme, options)]
    ends = removals(at_step.removed, run, t, layout, theme, options)
    if sizes.crowd:
        return [*at_step.ground, *beneath, *trails, *at_step.nodes, *flying, *ends]
    if not sizes.pills:
        tokens = [mark for mark in flying if mark.form == "pill"]
        dots = [hide_covered_label(mark, layout) for mark in flying if mark.form == "dot"]
        return [*at_step.ground, *beneath, *trails, *dots, *at_step.nodes, *tokens, *ends]
    return [*at_step.ground, *beneath, *trails, *flying, *at_step.nodes, *ends]


def prepare(cache: RunCache, layout: Layout, theme: Theme, options: Options) -> None:
    """Compute the part of `graph` that lasts until the next step; for a crowd that alone takes long."""
    cache.get(_graph_at_step, cache, Moment(cache.run), layout, theme.name, options)


class GraphAtStep(NamedTuple):
    """The parts of a graph that stay the same until the next step."""

    ground: tuple[Shape, ...]
    nodes: tuple[Shape, ...]
    tracks: list[Track]
    lanes: list[LaneDetours]  # one for each track
    occupied: Occupied
    lost: list[Record]
    removed: list[Record]
    timers: list[ShownTimer]
    sizes: Measures


def _graph_at_step(cache: RunCache, moment: Moment, layout: Layout, theme_name: str, options: Options) -> GraphAtStep:
    run, theme = moment.run, load(theme_name)
    facts, sizes = all_facts(cache, options.selected), measures(layout, theme, options)
    if layout.circle:
        from visual.scene.overlay.overlay_picture import additions  # the first frame does without

        beneath, beside, drawn, named = additions(cache, facts, layout, theme, options)
    else:
        beneath, beside, drawn = [links(run, layout, theme, options)], names(facts, layout, theme, options), facts
        named = []
    flying = tracks(cache, layout, theme, options)
    timers = [] if sizes.crowd else shown_timers(run)
    numbers = timer_boxes(timers, layout, theme, options)
    standing = (
        *edge_ends(facts, run.algorithm, layout, theme, options),
        *(crowd if sizes.crowd else nodes)(drawn, layout, theme, options),
        *beside,
        *suspicions(facts, layout, theme, options),
        *traps(moment, layout, theme, options),
        *token_names(facts, layout, theme, options),
    )
    return GraphAtStep(
        ground=(
            *beneath,
            *regions(facts, layout, theme, options),
            *pointers(facts, run.algorithm, layout, theme, options),
            *lights(drawn, layout, theme, options),
            *searches(moment, layout, theme, options),
            *arrival(moment, layout, theme, options),
        ),
        nodes=standing,
        tracks=flying,
        lanes=[] if sizes.crowd else _detours(cache, flying, drawn, numbers, layout, theme, options),
        occupied=Occupied((*boxes_of(standing), *(box for _, box in numbers)), tuple(named))
        if options.arrows and not sizes.crowd
        else Occupied((), ()),
        lost=just_lost(run, run.now),
        removed=just_removed(run, run.now),
        timers=timers,
        sizes=sizes,
    )


def _detours(
    cache: RunCache,
    flying: list[Track],
    facts: list[NodeFacts],
    numbers: list[tuple[int, Rect]],
    layout: Layout,
    theme: Theme,
    options: Options,
) -> list[LaneDetours]:
    """The detours of each message from its lane."""
    signs = [(fact.node, bounds(sign)) for fact in facts for sign in suspicions([fact], layout, theme, options)]
    obstacles = cache.get(Obstacles, layout, (*corner_boxes(facts, layout, theme, options), *signs, *numbers))
    return [obstacles.detours(track, mark) for track, mark in zip(flying, marks_at(flying, 0.0), strict=True)]
