"""The legend at its place: what is on screen, and nothing else."""

from __future__ import annotations

from algorithms.engine.carrier import system_of
from visual.panels.arrangement import has_legend
from visual.panels.panel import Panel, View
from visual.panels.picture import options_of
from visual.picking import bounds
from visual.scene.legend import legend
from visual.shapes import Rect


def key_to_signs(view: View) -> Panel:
    """The scene's legend, moved to the upper left corner of the region."""
    card = legend(view.session.run, view.interface.time, view.look.theme, options_of(view), view.region.h)
    return Panel((card._replace(x=view.region.x, y=view.region.y),))


def room_below(view: View) -> Rect:
    """What the legend leaves of the region that it stands in."""
    x, y, w, h = view.region
    if not has_legend(view.interface) or system_of(view.session.run.algorithm):
        return view.region
    taken = bounds(key_to_signs(view).shapes[0]).h
    taken += view.look.gap if taken else 0.0
    return Rect(x, y + taken, w, max(h - taken, 0.0))
