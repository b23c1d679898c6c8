"""Nodes: what of a process can be seen (`facts`), and how it is drawn.

A state shows in four ways at once: fill, ring, word and glyph. What a node believes (whom it takes for the leader)
is drawn on the node that believes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from algorithms.engine.events import DELIVER, FAULT, NODE, SENDER, Record
from algorithms.engine.simulation import Simulation
from visual import fonts
from visual.scene import glyphs
from visual.scene.layout import Layout
from visual.scene.options import Measures, Options, measures
from visual.scene.words import node_name, value_text
from visual.shapes import Box, Circle, Dash, Group, Point, Shape, Text
from visual.theme import StateLook, Theme, load

_MOST_CHIPS = 4
_FEW = 16  # up to so many nodes all show their chips; beyond, only the selected one and a hub


class Facts(NamedTuple):
    """All that can be seen of one node. Equal facts, equal picture."""

    node: int
    state: str  # idle, wanting, inside, crashed, paused
    badge: str = ""
    chips: tuple[str, ...] = ()
    chips_name: str = ""
    in_order: bool = False  # whether the first chip is the head of a queue
    backlog: int = 0  # further requests behind the present one
    held: int = 0  # what waits at the door of a paused node
    token: str = ""  # "held", or what has secretly become of it: "lose", "duplicate"
    leads: bool = False  # takes itself for the leader
    believes: str = ""  # whom else it takes for the leader
    lit: str = ""  # its part in the present step: "acts" or "sent"
    selected: bool = False


class Look(NamedTuple):
    """What the facts do not say but the picture depends on."""

    theme: str
    measures: Measures
    plain: bool  # whether names go without the letter, for want of room


def nodes(run: Simulation, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """One group for each node; its key changes only with what can be seen of it."""
    sizes = measures(layout, theme, options)
    look = Look(theme.name, sizes, plain=_too_narrow(run.scenario.nodes, sizes))
    side = layout.middle[0]
    return [
        _node(seen, look, x < side - 1)._replace(x=x, y=y)
        for seen, (x, y) in zip(all_facts(run, options), layout.places, strict=True)
    ]


def all_facts(run: Simulation, options: Options) -> list[Facts]:
    """The facts of all nodes, in order."""
    lit = _parts_in_step(run)
    chosen = int(options.selected[5:]) if options.selected.startswith("node:") else -1
    few = len(run.processes) <= _FEW
    return [_facts(run, process, lit.get(node, ""), node == chosen, few) for node, process in enumerate(run.processes)]


def _facts(run: Simulation, process: Any, lit: str, selected: bool, few: bool) -> Facts:
    algorithm, node = run.algorithm, process.id
    variables = vars(process)
    chips = variables.get(algorithm.chips) if algorithm.chips and (few or selected) else None
    leader = leader_of(run, node)
    return Facts(
        node,
        state_of(run, node),
        value_text(variables[algorithm.badge]) if algorithm.badge else "",
        _chips(chips, len(run.processes)) if chips else (),
        algorithm.chips.replace("_", " ") if chips and algorithm.chips else "",
        not isinstance(chips, set | frozenset | dict),
        run.backlog[node],
        len(run.held[node]) if node in run.held else 0,
        run.post.marks.get(node, "held") if process.holding() else "",
        leader == node,
        "" if leader is None or leader == node else node_name(leader),
        lit,
        selected,
    )


def state_of(run: Simulation, node: int) -> str:
    """The name of a node's state, as in the theme."""
    if node in run.down:
        return run.down[node]
    variables = vars(run.processes[node])
    if variables.get("inside"):
        return "inside"
    return "wanting" if variables.get("wants") else "idle"


def leader_of(run: Simulation, node: int) -> int | None:
    """Whom a process takes for the leader; None if it knows none, or there is no election in its algorithm."""
    leader = vars(run.processes[node]).get("leader")
    return leader if isinstance(leader, int) else None


def leads(run: Simulation, node: int) -> bool:
    """Whether a process takes itself for the leader."""
    return leader_of(run, node) == node


def present_event(run: Simulation) -> Record | None:
    """The event of the step that led to the present state."""
    return run.trace.event(run.steps - 1) if run.steps else None


def _parts_in_step(run: Simulation) -> dict[int, str]:
    """Who acted in the present step, and who sent what it acted on."""
    event = present_event(run)
    if event is None or event[NODE] < 0:
        return {}
    parts = {event[SENDER]: "sent"} if event[2] == DELIVER else {}
    return {**parts, event[NODE]: "fault" if event[2] == FAULT else "acts"}


def _chips(values: Collection[Any] | Mapping[Any, Any], nodes: int) -> tuple[str, ...]:
    """The elements in short; a small whole number is taken for a node."""
    if isinstance(values, Mapping):
        return tuple(f"{_chip(k, nodes)}:{value_text(v) or '–'}" for k, v in values.items())
    if isinstance(values, set | frozenset):
        values = sorted(values)
    return tuple(_chip(value, nodes) for value in values)


def _chip(value: Any, nodes: int) -> str:
    is_node = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < nodes
    return node_name(value) if is_node else value_text(value) or "–"


def _too_narrow(nodes: int, sizes: Measures) -> bool:
    return fonts.width(node_name(nodes - 1), sizes.name, weight="bold") > 1.7 * sizes.radius


# ---- drawing -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _node(seen: Facts, look: Look, left: bool) -> Group:
    """The node around (0, 0)."""
    theme, sizes = load(look.theme), look.measures
    state = look_of(seen.state, theme)
    shapes: list[Shape] = [
        *_surroundings(seen, theme, sizes),
        *ring(state, sizes.radius, sizes.stroke),
        *_lettering(seen, state, look),
        *_corners(seen, theme, sizes),
    ]
    if seen.chips and sizes.chip:
        shapes += _chips_row(seen, theme, sizes, left)
    return Group(tuple(shapes), key=(seen, look, left), id=f"node:{seen.node}")


def look_of(state: str, theme: Theme) -> StateLook:
    """The theme's look of a state; a node that takes no part yet or any more is a mere outline."""
    if state in theme.states:
        return theme.states[state]
    return theme.states["idle"]._replace(ink=theme.muted, ring=theme.edge, ring_style="dotted", word=state)


def _surroundings(seen: Facts, theme: Theme, sizes: Measures) -> list[Shape]:
    """The light behind a node that has a part in the present step, and the ring around a selected one."""
    r = sizes.radius
    shapes: list[Shape] = []
    if seen.lit:
        shine = {"acts": theme.lit_now, "sent": theme.lit, "fault": theme.lit}[seen.lit]
        shapes.append(Circle(0, 0, 1.42 * r, shine, theme.accent if theme.name == "print" else None, sizes.stroke / 3))
    if seen.selected:
        shapes.append(Circle(0, 0, 1.32 * r, None, theme.accent, sizes.stroke, (sizes.stroke, 2 * sizes.stroke)))
    return shapes


def ring(look: StateLook, radius: float, stroke: float) -> list[Shape]:
    """The circle of a node in that state; thin, thick, double, dashed or dotted."""
    widths: dict[str, tuple[float, Dash]] = {
        "thin": (stroke, ()),
        "thick": (2 * stroke, ()),
        "double": (stroke, ()),
        "dashed": (1.3 * stroke, (2.6 * stroke, 2 * stroke)),
        "dotted": (1.3 * stroke, (stroke, 1.6 * stroke)),
    }
    width, dash = widths[look.ring_style]
    shapes: list[Shape] = [Circle(0, 0, radius, look.fill, look.ring, width, dash)]
    if look.ring_style == "double":
        shapes.append(Circle(0, 0, radius + 3 * stroke, None, look.outer or look.ring, 1.6 * stroke))
    return shapes


def _lettering(seen: Facts, look: StateLook, fit: Look) -> list[Shape]:
    """Name and state inside the circle."""
    sizes = fit.measures
    if not sizes.name:
        return []
    name = str(seen.node) if fit.plain else node_name(seen.node)
    size = fonts.shrink(name, 1.7 * sizes.radius, sizes.name, sizes.name / 2, weight="bold")
    if not sizes.word:
        return [Text(0, 0, name, size, look.ink, "bold", anchor="middle", baseline="middle", halo=look.halo)]
    word = _word(seen, look)
    word_size = fonts.shrink(word, 1.72 * sizes.radius, sizes.word, sizes.word / 2, weight="bold")
    return [
        Text(0, -0.2 * sizes.radius, name, size, look.ink, "bold", anchor="middle", baseline="middle", halo=look.halo),
        Text(
            0,
            0.43 * sizes.radius,
            word,
            word_size,
            look.ink,
            "bold",
            anchor="middle",
            baseline="middle",
            halo=look.halo,
        ),
    ]


def _word(seen: Facts, look: StateLook) -> str:
    if seen.held:
        return f"{look.word} +{seen.held}"
    return look.word


def _corners(seen: Facts, theme: Theme, sizes: Measures) -> list[Shape]:
    """Badge lower right, backlog upper right, belief lower left, token upper left, crown on top."""
    r, shapes = sizes.radius, []
    if seen.badge and sizes.badge:
        shapes += _tag((1.02 * r, 0.95 * r), seen.badge, sizes.badge, theme, sizes)
    if seen.backlog and sizes.chip:
        shapes += _tag((1.0 * r, -0.85 * r), f"+{seen.backlog}", sizes.chip, theme, sizes)
    if seen.believes and sizes.chip:
        shapes += glyphs.belief((-1.05 * r, 0.9 * r), seen.believes, sizes.chip, theme)
    if seen.token:
        shapes += glyphs.token((-0.88 * r, -0.88 * r), 0.4 * r, seen.token, theme, sizes.stroke)
    if seen.leads:
        shapes += glyphs.crown((0, -1.28 * r), 0.46 * r, theme, sizes.stroke)
    if seen.state == "crashed":
        shapes += glyphs.cross((-1.0 * r, -0.85 * r), 0.2 * r, theme.fault, 1.4 * sizes.stroke)
    return shapes


def _tag(middle: Point, text: str, size: float, theme: Theme, sizes: Measures) -> list[Shape]:
    """A small box with a value, as at a node's corner."""
    width, height = fonts.width(text, size, "mono", "bold") + 1.2 * size, 1.5 * size
    width = max(width, height * 1.2)
    box = Box(
        middle[0] - width / 2,
        middle[1] - height / 2,
        width,
        height,
        theme.card,
        theme.ink,
        sizes.stroke * 0.66,
        0.3 * size,
    )
    return [box, Text(*middle, text, size, theme.ink, "bold", "mono", "middle", "middle")]


def _chips_row(seen: Facts, theme: Theme, sizes: Measures, left: bool) -> list[Shape]:
    """A row of chips beside the node, away from the picture's middle, its name above it."""
    shown = seen.chips if len(seen.chips) <= _MOST_CHIPS + 1 else seen.chips[:_MOST_CHIPS]
    rest = len(seen.chips) - len(shown)
    texts = [*shown, f"+{rest}"] if rest else list(shown)
    size, gap = sizes.chip, 0.35 * sizes.chip
    widths = [max(fonts.width(text, size, "mono", "bold") + size, 1.8 * size) for text in texts]
    total = sum(widths) + gap * (len(widths) - 1)
    start = -1.5 * sizes.radius - total if left else 1.5 * sizes.radius
    shapes: list[Shape] = [Text(start, -1.15 * size, seen.chips_name, 0.85 * size, theme.muted, halo=theme.paper)]
    x = start
    for place, (text, width) in enumerate(zip(texts, widths, strict=True)):
        head = seen.in_order and place == 0
        stroke, line = (theme.ink, sizes.stroke) if head else (theme.edge, 0.6 * sizes.stroke)
        shapes.append(Box(x, -0.85 * size, width, 1.7 * size, theme.card, stroke, line, 0.4 * size))
        shapes.append(
            Text(x + width / 2, 0, text, size, theme.ink, "bold" if head else "normal", "mono", "middle", "middle")
        )
        x += width + gap
    return shapes
