"""The visible time span of the space-time diagram."""

from __future__ import annotations

from dataclasses import replace

from visual.scene.space_time.frame import Span
from visual.window.desk import Desk
from visual.window.state import Interface

FLIGHTS = 24.0  # length of a page in mean delays, or in units of logical time
CLOSEST = 2.0  # shortest page, likewise


def unit(interface: Interface, desk: Desk) -> float:
    """The unit of the axis: a message's mean delay, or one step of logical time.

    Two runs have one scale, that of the slower one.
    """
    return 1.0 if interface.diagram.logical else max(run.flight for run in desk.runs)


def page(interface: Interface, desk: Desk) -> float:
    """The usual length of a page; half as long while presenting, when text is larger."""
    return FLIGHTS * unit(interface, desk) * (0.5 if interface.display.presenting else 1.0)


def present(interface: Interface, desk: Desk) -> float:
    """The present on the axis; of two runs the later one."""
    if not interface.diagram.logical:
        return interface.playback.time
    return max(float(run.ledger.logical_times.latest(run.timeline.step)) for run in desk.runs)


def span_of(interface: Interface, desk: Desk) -> Span:
    """The visible span, one for all runs: a page around the present, or the place scrolled to."""
    diagram = interface.diagram
    length = page(interface, desk) / diagram.zoom
    if diagram.start is not None:
        return Span(diagram.start, diagram.start + length)
    span = Span.around(present(interface, desk), length)
    if diagram.logical:
        return span
    if desk.now < span.start and desk.next_time is None:
        span = _with_last_event(interface, desk, span)
    return span.within(max(run.end for run in desk.runs))


def _with_last_event(interface: Interface, desk: Desk, span: Span) -> Span:
    """A span with the last event of a run that is over and whose present page would be empty."""
    length = span.length
    while interface.playback.time - desk.now > 0.6 * length:
        length *= 2
    start = max(0.0, desk.now - length / 4)
    return Span(start, start + length)


def followed(interface: Interface, desk: Desk) -> Interface:
    """A copy of a scrolled diagram's interface, which follows the present again once that has left the visible span."""
    span = span_of(interface, desk)
    if span.start <= present(interface, desk) <= span.end:
        return interface
    return replace(interface, diagram=interface.diagram._replace(start=None))


def zoomed(interface: Interface, desk: Desk, factor: float, moment: float) -> Interface:
    """A copy zoomed by a factor around a moment, which stays in its place."""
    span = span_of(interface, desk)
    longest = max(2 * _end(interface, desk), page(interface, desk))
    length = min(max(span.length / factor, CLOSEST * unit(interface, desk)), longest)
    start = max(0.0, moment - (moment - span.start) * length / span.length)
    zoom = page(interface, desk) / length
    return replace(interface, diagram=interface.diagram._replace(zoom=zoom, start=start))


def scrolled(interface: Interface, desk: Desk, by: float) -> Interface:
    """A copy scrolled along the axis, within the executed part of the run."""
    span = span_of(interface, desk)
    latest = max(0.0, _end(interface, desk) - span.length / 2)
    start = min(max(span.start + by, 0.0), max(latest, span.start))
    return replace(interface, diagram=interface.diagram._replace(start=start))


def _end(interface: Interface, desk: Desk) -> float:
    if interface.diagram.logical:
        return max(float(run.ledger.logical_times.latest(run.timeline.frontier)) for run in desk.runs)
    return max(desk.horizon, interface.playback.time)
