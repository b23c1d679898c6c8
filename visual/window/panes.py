"""The panes of one or two runs: the pane at a point, and the titles above the graphs."""

from __future__ import annotations

from dataclasses import replace

from visual.drawing import fonts
from visual.drawing.picking import contains
from visual.drawing.shapes import Box, Shape, Text, stacked
from visual.window import arrangement, intents, keys
from visual.window.desk import AIMS, Desk
from visual.window.panel import Panel, View, ground, level_rule, upright_rule
from visual.window.state import Interface
from visual.window.widgets import Target


def place_at(interface: Interface, desk: Desk, x: float, y: float) -> int:
    """The place of the run at a point of the window; 0 if there is none."""
    panes = arrangement.panes(interface, desk.is_pair)
    return next((k for k, pane in enumerate(panes) if any(contains(region, x, y) for region in pane)), 0)


def facing(interface: Interface, desk: Desk, place: int) -> Interface:
    """The interface for the run at a place, without a selection of the other run only."""
    is_shared = interface.node is not None
    return interface if is_shared or desk.place == place else replace(interface, selection=None)


def title(view: View, place: int) -> Panel:
    """The name of a run above its pane, and its cost so far; a click brings it to the front.

    The local view has the name only.
    """
    from visual.window.pages.run import per_turn  # the first frame does without

    look, region, interface = view.look, view.region, view.interface
    front = view.desk.place == place
    pad, middle = look.px(18), region.y + region.h / 2
    size, small = look.px(22), look.size("small")
    right = region.x + region.w - pad
    full = region.w - 3 * pad
    remark = _remark(view, place)
    left_width = fonts.width(view.run.name, size, weight="bold")
    if remark:
        left_width += look.gap + fonts.width(remark, small) + pad
    costs = per_turn(view.run) if interface.local_node is None else ()
    cost = next((cost for cost in costs if left_width + fonts.width(cost, small) <= full), costs[-1] if costs else "")
    room = full - fonts.width(cost, small)
    size = fonts.shrink(view.run.name, room, size, small, weight="bold")  # the costs are for comparison and stay
    name = fonts.lines(view.run.name, room, size, 2, weight="bold")
    left = region.x + pad
    shapes: list[Shape] = [
        ground(view, look.theme.paper),
        *stacked(name, left, middle, size, look.theme.ink if front else look.theme.muted, "bold"),
        Text(right, middle, cost, small, look.theme.ink, anchor="end", baseline="middle"),
        *_remark_text(view, remark, left + fonts.width(max(name, key=len), size, weight="bold") + look.gap, room),
        level_rule(look, region.x, region.x + region.w, region.y + region.h),
    ]
    if front:
        thick = look.px(4)
        shapes.append(Box(left, region.y + region.h - thick, region.w - 2 * pad, thick, look.theme.accent))
    if region.x > 0:  # beside the other run, not below it
        shapes.append(upright_rule(look, region.x, region.y, region.y + region.h))
    hint = f"panels about this run  {keys.hint(intents.other_run())}"
    return Panel(tuple(shapes), (Target(f"title{place}.name", region, intents.bring_to_front(place), hint),))


def _remark(view: View, place: int) -> str:
    """The difference from the other run, and whether actions apply to this one only."""
    only_here = view.desk.aim != AIMS[0] and place in view.desk.aim
    apart = short_names(view.desk)[view.desk.is_right(view.run)] if view.desk.is_pair else ""
    remarks = ("" if apart in view.run.name else apart, "acting here only" if only_here else "")
    return " · ".join(filter(None, remarks))


def _remark_text(view: View, words: str, left: float, room: float) -> list[Text]:
    """The remark beside the name, shortened to the room; nothing if it is too short."""
    look = view.look
    size = look.size("small")
    if not words:
        return []
    text = fonts.shorten(words, room - (left - view.region.x), size)
    if len(text) < min(len(words), 8):
        return []
    return [Text(left, view.region.y + view.region.h / 2, text, size, look.theme.muted, baseline="middle")]


def short_names(desk: Desk) -> list[str]:
    """Column heads for the runs: their names, or their differences within one algorithm."""
    names = [run.name for run in desk.runs]
    if len(set(names)) < len(names):
        return [run.note or run.scenario.title or run.name for run in desk.runs]
    if len({run.scenario.algorithm for run in desk.runs}) == 1:
        return [run.scenario.variant or "as published" for run in desk.runs]
    return names
