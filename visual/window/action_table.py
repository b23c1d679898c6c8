"""What can be done, by name: the table that keys, buttons and menus refer to. The actions are in their own modules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from algorithms.bad_input import BadInput
from visual.window.inputs import Do
from visual.window.session import Session
from visual.window.state import Interface

Action: TypeAlias = Callable[[Interface, Session, Any], Interface]

ACTIONS: dict[str, Action] = {}  # filled by the modules that `visual.window.actions` imports

LONG = 8.0  # seconds for a sentence on what is wrong with something
_UNVEILING = ("quit", "blank", "close", "full_screen", "present", "save_picture")  # what a blank screen lets through


def action(function: Action) -> Action:
    """Enter a function in the table under its own name."""
    return named(function.__name__, function)


def named(name: str, function: Action) -> Action:
    """Enter a function in the table under a name."""
    ACTIONS[name] = function
    return function


def with_value(name: str, function: Action, value: Any) -> None:
    """Enter a function in the table under a name, always with that value."""
    named(name, lambda interface, session, ignored: function(interface, session, value))


def perform(interface: Interface, session: Session, do: Do) -> Interface:
    """Do it, to the run that the panels are about; on a blank screen the picture comes back first.

    What cannot be done is told. A notice about the run goes when the run is another, or at another step.
    """
    if interface.blank and do.action not in _UNVEILING:
        return replace(interface, blank=False)
    before = session.revision
    try:
        done = ACTIONS[do.action](interface, front_of(interface, session), do.value)
    except BadInput as error:
        return interface.say(str(error), LONG)
    is_past = done.notice is interface.notice and session.revision != before
    return replace(done, notice=None) if is_past else done


def front_of(interface: Interface, session: Session) -> Session:
    """The run that the panels are about: of two that are compared, one."""
    return session.runs[interface.comparison.front if interface.comparison else 0]
