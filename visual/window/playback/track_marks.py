"""What stands along the timeline's track: when something was asked for, entered or went wrong, and the markers.

Of two runs that are compared the left one's marks are above the track, the right one's below it.
"""

from __future__ import annotations

from math import ceil

from visual.analysis.timeline_ticks import GRAINS
from visual.drawing import fonts
from visual.drawing.shapes import Box, Colour, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.window.panel import View
from visual.window.playback import clock
from visual.window.session import Session
from visual.window.widgets import Look

_COLOURS = {
    "request": "pending",
    "entry": "accent",
    "fault": "fault",
    "marker": "ink",
    "breach": "fault",
}  # of the theme; what is drawn later lies over what is drawn earlier
_LENGTHS = {"request": 10.0, "entry": 13.0, "fault": 18.0, "marker": 18.0, "breach": 22.0}
_APART = 5.0  # between two marks of one kind
_FOOT = 11.0  # from the middle of the track to where the marks begin
_BEYOND = 6.0  # how much farther out that is where the strip of the tokens lies between
_SIDES = ("left", "right")
_LETTERS = 15.0
ABOVE, BELOW = -1, 1


def sides(view: View) -> list[tuple[Session, int]]:
    """The runs whose marks are shown, and on which side of the track."""
    return list(zip(view.session.runs, (ABOVE, BELOW), strict=False))


def marks(view: View, track: Rect) -> list[Shape]:
    """The marks of the run, or of both."""
    if view.session.beside is None:
        return _ticks(view.look, view.session, track, ABOVE, _FOOT)
    shapes = _names(view, track)
    for run, side in sides(view):
        foot = _FOOT + (_BEYOND if run.run.algorithm.token else 0.0)
        shapes += _ticks(view.look, run, track, side, foot)
    return shapes


def names_width(view: View) -> float:
    """How much room before the track the names of its two sides need."""
    if view.session.beside is None:
        return 0.0
    return max(fonts.width(name, view.look.bar(_LETTERS), weight="bold") for name in _SIDES)


def _names(view: View, track: Rect) -> list[Shape]:
    """Before the track: whose marks are above it and whose below it, the one in bold that the panels are about."""
    look, theme, size = view.look, view.look.theme, view.look.bar(_LETTERS)
    x, middle = track.x - look.bar(16), track.y + track.h / 2
    found: list[Shape] = []
    for name, (run, side) in zip(_SIDES, sides(view), strict=True):
        in_front = run is view.session
        ink: Colour = theme.ink if in_front else theme.muted
        weight: fonts.Weight = "bold" if in_front else "normal"
        found.append(Text(x, middle + side * look.bar(_FOOT + 3), name, size, ink, weight, "sans", "end", "middle"))
    return found


def _ticks(look: Look, run: Session, track: Rect, side: int, foot: float) -> list[Shape]:
    """The important ones last and longest; of one kind no two so close together that they cannot be told apart."""
    if not run.timeline.frontier:
        return []
    horizon = clock.horizon(run)
    grains = {kind: set(found) for kind, found in run.ledger.ticks(horizon).items()}
    grains["marker"] = {int(marker.at / horizon * GRAINS) for marker in run.scenario.markers}
    grains["breach"] = {int(time / horizon * GRAINS) for time in run.ledger.breach_times}
    start = track.y + track.h / 2 + side * look.bar(foot)
    shapes: list[Shape] = []
    for kind in _COLOURS:
        for grain in _thinned(sorted(grains.get(kind, ())), ceil(look.bar(_APART) * GRAINS / track.w)):
            x = track.x + track.w * min((grain + 0.5) / GRAINS, 1.0)
            shapes.append(_tick(look, kind, x, start, side))
    return shapes


def _tick(look: Look, kind: str, x: float, start: float, side: int) -> Box:
    """On whole pixels: there may be hundreds, and then they are the quickest to draw."""
    theme: Theme = look.theme
    colour: Colour = getattr(theme, _COLOURS[kind])
    high, wide = round(look.bar(_LENGTHS[kind])), max(round(look.bar(4 if kind == "breach" else 3)), 1)
    return Box(round(x - wide / 2), round(start) - (high if side == ABOVE else 0), wide, high, colour)


def _thinned(grains: list[int], apart: int) -> list[int]:
    """Those that are so many grains from the one before that is kept."""
    kept = grains[:1]
    for grain in grains[1:]:
        if grain - kept[-1] >= apart:
            kept.append(grain)
    return kept
