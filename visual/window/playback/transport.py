"""The bar at the bottom: the caption of the last step, the buttons of a player, and the timeline.

Beside the caption stands the name of the moment, if the scenario has one.
"""

from __future__ import annotations

from itertools import groupby
from math import ceil, inf
from typing import TYPE_CHECKING

from algorithms.engine.scenario import Marker
from visual.analysis.event_index import GRAINS
from visual.drawing import fonts
from visual.drawing.shapes import Box, Colour, Fill, Pattern, Rect, Shape, Text, stacked
from visual.drawing.theme import Theme
from visual.window import intents, keys
from visual.window.desk import Desk
from visual.window.intents import Do
from visual.window.panel import SMALLEST, SMALLEST_PRESENTED, Panel, View, ground, level_rule, middle_of, sentence
from visual.window.presenting.questions import hides_future, is_answered, moment_name, question_at
from visual.window.run_view import RunView
from visual.window.state import SLOWEST, UNBOUND
from visual.window.widgets import Button, Look, Slider, Widget

if TYPE_CHECKING:
    from visual.window.pages.plot_kinds import LevelColumn

_STRIP = "one token (thin), none (solid), several (striped)"
_MARKER = (0.25, 0.4)  # shares of the room for a marker's name, at least and at most


def transport(view: View) -> Panel:
    """Caption, buttons, speed, timeline, step and time; keys replace those without room."""
    look, region = view.look, view.region
    pad = 28 * look.control
    row = Rect(region.x + pad, region.y + region.h - 16 * look.control - look.button, region.w - 2 * pad, look.button)
    shapes: list[Shape] = [ground(view), level_rule(look, region.x, region.x + region.w, region.y)]
    shapes += _sentence_row(view, row.x, middle_of(look, region.y - 7 * look.control * look.presenting), row.w)
    parts = _fitting(view, row)
    widgets: list[Widget] = []
    left = row.x
    if "first" in parts:
        widgets.append(_button(look, "first", left, row, intents.seek_start(), "to the start"))
        left += look.button + look.bar(6)
    for button in _player(view, left, row):
        widgets.append(button)
        left = button.box.x + button.box.w + look.bar(6)
    if "undo" in parts:
        widgets.append(_button(look, "undo", left, row, intents.undo(), "undo the last intervention"))
        left += look.button + look.bar(6)
    if "speed" in parts:
        more, slider, left = _speed(view, left + look.bar(14), row)
        shapes += more
        widgets.append(slider)
    right = row.x + row.w
    if "time" in parts:
        shapes.append(_time(view, right, row))
        right -= _time_width(look) + look.bar(18)
    if "step" in parts:
        words = _step_words(view)
        shapes.append(Text(right, _middle(row), words, look.bar(20), look.theme.muted, anchor="end", baseline="middle"))
        right -= _step_width(view) + look.bar(18)
    timeline = _timeline(view, left + look.bar(26) + names_width(view), right - look.bar(8), row)
    shapes += _tokens(view, timeline.box)
    shapes += marks(view, timeline.box)
    return Panel(tuple(shapes), (*widgets, timeline))


def _fitting(view: View, row: Rect) -> set[str]:
    """The parts that fit beside the three buttons and the timeline, most important first."""
    look = view.look
    button = look.button + look.bar(6)
    free = row.w - 3 * button - look.bar(30) - look.bar(34) - max(look.bar(230), 150) - names_width(view)
    widths = {
        "time": _time_width(look) + look.bar(18),
        "undo": button,
        "speed": look.bar(14 + 62 + 120),
        "first": button,
        "step": _step_width(view) + look.bar(18),
    }
    fitting = set()
    for name, width in widths.items():
        if width <= free:
            fitting.add(name)
            free -= width
    return fitting


def _middle(row: Rect) -> float:
    return row.y + row.h / 2


def _sentence_row(view: View, left: float, middle: float, room: float) -> list[Shape]:
    """The caption, and at the right the moment's name, which gives way to it.

    While presenting, letters are too large for both, and the header has the name.
    """
    question = question_at(view.interface, view.desk)
    if question is not None:
        return _question(view, question, left, middle, room)
    look, playback = view.look, view.interface.playback
    words = view.desk.sentence if playback.playing else view.desk.sentence_at(playback.time)
    smallest, gap = SMALLEST * look.sentence, look.bar(40)
    spare = room - gap - fonts.width(words, smallest, weight="bold")
    least, most = (share * room for share in _MARKER)
    marker = _marker(view, left + room, middle, min(max(spare, least), most))
    if marker:
        room -= fonts.width(marker[0].text, marker[0].size) + gap
    return [*sentence(look, words, left, middle, room), *marker]


def _question(view: View, marker: Marker, left: float, middle: float, room: float) -> list[Shape]:
    """The marker's question, or its answer below it; without room for both, the answer alone."""
    look, theme = view.look, view.look.theme
    pad, high = look.bar(16), look.sentence_room + 6 * look.control
    ground = Box(left - pad, middle - high / 2, room + 2 * pad, high, theme.accent, None, 0, look.bar(8))
    answered = marker.answer and is_answered(view.interface, marker)
    both = [marker.question, marker.answer] if answered else [marker.question]
    least = SMALLEST_PRESENTED * look.sentence
    if answered and all(fonts.width(words, least, weight="bold") <= room for words in both):
        size = min(fonts.shrink(words, room, look.sentence, least, weight="bold") for words in both)
        return [ground, *stacked(both, left, middle, size, theme.on_accent, "bold")]
    texts = sentence(look, both[-1], left, middle, room)
    return [ground, *(text._replace(ink=theme.on_accent) for text in texts)]


def _marker(view: View, right: float, middle: float, room: float) -> list[Text]:
    """The scenario's name of the moment."""
    look = view.look
    words = "" if look.presenting else moment_name(view.interface, view.desk)
    size = fonts.shrink(words, room, look.sentence, SMALLEST * look.sentence)
    text = fonts.shorten(words, room, size)
    return [Text(right, middle, text, size, look.theme.muted, anchor="end", baseline="middle")] if words else []


def _button(look: Look, name: str, left: float, row: Rect, does: Do[None], words: str) -> Button:
    box = Rect(left, row.y, look.button, row.h)
    return Button(f"transport.{name}", box, does, icon=name, hint=f"{words}  {keys.hint(does)}")


def _player(view: View, left: float, row: Rect) -> list[Button]:
    look, playing = view.look, view.interface.playback.playing
    back = _button(look, "back", left, row, intents.step_back(), "step back")
    left += look.button + look.bar(6)
    box, does, name = Rect(left, row.y, look.button * 1.6, row.h), intents.play_pause(), "pause" if playing else "play"
    play = Button("transport.play", box, does, icon=name, hint=f"{name}  {keys.hint(does)}", kind="primary")
    left += play.box.w + look.bar(6)
    return [back, play, _button(look, "forward", left, row, intents.step_forward(), "step forward")]


def speed_words(speed: int) -> str:
    """A power of two as a factor."""
    if speed == UNBOUND:
        return "max"
    return f"{2**speed}×" if speed >= 0 else f"1/{2**-speed}×"


def _speed(view: View, left: float, row: Rect) -> tuple[list[Shape], Slider, float]:
    look, speed = view.look, view.interface.playback.speed
    x, size, ink = left + look.bar(50), look.bar(20), look.theme.ink
    words = Text(x, _middle(row), speed_words(speed), size, ink, "bold", anchor="end", baseline="middle")
    box = Rect(left + look.bar(68), row.y, look.bar(104), row.h)
    share = (speed - SLOWEST) / (UNBOUND - SLOWEST)
    hint = f"speed  {keys.hint(intents.faster())} {keys.hint(intents.slower())}"
    return [words], Slider("transport.speed", box, share, intents.slide_speed, hint, words=words.text), box.x + box.w


def _time_width(look: Look) -> float:
    return fonts.width("999.9 of 999", look.bar(23), "mono", "bold")


def _time(view: View, right: float, row: Rect) -> Text:
    look = view.look
    words, until = f"{view.interface.playback.time:.1f}", view.run.end
    words += f" of {round(until, 1):g}" if until < inf else ""  # a run that ends at a breach ends at any time
    size = fonts.shrink(words, _time_width(look), look.bar(23), look.bar(14), "mono", "bold")
    return Text(right, _middle(row), words, size, look.theme.ink, "bold", "mono", "end", "middle")


def _step_words(view: View) -> str:
    """The present step, and the number of steps once the end is known; of two runs the step of each."""
    timeline = view.run.timeline
    if not view.desk.is_pair:
        return f"step {timeline.step}" + (f" of {timeline.frontier}" if view.run.is_end_known else "")
    return "step " + " | ".join(str(run.timeline.step) for run in view.desk.runs)


def _step_width(view: View) -> float:
    """A width for the largest number of digits, so that nothing moves while counting."""
    digits = "0" * max(3, len(str(max(run.timeline.frontier for run in view.desk.runs))))
    return fonts.width(f"step {digits} of {digits}", view.look.bar(20))


def _timeline(view: View, left: float, right: float, row: Rect) -> Slider:
    desk = view.desk
    horizon = desk.horizon
    share = min(view.interface.playback.time / horizon, 1.0)
    box = Rect(left, row.y, max(right - left, 1.0), row.h)
    ready = share if hides_future(view.interface, desk) else min(desk.reached / horizon, 1.0)
    hint = f"drag through time{_end_words(view.run)}{_sides_words(desk)}"
    words = f"time {view.interface.playback.time:.1f}, {_step_words(view)}"
    return Slider("transport.timeline", box, share, intents.seek_share, hint, ready, words)


def _end_words(run: RunView) -> str:
    """Where playing stops, for the hint."""
    past = keys.hint(intents.play_past_end())
    return f"; playing stops at {run.end:g}, the scenario's end (until); {past} plays past it" if run.end < inf else ""


def _sides_words(desk: Desk) -> str:
    """The meaning of the signs beside the track, for the hint."""
    has_tokens = any(run.simulation.algorithm.token for run in desk.runs)
    if not desk.is_pair:
        return f"; below: {_STRIP}" if has_tokens else ""
    return "; above: the left run, below: the right one" + (f"; beside it: {_STRIP}" if has_tokens else "")


def _last_grain(view: View, present: float) -> int:
    """The last place of the timeline at which something is shown: that of the present if the future is hidden."""
    if not hides_future(view.interface, view.desk):
        return GRAINS
    return int(present / view.desk.horizon * GRAINS)


def _tokens(view: View, track: Rect) -> list[Shape]:
    """The number of tokens over time beside the track, for each run with tokens."""
    if all(run.simulation.algorithm.token is None for run in view.desk.runs):
        return []
    return token_strip(view, track)


_BELOW = 19.0  # from the middle of the timeline to that of the strip, in the bar's logical pixels
_BESIDE = 11.5  # the same where two runs are compared
_HIGH = 7.0


def token_strip(view: View, track: Rect) -> list[Shape]:
    """The strips below the track; of two runs the left one's above, each inside the run's marks."""
    if not view.desk.is_pair:
        return _strip(view, view.run, track, _BELOW)
    return [shape for run, side in sides(view) for shape in _strip(view, run, track, side * _BESIDE)]


def _strip(view: View, run: RunView, track: Rect, off: float) -> list[Shape]:
    """The strip of one run, `off` below the track's middle; empty without tokens."""
    look, theme, horizon = view.look, view.look.theme, view.desk.horizon
    if run.simulation.algorithm.token is None or not run.timeline.frontier:
        return []
    level = run.ledger.tokens
    assert level is not None
    from visual.window.pages.plot_kinds import columns_of  # the first frame does without

    columns = columns_of(run, "strip", GRAINS).follow(level, horizon, run.reached)
    columns = columns[: _last_grain(view, run.now)]
    y, high, wide = track.y + track.h / 2 + look.bar(off), round(look.bar(_HIGH)), track.w / GRAINS
    top = round(y - high / 2)  # whole pixels, which are fastest to draw: there may be hundreds of boxes
    fills: dict[str, Fill] = {"none": theme.fault, "several": Pattern("bars", theme.ink, theme.chrome, look.bar(6))}
    shapes: list[Shape] = []
    place, x = 0, round(track.x)
    for kind, stretch in groupby(columns, kind_of):
        place += sum(1 for _ in stretch)
        before, x = x, round(track.x + place * wide)
        if kind in fills:
            shapes.append(Box(before, top, max(x - before, 1), high, fills[kind]))
    thin = max(round(look.bar(2)), 1)
    one = Box(round(track.x), round(y - thin / 2), x - round(track.x), thin, theme.edge)  # the others cover it
    return [one, *shapes]


def kind_of(column: LevelColumn) -> str:
    """The most important state of a stretch of time: no token, several, or one."""
    return "none" if column.low == 0 else "several" if column.high > 1 else "one"


_COLOURS = {
    "request": "pending",
    "entry": "accent",
    "fault": "fault",
    "marker": "ink",
    "breach": "fault",
}  # of the theme; later kinds are drawn over earlier ones
_LENGTHS = {"request": 10.0, "entry": 13.0, "fault": 18.0, "marker": 18.0, "breach": 22.0}
_APART = 5.0  # between two marks of one kind
_FOOT = 11.0  # from the track's middle to the marks
_BEYOND = 6.0  # more of it where the strip of the tokens lies between
_SIDES = ("left", "right")
_LETTERS = 15.0
ABOVE, BELOW = -1, 1


def sides(view: View) -> list[tuple[RunView, int]]:
    """The runs, each with the side of the track of its marks."""
    return list(zip(view.desk.runs, (ABOVE, BELOW), strict=False))


def marks(view: View, track: Rect) -> list[Shape]:
    """The marks of one or two runs along the track."""
    if not view.desk.is_pair:
        return _ticks(view, view.run, track, ABOVE, _FOOT)
    shapes = _names(view, track)
    for run, side in sides(view):
        foot = _FOOT + (_BEYOND if run.simulation.algorithm.token else 0.0)
        shapes += _ticks(view, run, track, side, foot)
    return shapes


def names_width(view: View) -> float:
    """The width of the names of two runs before the track."""
    if not view.desk.is_pair:
        return 0.0
    return max(fonts.width(name, view.look.bar(_LETTERS), weight="bold") for name in _SIDES)


def _names(view: View, track: Rect) -> list[Shape]:
    """The names of two runs before the track, with the front run in bold."""
    look, theme, size = view.look, view.look.theme, view.look.bar(_LETTERS)
    x, middle = track.x - look.bar(16), track.y + track.h / 2
    shapes: list[Shape] = []
    for name, (run, side) in zip(_SIDES, sides(view), strict=True):
        is_front = run is view.run
        ink: Colour = theme.ink if is_front else theme.muted
        weight: fonts.Weight = "bold" if is_front else "normal"
        shapes.append(Text(x, middle + side * look.bar(_FOOT + 3), name, size, ink, weight, "sans", "end", "middle"))
    return shapes


def _ticks(view: View, run: RunView, track: Rect, side: int, foot: float) -> list[Shape]:
    """The marks of one run, important kinds last and longest, thinned until they can be told apart."""
    look, horizon, last = view.look, view.desk.horizon, _last_grain(view, view.interface.playback.time)
    if not run.timeline.frontier:
        return []
    grains = {kind: set(places) for kind, places in run.ledger.ticks(horizon).items()}
    grains["marker"] = {int(marker.at / horizon * GRAINS) for marker in run.scenario.markers}
    grains["breach"] = {int(time / horizon * GRAINS) for time in run.ledger.breach_times}
    start = track.y + track.h / 2 + side * look.bar(foot)
    shapes: list[Shape] = []
    for kind in _COLOURS:
        visible = sorted(grain for grain in grains.get(kind, ()) if grain <= last)
        for grain in _thinned(visible, ceil(look.bar(_APART) * GRAINS / track.w)):
            x = track.x + track.w * min((grain + 0.5) / GRAINS, 1.0)
            shapes.append(_tick(look, kind, x, start, side))
    return shapes


def _tick(look: Look, kind: str, x: float, start: float, side: int) -> Box:
    """A mark on whole pixels, which is fastest to draw: there may be hundreds."""
    theme: Theme = look.theme
    colour: Colour = getattr(theme, _COLOURS[kind])
    high, wide = round(look.control * _LENGTHS[kind]), max(round(look.bar(4 if kind == "breach" else 3)), 1)
    return Box(round(x - wide / 2), round(start) - (high if side == ABOVE else 0), wide, high, colour)


def _thinned(grains: list[int], apart: int) -> list[int]:
    """The grains at least `apart` from the one before."""
    thinned = grains[:1]
    for grain in grains[1:]:
        if grain - thinned[-1] >= apart:
            thinned.append(grain)
    return thinned
