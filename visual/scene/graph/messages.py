"""Messages in transit. Their places are pure functions of time: the part (t − sent) / (due − sent) of a lane.

One word for one thing: a *link* is the pair (sender, receiver), its *link line* the straight line between the middles
of the two nodes (`Layout.link_lines`). A message travels on a *lane* beside that line, from outline to outline; a
*track* is a lane with the times of one message. A *detour* leads around an obstacle beside a lane (`label_placement`),
and a *trail* is what a lost message leaves behind. Routes and paths are those of requests on an overlay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple, TypeAlias, cast

from algorithms.engine.events import DUE, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, Record
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.tokens import TokenStamp, is_spurious, token_precedence
from visual.drawing import marks
from visual.drawing.shapes import Box, Family, Mark, Point, Shape, Text
from visual.drawing.theme import Theme, load
from visual.scene.graph.layout import Layout, LinkLine
from visual.scene.options import Measures, Options, measures, token_text
from visual.words import Naming, message_label, message_stamp, naming

Rest: TypeAlias = tuple[Family, str, float, str, float | None, str]
"""The fields of a Mark after its place, which stay the same while the message travels."""

TOKENS: tuple[Family, ...] = ("token", "spurious")  # they are few, and shown large also among many nodes


class Track(NamedTuple):
    """The lane and the times of a message, which determine its mark at any time."""

    x: float
    y: float
    dx: float
    dy: float
    sent: float
    pace: float  # fractions of the lane per unit of time
    rest: Rest
    link: tuple[int, int]
    reach: float  # from its middle to its outline, along the lane


def tracks(cache: RunCache, layout: Layout, theme: Theme, options: Options) -> list[Track]:
    """One track for each message in transit, in the order of sending; they are the same until the next step."""
    first = cache.get(token_precedence, Moment(cache.run)).first
    return cache.get(_Tracks, cache.run, layout, theme.name, options).in_transit(first)


class _Tracks:
    """The tracks of a run's messages on one layout, cached while they may be in transit: most outlive many steps."""

    def __init__(self, run: Simulation, layout: Layout, theme_name: str, options: Options) -> None:
        self._run, self._layout, self._options = run, layout, options
        self._sizes = measures(layout, load(theme_name), options)
        self._by_serial: dict[int, tuple[Record, Track]] = {}  # with the entry of the queue

    def in_transit(self, first: TokenStamp | None) -> list[Track]:
        """The tracks at the present step; `first` is the smallest stamp of all tokens, if they have stamps."""
        run, cached, names = self._run, self._by_serial, naming(self._run)
        families: dict[int, Family] = {}  # by the identity of the message: many entries may carry the same
        flying = []
        # sorted: the queue's inner order depends on which entries have been looked at
        for entry in sorted(run.queue.between_processes(), key=itemgetter(SEQ)):
            pair = cached.get(entry[SEQ])
            is_known = pair is not None and (pair[0] is entry or _is_same(pair[0], entry))
            if pair is None or not is_known or first:
                message = entry[MESSAGE]
                family = families.get(id(message))
                if family is None:
                    family = families[id(message)] = family_among(message, run, first)
                if pair is None or not is_known or pair[1].rest[0] != family:
                    pair = cached[entry[SEQ]] = entry, self._track(entry, family, names)
            if pair[0] is not entry:  # now due at another time: where a person chooses, all wait but one
                pair = cached[entry[SEQ]] = entry, _at_another_time(pair[1], entry)
            flying.append(pair[1])
        if len(cached) > 2 * len(flying) + 100:
            self._forget_all_but(flying)
        return flying

    def _forget_all_but(self, flying: list[Track]) -> None:
        ids = {track.rest[-1] for track in flying}
        for serial in [serial for serial, (_, track) in self._by_serial.items() if track.rest[-1] not in ids]:
            del self._by_serial[serial]

    def _track(self, entry: Record, family: Family, names: Naming) -> Track:
        sizes, options = self._sizes, self._options
        if family in TOKENS and not sizes.pills:
            sizes = sizes._replace(pills=True, label=token_text(options))
        message, link = entry[MESSAGE], (entry[SENDER], entry[NODE])
        line = self._layout.link_lines[link]
        label = label_of(message, family, names, sizes)
        reach = reach_of(label, line, sizes)
        pointing = options.arrows and not sizes.crowd
        toward = math.degrees(math.atan2(line[3], line[2])) if pointing else None
        form = "pill" if sizes.pills else "dot"
        rest = (family, label, sizes.label, form, toward, f"message:{entry[SEQ]}")
        return Track(*lane(line, reach, sizes), entry[SENT], _pace(entry), rest, link, reach.along)


def _is_same(one: Record, other: Record) -> bool:
    """Whether two entries are of the same message on the same link."""
    return one[MESSAGE] is other[MESSAGE] and one[SENDER] == other[SENDER] and bool(one[NODE] == other[NODE])


def _at_another_time(track: Track, entry: Record) -> Track:
    """The track with the times of that entry."""
    x, y, dx, dy, _, _, rest, link, reach = track
    times = entry[SENT], _pace(entry)
    return tuple.__new__(
        Track, (x, y, dx, dy, *times, rest, link, reach)
    )  # `_replace` of thousands takes thrice as long


def _pace(entry: Record) -> float:
    """The fraction of its lane that a message covers in a unit of time."""
    sent, due = entry[SENT], due_of(entry)
    return 1 / (due - sent) if due > sent else math.inf


def marks_at(flying: list[Track], t: float) -> list[Mark]:
    """The marks of the messages at time t."""
    found = []
    new = tuple.__new__  # there may be thousands, in every frame
    for x, y, dx, dy, sent, pace, rest, _, _ in flying:
        part = (t - sent) * pace
        if not part < 1.0:  # due already, and held up
            part = 1.0
        elif part < 0.0:
            part = 0.0
        found.append(new(Mark, (x + dx * part, y + dy * part, *rest)))
    return found


def label_of(message: Message, family: Family, names: Naming, sizes: Measures) -> str:
    """Type and stamp; the first part of the stamp where room is short; nothing in a crowd, except for tokens."""
    if (sizes.pills and sizes.types) or family in TOKENS:
        return message_label(message, names)
    if sizes.crowd:
        return ""
    stamp = message_stamp(message, names)
    return stamp.partition(", ")[0] if sizes.pills else stamp


def family_of(message: type[Message], run: Simulation) -> Family:
    """The family, and so the look, of a class of messages."""
    looks = run.algorithm.looks
    return cast(Family, looks.get(message) or next((looks[base] for base in message.__mro__ if base in looks), "ask"))


def family_among(message: Message, run: Simulation, first: TokenStamp | None) -> Family:
    """The family of one message: a token preceded by another is spurious."""
    family = family_of(type(message), run)
    return "spurious" if family == "token" and is_spurious(message, first) else family


_INNERMOST = 0.4  # a lane begins and ends at most this share of the link line away from its nodes
_ASIDE_PILL, _ASIDE_DOT = 0.55, 0.7  # from the link line to the lane, in ems of the label


class Reach(NamedTuple):
    """The distances from the middle of a message to its outline, along its lane and across it."""

    along: float
    across: float


class Lane(NamedTuple):
    """The beginning of a lane and the vector to its end."""

    x: float
    y: float
    dx: float
    dy: float

    def at(self, part: float) -> Point:
        """The point at that fraction of the lane."""
        return self.x + self.dx * part, self.y + self.dy * part


def lane(line: LinkLine, reach: Reach, sizes: Measures) -> Lane:
    """The lane beside a link line for a message with that reach."""
    x, y, ux, uy, length = line
    touching = sizes.radius + reach.along
    inset = min(touching, _INNERMOST * length)
    aside = (_ASIDE_PILL if sizes.pills else _ASIDE_DOT) * sizes.label
    if sizes.pills and inset < touching:
        aside = max(aside, (sizes.radius + reach.across) * math.sqrt(1 - (inset / touching) ** 2))
    free = length - 2 * inset
    return Lane(x + ux * inset - uy * aside, y + uy * inset + ux * aside, ux * free, uy * free)


def progress(entry: Record, t: float) -> float:
    """The fraction of its lane that a message has covered at time t: (t − sent) / (due − sent), from 0 to 1."""
    sent, due = entry[SENT], due_of(entry)
    return min(max((t - sent) / (due - sent), 0.0), 1.0) if due > sent else 1.0


def due_of(entry: Record) -> float:
    """The time at which a message arrives, or would arrive if it were not to be lost."""
    return float(entry[DUE] if entry[KIND] == LOST else entry[0])


def reach_of(label: str, line: LinkLine, sizes: Measures) -> Reach:
    """The reach of a message with that label along and across a link line."""
    if not sizes.pills:
        return Reach(0.7 * sizes.label, 0.7 * sizes.label)
    box = marks.extent(Mark(0, 0, "ask", label, sizes.label))
    _, _, ux, uy, _ = line
    along = min(box.w / 2 / abs(ux) if ux else math.inf, box.h / 2 / abs(uy) if uy else math.inf)
    return Reach(along, (box.w - box.h) / 2 * abs(uy) + box.h / 2)


_ABOVE = 1.75  # from a message's middle to that of its number, in ems of the number
_SIDE = 1.5  # of the number's box, in ems


def numbered(shapes: Iterable[Shape], numbers: Mapping[int, int], size: float, theme: Theme) -> list[Shape]:
    """A box with a number above each message in `numbers`, which maps serial numbers to numbers."""
    by_id = {f"message:{serial}": number for serial, number in numbers.items()}
    boxes: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Mark) and shape.id in by_id:
            boxes += _number(shape.x, shape.y - _ABOVE * size, str(by_id[shape.id]), shape.id, size, theme)
    return boxes


def _number(x: float, y: float, words: str, name: str, size: float, theme: Theme) -> list[Shape]:
    side = _SIDE * size
    wide = max(side, (0.7 * len(words) + 0.5) * size)
    return [
        Box(x - wide / 2, y - side / 2, wide, side, theme.ink, theme.paper, size / 10, size / 4, id=name),
        Text(x, y, words, size, theme.paper, "bold", anchor="middle", baseline="middle"),
    ]
