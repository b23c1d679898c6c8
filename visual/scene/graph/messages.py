"""Messages in flight. Where one is, is a pure function of time: the part (t − sent) / (due − sent) of its lane."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias, cast

from algorithms.engine.events import MESSAGE, NODE, SENDER, SENT, SEQ, Record
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.moment import Moment
from visual.analysis.tokens import Birth, is_spurious, standing
from visual.drawing.shapes import Family, Mark
from visual.drawing.theme import Theme
from visual.scene.graph.lanes import due_of, lane, reach_of
from visual.scene.graph.layout import Layout
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
    known, first = _known(run, layout, theme.name, options), standing(Moment(run)).first
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
