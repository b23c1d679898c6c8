"""The graph of a run at time t: channels, nodes with their state, messages in transit.

shapes = graph(RunCache(timeline.simulation), t, arrange(timeline.simulation, rect), theme, Options(scale=1.0))

Ids for picking: "node:3", "message:117" (its serial number), "link:1-2". Whatever changes only with a step is computed
once a step; from frame to frame only the places of the messages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import atan2, cos, remainder, sin, tau
from typing import NamedTuple

from algorithms.engine.events import Record
from algorithms.engine.process import Algorithm
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Circle, Colour, Dash, Group, Line, Point, Polyline, Rect, Shape
from visual.drawing.theme import Theme, load
from visual.narration.node_facts import EdgeEnd, NodeFacts, all_facts
from visual.scene.graph.label_placement import (
    LaneDetours,
    Obstacles,
    Occupied,
    boxes_of,
    give_way,
    hide_covered_label,
    move_to_free_room,
)
from visual.scene.graph.layout import ARC, NEXT_ARC, WIDER, Layout, LinkLine, ShownTimer, shown_timers
from visual.scene.graph.links import links, suspicions
from visual.scene.graph.messages import Track, marks_at, tracks
from visual.scene.graph.nodes import corner_boxes, crowd, lights, nodes
from visual.scene.graph.trails import (
    arrival,
    just_lost,
    just_removed,
    lost_trails,
    names,
    removals,
    searches,
    timer_boxes,
    timer_rings,
    token_names,
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
    rings = timer_rings(at_step.timers, at_step.numbers, t, layout, theme, options)
    trails = [*rings, *lost_trails(at_step.lost, run, t, layout, theme, options)]
    ends = removals(at_step.removed, run, t, layout, theme, options, at_step.boxes)
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
    boxes: list[Rect]  # at the nodes, where the names of tokens keep off them
    timers: list[ShownTimer]
    numbers: dict[int, Rect]  # node -> the box of the rest of its timer
    sizes: Measures


def _graph_at_step(cache: RunCache, moment: Moment, layout: Layout, theme_name: str, options: Options) -> GraphAtStep:
    run, theme = moment.run, load(theme_name)
    facts, sizes = all_facts(cache, options.selected), measures(layout, theme, options)
    if layout.circle:
        from visual.scene.overlay.overlay_picture import additions  # the first frame does without

        beneath, beside, drawn, named = additions(cache, facts, layout, theme, options)
    else:
        beneath, beside = [links(run, layout, theme, options)], names(facts, layout, theme, options)
        drawn, named = facts, []
    flying, timers = tracks(cache, layout, theme, options), [] if sizes.crowd else shown_timers(run)
    circles = (crowd if sizes.crowd else nodes)(drawn, layout, theme, options)
    removed, ends = just_removed(cache, run.now), edge_ends(facts, run.algorithm, layout, theme, options)
    has_words = timers or removed or any(fact.token_name for fact in facts)  # that keep off the boxes
    boxes = list(boxes_of(circles)) if has_words and not sizes.crowd else []
    numbers = timer_boxes(timers, layout, theme, options, boxes)
    corners = [] if sizes.crowd else corner_boxes(drawn, layout, theme, options)
    parts = layout, theme, options, corners
    signs = [(f.node, bounds(sign)) for f in drawn if f.suspects for sign in suspicions([f], *parts)]
    obstacles, around = cache.get(Obstacles, layout, (*corners, *signs, *numbers)), [] if sizes.crowd else flying
    standing = (
        *ends,
        *circles,
        *beside,
        *suspicions(facts, *parts),
        *traps(moment, layout, theme, options, beside),
        *token_names(facts, layout, theme, options, boxes),
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
        lanes=[obstacles.detours(track, mark) for track, mark in zip(around, marks_at(around, 0.0), strict=True)],
        occupied=Occupied((*boxes_of(standing), *map(bounds, ends), *(box for _, box in numbers)), tuple(named))
        if options.arrows and not sizes.crowd
        else Occupied((), ()),
        lost=just_lost(cache, run.now),
        removed=removed,
        boxes=boxes,
        timers=timers,
        numbers=dict(numbers),
        sizes=sizes,
    )


_MOST_REGIONS = 3  # at a time; more would cover each other
_FROM, _TO = 1.1, 1.22  # radii: where a pointer begins and ends, from the middles of its nodes
_ASIDE = 0.3  # radii: how far dotted pointers beside solid ones, and a second kind of thing, lie from the line
_END = 1.75  # radii: how far a thing lies from the middle of its node


def pointers(
    facts: list[NodeFacts], algorithm: Algorithm, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """An arrow for each pointer from its node to the one that it names."""
    if not algorithm.pointers:
        return []
    sizes, looks = measures(layout, theme, options), algorithm.pointers
    aside = _ASIDE * sizes.radius if len({*looks.values()}) > 1 else 0.0
    return [
        pointer_line(layout.link_lines[fact.node, other], looks[name], aside, theme.ink, sizes)
        for fact in facts
        for name, other in fact.pointers
    ]


def pointer_line(way: LinkLine, look: str, aside: float, colour: Colour, sizes: Measures) -> Line:
    """The arrow of a pointer between the circles of two nodes; a dotted one lies that much aside of the line."""
    x, y, ux, uy, length = way
    if look == "dotted":
        x, y = x + uy * aside, y - ux * aside
    start, end = _FROM * sizes.radius, length - _TO * sizes.radius
    width = 1.5 * sizes.stroke
    return Line(
        x + ux * start, y + uy * start, x + ux * end, y + uy * end, colour, width, dash_of(look, width), 4.5 * width
    )


def dash_of(look: str, width: float) -> Dash:
    """The dashes of a pointer's line."""
    return (width, 1.8 * width) if look == "dotted" else ()


# ---- regions -----------------------------------------------------------------------------------------------


def regions(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The shaded regions: of the selected node alone, or of those that wait or are inside, the few largest of them.

    If there are groups, these: the one of the largest name first, which keeps its colour while others come and go.
    """
    sizes = measures(layout, theme, options)
    chosen = sorted((fact for fact in facts if fact.region), key=lambda fact: -len(fact.region))
    for name in sorted({fact.group for fact in facts if fact.group >= 0}, reverse=True):
        members = sorted((fact for fact in facts if fact.group == name), key=lambda fact: not fact.is_selected)
        chosen.append(members[0]._replace(region=tuple(fact.node for fact in members)))
    if selected := [fact for fact in chosen if fact.is_selected]:
        chosen = selected
    coloured = zip(chosen[:_MOST_REGIONS], theme.requesters, strict=False)
    halves, size = ((fact, len(fact.region) // 2) for fact in chosen), len(layout.places)  # as many on either side?
    around = ({(fact.node + k) % size for k in range(-n, n + 1)} == {*fact.region} for fact, n in halves)
    is_ring = layout.kind == "ring" and all(around)
    draw = _arc if is_ring else _region
    return [draw(fact, colour, place, layout, theme, sizes) for place, (fact, colour) in enumerate(coloured)]


def _arc(fact: NodeFacts, colour: Colour, place: int, layout: Layout, theme: Theme, sizes: Measures) -> Group:
    """An arc along a node's region, from a disc at the node to both sides, parallel to the links of a ring.

    It lies outside the ring, or inside where names stand outside.
    """
    size, width, half = len(layout.places), 2.2 * sizes.stroke, len(fact.region) // 2
    off = max(ARC * sizes.radius, 2 * width) + place * max(NEXT_ARC * sizes.radius, 2 * width)
    corners = [
        _corner(node, off if sizes.name else -off, layout) for node in range(fact.node - half, fact.node + half + 1)
    ]
    points = [*corners[0][_HALF:], *chain.from_iterable(corners[1:-1]), *corners[-1][: _HALF + 1]]
    dash: Dash = ((4 - place) * sizes.stroke, 2 * sizes.stroke) if theme.name == "print" else ()
    ink = theme.ink if theme.name == "print" else colour
    shapes: list[Shape] = [Polyline(tuple(points), ink, width, dash)]
    if 2 * half < size:
        for (x, y), node in ((points[0], fact.node - half), (points[-1], fact.node + half)):
            angle = atan2(y - layout.places[node % size][1], x - layout.places[node % size][0])
            across, down = 1.3 * width * cos(angle), 1.3 * width * sin(angle)
            shapes.append(Line(x - across, y - down, x + across, y + down, ink, width))
    return Group((*shapes, Circle(*corners[half][_HALF], 1.4 * width, ink)))


_HALF = 9  # points of an arc from where it reaches a node to beside the node


def _corner(node: int, off: float, layout: Layout) -> list[Point]:
    """Where a line beside a ring, at that distance outside it, goes round a node and its words, clockwise."""
    places = layout.places
    (x0, y0), (x, y), (x1, y1) = (places[other % len(places)] for other in (node - 1, node, node + 1))
    begin = atan2(x0 - x, y - y0)
    turn = remainder(atan2(x - x1, y1 - y) - begin, tau)
    if turn * off < 0:  # within the corner
        begin, turn, off = begin + turn / 2, 0.0, off / max(cos(turn / 2), 0.5)
    angles = (begin + turn * k / (2 * _HALF) for k in range(2 * _HALF + 1))
    return [(x + WIDER * off * cos(angle), y + off * sin(angle)) for angle in angles]


def _region(fact: NodeFacts, colour: Colour, place: int, layout: Layout, theme: Theme, sizes: Measures) -> Group:
    """A disc around each member of a node's region, and bands that join them."""
    joints = [(*layout.places[one], *layout.places[other]) for one, other in _joints(fact.node, fact.region, layout)]
    disc, band = (1.75 - 0.17 * place) * sizes.radius, (0.9 - 0.17 * place) * sizes.radius
    if theme.name == "print":
        dash: Dash = ((4 - place) * sizes.stroke, 2 * sizes.stroke)
        rings = [Circle(*layout.places[other], disc, None, theme.ink, sizes.stroke, dash) for other in fact.region]
        return Group((*(Line(*joint, theme.ink, sizes.stroke, dash) for joint in joints), *rings))
    bands = [Line(*joint, colour, 2 * band) for joint in joints]
    discs = [Circle(*layout.places[other], disc, colour) for other in fact.region]
    return Group((*bands, *discs), opacity=0.28)


def _joints(node: int, region: tuple[int, ...], layout: Layout) -> list[tuple[int, int]]:
    """The pairs of members to join: along links where there are any, otherwise from the node itself."""
    links, found, ends = {*layout.graph.links}, [], [node]
    missing = [other for other in region if other != node]
    while missing:
        if not ends:
            ends.append(missing.pop(0))
            found.append((node, ends[0]))
        end = ends.pop(0)
        beside = [other for other in missing if (end, other) in links or (other, end) in links]
        found += [(end, other) for other in beside]
        missing = [other for other in missing if other not in beside]
        ends += beside
    return found


# ---- things at the ends of links ---------------------------------------------------------------------------


def edge_ends(
    facts: list[NodeFacts], algorithm: Algorithm, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """Each thing at its node's end of a link: the first kind on the line, the second smaller and beside it."""
    if not algorithm.at_edges:
        return []
    sizes = measures(layout, theme, options)
    kinds = list(algorithm.at_edges)
    shapes: list[Shape] = []
    for fact in facts:
        for thing in fact.ends:
            x, y, ux, uy, length = layout.link_lines[fact.node, thing.other]
            far, aside = min(_END * sizes.radius, 0.45 * length), kinds.index(thing.name) * 2 * _ASIDE * sizes.radius
            at = x + ux * far + uy * aside, y + uy * far - ux * aside
            drawn = end_mark(thing, kinds.index(thing.name), 0.3 * sizes.radius, theme, sizes.stroke)
            shapes.append(Group(tuple(drawn), *at))
    return shapes


def end_mark(thing: EdgeEnd, kind: int, size: float, theme: Theme, stroke: float) -> list[Shape]:
    """The mark around (0, 0): a disc, filled with ink if it is marked, and for the second kind a small square."""
    fill = theme.ink if thing.is_marked else theme.card
    if kind:
        return [Box(-0.6 * size, -0.6 * size, 1.2 * size, 1.2 * size, theme.families["ask"].outline, theme.ink, stroke)]
    return [Circle(0, 0, size, fill, theme.ink, 1.2 * stroke)]
