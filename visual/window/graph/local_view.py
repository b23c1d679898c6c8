"""The window as one node sees the run: what it knows, and nothing else; the others are outlines.

Everything here is made from the node's `LocalKnowledge`, so nothing global can leak into it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from algorithms.engine.rewrite import system_of
from algorithms.engine.simulation import Simulation
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Line, Mark, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.inspection import Fact
from visual.narration.local_knowledge import NO_VIEW, KnownMessage, LocalKnowledge, local_knowledge
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.layout import Layout
from visual.scene.graph.messages import family_of, label_of, lane, reach_of
from visual.scene.graph.nodes import crowd, nodes
from visual.scene.options import Measures, Options, measures
from visual.window import intents, keys
from visual.window.graph.graphs import options_of
from visual.window.panel import (
    Panel,
    View,
    ground,
    heading,
    highlight,
    level_rule,
    list_window,
    middle_of,
    paragraph,
    sentence,
    upright_rule,
)
from visual.window.widgets import Button, Look, Widget, button_width
from visual.words import naming, node_name

_HIDDEN = "The states of the others, messages on their way, counters and lights are hidden."


def known_to(view: View) -> LocalKnowledge:
    """What the node of the local view knows."""
    node = view.interface.local_node
    if node is None:
        raise ValueError("no node’s view is shown")
    return local_knowledge(view.run.ledger, node)


def picture(view: View, layout: Layout) -> Panel:
    """The graph as the node knows it, under a banner that says so; or why it has no view in this run."""
    look, region = view.look, view.region
    if missing := _missing(view):
        room = Rect(region.x + look.px(24), region.y + look.px(18), region.w - look.px(48), region.h - look.px(36))
        return Panel((Box(*region, look.theme.paper), *paragraph(look, missing, room)))
    known = known_to(view)
    paper = Box(*region, look.theme.paper)
    shapes = local_graph(known, view.run.simulation, layout, look.theme, options_of(view), paper)
    return Panel((paper, Group(tuple(shapes), clip=region), *_banner(view, known)))


def _missing(view: View) -> str:
    """Why the node that is selected in the run beside this one has no view here; empty if it has one."""
    node, run = view.interface.local_node or 0, view.run
    if system_of(run.simulation.algorithm):
        return NO_VIEW
    return "" if node < run.scenario.nodes else f"There is no {node_name(node)} in this run."


def _banner(view: View, known: LocalKnowledge) -> list[Shape]:
    look, region = view.look, view.region
    words = f"only what {node_name(known.node)} knows"
    size = fonts.shrink(words, region.w - look.px(60), look.px(24), look.px(13), weight="bold")
    width, height = fonts.width(words, size, weight="bold") + 1.6 * size, 1.9 * size
    box = Rect(region.x + look.px(18), region.y + region.h - height - look.px(18), width, height)
    return [
        Box(*box, look.theme.accent, look.theme.ink, look.rule, height / 2),
        Text(
            box.x + width / 2,
            box.y + height / 2,
            words,
            size,
            look.theme.on_accent,
            "bold",
            anchor="middle",
            baseline="middle",
        ),
    ]


def header(view: View) -> Panel:
    """Whose view this is, what it leaves out, and the way back."""
    look, region, known = view.look, view.region, known_to(view)
    pad, middle = look.px(16), region.y + region.h / 2
    width = button_width(look, "everything")
    right = region.x + region.w - pad
    back = Button(
        "localhead.back",
        Rect(right - width, middle - look.target / 2, width, look.target),
        intents.local_view(),
        "everything",
        hint=f"the whole run  {keys.hint(intents.local_view())}",
    )
    left = region.x + look.px(26)  # where a title that can be pressed begins
    room = right - width - look.gap - left
    title = fonts.shorten(f"Only what {node_name(known.node)} knows", room, look.title, weight="bold")
    after = left + fonts.width(title, look.title, weight="bold") + look.px(20)
    size = look.size("body")
    shapes: list[Shape] = [ground(view), level_rule(look, region.x, region.x + region.w, region.y + region.h)]
    shapes.append(Text(left, middle, title, look.title, look.theme.ink, "bold", baseline="middle"))
    note = fonts.shorten(_HIDDEN, left + room - after, size) if left + room - after > look.px(160) else ""
    if note:
        shapes.append(Text(after, middle, note, size, look.theme.muted, baseline="middle"))
    return Panel(tuple(shapes), (back,))


def column(view: View) -> Panel:
    """The node's variables and timers, and what has happened at it."""
    look, region, known = view.look, view.region, known_to(view)
    pad, line = look.px(20), look.dense
    left, width, top = region.x + pad, region.w - 2 * pad, region.y + look.px(18)
    bottom = region.y + region.h - look.px(14)
    shapes: list[Shape] = [
        ground(view, look.theme.paper),
        upright_rule(look, region.x, region.y, region.y + region.h),
        heading(look, left, top + line / 2, f"{node_name(known.node)} knows"),
    ]
    top += line
    rows = [*known.variables, *(Fact(f"timer {name}", "runs") for name in known.timers)]
    room = max(int((bottom - top) / line) - 6, 1)
    for fact in rows[:room]:
        shapes += _fact(look, fact, Rect(left, top, width - look.px(12), line))
        top += line
    shapes.append(heading(look, left, top + line, "what has happened here"))
    top += 1.5 * line
    box = Rect(left, top, width, max(bottom - top, line))
    seen = list_window(view, "localside", box, len(known.events), len(known.events) - 1 if known.events else None)
    widgets: list[Widget] = [seen.scroller]
    for place, rect in seen.places():
        if place == len(known.events) - 1:
            shapes.append(highlight(look, rect._replace(w=rect.w - look.px(12))))
        words = fonts.shorten(known.events[place], rect.w - look.px(28), look.size("small"))
        middle = rect.y + rect.h / 2
        shapes.append(Text(rect.x + look.px(8), middle, words, look.size("small"), look.theme.ink, baseline="middle"))
    return Panel(tuple(shapes), tuple(widgets))


def _fact(look: Look, fact: Fact, box: Rect) -> list[Shape]:
    """Name and value, and what it means where there is room."""
    size, middle, off = look.px(16), box.y + box.h / 2, look.px(8)
    words = fonts.shorten(f"{fact.name} = {fact.value}", box.w - 2 * off, size, "mono", "bold")
    shapes: list[Shape] = [highlight(look, box)] if fact.changed else []
    shapes.append(Text(box.x + off, middle, words, size, look.theme.ink, "bold", "mono", baseline="middle"))
    room = box.w - fonts.width(words, size, "mono", "bold") - 4 * off
    gloss = fonts.shorten(fact.gloss, room, look.size("small")) if room > look.px(100) else ""
    if gloss:
        right = box.x + box.w - off
        shapes.append(Text(right, middle, gloss, look.size("small"), look.theme.muted, anchor="end", baseline="middle"))
    return shapes


def foot(view: View) -> Panel:
    """The last thing that happened at the node, and buttons to go on and back; no clock, no timeline."""
    look, region, known = view.look, view.region, known_to(view)
    pad = 28 * look.control
    left, width = region.x + pad, region.w - 2 * pad
    told = known.sentence if not view.desk.is_pair else f"{view.run.name}: {known.sentence}"
    shapes: list[Shape] = [
        ground(view),
        level_rule(look, region.x, region.x + region.w, region.y),
        *sentence(look, told, left, middle_of(look, region.y), width),
    ]
    top = region.y + region.h - 16 * look.control - look.button
    playing = view.interface.playback.playing
    buttons: list[Widget] = []
    for name, icon, does, hint, wide in (
        ("back", "back", intents.previous_of_node(), "what happened here before", 1.0),
        ("play", "pause" if playing else "play", intents.play_pause(), "play / pause", 1.6),
        ("forward", "forward", intents.next_of_node(), "what happens here next", 1.0),
    ):
        box = Rect(left, top, wide * look.button, look.button)
        kind = "primary" if name == "play" else "plain"
        buttons.append(Button(f"localfoot.{name}", box, does, icon=icon, hint=hint, kind=kind))  # type: ignore[arg-type]
        left += box.w + look.bar(6)
    return Panel(tuple(shapes), tuple(buttons))


_TOGETHER = 60  # channels in a crowd that are drawn in one frame
_COMING, _GOING = 0.8, 0.55  # the part of its lane that a message has behind it where it is drawn


def local_graph(
    known: LocalKnowledge, run: Simulation, layout: Layout, theme: Theme, options: Options, ground: Box
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


def _unknown(node: int, layout: Layout) -> list[NodeFacts]:
    """What the node sees of the other nodes: nothing."""
    return [NodeFacts(other, "unknown") for other in range(layout.graph.nodes) if other != node]


def _letters(known: LocalKnowledge, run: Simulation, layout: Layout, sizes: Measures) -> list[Mark]:
    """What it has received near its end of the way, and so what it has sent."""
    return [
        _mark(letter, run, layout, sizes, _COMING if letter.receiver == known.node else _GOING)
        for letter in known.messages
        if {letter.sender, letter.receiver} <= {known.node, *known.peers}
    ]


def _mark(letter: KnownMessage, run: Simulation, layout: Layout, sizes: Measures, part: float) -> Mark:
    way = layout.link_lines[letter.sender, letter.receiver]
    family = family_of(type(letter.message), run)
    label = label_of(letter.message, family, naming(run), sizes)
    x, y = lane(way, reach_of(label, way, sizes), sizes).at(part)
    toward = None if sizes.crowd else math.degrees(math.atan2(way[3], way[2]))
    return Mark(x, y, family, label, sizes.label, "pill" if sizes.pills else "dot", toward)
