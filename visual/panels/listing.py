"""The algorithm's source with the lines of the present step lit, in its region."""

from __future__ import annotations

from algorithms.engine.rewriter import system_of
from visual.panels.panel import Panel, View
from visual.panels.picture import options_of
from visual.scene.source import source
from visual.scene.terms.source import rules_source


def code(view: View) -> Panel:
    """What runs, as the scene draws it."""
    session, look = view.session, view.look
    if system_of(session.run.algorithm):
        return Panel(tuple(rules_source(session.run, view.region, look.theme, options_of(view))))
    shapes = source(session.run.process_class, session.execution, view.region, look.theme, options_of(view))
    return Panel(tuple(shapes))
