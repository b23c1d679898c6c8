"""The page with the run's branches as a small tree: where each leaves another, and what was done there."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Branch, Timeline
from visual import fonts
from visual.interface.inputs import Do
from visual.panels.panel import Panel, View
from visual.panels.rows import Listed, Switch, listed, marked, said, switches
from visual.scene.words import node_name
from visual.shapes import Polyline, Rect, Shape, Text
from visual.widgets import Look, Target, TextField, Widget

_INDENT = 22.0  # logical pixels for each generation
_DEEPEST = 8  # generations that are told apart by their indentation
_ALONE = "Whatever is done in the past opens a branch, and the old future stays here."


class Leaf(NamedTuple):
    """A line of the tree."""

    branch: Branch
    depth: int


def branches(view: View) -> Panel:
    """A switch or a field to rename the present branch, and the tree; a click goes to a branch."""
    look, region, timeline = view.look, view.region, view.session.timeline
    shapes, widgets, top = _rename(view, timeline.branch.name)
    if len(timeline.branches) == 1:
        note = said(look, _ALONE, Rect(region.x, top, region.w, region.y + region.h - top))
        shapes += note
        top += (len(note) + 0.4) * fonts.LINE_HEIGHT * look.size("small")
    leaves = tree(timeline)
    present = next(place for place, leaf in enumerate(leaves) if leaf.branch is timeline.branch)
    box = Rect(region.x, top, region.w, max(region.y + region.h - top, look.dense))
    lines = listed(view, "branches", box, len(leaves), present)
    widgets.append(lines.scroller)
    start = ""
    for place, line in lines.places():
        target = _target(lines, leaves[place], line, look)
        if place == present:
            shapes.append(marked(look, target.box))
            start = target.id
        shapes += _line(look, leaves[place], line)
        widgets.append(target)
    return Panel(tuple(shapes), tuple(widgets), start)


def tree(timeline: Timeline) -> list[Leaf]:
    """The branches, each below the one that it leaves, earlier forks first."""
    known = timeline.branches
    children: dict[str | None, list[Branch]] = {}
    for branch in known.values():
        parent = branch.parent if branch.parent in known else None
        children.setdefault(parent, []).append(branch)
    found: list[Leaf] = []
    todo = [Leaf(branch, 0) for branch in reversed(children[None])]
    while todo:
        leaf = todo.pop()
        found.append(leaf)
        younger = sorted(children.get(leaf.branch.name, ()), key=lambda branch: branch.fork)
        todo += [Leaf(branch, leaf.depth + 1) for branch in reversed(younger)]
    return found


def _rename(view: View, name: str) -> tuple[list[Shape], list[Widget], float]:
    look, region, field = view.look, view.region, view.interface.field
    if field is None or field.takes != "rename_branch":
        switch = Switch(
            "rename", f"rename “{fonts.shorten(name, region.w * 0.6, look.size('small'))}”", Do("name_branch")
        )
        shapes, targets, top = switches(view, "branches", [switch])
        return shapes, [*targets], top
    box = Rect(region.x, region.y, min(region.w, look.px(360)), look.target)
    typed = TextField("branches.field", box, field.text, field.caret, field.fresh, "Enter takes it, Esc leaves it")
    return [], [typed], box.y + box.h + look.px(8)


def _target(lines: Listed, leaf: Leaf, line: Rect, look: Look) -> Target:
    box = line._replace(w=line.w - look.px(12))
    return Target(f"branches.{leaf.branch.name}", box, Do("go_to_branch", leaf.branch.name), dense=True)


def _line(look: Look, leaf: Leaf, line: Rect) -> list[Shape]:
    """Name, and where it begins and with what."""
    theme, size, middle = look.theme, look.size("small"), line.y + line.h / 2
    left = line.x + look.px(10) + min(leaf.depth, _DEEPEST) * look.px(_INDENT)
    right = line.x + line.w - look.px(20)
    shapes: list[Shape] = [_elbow(look, left, line)] if leaf.depth else []
    name = fonts.shorten(leaf.branch.name, 0.5 * (right - left), size, weight="bold")
    shapes.append(Text(left, middle, name, size, theme.ink, "bold", baseline="middle"))
    after = left + fonts.width(name, size, weight="bold") + look.px(12)
    about = fonts.shorten(_about(leaf.branch), right - after, size)
    return [*shapes, Text(right, middle, about, size, theme.muted, anchor="end", baseline="middle")]


def _elbow(look: Look, left: float, line: Rect) -> Polyline:
    """The twig that the branch hangs on."""
    x, middle = left - look.px(14), line.y + line.h / 2
    return Polyline(((x, line.y), (x, middle), (left - look.px(4), middle)), look.theme.muted, look.rule)


def _about(branch: Branch) -> str:
    steps = f"{branch.length:,} steps"
    if branch.parent is None:
        return steps
    deed = next((event for event in branch.interventions if event.step == branch.fork), None)
    return f"from step {branch.fork:,}{f': {deed_words(deed)}' if deed else ''} · {steps}"


def deed_words(event: Event) -> str:
    """What was done, in a few words."""
    who = f"{node_name(event.node)}: " if event.node is not None else ""
    return f"{who}{FAULTS[event.do].words}"
