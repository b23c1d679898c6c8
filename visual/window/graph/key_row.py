"""The legend of two runs, as a row below both graphs."""

from __future__ import annotations

from visual.drawing.shapes import Box, Group
from visual.scene.graph.legend import entries, row
from visual.window.graph.picture import options_of
from visual.window.panel import Panel, View


def key_row(view: View) -> Panel:
    """What is on screen in either run, side by side, in the middle of the region."""
    options, theme, region = options_of(view), view.look.theme, view.region
    found = dict.fromkeys(
        entry for run in view.session.runs for entry in entries(run.run, view.interface.time, theme, options)
    )
    line: Group = row(tuple(found), region.w, theme, options)
    above_the_rule = Box(*region._replace(h=region.h - view.look.rule), theme.paper)
    return Panel((above_the_rule, line._replace(x=region.x, y=region.y + region.h / 2)))
