"""The algorithm's source with the lines of the present step lit, in its region."""

from __future__ import annotations

from visual.panels.panel import Panel, View
from visual.panels.picture import options_of
from visual.scene.source import source


def code(view: View) -> Panel:
    """What runs, as the scene draws it."""
    session, look = view.session, view.look
    shapes = source(session.run.process_class, session.execution, view.region, look.theme, options_of(view))
    return Panel(tuple(shapes))
