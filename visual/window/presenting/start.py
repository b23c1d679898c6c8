"""How the window opens: its look, its selection, and a presentation or a talk."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from visual.window.desk import Desk
from visual.window.presenting import talks
from visual.window.presenting.actions import PRESENTER_SIZE
from visual.window.presenting.acts import RunningTalk
from visual.window.state import Interface, PresenterView, Selection, View


class Opening(NamedTuple):
    """How the window opens; None leaves that to the settings."""

    view: View | None = None
    theme: str | None = None
    selected: int | None = None  # a node
    speed: int = 0  # a power of two, or UNBOUND
    presenting: bool = False
    full_screen: bool = False
    presenter: bool = False  # the presenter's window too
    talk: RunningTalk | None = None


def begun(interface: Interface, desk: Desk, how: Opening) -> Interface:
    """The interface opened like that; a talk is at its first stop."""
    look = {"view": how.view, "theme": how.theme}
    interface = interface.with_display(
        presenting=how.presenting or how.talk is not None,
        full_screen=how.full_screen,
        **{name: value for name, value in look.items() if value is not None},
    )
    interface = interface.with_playback(speed=how.speed).with_presentation(
        began=interface.clock if interface.display.presenting else None, was_full=False
    )
    if how.selected is not None:
        interface = replace(interface, selection=Selection("node", how.selected))
    if how.presenter:
        interface = replace(interface, presenter=PresenterView(*PRESENTER_SIZE))
    if how.talk is not None:
        desk.talk = how.talk
        interface = talks.first_stop(interface, desk)
    return interface
