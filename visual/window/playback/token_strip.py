"""A strip along the timeline: whether there was no token, one, or several, as far as the run has been executed."""

from __future__ import annotations

from itertools import groupby

from visual.analysis.timeline_ticks import GRAINS
from visual.drawing.shapes import Box, Fill, Pattern, Rect, Shape
from visual.window.pages.plot_kinds.columns import Column
from visual.window.pages.plot_kinds.over_time import columns_of
from visual.window.panel import View
from visual.window.playback import clock
from visual.window.playback.track_marks import sides
from visual.window.session import Session
from visual.window.widgets import Look

_BELOW = 19.0  # from the middle of the timeline to that of the strip, in the bar's logical pixels
_BESIDE = 11.5  # the same where two runs are compared
_HIGH = 7.0


def token_strip(view: View, track: Rect) -> list[Shape]:
    """Below the timeline's track; of two runs the left one's above it, each between the track and the run's marks."""
    if view.session.beside is None:
        return _strip(view.look, view.session, track, _BELOW)
    return [shape for run, side in sides(view) for shape in _strip(view.look, run, track, side * _BESIDE)]


def _strip(look: Look, session: Session, track: Rect, off: float) -> list[Shape]:
    """The strip of one run, so far below the middle of the track; nothing for an algorithm without tokens."""
    theme = look.theme
    if session.run.algorithm.token is None or not session.timeline.frontier:
        return []
    level = session.ledger.tokens
    assert level is not None
    columns = columns_of(session.timeline, "strip", GRAINS).follow(level, clock.horizon(session), session.reached)
    y, high, wide = track.y + track.h / 2 + look.bar(off), round(look.bar(_HIGH)), track.w / GRAINS
    top = round(y - high / 2)  # all on whole pixels: there may be hundreds of boxes, which are quickest to draw there
    fills: dict[str, Fill] = {"none": theme.fault, "several": Pattern("bars", theme.ink, theme.chrome, look.bar(6))}
    shapes: list[Shape] = []
    place, x = 0, round(track.x)
    for kind, run in groupby(columns, kind_of):
        place += sum(1 for _ in run)
        before, x = x, round(track.x + place * wide)
        if kind in fills:
            shapes.append(Box(before, top, max(x - before, 1), high, fills[kind]))
    thin = max(round(look.bar(2)), 1)
    one = Box(round(track.x), round(y - thin / 2), x - round(track.x), thin, theme.edge)  # the others cover it
    return [one, *shapes]


def kind_of(column: Column) -> str:
    """What matters most of a stretch of time: that there was no token; or several at once; or one, as it should be."""
    return "none" if column.low == 0 else "several" if column.high > 1 else "one"
