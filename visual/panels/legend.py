"""The legend at its place: what is on screen, and nothing else."""

from __future__ import annotations

from visual.panels.panel import Panel, View
from visual.panels.picture import options_of
from visual.scene.legend import legend


def key_to_signs(view: View) -> Panel:
    """The scene's legend, moved to the upper left corner of the region."""
    card = legend(view.session.run, view.interface.time, view.look.theme, options_of(view))
    return Panel((card._replace(x=view.region.x, y=view.region.y),))
