"""What the presenter's window shows: all panels, and a column with notes, the next stop and the time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Marker, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.scenario_file import saved_run
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Rect, Shape, Text
from visual.scene.still import Still, still
from visual.window.arrangement import look_of, unit
from visual.window.desk import Desk
from visual.window.panel import View, upright_rule
from visual.window.presenting.notes import next_marker, note_shapes, paragraphs, place_words, time_words
from visual.window.state import Blank, Display, Interface, Pointer

SHARE = 0.68  # of the width, for the panels; the column has the rest
_PANELS = frozenset({"legend", "counters", "source", "waiting"})
_FOLLOWING = 20_000  # steps at most that are executed for the picture of the next stop


# ---- one interface, two windows ----------------------------------------------------------------------------


def stage_view(interface: Interface) -> Interface:
    """What the audience sees: without menus, help and notices, which the presenter's window has."""
    if interface.presenter is None:
        return interface
    pointer = Pointer() if interface.presenter.has_pointer else interface.pointer
    overlays = tuple(overlay for overlay in interface.overlays if isinstance(overlay, Blank))
    return replace(interface.with_presentation(notes=False), overlays=overlays, notice=None, pointer=pointer)


def presenter_view(interface: Interface) -> Interface:
    """What the panels of the presenter's window show: the same moment and selection, in ordinary letters."""
    assert interface.presenter is not None
    width, height, has_pointer = interface.presenter
    display = interface.display._replace(
        width=round(SHARE * width),
        height=height,
        scale=1.0,
        presenting=False,
        chrome_hidden=False,
        stage=frozenset(),
        panels=interface.display.panels | _PANELS,
    )
    pointer = interface.pointer if has_pointer else Pointer()
    overlays = tuple(overlay for overlay in interface.overlays if not isinstance(overlay, Blank))
    view = interface.with_presentation(tool="", strokes=(), notes=False)
    return replace(view, display=display, pointer=pointer, overlays=overlays)


def merged(interface: Interface, view: Interface, after: Interface) -> Interface:
    """The interface after an input has turned the presenter's `view` of it into `after`."""
    assert interface.presenter is not None
    changes: dict[str, Any] = {
        name: value
        for name, value, before in zip(Display._fields, after.display, view.display, strict=True)
        if value != before and name not in ("width", "height")
    }
    changes["panels"] = interface.display.panels ^ after.display.panels ^ view.display.panels
    blank = tuple(overlay for overlay in interface.overlays if isinstance(overlay, Blank))
    return replace(
        after,
        display=interface.display._replace(**changes),
        overlays=(*after.overlays, *blank),
        presentation=interface.presentation._replace(answered=after.presentation.answered),
        presenter=after.presenter and interface.presenter._replace(has_pointer=True),
    )


# ---- the column --------------------------------------------------------------------------------------------


class NextStop(NamedTuple):
    """The marker that PageDown leads to, and the run that has it."""

    marker: Marker
    scenario: Scenario


def next_stop(view: View) -> NextStop | None:
    """The next marker of the run, or the first one of the next scene; None after the last."""
    ahead, talk = next_marker(view), view.desk.talk
    if ahead is not None:
        run = next(run for run in view.desk.runs if ahead in run.scenario.markers)
        return NextStop(ahead, saved_run(run.timeline))
    if talk is None or talk.place + 1 >= len(talk.acts):
        return None
    scenario = talk.acts[talk.place + 1].scenario
    return NextStop(scenario.markers[0], scenario) if scenario.markers else None


class NextPicture:
    """The picture of the next stop, drawn once."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._shapes: tuple[Shape, ...] = ()

    def shapes(self, stop: NextStop, box: Rect, theme: str) -> tuple[Shape, ...]:
        """The graph at that moment, in the box; nothing if the run fails or is very long until then."""
        of = (stop, box, theme)
        if of != self._of:
            self._of, self._shapes = of, _picture(stop, box, theme)
        return self._shapes


def _picture(stop: NextStop, box: Rect, theme: str) -> tuple[Shape, ...]:
    try:
        timeline: Timeline = catalog.timeline(stop.scenario)
        timeline.seek_time(stop.marker.at, _FOLLOWING)
    except BadInput:
        return ()
    upcoming = timeline.simulation.next_time()
    if upcoming is not None and upcoming <= stop.marker.at:
        return ()
    size = (round(box.w), round(box.h))
    look = Still(size, theme, "graph", legend=False, title="", caption="", reopen=False, design=(1100, 620))
    picture = still(timeline, stop.marker.at, look)
    return (Group(picture.shapes, box.x, box.y, Rect(0, 0, *size)),)


def notes_column(interface: Interface, desk: Desk, seconds: int, picture: NextPicture) -> list[Shape]:
    """Time, place, notes, and the next stop with its picture, at the right of the presenter's window."""
    assert interface.presenter is not None
    width, height, _ = interface.presenter
    shown = presenter_view(interface)
    look = look_of(shown)
    left = float(round(SHARE * width))
    view = View(interface, desk, desk.front, look, Rect(left, 0, width - left, height))
    theme, size = look.theme, max(22 * unit(shown.display), 0.024 * height)
    pad = size
    inner = Rect(left + pad, pad, width - left - 2 * pad, height - 2 * pad)
    shapes: list[Shape] = [Box(*view.region, theme.card), upright_rule(look, left, 0, height)]
    clock = fonts.shrink(time := time_words(desk, seconds), inner.w, 1.5 * size, 0.8 * size, weight="bold")
    shapes.append(Text(inner.x, inner.y + 0.8 * size, time, clock, theme.ink, "bold", baseline="middle"))
    place = " · ".join(filter(None, (place_words(view), "the screen is blank" if interface.is_blank else "")))
    shapes.append(Text(inner.x, inner.y + 2.4 * size, place, size, theme.muted, baseline="middle"))
    stop = next_stop(view)
    frame = Rect(inner.x, inner.y + inner.h - 0.56 * inner.w, inner.w, 0.56 * inner.w)
    top = inner.y + 3.6 * size
    bottom = frame.y - 2.2 * size
    shapes += note_shapes(look, paragraphs(view), Rect(inner.x, top, inner.w, bottom - top), size)
    title = f"Next: {stop.marker.name}" if stop else "This is the last stop."
    smaller = fonts.shrink(title, inner.w, size, 0.7 * size, weight="bold")
    words = fonts.shorten(title, inner.w, smaller, weight="bold")
    shapes.append(Text(inner.x, frame.y - 1.0 * size, words, smaller, theme.muted, "bold", baseline="middle"))
    if stop is not None:
        shapes += picture.shapes(stop, frame, theme.name)
        shapes.append(Box(*frame, None, theme.rule, look.rule))
    return shapes
