"""Questions at markers: asked first, then answered; until then nothing on the stage shows what is still to come."""

from __future__ import annotations

from algorithms.engine.scenario import Marker
from visual.window.desk import Desk
from visual.window.state import Interface

SAME = 1e-9  # difference of two times that are the same


def question_at(interface: Interface, desk: Desk) -> Marker | None:
    """The marker with a question at which a presentation stands still."""
    if not interface.display.presenting or interface.is_moving or desk.lesson is not None:
        return None
    time = interface.playback.time
    return next((marker for marker in desk.markers if marker.question and abs(marker.at - time) < SAME), None)


def is_answered(interface: Interface, marker: Marker) -> bool:
    """Whether the answer to the marker's question has been shown, if it has one."""
    return not marker.answer or interface.presentation.answered == marker.at


def open_question(interface: Interface, desk: Desk) -> Marker | None:
    """The marker whose question waits for its answer."""
    marker = question_at(interface, desk)
    return None if marker is None or is_answered(interface, marker) else marker


def hides_future(interface: Interface, desk: Desk) -> bool:
    """Whether executed steps after the present one are hidden: because a question is still to come, or by choice."""
    if interface.display.hides_future:
        return True
    if not interface.display.presenting:
        return False
    time = interface.playback.time
    return any(
        marker.question
        and (marker.at > time + SAME or (marker.at > time - SAME and not is_answered(interface, marker)))
        for marker in desk.markers
    )


def moment_name(interface: Interface, desk: Desk) -> str:
    """The name of the present moment; "" if it has none, or while its question is open."""
    marker = desk.marker(interface.playback.time)
    return "" if marker is None or open_question(interface, desk) else marker.name
