"""The panel of the space-time diagram, with a page of time that follows the run, and its actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from algorithms.engine.events import DELIVER, KIND, LOST, SEQ
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.shapes import Box, Fill, Group, Rect, Shape, Text
from visual.scene.options import Options
from visual.scene.space_time import bars
from visual.scene.space_time.diagram import space_time
from visual.scene.space_time.diagram_legend import BANDS, PALE, band_fills
from visual.scene.space_time.frame import Frame, Plan
from visual.scene.space_time.process_selection import MOST, select_processes
from visual.window import intents, keys
from visual.window.action_table import handle_with, handles
from visual.window.desk import Desk
from visual.window.diagram.scrolling import present, scrolled, span_of, zoomed
from visual.window.graph.graphs import options_of
from visual.window.intents import Intent
from visual.window.menus import Entry, Menu
from visual.window.panel import Panel, View, heading, level_rule
from visual.window.playback.playing import seek_step
from visual.window.presenting.questions import hides_future
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection
from visual.window.widgets import DENSE_TARGET, Look, Target
from visual.words import naming

_HEAD = 34.0  # logical pixels for the heading
_PAD = 24.0
_PRESENTED = 2.7  # factor for names and labels while presenting
_SECONDARY = 24.0  # logical pixels, 2.2 % of the height: the smallest names, before every other one is left out
_LANE, _FEWEST = 22.0, 8  # logical pixels per line if not all fit, and the least number of lines
_MEANINGS = {"wanting": "waiting", "inside": "in the critical section"}  # of bars
_OF_TERMS = {"wanting": "has something to send"}  # of a rewriting system's bars; the token has its own sign


def strip(view: View, name: str = "strip") -> Panel:
    """Background, heading and diagram; `name` is the panel's."""
    frame, look, region, run = frame_of(view), view.look, view.region, view.run
    time, spells, options = view.interface.playback.time, run.ledger.spells, _options(view)
    shapes: list[Shape] = space_time(run.cache, spells, frame.span, time, frame.rect, look.theme, options, frame.plan)
    rule = level_rule(look, region.x, region.x + region.w, region.y)
    if run.simulation.algorithm.is_election():
        fills = band_fills(spells.terms.at(run.simulation.steps), look.theme)
    else:
        several = naming(run.simulation).has_several
        fills = bars.legend_fills(_flat(shapes), frame, look.theme, several)
    words, targets = _head(view, frame, name, fills)
    return Panel((Box(*region, look.theme.paper), rule, *words, Group(tuple(shapes), clip=frame.rect)), targets)


def frame_of(view: View) -> Frame:
    """The diagram's geometry."""
    look, region, interface, run = view.look, view.region, view.interface, view.run
    diagram, span = interface.diagram, span_of(interface, view.desk)
    head, pad = _head_height(look), look.px(_PAD)
    rect = Rect(region.x + pad, region.y + head, region.w - 2 * pad, region.h - head - look.px(4))
    logical_times, options = run.ledger.logical_times if diagram.logical else None, _options(view)
    lanes = None
    if not diagram.everybody:
        most = max(_FEWEST, min(MOST, int(min(rect.w, rect.h) / (_LANE * options.scale))))
        lanes = select_processes(run.cache, span, interface.selected_id, most, Plan(logical_times))
    plan = Plan(logical_times, lanes, diagram.down)
    if look.presenting:
        plan = replace(plan, least=_SECONDARY / _PRESENTED)
    return Frame(rect, span, run.scenario.nodes, options.scale, plan)


def _options(view: View) -> Options:
    """The drawing options; while presenting, names are 4.4 % of the height and labels 3.3 %."""
    options = options_of(view, ahead=not hides_future(view.interface, view.desk))
    return replace(options, scale=options.scale * _PRESENTED) if view.look.presenting else options


def _head_height(look: Look) -> float:
    return max(look.px(_HEAD), DENSE_TARGET)


def _flat(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """The shapes, with groups replaced by their contents."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _flat(shape.shapes)
        else:
            yield shape


def _head(view: View, frame: Frame, name: str, key: dict[str, Fill]) -> tuple[list[Shape], tuple[Target, ...]]:
    """Title, a menu of the axis, a remark on omissions or highlights, and the legend of the bars."""
    look, region = view.look, view.region
    head, left = _head_height(look), region.x + look.px(_PAD)
    middle, small = region.y + head / 2, look.size("small")
    title = heading(look, left, middle, "space–time")
    left += fonts.width("space–time", title.size, weight="bold") + look.px(16)
    axis = "causal depth ▾" if view.interface.diagram.logical else "real time ▾"
    shapes: list[Shape] = [title, Text(left, middle, axis, small, look.theme.ink, baseline="middle")]
    width = fonts.width(axis, small)
    hint = f"axis, direction, whose lines  {keys.hint(intents.open_menu('diagram'))}"
    box = Rect(left - look.px(6), region.y, max(width + look.px(12), DENSE_TARGET), head)
    target = Target(f"{name}.axis", box, intents.open_menu("diagram"), hint, dense=True)
    left += width + look.px(20)
    right, remark = region.x + region.w - look.px(_PAD), _remark(view, frame)
    samples, begins = _samples(view, key, right, middle)
    if samples and begins - look.px(20) - left >= fonts.width(remark, small):
        shapes += samples
    remark = fonts.shorten(remark, right - left, small)
    if len(remark) > 8:
        shapes.append(Text(left, middle, remark, small, look.theme.muted, baseline="middle"))
    return shapes, (target,)


def _samples(view: View, key: dict[str, Fill], right: float, middle: float) -> tuple[list[Shape], float]:
    """The legend of the bars, or of the bands of terms, that ends at `right`, and where it begins."""
    look, size = view.look, view.look.size("small")
    wide, high = 1.5 * size, 0.7 * size
    algorithm = view.run.simulation.algorithm
    meanings = _OF_TERMS if system_of(algorithm) else BANDS if algorithm.is_election() else _MEANINGS
    shapes: list[Shape] = []
    for state in reversed([state for state in key if state in meanings]):
        right -= fonts.width(meanings[state], size)
        shapes.append(Text(right, middle, meanings[state], size, look.theme.muted, baseline="middle"))
        right -= wide + 0.4 * size
        sample = Box(right, middle - high / 2, wide, high, key[state], look.theme.ink, look.rule, high / 5)
        if meanings is BANDS:
            shapes.append(Group((sample._replace(stroke=None),), opacity=PALE))
            sample = sample._replace(fill=None)
        shapes.append(sample)
        right -= 1.2 * size
    return shapes, right + 1.2 * size


def _remark(view: View, frame: Frame) -> str:
    """A remark on highlights and on omitted lines."""
    parts = []
    if view.interface.diagram.logical:
        parts.append("an event's place: the number of events on the longest chain of causes up to it")
    if view.interface.event is not None:
        parts.append("solid: causes of the selected event; hollow, dashed: its effects")
    if len(frame.lanes) < frame.nodes:
        parts.append(f"{len(frame.lanes)} of {frame.nodes} processes, including those involved")
    return " · ".join(parts)


STEP = 1.6  # zoom factor of a key
LATER = 0.5  # share of a page that a key scrolls


def _zoom(interface: Interface, desk: Desk, by: int) -> Interface:
    """Zoom in (+1) or out (-1), around the present if it is visible."""
    span, now = span_of(interface, desk), present(interface, desk)
    moment = now if span.start <= now <= span.end else (span.start + span.end) / 2
    return zoomed(interface, desk, STEP**by, moment)


def _scroll(interface: Interface, desk: Desk, by: int) -> Interface:
    return scrolled(interface, desk, by * LATER * span_of(interface, desk).length)


def _flip(interface: Interface, desk: Desk, name: str) -> Interface:
    """Switch a field of the diagram; another axis follows the present again."""
    diagram = interface.diagram
    start = None if name == "logical" else diagram.start
    return replace(interface, diagram=diagram._replace(**{name: not getattr(diagram, name)}, start=start))


@handles(intents.fit_diagram)
def fit_diagram(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show a page of the usual length around the present."""
    return replace(interface, diagram=interface.diagram._replace(zoom=1.0, start=None))


@handles(intents.go_to_event)
def go_to_event(interface: Interface, desk: Desk, step: int) -> Interface:
    """Show the moment right after a step, with its causes and effects highlighted."""
    panels = interface.display.panels | {"inspector"}
    interface = replace(interface.with_display(panels=panels), selection=Selection("event", step))
    return seek_step(interface, desk, step + 1)


@handles(intents.go_to_message)
def go_to_message(interface: Interface, desk: Desk, serial: int) -> Interface:
    """Select a message in transit, or show the moment of its arrival or loss."""
    if desk.front.message(serial) is not None:
        return replace(interface.paused(), selection=Selection("message", serial))
    trace = desk.front.timeline.trace
    steps = range(len(trace) - 1, trace.forgotten - 1, -1)
    ends = (k for k in steps if (event := trace.event(k))[KIND] in (DELIVER, LOST) and event[SEQ] == serial)
    end = next(ends, None)
    return go_to_event(interface, desk, end) if end is not None else interface


handle_with(intents.logical_axis, _flip, "logical")
handle_with(intents.downwards, _flip, "down")
handle_with(intents.everybody, _flip, "everybody")
handle_with(intents.diagram_closer, _zoom, 1)
handle_with(intents.diagram_farther, _zoom, -1)
handle_with(intents.diagram_later, _scroll, 1)
handle_with(intents.diagram_earlier, _scroll, -1)


def diagram_menu(interface: Interface, run: RunView) -> Menu:
    """The menu of the diagram: axis, direction and lines."""
    diagram, last = interface.diagram, run.timeline.step - 1
    causes = Entry("causal past and future of this event", intents.go_to_event(last), on=interface.event == last)
    return Menu(
        "space–time",
        (
            _option("real time", not diagram.logical, intents.logical_axis, "when it happened"),
            _option("causal depth", diagram.logical, intents.logical_axis, "events on the longest chain of causes"),
            _option("time to the right", not diagram.down, intents.downwards),
            _option("time downwards", diagram.down, intents.downwards),
            _option("only processes involved", not diagram.everybody, intents.everybody),
            _option("all processes", diagram.everybody, intents.everybody),
            *([causes] if last >= 0 else []),
            Entry("a page around the present", intents.fit_diagram()),
        ),
    )


def _option(words: str, on: bool, switch: Intent[None], note: str = "") -> Entry:
    """One of two alternatives; `switch` chooses the other one."""
    return Entry(words, intents.say("That is already chosen.") if on else switch(), note, on)
