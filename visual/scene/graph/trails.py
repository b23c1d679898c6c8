"""Traces of events and searches: deliveries, losses, removed tokens, searches and traps; and running timers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from algorithms.engine.applications import is_wanting
from algorithms.engine.events import DELIVER, DESTROYED, KIND, LOST, MESSAGE, NODE, REQUEST, SENDER, TIME, Record
from algorithms.engine.observe.verdicts import Breach
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment
from visual.drawing import fonts, icons
from visual.drawing.shapes import Arc, Box, Circle, Group, Line, Point, Polyline, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.layout import Layout, ShownTimer
from visual.scene.graph.messages import Reach, lane, progress
from visual.scene.graph.nodes import tag, token_text
from visual.scene.options import Measures, Options, measures

_LINGER = 0.8  # how long the trail of a lost message stays, in mean delays
_MOST_RECORDS = 5_000  # records that are searched for losses
_PALEST = 0.3
_REMOVED = "removed"
_OFF, _HEAD = 4.0, 6.0  # strokes: from a node to the line of a delivered message, and the head of its arrow


def just_lost(run: Simulation, t: float) -> list[Record]:
    """The LOST records of the last moments before t, newest first."""
    return [record for record in _recent(run, LOST, t - _linger(run)) if record[SENDER] != record[NODE]]


def just_removed(run: Simulation, t: float) -> list[Record]:
    """The DESTROYED records of the last moments before t, newest first."""
    return _recent(run, DESTROYED, t - _flight(run))


def _recent(run: Simulation, kind: int, since: float) -> list[Record]:
    """The records of one kind since a time, backwards from the present step."""
    trace = run.trace
    ahead = run.steps - trace.forgotten
    end = trace.starts[ahead] if ahead < len(trace.starts) else len(trace.records)
    last = trace.records[max(0, end - _MOST_RECORDS) : end]
    return [record for record in reversed(last) if record[KIND] == kind and record[TIME] >= since]


def lost_trails(
    lost: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """A fading trail for each message just lost, ending in a ✕."""
    if not lost:
        return []
    sizes, linger = measures(layout, theme, options), _linger(run)
    age = {record: (t - record[TIME]) / linger for record in lost}
    return [
        Group(tuple(_trail(record, layout, theme, sizes)), opacity=1 - (1 - _PALEST) * min(1.0, max(0.0, age[record])))
        for record in lost
        if age[record] <= 1
    ]


def breach_marks(breaches: Sequence[Breach], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """A ring with a cross around each node that a breach of the present step concerns."""
    if not breaches:
        return []
    sizes = measures(layout, theme, options)
    shapes: list[Shape] = []
    for node in sorted({node for breach in breaches for node in breach.nodes}):
        (x, y), reach = layout.places[node], sizes.radius + 3.5 * sizes.stroke
        shapes.append(Circle(x, y, reach, None, theme.fault, 2.0 * sizes.stroke))
        at = x - math.sqrt(0.5) * reach, y - math.sqrt(0.5) * reach
        shapes.append(Circle(*at, 4.5 * sizes.stroke, theme.fault, theme.paper, sizes.stroke))
        shapes += icons.cross(at, 2.0 * sizes.stroke, theme.paper, 1.2 * sizes.stroke)
    return shapes


def removals(
    removed: list[Record], run: Simulation, t: float, layout: Layout, theme: Theme, options: Options
) -> list[Shape]:
    """The crossed-out sign of each token just removed, with the word, for one mean delay."""
    if not removed:
        return []
    sizes, shapes = measures(layout, theme, options), []
    for node in {record[NODE]: record for record in removed if t - record[TIME] <= _flight(run)}:
        shapes += _removal(node, layout, theme, sizes, options)
    return shapes


def _removal(node: int, layout: Layout, theme: Theme, sizes: Measures, options: Options) -> list[Shape]:
    """The sign beside the node, towards the middle of the picture, where there is room."""
    (x, y), (ux, uy) = layout.places[node], layout.inwards(node)
    size = max(sizes.label, token_text(options))
    reach = 0.9 * size
    far = sizes.radius + 2.2 * reach
    at = x + ux * far, y + uy * far
    half = fonts.width(_REMOVED, size, "mono", "bold") / 2 + 0.55 * size
    word = tag((at[0] + (half + 1.5 * reach) * (1 if ux >= 0 else -1), at[1]), _REMOVED, size, theme, sizes)
    sign = icons.token(at, reach, "spurious", theme, 0.6 * sizes.stroke)
    return [*sign, *icons.cross(at, 1.1 * reach, theme.ink, max(sizes.stroke, 2.0)), *word]


def _linger(run: Simulation) -> float:
    return _LINGER * run.scenario.network.delay.mean or 1.0


def _flight(run: Simulation) -> float:
    return run.scenario.network.delay.mean or 1.0


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


def traps(moment: Moment, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The owners of each node's traps, inside the ring: boxed if still waiting, otherwise stale."""
    run = moment.run
    if layout.kind != "ring" or measures(layout, theme, options).chip or not any_traps(run):
        return []
    largest = options.presented if options.presenting else 14 * options.scale
    size = min(_LARGE * layout.step, largest)
    start = 1.5 * layout.radius + 1.5 * theme.sizes.crowd * options.scale + 0.6 * size
    shapes: list[Shape] = []
    for process in run.processes:
        step = _step(layout, process.id, size)
        for place, (text, live) in enumerate(_marks(run, list(dict.fromkeys(process.traps_for)))):
            shapes += trap_mark(_inward(layout, process.id, start + step * place), text, live, size, theme)
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
    asks = [kind for kind, look in run.algorithm.looks.items() if look == "ask" and _names_requester(kind)]
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


def _names_requester(kind: type[Message]) -> bool:
    return "requester" in getattr(kind, "__dataclass_fields__", {})


def _marks(run: Simulation, owners: list[int]) -> list[tuple[str, bool]]:
    """The numbers of the owners, and whether each is still waiting."""
    shown = owners if len(owners) <= _MOST else owners[: _MOST - 1]
    marks = [(str(owner), bool(run.processes[owner].wants)) for owner in shown]
    return [*marks, (f"+{len(owners) - len(shown)}", False)] if len(shown) < len(owners) else marks


def _step(layout: Layout, node: int, size: float) -> float:
    """The distance from one number of a node to the next farther inwards, such that they do not touch."""
    ux, uy = layout.inwards(node)
    return min(_WIDE * size / max(abs(ux), 1e-9), _HIGH * size / max(abs(uy), 1e-9))


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


def timer_rings(timers: list[ShownTimer], t: float, layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """The rest of each timer at time `t`: an arc from the top, clockwise, and its length in units of time."""
    if not timers:
        return []
    sizes = measures(layout, theme, options)
    boxes = dict(timer_boxes(timers, layout, theme, options))
    shapes: list[Shape] = []
    for timer in timers:
        left = max(0.0, timer.due - t)
        share = left / timer.duration
        shapes.append(timer_arc(layout.places[timer.node], _RING * sizes.radius, share, theme, 2 * sizes.stroke))
        if box := boxes.get(timer.node):
            size, ink = box.h / fonts.CAP_HEIGHT, theme.pending_text
            shapes.append(Text(box.x, box.y + box.h, f"{left:.1f}", size, ink, "bold", "mono", halo=theme.paper))
    return shapes


def timer_boxes(timers: list[ShownTimer], layout: Layout, theme: Theme, options: Options) -> list[tuple[int, Rect]]:
    """The boxes of the numbers beside the rings of timers, within the picture: (node, box) pairs.

    Each has room for the longest number of its timer, so that nothing jumps. It is at the upper right of its ring, or
    above it at the left where another node is in the way.
    """
    sizes = measures(layout, theme, options)
    size = options.presented if options.presenting else sizes.badge
    if not sizes.badge:
        return []
    off, high, end = 0.8 * _RING * sizes.radius, fonts.CAP_HEIGHT * size, layout.rect.x + layout.rect.w
    boxes = []
    for timer in timers:
        (x, y), wide = layout.places[timer.node], fonts.width(f"{timer.duration:.1f}", size, "mono", "bold")
        box = Rect(min(x + off, end - wide), y - off - high, wide, high)
        if not _is_clear(box, timer.node, layout):
            box = box._replace(x=x - wide, y=y - 1.25 * _RING * sizes.radius - high)
        boxes.append((timer.node, box))
    return boxes


@lru_cache(maxsize=256)
def _is_clear(box: Rect, node: int, layout: Layout) -> bool:
    """Whether the circle of no other node reaches into the box."""
    return not any(
        math.dist((x, y), (min(max(x, box.x), box.x + box.w), min(max(y, box.y), box.y + box.h))) < layout.radius
        for other, (x, y) in enumerate(layout.places)
        if other != node
    )


def timer_arc(middle: Point, reach: float, share: float, theme: Theme, width: float) -> Arc:
    """The rest of a timer: this share of a circle."""
    return Arc(*middle, reach, min(share, 1.0), theme.pending, width)
