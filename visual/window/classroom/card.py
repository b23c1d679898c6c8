"""The teacher's card above the graph: how to join, who is there, and what the class may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from algorithms.engine.errors import count_words
from visual.drawing import fonts
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.window import intents
from visual.window.action_table import handles
from visual.window.arrangement import look_of, regions
from visual.window.desk import Desk
from visual.window.panel import Panel, Switch, View, switches
from visual.window.state import Interface
from visual.window.widgets import Look
from visual.words import node_name

if TYPE_CHECKING:
    from visual.window.classroom.room import Room, Seat

QR_SHARE, LEAST_QR = 0.6, 0.3  # of the height of the graph's region: the side of the code
MOST_WIDTH = 0.4  # of the width of the graph's region: the unfolded card
QUIET_ZONE = 4  # modules around a code, as its standard demands
EDGE = 10.0  # logical pixels above and below the card
_SHARES = (2, 1.7, 1.4, 1.2, 1, 0.85, 0.7, 0.6, 0.5)  # of the letters of the body: tried in turn for the address

_BOLD: fonts.Weight = "bold"
_NORMAL: fonts.Weight = "normal"


def room_card(view: View, room: Room) -> Panel:
    """The card: unfolded it has a column beside the graph, folded a band above that."""
    return _unfolded(view, room) if room.is_open else _folded(view, room)


def with_band(interface: Interface, desk: Desk) -> Interface:
    """A copy with as much room beside the graph as the card of the class takes."""
    region, look = regions(interface).classroom, look_of(interface)
    if desk.room is None or not region.h:
        return interface
    ground = bounds(room_card(View(interface, desk, desk.front, look, region), desk.room).shapes[0])
    if desk.room.is_open:
        return interface.with_display(class_band=0.0, class_column=ceil(ground.x + ground.w))
    return interface.with_display(class_band=float(round(ground.h + 2 * look.control * EDGE)), class_column=0.0)


def _unfolded(view: View, room: Room) -> Panel:
    """The code and the address as large as there is room, who is there, and switches, no larger for presenting.

    The words are below the code or beside it, wherever their letters are larger.
    """
    region, small = view.region, replace(view.look, unit=view.look.control)
    pad, edge, gap = small.px(16), view.look.control * EDGE, small.px(10)
    most = MOST_WIDTH * region.w - edge
    inner = Rect(region.x + edge + pad, region.y + edge + pad, most - 2 * pad, region.h - 2 * (edge + pad))
    plain = view._replace(look=small, region=inner._replace(y=0))
    rest = inner.h - gap - switches(plain, "class", [*_switches(room)])[2]
    below = min(max(rest - _height(_lines(small, room, inner.w)), LEAST_QR * inner.h), QR_SHARE * region.h, inner.w)
    beside = min(rest, inner.w / 2)
    places = (
        (below, Rect(inner.x, inner.y + below, inner.w, rest - below)),
        (beside, Rect(inner.x + beside + pad, inner.y, inner.w - beside - pad, beside)),
    )
    tried = ((*_lettering(view.look, small, room, words), side, words) for side, words in places)
    _, lines, side, words = max(tried, key=lambda one: (one[0], one[2]))
    shapes = [text._replace(x=words.x, y=words.y + (place + 0.5) * _line(text)) for place, text in enumerate(lines)]
    top = max(inner.y + side, words.y + _height(lines)) + gap
    drawn, targets, bottom = switches(plain._replace(region=inner._replace(y=top)), "class", [*_switches(room)])
    ground = _ground(small, Rect(inner.x - pad, inner.y - pad, most, bottom - inner.y + pad))
    return Panel((ground, *qr_code(room.link, inner.x, inner.y, side), *shapes, *drawn), tuple(targets))


def _lettering(look: Look, small: Look, room: Room, words: Rect) -> tuple[float, list[Text]]:
    """The lines in the largest letters for which there is room, and their size; 0 if the address has to be cut."""
    looks = (replace(look, unit=max(share * look.unit, small.unit)) for share in _SHARES)
    tried = [[*_lines(one, room, words.w)] for one in looks]
    fitting = [lines for lines in tried if _height(lines) <= words.h] or tried[-1:]
    host = room.address.partition("//")[2]
    whole = (lines for lines in fitting if any(text.text.endswith(host) for text in lines))
    lines = next(whole, [])
    return (lines[0].size, lines) if lines else (0.0, fitting[-1])


def _line(text: Text) -> float:
    return fonts.LINE_HEIGHT * text.size


def _height(lines: Iterable[Text]) -> float:
    return sum(map(_line, lines))


def _folded(view: View, room: Room) -> Panel:
    """The room code and who is there, with the switches beside them or below; no larger for presenting."""
    look, region = replace(view.look, unit=view.look.control), view.region
    pad, size = look.px(12), look.size("small")
    card = Rect(region.x + look.px(18), region.y + look.px(EDGE), region.w - 2 * look.px(18), region.h)
    sentence = fonts.shorten(f"{_code(room)} · {_seats_words(room)}", card.w - 2 * pad, size, weight="bold")
    beside = card.x + pad + fonts.width(sentence, size, weight="bold") + look.px(18)
    rest = Rect(beside, card.y + look.px(8), card.x + card.w - pad - beside, card.h)
    if rest.w < card.w / 2:
        rest = Rect(card.x + pad, rest.y + look.dense, card.w - 2 * pad, card.h)
    drawn, targets, bottom = switches(view._replace(look=look, region=rest), "class", [*_switches(room)])
    middle = card.y + look.px(8) + look.dense / 2
    words = Text(card.x + pad, middle, sentence, size, look.theme.ink, "bold", baseline="middle")
    return Panel((_ground(look, card._replace(h=bottom - card.y)), words, *drawn), tuple(targets))


def _ground(look: Look, box: Rect) -> Box:
    return Box(*box, look.theme.card, look.theme.ink, look.rule, look.radius)


def _lines(look: Look, room: Room, width: float) -> Iterator[Text]:
    """How to come in, and who is there."""
    size, address = look.size("body"), room.address
    if fonts.width(address, size, weight="bold") > width:
        address = address.replace("//", "// ")  # the only place at which it is broken
    for sentence, weight in ((address, _BOLD), (_code(room), _BOLD), (_seats_words(room), _NORMAL)):
        for line in fonts.wrap(sentence, width, size, weight="bold"):
            yield Text(0, 0, line, size, look.theme.ink, weight, baseline="middle")


def _code(room: Room) -> str:
    return f"room code {room.code}"


def qr_code(words: str, x: float, y: float, side: float) -> Iterator[Shape]:
    """A QR code as black boxes on white, in a square of that side."""
    import segno  # an extra

    rows = segno.make(words, error="m", micro=False).matrix
    unit = side / (len(rows) + 2 * QUIET_ZONE)
    yield Box(x, y, side, side, "#ffffff")
    for row, modules in enumerate(rows):
        column = 0
        for is_dark, run in groupby(modules):
            length = len([*run])
            if is_dark:
                left, top = x + (column + QUIET_ZONE) * unit, y + (row + QUIET_ZONE) * unit
                yield Box(left, top, length * unit, unit, "#000000")
            column += length


def _seats_words(room: Room) -> str:
    here = [seat for seat in room.seats.values() if seat.is_here]
    if room.is_lesson:
        votes = f", {count_words(sum(room.counts), 'vote')} on this question" if room.question else ""
        return f"{count_words(len(here), 'phone')}{votes}"
    nodes, waiting = room.run.scenario.nodes, sum(seat.node is None for seat in here)
    more = f", {count_words(waiting, 'phone')} waiting for a seat" if waiting else ""
    return f"phones play {nodes - len(room.empty)} of {nodes} nodes{more}"


def _switches(room: Room) -> Iterator[Switch]:
    """What the teacher may change."""
    change = intents.change_room
    yield Switch("open", "hide the QR code" if room.is_open else "QR code", change("open"), "how to join the class")
    yield Switch("lock", "locked" if room.is_locked else "lock", change("lock"), "stop all picks", room.is_locked)
    if room.is_lesson:
        yield Switch("again", "vote again", change("again"), "a second round of votes beside the first")
        return
    if room.can_be_played:
        yield Switch("hand", "they answer too", change("hand"), "students decide what their node does", room.by_hand)
    yield Switch("reveal", "reveal", change("reveal"), "what the algorithm would have done", room.reveals)
    pace = f"every {room.pace:g} s" if room.pace else "resting"
    yield Switch("pace", f"empty seats: {pace}", change("pace"), "how often the algorithm plays an empty seat")
    yield Switch("undo", "undo", intents.undo(), "take the latest step back")
    for seat in sorted(room.seats.values(), key=lambda seat: seat.node or 0):
        if seat.node is not None:
            hint = (
                "let the algorithm play this node, or give it back"
                if seat.is_here
                else "give its seat to another phone"
            )
            yield Switch(f"seat{seat.node}", _seat_words(seat), intents.take_over(seat.node), hint, seat.is_taken_over)


def _seat_words(seat: Seat) -> str:
    name = node_name(seat.node or 0)
    return f"{name}: algorithm" if seat.is_taken_over else name if seat.is_here else f"{name}: away"


@handles(intents.change_room)
def change_room(interface: Interface, desk: Desk, what: str) -> Interface:
    """Change what the class may do."""
    if desk.room is not None:
        desk.room.change(what)
    return interface


@handles(intents.take_over)
def take_over(interface: Interface, desk: Desk, node: int) -> Interface:
    """Let the algorithm play a student's node, or give it back."""
    if desk.room is not None:
        desk.room.take_over(node)
    return interface
