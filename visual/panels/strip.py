"""The space-time diagram in its region, a page of time that turns over as the run goes on."""

from __future__ import annotations

from visual.panels.panel import Panel, View, heading, level_rule
from visual.panels.picture import options_of
from visual.scene.frame import Span
from visual.scene.space_time import space_time
from visual.shapes import Box, Group, Rect, Shape

_FLIGHTS = 24.0  # mean delays that a page is wide
_HEAD = 34.0  # logical pixels for the heading


def strip(view: View) -> Panel:
    """Ground, heading and diagram."""
    look, region, session = view.look, view.region, view.session
    head = look.px(_HEAD)
    pad = look.px(24)
    rect = Rect(region.x + pad, region.y + head, region.w - 2 * pad, region.h - head - look.px(4))
    length = _FLIGHTS * (session.scenario.network.delay.mean or 1.0)
    span = Span.around(view.interface.time, length)
    shapes: list[Shape] = space_time(
        session.run,
        session.ledger.spells,
        span,
        view.interface.time,
        rect,
        look.theme,
        options_of(view),
    )
    title = heading(look, region.x + pad, region.y + head / 2, "space–time")
    rule = level_rule(look, region.x, region.x + region.w, region.y)
    return Panel((Box(*region, look.theme.paper), rule, title, Group(tuple(shapes), clip=rect)))
