"""Variables that an algorithm declares for the picture: pointers as arrows, regions, and things at the ends of links.

Pointers turn, and things move to the other end, when the variable of their node changes: nothing here has a memory.
"""

from __future__ import annotations

from algorithms.engine.process import Algorithm
from visual.drawing.shapes import Box, Circle, Colour, Dash, Group, Line, Shape
from visual.drawing.theme import Theme
from visual.narration.node_facts import EdgeEnd, NodeFacts
from visual.scene.graph.layout import Layout, LinkLine
from visual.scene.options import Measures, Options, measures

_MOST_REGIONS = 3  # at a time; more would cover each other
_FROM, _TO = 1.1, 1.22  # radii: where a pointer begins and ends, from the middles of its nodes
_ASIDE = 0.3  # radii: how far dotted pointers beside solid ones, and a second kind of thing, lie from the line
_END = 1.75  # radii: how far a thing lies from the middle of its node


def pointers(
    facts: list[NodeFacts], algorithm: Algorithm, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """An arrow for each pointer from its node to the one that it names."""
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
    """The shaded regions: of the selected node alone, or of those that wait or are inside, the first few of them."""
    sizes = measures(layout, theme, options)
    chosen = [fact for fact in facts if fact.region]
    if selected := [fact for fact in chosen if fact.is_selected]:
        chosen = selected
    coloured = zip(chosen[:_MOST_REGIONS], theme.requesters, strict=False)
    return [_region(fact, colour, place, layout, theme, sizes) for place, (fact, colour) in enumerate(coloured)]


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
