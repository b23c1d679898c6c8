"""One light for each monitor: whether what should be true holds so far, is pending, or was broken, in words."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.check.properties import NAMES
from algorithms.engine.observe.verdicts import BROKEN, PENDING, Verdict
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Box, Colour, Rect, Shape, Text
from visual.window.inputs import Do
from visual.window.panel import Panel, View
from visual.window.widgets import Look, Target
from visual.words.names import node_name

_ICONS = {PENDING: "dots", BROKEN: "cross"}
_ICON_ROOM = 20.0  # logical pixels at the right of a name
_MOST_NAMED = 2  # pending nodes that are named; more are counted
_NAME_AT, _WORDS_AT, _LINE = 21.0, 43.0, 18.0  # logical pixels from the top to the name, to the words, and line by line


def lights(view: View) -> Panel:
    """The lights side by side; a click goes to the breach, to who waits, or says what is watched.

    What the algorithm does not promise has a dashed outline.
    """
    look, region = view.look, view.region
    verdicts = view.session.ledger.verdicts
    if not verdicts:
        return Panel()
    is_soft = view.session.run.algorithm.paced_by is not None
    width = (region.w - (len(verdicts) - 1) * look.gap) / len(verdicts)
    boxes = [Rect(region.x + k * (width + look.gap), region.y, width, region.h) for k in range(len(verdicts))]
    size = _name_size(look, verdicts, boxes[0])
    sign_at = _sign_at(look, verdicts, boxes[0], size)
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, (verdict, box) in enumerate(zip(verdicts, boxes, strict=True)):
        promised = verdict.name in view.session.run.algorithm.promises or verdict.name not in NAMES
        is_share = verdict.name == "ME1" and is_soft
        shapes += _soft(view, box, size) if is_share else _light(look, verdict, box, promised, size, sign_at)
        targets.append(Target(f"lights.{place}", box, _click(verdict), _hint(verdict, promised)))
    return Panel(tuple(shapes), tuple(targets))


def _name_size(look: Look, verdicts: Sequence[Verdict], box: Rect) -> float:
    """The size at which all names fit: the lights are read as one row."""
    room = box.w - 2 * _padding(look, box) - look.px(_ICON_ROOM)
    return min(fonts.shrink(_name(verdict), room, look.px(19), look.px(13), weight="bold") for verdict in verdicts)


def _sign_at(look: Look, verdicts: Sequence[Verdict], box: Rect, size: float) -> float:
    """From the top to the signs: beside the names or, if one of those is too long, beside the second line of words."""
    room = box.w - 2 * _padding(look, box) - look.px(_ICON_ROOM)
    has_room = all(fonts.width(_name(verdict), size, weight="bold") <= room for verdict in verdicts)
    return look.px(_NAME_AT if has_room else _WORDS_AT + _LINE)


def _name(verdict: Verdict) -> str:
    return NAMES.get(verdict.name, verdict.name)


def _soft(view: View, box: Rect, size: float) -> list[Shape]:
    """Soft mutual exclusion: for what share of the time more than one has been inside. It need not be none."""
    look, theme = view.look, view.look.theme
    spent = view.session.ledger.counters(view.interface.time).concurrency
    more = sum(time for count, time in spent.items() if count > 1) / (sum(spent.values()) or 1.0)
    pad = _padding(look, box)
    room = box.w - 2 * pad
    small, words = _in_two_lines(look, f"2 or more: {100 * more:.1f} %", room, room)
    return [
        Box(*box, theme.card, theme.ink, look.px(2.5), look.radius),
        Text(box.x + pad, box.y + look.px(_NAME_AT), "in the CS", size, theme.ink, "bold", baseline="middle"),
        *_written(look, words, box, small, theme.ink),
    ]


def _light(look: Look, verdict: Verdict, box: Rect, promised: bool, size: float, sign_at: float) -> list[Shape]:
    theme = look.theme
    line, ink = _colours(look, verdict)
    dash = () if promised else (look.px(5), look.px(4))
    pad = _padding(look, box)
    shapes: list[Shape] = [Box(*box, theme.card, line, look.px(2.5), look.radius, dash)]
    name_at = box.y + look.px(_NAME_AT)
    shapes.append(Text(box.x + pad, name_at, _name(verdict), size, theme.ink, "bold", baseline="middle"))
    room = box.w - 2 * pad
    second = room if box.y + sign_at == name_at else room - look.px(_ICON_ROOM)
    small, lines = _in_two_lines(look, _status(verdict), room, second)
    if all(fonts.width(line, small, weight="bold") <= second for line in lines[1:]):  # else the words say it alone
        icon, x = _ICONS.get(verdict.status, "tick"), box.x + box.w - pad - look.px(6)
        shapes += icon_shapes(icon, x, box.y + sign_at, look.px(14), line, theme.card)
    return [*shapes, *_written(look, lines, box, small, ink)]


def _written(look: Look, lines: list[str], box: Rect, size: float, ink: Colour) -> list[Text]:
    """The words below the name."""
    left, top = box.x + _padding(look, box), box.y + look.px(_WORDS_AT)
    return [
        Text(left, top + look.px(_LINE * place), line, size, ink, "bold", baseline="middle")
        for place, line in enumerate(lines)
    ]


def _padding(look: Look, box: Rect) -> float:
    return min(look.px(14), 0.09 * box.w)


def _in_two_lines(look: Look, words: str, room: float, second: float) -> tuple[float, list[str]]:
    """The words in at most two lines, the second with a room of its own, and the largest size at which they fit so."""
    for size in (15.0, 14.0, 13.0, 12.0):
        lines = fonts.wrap(words, room, look.px(size), weight="bold")
        widths = [fonts.width(line, look.px(size), weight="bold") for line in lines]
        if len(lines) <= 2 and all(width <= most for width, most in zip(widths, (room, second), strict=False)):
            break
    return look.px(size), lines[:2]


def _colours(look: Look, verdict: Verdict) -> tuple[Colour, Colour]:
    """Of the outline and of the words."""
    theme = look.theme
    if verdict.status == BROKEN:
        return theme.fault, theme.fault_text
    if verdict.status == PENDING:
        return theme.pending, theme.pending_text
    return theme.ok, theme.ok_text


def _status(verdict: Verdict) -> str:
    if verdict.status == BROKEN:
        return f"broken at step {verdict.step}"
    if verdict.status == PENDING:
        if len(verdict.nodes) <= _MOST_NAMED:
            return f"{', '.join(map(node_name, verdict.nodes))} pending"
        return f"{len(verdict.nodes)} pending"
    return "holds so far"


def _click(verdict: Verdict) -> Do:
    if verdict.status == BROKEN:
        return Do("go_to_breach", (verdict.step, f"{verdict.name} is {verdict.sentence()}."))
    if verdict.status == PENDING and verdict.nodes:
        return Do("select", f"node:{verdict.nodes[0]}")
    return Do("say", f"{verdict.name}: {verdict.words}.")


def _hint(verdict: Verdict, promised: bool) -> str:
    promise = "" if promised else "; this algorithm does not promise it"
    return f"{verdict.name}: {verdict.words}{promise}"
