"""Traces of events and searches: deliveries, losses, removed tokens, searches and traps; running timers; and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from algorithms.engine.applications import is_wanting
from algorithms.engine.events import DELIVER, DESTROYED, KIND, LOST, MESSAGE, NODE, REQUEST, SENDER, TIME, Record
from algorithms.engine.observe.verdicts import Breach
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment, RunCache
from visual.drawing import fonts, icons
from visual.drawing.picking import bounds, distance, is_inside, is_near, meet, middle_of
from visual.drawing.shapes import Arc, Box, Circle, Group, Line, Point, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.narration.node_facts import NodeFacts
from visual.scene.graph.label_placement import boxes_of
from visual.scene.graph.layout import Layout, ShownTimer
from visual.scene.graph.messages import Reach, lane, progress
from visual.scene.graph.nodes import tag, tag_box
from visual.scene.graph.placing import ONE_FILE
from visual.scene.options import Measures, Options, measures, token_text
from visual.words import node_name

_LINGER = 0.8  # how long the trail of a lost message stays, in mean delays
_MOST_RECORDS = 5_000  # records that are searched for losses
_PALEST = 0.3
_REMOVED = "removed"
_GONE = (LOST, DESTROYED)
_OFF, _HEAD, _BREACH = 4.0, 6.0, 5.0  # strokes: from a node to a delivered message's line, its head; to a breach's ring


def just_lost(cache: RunCache, t: float) -> list[Record]:
    """The LOST records of the last moments before t, newest first."""
    recent, since = cache.get(_recent, Moment(cache.run)), t - _LINGER * cache.run.scenario.network.flight
    return [one for one in recent if one[KIND] == LOST and one[TIME] >= since and one[SENDER] != one[NODE]]


def just_removed(cache: RunCache, t: float) -> list[Record]:
    """The DESTROYED records of the last moments before t, newest first."""
    recent, since = cache.get(_recent, Moment(cache.run)), t - cache.run.scenario.network.flight
    return [one for one in recent if one[KIND] == DESTROYED and one[TIME] >= since]


def _recent(moment: Moment) -> list[Record]:
    """The LOST and DESTROYED records of the last mean delay, newest first; among the latest records only."""
    run, trace = moment.run, moment.run.trace
    ahead = run.steps - trace.forgotten
    end = trace.starts[ahead] if ahead < len(trace.starts) else len(trace.records)
    first = trace.steps_until(math.nextafter(run.now - run.scenario.network.flight, -math.inf)) - trace.forgotten
    start = max(trace.starts[first] if first < ahead else end, end - _MOST_RECORDS)
    return [one for one in reversed(trace.records[start:end]) if one[KIND] in _GONE]


def lost_trails(
    lost: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """A fading trail for each message just lost, ending in a ✕."""
    if not lost:
        return []
    sizes, linger = measures(layout, theme, options), _LINGER * run.scenario.network.flight
    age = {record: (t - record[TIME]) / linger for record in lost}
    return [
        Group(tuple(_trail(record, layout, theme, sizes)), opacity=1 - (1 - _PALEST) * min(1.0, max(0.0, age[record])))
        for record in lost
        if age[record] <= 1
    ]


def breach_rings(breaches: Sequence[Breach], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """A ring around each node that a breach of the present step concerns, to be drawn behind the nodes' boxes."""
    if not breaches:
        return []
    sizes = measures(layout, theme, options)
    reach = sizes.radius + _BREACH * sizes.stroke
    return [Circle(*layout.places[node], reach, None, theme.fault, 2.0 * sizes.stroke) for node in _concerned(breaches)]


def breach_crosses(
    breaches: Sequence[Breach], layout: Layout, theme: Theme, options: Options, shapes: Sequence[Shape]
) -> list[Shape]:
    """A cross on each such ring, at the upper left, or where nothing of the graph's other `shapes` is in the way."""
    if not breaches:
        return []
    sizes, crosses, boxes = measures(layout, theme, options), list[Shape](), list(boxes_of(shapes))
    off, reach = math.sqrt(0.5) * (sizes.radius + _BREACH * sizes.stroke), 4.5 * sizes.stroke
    for node in _concerned(breaches):
        x, y = layout.places[node]
        corners = [(x + dx * off, y + dy * off) for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1))]
        free = [at for at in corners if not any(distance(box, at) < reach for box in boxes)]
        at = (free or corners)[0]
        crosses.append(Circle(*at, reach, theme.fault, theme.paper, sizes.stroke))
        crosses += icons.cross(at, 2.0 * sizes.stroke, theme.paper, 1.2 * sizes.stroke)
    return crosses


def _concerned(breaches: Iterable[Breach]) -> list[int]:
    return sorted({node for breach in breaches for node in breach.nodes})


def removals(
    removed: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options, boxes: list[Rect]
) -> list[Shape]:
    """The crossed-out sign of each token just removed, with the word, for one mean delay."""
    if not removed:
        return []
    sizes, shapes = measures(layout, theme, options), []
    for node in {record[NODE]: record for record in removed if t - record[TIME] <= run.scenario.network.flight}:
        shapes += _removal(node, layout, theme, sizes, options, boxes)
    return shapes


def _removal(
    node: int, layout: Layout, theme: Theme, sizes: Measures, options: Options, occupied: Sequence[Rect]
) -> list[Shape]:
    """The sign beside the node, towards the middle of the picture, with the word if there is room for it."""
    size = max(sizes.label, token_text(options))
    reach, wide = 0.9 * size, fonts.width(_REMOVED, size, "mono", "bold") + 1.1 * size
    far, side = sizes.radius + 1.2 * reach, 1 if layout.inwards(node)[0] >= 0 else -1
    place = clear_place(node, (wide + 2.5 * reach, 2.2 * reach), far, layout, tuple(occupied))
    word = tag((place[0] + 1.25 * side * reach, place[1]), _REMOVED, size, theme, sizes) if place else []
    alone = None if place else clear_place(node, (2.2 * reach, 2.2 * reach), far, layout, tuple(occupied))
    at = (place[0] - side * (wide + 0.3 * reach) / 2, place[1]) if place else alone
    if at is None:
        return []
    sign = icons.token(at, reach, "spurious", theme, 0.6 * sizes.stroke)
    return [*sign, *icons.cross(at, 1.1 * reach, theme.ink, max(sizes.stroke, 2.0)), *word]


def _trail(record: Record, layout: Layout, theme: Theme, sizes: Measures) -> list[Shape]:
    travelled = lane(
        layout.link_lines[record[SENDER], record[NODE]], Reach(0.5 * sizes.label, 0.5 * sizes.label), sizes
    )
    end = travelled.at(progress(record, record[TIME]))
    line = Line(travelled.x, travelled.y, *end, theme.fault, 0.8 * sizes.stroke, (sizes.stroke, 2.5 * sizes.stroke))
    return [line, *icons.cross(end, 0.45 * sizes.label, theme.fault, sizes.stroke)]


def arrival(moment: Moment, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """An arrow along the lane of the message delivered in the present step, off the rings of both nodes."""
    event = moment.event
    if event is None or event[KIND] != DELIVER or event[SENDER] == event[NODE]:
        return []
    sizes = measures(layout, theme, options)
    travelled = lane(layout.link_lines[event[SENDER], event[NODE]], Reach(_OFF * sizes.stroke, 0.0), sizes)
    return [Line(travelled.x, travelled.y, *travelled.at(1.0), theme.accent, sizes.stroke, arrow=_HEAD * sizes.stroke)]


_BACK = 600  # steps back in which searches are looked for
_MOST = 3  # traps drawn for one node; the last one counts the others
_LARGE = 0.5  # size of a number, in distances along the ring from node to node: two digits and their box fit
_WIDE, _HIGH = 2.0, 1.4  # room for a number of two digits in its box, in ems


def searches(moment: Moment, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """For each waiting node a line along the nodes its search has reached, in order."""
    run, width = moment.run, measures(layout, theme, options).edge
    dash = (4 * width, 3 * width)
    lines = [tuple(layout.places[node] for node in search) for search in _searches(run) if len(search) > 1]
    return [Polyline(points, theme.families["ask"].outline, 1.2 * width, dash) for points in lines]


def traps(
    moment: Moment, layout: Layout, theme: Theme, options: Options, occupied: Iterable[Shape] = ()
) -> list[Shape]:
    """The owners of each node's traps, inside the ring: boxed if still waiting, otherwise stale."""
    run = moment.run
    if layout.kind != "ring" or measures(layout, theme, options).chip or not any_traps(run):
        return []
    size = options.presented if options.presenting else min(_LARGE * layout.step, 14 * options.scale)
    start = 1.5 * layout.radius + 1.5 * theme.sizes.crowd * options.scale + 0.6 * size
    shapes, boxes = list[Shape](), [bounds(shape) for shape in occupied if isinstance(shape, Text)]
    for process in run.processes:
        ux, uy = (max(abs(part), 1e-9) for part in layout.inwards(process.id))
        step = min(_WIDE * size / ux, _HIGH * size / uy)  # from one number to the next, which do not touch
        for place, (text, live) in enumerate(_marks(run, list(dict.fromkeys(process.traps_for)))):
            mark = trap_mark(_inward(layout, process.id, start + step * place), text, live, size, theme)
            box = bounds(mark[0])
            if not (options.presenting and any(meet(box, other) for other in boxes)):  # since they are large
                boxes.append(box)
                shapes += mark
    return shapes


def any_traps(run: Simulation) -> bool:
    """Whether there are any traps."""
    return any(getattr(process, "traps_for", ()) for process in run.processes)


def kinds_of_traps(run: Simulation) -> set[str]:
    """The kinds of traps present: "live" if the owner is still waiting, otherwise "stale"."""
    owners = {owner for process in run.processes for owner in getattr(process, "traps_for", ())}
    return {"live" if run.processes[owner].wants else "stale" for owner in owners}


def _searches(run: Simulation) -> Iterator[list[int]]:
    """For each waiting process, itself and then the nodes its search has reached, in order."""
    looks = run.algorithm.looks.items()
    asks = [kind for kind, look in looks if look == "ask" and "requester" in getattr(kind, "__dataclass_fields__", {})]
    waiting = {process.id for process in run.processes if asks and is_wanting(process)}
    if not waiting:
        return
    reached: dict[int, list[int]] = {node: [] for node in waiting}
    for k in range(run.steps - 1, max(run.trace.forgotten, run.steps - _BACK) - 1, -1):
        event = run.trace.event(k)
        if event[KIND] == DELIVER and type(event[MESSAGE]) in asks and event[MESSAGE].requester in waiting:
            reached[event[MESSAGE].requester].append(event[NODE])
        elif event[KIND] == REQUEST:
            waiting.discard(event[NODE])
    yield from ([node, *reversed(others)] for node, others in sorted(reached.items()))


def _marks(run: Simulation, owners: list[int]) -> list[tuple[str, bool]]:
    """The numbers of the owners, and whether each is still waiting."""
    shown = owners if len(owners) <= _MOST else owners[: _MOST - 1]
    marks = [(str(owner), bool(run.processes[owner].wants)) for owner in shown]
    return [*marks, (f"+{len(owners) - len(shown)}", False)] if len(shown) < len(owners) else marks


def _inward(layout: Layout, node: int, far: float) -> Point:
    """The place at a distance from the node towards the middle of the ring."""
    (x, y), (mx, my) = layout.places[node], layout.middle
    away = math.dist((x, y), (mx, my)) or 1.0
    return x - (x - mx) / away * far, y - (y - my) / away * far


def trap_mark(middle: Point, text: str, live: bool, size: float, theme: Theme) -> list[Shape]:
    """The number of a trap's owner, as on the graph and in the legend."""
    number = Text(*middle, text, size, theme.ink if live else theme.muted, "bold", "sans", "middle", "middle")
    if not live:
        return [number._replace(weight="normal", halo=theme.paper)]
    width, height = fonts.width(text, size, weight="bold") + 0.5 * size, 1.25 * size
    look = theme.families["ask"]
    left, top = middle[0] - width / 2, middle[1] - height / 2
    return [Box(left, top, width, height, theme.card, look.outline, size / 8, size / 4), number]


# ---- timers ------------------------------------------------------------------------------------------------


_RING = 1.5  # radii of a node, from its middle to the ring of a timer


def timer_rings(
    timers: list[ShownTimer], numbers: dict[int, Rect], t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """The rest of each timer at time `t`: an arc from the top, clockwise, and its length in units of time."""
    if not timers:
        return []
    sizes = measures(layout, theme, options)
    shapes: list[Shape] = []
    for timer in timers:
        left = max(0.0, timer.due - t)
        share = left / timer.duration
        shapes.append(timer_arc(layout.places[timer.node], _RING * sizes.radius, share, theme, 2 * sizes.stroke))
        if box := numbers.get(timer.node):
            size, ink = box.h / fonts.CAP_HEIGHT, theme.pending_text
            shapes.append(Text(box.x, box.y + box.h, f"{left:.1f}", size, ink, "bold", "mono", halo=theme.paper))
    return shapes


def timer_boxes(
    timers: list[ShownTimer], layout: Layout, theme: Theme, options: Options, occupied: list[Rect]
) -> list[tuple[int, Rect]]:
    """The boxes of the numbers beside the rings of timers, within the picture: (node, box) pairs.

    Each has room for the longest number of its timer, so that nothing jumps. It is at the upper right of its ring, or
    above it at the left where another node is in the way; where nodes are `spares`, not on occupied boxes.
    """
    sizes = measures(layout, theme, options)
    size = options.presented if options.presenting else sizes.badge
    if not sizes.badge:
        return []
    off, high, end = 0.8 * _RING * sizes.radius, fonts.CAP_HEIGHT * size, layout.rect.x + layout.rect.w
    boxes: list[tuple[int, Rect]] = []
    for timer in timers:
        (x, y), wide = layout.places[timer.node], fonts.width(f"{timer.duration:.1f}", size, "mono", "bold")
        box = Rect(min(x + off, end - wide), y - off - high, wide, high)
        others = (place for other, place in enumerate(layout.places) if other != timer.node)
        if is_near(box, others, layout.radius):
            box = box._replace(x=x - wide, y=y - 1.25 * _RING * sizes.radius - high)
        if not (sizes.spares and any(meet(box, other) for other in (*occupied, *(other for _, other in boxes)))):
            boxes.append((timer.node, box))
    return boxes


def timer_arc(middle: Point, reach: float, share: float, theme: Theme, width: float) -> Arc:
    """The rest of a timer: this share of a circle."""
    return Arc(*middle, reach, min(share, 1.0), theme.pending, width)


# ---- names beside nodes ------------------------------------------------------------------------------------

_SMALLEST_NAME = 13.0  # logical pixels: the regular names
_LETTERS = 1.3  # ems: the height of a name with all of its letters
_FEW = 8  # nodes that are all named, however small, and waiting ones that are
_MOST_NAMED = 16  # nodes named for what they do; if more do the same, none stands out
_STEPS = (1, 2, 4, 10, 20, 50, 100)  # even ones: in a zigzag the even nodes stand outside


def names(facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The names beside nodes too small for them: on a ring every k-th one outside, and anywhere those that matter."""
    if measures(layout, theme, options).name:
        return []
    size = options.presented if options.presenting else max(theme.sizes.crowd, _SMALLEST_NAME) * options.scale
    few_wait = options.presenting and sum(fact.state == "wanting" for fact in facts) <= _FEW
    states = {"wanting"} if few_wait else set()
    if len(facts) <= _FEW and layout.kind != "ring":
        states = {fact.state for fact in facts}
    states |= {"inside", "crashed", "paused"}
    standing_out = (f for f in facts if f.is_selected or f.is_leader or f.lit or f.token or f.state in states)
    special = [fact.node for fact in standing_out][:_MOST_NAMED]
    in_file, larger = layout.kind == "ring" and layout.graph.nodes <= ONE_FILE, token_text(options)
    boxes: tuple[Rect, ...] = ()
    matter: list[Shape] = []
    for node in special:
        far, wide = 1.5 * layout.radius + 0.1 * larger, fonts.width(node_name(node), larger, weight="bold")
        if at := clear_place(node, (wide, _LETTERS * larger), far, layout, boxes, outwards=in_file):
            name = Text(*at, node_name(node), larger, theme.ink, "bold", "sans", "middle", "middle", theme.paper)
            boxes, matter = (*boxes, bounds(name)), [*matter, name]
    if layout.kind != "ring":
        return matter
    return [_regular(layout, tuple(special) if in_file else (), size, theme), *matter]


def _regular(layout: Layout, special: tuple[int, ...], size: float, theme: Theme) -> Group:
    """The names of every k-th node, outside the ring; left out near nodes with larger names."""
    count = layout.graph.nodes
    every = next((step for step in _STEPS if step * layout.step >= 3.2 * size), _STEPS[-1])
    omitted = {(node + off) % count for node in special for off in range(-every, every + 1)}
    all_names = (_name(layout, node, size, theme) for node in range(0, count, every) if node not in omitted)
    regular = tuple(name for name in all_names if is_inside(bounds(name), layout.rect))
    return Group(regular, key=("names", layout.signature, special, theme.name, size))


def _name(layout: Layout, node: int, size: float, theme: Theme) -> Text:
    """A name beside its node, away from the middle of the picture."""
    (ux, uy), (x, y) = layout.inwards(node), layout.places[node]
    far = 1.5 * layout.radius + 0.6 * size
    anchor: Literal["start", "middle", "end"] = "middle" if abs(ux) < 0.5 else "end" if ux > 0 else "start"
    name, ink = node_name(node), theme.muted
    return Text(x - ux * far, y - uy * far, name, size, ink, "normal", "sans", anchor, "middle", theme.paper)


def token_names(
    facts: list[NodeFacts], layout: Layout, theme: Theme, options: Options, occupied: Iterable[Rect]
) -> list[Shape]:
    """The names of held tokens, where there are several and there is room: beside their nodes, towards the middle."""
    sizes, size = measures(layout, theme, options), token_text(options)
    named = [fact for fact in facts if fact.token_name]
    boxes = list(occupied)
    shapes: list[Shape] = []
    for fact in named:
        _, _, *extent = tag_box((0, 0), fact.token_name, size)
        middle = clear_place(fact.node, (extent[0], extent[1]), 1.3 * sizes.radius + 0.4 * size, layout, tuple(boxes))
        if middle is not None:
            boxes.append(tag_box(middle, fact.token_name, size))
            shapes += tag(middle, fact.token_name, size, theme, sizes)
    return shapes


_DEGREES = (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)
_TURNS = [(math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in _DEGREES]


def clear_place(
    node: int, extent: Point, far: float, layout: Layout, occupied: tuple[Rect, ...], *, outwards: bool = False
) -> Point | None:
    """The middle of a box of that extent, `far` from a node towards the middle of the picture, or away from it.

    Where other nodes or the occupied boxes are in the way, it is in another direction, or farther away; None if
    they are everywhere.
    """
    for away in (far, 1.6 * far, 2.4 * far, 3.2 * far):
        for box in _clear_boxes(node, extent, away, layout, outwards):
            if not any(meet(box, other) for other in occupied):
                return middle_of(box)
    return None


@lru_cache(maxsize=1024)  # nodes stay where they are, and a crowd has many
def _clear_boxes(node: int, extent: Point, away: float, layout: Layout, outwards: bool) -> list[Rect]:
    """The boxes that far from a node that are in the picture and on no other node, the best first."""
    (x, y), (dx, dy), (width, height) = layout.places[node], layout.inwards(node), extent
    dx, dy = (-dx, -dy) if outwards else (dx, dy)
    reach = away + 2 * (width + height) + layout.radius
    around = [place for place in layout.places if math.dist(place, (x, y)) <= reach]
    boxes = []
    for cos, sin in _TURNS:
        ux, uy = dx * cos - dy * sin, dx * sin + dy * cos
        left, top = x + ux * (away + width / 2 * abs(ux)) - width / 2, y + uy * (away + height / 2 * abs(uy))
        boxes.append(Rect(left, top - height / 2, width, height))
    return [box for box in boxes if is_inside(box, layout.rect) and not is_near(box, around, layout.radius)]
