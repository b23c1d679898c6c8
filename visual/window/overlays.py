"""Temporary overlays: help, hints at buttons, notices."""

from __future__ import annotations

from math import ceil

from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Rect, Shape, Text
from visual.scene.graph.legend import LegendEntry, sign_of
from visual.window import intents, keys
from visual.window.panel import Panel, View, ground, heading
from visual.window.widgets import Button, Look

# ---- help --------------------------------------------------------------------------------------------------

_MOST_LEADING = 1.6  # factor by which lines move apart where there is room
_MOST_SCALE = 1.35  # factor by which letters grow where there is room


def help_card(view: View) -> Panel:
    """What the signs mean, then all keys of the table, in the columns that fit and the pages needed."""
    look, region = view.look, view.region
    pad = look.px(28)
    card = Rect(region.x + look.gap, region.y + look.gap, region.w - 2 * look.gap, region.h - 2 * look.gap)
    line = look.px(30)
    top = card.y + pad + look.target
    bottom = card.y + card.h - pad
    columns = max(1, int((card.w - 2 * pad) / look.px(560)))
    most = max(4, int((bottom - top) / line))
    sections = [[keys.HelpLine("", section.title), *keys.lines(section)] for section in keys.TABLE]
    signs, of_keys = _pages(_sign_lines(), most, columns), _pages(sections, most, columns)
    pages = [*signs, *of_keys]
    page = min(view.interface.help.page if view.interface.help else 0, len(pages) - 1)
    shapes: list[Shape] = [ground(view), Box(*card, look.theme.card, look.theme.ink, look.rule, look.radius)]
    name, number, count = (
        ("What the signs mean", page, len(signs)) if page < len(signs) else ("Keys", page - len(signs), len(of_keys))
    )
    title = name if count == 1 else f"{name}, page {number + 1} of {count}"
    title_at = card.y + pad + look.target / 2 - look.px(8)
    buttons = _help_buttons(look, card, pad, page, len(pages))
    room = min(button.box.x for button in buttons) - look.gap - card.x - pad
    size = fonts.shrink(title, room, look.size("title"), look.size("small"), weight="bold")
    shapes.append(Text(card.x + pad, title_at, title, size, look.theme.ink, "bold", baseline="middle"))
    alike = signs if page < len(signs) else of_keys  # pages with letters of one size
    width = (card.w - 2 * pad) / max(map(len, alike))
    leading = min((bottom - top) / max(len(column) for some in alike for column in some), _MOST_LEADING * line)
    widest = max(_width(look, entry) for some in alike for column in some for entry in column)
    scale = max(1.0, min(_MOST_SCALE, leading / line, (width - look.px(24)) / widest))
    for place, column in enumerate(pages[page]):
        shapes += _column(look, card.x + pad + place * width, top, width - look.px(24), leading, scale, column)
    return Panel(tuple(shapes), buttons)


def _width(look: Look, line: keys.HelpLine) -> float:
    """The width of a line in letters of the usual size."""
    words = fonts.width(line.words, look.size("body"), weight="normal" if line.keys else "bold")
    return words + look.px(0 if not line.keys else _SIGN_ROOM if line.keys.startswith(_SIGN) else _KEYS_ROOM)


_SIGN_ROOM, _KEYS_ROOM = 48, 190  # logical pixels before the words of a line
_SIGN = "sign:"  # before the kind of a sign and which one it is, in the place of the keys
_SIGNS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Nodes",
        (
            ("state:idle", "idle: neither waiting nor inside"),
            ("state:wanting", "waiting: it has requested the critical section"),
            ("state:inside", "inside the critical section (CS)"),
            ("state:paused", "paused: it takes no steps for a while"),
            ("state:crashed", "crashed: it takes no steps; messages to it are lost"),
            ("halo:", "acts in this step; paler: it sent the message"),
            ("badge:7", "an important variable, such as the Lamport clock"),
            ("backlog:", "more requests wait behind the present one"),
            ("timer:", "a timeout: the ring empties; beside it the time left"),
            ("suspicion:", "suspected of having crashed"),
        ),
    ),
    (
        "Elections",
        (
            ("state:asleep", "has not heard of an election"),
            ("state:participant", "takes part in the election"),
            ("state:candidate", "may still win the election"),
            ("state:relay", "can no longer win: passes messages on"),
            ("state:awaiting answers", "waiting for answers"),
            ("state:awaiting coordinator", "waiting for the coordinator"),
            ("state:leader", "the leader, in its own view"),
            ("state:follower", "has accepted a leader"),
            ("belief:", "believes that this node is the leader"),
        ),
    ),
    (
        "Messages",
        (
            ("message:ask", "a request or a question"),
            ("message:grant", "a reply, a grant, an acknowledgement"),
            ("message:announce", "an announcement: a release, a new coordinator"),
            ("message:token", "the token"),
            ("message:deny", "a refusal; in an election, an answer"),
            ("message:spurious", "a second token, which should not exist"),
            ("lost:", "a message that was lost"),
            ("cut:", "a link that is cut"),
        ),
    ),
    (
        "Lights: properties that a run should have",
        (
            (":", "holds so far: nothing has violated it in this run"),
            (":", "pending: a request has not been served yet"),
            (":", "overdue: a request has waited longer than usual"),
            (":", "broken: violated; a click goes to that step"),
            (":", "dashed frame: this algorithm does not promise it"),
        ),
    ),
    (
        "Words",
        (
            (":", "step: one event with all its effects"),
            (":", "in transit: sent, and neither delivered nor lost"),
            (":", "marker: a moment that the scenario points out"),
            (":", "branch: another future, after an action in the past"),
        ),
    ),
)


def _sign_lines() -> list[list[keys.HelpLine]]:
    """The signs of the picture by subject, with their meanings; a line without a sign is a heading."""
    return [
        [keys.HelpLine("", title), *(keys.HelpLine(f"{_SIGN}{sign}", words) for sign, words in lines)]
        for title, lines in _SIGNS
    ]


def _sign_line(look: Look, x: float, middle: float, width: float, scale: float, line: keys.HelpLine) -> list[Shape]:
    """A sign and its meaning, or the meaning of a word alone."""
    size = scale * look.size("body")
    sign, _, which = line.keys.removeprefix(_SIGN).partition(":")
    drawn = (
        [Group(tuple(sign_of(LegendEntry(sign, which, ""), 1.25 * size, look.theme)), x + size, middle)] if sign else []
    )
    left = x + scale * look.px(_SIGN_ROOM if sign else 0)
    room = x + width - left
    small = fonts.shrink(line.words, room, size, look.px(13))
    words = fonts.shorten(line.words, room, small)
    return [*drawn, Text(left, middle, words, small, look.theme.ink, baseline="middle")]


def _pages(sections: list[list[keys.HelpLine]], lines: int, columns: int) -> list[list[list[keys.HelpLine]]]:
    """The fewest pages and columns, of about equal length and with at most `lines` lines."""
    filled = _columns(sections, lines)
    count = ceil(len(filled) / columns)
    columns = min(columns, ceil(len(filled) / count))
    while lines > 4 and ceil(len(shorter := _columns(sections, lines - 1)) / columns) == count:
        filled, lines = shorter, lines - 1
    return [filled[at : at + columns] for at in range(0, len(filled), columns)]


def _columns(sections: list[list[keys.HelpLine]], lines: int) -> list[list[keys.HelpLine]]:
    """Columns of at most `lines` lines; a section that continues repeats its title."""
    filled: list[list[keys.HelpLine]] = [[]]
    for title, *section in sections:
        if filled[-1] and len(filled[-1]) + min(len(section), 3) + 2 > lines:
            filled.append([])
        elif filled[-1]:
            filled[-1].append(keys.HelpLine("", ""))
        filled[-1].append(title)
        for line in section:
            if len(filled[-1]) >= lines:
                filled.append([title._replace(words=f"{title.words}, continued")])
            filled[-1].append(line)
    return filled


def _column(
    look: Look, x: float, top: float, width: float, line: float, scale: float, lines: list[keys.HelpLine]
) -> list[Shape]:
    shapes: list[Shape] = []
    size, words_at = scale * look.size("body"), x + scale * look.px(_KEYS_ROOM)
    for place, (chords, words) in enumerate(lines):
        middle = top + (place + 0.5) * line
        if not chords:
            shapes.append(heading(look, x, middle, words)._replace(size=scale * look.px(18)))
            continue
        if chords.startswith(_SIGN):
            shapes += _sign_line(look, x, middle, width, scale, lines[place])
            continue
        fitting = fonts.shrink(chords, scale * look.px(_KEYS_ROOM - 10), size, look.px(12), weight="bold")
        shapes.append(Text(x, middle, chords, fitting, look.theme.ink, "bold", baseline="middle"))
        room = x + width - words_at
        small = fonts.shrink(words, room, size, look.px(13))
        words = fonts.shorten(words, room, small)
        shapes.append(Text(words_at, middle, words, small, look.theme.ink, baseline="middle"))
    return shapes


def _help_buttons(look: Look, card: Rect, pad: float, page: int, pages: int) -> tuple[Button, ...]:
    side, step = look.target, look.target + look.gap
    y, right = card.y + pad - look.px(8), card.x + card.w - pad
    buttons: list[Button] = []
    if page > 0:
        box = Rect(right - 3.2 * step, y, side, side)
        buttons.append(Button("help.back", box, intents.help_scroll(-1), "←", hint="previous page"))
    if page < pages - 1:
        box = Rect(right - 2.2 * step, y, side, side)
        buttons.append(Button("help.on", box, intents.help_scroll(1), "→", hint="next page"))
    close = Rect(right - side, y, side, side)
    return (*buttons, Button("help.close", close, intents.close(), icon="cross", hint="close"))


# ---- hints and notices -------------------------------------------------------------------------------------


def hint(view: View, words: str, at: Rect) -> Panel:
    """The description of a button, beside it."""
    look, region = view.look, view.region
    size, pad = look.size("small"), look.px(9)
    width, height = fonts.width(words, size) + 2 * pad, size + 2 * pad
    left = min(max(at.x + at.w / 2 - width / 2, look.px(4)), region.w - width - look.px(4))
    above, below = at.y - height - look.px(6), at.y + at.h + look.px(6)
    top = below if below + height <= region.h else above
    card = Box(left, top, width, height, look.theme.ink, None, 0, look.radius / 2)
    return Panel((card, Text(left + pad, top + height / 2, words, size, look.theme.paper, baseline="middle")))


def notice(view: View, words: str) -> Panel:
    """A notice, above the bar at the bottom; in a presentation over its buttons, in a line where that can be."""
    look, region = view.look, view.region
    pad, gap = look.px(14), look.control if look.presenting else look.gap
    room, least = min(region.w - 4 * pad, look.px(900)), look.size("small" if look.presenting else "body")
    size = fonts.shrink(words, room, look.size("body"), least)
    lines = fonts.wrap(words, room, size)
    width = max(fonts.width(line, size) for line in lines) + 2 * pad
    step = fonts.LINE_HEIGHT * size
    height = len(lines) * step + pad
    left, top = region.x + (region.w - width) / 2, region.y + region.h - height - gap
    shapes: list[Shape] = [Box(left, top, width, height, look.theme.ink, None, 0, look.radius)]
    for place, line in enumerate(lines):
        middle = top + pad / 2 + (place + 0.5) * step
        shapes.append(Text(left + pad, middle, line, size, look.theme.paper, baseline="middle"))
    return Panel(tuple(shapes))
