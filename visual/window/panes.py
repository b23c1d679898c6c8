"""The pane of a run, or of each of two that are compared: which is where, and the titles above their graphs."""

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
    """Which of the runs is shown at that point; the first one if none is."""
    panes = arrangement.panes(interface, desk.is_pair)
    return next((k for k, pane in enumerate(panes) if any(contains(region, x, y) for region in pane)), 0)


def facing(interface: Interface, desk: Desk, place: int) -> Interface:
    """The interface as the run at that place sees it: what is selected in the other run only is not selected here."""
    shared = interface.node is not None
    if shared or desk.place == place:
        return interface
    return replace(interface, selection=None)


def title(view: View, place: int) -> Panel:
    """The name of a run above its pane, and what it has cost so far; a click makes the panels be about it.

    Above what one node knows there is only the name.
    """
    from visual.window.pages.run import per_turn  # the first frame does without

    look, region, interface = view.look, view.region, view.interface
    front = view.desk.place == place
    pad, middle = look.px(18), region.y + region.h / 2
    size, small = look.px(22), look.size("small")
    right = region.x + region.w - pad
    full = region.w - 3 * pad
    remark = _remark(view, place)
    wanted = fonts.width(view.run.name, size, weight="bold")
    if remark:
        wanted += look.gap + fonts.width(remark, small) + pad
    costs = per_turn(view.run) if interface.local_node is None else ()
    cost = next((cost for cost in costs if wanted + fonts.width(cost, small) <= full), costs[-1] if costs else "")
    room = full - fonts.width(cost, small)
    size = fonts.shrink(view.run.name, room, size, small, weight="bold")  # the numbers are there to be compared
    name = fonts.lines(view.run.name, room, size, 2, weight="bold")
    left = region.x + pad
    shapes: list[Shape] = [
        ground(view, look.theme.paper),
        *stacked(name, left, middle, size, look.theme.ink if front else look.theme.muted, "bold"),
        Text(right, middle, cost, small, look.theme.ink, anchor="end", baseline="middle"),
        *_remarked(view, remark, left + fonts.width(max(name, key=len), size, weight="bold") + look.gap, room),
        level_rule(look, region.x, region.x + region.w, region.y + region.h),
    ]
    if front:
        thick = look.px(4)
        shapes.append(Box(left, region.y + region.h - thick, region.w - 2 * pad, thick, look.theme.accent))
    if region.x > 0:  # beside the other one, not below it
        shapes.append(upright_rule(look, region.x, region.y, region.y + region.h))
    hint = f"panels about this run  {keys.hint(intents.other_run())}"
    return Panel(tuple(shapes), (Target(f"title{place}.name", region, intents.bring_to_front(place), hint),))


def _remark(view: View, place: int) -> str:
    """What sets the run apart, and, where deeds happen in one run only, whether it is this one."""
    only_here = view.desk.aim != AIMS[0] and place in view.desk.aim
    apart = short_names(view.desk)[view.desk.is_right(view.run)] if view.desk.is_pair else ""
    said = ("" if apart in view.run.name else apart, "acting here only" if only_here else "")
    return " · ".join(filter(None, said))


def _remarked(view: View, words: str, left: float, room: float) -> list[Text]:
    """The remark beside the name, as far as there is room for it."""
    look = view.look
    size = look.size("small")
    if not words:
        return []
    shown = fonts.shorten(words, room - (left - view.region.x), size)
    if len(shown) < min(len(words), 8):
        return []
    return [Text(left, view.region.y + view.region.h / 2, shown, size, look.theme.muted, baseline="middle")]


def short_names(desk: Desk) -> list[str]:
    """What the runs are called at the heads of columns: what sets them apart, if they are of one algorithm."""
    names = [run.name for run in desk.runs]
    if len(set(names)) < len(names):
        return [run.note or run.scenario.title or run.name for run in desk.runs]
    if len({run.scenario.algorithm for run in desk.runs}) == 1:
        return [run.scenario.variant or "as published" for run in desk.runs]
    return names
