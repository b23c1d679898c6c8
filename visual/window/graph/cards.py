"""Cards beside the graph: the legend, the inspector, the reasons for waiting."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.rewrite import system_of
from visual.analysis.run_cache import Moment
from visual.drawing import fonts
from visual.drawing.picking import all_bounds, bounds
from visual.drawing.shapes import Box, Colour, Group, Rect, Shape, Text
from visual.narration.inspection import Fact, Inspection, inspect_event, inspect_message, inspect_node
from visual.narration.waiting import Reason, reasons
from visual.scene.graph.legend import legend, lines_of
from visual.window import intents, keys
from visual.window.arrangement import has_legend, legend_room, regions, shares_column
from visual.window.graph.graphs import options_of
from visual.window.intents import Intent
from visual.window.panel import Panel, View, ground, level_rule
from visual.window.run_actions import why_not
from visual.window.widgets import Button, Look, Target, button_width
from visual.words import naming, node_name

_MOST_VALUE_LINES = 3
_PAD = 18.0
_LINK = "history"
_MOST_WAITING = 0.5  # of the region's height: the most for the reasons above the inspector
_LEAST_INSPECTOR = 150.0  # logical pixels
_REASON_SIZES = (17.0, 15.0, 13.0)  # of letters, in logical pixels, in order of preference
_FACT_SIZES = (20.0, 18.0, 16.0)  # the same for facts
_PRESENTED_FACT = 14.0  # the same for facts while presenting, when there is no room for glosses
_IN_STATE_LINE = ("wants", "inside")  # facts that the state below the title implies
_GLOSS = 0.94  # of the size of a fact: the size of its gloss


class _Line(NamedTuple):
    """A line of text in a card."""

    words: str
    size: float
    ink: Colour
    bold: bool = False
    mono: bool = False
    space: float = 1.4  # its height in units of its size
    is_highlighted: bool = False
    x: float = 0.0  # indentation
    gloss: str = ""  # at the right end of the line


class _Cards(NamedTuple):
    """Cards, with the widgets on them."""

    shapes: tuple[Shape, ...]
    widgets: tuple[Button | Target, ...]


def cards(view: View) -> Panel:
    """The cards that fit into the region, one below the other.

    In the column of the legend they are at its bottom, so that they do not move when the legend grows.
    """
    if not shares_column(view.interface, view.desk.is_pair):
        return Panel(*_stacked(view))
    stacked = _stacked(view._replace(region=_room_below(view)))
    filled = all_bounds(stacked.shapes)
    down = view.region.y + view.region.h - filled.y - filled.h
    lowered = (widget._replace(box=widget.box._replace(y=widget.box.y + down)) for widget in stacked.widgets)
    return Panel((Group(stacked.shapes, 0, down),), tuple(lowered))


def _stacked(view: View) -> _Cards:
    shapes: list[Shape] = []
    widgets: list[Button | Target] = []
    top, bottom = view.region.y, view.region.y + view.region.h
    node = view.interface.node
    inspected = "inspector" in view.interface.display.panels
    if "waiting" in view.interface.display.panels and node is not None:
        why = _why(view, node)
        shared = _MOST_WAITING * view.region.h  # with the inspector, if that has room enough
        is_alone = not inspected or shared < view.look.px(_LEAST_INSPECTOR)
        keeps_its_place = not inspected and not shares_column(view.interface, view.desk.is_pair)
        if why or keeps_its_place:
            shapes += _waiting(view, node, why, top, bottom if is_alone else top + shared)
            top += (shapes[0].h if isinstance(shapes[0], Box) else 0.0) + view.look.gap
    if inspected and bottom - top > view.look.px(_LEAST_INSPECTOR):
        facts = _facts(view)
        if facts is not None:
            card, on_it = _inspector(view, facts, top, bottom)
            shapes += card
            widgets += on_it
    return _Cards(tuple(shapes), tuple(widgets))


def _facts(view: View) -> Inspection | None:
    """The facts about the selection; None if it no longer exists."""
    interface, run = view.interface, view.run
    if interface.node is not None:
        return inspect_node(run.ledger, interface.node)
    if interface.event is not None:
        return inspect_event(run.ledger, interface.event) if interface.event < run.timeline.frontier else None
    entry = run.message(interface.message) if interface.message is not None else None
    return inspect_message(entry, naming(run.simulation)) if entry is not None else None


# ---- inspector ---------------------------------------------------------------------------------------------


def _inspector(view: View, facts: Inspection, top: float, bottom: float) -> _Cards:
    look, region = view.look, view.region
    pad = _PAD * look.control
    buttons = [] if look.presenting else _buttons(view, region.x + pad, region.w - 2 * pad)
    feet = sum({button.box.y: button.box.h + look.px(8) for button in buttons}.values())
    close = Rect(region.x + region.w - look.target, top, look.target, look.target)
    room = bottom - top - feet - 2 * pad
    lines = _largest(look, facts, region.w - 2 * pad, room)
    height = _height(lines) + feet + 1.6 * pad
    card = Box(region.x, top, region.w, height, look.theme.card, look.theme.ink, look.rule, look.radius)
    foot = top + height - feet - look.px(4)
    placed = [button._replace(box=button.box._replace(y=foot + button.box.y)) for button in buttons]
    cross = Button(
        "cards.close",
        close,
        intents.toggle("inspector"),
        icon="cross",
        hint=f"close  {keys.hint(intents.close())}",
        kind="quiet",
    )
    shapes = [card, *_draw_lines(look, lines, region.x + pad, top + 0.8 * pad, region.w - 2 * pad)]
    if look.presenting or view.interface.event is not None:
        return _Cards(tuple(shapes), (*placed, cross))
    words, link = _link(look, close.x, top)
    return _Cards((*shapes, words), (*placed, link, cross))


def _link(look: Look, right: float, top: float) -> tuple[Text, Target]:
    """The link from a card to the history of its subject."""
    size, height = look.size("small"), look.target
    width = _link_width(look)
    box = Rect(right - width, top, width, height)
    words = Text(right - width / 2, top + height / 2, _LINK, size, look.theme.muted, "bold", "sans", "middle", "middle")
    hint = f"its history along the run  {keys.hint(intents.open_page('history'))}"
    return words, Target("cards.history", box, intents.open_page("history"), hint)


def _link_width(look: Look) -> float:
    return max(fonts.width(_LINK, look.size("small"), weight="bold") + look.px(12), look.target)


def _largest(look: Look, facts: Inspection, width: float, room: float) -> list[_Line]:
    """The lines in the largest letters that fit; else the most important."""
    for size in (_PRESENTED_FACT,) if look.presenting else _FACT_SIZES:
        lines = _lines(look, facts, width, look.px(size))
        if _height(lines) <= room:
            return lines
    shorter = facts._replace(facts=tuple(fact for fact in facts.facts if fact.name not in _IN_STATE_LINE))
    return _fitting(_lines(look, shorter, width, look.px(size)), room)


def _lines(look: Look, facts: Inspection, room: float, size: float) -> list[_Line]:
    """The title, the state, and each fact in letters of that size."""
    theme = look.theme
    beside = look.target + _link_width(look) - look.px(_PAD)
    title = fonts.shorten(facts.title, room - beside, look.px(24), weight="bold")
    lines = [
        _Line(title, look.px(24), theme.ink, bold=True),
        *(_Line(words, look.size("body"), theme.muted) for words in _state_lines(look, facts.state, room)),
    ]
    for fact in facts.facts:
        lines += _fact_lines(look, fact, room, size)
    return lines


def _state_lines(look: Look, words: str, room: float) -> list[str]:
    """The state in at most two lines."""
    size = look.size("body")
    lines = fonts.wrap(words, room, size)
    return lines if len(lines) <= 2 else [lines[0], fonts.shorten(" ".join(lines[1:]), room, size)]


def _fact_lines(look: Look, fact: Fact, room: float, size: float) -> list[_Line]:
    """The name, the value and the gloss of a fact, in few lines."""
    theme = look.theme
    words = f"{fact.name} = {fact.value}"
    if not fonts.fits(words, room, size, "mono", "bold"):
        lines = _broken(fact, room, size, theme.ink)
    elif fonts.width(f"{words}  ", size, "mono", "bold") + fonts.width(fact.gloss, _GLOSS * size) <= room:
        gloss = "" if look.presenting else fact.gloss
        return [_Line(words, size, theme.ink, True, True, 1.5, fact.changed, gloss=gloss)]
    else:
        lines = [_Line(words, size, theme.ink, True, True, 1.5, fact.changed)]
    if fact.gloss and not look.presenting:
        small = _GLOSS * size
        lines += [_Line(line, small, theme.muted, space=1.35) for line in fonts.wrap(fact.gloss, room, small)[:2]]
    return lines


def _broken(fact: Fact, room: float, size: float, ink: Colour) -> list[_Line]:
    """The name on one line, and the value on a few lines below it."""
    indent = 0.875 * size
    wrapped = fonts.wrap(fact.value, room - indent, size, "mono")
    if len(wrapped) > _MOST_VALUE_LINES:
        last = wrapped[_MOST_VALUE_LINES - 1] + " …"
        wrapped[_MOST_VALUE_LINES - 1 :] = [fonts.shorten(last, room - indent, size, "mono")]
    name = fonts.shorten(f"{fact.name} =", room, size, "mono", "bold")
    return [
        _Line(name, size, ink, True, True, 1.4, fact.changed),
        *(_Line(line, size, ink, mono=True, space=1.3, x=indent) for line in wrapped),
    ]


def _fitting(lines: list[_Line], room: float) -> list[_Line]:
    """The first lines that fit, the last of them replaced by an ellipsis."""
    used = 0.0
    fitting: list[_Line] = []
    for line in lines:
        used += line.size * line.space
        if used > room:
            return [*fitting[:-1], fitting[-1]._replace(words="…", is_highlighted=False, gloss="")] if fitting else []
        fitting.append(line)
    return fitting


def _draw_lines(look: Look, lines: list[_Line], x: float, top: float, width: float) -> list[Shape]:
    """The shapes of the lines, one below the other."""
    shapes: list[Shape] = []
    for line in lines:
        height = line.size * line.space
        middle = top + height / 2
        if line.is_highlighted:
            shapes.append(_highlight(look, x, top, width, height))
        shapes.append(
            Text(
                x + line.x,
                middle,
                line.words,
                line.size,
                line.ink,
                "bold" if line.bold else "normal",
                "mono" if line.mono else "sans",
                baseline="middle",
            )
        )
        if line.gloss:
            right, ink = x + width, look.theme.muted
            shapes.append(Text(right, middle, line.gloss, _GLOSS * line.size, ink, anchor="end", baseline="middle"))
        top += height
    return shapes


def _highlight(look: Look, x: float, top: float, width: float, height: float) -> Box:
    """The background of a changed fact; in print an outline."""
    theme, off = look.theme, look.px(6)
    outline = theme.ink if theme.lit == theme.paper else None
    return Box(x - off, top, width + 2 * off, height, theme.lit_now, outline, look.rule, look.px(4))


def _buttons(view: View, left: float, room: float) -> list[Button]:
    """Buttons that act on the selection, with y from the first row."""
    look = view.look
    buttons: list[Button] = []
    x, y = left, 0.0
    for label, intent, hint in _interventions(view):
        width = button_width(look, label)
        if x + width > left + room and x > left:
            x, y = left, y + look.target + look.px(8)
        box = Rect(x, y, min(width, room), look.target)
        node = view.interface.node
        obstacle = why_not(view.run, _DOES.get(intent, ""), node) if node is not None else ""
        hint = obstacle or f"{hint}  {keys.hint(intent())}"
        buttons.append(Button(f"cards.{intent}", box, intent(), label, hint=hint, is_off=bool(obstacle)))
        x += width + look.px(8)
    return buttons


_DOES = {intents.request: "request"}  # what the button does that not every node can


def _interventions(view: View) -> list[tuple[str, Intent[None], str]]:
    """The label, the intent and the hint of what can be done to the selection."""
    run, node = view.run.simulation, view.interface.node
    if view.interface.event is not None or system_of(run.algorithm):
        return []
    if node is None:
        return [("drop", intents.drop, "the message is lost"), ("delay", intents.delay, "the message takes longer")]
    request = ("elect", "start an election") if run.algorithm.is_election() else ("request", "request now")
    crash = ("recover", "with its memory") if run.is_crashed(node) else ("crash", "it stops, and answers nothing")
    pause = "resume" if run.is_paused(node) else "pause"
    return [
        (request[0], intents.request, request[1]),
        (crash[0], intents.crash_or_recover, crash[1]),
        (pause, intents.pause_or_resume, "it stops for a while; to the others this looks like a crash"),
    ]


# ---- why is it waiting? ------------------------------------------------------------------------------------


def _why(view: View, node: int) -> list[Reason]:
    """The reasons why a node waits; several panels show them, in every frame."""
    return view.run.cache.get(_reasons_at, Moment(view.run.simulation), node)


def _reasons_at(moment: Moment, node: int) -> list[Reason]:
    return reasons(moment.run, node)


def _waiting(view: View, node: int, why: list[Reason], top: float, bottom: float) -> list[Shape]:
    """The reasons in the largest letters that fit; else without the question."""
    look, region, theme = view.look, view.region, view.look.theme
    pad = _PAD * look.control
    room, height = region.w - 2 * pad, bottom - top - 1.6 * pad
    waits = why and view.run.simulation.is_up(node)
    question = f"Why is {node_name(node)} waiting?" if waits else f"{node_name(node)} is not waiting."
    for size in map(look.px, _REASON_SIZES):
        larger = fonts.shrink(question, room, 1.18 * size, size, weight="bold")
        asked = fonts.shorten(question, room, larger, weight="bold")
        title, reasons = _Line(asked, larger, theme.ink, bold=True, space=1.6), _lines_of(look, why, size, room)
        lines = [title, *reasons]
        if _height(lines) <= height:
            break
    else:
        lines = _fitting(reasons, height)
    card = Box(region.x, top, region.w, _height(lines) + 1.5 * pad, theme.card, theme.ink, look.rule, look.radius)
    return [card, *_draw_lines(look, lines, region.x + pad, top + 0.7 * pad, room)]


def _reasons_height(view: View) -> float:
    """The least height in pixels of the reasons below the legend."""
    look, node = view.look, view.interface.node
    if (
        node is None
        or "waiting" not in view.interface.display.panels
        or not shares_column(view.interface, view.desk.is_pair)
    ):
        return 0.0
    why, pad, size = _why(view, node), _PAD * look.control, look.px(_REASON_SIZES[-1])
    lines = _lines_of(look, why, size, view.region.w - 2 * pad)
    return _height(lines) + 1.6 * pad if why else 0.0


def reasons_row(view: View) -> Panel:
    """The reasons as running text, if a waiting node is selected."""
    look, region, node = view.look, view.region, view.interface.node
    if node is None or "waiting" not in view.interface.display.panels:
        return Panel()
    why = _why(view, node)
    if not why:
        return Panel()
    words = " ".join([f"{node_name(node)}:", *(reason.words for reason in why)])
    joined = [Reason(words, any(reason.is_permanent for reason in why))]
    pad = _PAD * look.control
    for size in map(look.px, _REASON_SIZES):
        lines = _lines_of(look, joined, size, region.w - 2 * pad)
        if _height(lines) <= region.h:
            break
    lines = _fitting(lines, region.h)
    top = region.y + (region.h - _height(lines)) / 2
    rule = level_rule(look, region.x, region.x + region.w, region.y)
    text = _draw_lines(look, lines, region.x + pad, top, region.w - 2 * pad)
    return Panel((ground(view, look.theme.paper), rule, *text))


def _lines_of(look: Look, why: list[Reason], size: float, room: float) -> list[_Line]:
    lines = []
    for reason in why:
        ink = look.theme.fault_text if reason.is_permanent else look.theme.ink
        weight: fonts.Weight = "bold" if reason.is_permanent else "normal"
        wrapped = fonts.wrap(reason.words, room, size, weight=weight)
        lines += [_Line(words, size, ink, reason.is_permanent, space=1.42) for words in wrapped]
    return lines


def _height(lines: list[_Line]) -> float:
    return sum(line.size * line.space for line in lines)


def legend_card(view: View) -> Panel:
    """The legend in the upper left corner, unless the reasons need its room."""
    card = _placed(view)
    return Panel((card,) if _below(view, card).h >= _reasons_height(view) else ())


def _placed(view: View) -> Group:
    room = view.region
    if view.look.presenting:
        room = legend_room(view.interface, regions(view.interface).graph)
    card = legend(view.run.cache, view.interface.playback.time, view.look.theme, options_of(view), room.h, room.w)
    return card._replace(x=room.x, y=room.y)


def _below(view: View, card: Group) -> Rect:
    x, y, w, h = view.region
    taken = bounds(card).h
    taken += view.look.gap if taken else 0.0
    return Rect(x, y + taken, w, max(h - taken, 0.0))


def _room_below(view: View) -> Rect:
    """The part of the region below the legend."""
    has_signs = has_legend(view.interface, view.desk.is_pair) and not view.run.system
    below = _below(view, _placed(view)) if has_signs else view.region
    return below if below.h >= _reasons_height(view) else view.region


def legend_row(view: View) -> Panel:
    """The legend of all runs in one row, in the middle of the region."""
    options, theme, region = options_of(view), view.look.theme, view.region
    caches = [run.cache for run in view.desk.runs if not run.system]
    line, _ = lines_of(caches, view.interface.playback.time, region.w, theme, options, most=2)
    below = level_rule(view.look, region.x, region.x + region.w, region.y + region.h)
    return Panel((ground(view, theme.paper), line._replace(x=region.x, y=region.y + region.h / 2), below))
