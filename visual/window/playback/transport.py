"""The bar at the bottom: what just happened in one sentence, the buttons of a player, and the timeline.

Beside the sentence stands what the scenario calls this moment, if it has a name for it.
"""

from __future__ import annotations

from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.window import keys
from visual.window.inputs import Do
from visual.window.panel import Panel, View, ground, level_rule
from visual.window.playback import clock
from visual.window.playback.track_marks import marks, names_width
from visual.window.sentence import SMALLEST, middle_of, sentence
from visual.window.session import Session
from visual.window.state import SLOWEST, UNBOUND
from visual.window.widgets import Button, Look, Slider, Widget

_STRIP = "one token (thin), none (solid), several (striped)"
_MARKER = (0.25, 0.4)  # of the room for a marker's name: at least, at most


def transport(view: View) -> Panel:
    """Sentence, buttons, speed, timeline, step and time; what finds no room is left to the keys."""
    look, region = view.look, view.region
    pad = 28 * look.control
    row = Rect(region.x + pad, region.y + region.h - 16 * look.control - look.button, region.w - 2 * pad, look.button)
    shapes: list[Shape] = [ground(view), level_rule(look, region.x, region.x + region.w, region.y)]
    shapes += _told(view, row.x, middle_of(look, region.y), row.w)
    plan = _plan(view, row)
    widgets: list[Widget] = []
    left = row.x
    if plan.first:
        widgets.append(_button(look, "first", left, row, Do("seek_start"), "to the start", "seek_start"))
        left += look.button + look.bar(6)
    for button in _player(view, left, row):
        widgets.append(button)
        left = button.box.x + button.box.w + look.bar(6)
    if plan.undo:
        widgets.append(_button(look, "undo", left, row, Do("undo"), "undo the last intervention", "undo"))
        left += look.button + look.bar(6)
    if plan.speed:
        more, slider, left = _speed(view, left + look.bar(14), row)
        shapes += more
        widgets.append(slider)
    right = row.x + row.w
    if plan.time:
        shapes.append(_time(view, right, row))
        right -= _time_width(look) + look.bar(18)
    if plan.step:
        words = _step_words(view)
        shapes.append(Text(right, _middle(row), words, look.bar(20), look.theme.muted, anchor="end", baseline="middle"))
        right -= _step_width(view) + look.bar(18)
    timeline = _timeline(view, left + look.bar(26) + names_width(view), right - look.bar(8), row)
    shapes += _tokens(view, timeline.box)
    shapes += marks(view, timeline.box)
    return Panel(tuple(shapes), (*widgets, timeline))


class _Plan:
    """What fits into the row beside the three buttons and a timeline, most important first."""

    def __init__(self, look: Look, row: Rect, step_width: float, names_width: float) -> None:
        button = look.button + look.bar(6)
        free = row.w - 3 * button - look.bar(30) - look.bar(34) - max(look.bar(230), 150) - names_width
        wanted = {
            "time": _time_width(look) + look.bar(18),
            "undo": button,
            "speed": _speed_width(look),
            "first": button,
            "step": step_width + look.bar(18),
        }
        fits = {}
        for name, width in wanted.items():
            fits[name] = width <= free
            free -= width if fits[name] else 0.0
        self.time, self.undo, self.speed, self.first, self.step = fits.values()


def _plan(view: View, row: Rect) -> _Plan:
    return _Plan(view.look, row, _step_width(view), names_width(view))


def _middle(row: Rect) -> float:
    return row.y + row.h / 2


def _told(view: View, left: float, middle: float, room: float) -> list[Shape]:
    """What just happened, and at the right what the scenario calls this moment, which gives way to the sentence.

    While presenting, letters are too large for both: the header has the moment's name.
    """
    look, words = view.look, clock.sentence(view.session)
    smallest, gap = SMALLEST * look.sentence, look.bar(40)
    spare = room - gap - fonts.width(words, smallest, weight="bold")
    least, most = (share * room for share in _MARKER)
    marker = _marker(view, left + room, middle, min(max(spare, least), most))
    if marker:
        room -= fonts.width(marker[0].text, marker[0].size) + gap
    return [*sentence(look, words, left, middle, room), *marker]


def _marker(view: View, right: float, middle: float, room: float) -> list[Text]:
    """What the scenario calls this moment."""
    look = view.look
    words = "" if look.presenting else clock.marker(view.session, view.interface.time)
    size = fonts.shrink(words, room, look.sentence, SMALLEST * look.sentence)
    text = fonts.shorten(words, room, size)
    return [Text(right, middle, text, size, look.theme.muted, anchor="end", baseline="middle")] if words else []


def _button(look: Look, name: str, left: float, row: Rect, does: Do, words: str, action: str) -> Button:
    box = Rect(left, row.y, look.button, row.h)
    return Button(f"transport.{name}", box, does, icon=name, hint=f"{words}  {keys.hint(action)}")


def _player(view: View, left: float, row: Rect) -> list[Button]:
    look, playing = view.look, view.interface.playing
    back = _button(look, "back", left, row, Do("step_back"), "one event back", "step_back")
    left += look.button + look.bar(6)
    play = Button(
        "transport.play",
        Rect(left, row.y, look.button * 1.6, row.h),
        Do("play_pause"),
        icon="pause" if playing else "play",
        hint=f"{'pause' if playing else 'play'}  {keys.hint('play_pause')}",
        kind="primary",
    )
    left += play.box.w + look.bar(6)
    return [back, play, _button(look, "forward", left, row, Do("step_forward"), "one event on", "step_forward")]


def speed_words(speed: int) -> str:
    """A power of two as a factor."""
    if speed == UNBOUND:
        return "max"
    return f"{2**speed}×" if speed >= 0 else f"1/{2**-speed}×"


def _speed_width(look: Look) -> float:
    return look.bar(14 + 62 + 120)


def _speed(view: View, left: float, row: Rect) -> tuple[list[Shape], Slider, float]:
    look, speed = view.look, view.interface.speed
    words = Text(
        left + look.bar(50),
        _middle(row),
        speed_words(speed),
        look.bar(20),
        look.theme.ink,
        "bold",
        anchor="end",
        baseline="middle",
    )
    box = Rect(left + look.bar(68), row.y, look.bar(104), row.h)
    share = (speed - SLOWEST) / (UNBOUND - SLOWEST)
    hint = f"speed  {keys.hint('faster')} {keys.hint('slower')}"
    return [words], Slider("transport.speed", box, share, "slide_speed", hint), box.x + box.w


def _time_width(look: Look) -> float:
    return fonts.width("99999.9", look.bar(23), "mono", "bold")


def _time(view: View, right: float, row: Rect) -> Text:
    look = view.look
    words = f"{view.interface.time:.1f}"
    size = fonts.shrink(words, _time_width(look), look.bar(23), look.bar(14), "mono", "bold")
    return Text(right, _middle(row), words, size, look.theme.ink, "bold", "mono", "end", "middle")


def _step_words(view: View) -> str:
    """How far the run is, of what has been executed; of two runs how far each is."""
    session = view.session
    if session.beside is None:
        return f"step {session.timeline.step} of {session.timeline.frontier}"
    return "step " + " | ".join(str(run.timeline.step) for run in session.runs)


def _step_width(view: View) -> float:
    """Wide enough for numbers with as many digits as the larger one has, so that nothing moves while counting."""
    digits = "0" * max(3, len(str(max(run.timeline.frontier for run in view.session.runs))))
    return fonts.width(f"step {digits} of {digits}", view.look.bar(20))


def _timeline(view: View, left: float, right: float, row: Rect) -> Slider:
    session = view.session
    horizon = clock.horizon(session)
    share = min(view.interface.time / horizon, 1.0)
    box = Rect(left, row.y, max(right - left, 1.0), row.h)
    ready = min(clock.reached(session) / horizon, 1.0)
    hint = f"drag through time{_sides_words(session)}"
    return Slider("transport.timeline", box, share, "seek_share", hint, ready)


def _sides_words(session: Session) -> str:
    """What stands beside the track, for the hint."""
    has_tokens = any(run.run.algorithm.token for run in session.runs)
    if session.beside is None:
        return f"; below: {_STRIP}" if has_tokens else ""
    return "; above: the left run, below: the right one" + (f"; beside it: {_STRIP}" if has_tokens else "")


def _tokens(view: View, track: Rect) -> list[Shape]:
    """How many tokens there were in each run that has any, beside the track."""
    if all(run.run.algorithm.token is None for run in view.session.runs):
        return []
    from visual.window.playback.token_strip import token_strip  # the first frame does without

    return token_strip(view, track)
