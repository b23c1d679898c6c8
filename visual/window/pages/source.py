"""The page with the algorithm's source and the lines of the present step highlighted."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.events import NODE
from algorithms.engine.observe.line_trace import Execution, guard_values
from visual.drawing import fonts
from visual.drawing.shapes import Shape, Text
from visual.narration.steps import latest_execution
from visual.scene.source_listing import ListingPage, area_of, page_of, rules_page, source
from visual.window.graph.graphs import options_of
from visual.window.panel import Panel, View
from visual.window.run_view import RunView
from visual.window.widgets import Scroller
from visual.words import node_name


def code(view: View) -> Panel:
    """The listing, which scrolls by hand until another step is shown."""
    run, look, region = view.run, view.look, view.region
    theme, options = look.theme, options_of(view)
    node = node_of_guards(view)
    if run.system:
        page, node = rules_page(run.simulation, region, theme, options), None
    else:
        execution = with_guards(run, node)
        before = None if execution.lines else latest_execution(run.timeline)
        page = page_of(run.simulation.process_class, execution, region, theme, options, before)
    if view.interface.scrolls.is_browsed("source", run.timeline.step):
        page = page.scrolled(round(view.interface.scrolls.of("source") / page.line))
    hidden = page.first * page.line
    box = area_of(region, theme, options)
    content = box.h + max(len(page.rows) - page.visible, 0) * page.line
    shapes = source(page, region, theme, options)
    return Panel((*shapes, *_guards_of(view, page, node)), (Scroller("source.list", box, content, hidden),))


def node_of_guards(view: View) -> int | None:
    """The node whose guards are shown: the selected or else the acting one."""
    selected = view.interface.node
    return acting_node(view.run) if selected is None else selected


def acting_node(run: RunView) -> int | None:
    """The node that acted in the present step, if any."""
    step = run.timeline.step
    acted = run.timeline.trace.event(step - 1)[NODE] if step else -1
    return acted if acted >= 0 else None


def with_guards(run: RunView, node: int | None) -> Execution:
    """The execution of the present step, with all guards of a node.

    A guard that let its rule run in this step counts as true, although the rule may have made it false.
    """
    execution, step = run.execution, run.timeline.step
    if node is None:
        return execution
    present = {(guard.file, guard.number): guard for guard in guard_values(run.simulation.processes[node])}
    if step and run.timeline.trace.event(step - 1)[NODE] == node:
        present |= {(guard.file, guard.number): guard for guard in execution.guards}
    return replace(execution, guards=tuple(present[place] for place in sorted(present)))


def _guards_of(view: View, page: ListingPage, node: int | None) -> list[Shape]:
    """The name of the node whose guards are visible, if any are."""
    guards = {number for number, _ in page.light.guards}
    if node is None or not any(row.number in guards for row in page.visible_rows):
        return []
    look, region = view.look, view.region
    size = look.size("small")
    words = f"guards of {node_name(node)}"
    if fonts.width(words, size) > 0.5 * region.w:
        return []
    return [Text(region.x + region.w, region.y + look.size("heading"), words, size, look.theme.muted, anchor="end")]
