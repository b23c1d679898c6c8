"""Actions on the space-time diagram."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algorithms.engine.events import DELIVER, KIND, LOST, SEQ, Record
from visual.window import intents
from visual.window.action_table import handle_with, handles
from visual.window.desk import Desk
from visual.window.diagram.scrolling import moved, present, span_of, zoomed
from visual.window.intents import Do, Intent
from visual.window.menus.entries import Entry, Menu
from visual.window.playback.actions import seek_step
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection

STEP = 1.6  # how much closer or farther a key goes
LATER = 0.5  # of a page: how far a key scrolls


def _zoom(interface: Interface, desk: Desk, by: int) -> Interface:
    """Closer or farther, around the present where that is shown."""
    span, now = span_of(interface, desk, desk.front), present(interface, desk.front)
    moment = now if span.start <= now <= span.end else (span.start + span.end) / 2
    return zoomed(interface, desk, STEP**by, moment)


def _scroll(interface: Interface, desk: Desk, by: int) -> Interface:
    return moved(interface, desk, by * LATER * span_of(interface, desk, desk.front).length)


def _flip(interface: Interface, desk: Desk, name: str) -> Interface:
    """Switch something of the diagram; what has been scrolled to means nothing on another axis."""
    seen = interface.diagram
    start = None if name == "logical" else seen.start
    changed = seen._replace(**{name: not getattr(seen, name)}, start=start)
    return replace(interface, diagram=changed)


@handles(intents.fit_diagram)
def fit_diagram(interface: Interface, desk: Desk, value: None) -> Interface:
    """A page around the present, as long as usual."""
    return replace(interface, diagram=interface.diagram._replace(zoom=1.0, start=None))


@handles(intents.go_to_event)
def go_to_event(interface: Interface, desk: Desk, step: int) -> Interface:
    """Show the moment right after that step, with its causes and effects lit."""
    panels = interface.display.panels | {"inspector"}
    interface = replace(
        interface, display=interface.display._replace(panels=panels), selection=Selection("event", step)
    )
    return seek_step(interface, desk, step + 1)


@handles(intents.go_to_message)
def go_to_message(interface: Interface, desk: Desk, serial: int) -> Interface:
    """Select the message if it is on its way; else show the moment of its arrival, or of its loss."""
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
    """What can be chosen about the diagram."""
    seen, last = interface.diagram, run.timeline.step - 1
    causes = Entry("causal past and future of this event", intents.go_to_event(last), on=interface.event == last)
    return Menu(
        "space–time",
        (
            Entry("real time", _unless(not seen.logical, intents.logical_axis), "when it happened", not seen.logical),
            Entry(
                "logical time", _unless(seen.logical, intents.logical_axis), "the longest chain of causes", seen.logical
            ),
            Entry("time to the right", _unless(not seen.down, intents.downwards), on=not seen.down),
            Entry("time downwards", _unless(seen.down, intents.downwards), on=seen.down),
            Entry("only who is involved", _unless(not seen.everybody, intents.everybody), on=not seen.everybody),
            Entry("everybody", _unless(seen.everybody, intents.everybody), on=seen.everybody),
            *([causes] if last >= 0 else []),
            Entry("a page around the present", intents.fit_diagram()),
        ),
    )


def _unless(already: bool, intent: Intent[None]) -> Do[Any]:
    return intents.say("That is how it is shown.") if already else intent()
