"""The space-time diagram as it is looked at: which stretch of which axis."""

from __future__ import annotations

from dataclasses import replace

from visual.scene.space_time.frame import Span
from visual.window.desk import Desk
from visual.window.run_view import RunView
from visual.window.state import Interface

FLIGHTS = 24.0  # mean delays that a page is long; in logical time, messages one after the other
CLOSEST = 2.0  # mean delays, or units of logical time, that a page shows at least


def unit(interface: Interface, desk: Desk) -> float:
    """What is one of the axis's units: a message's flight on average, or one step of logical time.

    Two runs that are compared have one scale; the slower one's messages fly as long as usual on it.
    """
    return 1.0 if interface.diagram.logical else max(run.flight for run in desk.runs)


def page(interface: Interface, desk: Desk) -> float:
    """How long a page usually is; where text is larger it holds less."""
    return FLIGHTS * unit(interface, desk) * (0.5 if interface.display.presenting else 1.0)


def present(interface: Interface, run: RunView) -> float:
    """Where on the axis the present is."""
    if not interface.diagram.logical:
        return interface.playback.time
    return float(run.ledger.logical_times.latest(run.timeline.step))


def span_of(interface: Interface, desk: Desk, run: RunView) -> Span:
    """The stretch of that run that is shown: a page around the present, or where the person has scrolled to."""
    seen = interface.diagram
    length = page(interface, desk) / seen.zoom
    if seen.start is not None:
        return Span(seen.start, seen.start + length)
    span = Span.around(present(interface, run), length)
    return _of_the_end(interface, run, span) if not seen.logical and run.now < span.start else span


def _of_the_end(interface: Interface, run: RunView, span: Span) -> Span:
    """A stretch with the last event, where nothing more is to come and the page of the present would be empty."""
    if run.simulation.next_time() is not None:
        return span
    length = span.length
    while interface.playback.time - run.now > 0.6 * length:
        length *= 2
    start = max(0.0, run.now - length / 4)
    return Span(start, start + length)


def followed(interface: Interface, desk: Desk) -> Interface:
    """The same, following the present again once that has left the stretch that is shown."""
    if interface.diagram.start is None:
        return interface
    span = span_of(interface, desk, desk.front)
    if span.start <= present(interface, desk.front) <= span.end:
        return interface
    return replace(interface, diagram=interface.diagram._replace(start=None))


def zoomed(interface: Interface, desk: Desk, factor: float, moment: float) -> Interface:
    """Closer by that factor, or farther if it is below 1; the moment stays where it is."""
    span, seen = span_of(interface, desk, desk.front), interface.diagram
    longest = max(2 * _end(interface, desk), page(interface, desk))
    length = min(max(span.length / factor, CLOSEST * unit(interface, desk)), longest)
    start = max(0.0, moment - (moment - span.start) * length / span.length)
    zoom = page(interface, desk) / length
    return replace(interface, diagram=seen._replace(zoom=zoom, start=start))


def moved(interface: Interface, desk: Desk, by: float) -> Interface:
    """Later by so much of the axis, or earlier if it is negative; not beyond what has ever happened."""
    span = span_of(interface, desk, desk.front)
    latest = max(0.0, _end(interface, desk) - span.length / 2)
    start = min(max(span.start + by, 0.0), max(latest, span.start))
    return replace(interface, diagram=interface.diagram._replace(start=start))


def _end(interface: Interface, desk: Desk) -> float:
    if interface.diagram.logical:
        return max(float(run.ledger.logical_times.latest(run.timeline.frontier)) for run in desk.runs)
    return max(desk.horizon, interface.playback.time)
