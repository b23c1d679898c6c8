"""The legend at its place: what is on screen, and nothing else."""

from __future__ import annotations

from algorithms.engine.rewrite import system_of
from visual.drawing.picking import bounds
from visual.drawing.shapes import Group, Rect
from visual.scene.graph.legend import legend
from visual.window.arrangement import has_legend
from visual.window.graph.picture import options_of
from visual.window.panel import Panel, View


def key_to_signs(view: View) -> Panel:
    """The scene's legend, moved to the upper left corner of the region; nothing where the reasons need its room."""
    if gives_way(view):
        return Panel()
    return Panel((_placed(view),))


def _placed(view: View) -> Group:
    card = legend(view.session.run, view.interface.time, view.look.theme, options_of(view), view.region.h)
    return card._replace(x=view.region.x, y=view.region.y)


def gives_way(view: View) -> bool:
    """Whether below the legend, in a column that they share, there is no room for why the selected node waits."""
    from visual.window.graph.inspector import reasons_height  # most often nobody is selected

    return reasons_height(view) > _below(view).h


def _below(view: View) -> Rect:
    x, y, w, h = view.region
    taken = bounds(_placed(view)).h
    taken += view.look.gap if taken else 0.0
    return Rect(x, y + taken, w, max(h - taken, 0.0))


def room_below(view: View) -> Rect:
    """What the legend leaves of the region that it stands in."""
    if not has_legend(view.interface) or system_of(view.session.run.algorithm) or gives_way(view):
        return view.region
    return _below(view)
