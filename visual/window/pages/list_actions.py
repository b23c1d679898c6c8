"""Actions in the pages of the column at the right that list something."""

from __future__ import annotations

from dataclasses import replace

from visual.window.action_table import action
from visual.window.playback import actions, playing
from visual.window.session import Session
from visual.window.state import Interface


@action
def go_to_line(interface: Interface, session: Session, where: tuple[str, float, int]) -> Interface:
    """Pause right after the step of a line, its list staying as far scrolled as it is."""
    panel, offset, step = where
    return actions.seek_step(interface, session, step).browse(panel, offset, step)


@action
def sift(interface: Interface, session: Session, kind: str) -> Interface:
    """List the events of that kind, or do not."""
    sieve = interface.sieve
    return replace(interface, sieve=sieve._replace(hidden=sieve.hidden ^ {kind}))


@action
def sift_node(interface: Interface, session: Session, value: None) -> Interface:
    """List only what is the selected node's, or everything."""
    sieve = interface.sieve
    listed = replace(interface, sieve=sieve._replace(of_node=not sieve.of_node))
    return (
        listed if interface.selection.startswith("node:") or sieve.of_node else listed.say("Select a node: click it.")
    )


@action
def go_to_moment(interface: Interface, session: Session, where: tuple[str, float, float]) -> Interface:
    """Pause at that time, the list of its line staying as far scrolled as it is."""
    panel, offset, time = where
    interface = playing.seek(interface, session, time)
    return interface.browse(panel, offset, session.timeline.step)


# ---- history -----------------------------------------------------------------------------------------------


@action
def look_at_variable(interface: Interface, session: Session, name: str) -> Interface:
    """Show what that variable of the selected node has been."""
    return replace(interface, variable=name).scroll_to("history", 0.0)
