"""What does each intent: the table that the modules of the features fill, and `perform`, which looks it up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from algorithms.bad_input import BadInput
from visual.window import intents
from visual.window.desk import Desk
from visual.window.intents import Do, Intent
from visual.window.state import Blank, Interface

V = TypeVar("V")

Handler: TypeAlias = Callable[[Interface, Desk, V], Interface]

HANDLERS: dict[Intent[Any], Handler[Any]] = {}  # filled by the modules that `visual.window.actions` imports

LONG = 8.0  # seconds for a sentence on what is wrong with something
_UNVEILING = (  # what a blank screen lets through
    intents.quit,
    intents.blank,
    intents.close,
    intents.full_screen,
    intents.present,
    intents.save_picture,
)


def handles(intent: Intent[V]) -> Callable[[Handler[V]], Handler[V]]:
    """Let a function do what that intent asks for."""

    def enter(handler: Handler[V]) -> Handler[V]:
        HANDLERS[intent] = handler
        return handler

    return enter


def handle(intent: Intent[V], handler: Handler[V]) -> None:
    """Let a function do what that intent asks for, too."""
    HANDLERS[intent] = handler


def handle_with(intent: Intent[None], handler: Handler[V], value: V) -> None:
    """Let a function do what that intent asks for, always with the same value."""
    HANDLERS[intent] = lambda interface, desk, ignored: handler(interface, desk, value)


def perform(interface: Interface, desk: Desk, do: Do[Any]) -> Interface:
    """Do it; on a blank screen the picture comes back first.

    What cannot be done is told. A notice about the run goes when the run is another, or at another step.
    """
    if interface.is_blank and do.intent not in _UNVEILING:
        return interface.without(Blank)
    before = desk.revision
    try:
        done = HANDLERS[do.intent](interface, desk, do.value)
    except BadInput as error:
        return interface.say(str(error), LONG)
    is_past = done.notice is interface.notice and desk.revision != before
    return replace(done, notice=None) if is_past else done
