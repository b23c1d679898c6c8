"""Messages in flight. Where one is, is a pure function of time: the part (t − sent) / (due − sent) of its lane."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias, cast

from algorithms.engine.events import DUE, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, Record
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.moment import Moment
from visual.analysis.tokens import Birth, is_spurious, token_precedence
from visual.drawing import marks
from visual.drawing.shapes import Box, Family, Mark, Point, Shape, Text
from visual.drawing.theme import Theme
from visual.scene.graph.layout import Layout, Way
from visual.scene.graph.node_names import token_text
from visual.scene.options import Measures, Options, measures
from visual.words.names import Naming, message_label, message_stamp, naming

Rest: TypeAlias = tuple[Family, str, float, str, float | None, str]
"""What of a Mark does not change while it flies."""

TOKENS: tuple[Family, ...] = ("token", "spurious")  # they are few, and shown large also among many nodes


class Track(NamedTuple):
    """A message's lane and its times: all that its mark at any moment follows from."""

    x: float
    y: float
    dx: float
    dy: float
    sent: float
    pace: float  # parts of the lane per unit of time
    rest: Rest
    link: tuple[int, int]
    reach: float  # from its middle to its outline, along the lane


def tracks(run: Simulation, layout: Layout, theme: Theme, options: Options) -> list[Track]:
    """One track for each message in flight, as they were sent; they are the same until the next step."""
    known, first = _known(run, layout, theme.name, options), token_precedence(Moment(run)).first
    sizes, names = measures(layout, theme, options), naming(run)
    families: dict[int, Family] = {}  # by the identity of the message: many entries may carry the same
    found = []
    # sorted: the queue's inner order depends on what has been looked at
    for entry in sorted(run.queue.between_processes(), key=itemgetter(SEQ)):
        kept = known.get(entry[SEQ])
        is_known = kept is not None and _is_same(kept[0], entry)
        if kept is None or not is_known or first:
            message = entry[MESSAGE]
            family = families.get(id(message)) or families.setdefault(id(message), family_among(message, run, first))
            if kept is None or not is_known or kept[1].rest[0] != family:
                kept = known[entry[SEQ]] = entry, _track(entry, family, names, layout, sizes, options)
        if kept[0] is not entry:  # it comes at another time: where a person chooses, all wait but one
            kept = known[entry[SEQ]] = entry, _at_another_time(kept[1], entry)
        found.append(kept[1])
    if len(known) > 2 * len(found) + 100:
        flying = {track.rest[-1] for track in found}
        for seq in [seq for seq, (_, track) in known.items() if track.rest[-1] not in flying]:
            del known[seq]
    return found


@lru_cache(maxsize=4)
def _known(run: Simulation, layout: Layout, theme: str, options: Options) -> dict[int, tuple[Record, Track]]:
    """Serial number -> entry and its track, for as long as the entry may be in flight: most outlive many steps."""
    return {}


def _track(entry: Record, family: Family, names: Naming, layout: Layout, sizes: Measures, options: Options) -> Track:
    if family in TOKENS and not sizes.pills:
        sizes = sizes._replace(pills=True, label=token_text(options))
    message, link = entry[MESSAGE], (entry[SENDER], entry[NODE])
    way = layout.ways[link]
    label = label_of(message, family, names, sizes)
    reach = reach_of(label, way, sizes)
    pointing = options.arrows and not sizes.crowd
    toward = math.degrees(math.atan2(way[3], way[2])) if pointing else None
    form = "pill" if sizes.pills else "dot"
    rest = (family, label, sizes.label, form, toward, f"message:{entry[SEQ]}")
    return Track(*lane(way, reach, sizes), entry[SENT], _pace(entry), rest, link, reach.along)


def _is_same(one: Record, other: Record) -> bool:
    """Whether two entries are of the same message on the same way."""
    return one is other or (
        one[MESSAGE] is other[MESSAGE] and one[SENDER] == other[SENDER] and bool(one[NODE] == other[NODE])
    )


def _at_another_time(track: Track, entry: Record) -> Track:
    """The same track with the times of that entry."""
    x, y, dx, dy, _, _, rest, link, reach = track
    times = entry[SENT], _pace(entry)
    return tuple.__new__(
        Track, (x, y, dx, dy, *times, rest, link, reach)
    )  # `_replace` of thousands takes thrice as long


def _pace(entry: Record) -> float:
    """The parts of its lane that a message covers in a unit of time."""
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
    """Type and stamp; in less room the stamp, and in a crowd nothing, unless it is a token."""
    if (sizes.pills and sizes.types) or family in TOKENS:
        return message_label(message, names)
    return "" if sizes.crowd else message_stamp(message, names)


def family_of(message: type[Message], run: Simulation) -> Family:
    """The family of a class of messages on the picture."""
    looks = run.algorithm.looks
    return cast(Family, next((looks[base] for base in message.__mro__ if base in looks), "ask"))


def family_among(message: Message, run: Simulation, first: Birth | None) -> Family:
    """The family of one message: a token that another one precedes has a look of its own."""
    family = family_of(type(message), run)
    return "spurious" if family == "token" and is_spurious(message, first) else family


_INNERMOST = 0.4  # a lane's ends keep to the outer parts of the way, up to this share of it from either node
_ASIDE_PILL, _ASIDE_DOT = 0.55, 0.7  # from the way to the lane, in ems of the label


class Reach(NamedTuple):
    """From the middle of a message to its outline, in the direction of its way and beside it."""

    along: float
    across: float


class Lane(NamedTuple):
    """A lane as its beginning and the vector to its end."""

    x: float
    y: float
    dx: float
    dy: float

    def at(self, part: float) -> Point:
        """The point with that part of the lane behind it."""
        return self.x + self.dx * part, self.y + self.dy * part


def lane(way: Way, reach: Reach, sizes: Measures) -> Lane:
    """The lane of something that reaches so far from its middle."""
    x, y, ux, uy, length = way
    touching = sizes.radius + reach.along
    inset = min(touching, _INNERMOST * length)
    aside = (_ASIDE_PILL if sizes.pills else _ASIDE_DOT) * sizes.label
    if sizes.pills and inset < touching:
        aside = max(aside, (sizes.radius + reach.across) * math.sqrt(1 - (inset / touching) ** 2))
    free = length - 2 * inset
    return Lane(x + ux * inset - uy * aside, y + uy * inset + ux * aside, ux * free, uy * free)


def progress(entry: Record, t: float) -> float:
    """The part of its way that a message has behind it at time t: (t − sent) / (due − sent), within 0 and 1."""
    sent, due = entry[SENT], due_of(entry)
    return min(max((t - sent) / (due - sent), 0.0), 1.0) if due > sent else 1.0


def due_of(entry: Record) -> float:
    """When a message arrives, or would arrive if it were not doomed."""
    return float(entry[DUE] if entry[KIND] == LOST else entry[0])


def reach_of(label: str, way: Way, sizes: Measures) -> Reach:
    """How far a message with that label reaches on that way."""
    if not sizes.pills:
        return Reach(0.7 * sizes.label, 0.7 * sizes.label)
    box = marks.extent(Mark(0, 0, "ask", label, sizes.label))
    _, _, ux, uy, _ = way
    along = min(box.w / 2 / abs(ux) if ux else math.inf, box.h / 2 / abs(uy) if uy else math.inf)
    return Reach(along, (box.w - box.h) / 2 * abs(uy) + box.h / 2)


_ABOVE = 1.75  # from a message's middle to that of its number, in ems of the number
_SIDE = 1.5  # of the number's box, in ems


def numbered(shapes: Iterable[Shape], numbers: Mapping[int, int], size: float, theme: Theme) -> list[Shape]:
    """A box with its number above each message, given by its serial number, that has one."""
    known = {f"message:{serial}": number for serial, number in numbers.items()}
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Mark) and shape.id in known:
            found += _number(shape.x, shape.y - _ABOVE * size, str(known[shape.id]), shape.id, size, theme)
    return found


def _number(x: float, y: float, words: str, name: str, size: float, theme: Theme) -> list[Shape]:
    side = _SIDE * size
    wide = max(side, (0.7 * len(words) + 0.5) * size)
    return [
        Box(x - wide / 2, y - side / 2, wide, side, theme.ink, theme.paper, size / 10, size / 4, id=name),
        Text(x, y, words, size, theme.paper, "bold", anchor="middle", baseline="middle"),
    ]
