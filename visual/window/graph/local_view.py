"""The local view: what one node knows of the run.

Everything here is drawn from the node's `LocalKnowledge`, so nothing global can leak into it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from algorithms.engine.events import MESSAGE, NODE, SENDER
from algorithms.engine.simulation import Simulation
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Line, Mark, Rect, Shape, Text
from visual.drawing.theme import Theme, load
from visual.narration.inspection import Fact
from visual.narration.local_knowledge import NO_VIEW, KnownMessage, LocalKnowledge, local_knowledge
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.label_placement import Occupied, boxes_of, move_to_free_room
from visual.scene.graph.layout import Layout
from visual.scene.graph.links import faded_look
from visual.scene.graph.messages import family_of, label_of, lane, reach_of
from visual.scene.graph.nodes import UNKNOWN, crowd, nodes
from visual.scene.graph.run_graph import edge_ends, pointers, regions
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

_HIDDEN = (
    "Drawn: its variables, the messages of its latest event. Hidden: others' states, messages in transit, counters."
)
_TOGETHER = 60  # channels of a crowd that are drawn in one frame
_INCOMING, _OUTGOING = 0.8, 0.52  # of its lane: where a received or sent message is drawn if there is room,
_BETWEEN = 0.36  # … and its distance to the next one to the same node


def knowledge_of(view: View) -> LocalKnowledge:
    """The knowledge of the node of the local view. ValueError without one."""
    node = view.interface.local_node
    if node is None:
        raise ValueError("no node’s view is shown")
    return local_knowledge(view.run.ledger, node)


def picture(view: View, layout: Layout) -> Panel:
    """The graph as the node knows it, or why it cannot be shown."""
    look, region = view.look, view.region
    if obstacle := _obstacle(view):
        room = Rect(region.x + look.px(24), region.y + look.px(18), region.w - look.px(48), region.h - look.px(36))
        return Panel((Box(*region, look.theme.paper), *paragraph(look, obstacle, room)))
    knowledge = _with_arrival(view, knowledge_of(view))
    paper = Box(*region, look.theme.paper)
    shapes = local_graph(knowledge, view.run.simulation, layout, look.theme, options_of(view), paper)
    return Panel((paper, Group(tuple(shapes), clip=region), *_banner(view, knowledge)))


def _with_arrival(view: View, knowledge: LocalKnowledge) -> LocalKnowledge:
    """What the node knows, with the message that a lesson asks about in place of those of its latest event."""
    event = view.desk.lesson.arriving if view.desk.lesson is not None else None
    if event is None or event[NODE] != knowledge.node:
        return knowledge
    return knowledge._replace(messages=(KnownMessage(event[MESSAGE], event[SENDER], event[NODE]),))


def _obstacle(view: View) -> str:
    """Why the node has no local view in this run; empty if it has."""
    node, run = view.interface.local_node or 0, view.run
    if run.system:
        return NO_VIEW
    return "" if node < run.scenario.nodes else f"There is no {node_name(node)} in this run."


def _banner(view: View, knowledge: LocalKnowledge) -> list[Shape]:
    look, region = view.look, view.region
    words = f"only what {node_name(knowledge.node)} knows"
    size = fonts.shrink(words, region.w - look.px(60), look.px(24), look.px(13), weight="bold")
    width, height = fonts.width(words, size, weight="bold") + 1.6 * size, 1.9 * size
    box = Rect(region.x + look.px(18), region.y + region.h - height - look.px(18), width, height)
    x, y, ink = box.x + width / 2, box.y + height / 2, look.theme.on_accent
    return [
        Box(*box, look.theme.accent, look.theme.ink, look.rule, height / 2),
        Text(x, y, words, size, ink, "bold", anchor="middle", baseline="middle"),
    ]


def header(view: View) -> Panel:
    """The title, a remark on what is hidden, and the button that leaves the view."""
    look, region, knowledge = view.look, view.region, knowledge_of(view)
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
    left = region.x + look.px(26)  # as the title of the ordinary header, which is a button
    room = right - width - look.gap - left
    title = fonts.shorten(f"Only what {node_name(knowledge.node)} knows", room, look.title, weight="bold")
    after = left + fonts.width(title, look.title, weight="bold") + look.px(20)
    size = look.size("body")
    shapes: list[Shape] = [ground(view), level_rule(look, region.x, region.x + region.w, region.y + region.h)]
    shapes.append(Text(left, middle, title, look.title, look.theme.ink, "bold", baseline="middle"))
    note = fonts.shorten(_HIDDEN, left + room - after, size) if left + room - after > look.px(160) else ""
    if note:
        shapes.append(Text(after, middle, note, size, look.theme.muted, baseline="middle"))
    return Panel(tuple(shapes), (back,))


def column(view: View) -> Panel:
    """The variables, timers and events of the node."""
    look, region, knowledge = view.look, view.region, knowledge_of(view)
    pad, line = look.px(20), look.dense
    left, width, top = region.x + pad, region.w - 2 * pad, region.y + look.px(18)
    bottom = region.y + region.h - look.px(14)
    shapes: list[Shape] = [
        ground(view, look.theme.paper),
        upright_rule(look, region.x, region.y, region.y + region.h),
        heading(look, left, top + line / 2, f"{node_name(knowledge.node)} knows"),
    ]
    top += line
    rows = [*knowledge.variables, *(Fact(f"timer {name}", "runs") for name in knowledge.timers)]
    others = 6 if view.desk.lesson is None else 3  # lines for the events, of which a lesson needs the last one
    room = max(int((bottom - top) / line) - others, 1)
    for fact in rows[:room]:
        shapes += _fact(look, fact, Rect(left, top, width - look.px(12), line))
        top += line
    shapes.append(heading(look, left, top + line, "what has happened here"))
    top += 1.5 * line
    box = Rect(left, top, width, max(bottom - top, line))
    events = knowledge.events
    window = list_window(view, "localside", box, len(events), len(events) - 1 if events else None)
    widgets: list[Widget] = [window.scroller]
    for place, rect in window.places():
        if place == len(events) - 1:
            shapes.append(highlight(look, rect._replace(w=rect.w - look.px(12))))
        words = fonts.shorten(events[place], rect.w - look.px(28), look.size("small"))
        middle = rect.y + rect.h / 2
        shapes.append(Text(rect.x + look.px(8), middle, words, look.size("small"), look.theme.ink, baseline="middle"))
    return Panel(tuple(shapes), tuple(widgets))


def _fact(look: Look, fact: Fact, box: Rect) -> list[Shape]:
    """The name and the value of a fact, with its gloss if it fits."""
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
    """The last event of the node, with buttons to step and play."""
    look, region, knowledge = view.look, view.region, knowledge_of(view)
    pad = 28 * look.control
    left, width = region.x + pad, region.w - 2 * pad
    caption = knowledge.sentence if not view.desk.is_pair else f"{view.run.name}: {knowledge.sentence}"
    shapes: list[Shape] = [
        ground(view),
        level_rule(look, region.x, region.x + region.w, region.y),
        *sentence(look, caption, left, middle_of(look, region.y), width),
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


def local_graph(
    knowledge: LocalKnowledge, run: Simulation, layout: Layout, theme: Theme, options: Options, ground: Box
) -> list[Shape]:
    """The shapes, back to front, on a background.

    In a crowd messages pass in front of the nodes, as on the graph, and all behind them is cached with the background.
    """
    sizes, facts, algorithm = measures(layout, theme, options), [knowledge.facts], run.algorithm
    own = [*nodes(facts, layout, theme, options), *edge_ends(facts, algorithm, layout, theme, options)]
    declared = [*regions(facts, layout, theme, options), *pointers(facts, algorithm, layout, theme, options)]
    faded = bool(algorithm.pointers)
    if sizes.crowd:
        beneath = _others(knowledge.node, knowledge.peers, layout, theme.name, options, ground, faded=faded)
        return [beneath, *declared, *_messages(knowledge, run, layout, sizes, own), *own]
    others = nodes(_unknown(knowledge.node, layout, knowledge.others), layout, theme, options)
    channels = _channels(knowledge.node, knowledge.peers, layout, theme, options, faded=faded)
    return [channels, *declared, *_messages(knowledge, run, layout, sizes, [*others, *own]), *others, *own]


@lru_cache(maxsize=4)
def _others(
    node: int, peers: tuple[int, ...], layout: Layout, theme_name: str, options: Options, ground: Box, *, faded: bool
) -> Group:
    """The cached background: the node's channels and the other nodes."""
    theme = load(theme_name)
    parts = [peers[first : first + _TOGETHER] for first in range(0, len(peers), _TOGETHER)]
    drawn = (_channels(node, part, layout, theme, options, faded=faded) for part in parts)
    channels = [group._replace(key=("channels", object())) for group in drawn]
    outlines = crowd(_unknown(node, layout), layout, theme, options)
    patient = (group._replace(patient=True) for group in (*channels, *outlines))
    return Group((ground, *patient), clip=Rect(ground.x, ground.y, ground.w, ground.h), key=("others", object()))


def _channels(
    node: int, peers: tuple[int, ...], layout: Layout, theme: Theme, options: Options, *, faded: bool
) -> Group:
    places, sizes = layout.places, measures(layout, theme, options)
    colour, width, dash = faded_look(theme, sizes) if faded else (theme.edge, sizes.edge, ())
    return Group(tuple(Line(*places[node], *places[peer], colour, width, dash) for peer in peers))


def _unknown(node: int, layout: Layout, known: tuple[tuple[int, str], ...] = ()) -> list[NodeFacts]:
    """The facts about the other nodes: their states are unknown; the node's own variables may hold their numbers."""
    words = dict(known)
    return [NodeFacts(n, UNKNOWN, word=words.get(n, "")) for n in range(layout.graph.nodes) if n != node]


def _messages(
    knowledge: LocalKnowledge, run: Simulation, layout: Layout, sizes: Measures, standing: Sequence[Shape]
) -> list[Mark]:
    """The messages: received ones near the node's end of the lane, sent ones halfway, one after the other.

    Each gives way to what is `standing` there, and to those before it.
    """
    visible = [one for one in knowledge.messages if {one.sender, one.receiver} <= {knowledge.node, *knowledge.peers}]
    parts: dict[int, float] = {}  # of the lane to a receiver: where the latest message to it is
    marks: list[Mark] = []
    for message in visible:
        receiver = message.receiver
        count = sum(other.receiver == receiver for other in visible)
        first = _INCOMING if receiver == knowledge.node else _OUTGOING + _BETWEEN * (count - 1)
        parts[receiver] = parts[receiver] - _BETWEEN if receiver in parts else first
        marks.append(_mark(message, run, layout, sizes, parts[receiver]))
    links = tuple((one.sender, one.receiver) for one in visible)
    return move_to_free_room(tuple(marks), links, layout, Occupied(tuple(boxes_of(standing)), ()))


def _mark(message: KnownMessage, run: Simulation, layout: Layout, sizes: Measures, part: float) -> Mark:
    line = layout.link_lines[message.sender, message.receiver]
    family = family_of(type(message.message), run)
    label = label_of(message.message, family, naming(run), sizes)
    x, y = lane(line, reach_of(label, line, sizes), sizes).at(part)
    toward = None if sizes.crowd else math.degrees(math.atan2(line[3], line[2]))
    return Mark(x, y, family, label, sizes.label, "pill" if sizes.pills else "dot", toward)
