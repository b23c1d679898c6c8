"""Actions on the space-time diagram."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.events import DELIVER, KIND, LOST, SEQ, Record
from visual.window import intents
from visual.window.action_table import handle_with, handles
from visual.window.desk import Desk
from visual.window.diagram.scrolling import present, scrolled, span_of, zoomed
from visual.window.intents import Intent
from visual.window.menus.entries import Entry, Menu
from visual.window.playback.actions import seek_step
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection

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
    end = next((k for k in steps if _ends(trace.event(k), serial)), None)
    return go_to_event(interface, desk, end) if end is not None else interface


def _ends(event: Record, serial: int) -> bool:
    return event[KIND] in (DELIVER, LOST) and event[SEQ] == serial


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
