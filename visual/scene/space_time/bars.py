"""The processes of a space-time diagram: their lines and names, and bars for waiting and for being inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from math import inf
from typing import NamedTuple, TypeAlias

from algorithms.engine.events import TIME
from algorithms.engine.membership import CRASHED, GONE
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import resource_name
from visual.analysis.spells import Spell, Spells
from visual.drawing import fonts, icons
from visual.drawing.shapes import Box, Fill, Line, Pattern, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.overlay.paths import resource_colour
from visual.scene.space_time.frame import Frame
from visual.words import node_name

_CLOSEST = 14.0  # pixels between two spells of a process on average, below which they are not told apart
_LANES = 0.86  # of the distance of two lines, for bars beside each other
_SMALLEST_LETTER = 7.0  # its size, times the scale
_PITCH = 9.0  # logical pixels from one stripe of a hatched bar to the next
_PART = 6.0  # pixels of a part of the diagram in which spells are sampled, not drawn one by one


class Bar(NamedTuple):
    """A process in the critical section, or waiting for it, from one moment to another.

    Where there are several resources, which; a process that has to do with more than one at once has as many lanes.
    """

    node: int
    state: str
    start: float
    end: float
    resource: int | None = None
    lane: int = 0
    lanes: int = 1


Lives: TypeAlias = dict[int, list[Spell]]
"""The spells in the frame of each process with a line."""


def visible_lives(frame: Frame, spells: Spells, step: int, since: Mapping[int, float] | None = None) -> Lives:
    """State intervals of each process up to `step`, merged where they are too short to draw.

    With `since`, intervals that end before that place on the axis may be left out.
    """
    return {node: _seen(frame, spells, node, step, since[node] if since else -inf) for node in frame.lanes}


def _seen(frame: Frame, spells: Spells, node: int, step: int, since: float) -> list[Spell]:
    logical_times, (start, end) = frame.plan.logical_times, frame.span
    since = min(max(start, since), end)
    if tells_apart(frame, spells, node, step):
        return spells.between(node, since, end, step, logical_times)
    return spells.coarse_between(node, start, end, step, int((frame.right - frame.left) / _PART), logical_times, since)


def tells_apart(frame: Frame, spells: Spells, node: int, step: int) -> bool:
    """Whether the frame has room to draw each spell of a process."""
    most = max((frame.right - frame.left) / _CLOSEST, 8.0)
    return spells.count(node, *frame.span, step, frame.plan.logical_times) <= most


def lines(frame: Frame, lives: Lives, theme: Theme) -> list[Shape]:
    """A line for each process while it takes part, ending in a ✕ where it crashes, and its name.

    A process that crashed before the span has its ✕ at the edge.
    """
    shapes: list[Shape] = []
    for node in frame.lanes if frame.row > 4 * frame.stroke else ():
        y = frame.y(node)
        for down, stretch in groupby(lives[node], key=lambda spell: spell.down):
            if down not in GONE:
                alike = list(stretch)
                dash = (2 * frame.stroke, 3 * frame.stroke) if down else ()
                start, end = frame.x(alike[0].start), frame.x(alike[-1].end)
                shapes.append(Line(start, y, end, y, theme.ink, frame.stroke, dash, id=f"node:{node}"))
    shapes += crashes(frame, lives, -inf, theme)
    return [*frame.turned(shapes), *_names(frame, theme)]


def crashes(frame: Frame, lives: Lives, since: float, theme: Theme) -> list[Shape]:
    """A ✕ at each end of a line after `since`; not yet turned."""
    reach = min(0.28 * frame.row, 0.5 * frame.text)
    return [
        line
        for node in frame.lanes
        for spell in lives[node]
        if spell.down == CRASHED and since <= spell.start
        for line in icons.cross((frame.x(spell.start), frame.y(node)), reach, theme.fault, 1.5 * frame.stroke)
    ]


def _names(frame: Frame, theme: Theme) -> list[Text]:
    """As many names as fit, left of their lines, or above them where time goes downwards."""
    gap = 0.7 * frame.text
    anchor, baseline = ("middle", "baseline") if frame.plan.down else ("end", "middle")
    return [
        Text(
            *frame.on_screen(frame.left - gap, frame.y(node)),
            node_name(node),
            frame.name,
            theme.ink,
            "bold",
            "sans",
            anchor,  # type: ignore[arg-type]
            baseline,  # type: ignore[arg-type]
            id=f"node:{node}",
        )
        for node in frame.lanes[:: frame.every]
    ]


def bars_of(lives: Lives) -> list[Bar]:
    """The bars, back to front."""
    bars: list[Bar] = []
    for node, own in lives.items():
        busy = [spell for spell in own if spell.state != "idle" and not spell.is_gone]
        bars += [Bar(node, spell.state, spell.start, spell.end) for spell in busy if not spell.claims]
        bars += _of_resources(node, [spell for spell in busy if spell.claims])
    return sorted(bars, key=lambda bar: bar.state == "inside")


def _of_resources(node: int, own: list[Spell]) -> list[Bar]:
    """A bar for each resource and state, joined over spells; a resource keeps its lane from waiting to inside."""
    bars: list[Bar] = []
    lanes: dict[int, int] = {}  # resource -> the lane that it has
    latest: dict[int, int] = {}  # resource -> the place of its last bar
    for _, _, claims, start, end in own:
        claimed = [resource for resource, _ in claims]
        lanes = {resource: lane for resource, lane in lanes.items() if resource in claimed}
        for resource, state in claims:
            if resource not in lanes:
                lanes[resource] = min(set(range(len(claimed))) - set(lanes.values()))
            last = bars[latest[resource]] if resource in latest else None
            if last and (last.state, last.end) == (state, start):
                bars[latest[resource]] = last._replace(end=end)
            else:
                latest[resource] = len(bars)
                bars.append(Bar(node, state, start, end, resource, lanes[resource]))
    count = max((bar.lane for bar in bars), default=0) + 1
    return [bar._replace(lanes=count) for bar in bars]


def bars_ahead(frame: Frame, lives: Lives, run: Simulation, starts: Mapping[int, float]) -> list[Bar]:
    """The parts of the bars between each process's present and the last step executed."""
    ends = {node: present(frame, run, node, len(run.trace)) for node in lives}
    coming = (bar for bar in bars_of(lives) if bar.end > starts[bar.node])
    cut = (bar._replace(start=max(bar.start, starts[bar.node]), end=min(bar.end, ends[bar.node])) for bar in coming)
    return [bar for bar in cut if bar.end > bar.start]


def present(frame: Frame, run: Simulation, node: int, steps: int) -> float:
    """The place of a process on the axis after `step` steps."""
    if frame.plan.logical_times is not None:
        return frame.plan.logical_times.of_node(node, steps) + 0.5
    if steps == run.steps:
        return run.now
    return float(run.trace.event(steps - 1)[TIME]) if steps > run.trace.forgotten else 0.0


def bar_shapes(frame: Frame, bars: list[Bar], theme: Theme) -> list[Shape]:
    """The bars: hatched for waiting, thick and solid for inside; with the letter of one of several resources."""
    width = min(1.5 * frame.scale, frame.row / 10)
    outline = theme.ink if frame.row > 6 else None
    shapes: list[Shape] = []
    letters: list[Shape] = []
    looks: dict[tuple[object, ...], tuple[float, Fill]] = {}  # of bars that differ only in where they are
    for bar in bars:
        kind = (bar.state, *bar[4:])
        aside = (bar.lane - (bar.lanes - 1) / 2) * _LANES * frame.row / bar.lanes  # from the line
        height, fill = looks.get(kind) or looks.setdefault(kind, (_height(bar, frame), _fill(bar, frame, theme)))
        x, y = frame.x(bar.start), frame.y(bar.node) + aside
        w = max(frame.x(bar.end) - x, 1.0)
        shapes.append(Box(x, y - height / 2, w, height, fill, outline, width, min(2.0, height / 4)))
        if bar.resource is not None:
            letters += _letter(bar.resource, bar.state, Rect(x, y, w, height), frame, theme)
    return [*frame.turned(shapes), *letters]


def _height(bar: Bar, frame: Frame) -> float:
    if bar.lanes > 1:
        return max(_LANES * frame.row / bar.lanes, min(frame.row, 1.0))
    share = 0.52 if bar.state == "inside" else 0.36
    if bar.resource is not None:
        share += 0.2  # for its letter
    return max(min(share * frame.row, 1.25 * frame.text), min(frame.row, 1.0))


def _fill(bar: Bar, frame: Frame, theme: Theme) -> Fill:
    """The fill of a bar; every other resource is hatched the other way, since print has one colour."""
    state = theme.states[bar.state].fill
    if bar.state != "wanting" or frame.row <= 6:
        return state if bar.resource is None else resource_colour(bar.resource, theme)
    if bar.resource is None:
        return sample(bar.state, theme, _PITCH * frame.scale)
    ink = resource_colour(bar.resource, theme)
    return Pattern("backhatch" if bar.resource % 2 else "hatch", ink, theme.paper, _PITCH * frame.scale)


def sample(state: str, theme: Theme, pitch: float) -> Fill:
    """The fill of a bar that is high enough for a pattern, where there is one resource."""
    fill = theme.states[state].fill
    if state != "wanting":
        return fill
    return Pattern("hatch", fill.ink if isinstance(fill, Pattern) else fill, theme.paper, pitch)


def legend_fills(shapes: Iterable[Shape], frame: Frame, theme: Theme, several: bool) -> dict[str, Fill]:
    """The states whose bars are among the shapes, with fills for samples of them; other boxes have an id.

    Where each of several resources has its colour, the samples are grey.
    """
    fills = {shape.fill for shape in shapes if isinstance(shape, Box) and not shape.id}
    if not several:
        samples = {state: _fill(Bar(0, state, 0.0, 0.0), frame, theme) for state in ("wanting", "inside")}
        return {state: fill for state, fill in samples.items() if fill in fills}
    legend: dict[str, Fill] = {}
    if any(isinstance(fill, Pattern) for fill in fills):
        legend["wanting"] = Pattern("hatch", theme.muted, theme.paper, _PITCH * frame.scale)
    if not fills.isdisjoint(theme.requesters):
        legend["inside"] = theme.muted
    return legend


def _letter(resource: int, state: str, place: Rect, frame: Frame, theme: Theme) -> list[Text]:
    """The letter of a resource at the beginning of its bar, if there is room for it."""
    size = min(frame.small, 1.25 * place.h)  # letters are less high than they are large
    if state != "inside" or size < _SMALLEST_LETTER * frame.scale:
        return []
    name = resource_name(resource)
    middle = place.x + size + fonts.width(name, size, "mono", "bold") / 2
    if middle > place.x + place.w / 2:
        return []
    at = frame.on_screen(middle, place.y)
    return [Text(*at, name, size, theme.paper, "bold", "mono", "middle", "middle")]


def is_open(bar: Bar) -> bool:
    """Whether the bar still grows."""
    return bar.end == inf
