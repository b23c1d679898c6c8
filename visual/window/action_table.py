"""The table of handlers of intents, which the features' modules fill, and `perform`."""

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

LONG = 8.0  # seconds of a notice about an error
_ON_A_BLANK_SCREEN = (  # actions that do not bring the picture back
    intents.quit,
    intents.blank,
    intents.close,
    intents.full_screen,
    intents.present,
    intents.save_picture,
    intents.copy_picture,
)


def handles(intent: Intent[V]) -> Callable[[Handler[V]], Handler[V]]:
    """Decorate a function as the handler of an intent."""

    def register(handler: Handler[V]) -> Handler[V]:
        handle(intent, handler)
        return handler

    return register


def handle(intent: Intent[V], handler: Handler[V]) -> None:
    """Register a handler of an intent."""
    HANDLERS[intent] = handler


def handle_with(intent: Intent[None], handler: Handler[V], value: V) -> None:
    """Register a handler of an intent, with a fixed value."""
    HANDLERS[intent] = lambda interface, desk, ignored: handler(interface, desk, value)


def perform(interface: Interface, desk: Desk, do: Do[Any]) -> Interface:
    """Perform an action; on a blank screen only bring the picture back.

    A BadInput becomes a notice. An older notice disappears when the run changes.
    """
    if interface.is_blank and do.intent not in _ON_A_BLANK_SCREEN:
        return interface.without(Blank)
    before = desk.revision
    try:
        done = HANDLERS[do.intent](interface, desk, do.value)
    except BadInput as error:
        return interface.say(str(error), LONG)
    is_outdated = done.notice is interface.notice and desk.revision != before
    return replace(done, notice=None) if is_outdated else done
