"""The graph of a run at time t: channels, nodes with their state, messages in flight.

shapes = graph(RunCache(timeline.simulation), t, arrange(timeline.simulation, rect), theme, Options(scale=1.0))

Ids for picking: "node:3", "message:117" (its serial number), "link:1-2". What only changes with a step is worked out
once a step; from frame to frame only the places of the messages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from algorithms.engine.events import Record
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.picking import bounds
from visual.drawing.shapes import Mark, Shape
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import NodeFacts, all_facts
from visual.scene.graph.label_placement import (
    Course,
    Taken,
    abreast,
    around,
    boxes_of,
    clear,
    fanned,
    off_names,
    off_their_ends,
    settled,
    within,
)
from visual.scene.graph.layout import Layout
from visual.scene.graph.links import links, suspicions
from visual.scene.graph.messages import Track, marks_at, tracks
from visual.scene.graph.nodes import crowd, lights, names, nodes, token_names, written
from visual.scene.graph.trails import arrival, just_lost, just_removed, lost_trails, removals, traps, ways
from visual.scene.options import PLAIN, Options, measures

_FEW = 40  # messages: of more, nobody reads all


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

    Messages and nodes cover what is `beneath`. While they are `moving`, no message is put where there is most room.
    Pills pass behind nodes, whose names must stay readable; dots in a crowd pass in front, or they could not be seen,
    and so do the tokens, which are large there too.
    """
    run = cache.run
    at_step = cache.get(_graph_at_step, cache, Moment(run), layout, theme.name, options)
    flying = _apart(at_step, marks_at(at_step.tracks, t), layout, options)
    if options.arrows and not moving and len(flying) <= _FEW:
        flying = settled(tuple(flying), tuple(track.link for track in at_step.tracks), layout, at_step.taken)
    trails = lost_trails(at_step.lost, run, t, layout, theme, options)
    ends = removals(at_step.removed, run, t, layout, theme, options)
    if at_step.crowd:
        return [*at_step.ground, *beneath, *trails, *at_step.nodes, *flying, *ends]
    if not at_step.pills:
        tokens = [mark for mark in flying if mark.form == "pill"]
        dots = [off_names(mark, layout) for mark in flying if mark.form == "dot"]
        return [*at_step.ground, *beneath, *trails, *dots, *at_step.nodes, *tokens, *ends]
    return [*at_step.ground, *beneath, *trails, *flying, *at_step.nodes, *ends]


def prepare(cache: RunCache, layout: Layout, theme: Theme, options: Options) -> None:
    """Work out what `graph` will find until the next step: of a crowd that alone takes long."""
    cache.get(_graph_at_step, cache, Moment(cache.run), layout, theme.name, options)


def _apart(at_step: GraphAtStep, flying: list[Mark], layout: Layout, options: Options) -> list[Mark]:
    """The messages where their labels can be read, without a jump from frame to frame: they soon part."""
    if at_step.crowd:
        return flying
    still = options.arrows and at_step.pills
    if at_step.pills:
        flying = abreast(at_step.tracks, flying)
    flying = clear(flying, at_step.courses)
    if not at_step.pills:  # tokens in front of nodes that are small
        flying = off_their_ends(at_step.tracks, flying, layout)
    if layout.circle or (still and at_step.types):  # where labels are long, and many go the same way
        flying = fanned(at_step.tracks, flying)
    return within(flying, layout.rect)


class GraphAtStep(NamedTuple):
    """What stays the same until the next step."""

    ground: tuple[Shape, ...]
    nodes: tuple[Shape, ...]
    tracks: list[Track]
    courses: list[Course]
    taken: Taken
    lost: list[Record]
    removed: list[Record]
    pills: bool
    types: bool
    crowd: bool


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
    standing = (
        *(crowd if sizes.crowd else nodes)(drawn, layout, theme, options),
        *beside,
        *suspicions(facts, layout, theme, options),
        *traps(moment, layout, theme, options),
        *token_names(facts, layout, theme, options),
    )
    return GraphAtStep(
        ground=(
            *beneath,
            *lights(drawn, layout, theme, options),
            *ways(moment, layout, theme, options),
            *arrival(moment, layout, theme, options),
        ),
        nodes=standing,
        tracks=flying,
        courses=[] if sizes.crowd else _courses(flying, drawn, layout, theme, options),
        taken=Taken(tuple(boxes_of(standing)), tuple(named)) if options.arrows and not sizes.crowd else Taken((), ()),
        lost=just_lost(run, run.now),
        removed=just_removed(run, run.now),
        pills=sizes.pills,
        types=sizes.types,
        crowd=sizes.crowd,
    )


def _courses(
    flying: list[Track], facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options
) -> list[Course]:
    """What is beside the lanes of the messages."""
    signs = [(seen.node, bounds(sign)) for seen in facts for sign in suspicions([seen], layout, theme, options)]
    bodies = around(layout, (*written(facts, layout, theme, options), *signs))
    return [bodies.course(track, mark) for track, mark in zip(flying, marks_at(flying, 0.0), strict=True)]
