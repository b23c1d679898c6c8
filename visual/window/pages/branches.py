"""The page that shows the branches of a run as a tree."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.branches import Branch
from algorithms.engine.errors import count_words
from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from visual.drawing import fonts
from visual.drawing.shapes import Circle, Line, Polyline, Rect, Shape, Text
from visual.window import intents, keys
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.panel import Panel, Switch, View, highlight, list_window, paragraph, switches
from visual.window.playback import playing
from visual.window.state import Field, Interface
from visual.window.widgets import Look, TextField, Widget
from visual.words import node_name

_INDENT = 22.0  # logical pixels for each generation, where there are few
_TREE = 0.4  # of the width: the most for the tree, however many generations there are
_LINE = 1.75  # lines of a dense list: a branch has two lines of words
_ALONE = "Acting in the past starts a new branch; the old future is kept here."


class BranchRow(NamedTuple):
    """A branch in the tree; `rails` are the generations whose lines pass it."""

    branch: Branch
    depth: int
    rails: frozenset[int] = frozenset()
    has_children: bool = False


def branches(view: View) -> Panel:
    """Switches or a text field for the present branch, and the tree."""
    look, region, timeline = view.look, view.region, view.run.timeline
    shapes, widgets, top = _change(view, timeline.branch)
    words = _owner_words(view) + (_ALONE if len(timeline.branches) == 1 else "")
    if words:
        note = paragraph(look, words, Rect(region.x, top, region.w, region.y + region.h - top))
        shapes += note
        top += (len(note) + 0.4) * fonts.LINE_HEIGHT * look.size("small")
    rows = tree(timeline)
    present = next(place for place, row in enumerate(rows) if row.branch is timeline.branch)
    box = view.below(top)
    lines = list_window(view, "branches", box, len(rows), present, _LINE * look.dense)
    indent = min(look.px(_INDENT), _TREE * region.w / max(row.depth + 1 for row in rows))
    widgets.append(lines.scroller)
    start = ""
    for place, line in lines.places():
        branch = rows[place].branch.name
        target = lines.target(branch, line, look, intents.go_to_branch(branch))
        if place == present:
            shapes.append(highlight(look, target.box))
            start = target.id
        shapes += [*_twigs(look, rows[place], line, indent), *_line(look, rows[place], line, indent)]
        widgets.append(target)
    return Panel(tuple(shapes), tuple(widgets), start)


def _owner_words(view: View) -> str:
    """The run of a pair that the branches belong to; empty for one run."""
    if not view.desk.is_pair:
        return ""
    side = "right" if view.desk.is_right(view.run) else "left"
    return f"These are the branches of the {side} run; {keys.hint(intents.other_run())} shows the other run’s. "


def tree(timeline: Timeline) -> list[BranchRow]:
    """The branches depth first, each below its parent, earlier forks first."""
    branches = timeline.branches
    children: dict[str | None, list[Branch]] = {}
    for branch in branches.values():
        parent = branch.parent if branch.parent in branches else None
        children.setdefault(parent, []).append(branch)
    for younger in children.values():
        younger.sort(key=lambda branch: branch.fork)
    rows: list[BranchRow] = []
    todo = [BranchRow(branch, 0) for branch in reversed(children[None])]
    while todo:
        row = todo.pop()
        younger = children.get(row.branch.name, [])
        rows.append(row._replace(has_children=bool(younger)))
        beside = row.rails | {row.depth}
        child_rows = [BranchRow(branch, row.depth + 1, beside) for branch in younger]
        if child_rows:
            child_rows[-1] = child_rows[-1]._replace(rails=row.rails)
        todo += reversed(child_rows)
    return rows


def _change(view: View, branch: Branch) -> tuple[list[Shape], list[Widget], float]:
    """Switches or a name field for the present branch, and where they end."""
    look, region, field = view.look, view.region, view.interface.field
    if field is None or field.takes is not intents.rename_branch:
        name = fonts.shorten(branch.name, region.w * 0.45, look.size("small"))
        offered = [Switch("rename", f"rename “{name}”", intents.name_branch(), "give the visible branch another name")]
        if branch.parent is not None:
            hint = f"the visible branch; {keys.hint(intents.undo())} restores it"
            offered.append(Switch("delete", "delete it", intents.delete_branch(branch.name), hint))
        shapes, targets, top = switches(view, "branches", offered)
        return shapes, [*targets], top
    box = Rect(region.x, region.y, min(region.w, look.px(360)), look.target)
    hint = "name of the branch: Enter accepts, Esc cancels"
    typed = TextField("branches.field", box, field.text, field.caret, field.fresh, hint)
    return [], [typed], box.y + box.h + look.px(8)


def _line(look: Look, row: BranchRow, line: Rect, indent: float) -> list[Shape]:
    """The name, the length and the origin of a branch."""
    theme, size = look.theme, look.size("small")
    left = _stem(look, line, row.depth, indent) + look.px(10)
    right, upper, lower = line.x + line.w - look.px(20), line.y + 0.3 * line.h, line.y + 0.7 * line.h
    length = count_words(row.branch.length, "step")
    room = right - left - fonts.width(length, size) - look.px(12)
    name = fonts.shorten(row.branch.name, room, size, weight="bold")
    return [
        Text(left, upper, name, size, theme.ink, "bold", baseline="middle"),
        Text(right, upper, length, size, theme.muted, anchor="end", baseline="middle"),
        Text(left, lower, fonts.shorten(_about(row.branch), right - left, size), size, theme.muted, baseline="middle"),
    ]


def _stem(look: Look, line: Rect, depth: int, indent: float) -> float:
    """The x of the upright line for the children of a branch."""
    return line.x + look.px(12) + depth * indent


def _twigs(look: Look, row: BranchRow, line: Rect, indent: float) -> list[Shape]:
    """The lines to the branch's parent and its children, and those that pass it."""
    theme, wide, top, foot = look.theme, look.rule, line.y, line.y + line.h
    middle, own = line.y + 0.3 * line.h, _stem(look, line, row.depth, indent)
    shapes: list[Shape] = [Circle(own, middle, look.px(4), theme.muted)]
    for depth in row.rails:
        x = _stem(look, line, depth, indent)
        shapes.append(Line(x, top, x, foot, theme.muted, wide))
    if row.depth:
        x = own - indent
        shapes.append(Polyline(((x, top), (x, middle), (own, middle)), theme.muted, wide))
    if row.has_children:
        shapes.append(Line(own, middle, own, foot, theme.muted, wide))
    return shapes


def _about(branch: Branch) -> str:
    """Which branch it leaves, at which step and with which intervention."""
    if branch.parent is None:
        return "the original run"
    event = next((event for event in branch.interventions if event.step == branch.fork), None)
    return f"starts from {branch.parent} at step {branch.fork:,}{f': {intervention_words(event)}' if event else ''}"


def intervention_words(event: Event) -> str:
    """An intervention in a few words."""
    who = f"{node_name(event.node)}: " if event.node is not None else ""
    return f"{who}{FAULTS[event.do].words}"


@handles(intents.go_to_branch)
def go_to_branch(interface: Interface, desk: Desk, name: str) -> Interface:
    """Show a branch at the present moment, or at its earlier end."""
    moment = _moment(interface, desk)
    desk.front.go_to_branch(name)
    return _settle_at(interface, desk, moment)


def _moment(interface: Interface, desk: Desk) -> float:
    """The present moment, or the moment that is being sought."""
    return desk.now if interface.playback.goal is None else interface.playback.goal


def _settle_at(interface: Interface, desk: Desk, moment: float) -> Interface:
    """Seek that moment, or the end, on the new branch.

    The other run of a pair seeks the same moment on its own branch.
    """
    goal = min(moment, desk.front.timeline.branch.end)
    interface = playing.settle(interface.paused(), desk)
    upcoming = desk.front.next_time
    if desk.front.now < goal and upcoming is not None and upcoming <= goal:
        return interface.with_playback(goal=goal)
    desk.seek_time(goal)
    return playing.settle(interface, desk)


@handles(intents.name_branch)
def name_branch(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open a text field for the name of the present branch."""
    name = desk.front.timeline.branch.name
    return interface.paused().over(Field(name, len(name), takes=intents.rename_branch))


@handles(intents.rename_branch)
def rename_branch(interface: Interface, desk: Desk, typed: str) -> Interface:
    """Rename the present branch, unless another has that name."""
    name, timeline = typed.strip(), desk.front.timeline
    if name == timeline.branch.name:
        return interface
    if not name or name in timeline.names:
        return interface.say("Another branch already has that name." if name else "A branch needs a name.")
    desk.front.rename_branch(name)
    return playing.refresh(interface, desk)


@handles(intents.delete_branch)
def delete_branch(interface: Interface, desk: Desk, name: str) -> Interface:
    """Delete a branch; its children pass to its parent. Undo restores it."""
    timeline = desk.front.timeline
    if timeline.branches[name].parent is None:
        return interface.say(f"“{name}” cannot be deleted: other branches start from it.")
    moment, was_shown = _moment(interface, desk), timeline.branch.name == name
    desk.front.delete_branch(name)
    if interface.pointer.focus:
        interface = interface.focused(f"branches.{timeline.branch.name}")
    interface = _settle_at(interface, desk, moment) if was_shown else playing.refresh(interface, desk)
    return interface.say(f"“{name}” is deleted: undo ({keys.hint(intents.undo())}) restores it.", 8.0)


@handles(intents.delete_line)
def delete_line(interface: Interface, desk: Desk, value: None) -> Interface:
    """Delete the branch whose line has the focus, or else the present one."""
    if interface.display.page != "branches":
        return interface.say("Only branches can be deleted; the page “branches” lists them.")
    name, timeline = interface.pointer.focus.removeprefix("branches."), desk.front.timeline
    return delete_branch(interface, desk, name if name in timeline.branches else timeline.branch.name)


def restore_deleted(interface: Interface, desk: Desk) -> Interface | None:
    """Restore the branch that was deleted, if that was the last change; otherwise None."""
    moment, before = _moment(interface, desk), desk.front.timeline.branch
    name = desk.front.restore_branch()
    if name is None:
        return None
    changed = desk.front.timeline.branch is not before
    interface = _settle_at(interface, desk, moment) if changed else playing.refresh(interface, desk)
    return interface.say(f"“{name}” is back.")
