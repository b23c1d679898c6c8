"""The algorithm's source with the lines of the present step lit, in its region."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.events import NODE
from algorithms.engine.line_trace import Execution, guard_values
from algorithms.engine.rewrite import system_of
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
    """What runs, as the scene draws it; the wheel turns it over until another step is shown."""
    run, look, region = view.run, view.look, view.region
    theme, options = look.theme, options_of(view)
    node = node_of_guards(view)
    if system_of(run.simulation.algorithm):
        page, node = rules_page(run.simulation, region, theme, options), None
    else:
        ran = with_guards(run, node)
        before = None if ran.lines else latest_execution(run.timeline)
        page = page_of(run.simulation.process_class, ran, region, theme, options, before)
    if view.interface.scrolls.is_browsed("source", run.timeline.step):
        page = page.scrolled(round(view.interface.scrolls.of("source") / page.line))
    hidden = page.first * page.line
    box = area_of(region, theme, options)
    content = box.h + max(len(page.rows) - page.visible, 0) * page.line
    shapes = source(page, region, theme, options)
    return Panel((*shapes, *_whose(view, page, node)), (Scroller("source.list", box, content, hidden),))


def node_of_guards(view: View) -> int | None:
    """The node whose guards are shown: the selected one, else the one that acted in the present step."""
    chosen = view.interface.node
    step = view.run.timeline.step
    if chosen is not None or not step:
        return chosen
    acted = view.run.timeline.trace.event(step - 1)[NODE]
    return acted if acted >= 0 else None


def with_guards(run: RunView, node: int | None) -> Execution:
    """What ran in the present step, with what all guards of that node come to.

    A guard that was asked in the step and let its rule run is true, although the rule has made it false since.
    """
    ran, step = run.execution, run.timeline.step
    if node is None:
        return ran
    present = {(guard.file, guard.number): guard for guard in guard_values(run.simulation.processes[node])}
    if step and run.timeline.trace.event(step - 1)[NODE] == node:
        present |= {(guard.file, guard.number): guard for guard in ran.guards}
    return replace(ran, guards=tuple(present[place] for place in sorted(present)))


def _whose(view: View, page: ListingPage, node: int | None) -> list[Shape]:
    """Whose guards are shown, if there are any on the page."""
    guards = {number for number, _ in page.light.guards}
    if node is None or not any(row.number in guards for row in page.visible_rows):
        return []
    look, region = view.look, view.region
    size = look.size("small")
    words = f"guards of {node_name(node)}"
    if fonts.width(words, size) > 0.5 * region.w:
        return []
    return [Text(region.x + region.w, region.y + look.size("heading"), words, size, look.theme.muted, anchor="end")]
